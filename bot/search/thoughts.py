"""Questions to the search and its answers: frozen values that go to a worker process and back, without the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bot.core.game.mind import Budget
from bot.core.game.position import Position
from bot.core.values.seats import Seat


class Line(NamedTuple):
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
    table: tuple[Line, ...]
    shares: tuple[float, ...] = ()
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """Asks what a seat should play: the game's key, the position as that seat sees it, how much may be looked at, and
    the seed of the lots, which gives the same question the same answer."""

    game: str
    position: Position
    seat: Seat
    budget: Budget
    seed: str


class Failure(NamedTuple):
    """An answer in place of a thought: the error and where it was raised, without anything of the match."""

    what: str
