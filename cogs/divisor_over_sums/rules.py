"""Divisor Over Sums (Leroy Quet, 2011)

**Example** Between neighbours stands their sum, like 16 for 2 and 14. Blue has the sums in rows, Orange those in
columns. A *divisor* goes into a number without a remainder. Blue chose 4, which divides 16, 16 and 20: 3 × 4 = 12.
Orange chose 3, which divides 6, 12, 18 and 21: 4 × 3 = 12, a draw. Best were 16 for Blue and 17 for Orange.

**Goal** Place numbers so that one large number divides many of your sums.

**A turn** Place the next number, 1, 2, 3 and so on, in an empty square. The first player, Blue, begins. When the grid
is full, Blue chooses a divisor, then Orange. It must divide at least one of your sums.

**Scoring** Your divisor times the number of your sums that it divides. The higher score wins.

**Size** The side of the grid is 3 to 8, usually 4.

**Rulings** Finding a good divisor is part of the game: before you choose, nothing shows what a divisor is worth, and
your score stays 0. When the match is over, the best divisors are shown. In the example the inventor's tip is 29 for
Blue and 31 for Orange.

>>> board = DivisorOverSums.start(DivisorOverSumsOptions(size=4), 2)
>>> for ply, move in enumerate("c1 a3 a2 a4 d3 c4 d2 a1 b1 d1 b2 b4 d4 b3 c3 c2 4 3".split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
   a  b  c  d
1  8  9  1 10
2  3 11 16  7
3  2 14 15  5
4  4 12  6 13
sums in rows: 10 11 14 16 16 17 18 19 20 23 27 29
sums in columns: 5 6 11 12 17 17 18 20 21 25 26 31
player 1 chose 4 and player 2 chose 3
>>> board.scores(), board.ranks()
((12, 12), (1, 1))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Self

from bot.games.grids import SQUARES_LEFT, NumberedGrid, format_board, split_lines
from bot.games.notation import join_items, parse_whole, quote, tidy
from bot.games.options import Options, number_option
from bot.games.position import (
    BOTH,
    Illegal,
    NameSeat,
    Position,
    ScorePart,
    Seat,
    Unreadable,
    expect_turn,
)
from bot.games.wording import Plural, join_words

AXES = ("row", "column")
"""In what the neighbours stand whose sums player 1 and player 2 have."""
RESULT = "In the {axis}s {choice}. In the {others}s {other}."
MOST_NAMED = 6
"""The sentence about a result names the sums that were divided when they are no more than this."""
ALL_SUMS = "sums in {axis}s: {sums}"
FULL = "the grid is full"
THEN_SCORES = "{left}, then you score"
SEVERAL, TWICE, NEW = Plural("{total}", "{total} {number} times"), "{total} twice", "{sum} (new)"
NO_NEW_SUM = "no new sum: the number has no neighbour yet"
NO_DIVISOR = "{divisor} divides none of your sums. Yours are those in {axis}s."


@dataclass(frozen=True, slots=True)
class DivisorOverSumsOptions(Options):
    size: int = number_option(4, 3, 8, "Side of the grid: 3 to 8")


class Sum(NamedTuple):
    """The sum of two neighbours: the column and row of the first, which is at the left or above, and their sum."""

    column: int
    row: int
    total: int


class Worth(NamedTuple):
    """A divisor, the sums it divides, ascending, and whether these are all there are."""

    divisor: int
    divided: tuple[int, ...]
    every: bool

    @property
    def score(self) -> int:
        return self.divisor * len(self.divided)

    @property
    def product(self) -> str:
        """How its score is computed: "3 × 4"."""
        return f"{len(self.divided)} × {self.divisor}"

    def describe_divided(self, most: int) -> str:
        """Which sums it divides, or how many where they are more than `most`: "4 divides 16, 16 and 20"."""
        number = len(self.divided)
        which = f"all {number} sums" if self.every else join_words(self.divided) if number <= most else f"{number} sums"
        return f"{self.divisor} divides {which}"

    def explain(self, most: int) -> str:
        """The same with the score: "4 divides 16, 16 and 20: 3 × 4 = 12"."""
        return f"{self.describe_divided(most)}: {self.product} = {self.score}"

    def __str__(self) -> str:
        return self.explain(len(self.divided))


@lru_cache(maxsize=1024)
def list_divisors(sums: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers that divide at least one of some sums, ascending.

    >>> list_divisors((8, 10))
    (1, 2, 4, 5, 8, 10)
    """
    return tuple(d for d in range(1, max(sums) + 1) if any(total % d == 0 for total in sums))


