"""A match: a game, its options, its seats and its record, folded into a position.

The record is the only truth; who is to move, the scores, the ranks and how the match ended follow from it. A position
knows the moves of its game; that players leave, take moves back or agree to a draw is known here. This module is a pure
fold: it stores nothing, waits for nothing and knows nobody's name.

>>> from bot.core.library.catalogue import games
>>> match = Match.start(games()["binary-primes"], {"size": 3}, 2).play(1, "A1").play(2, "c 3")
>>> match.to_json()
{'game': 'binary-primes', 'options': {'size': 3}, 'seats': 2, 'moves': [[1, 'a1'], [2, 'c3']]}
>>> match.turn, match.take_back(1).turn, match.agree_draw(2).ranks
((1,), (1,), (1, 1))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Self, TypeVar

from bot.core.game import typed
from bot.core.game.game import Game, O_co, P_co
from bot.core.game.legs import LegMove
from bot.core.game.notation import quote
from bot.core.game.options import BadOptions, Options, spelled
from bot.core.game.position import Illegal, MoveError, OutOfTurn, Position, expect_turn
from bot.core.match.record import (
    DRAW,
    TAKEBACK,
    Draw,
    Entry,
    Move,
    NoAgreement,
    Standing,
    Takeback,
    Withdrawal,
    WithdrawalWord,
    read_entry,
    withdrawn,
)
from bot.core.values.plural import sentences
from bot.core.values.seats import Seat, Viewer, ranking
from bot.core.values.typed_text import tidied

PositionT = TypeVar("PositionT", bound=Position)
OptionsT = TypeVar("OptionsT", bound=Options)
Ending = Literal["play", "withdrawal", "time", "agreement"]
"""How a match came to its end."""


class BrokenRecord(Exception):
    """A record that breaks a rule at the move with this index; None where its game, seats or options are at fault."""

    def __init__(self, sentence: str, at: int | None) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True, slots=True)
class Match(Generic[P_co, O_co]):
    """A match at some moment. Whatever happens gives a new one; a refusal is a `MoveError` and changes nothing.

    `standing` are the lines of the record that no takeback undid: those that lead to `position`. `agreed` is set by a
    draw.
    """

    game: Game[P_co, O_co]
    options: O_co
    seats: int
    position: P_co
    record: tuple[Entry, ...] = ()
    standing: tuple[Standing, ...] = ()
    agreed: bool = False

    @classmethod
    def start(
        cls, game: Game[PositionT, OptionsT], options: Mapping[str, object], seats: object
    ) -> Match[PositionT, OptionsT]:
        """A match without moves, or `BadOptions`."""
        settled = game.configure(options, seats)
        assert isinstance(seats, int)
        return Match(game, settled, seats, game.start(settled, seats))

    # What may happen.

    def enter(self, seat: Seat, text: str) -> Self:
        """The match after one line of a record."""
        match read_entry(seat, tidied(text, rows=True)):
            case Move():
                return self.play(seat, text)
            case Withdrawal(_, how):
                return self.withdraw(seat, how)
            case Takeback():
                return self.take_back(seat)
            case Draw():
                return self.agree_draw(seat)

    def play(self, seat: Seat, text: str) -> Self:
        """The match after a typed move, in any form that reading accepts."""
        if self.agreed:
            self._expect_unfinished("The match is over, so nothing can be played any more.")
        expect_turn(self.position, seat)
        move = typed.read(self.game, self.position, seat, text)
        return self._grown(Move(seat, move), self.position.play(seat, move))

    def withdraw(self, seat: Seat, how: WithdrawalWord = "resign") -> Self:
        """The match after a seat has left it, on its turn or not."""
        self._expect_unfinished("The match is over, so nobody can leave it any more.")
        return self._grown(Withdrawal(seat, how), self.position.withdraw(seat))

    def take_back(self, seat: Seat) -> Self:
        """The match as it stood before the seat's last move that still stands; everybody in it has agreed. Of two legs
        the one in which that was made; the other stays as it is.

        `Illegal` where there is no such move, or where a player has left since: a withdrawal is never undone.
        """
        self.expect_takeback(seat)
        made = self.last_move(seat)
        if made is None:
            raise Illegal(f"Player {seat} has no move to take back.")
        if left := withdrawn(self.standing[made:]):
            raise Illegal(f"Player {left[0]} has left since that move, so it can't be taken back.")
        before = replace(self, position=self.game.start(self.options, self.seats), record=(), standing=())
        for line in self.standing_without(made):
            before = before.enter(*line)
        return replace(before, record=(*self.record, Takeback(seat)))

    def expect_takeback(self, seat: Seat) -> None:
        """Refuse a takeback where there can be none, whatever was played."""
        self._expect_agreement(seat, TAKEBACK)

    def last_move(self, seat: Seat) -> int | None:
        """The index of a seat's last move among the lines that stand; None without one."""
        made = (at for at, line in enumerate(self.standing) if line.seat == seat and isinstance(line, Move))
        return max(made, default=None)

    def standing_without(self, made: int) -> tuple[Standing, ...]:
        """The lines that stay when a move is taken back: what came before it, and what is about the other leg."""
        gone = self._gone_with(self.standing, made)
        return tuple(line for at, line in enumerate(self.standing) if at not in gone)

    def going_with(self, made: int) -> tuple[Standing, ...]:
        """The lines that go when a move is taken back: that one first."""
        return tuple(self.standing[at] for at in self._gone_with(self.standing, made))

    def taken_back(self) -> tuple[Standing, ...]:
        """The lines that went with the last line of the record, which took them back: whose move it was first."""
        standing, gone = list[Standing](), tuple[Standing, ...]()
        for line in self.record:
            if isinstance(line, Takeback):
                made = max(at for at, one in enumerate(standing) if one.seat == line.seat and isinstance(one, Move))
                going = self._gone_with(standing, made)
                gone = tuple(standing[at] for at in going)
                standing = [one for at, one in enumerate(standing) if at not in going]
            elif not isinstance(line, Draw):
                standing.append(line)
        return gone

    def _gone_with(self, standing: Sequence[Standing], made: int) -> list[int]:
        """At which places the lines are that go when the move at one of them is taken back."""
        leg = self.leg_of(standing[made])
        return [at for at in range(made, len(standing)) if not leg or self.leg_of(standing[at]) == leg]

    def leg_of(self, line: Entry) -> int | None:
        """In which of two legs a line is a move; None in a match of one, and for what is not about one leg alone."""
        return LegMove.parse(line.text).leg if self.game.once and isinstance(line, Move) else None

    def agree_draw(self, seat: Seat) -> Self:
        """The match ended as a draw among all who stayed; everybody in it has agreed."""
        self._expect_agreement(seat, DRAW)
        return replace(self, record=(*self.record, Draw(seat)), agreed=True)

    def _grown(self, line: Standing, position: Position) -> Self:
        return replace(self, position=position, record=(*self.record, line), standing=(*self.standing, line))

    def _expect_unfinished(self, sentence: str) -> None:
        if self.finished:
            raise OutOfTurn(sentence)

    def _expect_agreement(self, seat: Seat, why: NoAgreement) -> None:
        """Refuse agreements in a match that is played alone, is secret or is over, or by a seat that has left."""
        self._expect_unfinished(why.over)
        if self.game.secret:
            raise Illegal(why.secret.format(game=self.game.title))
        if self.seats == 1:
            raise Illegal(why.alone)
        if seat in self.withdrawn:
            raise OutOfTurn(f"Player {seat} has left the match and can't ask for that any more.")

    # How it stands.

    @property
    def withdrawn(self) -> tuple[Seat, ...]:
        """The seats that left, in the order in which they did."""
        return withdrawn(self.standing)

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may act now; none when the match is over."""
        return () if self.agreed else self.position.turn

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return not self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat, running or final."""
        return self.position.scores()

    @property
    def ranks(self) -> tuple[int, ...] | None:
        """The rank of every seat, 1 the best; None until the match is over."""
        return ranking([0] * self.seats, self.withdrawn) if self.agreed else self.position.ranks()

    @property
    def ending(self) -> Ending | None:
        """How the match came to its end; None until it has."""
        if not self.finished:
            return None
        match self.record[-1] if self.record else None:
            case Draw():
                return "agreement"
            case Withdrawal(_, how):
                return "time" if how == "timeout" else "withdrawal"
            case _:
                return "play"

    # Who sees what.

    def shown(self, viewer: Viewer, published: bool = False) -> tuple[Entry, ...]:
        """The record as a viewer may see it: veiled moves of others by a word or not at all.

        When the match is over everything is known, except that a match alone stays private until it is published.
        """
        return tuple(line for _, line in self.lines_shown(viewer, published))

    def lines_shown(self, viewer: Viewer, published: bool = False) -> tuple[tuple[int, Entry], ...]:
        """The same lines, each with its number in the record, from 1."""
        if self.revealed(published):
            return tuple(enumerate(self.record, 1))
        veiled = ((number, self._veiled(line, viewer)) for number, line in enumerate(self.record, 1))
        return tuple((number, line) for number, line in veiled if line is not None)

    def revealed(self, published: bool = False) -> bool:
        """Whether everybody may know all that was played."""
        return published or (self.finished and self.seats > 1)

    def _veiled(self, line: Entry, viewer: Viewer) -> Entry | None:
        if line.seat == viewer or not isinstance(line, Move):
            return line
        text = self.game.veil(line.seat, line.text)
        return None if text is None else Move(line.seat, text)

    def version_for(self, viewer: Viewer) -> int:
        """How many lines of the record the viewer may see: the version that a surface of theirs carries."""
        return len(self.shown(viewer))

    def has_moved_on(self, seat: Seat, viewer: Viewer, seen: int, leg: int | None = None) -> bool:
        """Whether a surface is out of date for a seat's move, in one leg if there are two. It shows a viewer `seen`
        lines of the record.

        Where moves are secret and several seats act at once, what the others do changes nothing for this one; nor does
        what is played in the other leg.
        """
        shown = self.shown(viewer)
        fresh = [line for line in shown[seen:] if not leg or self.leg_of(line) in (None, leg)]
        return seen > len(shown) or any(line.seat == seat or not self.game.secret for line in fresh)

    def to_json(self) -> dict[str, Any]:
        """The match record, as replay reads it and the bot exports it."""
        return {
            "game": self.game.key,
            "options": self.options.record(),
            "seats": self.seats,
            "moves": [list(line) for line in self.record],
        }


