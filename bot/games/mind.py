"""`Mind`, a game's hints to the computer opponent, and shared tools for minds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Any, Generic, Protocol, TypeVar

from typing_extensions import TypeVar as DefaultTypeVar

from bot.games.grids import NumberedGrid, split_lines
from bot.games.position import Position, Seat

# The hints, for a faster or better search; all are optional.


P_contra = DefaultTypeVar("P_contra", bound=Position, contravariant=True, default=Position)
T = TypeVar("T")


class RandomSource(Protocol):
    """The random source: a part of `random.Random`, passed in so that tests can seed it.

    A mind gets one with the question's seed; the umpire has the system's (`Umpire.rng`), also for commands.
    """

    def random(self) -> float:
        """A number from 0 up to 1."""
        ...

    def randrange(self, start: int, stop: int = ...) -> int:
        """A whole number below the only bound, or from the first to below the second."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """A whole number of `k` bits."""
        ...

    def choice(self, seq: Sequence[T]) -> T:
        """A random item."""
        ...

    def shuffle(self, x: list[Any]) -> None:
        """Shuffle a list in place."""
        ...

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """`k` distinct items."""
        ...


@dataclass(frozen=True, slots=True)
class Budget:
    """The search effort for one move: not in seconds, so that the result is the same on any machine.

    `playouts` is the number of playouts; `nodes` is the most positions to the end of the match that are searched
    exactly.
    """

    playouts: int
    nodes: int
    others: bool = True
    """Whether nodes left after the best move is certain are spent on the values of other moves."""
    haste: float = 0.0
    """The probability that the move is played after a glance, as human players err now and then."""
    glance: int = 4
    """The number of playouts of a glance."""


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

    Results are a number for each seat: the final score, or in a game without scores 1 for the seats in first place and
    0 for the others.
    """

    rollout: Callable[[P_contra, RandomSource], Sequence[int]] | None = None
    """The results of a random end of the match, faster than by playing moves."""
    key: Callable[[P_contra], Hashable] | None = None
    """A key that equivalent positions of a match share: mirror images, another order of moves. None: positions are
    compared as they are."""
    candidates: Callable[[P_contra, Seat, RandomSource], Sequence[str]] | None = None
    """Candidate moves, all legal, if moves are open or very many; never empty."""
    glimpsed: Callable[[P_contra, Seat, RandomSource], Sequence[str]] | None = None
    """Moves of a careless player, if `candidates` omits those that lose at once: in haste two of them are compared."""
    complete: bool = False
    """Whether candidates do not depend on the random source and always include a best move: then the solver searches
    them alone. Without it, matches with open moves are not solved."""
    solvable: bool = True
    """Whether ends of matches are solved exactly: not if moves are slow and nearly always of equal value."""
    ordered: bool = False
    """Whether the order of a seat's own moves matters, as when 1, 2, 3 and so on are placed: then few move orders lead
    to the same position, and the tree is larger."""
    settled: Callable[[P_contra], bool] | None = None
    """Whether all rollouts end like best play, so that one of them solves the rest of the match."""
    ponder: Callable[[P_contra, Seat, Budget, RandomSource], str] | None = None
    """A move found by the game's own method, without a search, if others' moves hardly matter."""
    trust: float = 0.0
    """The weight of the running result, from 0 to 1, against the result of a rollout."""
    lowest_wins: bool = False
    """Whether the lowest score is the best, as in the game's table."""
    wide: bool = False
    """Whether few of very many moves are tried, first those that did well elsewhere in the tree."""
    open_places: Callable[[P_contra], int] | None = None
    """The number of places where a move is possible, in a game won by the player who moves last. Then the candidate
    moves of two seats are searched to the end of the match, starting with those that leave the fewest places. A win
    found that way is certain only if no other move is better."""
    effort: Callable[[P_contra], float] = lambda position: 1
    """The cost of a playout from a position, in units of the game: empty squares, say."""
    measured: Measured = Measured()


# The shared tools of several games' minds: random ends of a match, keys of positions, and annealing.


# Random ends


FEW = 4
"""Below one square in this many, squares are drawn one by one; otherwise half of all are drawn at first."""