def weigh(divisor: int, sums: tuple[int, ...]) -> Worth:
    divided = tuple(sorted(total for total in sums if total % divisor == 0))
    return Worth(divisor, divided, len(divided) == len(sums))


@lru_cache(maxsize=1024)
def find_best(sums: tuple[int, ...]) -> tuple[Worth, ...]:
    """The divisors that are worth most over some sums, ascending."""
    worths = [weigh(divisor, sums) for divisor in list_divisors(sums)]
    most = max(worth.score for worth in worths)
    return tuple(worth for worth in worths if worth.score == most)


@dataclass(frozen=True, slots=True)
class DivisorOverSums(NumberedGrid):
    """A grid of `size` × `size` squares; `placed` are those of 1, 2, 3 …, and `chosen` the divisors so far."""

    chosen: tuple[int, ...] = ()

    @classmethod
    def start(cls, options: DivisorOverSumsOptions, seats: int) -> Self:
        return cls(options.size)

    @property
    def turn(self) -> tuple[Seat, ...]:
        if self.withdrawn or len(self.chosen) == len(BOTH):
            return ()
        return (1 + len(self.chosen) if self.is_full else 1 + len(self.placed) % 2,)

    @property
    def progress(self) -> str:
        if not self.turn:
            return ""
        left = SQUARES_LEFT.fill_in(self.size**2 - len(self.placed))
        return FULL if self.is_full else THEN_SCORES.format(left=left)

    @property
    def counts_later(self) -> bool:
        return not self.is_full

    def may_place(self, seat: Seat) -> bool:
        return not self.is_full and seat in self.turn

    def may_choose(self, seat: Seat) -> bool:
        return self.is_full and seat in self.turn

    def sums_of(self, seat: Seat) -> tuple[Sum, ...]:
        """The sums of a seat as far as both numbers are there: row by row, those one above the other likewise."""
        cells, size = self.cells, self.size
        across, down = (1, 0) if seat == 1 else (0, 1)
        pairs = (
            (column, row, cells[row * size + column], cells[(row + down) * size + column + across])
            for row in range(size - down)
            for column in range(size - across)
        )
        return tuple(Sum(column, row, first + second) for column, row, first, second in pairs if first and second)

    def totals_of(self, seat: Seat) -> tuple[int, ...]:
        """The sums of a seat alone."""
        return tuple(found.total for found in self.sums_of(seat))

    def moves(self, seat: Seat) -> Iterator[str]:
        if self.may_choose(seat):
            yield from map(str, list_divisors(self.totals_of(seat)))
        elif self.may_place(seat):
            yield from self.list_empty_squares()

    def read(self, seat: Seat, text: str) -> str:
        folded = tidy(text)
        if self.is_full:
            if folded[0].isalpha() and folded.isascii():
                raise Unreadable(f"{quote(text)} isn't a number. The grid is full, so choose your divisor.")
            return str(parse_whole(folded))
        if folded.isdigit() and folded.isascii():
            raise Unreadable(
                f"{quote(text)} isn't a square. You choose a divisor when the grid is full. For now, place "
                f"{self.find_next_number(seat)} in an empty square."
            )
        return NumberedGrid.read(self, seat, folded)

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        return self._choose_divisor(seat, parse_whole(move)) if self.is_full else self.place_next(seat, move)

    def _choose_divisor(self, seat: Seat, divisor: int) -> Self:
        if not divisor:
            raise Illegal("0 divides nothing. Choose 1 or more.")
        if divisor not in list_divisors(self.totals_of(seat)):
            raise Illegal(NO_DIVISOR.format(divisor=divisor, axis=AXES[seat - 1]))
        return replace(self, chosen=(*self.chosen, divisor))

    def chosen_divisor(self, seat: Seat) -> Worth | None:
        """The divisor that a seat has chosen with what it is worth; None before."""
        return weigh(self.chosen[seat - 1], self.totals_of(seat)) if len(self.chosen) >= seat else None

    def best_divisors(self, seat: Seat) -> tuple[Worth, ...]:
        """The divisors that would have been best for a seat; none before the match is over, or on a grid not full."""
        return find_best(self.totals_of(seat)) if self.is_full and not self.turn else ()

    def scores(self) -> tuple[int, ...]:
        return tuple(choice.score if choice else 0 for choice in map(self.chosen_divisor, BOTH))

    def explain_result(self, name: NameSeat) -> str:
        seat = self.winners[0]
        choice, other = (
            weigh(self.chosen[one - 1], self.totals_of(one)).explain(MOST_NAMED) for one in (seat, 3 - seat)
        )
        return RESULT.format(axis=AXES[seat - 1], choice=choice, others=AXES[2 - seat], other=other)

    def has_score(self, seat: Seat) -> bool:
        return len(self.chosen) >= seat

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        choices = ((seat, self.chosen_divisor(seat)) for seat in BOTH)
        return tuple(
            ScorePart(seat, choice.describe_divided(MOST_NAMED), choice.score, choice.product, key=AXES[seat - 1])
            for seat, choice in choices
            if choice
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        """The sums in which some have come, of a full grid all, sorted."""
        assert isinstance(before, DivisorOverSums)
        grown = [seat for seat in BOTH if self.is_full or self.sums_of(seat) != before.sums_of(seat)]
        sums = (ALL_SUMS.format(axis=AXES[seat - 1], sums=self._tell_sums(before, seat)) for seat in grown)
        return tuple(sums) or (NO_NEW_SUM,)

    def _tell_sums(self, before: DivisorOverSums, seat: Seat) -> str:
        """The sums of a seat, how often each is there, and which have come beside others: "10, 17 twice (new)"."""
        now, old = Counter(self.totals_of(seat)), Counter(before.totals_of(seat))
        told = {
            total: TWICE.format(total=total) if number == 2 else SEVERAL.fill_in(number, total=total)
            for total, number in now.items()
        }
        come = [one for one in now if now[one] > old[one]]
        marked = come if len(come) < len(now) else ()
        return join_words((NEW.format(sum=told[one]) if one in marked else told[one] for one in sorted(now)), ", ")

    def working(self) -> tuple[str, ...]:
        chosen = (self.explain(seat) for seat in BOTH)
        return (*filter(None, chosen), *filter(None, map(self.explain_best, BOTH)))

    def explain(self, seat: Seat) -> str:
        """How a seat's score comes about: "rows: 16 divides 16 and 16: 2 × 16 = 32"; empty before it has chosen."""
        choice = self.chosen_divisor(seat)
        return f"{AXES[seat - 1]}s: {choice}" if choice else ""

    def explain_best(self, seat: Seat) -> str:
        """The best divisors of a seat: "best for rows: 29 divides 29: 1 × 29 = 29"; empty before the end."""
        found = "; ".join(map(str, self.best_divisors(seat)))
        return f"best for {AXES[seat - 1]}s: {found}" if found else ""

    def __str__(self) -> str:
        sums = (
            ALL_SUMS.format(axis=AXES[seat - 1], sums=self._format_sums(seat)) for seat in BOTH if self.sums_of(seat)
        )
        chosen = join_words(f"player {seat} chose {divisor}" for seat, divisor in enumerate(self.chosen, 1))
        return "\n".join([format_board(split_lines(self.cells, self.size, "row")), *sums, *filter(None, [chosen])])

    def _format_sums(self, seat: Seat) -> str:
        return join_items(sorted(self.totals_of(seat)))
