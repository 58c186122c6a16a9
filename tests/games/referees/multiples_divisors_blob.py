"""A second referee of Multiples/Divisors Blob, as naive as possible and sharing no code with the first."""

from __future__ import annotations

from tests.games.refereed import OfTwo


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, `scores` and `ranks` what stands so far."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.filled: set[tuple[int, int]] = set()

    @property
    def to_move(self) -> list[int]:
        each = self.size * self.size // 4
        if self.left or len(self.filled) == each + each:
            return []
        return [1 if len(self.filled) % 2 == 0 else 2]

    @property
    def legal(self) -> list[str]:
        found: list[str] = []
        for x in range(self.size):
            for y in range(self.size):
                beside = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} & self.filled
                if (x, y) not in self.filled and (beside or not self.filled):
                    found.append(f"{'abcdefghijklmnop'[x]}{y + 1}")
        return sorted(found)

    @property
    def scores(self) -> list[int]:
        places = range(self.size)
        rows = [[(x, y) in self.filled for x in places] for y in places]
        columns = [[(x, y) in self.filled for y in places] for x in places]
        return [sum(self.point(line) for line in lines) for lines in (rows, columns)]

    @staticmethod
    def runs(line: list[bool]) -> list[int]:
        lengths = [1]
        for before, square in zip(line, line[1:], strict=False):
            if square == before:
                lengths[-1] += 1
            else:
                lengths.append(1)
        return lengths

    @classmethod
    def point(cls, line: list[bool]) -> bool:
        lengths = cls.runs(line)
        return all(one % other == 0 or other % one == 0 for one in lengths for other in lengths)

    def take(self, seat: int, text: str) -> None:
        self.filled.add((ord(text[0]) - ord("a"), int(text[1:]) - 1))
