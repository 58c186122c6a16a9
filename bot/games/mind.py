"""What a game tells the computer of itself, and the tools that several games use for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Any, Generic, Protocol, TypeVar

from typing_extensions import TypeVar as DefaultTypeVar

from bot.games.grids import NumberedGrid, split_lines
from bot.games.position import Position, Seat

# Defines `Mind`, hints of a game to the computer opponent for a faster or better search; every one is optional.


P_contra = DefaultTypeVar("P_contra", bound=Position, contravariant=True, default=Position)
T = TypeVar("T")


class RandomSource(Protocol):
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
class Measured:
    """What `python -m tests.arena` has measured of a game, from which `bot.engine.levels` makes the levels. A new game
    does without: the usual figures are of one whose playouts are quick."""

    playouts: int = 4_096
    nodes: int = 10_000
    """What the highest level may look at for a move on the usual board, as in `Budget`. Its slowest move takes 2 to 3.5
    seconds of processor, and on the largest board no more than 4, as `--slowest` measures."""
    playout_effort: float = 1
    """How much of the mind's `effort` counts as one playout. `--playouts` measures it, at the usual and at the largest
    options. On usual boards a playout takes 0.04 to 0.4 ms (of combining-dividing, 1.6, of not-divisors-not-multiples,
    0.7), on the largest as many times that as its weight says."""
    spare_power: int = 1
    """The power of the time saved by which more is looked at on lighter boards: 2 where so few moves are worth a
    thought there that the ends of most playouts have been seen before."""
    hastes: tuple[float, float, float, float] = (0.7, 0.54, 0.37, 0.2)
    """How likely levels 2 to 5 play in haste. `--lost 16 --fit` measures what they lose in haste and without, and says
    which hastes make the steps even; the usual ones are of games without small boards that can be solved."""
    lost_by_lot: float | None = None
    """How much the first level loses late in matches, beside moves by lot. `--by-lot` measures it. None for games
    without points, where scores are products, where ends are not solved, and where levels lose much the same so late,
    as in Binary Scramble."""


@dataclass(frozen=True, slots=True)
class Mind(Generic[P_contra]):
    """A game's knowledge for the search.

    Results are a number for each seat: what `scores` gives at the end, or in a game without scores 1 for the seats that
    come first and 0 for the others.
    """

    rollout: Callable[[P_contra, RandomSource], Sequence[int]] | None = None
    """The results of a random end of the match, faster than by playing moves."""
    key: Callable[[P_contra], Hashable] | None = None
    """What positions of one match have in common whose further course is the same: mirror images, another order of
    moves. None: a position is compared as it is."""
    candidates: Callable[[P_contra, Seat, RandomSource], Sequence[str]] | None = None
    """Moves worth a thought, all legal, where the rules leave them open or there are very many; never none."""
    glimpsed: Callable[[P_contra, Seat, RandomSource], Sequence[str]] | None = None
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
    ponder: Callable[[P_contra, Seat, Budget, RandomSource], str] | None = None
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
    """How much a playout from a position takes, in what it grows with: squares that are left, say."""
    measured: Measured = Measured()


# The shared tools of several games' minds: random ends of a match, keys of positions, and annealing.


# Random ends


FEW = 4
"""Below one square in this many, squares are chosen one by one; otherwise half of all are chosen to begin with."""


def choose_random_squares(empty: int, wanted: int, lots: RandomSource) -> int:
    """`wanted` squares of a bit board, drawn uniformly at random.

    About half of the squares are chosen at once; then single ones, drawn by lot, are dropped or added. No step prefers
    any square, so no choice of that many is likelier than another.
    """
    size = empty.bit_length()
    chosen = lots.getrandbits(size) & empty if wanted * FEW >= empty.bit_count() else 0
    count = chosen.bit_count()
    random = lots.random
    while count > wanted:
        bit = 1 << int(random() * size)
        if chosen & bit:
            chosen ^= bit
            count -= 1
    while count < wanted:
        bit = 1 << int(random() * size)
        if empty & ~chosen & bit:
            chosen |= bit
            count += 1
    return chosen


def fill_randomly(board: int, squares: int, length: int, lots: RandomSource) -> int:
    """A bit board with randomly chosen empty squares filled until `length` are."""
    return board | choose_random_squares((1 << squares) - 1 & ~board, length - board.bit_count(), lots)


def both_ways(board: int, size: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows and the columns of a bit board as text, both from the last square on.

    >>> both_ways(0b0111, 2)
    (('01', '11'), ('01', '11'))
    """
    cells = f"{board:0{size * size}b}"
    return split_lines(cells, size, "row"), split_lines(cells, size, "column")


