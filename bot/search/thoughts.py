"""What is asked of the search, and what it answers: frozen values that go to another process and back."""

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

    `value` is by how much the seat is ahead of the best other at the end, as far as was seen; `chance` is its share of
    the match, from 0 (lost) to 1 (won). `exact`: both hold for certain, if nobody errs. `table` has the moves looked
    at, the best first. `shares` is the share of every seat, in order, when the move is played.
    """

    move: str
    value: float
    chance: float
    exact: bool
    table: tuple[Line, ...]
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is to play: a game by its key, the position as that seat sees it, how much may be looked at, and what
    the lots are drawn from, so that the same question has the same answer."""

    game: str
    position: Position
    seat: Seat
    budget: Budget
    seed: str


class Failure(NamedTuple):
    """What is answered in place of a thought: which error came up, and where in the program, without what is played."""

    what: str
