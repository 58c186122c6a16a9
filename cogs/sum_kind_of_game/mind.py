"""What helps the computer play Sum Kind Of Game: neither the order of the rows nor that of the columns matters."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.grids import list_square_names, split_lines
from bot.games.mind import Measured, Mind, RandomSource, fill_with_numbers, is_forced
from bot.games.position import Seat
from cogs.sum_kind_of_game.rules import SumKindOfGame


def count_sums(line: Sequence[int]) -> int:
    """How many squares of a full line are sums of two others.

    >>> count_sums((2, 8, 5, 3)), count_sums((4, 8, 4, 1))
    (2, 1)
    """
    present = twice = 0
    for value in line:
        bit = 1 << value
        if present & bit:
            twice |= bit << value
        present |= bit
    made = twice
    for value in line:
        made |= (present & ~(1 << value)) << value
    return sum([made >> value & 1 for value in line])


def _roll_out(position: SumKindOfGame, rng: RandomSource) -> tuple[int, int]:
    """The scores when the remaining numbers stand on the empty squares in any order."""
    size, cells = position.size, fill_with_numbers(position, rng)
    return sum(map(count_sums, split_lines(cells, size, "row"))), sum(
        map(count_sums, split_lines(cells, size, "column"))
    )


def _position_key(position: SumKindOfGame) -> bytes:
    """Where the numbers stand, with rows and columns in the order in which they got their first."""
    size = position.size
    rows: dict[int, int] = {}
    columns: dict[int, int] = {}
    return bytes(
        [
            rows.setdefault(square // size, len(rows)) * size + columns.setdefault(square % size, len(columns))
            for square in position.placed
        ]
    )


def _list_candidates(position: SumKindOfGame, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """The empty squares, of equals in rows or columns without any number as yet only one; the first move at random."""
    size, placed = position.size, frozenset(position.placed)
    if not placed:
        return [rng.choice(list_square_names(size))]
    rows, columns = {square // size for square in placed}, {square % size for square in placed}
    found = {
        (square // size if square // size in rows else -1, square % size if square % size in columns else -1): square
        for square in range(size**2 - 1, -1, -1)
        if square not in placed
    }
    named = list_square_names(size)
    return [named[square] for square in found.values()]


def _estimate_effort(position: SumKindOfGame) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[SumKindOfGame] = Mind(
    rollout=_roll_out,
    key=_position_key,
    candidates=_list_candidates,
    complete=True,
    ordered=True,
    settled=is_forced,
    trust=0.5,
    effort=_estimate_effort,
    measured=Measured(
        playouts=20_000,
        nodes=60_000,
        playout_effort=36,  # squares
        hastes=(0.62, 0.54, 0.46, 0.2),
        lost_by_lot=0.58,
    ),
)
