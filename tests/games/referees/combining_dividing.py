"""A second referee of Combining And Dividing Integers, as naive as possible, sharing no code: they must agree."""

from __future__ import annotations

from functools import cache

from tests.games.refereed import InTurn

MOST = 5000


@cache
def factors(number: int) -> tuple[int, ...]:
    """The divisors of a number but 1."""
    small = [other for other in range(1, int(number**0.5) + 2) if number % other == 0]
    return tuple(sorted({*small, *(number // other for other in small)} - {1}))


def prime(number: int) -> bool:
    return factors(number) == (number,)


@cache
def products(number: int) -> int:
    """In how many ways a number is a product of numbers greater than 1, in order; one number alone counts too."""
    return 1 if number == 1 else sum(products(number // first) for first in factors(number))


def written(number: int) -> list[list[int]]:
    """All these ways."""
    if number == 1:
        return [[]]
    return [[first, *rest] for first in factors(number) for rest in written(number // first)]


class Referee(InTurn):
    """One match, withdrawals and all: `legal` are the moves of the one `to_move`, None if they are too many."""

    def __init__(self, length: int, largest: int, limit: int, seats: int) -> None:
        super().__init__(seats)
        self.length, self.largest, self.limit = length, largest, limit
        self.row: list[int] = []
        self.full, self.rewritten = False, 0
        self.won = 0

    @property
    def legal(self) -> list[str] | None:
        if not self.full:
            return sorted(map(str, range(1, self.largest + 1))) if self.largest <= MOST else None
        many = len(self.row) - 1 + sum(products(number) - 1 for number in self.row if number > 1)
        if many > MOST:
            return None
        moves = [f"add {place}" for place in range(1, len(self.row))]
        for place, number in enumerate(self.row, 1):
            moves += [f"split {place} {' '.join(map(str, way))}" for way in written(number) if len(way) > 1]
        return sorted(moves)

    @property
    def to_move(self) -> list[int]:
        over = self.won or self.rewritten == self.limit or len(self.gone) + 1 >= self.seats
        return [] if over else [self.next]

    @property
    def ranks(self) -> list[int] | None:
        if self.to_move:
            return None
        staying = [seat for seat in range(1, self.seats + 1) if seat not in self.gone]
        best = [self.won] if self.won else staying
        ranks = {seat: 1 if seat in best else 2 for seat in staying}
        ranks |= {seat: self.seats - place for place, seat in enumerate(self.gone)}
        return [ranks[seat] for seat in range(1, self.seats + 1)]

    def move(self, text: str) -> None:
        if not self.full:
            self.row.append(int(text))
            self.full = len(self.row) == self.length
        else:
            self.rewrite(text.split())
        self.pass_on()

    def rewrite(self, words: list[str]) -> None:
        place = int(words[1]) - 1
        if words[0] == "add":
            self.row[place : place + 2] = [self.row[place] + self.row[place + 1]]
        else:
            self.row[place : place + 1] = map(int, words[2:])
        self.rewritten += 1
        if all(map(prime, self.row)):
            self.won = self.next
