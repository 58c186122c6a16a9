"""Defines `Mind`, hints of a game to the computer opponent for a faster or better search; every one is optional.

A `Mind` is made in ``cogs/<game>/mind.py``, which is as pure as the game's rules, and stands in the game's table. Its
functions draw lots only from the `Lots` they are given: the same question has the same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from typing_extensions import TypeVar as DefaultTypeVar

from bot.core.game.position import Position
from bot.core.values.seats import Seat

P_contra = DefaultTypeVar("P_contra", bound=Position, contravariant=True, default=Position)
T = TypeVar("T")


class Lots(Protocol):
    """The random source: a part of `random.Random`, which is passed in, so that tests can seed it.

    A mind gets one with a seed of the question; the umpire has the machine's (`Umpire.lots`), for commands, too.
    """

    def random(self) -> float:
        """A number from 0 up to 1."""
        ...

    def randrange(self, start: int, stop: int = ...) -> int:
        """A whole number below the only bound, or from the first up to the second."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """A whole number of `k` bits."""
        ...

    def choice(self, seq: Sequence[T]) -> T:
        """One of several."""
        ...

    def shuffle(self, x: list[Any]) -> None:
        """Put a list into any order."""
        ...

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Some different ones of several."""
        ...


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be looked at for one move, never in seconds: the same wherever and whenever it is thought about.

    `playouts` is how many continuations are tried; `nodes` is how many positions may be left to the end of the match
    for all of them to be looked at, so that the move is the best for certain.
    """

    playouts: int
    nodes: int
    others: bool = True
    """Whether, where the best move is certain, nodes that are left are spent on what the other moves are worth."""
    haste: float = 0.0
    """How likely the move is played after a glance, as a person errs now and then."""
    glance: int = 4
    """How many continuations are tried in a glance."""


@dataclass(frozen=True, slots=True)
class Mind(Generic[P_contra]):
    """A game's knowledge for the search.

    Results are a number for each seat: what `scores` gives at the end, or in a game without scores 1 for the seats that
    come first and 0 for the others.
    """

    rollout: Callable[[P_contra, Lots], Sequence[int]] | None = None
    """The results of a random end of the match, faster than by playing moves."""
    key: Callable[[P_contra], Hashable] | None = None
    """What positions of one match have in common whose further course is the same: mirror images, another order of
    moves. None: a position is compared as it is."""
    candidates: Callable[[P_contra, Seat, Lots], Sequence[str]] | None = None
    """Moves worth a thought, all legal, where the rules leave them open or there are very many; never none."""
    glimpsed: Callable[[P_contra, Seat, Lots], Sequence[str]] | None = None
    """Moves that a careless player thinks of, where `candidates` omits those that lose at once: in haste two of them
    are compared."""
    complete: bool = False
    """Whether every position's candidates are the same whatever the lots, and one of them is always a best move: then
    they are all that is looked at where a match is solved. Without it no match is solved whose moves are open."""
    solvable: bool = True
    """Whether the end of a match is solved where it can be: not where moves take long and are nearly always worth the
    same."""
    ordered: bool = False
    """Whether the order of a seat's own moves matters, as where 1, 2, 3 and so on are placed: then two courses of a
    match hardly ever lead to the same position, and more is left of it than where moves can be exchanged."""
    settled: Callable[[P_contra], bool] | None = None
    """Whether a rollout can only end as the best moves do, so that one of them solves what is left of the match."""
    ponder: Callable[[P_contra, Seat, Budget, Lots], str] | None = None
    """A move found in the game's own way, where others' moves hardly matter: no search is made."""
    trust: float = 0.0
    """How far the running result, from 0 to 1, is taken for the result at the end, instead of that of a rollout."""
    lowest_wins: bool = False
    """Whether the lowest score is the best, as in the game's table."""
    wide: bool = False
    """Whether a move that is good in one place is tried early in others, and few of very many moves are tried."""
    room: Callable[[P_contra], int] | None = None
    """The number of places where a move is possible, in a game won by the player who moves last. Then the candidate
    moves of two seats are searched to the end of the match, starting with those that leave the fewest places. A win
    found that way is certain only if no other move is better."""
    effort: Callable[[P_contra], float] = lambda position: 1
    """How much a playout from a position takes, in what it grows with: squares that are left, say. `bot.search.levels`
    has the table that turns this into time."""
