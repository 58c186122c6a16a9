"""What helps the computer play Palindromic Rows/Columns: the grid consists of independent blocks of four squares.

A square, its mirror images in its row and in its column, and the one opposite make a block, which alone decides two
flips in rows and two in columns. On a middle line squares make pairs instead. So a position is worth what its blocks
are, wherever they lie, and equal squares of equal blocks are equally good.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from bot.games.grids import list_square_names
from bot.games.mind import Measured, Mind, RandomSource, both_ways, fill_randomly, shuffle_items
from bot.games.position import Seat
from cogs.palindromic_rows_columns.rules import PalindromicRowsColumns, find_differing_pairs


class Block(NamedTuple):
    """Four squares by their numbers, of which some are the same in a middle line; `sort` says in which."""

    corner: int
    beside: int
    below: int
    opposite: int
    sort: int


SAME = (((0,), (1,), (2,), (3,)), ((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 1, 2, 3),))
"""Which of a block's places are one square: by sort, which is none, the middle column, the middle row, the centre."""


@cache
def _list_blocks(size: int) -> tuple[Block, ...]:
    last, half = size - 1, range((size + 1) // 2)
    return tuple(
        Block(
            row * size + column,
            row * size + last - column,
            (last - row) * size + column,
            (last - row) * size + last - column,
            2 * (2 * row == last) + (2 * column == last),
        )
        for row, column in product(half, half)
    )


@cache
def _kind_of_block(held: str) -> int:
    """A block ("1" for a filled square, else "0") as a number that is the same for its mirror images."""
    images = held, held[1] + held[0] + held[3] + held[2]
    return max(int(image, 2) for one in images for image in (one, one[2:] + one[:2]))


@cache
def _distinct_places(held: str, sort: int) -> tuple[int, ...]:
    """Places in a block, one for each different block that results from filling one."""
    after = {
        _kind_of_block("".join("1" if place in same else one for place, one in enumerate(held))): same[0]
        for same in SAME[sort]
        if held[same[0]] == "0"
    }
    return tuple(after.values())


def _mirrored_cells(board: int, size: int) -> str:
    """The squares from the last on: each stands in its opposite's place, which leaves blocks as they are."""
    return f"{board:0{size**2}b}"


def _roll_out(position: PalindromicRowsColumns, rng: RandomSource) -> tuple[int, int]:
    """The flips when random squares have been filled; it does not matter by which seat."""
    size = position.size
    # A line takes as many flips from either end.
    rows, columns = both_ways(fill_randomly(position.board, size**2, position.length, rng), size)
    return sum(map(_count_flips, rows)), sum(map(_count_flips, columns))


@cache
def _count_flips(line: str) -> int:
    return len(find_differing_pairs(line))


def _position_key(position: PalindromicRowsColumns) -> bytes:
    cells = _mirrored_cells(position.board, position.size)
    return bytes(
        sorted(
            [
                sort << 4 | _kind_of_block(cells[corner] + cells[beside] + cells[below] + cells[opposite])
                for corner, beside, below, opposite, sort in _list_blocks(position.size)
            ]
        )
    )


def _list_candidates(position: PalindromicRowsColumns, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """The first square of all that make the same of the same, and on the empty grid any of them."""
    cells, named = _mirrored_cells(position.board, position.size)[::-1], list_square_names(position.size)
    found: dict[tuple[int, int], list[str]] = {}
    blocks = _list_blocks(position.size)
    for block in blocks if position.plies else shuffle_items(blocks, rng):
        corner, beside, below, opposite, sort = block
        held = cells[corner] + cells[beside] + cells[below] + cells[opposite]
        if (sort, _kind_of_block(held)) not in found:
            found[sort, _kind_of_block(held)] = [named[block[place]] for place in _distinct_places(held, sort)]
    return [name for each in found.values() for name in each]


def _estimate_effort(position: PalindromicRowsColumns) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[PalindromicRowsColumns] = Mind(
    rollout=_roll_out,
    key=_position_key,
    candidates=_list_candidates,
    complete=True,
    lowest_wins=True,
    effort=_estimate_effort,
    measured=Measured(
        playouts=18_000,
        nodes=30_000,
        playout_effort=49,  # squares
        hastes=(0.77, 0.58, 0.4, 0.2),
        lost_by_lot=0.67,
    ),
)
