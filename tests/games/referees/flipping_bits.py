"""A second referee of Flipping Bits, as naive as possible and sharing no code with the first: they must agree."""

from __future__ import annotations

from itertools import product


def lonely(row: tuple[int, ...]) -> int | None:
    """The place, from 1, of the square that all the others differ from."""
    for place, digit in enumerate(row):
        if digit not in row[:place] + row[place + 1 :]:
            return place + 1
    return None


class Referee:
    """One match, withdrawals and all: `legal` are the moves of the one `to_move`, sorted as text."""

    def __init__(self, squares: int, rounds: int, seats: int) -> None:
        self.squares, self.rounds, self.seats = squares, rounds, seats
        self.points = dict.fromkeys(range(1, seats + 1), 0)
        self.gone: list[int] = []
        self.next = 1
        self.played = 0
        self.again()

    def again(self) -> None:
        """A round begins."""
        self.row = tuple(1 - place % 2 for place in range(self.squares))
        self.history = {self.row}
        self.began: int | None = None

    @property
    def to_move(self) -> list[int]:
        return [] if self.played == self.rounds or len(self.gone) >= self.seats - 1 else [self.next]

    def changes(self, row: tuple[int, ...]) -> list[int]:
        return [place + 1 for place in range(self.squares) if row[place] != self.row[place]]

    @property
    def legal(self) -> list[str]:
        near = [self.row[:at] + (1 - self.row[at],) + self.row[at + 1 :] for at in range(self.squares)]
        new = [row for row in near if row not in self.history]
        if not new:
            every = [row for row in product((0, 1), repeat=self.squares) if row not in self.history]
            least = min(len(self.changes(row)) for row in every)
            new = [row for row in every if len(self.changes(row)) == least]
        return sorted(" ".join(map(str, self.changes(row))) for row in new)

    @property
    def ranks(self) -> list[int] | None:
        if self.to_move:
            return None
        stay = sorted((seat for seat in self.points if seat not in self.gone), key=lambda seat: -self.points[seat])
        places = {seat: 1 + sum(self.points[other] > self.points[seat] for other in stay) for seat in stay}
        for place, seat in enumerate(reversed(self.gone)):
            places[seat] = len(stay) + 1 + place
        return [places[seat] for seat in self.points]

    def after(self, seat: int) -> int:
        """The seat whose turn follows that of another."""
        for _ in range(self.seats):
            seat = seat % self.seats + 1
            if seat not in self.gone:
                break
        return seat

    def leave(self, seat: int) -> None:
        self.gone.append(seat)
        if seat == self.next:
            self.next = self.after(seat)

    def move(self, text: str) -> None:
        assert text in self.legal
        places = [int(item) - 1 for item in text.split()]
        self.row = tuple(1 - digit if place in places else digit for place, digit in enumerate(self.row))
        self.history.add(self.row)
        self.began = self.began or self.next
        if place := lonely(self.row):
            self.points[self.next] += place
            self.played += 1
            self.next = self.after(self.began)
            if self.played < self.rounds:
                self.again()
        else:
            self.next = self.after(self.next)
