"""Questions to the engine, its answers, and the search budget of each level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.games.game import Game
from bot.games.legs import Legs, get_single_game
from bot.games.mind import Budget
from bot.games.position import LEVELS, Position, Seat

# Questions and answers: frozen values that are sent to a worker process and back.


class MoveLine(NamedTuple):
    """A searched move: the expected final margin of its seat, and the number of its visits."""

    move: str
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of a search for a seat.

    `value` is the seat's expected final lead over the best other; `chance` is its share of the match, from 0 (lost) to
    1 (won). `exact`: both are certain under best play. `table` has the searched moves, the best first. `shares` has the
    share of every seat, in order, after the move. `nodes` is the number of positions that the exact solver visited.
    """

    move: str
    value: float
    chance: float
    exact: bool
    table: tuple[MoveLine, ...]
    shares: tuple[float, ...] = ()
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """Asks what a seat should play: the game's key, the position as that seat sees it, the budget, and the random seed,
    by which equal questions get equal answers."""

    game: str
    position: Position
    seat: Seat
    budget: Budget
    seed: str


class SearchFailure(NamedTuple):
    """An answer in place of a thought: the error and where it was raised, without data of the match."""

    what: str


# The levels: the search budget for a move, and how often one is played in haste.


QUARTER = 4
"""The ratio of playouts between neighbouring levels."""
FIRST = 4
"""The playouts of the first level, and of the others in haste."""
FEWEST = 2
SOLVING = 3
"""The lowest level that solves ends of matches exactly, when it does its best."""
MOST = 4096
"""The most playouts of usual length for a move outside of the levels: about a second."""

A_PLAYOUT: dict[str, float] = {
    "another-binary-primes": 5_000,  # squares³
    "binary-scramble": 56,  # (seats + points) × digits
    "combining-dividing": 48_000,  # rewritings left × integers × (integers + 4) × (seats + 4) × log10(largest)²
    "cross-dont-cross": 150,  # the cubes of the chords of all rounds left
    "divisor-over-sums": 18,  # squares
    "divisors-multiples-sequence": 5_600,  # numbers left × numbers × (numbers + 20)
    "dream-math": 16,  # squares
    "flipping-bits": 5_000,  # patterns of all rounds left
    "multiples-divisors-blob": 64,  # squares
    "not-divisors-not-multiples": 25,  # squares left
    "palindromes-antipalindromes": 16,  # squares
    "palindromic-rows-columns": 49,  # squares
    "plexus": 49,  # dots
    "polygons-permutation-grid": 20,  # dots of the rounds left
    "sum-kind-of-game": 36,  # squares
    "sum-of-products": 36,  # squares
}
"""The `effort` of a game that counts as one playout; 1 for other games.

`python -m tests.arena --playouts` measures it, at the usual and at the largest options. On usual boards a playout takes
0.04 to 0.4 ms (of combining-dividing, 1.6, of not-divisors-not-multiples, 0.7), on the largest as many times that as
its weight says.
"""


class FullBudget(NamedTuple):
    """The budget of the highest level for a move on the usual board, as in `Budget`.

    Its slowest move takes 2 to 3.5 seconds of processor, and on the largest board no more than 4, as `python -m
    tests.arena --slowest` measures.
    """

    playouts: int
    nodes: int


FULL: dict[str, FullBudget] = {
    "another-binary-primes": FullBudget(28_000, 60_000),
    "binary-primes": FullBudget(28_000, 80_000),
    "binary-scramble": FullBudget(13_000, 20_000),
    "combining-dividing": FullBudget(5_600, 60_000),
    "cross-dont-cross": FullBudget(2_400, 0),
    "divisor-over-sums": FullBudget(40_000, 125_000),
    "divisors-multiples-sequence": FullBudget(9_000, 50_000),
    "dream-math": FullBudget(46_000, 125_000),
    "flipping-bits": FullBudget(18_000, 16_000),
    "multiples-divisors-blob": FullBudget(22_000, 40_000),
    "not-divisors-not-multiples": FullBudget(3_000, 25_000),
    "palindromes-antipalindromes": FullBudget(34_000, 80_000),
    "palindromic-rows-columns": FullBudget(18_000, 30_000),
    "plexus": FullBudget(15_000, 20_000),
    "polygons-permutation-grid": FullBudget(12_000, 30_000),
    "sum-kind-of-game": FullBudget(20_000, 60_000),
    "sum-of-products": FullBudget(15_000, 60_000),
    "sums-grid": FullBudget(4_096, 0),
    "within-the-curve": FullBudget(4_096, 0),
}
USUAL = FullBudget(4_096, 10_000)
"""The budget of games that are not in the table."""
MORE = 3
"""The greatest factor by which the highest level searches more on lighter boards, before the power in `LIGHTER`."""
LIGHTER = {"not-divisors-not-multiples": 2}
"""Games whose playouts get cheaper by the square of what is left: they have so few candidate moves that most playouts
end in positions seen before."""

