"""A second referee of Sum Of Products, as naive as possible and sharing no code with the first."""

from __future__ import annotations

from tests.games.refereed import OfTwo


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, `scores` and `ranks` what stands so far."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.grid = [[0] * size for _ in range(size)]
        self.written = 0

    @property
    def to_move(self) -> list[int]:
        if self.left or self.written == self.size * self.size:
            return []
        return [1 if self.written % 2 == 0 else 2]

    @property
    def legal(self) -> list[str]:
        return sorted(
            f"{'abcdefghi'[x]}{y + 1} {value}"
            for y, row in enumerate(self.grid)
            for x, there in enumerate(row)
            if there == 0
            for value in range(1, self.size + 1)
        )

    @property
    def scores(self) -> list[int]:
        columns = [[row[x] for row in self.grid] for x in range(self.size)]
        return [sum(map(self.worth, self.grid)), sum(map(self.worth, columns))]

    @staticmethod
    def worth(line: list[int]) -> int:
        product, value = 1, 1
        while value in line:
            product *= sum(other == value for other in line)
            value += 1
        return product

    def take(self, seat: int, text: str) -> None:
        square, value = text.split()
        self.grid[int(square[1]) - 1]["abcdefghi".index(square[0])] = int(value)
        self.written += 1
