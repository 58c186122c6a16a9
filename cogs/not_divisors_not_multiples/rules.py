"""(Not)Divisors Or (Not)Multiples (Leroy Quet, 2011)

**Example** This is the inventor's example. Side by side, one number *divides* the other without a remainder: 5 divides
10 and 15, as the arrows show. Corner to corner, neither does: 10 and 15. Orange wrote 3 at d4, and now nothing fits. At
c1, 30 would go with 10 and 15, but the 5 at its corner divides it. So Orange wins.

**Goal** Write the last number: when no other fits anywhere, you win.

**A turn** Write a whole number, 2 or more, that is not there yet, in an empty square beside another number: left,
right, above or below. The first can be anywhere. It must fit every neighbour:
- Side by side, one number must divide the other. Next to 6: 2, 3, 12 or 18. Not 4 or 5.
- Corner to corner, neither may divide the other. At a corner of 6: 4 or 5. Not 2, 3, 12 or 18.

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
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import NamedTuple, Self

from bot.games.grids import format_board, list_square_names
from bot.games.notation import Square, group_digits, parse_square_and_number, parse_whole, tidy
from bot.games.options import Options, number_option
from bot.games.position import (
    Illegal,
    NameSeat,
    Position,
    RotatingSeats,
    Seat,
    Suggestion,
    Unreadable,
    expect_turn,
    rank_seats,
)
from bot.games.primes import LARGE, divisors, is_prime
from bot.games.wording import Plural, join_sentences, join_words

# Finds the numbers that fit a square, exactly, and never by trying numbers one by one.


FREE = 9999
"""Up to this any number that fits may be written; where the smallest is above it, any up to this many times that."""
GREATEST = 10**18
"""No number is greater."""
KEPT = 16384
"""The size of the cache of the least fitting number by the numbers around a square, without regard to used ones: on
small boards a search meets the same few sets again and again, and used numbers seldom matter."""
FACTORS_ABOVE = 1000
"""Some multiple of the lcm by a factor below this fits above the numbers beside a square, if any does."""
BLOCKED = Plural(
    "{square} is dead: {blocker} at {place} divides every multiple of {beside}, and no smaller number fits",
    "{square} is dead: {blocker} at {place} divides every common multiple of {beside}, and no smaller number fits",
)
TOO_LARGE = Plural(
    "{square} is dead: every multiple of {beside} that fits is more than 10^18, and no smaller number fits",
    "{square} is dead: every common multiple of {beside} that fits is more than 10^18, and no smaller number fits",
)
"""Why no number fits a square, by how many numbers are beside it."""
SQUARES_OPEN = Plural("1 square open", "{number} squares open")
"""The squares that a number can be written into now, and what they are for."""
SIDES = ((0, -1), (-1, 0), (1, 0), (0, 1))
CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Where the squares over a side and over a corner lie: columns to the right, rows down."""


class Around(NamedTuple):
    """The squares over the sides of a square, and those over its corners."""

    beside: tuple[int, ...]
    across: tuple[int, ...]