HASTES: dict[str, tuple[float, float, float, float]] = {
    "another-binary-primes": (0.64, 0.64, 0.52, 0.3),
    "binary-primes": (0.61, 0.47, 0.44, 0.2),
    "binary-scramble": (0.72, 0.6, 0.4, 0.2),
    "combining-dividing": (0.84, 0.42, 0.28, 0.14),
    "divisor-over-sums": (0.71, 0.57, 0.46, 0.2),
    "divisors-multiples-sequence": (0.73, 0.57, 0.33, 0.2),
    "dream-math": (0.69, 0.55, 0.38, 0.2),
    "multiples-divisors-blob": (0.74, 0.51, 0.4, 0.2),
    "not-divisors-not-multiples": (0.31, 0.28, 0.27, 0.17),
    "palindromes-antipalindromes": (0.73, 0.58, 0.39, 0.2),
    "palindromic-rows-columns": (0.77, 0.58, 0.4, 0.2),
    "plexus": (0.71, 0.71, 0.64, 0.42),
    "polygons-permutation-grid": (0.54, 0.52, 0.35, 0.2),
    "sum-kind-of-game": (0.62, 0.54, 0.46, 0.2),
    "sum-of-products": (0.62, 0.55, 0.45, 0.2),
}
"""The probabilities of haste of levels 2 to 5. `python -m tests.arena --lost 16 --fit` measures their losses with and
without haste, and fits probabilities that make the steps even."""
USUAL_HASTES = (0.7, 0.54, 0.37, 0.2)
"""The same for games without small boards that can be solved."""


BY_LOT: dict[str, float] = {
    "another-binary-primes": 0.81,
    "divisor-over-sums": 0.73,
    "divisors-multiples-sequence": 0.74,
    "dream-math": 0.55,
    "multiples-divisors-blob": 0.54,
    "palindromes-antipalindromes": 0.70,
    "palindromic-rows-columns": 0.67,
    "plexus": 0.76,
    "polygons-permutation-grid": 0.79,
    "sum-kind-of-game": 0.58,
    "sum-of-products": 0.61,
}
"""The loss of the first level late in matches, relative to random moves, as measured by `python -m tests.arena
--by-lot`.

Games without points are missing, games whose scores are products or whose ends are not solved, and Binary Scramble,
where levels lose much the same so late.
"""


def estimate_playout_cost(game: Game, position: Position) -> float:
    """The cost of a playout relative to one from the start on the usual board.

    Of two legs the one counts that takes longer: the computer thinks about one at a time.
    """
    if isinstance(position, Legs):
        return max(estimate_playout_cost(get_single_game(game), leg) for _, leg in position.numbered_legs)
    return game.mind.effort(position) / A_PLAYOUT.get(game.key, 1)


def compute_divisor(game: Game, position: Position) -> int:
    """The divisor of the number of playouts on boards where each takes longer."""
    return max(1, round(estimate_playout_cost(game, position)))


def compute_spare_factor(game: Game, position: Position) -> float:
    """How many times as much fits into the same time on small boards and near the end."""
    return (1 / min(1, max(1 / MORE, estimate_playout_cost(game, position)))) ** LIGHTER.get(game.key, 1)


def make_full_budget(game: Game, position: Position) -> FullBudget:
    """The budget of the highest level for a move in a position."""
    heavy, most = compute_divisor(game, position), FULL.get(game.key, USUAL)
    return FullBudget(max(FEWEST, most.playouts // heavy), most.nodes // heavy)


def make_thorough_budget(game: Game, position: Position, level: int) -> Budget:
    """The budget of a level for a move, without haste."""
    most = make_full_budget(game, position)
    part = QUARTER ** (LEVELS[-1] - level)
    if game.mind.ponder:
        return Budget(max(FEWEST, min(FIRST * QUARTER ** (level - 1), most.playouts)), 0)
    if level == LEVELS[-1]:
        more = compute_spare_factor(game, position)
        return Budget(max(FEWEST, int(most.playouts * more)), int(most.nodes * more))
    return Budget(max(FEWEST, most.playouts // part), most.nodes // part if level >= SOLVING else 0)


def make_budget(game: Game, position: Position, level: int) -> Budget:
    """The budget of a level for a move in a match, with its haste."""
    best = make_thorough_budget(game, position, level)
    hastes = 1.0, *HASTES.get(game.key, USUAL_HASTES), 0.0
    glance = FEWEST if game.mind.glimpsed else FIRST
    return best if game.mind.ponder else replace(best, others=False, haste=hastes[level - 1], glance=glance)


def find_highest_level(game: Game, position: Position) -> int:
    """The highest level that differs from the one below it in a match from a position."""
    if not game.mind.ponder:
        return LEVELS[-1]
    most = make_full_budget(game, position).playouts
    return max((level for level in LEVELS if FIRST * QUARTER ** (level - 1) <= most), default=LEVELS[0])
