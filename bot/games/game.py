"""`Game`, the table that describes a game to the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple

from typing_extensions import TypeVar

from bot.games.mind import Mind
from bot.games.moves import MoveKind
from bot.games.options import BadOptions, Options, spell_value
from bot.games.position import Position, Seat
from bot.games.wording import Plural

if TYPE_CHECKING:
    from rendering.shapes import Picture


# The advantage of a seat on a board, shown with challenges. Its measurement: docs/fairness.md.


SWAPPED = "Everybody plays both roles equally often, so it's fair."
BEGUN = "Everybody starts equally many rounds, so it's fair."
HALF = (
    "When the computer plays itself here, thinking as hard as level {level}, the player who starts wins about half the "
    "time."
)
OFTEN = (
    "When the computer plays itself here, thinking as hard as level {level}, the player who starts wins about "
    "{percent} % of the time."
)


class WinShare(NamedTuple):
    """The wins of seat 1 in 100 matches of the computer against itself: lower and upper bound; a tie counts half."""

    level: int
    low: int
    high: int


def describe_swapped_roles(options: object, seats: int) -> str:
    """The `seat_advantage` of a game in which the seats swap their roles."""
    return SWAPPED


def describe_margin(margin: int) -> str:
    """The sentence for an exact value: seat 1's final margin under best play."""
    if not margin:
        return "With best play, this board is a draw."
    if margin > 0:
        return f"With best play, the first player wins by {margin} on this board."
    return f"With best play, the second player wins by {-margin} on this board."


def describe_share(found: WinShare) -> str:
    """The sentence for self-play. It rounds the middle of the wide interval to 5 %."""
    if found.low <= 50 <= found.high:
        return HALF.format(level=found.level)
    return OFTEN.format(level=found.level, percent=5 * round((found.low + found.high) / 10))


def describe_edge(value: object, exact: Mapping[int, int], shares: Mapping[int, WinShare]) -> str | None:
    """The sentence for a board by its size; None without data."""
    if not isinstance(value, int):
        return None
    if value in exact:
        return describe_margin(exact[value])
    return describe_share(shares[value]) if value in shares else None


def make_edge_by_board(
    option: str, exact: Mapping[int, int] = {}, shares: Mapping[int, WinShare] = {}
) -> Callable[[object, int], str | None]:
    """The `seat_advantage` of a game whose boards differ in one option, for two seats.

    Both tables are by the option's value. `exact`: the final lead of seat 1 under best play. `shares`: how often seat 1
    wins when the computer plays itself, for boards on which a higher level does not change that.
    """

    def edge(options: object, seats: int) -> str | None:
        return describe_edge(getattr(options, option), exact, shares) if seats == 2 else None

    return edge


# The table itself. To learn what a game consists of, begin here.


def draw_nothing(position: Position) -> tuple[Picture, ...]:
    """The pictures of a game that has rules but no picture yet, and is not offered."""
    return ()


def show_move(seat: Seat, move: str) -> str | None:
    """The veil of a game without secrets: all seats see the move itself."""
    return move


def give_no_note(options: Options, seats: int) -> str | None:
    """The `challenge_note` and `seat_advantage` of a game without any."""
    return None


P_co = TypeVar("P_co", bound=Position, covariant=True, default=Position)
O_co = TypeVar("O_co", bound=Options, covariant=True, default=Options)


Difficulty = Literal[1, 2, 3]
"""How hard a first match is to play well: 1 is easy, 3 takes some study."""


@dataclass(frozen=True, slots=True)
class Game(Generic[P_co, O_co]):
    """All that the rest of the program knows about a game.

    `Game[Plexus, PlexusOptions]` is typed by the game's positions and options; a plain `Game` is any game.
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
    pictures: Callable[[P_co], tuple[Picture, ...]] = draw_nothing
    sketch: Callable[[P_co, Seat, str, Mapping[str, str]], tuple[Picture, ...]] | None = None
    """The pictures for entering a kind of move, given by name, with the partial move marked on them. It gets the
    complete values of parts by name, of a list the items chosen so far. None: squares are framed on the first
    picture."""
    plies: int = 0
    """About how many moves a match with the usual options takes."""
    minutes: int = 0
    """About how many minutes a match takes if all players are present."""
    difficulty: Difficulty = 2
    quick_start: bool = False
    """Whether this is the first *Quick game* that a person gets; the others follow by difficulty."""
    sides: tuple[str, ...] = ()
    """What each seat scores ("columns", "rows"), if seats differ."""
    extra_moves: tuple[str, ...] = ()
    """First words of moves that `play` accepts beyond `moves()`: undoing, several squares at once."""
    veil: Callable[[Seat, str], str | None] = show_move
    """The part of a move that the other seats see: the move, a word ("curve"), or None."""
    challenge_note: Callable[[O_co, int], str | None] = give_no_note
    """A remark on the options, shown with a challenge."""
    seat_advantage: Callable[[O_co, int], str | None] = give_no_note
    """A sentence on the seat that a board favours, if known; for challenges, and for all boards in docs/fairness.md."""
    scored: bool = True
    """Whether there are scores; in a game without them all are 0, and only ranks count."""
    lowest_wins: bool = False
    """Whether the lowest score is the best."""
    wins: str = ""
    """What wins, for the headline of a match that is played, where that is not the highest score so far."""
    unit: Plural | None = None
    """What a score counts, where less is better and `sides` do not say it: "19 segments"."""
    inventor: str = "Leroy Quet"
    """Whose game it is; the first line of the rules says so, too."""
    mind: Mind[P_co] = Mind()  # pyright: ignore[reportAssignmentType]
    """Hints to the computer opponent: evaluation, candidate moves, rollouts."""
    products: bool = False
    """Whether scores are products, so that changes are shown as factors."""
    lopsided: bool = False
    """Whether one of two seats has such an advantage that two legs are the default for two players."""
    weekend_boards: tuple[O_co, ...] = ()
    """The options of boards that all try alone, as the daily puzzle of a weekend."""
    example: Callable[[], P_co] | None = None
    """The position of the rules page's example, if it is not that of a recorded match."""
    single: Game | None = None
    """Of a game in two legs: the game itself."""
    version: int = 1
    """Raised when a change alters the result of any recorded match."""

    @property
    def secret(self) -> bool:
        """Whether players have views of their own, with hidden information."""
        return self.veil is not show_move

    def configure(self, given: Mapping[str, object], seats: object) -> O_co:
        """Validated options for a match with this number of seats; raises `BadOptions`."""
        if type(seats) is not int or seats not in self.seats:
            low, high = self.seats[0], self.seats[-1]
            players = f"{low} players" if low == high else f"{low} to {high} players"
            raise BadOptions(f"{self.title} is for {players}, not {spell_value(seats)}.")
        return self.Options.read(given, seats)
