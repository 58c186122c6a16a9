"""A second referee of Palindromes/Antipalindromes, as naive as possible, sharing no code with the first."""

from __future__ import annotations

from tests.games.refereed import OfTwo


def totals(row: list[int | None]) -> list[int]:
    """The lengths of all palindromes and of all antipalindromes of even length, added up, stretch by stretch."""
    found = [0, 0]
    for start in range(len(row)):
        for end in range(start + 2, len(row) + 1, 2):
            stretch = row[start:end]
            if None in stretch:
                continue
            backwards = list(reversed(stretch))
            complement = [None if digit is None else 1 - digit for digit in stretch]
            if backwards == stretch:
                found[0] += len(stretch)
            if backwards == complement:
                found[1] += len(stretch)
    return found


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, sorted as text."""

    def __init__(self, length: int) -> None:
        self.row: list[int | None] = [None] * length
        self.moved: list[int] = []

    @property
    def to_move(self) -> list[int]:
        if self.left or None not in self.row:
            return []
        return [2] if len(self.moved) % 2 else [1]

    @property
    def legal(self) -> list[str]:
        free = [place + 1 for place, digit in enumerate(self.row) if digit is None]
        return sorted(f"{place} {digit}" for place in free for digit in (0, 1))

    @property
    def scores(self) -> list[int]:
        return totals(self.row)

    def take(self, seat: int, text: str) -> None:
        place, digit = map(int, text.split())
        assert self.row[place - 1] is None
        self.row[place - 1] = digit
        self.moved.append(place)
        assert len(set(self.moved)) == len(self.moved)
