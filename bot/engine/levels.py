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

MORE = 3
"""The greatest factor by which the highest level searches more on lighter boards, before the `spare_power`."""


def estimate_playout_cost(game: Game, position: Position) -> float:
    """The cost of a playout relative to one from the start on the usual board.

    Of two legs the one counts that takes longer: the computer thinks about one at a time.
    """
    if isinstance(position, Legs):
        return max(estimate_playout_cost(get_single_game(game), leg) for _, leg in position.numbered_legs)
    return game.mind.effort(position) / game.mind.measured.playout_effort


def compute_divisor(game: Game, position: Position) -> int:
    """The divisor of the number of playouts on boards where each takes longer."""
    return max(1, round(estimate_playout_cost(game, position)))


def compute_spare_factor(game: Game, position: Position) -> float:
    """How many times as much fits into the same time on small boards and near the end."""
    return (1 / min(1, max(1 / MORE, estimate_playout_cost(game, position)))) ** game.mind.measured.spare_power


def make_full_budget(game: Game, position: Position) -> Budget:
    """The budget of the highest level for a move in a position."""
    heavy, most = compute_divisor(game, position), game.mind.measured
    return Budget(max(FEWEST, most.playouts // heavy), most.nodes // heavy)


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
    hastes = 1.0, *game.mind.measured.hastes, 0.0
    glance = FEWEST if game.mind.glimpsed else FIRST
    return best if game.mind.ponder else replace(best, others=False, haste=hastes[level - 1], glance=glance)


def find_highest_level(game: Game, position: Position) -> int:
    """The highest level that differs from the one below it in a match from a position."""
    if not game.mind.ponder:
        return LEVELS[-1]
    most = make_full_budget(game, position).playouts
    return max((level for level in LEVELS if FIRST * QUARTER ** (level - 1) <= most), default=LEVELS[0])