VEILED = (
    "This record was taken while the match was going on, so others' moves are veiled in it. "
    "Take it again with /match record when the match is over."
)
NAMED = "A game's key is what its commands begin with."
SEATS = "The seats of a record are a whole number, like 2, not {seats}."
VERSION = (
    "This record is of version {version} of {game}, and I know version {known}. Leave the version out to read it by "
    "the rules of today."
)


def opened(games: Mapping[str, Game], row: object) -> Match:
    """The match at the start of a record, or `BrokenRecord`."""
    if not isinstance(row, dict):
        raise BrokenRecord("A record is a JSON object with game, options, seats and moves.", None)
    record: dict[str, object] = row  # pyright: ignore[reportUnknownVariableType]  -- JSON's keys are text
    key, options = _tidied(record.get("game")), record.get("options", {})
    if record.get("veiled"):
        raise BrokenRecord(VEILED, None)
    if not isinstance(key, str):
        raise BrokenRecord(sentences("A record needs its game, a text like “binary-primes”.", NAMED), None)
    if key not in games:
        raise BrokenRecord(
            sentences(f"There is no game {quote(key)}. Write its key, like “binary-primes”.", NAMED), None
        )
    if "seats" not in record or not isinstance(record.get("moves"), list):
        raise BrokenRecord("A record needs its seats, a number, and its moves, a list.", None)
    if type(record["seats"]) is not int:
        raise BrokenRecord(SEATS.format(seats=spelled(record["seats"])), None)
    if "version" in record and spelled(record["version"]) != str(games[key].version):
        told = spelled(record["version"])
        raise BrokenRecord(VERSION.format(version=told, game=games[key].title, known=games[key].version), None)
    if not isinstance(options, dict):
        raise BrokenRecord("The options of a record are a JSON object.", None)
    try:
        given = {name: _tidied(value) for name, value in options.items()}  # pyright: ignore
        return Match.start(games[key], given, record["seats"])  # pyright: ignore[reportUnknownArgumentType]
    except BadOptions as refusal:
        raise BrokenRecord(str(refusal), None) from None


def _tidied(value: object) -> object:
    """A value of a record: a text as readers take it."""
    return tidied(value) if isinstance(value, str) else value


def entered(match: Match, line: object, at: int) -> Match:
    """The match after the line of a record with this index, or `BrokenRecord`."""
    match line:
        case [int(seat), str(text)] if not isinstance(seat, bool):
            pass
        case _:
            raise BrokenRecord("A move of a record is a list of a seat and a text, like [1, “a1”].", at)
    if not 1 <= seat <= match.seats:
        raise BrokenRecord(f"There is no player {spelled(seat)} in a match of {match.seats}.", at)
    try:
        return match.enter(seat, text)
    except MoveError as refusal:
        raise BrokenRecord(str(refusal), at) from None
