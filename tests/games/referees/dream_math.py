"""A second referee of Dream Math, as naive as possible and sharing no code with the first."""

from __future__ import annotations

from tests.games.refereed import OfTwo


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, `scores` and `ranks` what stands so far."""

    def __init__(
        self, size: int, variant: str = "dream", gcd2: str = "gcd", gcd3: str = "gcd", other: str = "gcd"
    ) -> None:
        self.size, self.variant = size, variant
        self.chosen = {2: gcd2, 3: gcd3}
        self.other = other
        self.grid: dict[tuple[int, int], int] = {}

    @property
    def to_move(self) -> list[int]:
        if self.left or len(self.grid) == self.size * self.size:
            return []
        return [2 if len(self.grid) % 2 else 1]

    @property
    def legal(self) -> list[str]:
        places = range(self.size)
        return sorted(f"{'abcdefgh'[x]}{y + 1}" for x in places for y in places if (x, y) not in self.grid)

    @property
    def scores(self) -> list[int]:
        places = range(self.size)
        rows = [self.line([self.grid.get((x, y)) for x in places]) for y in places]
        columns = [self.line([self.grid.get((x, y)) for y in places]) for x in places]
        return [sum(rows), sum(columns)]

    def line(self, numbers: list[int | None]) -> int:
        total = 0
        for one, other in zip(numbers, numbers[1:], strict=False):
            if one is not None and other is not None:
                total += self.pair(one, other)
        return total + 5 if self.variant != "simple" and self.is_prime(total) else total

    def pair(self, one: int, other: int) -> int:
        common = max(value for value in range(1, one + 1) if one % value == 0 and other % value == 0)
        if self.variant == "simple":
            return common
        if common == 1:
            return min(one, other)
        match self.chosen.get(common, self.other) if self.variant == "house" else "gcd":
            case "max":
                return max(one, other)
            case "min":
                return min(one, other)
            case "product":
                return one * other
            case "ratio":
                return max(one, other) // min(one, other)
            case "divisors":
                return sum((one + other) % value == 0 for value in range(1, one + other + 1))
            case _:
                return common

    @staticmethod
    def is_prime(value: int) -> bool:
        if value < 2:
            return False
        divisor = 2
        while divisor * divisor <= value:
            if value % divisor == 0:
                return False
            divisor += 1
        return True

    def take(self, seat: int, text: str) -> None:
        self.grid["abcdefgh".index(text[0]), int(text[1:]) - 1] = len(self.grid) + 1
