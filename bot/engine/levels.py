"""Questions to the engine, its answers, and how much each level looks at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.games.game import Game
from bot.games.legs import Legs, get_single_game
from bot.games.mind import Budget
from bot.games.position import LEVELS, Position, Seat

# Questions to the search and its answers: frozen values that go to a worker process and back, without the search.


class MoveLine(NamedTuple):
    """A move that was thought about: by how much its seat would be ahead at the end, and how often it was tried."""

    move: str
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class Thought:
    """What a search has found for a seat.

    `value` is by how much the seat is expected to lead the best other at the end; `chance` is its share of the match,
    from 0 (lost) to 1 (won). `exact`: both are certain if nobody errs. `table` has the moves looked at, the best first.
    `shares` has the share of every seat, in order, once the move is played. `nodes` is how many positions were looked
    at to solve it.
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
    """Asks what a seat should play: the game's key, the position as that seat sees it, how much may be looked at, and
    the seed of the lots, which gives the same question the same answer."""

    game: str
    position: Position
    seat: Seat
    budget: Budget
    seed: str


class SearchFailure(NamedTuple):
    """An answer in place of a thought: the error and where it was raised, without anything of the match."""

    what: str


# The levels: how much the computer looks at for a move, and how often it plays one in haste.


QUARTER = 4
"""How many times as much each level looks at as the one below it."""
FIRST = 4
"""How many continuations the first level tries, and the others in haste."""
FEWEST = 2
SOLVING = 3
"""From this level on what is left of a match is solved where it can be, when a level does its best."""
MOST = 4096
"""The most playouts of usual length for a move outside of the levels: about a second."""

MORE = 3
"""The most times more that the highest level searches on lighter boards, before the `spare_power`."""


def estimate_playout_cost(game: Game, position: Position) -> float:
    """How many times as long a playout takes as at the beginning on the usual board.

    Of two legs the one counts that takes longer: the computer thinks about one at a time.
    """
    if isinstance(position, Legs):
        return max(estimate_playout_cost(get_single_game(game), leg) for _, leg in position.numbered_legs)
    return game.mind.effort(position) / game.mind.measured.playout_effort


def compute_divisor(game: Game, position: Position) -> int:
    """The divisor of the number of playouts, as each takes this many times as long."""
    return max(1, round(estimate_playout_cost(game, position)))


def compute_spare_factor(game: Game, position: Position) -> float:
    """How many times as much can be looked at in the same time: on small boards, and where little is left."""
    return (1 / min(1, max(1 / MORE, estimate_playout_cost(game, position)))) ** game.mind.measured.spare_power


def make_full_budget(game: Game, position: Position) -> Budget:
    """What the highest level may look at for a move in a position."""
    heavy, most = compute_divisor(game, position), game.mind.measured
    return Budget(max(FEWEST, most.playouts // heavy), most.nodes // heavy)


def make_thorough_budget(game: Game, position: Position, level: int) -> Budget:
    """What a level may look at for a move, where it is to do its best with that."""
    most = make_full_budget(game, position)
    part = QUARTER ** (LEVELS[-1] - level)
    if game.mind.ponder:
        return Budget(max(FEWEST, min(FIRST * QUARTER ** (level - 1), most.playouts)), 0)
    if level == LEVELS[-1]:
        more = compute_spare_factor(game, position)
        return Budget(max(FEWEST, int(most.playouts * more)), int(most.nodes * more))
    return Budget(max(FEWEST, most.playouts // part), most.nodes // part if level >= SOLVING else 0)


def make_budget(game: Game, position: Position, level: int) -> Budget:
    """What a level that plays with people may look at for a move, and how likely it is hasty."""
    best = make_thorough_budget(game, position, level)
    hastes = 1.0, *game.mind.measured.hastes, 0.0
    glance = FEWEST if game.mind.glimpsed else FIRST
    return best if game.mind.ponder else replace(best, others=False, haste=hastes[level - 1], glance=glance)


def find_highest_level(game: Game, position: Position) -> int:
    """The highest level that differs from the one below it, in a match that begins with a position."""
    if not game.mind.ponder:
        return LEVELS[-1]
    most = make_full_budget(game, position).playouts
    return max((level for level in LEVELS if FIRST * QUARTER ** (level - 1) <= most), default=LEVELS[0])
