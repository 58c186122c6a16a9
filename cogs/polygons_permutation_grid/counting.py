"""How many triangles and how many other polygons a permutation of dots cuts out, without finding where they lie.

Between two neighbouring rows and two neighbouring columns runs at most one segment of each kind. So they cross there at
most once, each segment is crossed in the order of rows or columns, and signs of whole numbers tell everything.
`polygons` finds the same by fractions, several times as slowly.

Crossings cut a segment into pieces, numbered on from its upper end where it joins rows and from its left end where it
joins columns. Piece p has two ways along it: 2p onwards, and 2p + 1 back.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan2

_angle = lru_cache(maxsize=1 << 12)(atan2)


@lru_cache(maxsize=1 << 12)
def counted(columns: tuple[int, ...]) -> tuple[int, int]:
    """The triangles and the other polygons, when in row r the dot is in column `columns[r]`.

    >>> counted((0, 1, 3, 2))
    (1, 0)
    """
    following, straight, outside = _Drawing(columns).joined()
    triangles = regions = 0
    way = outside
    while following[way] >= 0:
        following[way], way = -1, following[way]
    for start, after in enumerate(following):
        if after >= 0:
            corners, way = 0, start
            while following[way] >= 0:
                corners += way not in straight
                following[way], way = -1, following[way]
            regions += 1
            triangles += corners == 3
    return triangles, regions - triangles


class _Drawing:
    """The segments of a permutation: for each row but the last, and for each column, its first and its last piece."""

    def __init__(self, columns: Sequence[int]) -> None:
        self.columns, self.rows = columns, sorted(range(len(columns)), key=columns.__getitem__)
        self.size, self.pieces = len(columns), 0
        self.met: list[list[tuple[int, int]]] = [[] for _ in columns]
        """The pieces that end on each column's segment, from above, and how far across their segments lead."""
        self.along_rows = [self._downwards(row) for row in range(self.size - 1)]
        self.along_columns = [self._across(column) for column in range(self.size - 1)]

    def _downwards(self, row: int) -> tuple[int, int]:
        # Seen from a column's segment, where the other is at its two ends tells whether they cross.
        column, other, first = self.columns[row], self.columns[row + 1], self.pieces
        across, rows = other - column, self.rows
        for at in range(column, other) if across > 0 else range(column - 1, other - 1, -1):
            left = (row - rows[at]) * across + at - column
            right = (row - rows[at + 1]) * across + at + 1 - column
            if left * right < 0:
                self.met[at].append((self.pieces, across))
                self.pieces += 1
        self.pieces += 1
        return first, self.pieces - 1

    def _across(self, column: int) -> tuple[int, int]:
        # One that lies on a row's segment is not drawn.
        if abs(self.rows[column + 1] - self.rows[column]) == 1:
            return -1, -1
        first = self.pieces
        self.pieces += len(self.met[column]) + 1
        return first, self.pieces - 1

    def joined(self) -> tuple[list[int], set[int], int]:
        """The next way about the region beside each way, the ways behind which there is no corner, and one outside."""
        following, straight = [-1] * (2 * self.pieces), set[int]()
        for column, (piece, _) in enumerate(self.along_columns):
            if piece >= 0:
                self._cross(column, 2 * piece, following)
        outside = -1
        for row, column in enumerate(self.columns):
            around = self._around(row, column)
            last = around[-1]
            for each in around:
                following[each[3] ^ 1] = last[3]
                if each[1] == -last[1] and each[2] == -last[2]:
                    straight.add(each[3] ^ 1)
                last = each
            if not column:
                outside = around[0][3] ^ 1
        return following, straight, outside

    def _cross(self, column: int, way: int, following: list[int]) -> None:
        # The ways in the order in which they leave a crossing; one that arrives goes on along the one before its own.
        down = self.rows[column + 1] - self.rows[column]
        for piece, across in self.met[column][:: 1 if down > 0 else -1]:
            back, on = 2 * piece + 1, 2 * piece + 2
            one, other = (way + 2, way + 1) if (across > 0) == (down > 0) else (way + 1, way + 2)
            following[on ^ 1], following[one ^ 1], following[back ^ 1], following[other ^ 1] = other, on, one, back
            way += 2

    def _around(self, row: int, column: int) -> list[tuple[float, int, int, int]]:
        """The ways from a dot by their angles, each with how far across and down it leads."""
        found: list[tuple[float, int, int, int]] = []
        columns, rows, last = self.columns, self.rows, self.size - 1
        if row:
            across = columns[row - 1] - column
            found.append((_angle(-1, across), across, -1, 2 * self.along_rows[row - 1][1] + 1))
        if row < last:
            across = columns[row + 1] - column
            found.append((_angle(1, across), across, 1, 2 * self.along_rows[row][0]))
        if column and self.along_columns[column - 1][1] >= 0:
            down = rows[column - 1] - row
            found.append((_angle(down, -1), -1, down, 2 * self.along_columns[column - 1][1] + 1))
        if column < last and self.along_columns[column][0] >= 0:
            down = rows[column + 1] - row
            found.append((_angle(down, 1), 1, down, 2 * self.along_columns[column][0]))
        return sorted(found)
