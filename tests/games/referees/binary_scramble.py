"""A second referee of Binary Scramble, as naive as possible and sharing no code with the first: they must agree."""

from __future__ import annotations

from tests.games.refereed import InTurn


def run_lengths(digits: list[int]) -> dict[int, int]:
    """How many runs there are of each length."""
    counts: dict[int, int] = {}
    length = 0
    for place, digit in enumerate(digits):
        length += 1
        if place == len(digits) - 1 or digits[place + 1] != digit:
            counts[length] = counts.get(length, 0) + 1
            length = 0
    return counts


class Referee(InTurn):
    """One match, withdrawals and all: `legal` are the moves of the one `to_move`, `points` the scores so far."""

    def __init__(self, length: int, target: int, seats: int) -> None:
        super().__init__(seats)
        self.length, self.target = length, target
        self.row: list[int] = []
        self.history: list[list[int]] = []
        self.points = dict.fromkeys(range(1, seats + 1), 0)

    def after_flip(self, place: int) -> list[int]:
        row = list(self.row)
        row[place] = 1 - row[place]
        return row

    @property
    def legal(self) -> list[str]:
        if len(self.row) < self.length:
            return ["0", "1"]
        return sorted(
            str(place + 1) for place in range(self.length) if all(self.after_flip(place) != old for old in self.history)
        )

    @property
    def to_move(self) -> list[int]:
        alone = len(self.gone) + 1 >= self.seats
        won = any(points >= self.target for points in self.points.values())
        return [] if alone or won or not self.legal else [self.next]

    @property
    def ranks(self) -> list[int] | None:
        if self.to_move:
            return None
        # Better is: staying before leaving, leaving late before leaving early, then points.
        better = {
            seat: (-1 if seat in self.gone else 0, self.gone.index(seat), 0)
            if seat in self.gone
            else (0, 0, self.points[seat])
            for seat in self.points
        }
        return [1 + sum(other > better[seat] for other in better.values()) for seat in self.points]

    @property
    def scores(self) -> list[int]:
        return [*self.points.values()]

    def move(self, seat: int, text: str) -> None:
        if text in ("resign", "timeout"):
            self.leave(seat)
            return
        assert seat == self.next and text in self.legal
        if len(self.row) < self.length:
            self.row = [*self.row, int(text)]
            if len(self.row) == self.length:
                self.history.append(self.row)
        else:
            self.row = self.after_flip(int(text) - 1)
            if any(run_lengths(old) == run_lengths(self.row) for old in self.history):
                self.points[self.next] += 1
            self.history.append(self.row)
        self.pass_on()