def shuffle_items(items: Sequence[T], lots: RandomSource) -> list[T]:
    """Some items in a random order, each order as likely as any other."""
    return sorted(items, key=lambda item: lots.random())


def is_forced(position: NumberedGrid) -> bool:
    """Whether the next number has only one place, so that every end is the same."""
    return len(position.placed) >= position.size**2 - 1


def fill_with_numbers(position: NumberedGrid, lots: RandomSource) -> list[int]:
    """The numbers of a full grid, row by row: those that are left stand on the empty squares in any order."""
    placed, squares = position.placed, position.size**2
    taken = set(placed)
    rest = shuffle_items([square for square in range(squares) if square not in taken], lots)
    cells = [0] * squares
    for square, value in zip((*placed, *rest), position.numbers(), strict=True):
        cells[square] = value
    return cells


# Keys


def compute_leads(scores: Sequence[int]) -> tuple[int, ...]:
    """By how much the other seats are ahead of the first: the course of a match depends on no more of its scores.

    >>> compute_leads((5, 7, 4))
    (2, -1)
    """
    first, *others = scores
    return tuple([other - first for other in others])


def make_mirror_key(board: int, size: int) -> str:
    """A key of a bit board that it shares with its mirror images, left to right and upside down.

    >>> make_mirror_key(0b000_000_001, 3) == make_mirror_key(0b001_000_000, 3) == make_mirror_key(0b100_000_000, 3) != make_mirror_key(0b000_000_010, 3)
    True
    """
    squares = size * size
    rows = f"{board:0{squares}b}"
    upended = "".join([rows[start : start + size] for start in range(squares - size, -1, -size)])
    return min(rows, rows[::-1], upended, upended[::-1])


@cache
def make_mirror_tables(size: int) -> tuple[bytes, bytes, bytes]:
    """For each mirror image of a grid where its squares go, numbered row by row, as a table for `translate`."""
    grid = [range(start, start + size) for start in range(0, size * size, size)]
    images = [row[::-1] for row in grid], grid[::-1], [row[::-1] for row in grid[::-1]]
    first, second, third = (bytes(square for row in image for square in row).ljust(256, b"\0") for image in images)
    return first, second, third


def make_order_key(placed: Sequence[int], size: int) -> bytes:
    """A key of squares of a grid, in the order in which they were chosen, that they share with their mirror images.

    >>> make_order_key((0, 1), 3) == make_order_key((2, 1), 3) == make_order_key((8, 7), 3) != make_order_key((0, 3), 3)
    True
    """
    squares = bytes(placed)
    return min(squares, *map(squares.translate, make_mirror_tables(size)))


# Annealing


def list_temperatures(hot: float, cold: float, unit: float, steps: int) -> Iterator[float]:
    """The temperature of each of `steps` steps of simulated annealing, from hot to cold units by equal ratios.

    >>> list(list_temperatures(8, 1, 10, 3))
    [40.0, 20.0, 10.0]
    """
    heat, cooling = hot * unit, (cold / hot) ** (1 / max(1, steps))
    for _ in range(steps):
        heat *= cooling
        yield heat


def accepts_step(loss: float, heat: float, lots: RandomSource) -> bool:
    """Whether a step of annealing is kept that makes things worse by so much: always where it does not."""
    return loss <= 0 or lots.random() < exp(-loss / heat)
