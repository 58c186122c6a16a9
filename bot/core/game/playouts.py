"""The shared tools of several games' minds: random ends of a match, keys of positions, and annealing.

Where a game fills squares, a random end of a match is a random choice of empty squares. It is drawn here at once, and
no move is played. Mirror images of a grid are often worth the same; their common key is the least of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import exp
from typing import TypeVar

from bot.core.game.grids.numbered import Numbered
from bot.core.game.grids.squares import lines
from bot.core.game.mind import Lots

T = TypeVar("T")

# Random ends


FEW = 4
"""Below one square in this many, squares are chosen one by one; otherwise half of all are chosen to begin with."""


def filling(empty: int, wanted: int, lots: Lots) -> int:
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


def filled_up(board: int, squares: int, length: int, lots: Lots) -> int:
    """A bit board with randomly chosen empty squares filled until `length` are."""
    return board | filling((1 << squares) - 1 & ~board, length - board.bit_count(), lots)


def both_ways(board: int, size: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The rows and the columns of a bit board as text, both from the last square on.

    >>> both_ways(0b0111, 2)
    (('01', '11'), ('01', '11'))
    """
    cells = f"{board:0{size * size}b}"
    return lines(cells, size, "row"), lines(cells, size, "column")


def shuffled(items: Sequence[T], lots: Lots) -> list[T]:
    """Some items in a random order, each order as likely as any other."""
    return sorted(items, key=lambda item: lots.random())


def forced(position: Numbered) -> bool:
    """Whether the next number has only one place, so that every end is the same."""
    return len(position.placed) >= position.size**2 - 1


def numbered(position: Numbered, lots: Lots) -> list[int]:
    """The numbers of a full grid, row by row: those that are left stand on the empty squares in any order."""
    placed, squares = position.placed, position.size**2
    taken = set(placed)
    rest = shuffled([square for square in range(squares) if square not in taken], lots)
    cells = [0] * squares
    for square, value in zip((*placed, *rest), position.numbers(), strict=True):
        cells[square] = value
    return cells


# Keys


def ahead(scores: Sequence[int]) -> tuple[int, ...]:
    """By how much the other seats are ahead of the first: the course of a match depends on no more of its scores.

    >>> ahead((5, 7, 4))
    (2, -1)
    """
    first, *others = scores
    return tuple([other - first for other in others])


def least(board: int, size: int) -> str:
    """A key of a bit board that it shares with its mirror images, left to right and upside down.

    >>> least(0b000_000_001, 3) == least(0b001_000_000, 3) == least(0b100_000_000, 3) != least(0b000_000_010, 3)
    True
    """
    squares = size * size
    rows = f"{board:0{squares}b}"
    upended = "".join([rows[start : start + size] for start in range(squares - size, -1, -size)])
    return min(rows, rows[::-1], upended, upended[::-1])


@cache
def mirrors(size: int) -> tuple[bytes, bytes, bytes]:
    """For each mirror image of a grid where its squares go, numbered row by row, as a table for `translate`."""
    grid = [range(start, start + size) for start in range(0, size * size, size)]
    images = [row[::-1] for row in grid], grid[::-1], [row[::-1] for row in grid[::-1]]
    first, second, third = (bytes(square for row in image for square in row).ljust(256, b"\0") for image in images)
    return first, second, third


def least_order(placed: Sequence[int], size: int) -> bytes:
    """A key of squares of a grid, in the order in which they were chosen, that they share with their mirror images.

    >>> least_order((0, 1), 3) == least_order((2, 1), 3) == least_order((8, 7), 3) != least_order((0, 3), 3)
    True
    """
    squares = bytes(placed)
    return min(squares, *map(squares.translate, mirrors(size)))


# Annealing


def temperatures(hot: float, cold: float, unit: float, steps: int) -> Iterator[float]:
    """The temperature of each of `steps` steps of simulated annealing, from hot to cold units by equal ratios.

    >>> list(temperatures(8, 1, 10, 3))
    [40.0, 20.0, 10.0]
    """
    heat, cooling = hot * unit, (cold / hot) ** (1 / max(1, steps))
    for _ in range(steps):
        heat *= cooling
        yield heat


def accepted(loss: float, heat: float, lots: Lots) -> bool:
    """Whether a step of annealing is kept that makes things worse by so much: always where it does not."""
    return loss <= 0 or lots.random() < exp(-loss / heat)
