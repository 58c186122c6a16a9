"""A second referee of Palindromic Rows/Columns, as naive as possible and sharing no code with the first."""

from __future__ import annotations

from itertools import combinations

from tests.games.refereed import OfTwo


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, `scores` and `ranks` what stands so far."""

    lowest_wins = True

    def __init__(self, size: int) -> None:
        self.size = size
        self.filled: set[str] = set()

    @property
    def squares(self) -> list[str]:
        return [f"{column}{row}" for column in "abcdefghijkl"[: self.size] for row in range(1, self.size + 1)]

    @property
    def to_move(self) -> list[int]:
        each = self.size * self.size // 4
        if self.left or len(self.filled) == each + each:
            return []
        return [1 if len(self.filled) % 2 == 0 else 2]

    @property
    def legal(self) -> list[str]:
        return sorted(square for square in self.squares if square not in self.filled)

    @property
    def scores(self) -> list[int]:
        columns = "abcdefghijkl"[: self.size]
        rows = [[f"{column}{row}" in self.filled for column in columns] for row in range(1, self.size + 1)]
        return [sum(map(self.flips, rows)), sum(self.flips([row[place] for row in rows]) for place in range(self.size))]

    @staticmethod
    def flips(line: list[bool]) -> int:
        return sum(line[place] != square for place, square in enumerate(reversed(line))) // 2

    @staticmethod
    def flips_by_search(line: list[bool]) -> int:
        """The same by trying all sets of flips, the small ones first."""
        for count in range(len(line) + 1):
            for chosen in combinations(range(len(line)), count):
                flipped = [square != (place in chosen) for place, square in enumerate(line)]
                if flipped == flipped[::-1]:
                    return count
        raise AssertionError("flipping every filled square makes any line a palindrome")

    def take(self, seat: int, text: str) -> None:
        self.filled.add(text)
