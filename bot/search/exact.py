"""The best move for certain: alpha-beta over all that is left of a match of two, when that is little enough.

Source: Knuth and Moore, An analysis of alpha-beta pruning, 1975; with a table of positions seen before, as every
chess program has one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from bot.core.game import Position
from bot.core.mind import Mind
from bot.core.seats import Seat
from bot.search.values import margins, results

INFINITE = float("inf")


class TooMany(Exception):
    """More is left of the match than may be looked at."""


class Bound(NamedTuple):
    """What is known of a position: seat 1 is ahead by at least `low` and at most `high` at the end."""

    low: float
    high: float


class Solver:
    """Solves positions of one match, within a number of nodes over all questions."""

    def __init__(self, mind: Mind, nodes: int) -> None:
        self.mind = mind
        self.left = nodes
        self.table: dict[Hashable, Bound] = {}

    def value(self, position: Position, low: float = -INFINITE, high: float = INFINITE) -> float:
        """By how much seat 1 is ahead at the end if nobody errs; exact between `low` and `high`, else a bound on it."""
        if not position.turn:
            return margins(results(position, self.mind))[0]
        self.left -= 1
        if self.left < 0:
            raise TooMany
        key = self.mind.key(position) if self.mind.key else position
        known = self.table.get(key, Bound(-INFINITE, INFINITE))
        if known.low >= high or known.low == known.high:
            return known.low
        if known.high <= low:
            return known.high
        found = self._searched(position, max(low, known.low), min(high, known.high))
        self.table[key] = _tightened(known, found, max(low, known.low), min(high, known.high))
        return found

    def _searched(self, position: Position, low: float, high: float) -> float:
        seat = position.turn[0]
        best = -INFINITE if seat == 1 else INFINITE
        for move in position.moves(seat):
            value = self.value(position.play(seat, move), low, high)
            if seat == 1:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        return best

    def moves(self, position: Position, seat: Seat) -> Iterator[tuple[str, float]]:
        """Every move of a seat, and by how much it is ahead at the end after it."""
        sign = 1 if seat == 1 else -1
        for move in position.moves(seat):
            yield move, sign * self.value(position.play(seat, move))


def _tightened(known: Bound, found: float, low: float, high: float) -> Bound:
    if found <= low:
        return Bound(known.low, found)
    if found >= high:
        return Bound(found, known.high)
    return Bound(found, found)


def solvable(position: Position) -> bool:
    """Whether a match can be solved at all: one of two, without secrets, in which the rules list the moves."""
    turn = position.turn
    return len(turn) == 1 and len(position.scores()) == 2 and not position.open_to(turn[0])
