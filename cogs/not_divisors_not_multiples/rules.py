"""(Not)Divisors Or (Not)Multiples (Leroy Quet, 2011)

**Goal** Write the last number. When no other number fits anywhere, the player who moved last wins.

**A turn** Write a whole number from 2 on in an empty square beside another number: left, right, above or below. The
first can be anywhere.

**What fits**
- Side by side, one number must divide the other, like 5 and 15.
- Corner to corner, neither may divide the other, like 10 and 15.

Every neighbour must fit, and no number stands twice.

**Example** The inventor's. After 15 at d1 come 5 at d2, 10 at c2, 2 at c3, 4 at b3, 8 at a3, 6 at c4 and 3 at d4. Now
nothing fits: at c1, 30 would go with 10 and 15, but the 5 over the corner divides it. Player 2 wrote the last number
and wins.

**Size** The side of the grid is 3 to 10, usually 5 for two players, 6 for three or four and 8 for more.

**Rulings** Numbers go up to 9999. Where none of these fits a square, it takes numbers up to 9999 times the smallest
that fits, but never above 1 000 000 000 000 000 000. A square that takes no number is dead. On paper there is no limit;
with a plain one, a large prime would kill all squares around it. `c4 least` writes the smallest number that fits c4.
When somebody leaves, the others go on without them. Of those who stay, everybody but the winner comes second. The
inventor lets any number play; the limit of 8 is ours.

>>> board = NotDivisorsNotMultiples.start(NotDivisorsNotMultiplesOptions(size=4), 2)
>>> moves = "d1 15, d2 5, c2 10, c3 2, b3 4, a3 8, c4 6, d4 3"
>>> for ply, move in enumerate(moves.split(", ")):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
  a b  c  d
1 . .  x 15
2 x x 10  5
3 8 4  2  x
4 x x  6  3
>>> board.scores(), board.ranks()
((0, 0), (2, 1))
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from bot.core.game.grids.squares import names
from bot.core.game.grids.text_boards import text_board
from bot.core.game.notation import Square, grouped, square_and_number, tidy, whole
from bot.core.game.options import Options, number
from bot.core.game.position import Illegal, Position, Suggestion, Unreadable, expect_turn
from bot.core.values.plural import sentences, together
from bot.core.values.seats import Rotating, Seat, ranking
from cogs.not_divisors_not_multiples import fitting
from cogs.not_divisors_not_multiples.fitting import FREE, GREATEST, around, related

ACROSS = "{value} would touch {other} at {place} by a corner, and {low} divides {high}."
LEAST = "least"
"""What stands for the smallest number that fits a square."""


@dataclass(frozen=True, slots=True)
class NotDivisorsNotMultiplesOptions(Options):
    """The grid's side."""

    size: int = number(
        None, 3, 10, "Side of the grid: 3 to 10; normally 5 for two players, 6 for up to four, 8 for more"
    )

    def settle(self, seats: int) -> Self:
        # The inventor: a larger grid for more players.
        return replace(self, size=self.size or (5 if seats == 2 else 6 if seats < 5 else 8))