def choose_random_squares(empty: int, wanted: int, rng: RandomSource) -> int:
    """`wanted` squares of a bit board, drawn uniformly at random.

    About half of the squares are drawn at once; then single random ones are dropped or added. No step prefers any
    square, so all choices are equally likely.
    """
    size = empty.bit_length()
    chosen = rng.getrandbits(size) & empty if wanted * FEW >= empty.bit_count() else 0
    count = chosen.bit_count()
    random = rng.random
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


def fill_randomly(board: int, squares: int, length: int, rng: RandomSource) -> int:
    """A bit board with random empty squares filled until `length` squares are."""
    return board | choose_random_squares((1 << squares) - 1 & ~board, length - board.bit_count(), rng)


def both_ways(board: int, size: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows and the columns of a bit board as text, both from the last square backwards.

    >>> both_ways(0b0111, 2)
    (('01', '11'), ('01', '11'))
    """
    cells = f"{board:0{size * size}b}"
    return split_lines(cells, size, "row"), split_lines(cells, size, "column")


def shuffle_items(items: Sequence[T], rng: RandomSource) -> list[T]:
    """The items in a random order, all orders equally likely."""
    return sorted(items, key=lambda item: rng.random())


def is_forced(position: NumberedGrid) -> bool:
    """Whether the next number has only one square, so that all playouts end alike."""
    return len(position.placed) >= position.size**2 - 1


def fill_with_numbers(position: NumberedGrid, rng: RandomSource) -> list[int]:
    """The numbers of a full grid, row by row, with the remaining ones at random on the empty squares."""
    placed, squares = position.placed, position.size**2
    taken = set(placed)
    rest = shuffle_items([square for square in range(squares) if square not in taken], rng)
    cells = [0] * squares
    for square, value in zip((*placed, *rest), position.numbers(), strict=True):
        cells[square] = value
    return cells


# Keys


def compute_leads(scores: Sequence[int]) -> tuple[int, ...]:
    """The leads of the other seats over the first: best play depends on no more of the scores.

    >>> compute_leads((5, 7, 4))
    (2, -1)
    """
    first, *others = scores
    return tuple([other - first for other in others])


def make_mirror_key(board: int, size: int) -> str:
    """A key of a bit board that it shares with its mirror images, left to right and upside down.

    >>> keys = [make_mirror_key(board, 3) for board in (0b000_000_001, 0b001_000_000, 0b100_000_000, 0b000_000_010)]
    >>> keys[0] == keys[1] == keys[2] != keys[3]
    True
    """
    squares = size * size
    rows = f"{board:0{squares}b}"
    upended = "".join([rows[start : start + size] for start in range(squares - size, -1, -size)])
    return min(rows, rows[::-1], upended, upended[::-1])


@cache
def make_mirror_tables(size: int) -> tuple[bytes, bytes, bytes]:
    """For each mirror image of a grid the new index of each square, row by row, as a table for `translate`."""
    grid = [range(start, start + size) for start in range(0, size * size, size)]
    images = [row[::-1] for row in grid], grid[::-1], [row[::-1] for row in grid[::-1]]
    first, second, third = (bytes(square for row in image for square in row).ljust(256, b"\0") for image in images)
    return first, second, third


def make_order_key(placed: Sequence[int], size: int) -> bytes:
    """A key of squares in the order in which they were chosen, equal for mirror images.

    >>> make_order_key((0, 1), 3) == make_order_key((2, 1), 3) == make_order_key((8, 7), 3) != make_order_key((0, 3), 3)
    True
    """
    squares = bytes(placed)
    return min(squares, *map(squares.translate, make_mirror_tables(size)))


# Annealing


def list_temperatures(hot: float, cold: float, unit: float, steps: int) -> Iterator[float]:
    """The temperatures of `steps` steps of simulated annealing, from hot to cold units by equal ratios.

    >>> list(list_temperatures(8, 1, 10, 3))
    [40.0, 20.0, 10.0]
    """
    heat, cooling = hot * unit, (cold / hot) ** (1 / max(1, steps))
    for _ in range(steps):
        heat *= cooling
        yield heat


def accepts_step(loss: float, heat: float, rng: RandomSource) -> bool:
    """Whether a step of annealing that costs `loss` is kept: always if that is not positive."""
    return loss <= 0 or rng.random() < exp(-loss / heat)
