"""Measures levels by the points that they lose a move, against the exact values of all moves late on small boards.

That tells levels apart by far fewer moves than matches do. Positions come of matches played by lot; of each match one
counts, as early as every move can be valued, in which not all moves are worth the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from bot.engine.exact import ExactSolver, can_be_solved, solve_moves
from bot.engine.levels import make_budget
from bot.engine.search import think
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import LEVELS, Position, Seat
from tests.arena.players import known

BOARDS: dict[str, tuple[dict[str, object], ...]] = {
    "sum-of-products": ({"size": 3}, {"size": 4}),
    "divisor-over-sums": ({"size": 3}, {"size": 4}),
    "palindromic-rows-columns": ({"size": 7}, {"size": 9}),
    "multiples-divisors-blob": ({"size": 6}, {"size": 8}),
    "not-divisors-not-multiples": ({"size": 3}, {"size": 4}),
    "binary-scramble": ({"length": 4, "target": 3}, {"length": 6, "target": 2}),
    "combining-dividing": ({"length": 4, "limit": 10}, {"length": 6, "limit": 10}),
    "palindromes-antipalindromes": ({"length": 11}, {"length": 14}),
    "divisors-multiples-sequence": ({"r": 11}, {"r": 14}),
    "sum-kind-of-game": ({"size": 4}, {"size": 6}),
    "flipping-bits": ({"squares": 7, "rounds": 1}, {"squares": 8, "rounds": 1}),
    "another-binary-primes": ({"squares": 15}, {"squares": 18}),
    "binary-primes": ({"size": 5}, {"size": 7}),
    "dream-math": ({"size": 3}, {"size": 4}),
    "plexus": ({"size": 3}, {"size": 5}),
    "polygons-permutation-grid": ({"size": 5}, {"size": 6}),
}
"""The small boards of each game that has some: every second position is of the second."""
NODES = 8_000
"""How many positions are looked at to value all moves of one."""
TRIVIAL = 60
"""A position that takes fewer says little."""
LONGEST = 300
TRIES = {1: 12, 2: 12, 3: 8, 4: 4, 5: 4, 6: 1}
"""How often each level thinks about a position, each time with other lots."""
PARTS = 100
"""Where scores are products, what is lost is told in hundredths of what can be lost."""


@dataclass(frozen=True)
class Sample:
    """A position, and how many points each of its moves loses."""

    position: Position
    seat: Seat
    losses: dict[str, float]

    @property
    def worst(self) -> float:
        """What the worst move loses."""
        return max(self.losses.values())


def samples(game: Game, number: int) -> Iterator[Sample]:
    """So many positions of a game, always the same."""
    boards, found, seed = BOARDS.get(game.key, ()), 0, 0
    while boards and found < number and seed < 5 * number:
        one = _sample(game, boards[seed % len(boards)], f"{game.key}:{seed}")
        seed += 1
        if one:
            found += 1
            yield one


def _sample(game: Game, options: dict[str, object], seed: str) -> Sample | None:
    """Of a match by lot the earliest positions are looked at for which the nodes suffice; one of them is drawn."""
    rng, valued = Random(seed), list[Sample]()
    for position in reversed(_played(game, options, rng)):
        losses, nodes = valued_moves(game, position)
        if not losses:
            break
        if nodes >= TRIVIAL and max(losses.values()) > 0:
            valued.append(Sample(position, position.turn[0], losses))
    return rng.choice(valued[-3:]) if valued else None


def _played(game: Game, options: dict[str, object], rng: Random) -> Sequence[Position]:
    position, found = game.start(game.configure(options, 2), 2), list[Position]()
    while position.turn and len(found) < LONGEST:
        found.append(position)
        position = position.play(position.turn[0], rng.choice(known(game, position, position.turn[0], rng)))
    return found if not position.turn else ()


def valued_moves(game: Game, position: Position) -> tuple[dict[str, float], int]:
    """What each move loses against the best, and how many nodes that took; nothing where they do not suffice.

    Where moves are open, those that the computer thinks of are compared, and only such are thought of afterwards.
    """
    seat, rng = position.turn[0], Random(1)
    # Who is sure to win is not enough here: what every move is worth is looked at.
    mind = replace(game.mind, complete=game.mind.complete or position.open_to(seat), solvable=True, open_places=None)
    if not can_be_solved(position, mind):
        return {}, 0
    solver = ExactSolver(mind, NODES, rng)
    found = solve_moves(solver, position)
    if not found or not all(one.surely for one in found):
        return {}, 0
    best = found[0].margins[seat - 1]
    losses = {one.move: best - one.margins[seat - 1] for one in found}
    most = max(losses.values()) if game.products else 0
    return {move: PARTS * lost / most if most else lost for move, lost in losses.items()}, NODES - solver.left


def lost(game: Game, one: Sample, allowed: Budget, seed: str) -> float | None:
    """How much is lost by the move that is found; None where nothing is known of it."""
    return one.losses.get(think(one.position, one.seat, game.mind, allowed, seed).move)


def mean(game: Game, found: Sequence[Sample], level: int, haste: float | None = None) -> float:
    """What a level loses a move: of each position the mean of its tries. With `haste` it is always or never hasty."""
    told = list[float]()
    for at, one in enumerate(found):
        allowed = make_budget(game, one.position, level)
        allowed = allowed if haste is None else replace(allowed, haste=haste)
        tries = (lost(game, one, allowed, f"{at}:{number}:{level}") for number in range(TRIES[level]))
        told += [fmean(known)] if (known := [each for each in tries if each is not None]) else []
    return fmean(told)


def mixed(game: Game, found: Sequence[Sample], level: int) -> float:
    """What a level loses a move: of its losses in haste and without so much as it is hasty, which needs fewer tries."""
    haste = make_budget(game, found[0].position, level).haste
    parts = (haste, 1.0), (1 - haste, 0.0)
    return sum(part * mean(game, found, level, sure) for part, sure in parts if part)


def hastes(game: Game, found: Sequence[Sample]) -> Sequence[float]:
    """How hasty levels 2 to 5 are to be, so that each loses a fifth less than the first loses more than the highest."""
    hasty, best = mean(game, found, LEVELS[0], 1.0), mean(game, found, LEVELS[-1], 0.0)
    step = (hasty - best) / (len(LEVELS) - 1)
    # In haste a level that looks for the end of a match loses other moves than one that does not.
    both = ((level, mean(game, found, level, 1.0), mean(game, found, level, 0.0)) for level in LEVELS[1:-1])
    aimed = ((hasty - step * (level - 1), quick, able) for level, quick, able in both)
    return [max(0.0, (aim - able) / (quick - able)) if able < quick else 0.0 for aim, quick, able in aimed]


def line(game: Game, number: int, fit: bool) -> str:
    """A row of the table: points lost a move by lot and at each level; and the hastes that would make steps even."""
    begun = time.process_time()
    found = [*samples(game, number)]
    if len(found) < number // 2:
        return f"{game.key:<29}is not solved on any board"
    lot = fmean(fmean(one.losses.values()) for one in found)
    points = " ".join(f"{mixed(game, found, level):6.2f}" for level in LEVELS)
    even = f"  hastes {' '.join(f'{haste:.2f}' for haste in hastes(game, found))}" if fit else ""
    seconds = time.process_time() - begun
    return f"{game.key:<29}{len(found):3} by lot {lot:6.2f}  levels {points}{even} {seconds:5.0f} s"
