"""What the minds of games on squares share: a random filling at one stroke, and mirror images.

The random end of a filling game is a random choice among the empty squares: it is drawn here without playing any move.
A grid read from its other ends is often worth the same; its key is then the least of its mirror images.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from bot.core.game.mind import Lots

T = TypeVar("T")

FEW = 4
"""Fewer than one square in so many are chosen one by one; otherwise half of all are to begin with."""


def filling(empty: int, wanted: int, lots: Lots) -> int:
    """So many of the squares of a bit board, every choice of them as likely as any other.

    About half of the squares are chosen at once, then single ones are dropped or added, whichever: among choices of
    equally many squares nothing distinguishes one from another.
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


def shuffled(items: Sequence[T], lots: Lots) -> list[T]:
    """Some items in any order, each as likely as any other."""
    return sorted(items, key=lambda item: lots.random())


def numbered(squares: int, placed: Sequence[int], lots: Lots) -> list[int]:
    """The numbers 1, 2, … on the squares that have theirs already, in that order, and then on the others in any."""
    taken = set(placed)
    rest = shuffled([square for square in range(squares) if square not in taken], lots)
    cells = [0] * squares
    for value, square in enumerate((*placed, *rest), 1):
        cells[square] = value
    return cells


def least(board: int, size: int) -> str:
    """What a bit board of a grid and its mirror images have in common, left to right and upside down.

    >>> least(0b000_000_001, 3) == least(0b001_000_000, 3) == least(0b100_000_000, 3) != least(0b000_000_010, 3)
    True
    """
    squares = size * size
    rows = f"{board:0{squares}b}"
    upended = "".join([rows[start : start + size] for start in range(squares - size, -1, -size)])
    return min(rows, rows[::-1], upended, upended[::-1])


@cache
def mirrors(size: int) -> tuple[bytes, bytes, bytes]:
    """Where the squares of a grid, numbered row by row, come to lie in its mirror images, as tables for `translate`."""
    grid = [range(start, start + size) for start in range(0, size * size, size)]
    images = [row[::-1] for row in grid], grid[::-1], [row[::-1] for row in grid[::-1]]
    first, second, third = (bytes(square for row in image for square in row).ljust(256, b"\0") for image in images)
    return first, second, third


def least_order(placed: Sequence[int], size: int) -> bytes:
    """What squares of a grid in the order in which they were chosen have in common with their mirror images.

    >>> least_order((0, 1), 3) == least_order((2, 1), 3) == least_order((8, 7), 3) != least_order((0, 3), 3)
    True
    """
    squares = bytes(placed)
    return min(squares, *map(squares.translate, mirrors(size)))
