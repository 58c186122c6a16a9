"""A second referee of Divisors/Multiples Sequence: naive, by the rules as written, without a line of the game's own."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Referee:
    """A match as a list of totals and a set of claimed numbers."""

    r: int
    seats: int
    claimed: set[int] = field(default_factory=lambda: {1})
    here: int = 1
    to_move: int = 1
    gone: list[int] = field(default_factory=list[int])
    totals: dict[int, int] = field(default_factory=dict[int, int])

    def over(self) -> bool:
        return len(self.claimed) == self.r or self.seats - len(self.gone) == 1

    def pass_on(self) -> None:
        while True:
            self.to_move = self.to_move % self.seats + 1
            if self.to_move not in self.gone:
                return

    def leave(self, seat: int) -> None:
        self.gone.append(seat)
        if seat == self.to_move and not self.over():
            self.pass_on()

    def walk(self, steps: list[int]) -> bool:
        """Walk on, if that is legal."""
        cost, at = 0, self.here
        if not 1 <= len(steps) <= 50 or steps[-1] in self.claimed:
            return False
        for step in steps:
            if not 1 <= step <= self.r or step == at or (step % at and at % step):
                return False
            single = step // at if step > at else at // step
            cost += 2 * single if step in self.claimed else single
            at = step
        self.totals[self.to_move] = self.totals.get(self.to_move, 0) + cost
        self.claimed.add(at)
        self.here = at
        if not self.over():
            self.pass_on()
        return True

    def scores(self) -> list[int]:
        return [self.totals.get(seat, 0) for seat in range(1, self.seats + 1)]

    def ranks(self) -> list[int]:
        def worse(one: int, other: int) -> bool:
            if one in self.gone or other in self.gone:
                place = {seat: index for index, seat in enumerate(self.gone)}
                return place.get(one, self.seats) < place.get(other, self.seats)
            return self.scores()[one - 1] > self.scores()[other - 1]

        everybody = range(1, self.seats + 1)
        return [1 + sum(worse(seat, other) for other in everybody) for seat in everybody]
