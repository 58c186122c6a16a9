"""Values of positions, and the exact solver for the ends of matches."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from bot.games.game import Game
from bot.games.mind import Mind, RandomSource
from bot.games.position import Position, Seat

# From scores to values: each seat's margin and share of the match.


LARGE = 10**300
"""The greatest margin as a float: results are integers of any size, means are floats."""


def compute_results(position: Position, mind: Mind) -> Sequence[int]:
    """The running or final result of every seat, higher is better: its score, or in a game without scores 1 for the
    seats in first place. Seats that have left rank below all others."""
    scores = position.scores()
    if not any(scores):
        ranks = position.ranks()
        return [0] * len(scores) if ranks is None else [int(rank == 1) for rank in ranks]
    return put_withdrawn_last([-score for score in scores] if mind.lowest_wins else scores, position.withdrawn)


def put_withdrawn_last(found: Sequence[int], withdrawn: Sequence[Seat]) -> Sequence[int]:
    """Results in which seats that have left are behind all others.

    >>> put_withdrawn_last((5, 9, 2), (2,))
    [5, 1, 2]
    """
    if not withdrawn or len(withdrawn) == len(found):
        return found
    behind = min(result for seat, result in enumerate(found, 1) if seat not in withdrawn) - 1
    return [behind if seat in withdrawn else result for seat, result in enumerate(found, 1)]


def compute_margins(found: Sequence[float]) -> tuple[float, ...]:
    """Each seat's lead over the best other seat; negative if it is behind.

    >>> compute_margins((5, 3, 9))
    (-4, -6, 4)
    """
    if len(found) == 2:
        ahead = found[0] - found[1]
        return ahead, -ahead
    if len(found) < 2:
        return tuple(found)
    first, second = sorted(found, reverse=True)[:2]
    return tuple(mine - (second if mine == first else first) for mine in found)


def clamp_margin(margin: float) -> float:
    """A margin as a float, whatever its size.

    >>> clamp_margin(3), clamp_margin(-(10**400)) == -1e300
    (3.0, True)
    """
    return float(max(-LARGE, min(LARGE, margin)))


def compute_share(margin: float, total: float) -> float:
    """A margin relative to the total score, from -1 to 1; integers of any size are divided exactly.

    >>> compute_share(2, 8), compute_share(10**400, 2 * 10**400), compute_share(0, 0)
    (0.25, 0.5, 0.0)
    """
    return max(-1.0, min(1.0, margin / total)) if total else 0.0


# Shares: what each seat can expect of a match, from 0 to 1.


Shares = tuple[float, ...]
"""For each seat the expected share of the match, from 0 to 1."""
TRUST = 0.6
"""How far a search's estimate is trusted; measured in docs/fairness.md."""


def temper_shares(shares: Shares) -> Shares:
    """The shares of a search that did not reach the end, shrunk towards equal ones.

    Searches are overconfident: of the matches estimated at 80 % some 70 % were won.

    >>> [round(share, 2) for share in temper_shares((0.8, 0.2))]
    [0.68, 0.32]
    """
    equal = 1 / len(shares)
    return tuple(equal + TRUST * (share - equal) for share in shares)


