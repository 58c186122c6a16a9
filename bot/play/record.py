"""The lines of a match record, and handovers of seats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from bot.games.position import Seat
from bot.play.ids import UserId

# The lines of a match record: a move in its game's notation, or one of four words of all games.


WithdrawalWord = Literal["resign", "timeout"]
WITHDRAWALS: tuple[WithdrawalWord, ...] = ("resign", "timeout")
WORDS = (*WITHDRAWALS, "takeback", "draw")
"""The lines that are no moves of a game."""
LINES = 20_000
"""The size of the cache: a match is read again at each of its moves, and matches of a game share moves."""


class Move(NamedTuple):
    """A move of a seat in canonical notation; in a record as a viewer sees it perhaps the word that veils it."""

    seat: Seat
    text: str


class Withdrawal(NamedTuple):
    """A seat has left the match: it resigned, or ran out of time. It is never undone."""

    seat: Seat
    text: WithdrawalWord = "resign"


class Takeback(NamedTuple):
    """The seat's last standing move is taken back, with all moves since; all players have agreed."""

    seat: Seat
    text: Literal["takeback"] = "takeback"


class Draw(NamedTuple):
    """A draw that all players agreed to: all who stayed share the first rank; `seat` proposed it."""

    seat: Seat
    text: Literal["draw"] = "draw"


Entry = Move | Withdrawal | Takeback | Draw
Standing = Move | Withdrawal
"""A line that a takeback can leave standing."""


@lru_cache(LINES)
def read_entry(seat: Seat, text: str) -> Entry:
    """The line of a record with this text: one of the four words in any letter case, else a move."""
    match text.strip().lower():
        case "resign" | "timeout" as how:
            return Withdrawal(seat, how)
        case "takeback":
            return Takeback(seat)
        case "draw":
            return Draw(seat)
        case _:
            return Move(seat, text)


def find_unmoved_seats(record: Iterable[Entry], seats: int) -> tuple[Seat, ...]:
    """The seats that have not made a move, whether or not it was taken back. A match that ends with such a seat is not
    rated, as `data.queries.standings` counts.

    >>> find_unmoved_seats((Move(2, "a1"), Takeback(2), Withdrawal(3)), 3)
    (1, 3)
    """
    moved = {line.seat for line in record if isinstance(line, Move)}
    return tuple(seat for seat in range(1, seats + 1) if seat not in moved)


def list_withdrawn_seats(lines: Iterable[Entry]) -> tuple[Seat, ...]:
    """The seats that left, in that order."""
    return tuple(line.seat for line in lines if isinstance(line, Withdrawal))


class NoAgreement(NamedTuple):
    """Why players cannot agree on something, as sentences: the match is over, secret, or played alone."""

    over: str
    secret: str
    alone: str


TAKEBACK = NoAgreement(
    "The match is over, so nothing can be taken back any more.",
    "Nothing can be taken back in {game}, because its moves are secret until the end.",
    "Nothing can be taken back in a match played alone.",
)
DRAW = NoAgreement(
    "The match is over, so no draw can be agreed on any more.",
    "No draw can be agreed on in {game}, because its moves are secret until the end.",
    "No draw can be agreed on in a match played alone.",
)


# Handovers of seats from one person to another, and the text in which a match stores them.


@dataclass(frozen=True, slots=True)
class Handover:
    """A `user` handed a seat on after `plies` lines of the record, and is notified by version `due` of the match;
    `rated`: whether the match was rated until then."""

    seat: Seat
    user: UserId
    plies: int
    due: int
    rated: bool

    def __str__(self) -> str:
        return f"{self.seat} {self.user} {self.plies} {self.due} {int(self.rated)}"

    @classmethod
    def parse(cls, text: str) -> Handover:
        """Read a handover as it is stored; ValueError for any other text."""
        seat, user, plies, due, rated = map(int, text.split())
        return cls(seat, UserId(user), plies, due, bool(rated))


def parse_handovers(text: str | None) -> tuple[Handover, ...]:
    """The handovers in a stored text, the latest last."""
    return tuple(Handover.parse(one) for one in text.split(";")) if text else ()


def format_handovers(handed: Iterable[Handover]) -> str | None:
    """Handovers as one text to be stored; None where there are none. A user's id stands between two spaces in it."""
    return "; ".join(map(str, handed)) or None


def find_holder(handed: Iterable[Handover], seat: Seat, ply: int) -> UserId | None:
    """The user who had a seat when a line of the record was written; None if that is its present player."""
    return next((one.user for one in handed if one.seat == seat and ply <= one.plies), None)
