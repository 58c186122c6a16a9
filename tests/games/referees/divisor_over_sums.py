"""A second referee of Divisor Over Sums, as naive as possible and sharing no code with the first."""

from __future__ import annotations

from tests.games.refereed import OfTwo


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, `scores` and `ranks` what stands so far."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.grid = [[0] * size for _ in range(size)]
        self.count = 0
        self.divisors: list[int] = []

    @property
    def placing(self) -> bool:
        return any(0 in row for row in self.grid)

    @property
    def to_move(self) -> list[int]:
        if self.left or len(self.divisors) == 2:
            return []
        if self.placing:
            return [1 if self.count % 2 == 0 else 2]
        return [len(self.divisors) + 1]

    def sums(self, seat: int) -> list[int]:
        lines = self.grid if seat == 1 else [list(column) for column in zip(*self.grid, strict=True)]
        return [line[i] + line[i + 1] for line in lines for i in range(self.size - 1)]

    @property
    def legal(self) -> list[str]:
        if self.placing:
            return sorted(
                f"{'abcdefgh'[x]}{y + 1}" for y, row in enumerate(self.grid) for x, there in enumerate(row) if not there
            )
        sums = self.sums(self.to_move[0])
        return sorted(str(d) for d in range(1, 1000) if any(total % d == 0 for total in sums))

    def worth(self, seat: int, d: int) -> int:
        return sum(d for total in self.sums(seat) if total % d == 0)

    @property
    def scores(self) -> list[int]:
        chosen = [self.worth(seat, d) for seat, d in enumerate(self.divisors, 1)]
        return (chosen + [0, 0])[:2]

    def take(self, seat: int, text: str) -> None:
        if self.placing:
            self.count += 1
            self.grid[int(text[1]) - 1]["abcdefgh".index(text[0])] = self.count
        else:
            self.divisors.append(int(text))
