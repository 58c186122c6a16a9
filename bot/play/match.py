"""A match: options, seats and record folded into a position; records by leg, names of moves, courses of scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Generic, Literal, NamedTuple, Self, TypeVar

from bot.games import reading
from bot.games.game import Game, O_co, P_co
from bot.games.legs import LEGS, Leg, LegMove, Legs, seat_in
from bot.games.notation import quote
from bot.games.options import BadOptions, Options, spell_value
from bot.games.position import MOVE, Illegal, MoveError, OutOfTurn, Position, Seat, Viewer, expect_turn, rank_seats
from bot.games.reading import tidy_text
from bot.games.wording import join_sentences
from bot.play.record import (
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
    list_withdrawn_seats,
    read_entry,
)

# The match.


PositionT = TypeVar("PositionT", bound=Position)
OptionsT = TypeVar("OptionsT", bound=Options)
Ending = Literal["play", "withdrawal", "time", "agreement"]
"""How a match came to its end."""


class BrokenRecord(Exception):
    """A record that breaks a rule at the line with index `at`; None if its game, seats or options are at fault."""

    def __init__(self, sentence: str, at: int | None) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True, slots=True)
class Match(Generic[P_co, O_co]):
    """A match at some moment. Each method that acts returns a new one, or raises a `MoveError` and changes nothing.

    `standing` are the lines of the record that no takeback undid, which lead to `position`. `agreed` is set by a draw.
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

    # Acts.

    def enter(self, seat: Seat, text: str) -> Self:
        """The match after one line of a record."""
        match read_entry(seat, tidy_text(text, rows=True)):
            case Move():
                return self.play(seat, text)
            case Withdrawal(_, how):
                return self.withdraw(seat, how)
            case Takeback():
                return self.take_back(seat)
            case Draw():
                return self.agree_draw(seat)

    def play(self, seat: Seat, text: str) -> Self:
        """The match after a typed move, in any form that `Position.read` accepts."""
        if self.agreed:
            self._expect_unfinished("The match is over, so nothing can be played any more.")
        expect_turn(self.position, seat)
        move = reading.read_move(self.game, self.position, seat, text)
        return self._add_line(Move(seat, move), self.position.play(seat, move))

    def withdraw(self, seat: Seat, how: WithdrawalWord = "resign") -> Self:
        """The match after a seat has left it, on its turn or not."""
        self._expect_unfinished("The match is over, so nobody can leave it any more.")
        return self._add_line(Withdrawal(seat, how), self.position.withdraw(seat))

    def take_back(self, seat: Seat) -> Self:
        """The match before the seat's last standing move; all players have agreed. Of two legs, only the one in which
        it was made is taken back.

        `Illegal` if there is no such move, or if a player has left since: a withdrawal is never undone.
        """
        self.expect_takeback(seat)
        made = self.last_move(seat)
        if made is None:
            raise Illegal(f"Player {seat} has no move to take back.")
        if left := list_withdrawn_seats(self.standing[made:]):
            raise Illegal(f"Player {left[0]} has left since that move, so it can't be taken back.")
        before = replace(self, position=self.game.start(self.options, self.seats), record=(), standing=())
        for line in self.list_lines_without(made):
            before = before.enter(*line)
        return replace(before, record=(*self.record, Takeback(seat)))

    def expect_takeback(self, seat: Seat) -> None:
        """Refuse a takeback in a match that has none at all."""
        self._expect_agreement(seat, TAKEBACK)

    def last_move(self, seat: Seat) -> int | None:
        """The index in `standing` of a seat's last move; None without one."""
        made = (at for at, line in enumerate(self.standing) if line.seat == seat and isinstance(line, Move))
        return max(made, default=None)

    def list_lines_without(self, made: int) -> tuple[Standing, ...]:
        """The lines that stay when a move is taken back: those before it, and those of the other leg."""
        gone = self._find_places_gone(self.standing, made)
        return tuple(line for at, line in enumerate(self.standing) if at not in gone)

    def list_lines_going(self, made: int) -> tuple[Standing, ...]:
        """The lines that a takeback removes, the taken-back move first."""
        return tuple(self.standing[at] for at in self._find_places_gone(self.standing, made))

    def list_taken_back(self) -> tuple[Standing, ...]:
        """The lines that the last line of the record, a takeback, removed; the taken-back move first."""
        standing, gone = list[Standing](), tuple[Standing, ...]()
        for line in self.record:
            if isinstance(line, Takeback):
                made = max(at for at, one in enumerate(standing) if one.seat == line.seat and isinstance(one, Move))
                going = self._find_places_gone(standing, made)
                gone = tuple(standing[at] for at in going)
                standing = [one for at, one in enumerate(standing) if at not in going]
            elif not isinstance(line, Draw):
                standing.append(line)
        return gone

    def _find_places_gone(self, standing: Sequence[Standing], made: int) -> list[int]:
        """The indices of the lines that go when the move at index `made` is taken back."""
        leg = self.leg_of(standing[made])
        return [at for at in range(made, len(standing)) if not leg or self.leg_of(standing[at]) == leg]

    def leg_of(self, line: Entry) -> int | None:
        """The leg in which a line is a move; None in a match of one leg, and for lines that are not about one leg
        alone."""
        return LegMove.parse(line.text).leg if self.game.single and isinstance(line, Move) else None

    def order_waiting_legs(self, seat: Seat) -> tuple[Leg, ...]:
        """Of two legs those in which a seat is to move, the one that has waited longest first; none of one leg."""
        if not isinstance(self.position, Legs):
            return ()
        moved = {self.leg_of(line): at for at, line in enumerate(self.standing)}
        return tuple(sorted(self.position.list_waiting_legs(seat), key=lambda leg: moved.get(leg, -1)))

    def name_leg(self, seat: Seat, text: str) -> str:
        """A typed move with its leg in front; the one that has waited longest where it names none."""
        waiting = self.order_waiting_legs(seat)
        named = not waiting or LegMove.parse(text).leg
        return text if named else str(LegMove(waiting[0], text))

    def agree_draw(self, seat: Seat) -> Self:
        """The match, ended as a draw among all who stayed; all players have agreed."""
        self._expect_agreement(seat, DRAW)
        return replace(self, record=(*self.record, Draw(seat)), agreed=True)

    def _add_line(self, line: Standing, position: Position) -> Self:
        return replace(self, position=position, record=(*self.record, line), standing=(*self.standing, line))

    def _expect_unfinished(self, sentence: str) -> None:
        if self.is_over:
            raise OutOfTurn(sentence)

    def _expect_agreement(self, seat: Seat, why: NoAgreement) -> None:
        """Refuse agreements in a match that is played alone, is secret or is over, or by a seat that has left."""
        self._expect_unfinished(why.over)
        if self.game.secret:
            raise Illegal(why.secret.format(game=self.game.title))
        if self.seats == 1:
            raise Illegal(why.alone)
        if seat in self.withdrawn_seats:
            raise OutOfTurn(f"Player {seat} has left the match and can't ask for that any more.")

    # The standing.

    @property
    def withdrawn_seats(self) -> tuple[Seat, ...]:
        """The seats that left, in that order."""
        return list_withdrawn_seats(self.standing)

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may act now; empty when the match is over."""
        return () if self.agreed else self.position.turn

    @property
    def is_over(self) -> bool:
        return not self.turn

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of every seat, running or final."""
        return self.position.scores()

    @property
    def ranks(self) -> tuple[int, ...] | None:
        """The rank of every seat, 1 the best; None until the match is over."""
        return rank_seats([0] * self.seats, self.withdrawn_seats) if self.agreed else self.position.ranks()

    @property
    def ending_kind(self) -> Ending | None:
        """How the match came to its end; None until it has."""
        if not self.is_over:
            return None
        match self.record[-1] if self.record else None:
            case Draw():
                return "agreement"
            case Withdrawal(_, how):
                return "time" if how == "timeout" else "withdrawal"
            case _:
                return "play"

    # Visibility.

    def list_visible_entries(self, viewer: Viewer, published: bool = False) -> tuple[Entry, ...]:
        """The record as a viewer may see it: veiled moves of others as a word or not at all.

        When the match is over all of it is visible, except that a solo match stays private until it is published.
        """
        return tuple(line for _, line in self.number_visible_entries(viewer, published))

    def number_visible_entries(self, viewer: Viewer, published: bool = False) -> tuple[tuple[int, Entry], ...]:
        """The same lines, each with its number in the record, from 1."""
        if self.is_revealed(published):
            return tuple(enumerate(self.record, 1))
        veiled = ((number, self._veil_entry(line, viewer)) for number, line in enumerate(self.record, 1))
        return tuple((number, line) for number, line in veiled if line is not None)

    def is_revealed(self, published: bool = False) -> bool:
        """Whether all users may see all moves."""
        return published or (self.is_over and self.seats > 1)

    def _veil_entry(self, line: Entry, viewer: Viewer) -> Entry | None:
        if line.seat == viewer or not isinstance(line, Move):
            return line
        text = self.game.veil(line.seat, line.text)
        return None if text is None else Move(line.seat, text)

    def version_for(self, viewer: Viewer) -> int:
        """How many lines of the record the viewer may see: the version that a surface for them carries."""
        return len(self.list_visible_entries(viewer))

    def has_moved_on(self, seat: Seat, viewer: Viewer, seen: int, leg: int | None = None) -> bool:
        """Whether a surface is out of date for a seat's move, in one leg if there are two. It shows a viewer `seen`
        lines of the record.

        In secret simultaneous play the others' moves change nothing for this seat; nor do moves in the other leg.
        """
        shown = self.list_visible_entries(viewer)
        fresh = [line for line in shown[seen:] if not leg or self.leg_of(line) in (None, leg)]
        return seen > len(shown) or any(line.seat == seat or not self.game.secret for line in fresh)

    def to_json(self) -> dict[str, Any]:
        """The match record, as replay reads it and the bot exports it."""
        return {
            "game": self.game.key,
            "options": self.options.to_record(),
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


def open_record(games: Mapping[str, Game], row: object) -> Match:
    """The match at the start of a record, or `BrokenRecord`."""
    if not isinstance(row, dict):
        raise BrokenRecord("A record is a JSON object with game, options, seats and moves.", None)
    record: dict[str, object] = row  # pyright: ignore[reportUnknownVariableType]  -- JSON's keys are text
    key, options = _tidy_value(record.get("game")), record.get("options", {})
    if record.get("veiled"):
        raise BrokenRecord(VEILED, None)
    if not isinstance(key, str):
        raise BrokenRecord(join_sentences("A record needs its game, a text like “binary-primes”.", NAMED), None)
    if key not in games:
        raise BrokenRecord(
            join_sentences(f"There is no game {quote(key)}. Write its key, like “binary-primes”.", NAMED), None
        )
    if "seats" not in record or not isinstance(record.get("moves"), list):
        raise BrokenRecord("A record needs its seats, a number, and its moves, a list.", None)
    if type(record["seats"]) is not int:
        raise BrokenRecord(SEATS.format(seats=spell_value(record["seats"])), None)
    if "version" in record and spell_value(record["version"]) != str(games[key].version):
        told = spell_value(record["version"])
        raise BrokenRecord(VERSION.format(version=told, game=games[key].title, known=games[key].version), None)
    if not isinstance(options, dict):
        raise BrokenRecord("The options of a record are a JSON object.", None)
    try:
        given: dict[str, object] = {name: _tidy_value(value) for name, value in options.items()}  # pyright: ignore
        return Match.start(games[key], games[key].Options.complete_record(given), record["seats"])
    except BadOptions as refusal:
        raise BrokenRecord(str(refusal), None) from None


def _tidy_value(value: object) -> object:
    """A value of a record; a text tidied as typed text is."""
    return tidy_text(value) if isinstance(value, str) else value


def enter_line(match: Match, line: object, at: int) -> Match:
    """The match after the line of a record with this index, or `BrokenRecord`."""
    match line:
        case [int(seat), str(text)] if not isinstance(seat, bool):
            pass
        case _:
            raise BrokenRecord("A move of a record is a list of a seat and a text, like [1, “a1”].", at)
    if not 1 <= seat <= match.seats:
        raise BrokenRecord(f"There is no player {spell_value(seat)} in a match of {match.seats}.", at)
    try:
        return match.enter(seat, text)
    except MoveError as refusal:
        raise BrokenRecord(str(refusal), at) from None


# The records of a match, as `replay` reads them: one, or of two legs one each, in the leg's own seats.


def make_records(match: Match) -> tuple[dict[str, Any], ...]:
    if match.game.single is None:
        return (match.to_json(),)
    return tuple({"leg": leg, **one.to_json()} for leg, one in zip(LEGS, split_legs(match), strict=True))


def split_legs(match: Match) -> tuple[Match, Match]:
    """Both legs, each as a match of its own."""
    assert match.game.single
    legs = [Match.start(match.game.single, match.options.to_record(), 2) for _ in LEGS]
    for line in (*match.standing, *(match.record[-1:] if match.agreed else ())):
        for at, leg in enumerate(LEGS):
            if isinstance(line, Move):
                said = LegMove.parse(line.text)
                if said.leg == leg:
                    legs[at] = legs[at].play(seat_in(leg, line.seat), said.move)
            elif not legs[at].is_over:
                # A withdrawal or a draw ends the legs that are still played.
                legs[at] = legs[at].enter(seat_in(leg, line.seat), line.text)
    return legs[0], legs[1]


# The names of moves, as on the board: "move 7", "round 2, move 5", of two legs "leg 2, move 4".


PLAIN = MOVE.partition("{")[0]
IN_LEG = "leg {leg}, {move}"


def list_move_names(match: Match) -> list[str]:
    """The names of all moves that stand, in their order."""
    now, made, found = Match.start(match.game, match.options.to_record(), match.seats), Counter[str](), list[str]()
    for line in match.standing:
        if isinstance(line, Move):
            naming = _find_label(now.position, line)
            made[naming] += 1
            found.append(naming.format(number=made[naming]))
        now = now.enter(*line)
    return found


def name_latest_move(match: Match) -> str:
    """The name of the last move that stands; empty before any."""
    return next(reversed(list_move_names(match)), "")


def name_own_move(match: Match) -> str:
    """The same if the board does not just count all moves; else empty."""
    name = name_latest_move(match)
    return "" if name.startswith(PLAIN) else name


def capitalize_name(name: str) -> str:
    """A name at the beginning of a sentence.

    >>> capitalize_name("round 2, move 5")
    'Round 2, move 5'
    """
    return name[:1].upper() + name[1:]


def _find_label(position: Position, line: Move) -> str:
    if not isinstance(position, Legs):
        return position.move_label
    leg = LegMove.parse(line.text).leg
    return IN_LEG.format(leg=leg, move=position.get_position(leg).move_label) if leg else position.move_label


# The course of a match's scores: the score of each seat after every move, and the changes of the lead.


Courses = Sequence[Sequence[int]]
"""For each seat its scores after 0, 1, 2 … moves, as long as it is in the match."""


class Lead(NamedTuple):
    """The sole leader at the end, after which move they took the lead, and how often the lead changed."""

    seat: Seat | None
    since: int
    changes: int


def trace_scores(match: Match) -> tuple[tuple[int, ...], ...]:
    """The scores of every seat after each move."""
    now = Match.start(match.game, match.options.to_record(), match.seats)
    told = [list(scores) for scores in zip(now.scores, strict=True)]
    for line in match.standing:
        staying, now = set(range(1, match.seats + 1)).difference(now.withdrawn_seats), now.enter(*line)
        for seat in staying:
            if isinstance(line, Withdrawal):
                # A withdrawal is no move, but it may change a score.
                told[seat - 1].pop()
            told[seat - 1].append(now.scores[seat - 1])
    return tuple(map(tuple, told))


def trace_lead(told: Courses, lowest_wins: bool = False) -> Lead:
    """The final leader and the changes of the lead.

    >>> trace_lead([[0, 1, 1, 5], [0, 0, 3, 3]]), trace_lead([[0, 2], [0, 2]]), trace_lead([[0, 1, 1], [0, 0]])
    (Lead(seat=1, since=3, changes=2), Lead(seat=None, since=0, changes=0), Lead(seat=1, since=1, changes=0))
    """
    last = max(map(len, told)) - 1
    leaders = [find_leader(told, move, lowest_wins) for move in range(last + 1)]
    since = next((move for move in range(last, 0, -1) if leaders[move - 1] != leaders[last]), 0)
    ahead = [seat for seat in leaders if seat]
    return Lead(leaders[last], since, sum(one != other for one, other in pairwise(ahead)))


def find_leader(told: Courses, move: int, lowest_wins: bool = False) -> Seat | None:
    """The sole leader after a move, among the seats still in the match; None if several lead."""
    there = {seat: scores[move] for seat, scores in enumerate(told, 1) if len(scores) > move}
    best = min(there.values()) if lowest_wins else max(there.values())
    ahead = [seat for seat, score in there.items() if score == best]
    return ahead[0] if len(ahead) == 1 else None
