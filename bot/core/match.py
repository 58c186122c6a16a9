"""A match: a game, its options, its seats and its record of moves, folded into a position.

The record is the only truth; who is to move, the scores and the result follow from it. This module is a pure fold: it
stores nothing, waits for nothing and knows nobody's name.

>>> from bot.core.catalogue import games
>>> match = Match.start(games()["binary-primes"], {"size": 3}, 2).play(1, "A1").play(2, "c 3")
>>> match.to_json()
{'game': 'binary-primes', 'options': {'size': 3}, 'seats': 2, 'moves': [[1, 'a1'], [2, 'c3']]}
>>> match.turn
(1,)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.core.game import Game, MoveError, OutOfTurn, Position, expect_turn
from bot.core.options import BadOptions, Options
from bot.core.seats import Seat, Viewer

WITHDRAWALS = ("resign", "timeout")


class Entry(NamedTuple):
    """One line of a record: a seat and its move in canonical notation, or one of `WITHDRAWALS`."""

    seat: Seat
    text: str


class BrokenRecord(Exception):
    """A record that breaks a rule at the move with this index; None where its game, seats or options are at fault."""

    def __init__(self, sentence: str, at: int | None) -> None:
        super().__init__(sentence)
        self.at = at


@dataclass(frozen=True, slots=True)
class Match:
    """A match at some moment. Playing gives a new one; a refused move raises a `MoveError` and changes nothing."""

    game: Game
    options: Options
    seats: int
    position: Position
    record: tuple[Entry, ...] = ()

    @classmethod
    def start(cls, game: Game, options: Mapping[str, object], seats: object) -> Match:
        """A match without moves, or `BadOptions`."""
        settled = game.configure(options, seats)
        assert isinstance(seats, int)
        return cls(game, settled, seats, game.start(settled, seats))

    def play(self, seat: Seat, text: str) -> Match:
        """The match after a move in any form that reading accepts."""
        expect_turn(self.position, seat)
        move = self.position.read(seat, text)
        return self._after(Entry(seat, move), self.position.play(seat, move))

    def withdraw(self, seat: Seat, how: str = "resign") -> Match:
        """The match after a seat has left it, on its turn or not."""
        if not self.turn:
            raise OutOfTurn("The match is over: nobody can leave it any more.")
        return self._after(Entry(seat, how), self.position.withdraw(seat))

    def enter(self, seat: Seat, text: str) -> Match:
        """The match after one line of a record: a move or a withdrawal."""
        word = text.strip().lower()
        return self.withdraw(seat, word) if word in WITHDRAWALS else self.play(seat, text)

    def _after(self, entry: Entry, position: Position) -> Match:
        return Match(self.game, self.options, self.seats, position, (*self.record, entry))

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seats that may act now; none when the match is over."""
        return self.position.turn

    @property
    def finished(self) -> bool:
        """Whether the match is over."""
        return not self.turn

    def shown(self, viewer: Viewer, published: bool = False) -> tuple[Entry, ...]:
        """The record as a viewer may see it: veiled moves of others by a word or not at all.

        When the match is over everything is known, except that a match alone stays private until it is published.
        """
        if published or (self.finished and self.seats > 1):
            return self.record
        lines = ((entry, self._veiled(entry, viewer)) for entry in self.record)
        return tuple(Entry(entry.seat, text) for entry, text in lines if text is not None)

    def _veiled(self, entry: Entry, viewer: Viewer) -> str | None:
        if entry.seat == viewer or entry.text in WITHDRAWALS:
            return entry.text
        return self.game.veil(entry.seat, entry.text)

    def version_for(self, viewer: Viewer) -> int:
        """How many lines of the record the viewer may see: the version that a surface of theirs carries."""
        return len(self.shown(viewer))

    def to_json(self) -> dict[str, Any]:
        """The match record, as replay reads it and the bot exports it."""
        return {
            "game": self.game.key,
            "options": self.options.record(),
            "seats": self.seats,
            "moves": [[entry.seat, entry.text] for entry in self.record],
        }


NAMED = "like “binary-primes”; README.md lists the games, and the commands they begin with are their keys"


def opened(games: Mapping[str, Game], row: object) -> Match:
    """The match at the start of a record, or `BrokenRecord`."""
    if not isinstance(row, dict):
        raise BrokenRecord("A record is a JSON object with game, options, seats and moves.", None)
    record: dict[str, object] = row  # pyright: ignore[reportUnknownVariableType]  -- JSON's keys are text
    key, options = record.get("game"), record.get("options", {})
    if not isinstance(key, str):
        raise BrokenRecord(f"A record needs its game, a text, {NAMED}.", None)
    if key not in games:
        raise BrokenRecord(f"There is no game {key[:40]!r}: write its key, {NAMED}.", None)
    if "seats" not in record or not isinstance(record.get("moves"), list):
        raise BrokenRecord("A record needs its seats, a number, and its moves, a list.", None)
    if not isinstance(options, dict):
        raise BrokenRecord("The options of a record are a JSON object.", None)
    try:
        return Match.start(games[key], options, record["seats"])  # pyright: ignore[reportUnknownArgumentType]
    except BadOptions as refusal:
        raise BrokenRecord(str(refusal), None) from None


def entered(match: Match, line: object, at: int) -> Match:
    """The match after the line of a record with this index, or `BrokenRecord`."""
    match line:
        case [int(seat), str(text)] if not isinstance(seat, bool):
            pass
        case _:
            raise BrokenRecord("A move of a record is a list of a seat and a text, like [1, “a1”].", at)
    if not 1 <= seat <= match.seats:
        raise BrokenRecord(f"There is no seat {str(seat)[:20]} in a match of {match.seats}.", at)
    try:
        return match.enter(seat, text)
    except MoveError as refusal:
        raise BrokenRecord(str(refusal), at) from None
