"""A second referee of Sum Kind Of Game, as naive as possible and sharing no code with the first."""

from __future__ import annotations

from tests.games.refereed import OfTwo


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, `scores` and `ranks` what stands so far."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.grid: dict[str, int] = {}
        half = size * size // 2
        self.up, self.down = list(range(1, half + 1)), list(range(half, 0, -1))

    def squares(self) -> list[list[str]]:
        return [[f"{'abcdefghij'[x]}{y + 1}" for x in range(self.size)] for y in range(self.size)]

    @property
    def to_move(self) -> list[int]:
        if self.left or not self.down:
            return []
        return [1] if len(self.up) == len(self.down) else [2]

    @property
    def legal(self) -> list[str]:
        return sorted(square for row in self.squares() for square in row if square not in self.grid)

    @property
    def scores(self) -> list[int]:
        rows = self.squares()
        return [sum(map(self.worth, rows)), sum(self.worth([row[x] for row in rows]) for x in range(self.size))]

    def worth(self, line: list[str]) -> int:
        there = [square for square in line if square in self.grid]
        return sum(
            any(self.grid[a] + self.grid[b] == self.grid[c] for a in there for b in there if len({a, b, c}) == 3)
            for c in there
        )

    def take(self, seat: int, text: str) -> None:
        self.grid[text] = (self.up if seat == 1 else self.down).pop(0)