def smooth_share(shares: Sequence[float], known: Sequence[bool], at: int, people: int) -> float:
    """A certain share as it is, else the mean over a round of `people` turns about that moment.

    A search that does not reach the end overvalues being to move, so its estimates alternate with the turns; the mean
    over a round removes that. Moments beyond the ends or beyond a certain one are mirrored.

    >>> smooth_share([0.6, 0.4, 0.6, 0.4, 1.0], [False] * 4 + [True], 0, 2)
    0.5
    >>> smooth_share([0.6, 0.4, 1.0], [False, False, True], 2, 2)
    1.0
    """
    if known[at]:
        return shares[at]
    first = next((one + 1 for one in range(at, -1, -1) if known[one]), 0)
    last = next((one - 1 for one in range(at, len(shares)) if known[one]), len(shares) - 1)
    around = range(at - people // 2, at + people // 2 + 1)
    weights = [0.5 if people % 2 == 0 and one in (around[0], around[-1]) else 1.0 for one in around]
    there = [shares[mirror_place(one, first, last)] for one in around]
    return sum(weight * share for weight, share in zip(weights, there, strict=True)) / sum(weights)


def mirror_place(place: int, first: int, last: int) -> int:
    """An index mirrored at `first` or `last` if it lies beyond, then clamped between them."""
    place = 2 * first - place if place < first else 2 * last - place if place > last else place
    return max(first, min(last, place))


def compute_final_shares(game: Game, position: Position) -> Shares:
    """The share of each seat in a finished match: 1, 1/2 for a shared first place, or 0."""
    return tuple(convert_margin(ahead) / 100 for ahead in compute_margins(compute_results(position, game.mind)))


def convert_margin(ahead: float) -> int:
    """The share, in percent, of a certain margin: 100, 50 or 0."""
    return 50 + 50 * ((ahead > 0) - (ahead < 0))


def to_percent(share: float) -> int:
    return round(100 * max(0.0, min(1.0, share)))


# The exact solver, for ends of matches small enough to search completely.


INFINITE = float("inf")
DEEPEST = 120
"""The greatest depth, in moves; a match that can last longer is not solved."""
PROBES = 3
"""The number of random playouts from which the size of the tree is estimated."""
HOPE = 30
"""Solving is tried up to an estimate of this many times the allowed nodes: pruning and symmetry save as much."""
NODES_A_PLAYOUT = 10
"""The nodes that take as long as one playout; one, if candidate moves have to be computed."""


class SearchTooLarge(Exception):
    """The rest of the match has more nodes than allowed."""


class Bound(NamedTuple):
    """Bounds on the final lead of seat 1 in a position, and the best move found so far."""

    low: float
    high: float
    move: str


UNKNOWN = Bound(-INFINITE, INFINITE, "")


class ExactSolver:
    """Solves positions of one match, with a limit on the nodes over all calls."""

    def __init__(self, mind: Mind, nodes: int, rng: RandomSource) -> None:
        self.mind, self.rng = mind, rng
        self.left = nodes
        self.table: dict[Hashable, Bound] = {}
        self.vectors: dict[Hashable, Sequence[float]] = {}
        self.refuting: dict[tuple[Seat, str], int] = {}
        self.most, self.price = (1, NODES_A_PLAYOUT) if mind.open_places else (INFINITE, 1)
        """The greatest possible margin, and the cost of a position in nodes."""

    def list_candidate_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        """All moves that can be the best; if the last mover wins, the candidates; raises `SearchTooLarge` for other
        open moves."""
        if self.mind.candidates and (self.mind.complete or self.mind.open_places):
            return self.mind.candidates(position, seat, self.rng)
        if position.open_to(seat):
            raise SearchTooLarge
        return tuple(position.moves(seat))

    def solve_value(self, position: Position, low: float = -INFINITE, high: float = INFINITE, depth: int = 0) -> float:
        """The final lead of seat 1 under best play; exact between `low` and `high`, else a bound on it."""
        if not position.turn:
            self._count_node(depth)
            return compute_margins(compute_results(position, self.mind))[0]
        if self.mind.settled and self.mind.rollout and self.mind.settled(position):
            self._count_node(depth)
            return compute_margins(self.mind.rollout(position, self.rng))[0]
        low, high = max(low, -self.most), min(high, self.most)
        if low >= high:
            return low
        key = self.mind.key(position) if self.mind.key else position
        known = self.table.get(key, UNKNOWN)
        if known.low >= high or known.low == known.high:
            return known.low
        if known.high <= low:
            return known.high
        self._count_node(depth)
        low, high = max(low, known.low), min(high, known.high)
        found, move = self._search_children(position, known.move, low, high, depth)
        self.table[key] = _tighten_bound(known, found, low, high, move)
        return found

    def _count_node(self, depth: int) -> None:
        self.left -= self.price
        if self.left < 0 or depth > DEEPEST:
            raise SearchTooLarge

    def _search_children(
        self, position: Position, first: str, low: float, high: float, depth: int
    ) -> tuple[float, str]:
        seat = position.turn[0]
        best, chosen = (-INFINITE if seat == 1 else INFINITE), first
        for move, child in self._order_children(position, seat, first):
            value = self.solve_value(child, low, high, depth + 1)
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

    def _order_children(self, position: Position, seat: Seat, first: str) -> Iterable[tuple[str, Position]]:
        refuted, open_places = self.refuting, self.mind.open_places
        moves = sorted(
            self.list_candidate_moves(position, seat), key=lambda move: (move != first, -refuted.get((seat, move), 0))
        )
        children = ((move, position.play(seat, move)) for move in moves)
        return sorted(children, key=lambda each: (each[0] != first, open_places(each[1]))) if open_places else children

    def solve_margins(self, position: Position, depth: int = 0) -> Sequence[float]:
        """The final margin of each seat if all maximise their own."""
        self._count_node(depth)
        if not position.turn:
            return compute_margins(compute_results(position, self.mind))
        key = self.mind.key(position) if self.mind.key else position
        if key not in self.vectors:
            seat = position.turn[0]
            after = (
                self.solve_margins(position.play(seat, move), depth + 1)
                for move in self.list_candidate_moves(position, seat)
            )
            self.vectors[key] = max(after, key=lambda found: found[seat - 1])
        return self.vectors[key]

    def is_hopeless(self, position: Position) -> bool:
        """Whether the tree is too large to try at all, by the estimates of `PROBES` random playouts."""
        return min(self._estimate_positions(position) for _ in range(PROBES)) > HOPE * self.left

    def _estimate_positions(self, position: Position) -> float:
        """An estimate of the number of different positions left, from one random playout.

        A depth has as many positions as move sequences, divided by the orders in which a seat can make the same moves
        if these lead to the same position. If moves exclude each other, other orders are hardly ever possible.
        """
        most, exchanged = 1.0, not (self.mind.ordered or self.mind.open_places)
        ways = most
        for depth in range(DEEPEST):
            if not position.turn or most > HOPE * self.left:
                return most
            seat = position.turn[0]
            moves = self.list_candidate_moves(position, seat)
            ways *= len(moves) / (1 + depth // len(position.scores()) if exchanged else 1)
            most = max(most, ways)
            position = position.play(seat, self.rng.choice(moves))
        return INFINITE


def _tighten_bound(known: Bound, found: float, low: float, high: float, move: str) -> Bound:
    if found <= low:
        return Bound(known.low, found, move)
    if found >= high:
        return Bound(found, known.high, move)
    return Bound(found, found, move)


def can_be_solved(position: Position, mind: Mind) -> bool:
    """Whether a match can be solved at all: one seat is to move, all possibly best moves are known, and the game's mind
    allows it."""
    turn = position.turn
    return mind.solvable and len(turn) == 1 and (mind.complete or not position.open_to(turn[0]))


def last_mover_wins(position: Position, mind: Mind) -> bool:
    """Whether of two seats the one that moves last wins: then candidate moves are enough to search."""
    return mind.open_places is not None and len(position.scores()) == 2


class Solution(NamedTuple):
    """A move of the seat to move, and the final margin of each seat after it; that of the mover is exact if `surely`,
    else an upper bound."""

    move: str
    margins: Sequence[float]
    surely: bool


def solve_moves(
    solver: ExactSolver, position: Position, moves: Sequence[str] | None = None, others: bool = True
) -> list[Solution] | None:
    """The moves, the best first; with `others`, all of them, as exactly as the nodes suffice. None if they do not
    suffice for the best. `moves` defaults to all possibly best moves."""
    seat = position.turn[0]
    try:
        if solver.is_hopeless(position):
            return None
        children = [(move, position.play(seat, move)) for move in moves or solver.list_candidate_moves(position, seat)]
        if len(position.scores()) == 2:
            found = _solve_for_two(solver, seat, children, others)
        else:
            found = [Solution(move, solver.solve_margins(child), True) for move, child in children]
    except SearchTooLarge:
        return None
    # Of several with the best value, exact ones come first.
    return sorted(found, key=lambda one: (-one.margins[seat - 1], not one.surely))


def _solve_for_two(
    solver: ExactSolver, seat: Seat, children: Sequence[tuple[str, Position]], others: bool
) -> list[Solution]:
    found: list[Solution] = []
    best = -INFINITE
    for move, child in children:
        value = _compute_seat_value(solver, seat, child, best)
        found.append(_make_solution(seat, move, value, value > best))
        best = max(best, value)
    # The other moves, until the nodes run out.
    with suppress(SearchTooLarge):
        for at, (move, child) in enumerate(children):
            if others and not found[at].surely:
                found[at] = _make_solution(seat, move, _compute_seat_value(solver, seat, child, -INFINITE), True)
    return found


def _make_solution(seat: Seat, move: str, value: float, surely: bool) -> Solution:
    return Solution(move, (value, -value) if seat == 1 else (-value, value), surely)


def _compute_seat_value(solver: ExactSolver, seat: Seat, child: Position, best: float) -> float:
    """The final margin of a seat after a move, or if that is not above `best`, an upper bound on it."""
    return solver.solve_value(child, low=best) if seat == 1 else -solver.solve_value(child, high=-best)
