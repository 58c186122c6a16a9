"""Another Binary Primes Game (Leroy Quet, 2011)

**Example** Squares 1, 4, 5 and 6 of eight are marked; only to fit, the column is drawn in two pieces. A mark is a 1, an
empty square a 0. The digits of a *binary
number* are worth 1, 2, 4, 8 and 16, from the right. A *prime* is a number like 2, 3, 5 or 7, divisible only by 1 and
itself.
- Blue reads the column from the top: 10011100. From square 1 on it has 10 (that is 2) and 10011 (16 + 2 + 1 = 19), from
  square 4 on 11 (3) and 111 (7). All four are primes: 4 points.
- Orange reads it from the bottom: 00111001. From square 6 on it has 11 (3) and 111 (7), from square 4 on 10 (2): 3
  points, so Blue wins.

**Goal** Find more primes in the column than your opponent. The first player, Blue, reads it from the top, the second,
Orange, from the bottom.

**A turn** Mark an empty square. Of the usual 17 squares each of you marks 4. Then the match is over.

**Scoring** A number begins at any mark, yours or your opponent's, and ends at any square further on. Each prime that
you can read from your end is a point, once. More points win.

**Size** The column has 8 to 48 squares, and each player marks a quarter of them, rounded down: 4 each of 19 squares.
With an even number of squares the second player can copy every mark from the other end, and it is a draw.

**Rulings** A prime counts once, even if it is there several times. While you play, empty squares count as 0. The bot
finds the primes for you; on paper players find their own.

>>> board = AnotherBinaryPrimes.start(AnotherBinaryPrimesOptions(squares=8), 2)
>>> for seat, move in (1, "4"), (2, "6"), (1, "1"), (2, "5"):
...     board = board.play(seat, move)
>>> print(board)
1 #
2 .
3 .
4 #
5 O
6 O
7 .
8 .
from the top: 2 3 7 19
from the bottom: 2 3 7
>>> board.scores(), board.ranks()
((4, 3), (1, 2))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Self

from bot.games.grids import MARKS, MOVES_LEFT
from bot.games.notation import group_digits, join_items, parse_whole, quote, tidy
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
from bot.games.primes import is_prime
from bot.games.wording import Plural, join_sentences, join_words

ENDS = ("from the top", "from the bottom")
"""How player 1 and player 2 read the column."""
MOST_NAMED = 6
"""A refusal names the empty squares when they are no more than this."""
MARKED = "Player {owner} has already marked square {square}. Mark an empty one."
FREE = "Still empty: {free}."
ONLY, ONLY_MANY = "Only {end}: {primes}.", "Only {end}: {number} primes up to {prime}."
SAME_RESULT, NO_PRIME = "Both ends have the same primes.", "There is no prime in the column."
MOST_TOLD = 5
"""The sentence about a result names primes when they are no more than this."""
PRIMES = Plural("1 prime", "{number} primes")
GONE, NEW_AND_GONE = "{gone} gone", "{new} new, {gone} gone"
CHANGED_PRIMES, SAME_PRIMES = "{end}: {changes}", "no prime comes or goes"


@dataclass(frozen=True, slots=True)
class AnotherBinaryPrimesOptions(Options):
    squares: int = number_option(17, 8, 48, "Squares in the column: 8 to 48")


class Run(NamedTuple):
    """A prime, and where its binary form begins and ends in a line: the first and the last of its digits, from 0."""

    prime: int
    first: int
    last: int


@lru_cache(maxsize=4096)
def find_primes(line: str) -> tuple[Run, ...]:
    """All primes in a line of "0" and "1" as it is read, ascending, each where it occurs first.

    >>> find_primes("0110")
    (Run(prime=2, first=2, last=3), Run(prime=3, first=1, last=2))
    """
    found: dict[int, Run] = {}
    for first in range(len(line)):
        if line[first] == "1":
            value = 1
            for last in range(first + 1, len(line)):
                value = 2 * value + int(line[last])
                if (value % 2 or value == 2) and value not in found and is_prime(value):
                    found[value] = Run(value, first, last)
    return tuple(sorted(found.values()))


@lru_cache(maxsize=4096)
def count_primes(digits: int) -> int:
    """How many primes there are in a line, given as a binary number: the length of `find_primes`, computed faster.

    >>> count_primes(0b0110)
    2
    """
    marks = [place for place in range(digits.bit_length()) if digits >> place & 1]
    odd = {(digits & (2 << first) - 1) >> last for at, first in enumerate(marks) for last in marks[:at]}
    two = digits >> 1 & ~digits
    return sum(map(is_prime, odd)) + bool(two)


@dataclass(frozen=True, slots=True)
class AnotherBinaryPrimes(Position):
    """A column of `squares` squares; `marks` has a bit board for each seat, bit 0 the top square."""

    squares: int
    marks: tuple[int, int] = (0, 0)
    last: int | None = None

    @classmethod
    def start(cls, options: AnotherBinaryPrimesOptions, seats: int) -> Self:
        return cls(options.squares)

    @property
    def board(self) -> int:
        """All marks as one bit board."""
        return self.marks[0] | self.marks[1]

    @property
    def plies(self) -> int:
        """How many marks there are."""
        return self.board.bit_count()

    @property
    def length(self) -> int:
        """How many marks there are when the match is over."""
        return 2 * (self.squares // 4)

    @property
    def progress(self) -> str:
        return MOVES_LEFT.fill_in(self.length - self.plies) if self.turn else ""

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.withdrawn or self.plies == self.length else (BOTH[self.plies % 2],)

    def empty_squares(self) -> Iterator[int]:
        """The empty squares, from 1 at the top."""
        return (square for square in range(1, self.squares + 1) if not self.owner(square))

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from map(str, self.empty_squares())

    def read(self, seat: Seat, text: str) -> str:
        return str(self._parse_square(text))

    def _parse_square(self, text: str) -> int:
        # The square that a text names, from 1.
        square = parse_whole(tidy(text))
        if not 1 <= square <= self.squares:
            raise Unreadable(f"{quote(text)} isn't a square. The column has squares 1 to {self.squares}.")
        return square

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        square = self._parse_square(move)
        if owner := self.owner(square):
            raise Illegal(join_sentences(MARKED.format(square=square, owner=owner), self._describe_legal_moves()))
        bit = 1 << square - 1
        first, second = self.marks
        return replace(self, marks=(first | bit, second) if seat == 1 else (first, second | bit), last=square)

    def _describe_legal_moves(self) -> str:
        free = list(self.empty_squares())
        return FREE.format(free=join_words(free)) if len(free) <= MOST_NAMED else ""

    def owner(self, square: int) -> Seat:
        """The seat that marked a square (from 1 at the top); 0 for an empty one."""
        return next((seat for seat in BOTH if self.marks[seat - 1] >> square - 1 & 1), 0)

    def line(self, seat: Seat) -> str:
        """The column as a seat reads it, "1" for a mark and "0" for an empty square."""
        from_the_bottom = f"{self.board:0{self.squares}b}"
        return from_the_bottom[::-1] if seat == 1 else from_the_bottom

    def prime_runs(self, seat: Seat) -> tuple[Run, ...]:
        """The primes that a seat has, ascending."""
        return find_primes(self.line(seat))

    def square_of(self, seat: Seat, place: int) -> int:
        """The number of the square that a seat reads after `place` others."""
        return place + 1 if seat == 1 else self.squares - place

    def scores(self) -> tuple[int, ...]:
        return tuple(count_primes(int(self.line(seat), 2)) for seat in BOTH)

    def explain_result(self, name: NameSeat) -> str:
        """The primes that stand at one end alone, for they make the difference."""
        if not any(self.scores()):
            return NO_PRIME
        found = [{run.prime for run in self.prime_runs(seat)} for seat in BOTH]
        alone = (sorted(found[seat - 1] - found[2 - seat]) for seat in BOTH)
        said = (describe_primes(seat, primes) for seat, primes in zip(BOTH, alone, strict=True) if primes)
        return join_sentences(*said) or SAME_RESULT

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in BOTH for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """A line for each prime that a seat has, then one for how many they are."""
        runs = self.prime_runs(seat)
        return (*(self.explain(seat, run) for run in runs), f"{ENDS[seat - 1]}: {format_count(len(runs))}")

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        """A part for each end, since one mark may change dozens of primes."""
        return tuple(
            ScorePart(seat, ENDS[seat - 1], score, self._describe_news(seat))
            for seat, score in zip(BOTH, self.scores(), strict=True)
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        news = ((ENDS[seat - 1], self._describe_news(seat)) for seat in BOTH)
        return tuple(CHANGED_PRIMES.format(end=end, changes=said) for end, said in news if said) or (SAME_PRIMES,)

    def _describe_news(self, seat: Seat) -> str:
        """How many primes the latest mark has brought and taken: "7 new, 2 gone"; empty where it has taken none, since
        the change of the score says the rest."""
        new, gone = (len(runs) for runs in self.find_news(seat))
        return (NEW_AND_GONE if new else GONE).format(new=new, gone=gone) if gone else ""

    def find_news(self, seat: Seat) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
        """The primes of a seat that the latest mark has brought, and those that it has taken."""
        if self.last is None:
            return (), ()
        line, place = self.line(seat), abs(self.square_of(seat, 0) - self.last)
        now, before = find_primes(line), find_primes(f"{line[:place]}0{line[place + 1 :]}")
        known, kept = {run.prime for run in before}, {run.prime for run in now}
        return tuple(run for run in now if run.prime not in known), tuple(
            run for run in before if run.prime not in kept
        )

    def explain(self, seat: Seat, run: Run) -> str:
        """Where a prime stands: "from the top: 19 = 10011, squares 1 to 5"."""
        return f"{ENDS[seat - 1]}: {group_digits(run.prime)} = {run.prime:b}, squares {self.format_span(seat, run)}"

    def format_span(self, seat: Seat, run: Run) -> str:
        """The squares of a run in the order of reading: "5 to 1"."""
        return f"{self.square_of(seat, run.first)} to {self.square_of(seat, run.last)}"

    def __str__(self) -> str:
        wide = len(str(self.squares))
        column = [f"{square:>{wide}} {MARKS[self.owner(square)]}" for square in range(1, self.squares + 1)]
        primes = {ENDS[seat - 1]: join_items(run.prime for run in self.prime_runs(seat)) for seat in BOTH}
        found = [f"{end}: {them}" if them else f"no prime {end}" for end, them in primes.items()]
        return "\n".join([*column, *found])


def describe_primes(seat: Seat, primes: Sequence[int]) -> str:
    """The sentence about primes that stand at one end alone: "Only from the top: 5 and 19."."""
    many = len(primes) > MOST_TOLD
    said = join_words(map(group_digits, primes))
    last = group_digits(primes[-1])
    return (ONLY_MANY if many else ONLY).format(end=ENDS[seat - 1], primes=said, number=len(primes), prime=last)


def format_count(number: int) -> str:
    """A number of primes in words: "1 prime", "no primes"."""
    return PRIMES.fill_in(number) if number else "no primes"