class Written(NamedTuple):
    """A number that was written: in which square, and by which seat."""

    square: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class NotDivisorsNotMultiples(Rotating, Position):
    """A grid of `size` × `size` numbers, `cells`, row by row, 0 for an empty square; `log` says who wrote them when.

    `leasts` has the smallest number that fits each square, 0 where no number can be written now.
    """

    size: int
    seats: int
    cells: tuple[int, ...]
    leasts: tuple[int, ...]
    log: tuple[Written, ...] = ()
    previous: Seat = 0

    @classmethod
    def start(cls, options: NotDivisorsNotMultiplesOptions, seats: int) -> Self:
        """The empty grid, on which 2 is the smallest number for every square."""
        squares = options.size**2
        return cls(options.size, seats, (0,) * squares, (2,) * squares)

    @property
    def stuck(self) -> bool:
        """Whether no number can be written anywhere."""
        return not any(self.leasts)

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.deserted or self.stuck else (self.mover,)

    def open_to(self, seat: Seat) -> bool:
        return True

    def open_squares(self) -> Iterator[int]:
        """The squares that a number can be written into."""
        return (index for index, least in enumerate(self.leasts) if least)

    def dead_squares(self) -> Iterator[int]:
        """The empty squares beside a number that no number fits."""
        return (index for index, least in enumerate(self.leasts) if not least and self._reachable(index))

    def _reachable(self, index: int) -> bool:
        return not self.cells[index] and (not self.log or bool(self.beside(index)))

    def beside(self, index: int) -> dict[int, int]:
        """The numbers over a square's sides, with where they are."""
        return {self.cells[other]: other for other in around(self.size)[index].beside if self.cells[other]}

    def across(self, index: int) -> dict[int, int]:
        """The numbers over a square's corners, with where they are."""
        return {self.cells[other]: other for other in around(self.size)[index].across if self.cells[other]}

    def fitting(self, index: int, digits: str = "") -> Iterator[int]:
        """The numbers that may be written into a square now and begin with some digits; without any, ascending."""
        if least := self.leasts[index]:
            written = self.beside(index), self.across(index), frozenset(self.cells)
            yield from fitting.ascending(*written, fitting.most(least), digits)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            for index in self.open_squares():
                yield from (f"{self.name(index)} {value}" for value in self.fitting(index))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Squares, each with the word for its smallest number, until one is whole; then the numbers that fit it."""
        if seat not in self.turn:
            return iter(())
        head, _, tail = typed.lower().rpartition(" ")
        try:
            square = Square.parse(head, self.size, self.size)
        except Unreadable:
            return self._suggest_squares(typed.lower().replace(" ", "").replace("-", ""))
        return self._suggest_numbers(square, tail)

    def _suggest_squares(self, typed: str) -> Iterator[Suggestion]:
        for index in self.open_squares():
            if self.name(index).startswith(typed):
                yield Suggestion(f"{self.name(index)} {LEAST}", f"from {self.leasts[index]}")

    def _suggest_numbers(self, square: Square, typed: str) -> Iterator[Suggestion]:
        # The notes say how each number goes with those beside its square.
        index = square.ordinal(self.size)
        smallest, beside = self.leasts[index], sorted(self.beside(index))
        if smallest and LEAST.startswith(typed):
            yield Suggestion(f"{square} {LEAST}", f"{smallest}, the smallest that fits")
        for value in self.fitting(index, typed):
            yield Suggestion(f"{square} {value}", " · ".join(relation(value, other) for other in beside))

    def read(self, seat: Seat, text: str) -> str:
        square, value = square_and_number(tidy(text), self.size, self.size)
        return f"{square} {self._value(square.ordinal(self.size), value)}"

    def _value(self, index: int, text: str) -> int:
        # The number that a text means for a square.
        if text != LEAST:
            return whole(text)
        if not self.leasts[index]:
            self._expect_writable(index)
            raise Illegal(f"{self.explain(index)}. So it has no smallest number.")
        return self.leasts[index]

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        square, text = square_and_number(move, self.size, self.size)
        index = square.ordinal(self.size)
        value = self._value(index, text)
        self._check(index, value)
        cells = (*self.cells[:index], value, *self.cells[index + 1 :])
        after = replace(self, cells=cells, log=(*self.log, Written(index, seat)), previous=seat)
        stale = self._touched(index, value) if self.log else set(range(len(cells)))
        leasts = tuple(after._least(at) if at in stale else least for at, least in enumerate(self.leasts))
        return replace(after, leasts=leasts)

    def _touched(self, index: int, value: int) -> set[int]:
        # The squares whose smallest number may be another once a value is written into a square.
        others = around(self.size)[index]
        return {index, *others.beside, *others.across, *(at for at, least in enumerate(self.leasts) if least == value)}

    def _least(self, index: int) -> int:
        if self.cells[index] or not self.beside(index):
            return 0
        return fitting.least(self.beside(index), tuple(self.across(index)), frozenset(self.cells)) or 0

    def _check(self, index: int, value: int) -> None:
        # Raise `Illegal` with the rule that forbids a value in a square.
        self._expect_writable(index)
        if value < 2:
            raise Illegal(sentences(f"You can't write {value}, because numbers start at 2.", self._hint(index)))
        if value in self.cells:
            where = self.name(self.cells.index(value))
            raise Illegal(sentences(f"{value} is already at {where}, and no number comes twice.", self._hint(index)))
        for other, at in self.beside(index).items():
            if not related(value, other):
                facts = f"{value} would be next to {other} at {self.name(at)}, and neither divides the other."
                raise Illegal(sentences(facts, self._hint(index)))
        for other, at in self.across(index).items():
            if related(value, other):
                low, high = sorted((value, other))
                facts = {"value": value, "other": other, "place": self.name(at), "low": low, "high": high}
                raise Illegal(sentences(ACROSS.format(**facts), self._hint(index)))
        if value > self._most(index):
            raise Illegal(sentences(f"{value} is too large.", self._bound(index), self._hint(index)))

    def _most(self, index: int) -> int:
        return fitting.most(self.leasts[index] or GREATEST)

    def _bound(self, index: int) -> str:
        # How large a number may be in a square, and why.
        most = self._most(index)
        if most == FREE:
            return f"A number above {FREE} is allowed only where no smaller one fits."
        if most == GREATEST:
            return "No number can be above 10^18."
        return f"{self.name(index)} takes numbers up to {most}, which is {FREE} times the smallest that fits."

    def _expect_writable(self, index: int) -> None:
        if held := self.cells[index]:
            raise Illegal(f"{self.name(index)} already holds {held}. Choose an empty square.")
        if not self._reachable(index):
            raise Illegal(f"{self.name(index)} isn't beside a number. Choose a square that is.")

    def _hint(self, index: int) -> str:
        # What would be legal.
        if not self.leasts[index]:
            return f"No number fits {self.name(index)} any more."
        return f"The smallest number that fits {self.name(index)} is {self.leasts[index]}."

    def name(self, index: int) -> str:
        """A square as notation writes it."""
        return names(self.size)[index]

    def scores(self) -> tuple[int, ...]:
        return (0,) * self.seats

    def ranks(self) -> tuple[int, ...] | None:
        if self.turn:
            return None
        # The last move ends the match, so the seat that made it is still there.
        return ranking([seat == self.previous for seat in range(1, self.seats + 1)], self.withdrawn)

    def working(self) -> tuple[str, ...]:
        return (*self.verdict(), *map(self.explain, self.dead_squares()))

    def news(self, before: Position) -> tuple[str, ...]:
        """Without squares that were dead before: that another neighbour gives another reason is no news."""
        assert isinstance(before, NotDivisorsNotMultiples)
        dead = {*before.dead_squares()}
        return (*self.verdict(), *(self.explain(index) for index in self.dead_squares() if index not in dead))

    def verdict(self) -> tuple[str, ...]:
        """Who moved last, in a line, when no number can be written any more."""
        if not self.stuck:
            return ()
        square, seat = self.log[-1]
        return (f"player {seat} wrote the last number, {grouped(self.cells[square])} at {self.name(square)}",)

    def blockers(self, index: int) -> tuple[int, ...]:
        """The squares over corners of a dead square whose number divides all common multiples of those beside it."""
        low = math.lcm(*self.beside(index))
        return tuple(at for other, at in self.across(index).items() if low % other == 0)

    def explain(self, index: int) -> str:
        """Why a square is dead: "d3 is dead: 10 at c2 divides every common multiple of 2, 3 and 5, and …"."""
        beside, square = [grouped(one) for one in sorted(self.beside(index))], self.name(index)
        for blocker in self.blockers(index):
            parts = {"blocker": grouped(self.cells[blocker]), "place": self.name(blocker), "beside": together(beside)}
            return fitting.BLOCKED.of(len(beside), square=square, **parts)
        return fitting.TOO_LARGE.of(len(beside), square=square, beside=together(beside))

    def __str__(self) -> str:
        dead = set(self.dead_squares())
        marks = tuple(
            str(value) if value else "x" if at in dead else "+" if self.leasts[at] else "."
            for at, value in enumerate(self.cells)
        )
        rows = (marks[first : first + self.size] for first in range(0, len(marks), self.size))
        return text_board(tuple(rows), even=False)


def relation(value: int, other: int) -> str:
    """How a number goes with one beside it.

    >>> relation(12, 4), relation(12, 24)
    ('4 × 3', '24 ÷ 2')
    """
    return f"{other} × {value // other}" if value % other == 0 else f"{other} ÷ {other // value}"