@cache
def squares_around(size: int) -> tuple[Around, ...]:
    """For each square of a grid the squares around it."""

    def reached(index: int, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        row, column = divmod(index, size)
        places = ((column + right, row + down) for right, down in steps)
        return tuple(y * size + x for x, y in places if 0 <= x < size and 0 <= y < size)

    return tuple(Around(reached(index, SIDES), reached(index, CORNERS)) for index in range(size**2))


def are_related(one: int, other: int) -> bool:
    """Whether one of two numbers divides the other.

    >>> are_related(3, 6), are_related(6, 3), are_related(4, 6)
    (True, True, False)
    """
    return one % other == 0 or other % one == 0


def fits(number: int, beside: Collection[int], across: Collection[int], used: Collection[int]) -> bool:
    """Whether a number fits a square, however large it is."""
    return (
        number > 1
        and all(are_related(number, other) for other in beside)
        and not any(are_related(number, other) for other in across)
        and number not in used
    )


def least_fitting(beside: Collection[int], across: Collection[int], used: Collection[int]) -> int | None:
    """The smallest number up to 10^18 that fits a square, by the numbers beside it and across from it.

    >>> least_fitting((4, 6), (), {4, 6}), least_fitting((4, 6), (2,), {4, 6, 2})
    (2, None)
    >>> least_fitting((16, 8), (12,), {16, 8, 12})
    32
    """
    found = _cached_least(frozenset(beside), frozenset(across))
    return _find_least(beside, across, used) if found in used else found


@lru_cache(maxsize=KEPT)
def _cached_least(beside: frozenset[int], across: frozenset[int]) -> int | None:
    return _find_least(beside, across, beside)


def _find_least(beside: Collection[int], across: Collection[int], used: Collection[int]) -> int | None:
    ordered = sorted(beside)
    for gap in range(len(ordered)):
        low, high = math.lcm(*ordered[:gap]), math.gcd(*ordered[gap:])
        found = _least_between(low, high, across, used) if high % low == 0 else None
        if found:
            return found
    return _least_above(math.lcm(*ordered), across, used)


def greatest_allowed(smallest: int) -> int:
    """The greatest number that may be written into a square, by the smallest that fits it.

    >>> greatest_allowed(2), greatest_allowed(29919), greatest_allowed(10**17)
    (9999, 299160081, 1000000000000000000)
    """
    return FREE if smallest <= FREE else min(FREE * smallest, GREATEST)


def iter_fitting(
    beside: Collection[int], across: Collection[int], used: Collection[int], greatest: int, digits: str = ""
) -> Iterator[int]:
    """The numbers up to `greatest` that fit a square and begin with some digits; without digits in ascending order.

    >>> list(iter_fitting((4, 48), (), {4, 48, 8}, 150)), list(iter_fitting((4, 48), (), {4, 48, 8}, 15000, "19"))
    ([2, 12, 16, 24, 96, 144], [192, 1920, 1968])
    """
    ordered = sorted(beside)
    for gap in range(len(ordered)):
        low, high = math.lcm(*ordered[:gap]), math.gcd(*ordered[gap:])
        among = divisors_up_to(high // low, greatest // low) if high % low == 0 and low <= greatest else ()
        yield from (low * x for x in among if fits(low * x, beside, across, used) and str(low * x).startswith(digits))
    low = math.lcm(*ordered)
    if not any(low % other == 0 for other in across):
        for first, last in _ranges_beginning_with(digits, greatest):
            multiples = range(max(low, -(-first // low) * low), last + 1, low)
            yield from (number for number in multiples if fits(number, beside, across, used))


def _ranges_beginning_with(digits: str, greatest: int) -> Iterator[tuple[int, int]]:
    """The ranges of the numbers up to some other that begin with some digits: 19, 190 to 199, 1900 to 1999, …"""
    if not digits:
        yield 1, greatest
    elif re.fullmatch("[1-9][0-9]{0,18}", digits):
        first, count = int(digits), 1
        while first <= greatest:
            yield first, min(first + count - 1, greatest)
            first, count = 10 * first, 10 * count


def divisors_up_to(number: int, greatest: int) -> list[int]:
    """The divisors of a number on the board, or that divides one, up to some other, ascending.

    >>> divisors_up_to(360, 12)
    [1, 2, 3, 4, 5, 6, 8, 9, 10, 12]
    """
    found = [1]
    for prime, power in factorise(number):
        found += [
            x * y for y in (prime**exponent for exponent in range(1, power + 1)) for x in found if x * y <= greatest
        ]
    return sorted(found)


def _least_between(low: int, high: int, across: Collection[int], used: Collection[int]) -> int | None:
    """The smallest multiple of `low` that divides `high`, is unused, and is related to no number across."""
    queue, seen = [low], {low}
    while queue:
        number = heappop(queue)
        if any(number % other == 0 for other in across):
            continue
        over = next((other for other in across if other % number == 0), None)
        if over is None and number > 1 and number not in used:
            return number
        for larger in _next_divisors(number, high, over):
            if larger not in seen:
                seen.add(larger)
                heappush(queue, larger)
    return None


def _next_divisors(number: int, high: int, over: int | None) -> list[int]:
    """To what divisors of `high` a number leads that is used, or that divides the number `over` across a corner."""
    led: list[int] = []
    for prime in prime_factors(high):
        larger = number * prime
        while over and over % larger == 0:
            larger *= prime
        if high % larger == 0:
            led.append(larger)
    return led


def _least_above(low: int, across: Collection[int], used: Collection[int]) -> int | None:
    """The smallest multiple of `low` up to 10^18 that is unused and related to no number across."""
    if any(low % other == 0 for other in across):
        return None
    multiples = range(low, min(FACTORS_ABOVE * low, GREATEST + 1), low)
    return next((number for number in multiples if fits(number, (), across, used)), None)


@lru_cache(maxsize=4096)
def prime_factors(number: int) -> tuple[int, ...]:
    """The prime factors of a number that divides one on the board, ascending.

    >>> prime_factors(360)
    (2, 3, 5)
    """
    if number <= LARGE:
        return tuple(one for one in divisors(number) if is_prime(one))
    # Importing sympy takes a moment, which a program that plays other games need not wait for.
    from sympy.ntheory import primefactors

    return tuple(primefactors(number))


def factorise(number: int) -> tuple[tuple[int, int], ...]:
    """A number that divides one on the board as its primes with their powers.

    >>> factorise(360)
    ((2, 3), (3, 2), (5, 1))
    """
    return tuple((prime, _power_of(number, prime)) for prime in prime_factors(number))


def _power_of(number: int, prime: int) -> int:
    return next(power for power in range(1, 61) if number % prime ** (power + 1))


RESULT = "After {number} at {square} no number fits anywhere."
OPEN_CHANGE = "open squares: {was} → {now}"
NO_MORE = "no number fits anywhere any more"
ARE_DEAD = "{squares} are dead: no number fits any more"
ACROSS = "{value} would touch {other} at {place} by a corner, and {low} divides {high}."
LEAST = "least"
"""What stands for the smallest number that fits a square."""


@dataclass(frozen=True, slots=True)
class NotDivisorsNotMultiplesOptions(Options):
    size: int = number_option(
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
class NotDivisorsNotMultiples(RotatingSeats, Position):
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
    def is_stuck(self) -> bool:
        """Whether no number can be written anywhere."""
        return not any(self.leasts)

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.is_deserted or self.is_stuck else (self.seat_to_move,)

    def open_to(self, seat: Seat) -> bool:
        return True

    def open_squares(self) -> Iterator[int]:
        """The squares that a number can be written into."""
        return (index for index, least in enumerate(self.leasts) if least)

    @property
    def progress(self) -> str:
        return SQUARES_OPEN.fill_in(len(list(self.open_squares()))) if self.turn else ""

    def dead_squares(self) -> Iterator[int]:
        """The empty squares beside a number that no number fits."""
        return (index for index, least in enumerate(self.leasts) if not least and self._is_reachable(index))

    def _is_reachable(self, index: int) -> bool:
        return not self.cells[index] and (not self.log or bool(self.numbers_beside(index)))

    def numbers_beside(self, index: int) -> dict[int, int]:
        """The numbers over a square's sides, with where they are."""
        return {self.cells[other]: other for other in squares_around(self.size)[index].beside if self.cells[other]}

    def numbers_across(self, index: int) -> dict[int, int]:
        """The numbers over a square's corners, with where they are."""
        return {self.cells[other]: other for other in squares_around(self.size)[index].across if self.cells[other]}

    def fitting_numbers(self, index: int, digits: str = "") -> Iterator[int]:
        """The numbers that may be written into a square now and begin with some digits; without any, ascending."""
        if least := self.leasts[index]:
            written = self.numbers_beside(index), self.numbers_across(index), frozenset(self.cells)
            yield from iter_fitting(*written, greatest_allowed(least), digits)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            for index in self.open_squares():
                yield from (f"{self.name(index)} {value}" for value in self.fitting_numbers(index))

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
        smallest, beside = self.leasts[index], sorted(self.numbers_beside(index))
        if smallest and LEAST.startswith(typed):
            yield Suggestion(f"{square} {LEAST}", f"{smallest}, the smallest that fits")
        for value in self.fitting_numbers(index, typed):
            yield Suggestion(f"{square} {value}", " · ".join(describe_relation(value, other) for other in beside))

    def read(self, seat: Seat, text: str) -> str:
        square, value = parse_square_and_number(tidy(text), self.size, self.size)
        return f"{square} {self._parse_value(square.ordinal(self.size), value)}"

    def _parse_value(self, index: int, text: str) -> int:
        # The number that a text means for a square.
        if text != LEAST:
            return parse_whole(text)
        if not self.leasts[index]:
            self._expect_writable(index)
            raise Illegal(f"{self.explain(index)}. So it has no smallest number.")
        return self.leasts[index]

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        square, text = parse_square_and_number(move, self.size, self.size)
        index = square.ordinal(self.size)
        value = self._parse_value(index, text)
        self._check_fits(index, value)
        cells = (*self.cells[:index], value, *self.cells[index + 1 :])
        after = replace(self, cells=cells, log=(*self.log, Written(index, seat)), previous=seat)
        stale = self._touched_squares(index, value) if self.log else set(range(len(cells)))
        leasts = tuple(after._find_least(at) if at in stale else least for at, least in enumerate(self.leasts))
        return replace(after, leasts=leasts)

    def _touched_squares(self, index: int, value: int) -> set[int]:
        # The squares whose smallest number may be another once a value is written into a square.
        others = squares_around(self.size)[index]
        return {index, *others.beside, *others.across, *(at for at, least in enumerate(self.leasts) if least == value)}

    def _find_least(self, index: int) -> int:
        if self.cells[index] or not self.numbers_beside(index):
            return 0
        return least_fitting(self.numbers_beside(index), tuple(self.numbers_across(index)), frozenset(self.cells)) or 0

    def _check_fits(self, index: int, value: int) -> None:
        # Raise `Illegal` with the rule that forbids a value in a square.
        self._expect_writable(index)
        if value < 2:
            raise Illegal(
                join_sentences(
                    f"You can't write {value}, because numbers start at 2.", self._describe_legal_moves(index)
                )
            )
        if value in self.cells:
            where = self.name(self.cells.index(value))
            raise Illegal(
                join_sentences(
                    f"{value} is already at {where}, and no number comes twice.", self._describe_legal_moves(index)
                )
            )
        for other, at in self.numbers_beside(index).items():
            if not are_related(value, other):
                facts = f"{value} would be next to {other} at {self.name(at)}, and neither divides the other."
                raise Illegal(join_sentences(facts, self._describe_legal_moves(index)))
        for other, at in self.numbers_across(index).items():
            if are_related(value, other):
                low, high = sorted((value, other))
                facts = {"value": value, "other": other, "place": self.name(at), "low": low, "high": high}
                raise Illegal(join_sentences(ACROSS.format(**facts), self._describe_legal_moves(index)))
        if value > self._greatest_allowed(index):
            raise Illegal(
                join_sentences(f"{value} is too large.", self._describe_bound(index), self._describe_legal_moves(index))
            )

    def _greatest_allowed(self, index: int) -> int:
        return greatest_allowed(self.leasts[index] or GREATEST)

    def _describe_bound(self, index: int) -> str:
        # How large a number may be in a square, and why.
        most = self._greatest_allowed(index)
        if most == FREE:
            return f"A number above {FREE} is allowed only where no smaller one fits."
        if most == GREATEST:
            return "No number can be above 10^18."
        return f"{self.name(index)} takes numbers up to {most}, which is {FREE} times the smallest that fits."

    def _expect_writable(self, index: int) -> None:
        if held := self.cells[index]:
            raise Illegal(f"{self.name(index)} already holds {held}. Choose an empty square.")
        if not self._is_reachable(index):
            raise Illegal(f"{self.name(index)} isn't beside a number. Choose a square that is.")

    def _describe_legal_moves(self, index: int) -> str:
        # What would be legal.
        if not self.leasts[index]:
            return f"No number fits {self.name(index)} any more."
        return f"The smallest number that fits {self.name(index)} is {self.leasts[index]}."

    def name(self, index: int) -> str:
        """A square as notation writes it."""
        return list_square_names(self.size)[index]

    def scores(self) -> tuple[int, ...]:
        return (0,) * self.seats

    def ranks(self) -> tuple[int, ...] | None:
        if self.turn:
            return None
        # The last move ends the match, so the seat that made it is still there.
        return rank_seats([seat == self.previous for seat in range(1, self.seats + 1)], self.withdrawn)

    def explain_result(self, name: NameSeat) -> str:
        square, _ = self.log[-1]
        return RESULT.format(number=group_digits(self.cells[square]), square=self.name(square))

    def working(self) -> tuple[str, ...]:
        return (*self.verdict(), *map(self.explain, self.dead_squares()))

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        """How many squares are open, and which have died, without those that were dead before: that another neighbour
        gives another reason is no news."""
        assert isinstance(before, NotDivisorsNotMultiples)
        known = {*before.dead_squares()}
        dead = [index for index in self.dead_squares() if index not in known]
        if self.is_stuck:
            return (NO_MORE,)
        many = (ARE_DEAD.format(squares=join_words(map(self.name, dead))),)
        was, now = len([*before.open_squares()]), len([*self.open_squares()])
        return (*(many if len(dead) > 1 else map(self.explain, dead)), OPEN_CHANGE.format(was=was, now=now))

    def verdict(self) -> tuple[str, ...]:
        """Who moved last, in a line, when no number can be written any more."""
        if not self.is_stuck:
            return ()
        square, seat = self.log[-1]
        return (f"player {seat} wrote the last number, {group_digits(self.cells[square])} at {self.name(square)}",)

    def blockers(self, index: int) -> tuple[int, ...]:
        """The squares over corners of a dead square whose number divides all common multiples of those beside it."""
        low = math.lcm(*self.numbers_beside(index))
        return tuple(at for other, at in self.numbers_across(index).items() if low % other == 0)

    def explain(self, index: int) -> str:
        """Why a square is dead: "d3 is dead: 10 at c2 divides every common multiple of 2, 3 and 5, and …"."""
        beside, square = [group_digits(one) for one in sorted(self.numbers_beside(index))], self.name(index)
        for blocker in self.blockers(index):
            parts = {
                "blocker": group_digits(self.cells[blocker]),
                "place": self.name(blocker),
                "beside": join_words(beside),
            }
            return BLOCKED.fill_in(len(beside), square=square, **parts)
        return TOO_LARGE.fill_in(len(beside), square=square, beside=join_words(beside))

    def __str__(self) -> str:
        dead = set(self.dead_squares())
        marks = tuple(
            str(value) if value else "x" if at in dead else "+" if self.leasts[at] else "."
            for at, value in enumerate(self.cells)
        )
        rows = (marks[first : first + self.size] for first in range(0, len(marks), self.size))
        return format_board(tuple(rows), even=False)


def describe_relation(value: int, other: int) -> str:
    """How a number goes with one beside it.

    >>> describe_relation(12, 4), describe_relation(12, 24)
    ('4 × 3', '24 ÷ 2')
    """
    return f"{other} × {value // other}" if value % other == 0 else f"{other} ÷ {other // value}"
