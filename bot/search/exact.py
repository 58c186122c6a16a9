"""Finds the best move for certain, by looking at all that is left of a match when that is little enough.

With two seats it is alpha-beta. A table keeps the bounds and the best move of each position; that move is tried first
when the position comes again, then moves that refuted others. In a game won by the player who moves last, moves that
leave the fewest moves come first. With more seats each plays for its own margin (max-n), and of equal moves the first
counts.

Sources: Knuth and Moore, An analysis of alpha-beta pruning, 1975, and Knuth, Estimating the efficiency of backtrack
programs, 1975; Luckhardt and Irani, An algorithmic solution of n-person games, 1986.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from bot.core.game.mind import Lots, Mind
from bot.core.game.position import Position
from bot.core.values.seats import Seat
from bot.search.values import margins, results

INFINITE = float("inf")
DEEPEST = 120
"""No more moves are looked ahead; a match that can go on for longer is not solved."""
PROBES = 3
"""How many courses of the match are tried before it is guessed how much is left of it."""
HOPE = 30
"""A match is tried with up to this many times the positions allowed: bounds and mirror images save as much."""
NODES_A_PLAYOUT = 10
"""The nodes that take as long as one playout; where candidate moves have to be found first, one node does."""


class TooMany(Exception):
    """More is left of the match than may be looked at."""


class Bound(NamedTuple):
    """What is known of a position: seat 1 is ahead by at least `low` and at most `high` at the end; and its best move
    so far."""

    low: float
    high: float
    move: str


UNKNOWN = Bound(-INFINITE, INFINITE, "")


class Solver:
    """Solves positions of one match, within a number of nodes over all questions."""

    def __init__(self, mind: Mind, nodes: int, lots: Lots) -> None:
        self.mind, self.lots = mind, lots
        self.left = nodes
        self.table: dict[Hashable, Bound] = {}
        self.vectors: dict[Hashable, Sequence[float]] = {}
        self.refuting: dict[tuple[Seat, str], int] = {}
        self.most, self.price = (1, NODES_A_PLAYOUT) if mind.room else (INFINITE, 1)
        """By how much a match is won at the most, and as how many nodes a position counts."""

    def moves(self, position: Position, seat: Seat) -> Sequence[str]:
        """Every move that can be the best; where the last mover wins, those worth a thought; else `TooMany` where moves
        are open."""
        if self.mind.candidates and (self.mind.complete or self.mind.room):
            return self.mind.candidates(position, seat, self.lots)
        if position.open_to(seat):
            raise TooMany
        return tuple(position.moves(seat))

    def value(self, position: Position, low: float = -INFINITE, high: float = INFINITE, depth: int = 0) -> float:
        """By how much seat 1 is ahead at the end if nobody errs; exact between `low` and `high`, else a bound on it."""
        if not position.turn:
            self._counted(depth)
            return margins(results(position, self.mind))[0]
        if self.mind.settled and self.mind.rollout and self.mind.settled(position):
            self._counted(depth)
            return margins(self.mind.rollout(position, self.lots))[0]
        low, high = max(low, -self.most), min(high, self.most)
        if low >= high:
            return low
        key = self.mind.key(position) if self.mind.key else position
        known = self.table.get(key, UNKNOWN)
        if known.low >= high or known.low == known.high:
            return known.low
        if known.high <= low:
            return known.high
        self._counted(depth)
        low, high = max(low, known.low), min(high, known.high)
        found, move = self._searched(position, known.move, low, high, depth)
        self.table[key] = _tightened(known, found, low, high, move)
        return found

    def _counted(self, depth: int) -> None:
        self.left -= self.price
        if self.left < 0 or depth > DEEPEST:
            raise TooMany

    def _searched(self, position: Position, first: str, low: float, high: float, depth: int) -> tuple[float, str]:
        seat = position.turn[0]
        best, chosen = (-INFINITE if seat == 1 else INFINITE), first
        for move, child in self._ordered(position, seat, first):
            value = self.value(child, low, high, depth + 1)
            if (value > best) if seat == 1 else (value < best):
                best, chosen = value, move
            if seat == 1:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                self.refuting[seat, move] = self.refuting.get((seat, move), 0) + 1
                break
        return best, chosen

    def _ordered(self, position: Position, seat: Seat, first: str) -> Iterable[tuple[str, Position]]:
        refuted, room = self.refuting, self.mind.room
        moves = sorted(self.moves(position, seat), key=lambda move: (move != first, -refuted.get((seat, move), 0)))
        children = ((move, position.play(seat, move)) for move in moves)
        return sorted(children, key=lambda each: (each[0] != first, room(each[1]))) if room else children

    def vector(self, position: Position, depth: int = 0) -> Sequence[float]:
        """By how much each seat is ahead at the end if all play for their own margin."""
        self._counted(depth)
        if not position.turn:
            return margins(results(position, self.mind))
        key = self.mind.key(position) if self.mind.key else position
        if key not in self.vectors:
            seat = position.turn[0]
            after = (self.vector(position.play(seat, move), depth + 1) for move in self.moves(position, seat))
            self.vectors[key] = max(after, key=lambda found: found[seat - 1])
        return self.vectors[key]

    def hopeless(self, position: Position) -> bool:
        """Whether too much is left to try at all, judged by some courses of the match that are drawn by lot."""
        return min(self._guessed(position) for _ in range(PROBES)) > HOPE * self.left

    def _guessed(self, position: Position) -> float:
        """How many different positions are left, if every course had as many moves as this one.

        A depth has as many positions as ways lead to it, over the orders in which a seat can make the same moves where
        these lead to the same position. Where moves exclude each other, other orders are hardly ever possible.
        """
        most, exchanged = 1.0, not (self.mind.ordered or self.mind.room)
        ways = most
        for depth in range(DEEPEST):
            if not position.turn or most > HOPE * self.left:
                return most
            seat = position.turn[0]
            moves = self.moves(position, seat)
            ways *= len(moves) / (1 + depth // len(position.scores()) if exchanged else 1)
            most = max(most, ways)
            position = position.play(seat, self.lots.choice(moves))
        return INFINITE


def _tightened(known: Bound, found: float, low: float, high: float, move: str) -> Bound:
    if found <= low:
        return Bound(known.low, found, move)
    if found >= high:
        return Bound(found, known.high, move)
    return Bound(found, found, move)


def solvable(position: Position, mind: Mind) -> bool:
    """Whether a match can be solved at all: one seat is to move, all moves that can be best are known, and the game's
    mind allows it."""
    turn = position.turn
    return mind.solvable and len(turn) == 1 and (mind.complete or not position.open_to(turn[0]))


def last_mover_wins(position: Position, mind: Mind) -> bool:
    """Whether of two seats the one that moves last wins: then the moves that are worth a thought are looked at too."""
    return mind.room is not None and len(position.scores()) == 2


class Solution(NamedTuple):
    """A move of the seat to move, and by how much each seat is ahead at the end after it; for the mover it is that for
    certain, or at most."""

    move: str
    margins: Sequence[float]
    surely: bool


def solved(
    solver: Solver, position: Position, moves: Sequence[str] | None = None, others: bool = True
) -> list[Solution] | None:
    """The moves, the best first; the `others`, if they are wanted, as exactly as the nodes suffice. None where they do
    not suffice for the best. Without `moves` those that can be the best are compared."""
    seat = position.turn[0]
    try:
        if solver.hopeless(position):
            return None
        children = [(move, position.play(seat, move)) for move in moves or solver.moves(position, seat)]
        if len(position.scores()) == 2:
            found = _of_two(solver, seat, children, others)
        else:
            found = [Solution(move, solver.vector(child), True) for move, child in children]
    except TooMany:
        return None
    # Of several with the best value the first that has it for certain leads.
    return sorted(found, key=lambda one: (-one.margins[seat - 1], not one.surely))


def _of_two(solver: Solver, seat: Seat, children: Sequence[tuple[str, Position]], others: bool) -> list[Solution]:
    found: list[Solution] = []
    best = -INFINITE
    for move, child in children:
        value = _mine(solver, seat, child, best)
        found.append(_solution(seat, move, value, value > best))
        best = max(best, value)
    # Then the others, until the nodes run out.
    with suppress(TooMany):
        for at, (move, child) in enumerate(children):
            if others and not found[at].surely:
                found[at] = _solution(seat, move, _mine(solver, seat, child, -INFINITE), True)
    return found


def _solution(seat: Seat, move: str, value: float, surely: bool) -> Solution:
    return Solution(move, (value, -value) if seat == 1 else (-value, value), surely)


def _mine(solver: Solver, seat: Seat, child: Position, best: float) -> float:
    """By how much a seat is ahead at the end after a move, or if that is not more than the best, a bound on it."""
    return solver.value(child, low=best) if seat == 1 else -solver.value(child, high=-best)
