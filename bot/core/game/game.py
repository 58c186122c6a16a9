"""Defines `Game`, the table in which a game tells the program all about itself: read this page before any other.

A game of Graph Paper is a folder in ``cogs/`` whose ``__init__.py`` holds a `Game`, a frozen table of everything the
rest of the program may know about it. The table names a function that starts a `Position` (``position.py``). Nothing
here, or in any game's rules, waits, reads a clock, draws lots or knows of Discord.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Literal

from typing_extensions import TypeVar

from bot.core.game.mind import Mind
from bot.core.game.moves import MoveKind
from bot.core.game.options import BadOptions, Options, spelled
from bot.core.game.position import Position
from bot.core.values.seats import Seat

if TYPE_CHECKING:
    from rendering.shapes import Picture


def undrawn(position: Position) -> tuple[Picture, ...]:
    """The pictures of a game that has rules but no picture yet; such a game is not offered to users."""
    return ()


def unveiled(seat: Seat, move: str) -> str | None:
    """The veil of a game without secrets: everybody learns the move itself."""
    return move


def unadvised(options: Options, seats: int) -> str | None:
    """The advice of a game in which every choice of options is as good as another."""
    return None


P_co = TypeVar("P_co", bound=Position, covariant=True, default=Position)
O_co = TypeVar("O_co", bound=Options, covariant=True, default=Options)


Difficulty = Literal[1, 2, 3]
"""How hard it is to play a first match well: 1 is easy to begin with, 3 takes some study."""


@dataclass(frozen=True, slots=True)
class Game(Generic[P_co, O_co]):
    """The front page of a game: everything that the rest of the program may know about it.

    All of a table is about one kind of position and of options: `Game[Plexus, PlexusOptions]`. A `Game` alone is any;
    its functions are given what its own matches hold.
    """

    key: str
    title: str
    year: int
    goal: str
    seats: range
    Options: type[O_co]
    start: Callable[[O_co, int], P_co]
    rules: str | None
    """The rules text that players read, ending in a doctest: the docstring of the game's rules."""
    moves: tuple[MoveKind[P_co], ...]
    pictures: Callable[[P_co], tuple[Picture, ...]] = undrawn
    sketch: Callable[[P_co, Seat, str, Mapping[str, str]], tuple[Picture, ...]] | None = None
    """The pictures that a seat needs for a kind of move, by its name, with the partial move marked on them. It gets
    the whole values of parts by their names, of a list the items chosen so far. None where squares are framed on the
    first picture."""
    plies: int = 0
    """About how many moves a match with the usual options takes."""
    minutes: int = 0
    """About how long people at one table take for a match, in minutes."""
    difficulty: Difficulty = 2
    sides: tuple[str, ...] = ()
    """What each seat counts ("columns", "rows"), where seats differ."""
    also: tuple[str, ...] = ()
    """First words of moves that `play` accepts beyond `moves()`: undoing, several squares at once."""
    veil: Callable[[Seat, str], str | None] = unveiled
    """The part of a move that the other seats see: the move, a word ("curve"), or None."""
    advice: Callable[[O_co, int], str | None] = unadvised
    """A remark shown with a challenge; it refuses nothing."""
    edge: Callable[[O_co, int], str | None] = unadvised
    """A sentence on the seat that a board favours, if known; for challenges, and for all boards in docs/fairness.md."""
    scored: bool = True
    """Whether there are scores; in a game without them all are nought, and only the ranks count."""
    decided: str = ""
    """Why a match without scores is over when a player has won by the rules, as a sentence."""
    lowest_wins: bool = False
    """Whether the lowest score is the best."""
    mind: Mind[P_co] = Mind()  # pyright: ignore[reportAssignmentType]
    """What helps the computer to play well: evaluation, candidate moves, rollouts."""
    products: bool = False
    """Whether scores are products, so that a change is shown as its factors."""
    lopsided: bool = False
    """Whether one of two seats is so much better off that two people usually play it in two legs."""
    example: Callable[[], P_co] | None = None
    """The position of the rules page's example where no match comes to it; else the one of the match marked so."""
    once: Game | None = None
    """Of the table of a game in two legs: that of the game itself."""
    version: int = 1
    """Raised when a change alters the result of any recorded match."""

    INVENTOR: ClassVar[str] = "Leroy Quet"

    @property
    def secret(self) -> bool:
        """Whether players see what others do not: then each has a board of their own."""
        return self.veil is not unveiled

    def configure(self, given: Mapping[str, object], seats: object) -> O_co:
        """Validated options for a match with this number of seats; raises `BadOptions`."""
        if type(seats) is not int or seats not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            players = f"{low} players" if low == high else f"{low} to {high} players"
            raise BadOptions(f"{self.title} is for {players}, not {spelled(seats)}.")
        return self.Options.read(given, seats)
