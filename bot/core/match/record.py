"""The lines of a match record: a move in its game's notation, or one of four words that any match knows.

A record only ever grows. What a takeback undoes stays in it, with the takeback written behind; so the number of lines
tells a surface from a later one. Each line is written as a seat and a text, and `read_entry` finds out what such a text
is.

>>> read_entry(2, " Resign ")
Withdrawal(seat=2, text='resign')
>>> read_entry(1, "c4 2")
Move(seat=1, text='c4 2')
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from bot.core.values.seats import Seat

WithdrawalWord = Literal["resign", "timeout"]
WITHDRAWALS: tuple[WithdrawalWord, ...] = ("resign", "timeout")
WORDS = (*WITHDRAWALS, "takeback", "draw")
"""The texts that are no moves of a game."""
LINES = 20_000
"""The size of the cache: a match is read anew for each of its moves, and those of a game are alike."""


class Move(NamedTuple):
    """A move of a seat in canonical notation; or, in what a viewer may see of a record, the word that veils it."""

    seat: Seat
    text: str


class Withdrawal(NamedTuple):
    """A seat has left the match: it resigned, or ran out of time. It is never undone."""

    seat: Seat
    text: WithdrawalWord = "resign"


class Takeback(NamedTuple):
    """The seat's last move that still stood is taken back, and all that was played since, by everybody's consent."""

    seat: Seat
    text: Literal["takeback"] = "takeback"


class Draw(NamedTuple):
    """The match is over by everybody's consent, and all who stayed share the first rank; `seat` proposed it."""

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


def unmoved(record: Iterable[Entry], seats: int) -> tuple[Seat, ...]:
    """The seats that have not made a move, whether or not it was taken back. A match that ends with such a seat is not
    rated, as `data.queries.standings` counts.

    >>> unmoved((Move(2, "a1"), Takeback(2), Withdrawal(3)), 3)
    (1, 3)
    """
    moved = {line.seat for line in record if isinstance(line, Move)}
    return tuple(seat for seat in range(1, seats + 1) if seat not in moved)


def withdrawn(lines: Iterable[Entry]) -> tuple[Seat, ...]:
    """The seats that left, in the order in which they did."""
    return tuple(line.seat for line in lines if isinstance(line, Withdrawal))


class NoAgreement(NamedTuple):
    """Why players cannot agree on something: the match is over, its moves are secret, or it is played alone."""

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
