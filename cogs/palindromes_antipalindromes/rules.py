"""Palindromes/Antipalindromes In Sequence (Leroy Quet, 2011)

**Example** This is the inventor's row. A *palindrome* reads the same backwards. The bars above are Blue's: 1001 in
squares 1 to 4 counts 4 and the 00 inside it 2, so its bar says 6. An *antipalindrome*, read backwards, has every digit
changed. The bars below are Orange's: 01001101 in squares 3 to 10, backwards 10110010, counts 8, and what is inside it 6
+ 4 + 2: 20 in all. The bars above make 24, those below 46: Orange wins.

**Goal** Fill a row with 0s and 1s: the first player, Blue, counts its palindromes, the second, Orange, its
antipalindromes.

**A turn** Write 0 or 1 in an empty square. When all 16 are full, the match is over.

**Scoring** Every stretch of 2, 4, 6 … squares that is yours scores its length, also inside a longer one. Odd lengths
count for nobody. The higher total wins.

**Size** The row has 8 to 40 squares, usually 16.

**Rulings** While the row is being filled, only stretches without an empty square count. The bot finds them all; on
paper you look for your own.

>>> board = Palindromes.start(PalindromesOptions(length=16), 2)
>>> for position, digit in enumerate("1001001101000100", 1):
...     board = board.play(board.turn[0], f"{position} {digit}")
>>> print(board)
  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16
  1  0  0  1  0  0  1  1  0  1  0  0  0  1  0  0
palindromes: 1001 at 1, 1001 at 4, 0110 at 6, 00 at 11, 00 at 12, 00 at 15
antipalindromes: 10 at 1, 01 at 3, 10 at 4, 01001101 at 3, 10 at 8, 110100 at 7, 10 at 10, 01 at 13, 10 at 14
>>> board.scores(), board.ranks()
((24, 46), (2, 1))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Self

from bot.games.grids import SQUARES_LEFT, format_row
from bot.games.notation import format_sum, parse_whole, quote, split_items
from bot.games.options import Options, number_option
from bot.games.position import (
    BOTH,
    Illegal,
    NameSeat,
    Position,
    ScorePart,
    Seat,
    Suggestion,
    Unreadable,
    expect_turn,
)
from bot.games.wording import join_sentences, join_words

KINDS = ("palindrome", "antipalindrome")
"""What player 1 and player 2 count."""
NAMES = ("a palindrome", "an antipalindrome")
DIGITS = ("0", "1")
EMPTY = "."
RESULT = "The longest {kind} is {where}."
IN_SQUARES = "{digits} at {first}–{last}"
LONELY = "square {square} has no neighbour yet"
HELD = "Square {square} already holds a {held}. Write into an empty one."
FREE = "Still empty: {free}."
MOST_NAMED = 6
"""A refusal names the empty squares when they are no more than this."""
AROUND = 4
"""How many squares to either side a suggestion shows."""
FOLD = 20
"""How many squares the text board shows on a line."""


@dataclass(frozen=True, slots=True)
class PalindromesOptions(Options):
    length: int = number_option(16, 8, 40, "Squares in the row: 8 to 40")


class Middle(NamedTuple):
    """The middle of palindromes or antipalindromes: after how many squares it lies, and whose they are.

    The longest takes in `reach` squares on either side; `growing` says that an empty square may yet make it longer.
    """

    after: int
    seat: Seat
    reach: int
    growing: bool

    @property
    def start(self) -> int:
        """The position, from 1, of the first square of the longest."""
        return self.after - self.reach + 1

    @property
    def end(self) -> int:
        """The position of its last square."""
        return self.after + self.reach

    @property
    def lengths(self) -> range:
        """The lengths of all that lie about this middle."""
        return range(2, 2 * self.reach + 1, 2)

    def __str__(self) -> str:
        return f"{self.start} to {self.end}"


@lru_cache(maxsize=4096)
def find_middles(row: str) -> tuple[Middle, ...]:
    """Every middle in a row of "0", "1" and "." for an empty square: between any two neighbours that are filled.

    >>> find_middles("110.")
    (Middle(after=1, seat=1, reach=1, growing=False), Middle(after=2, seat=2, reach=1, growing=True))
    """
    between = (after for after in range(1, len(row)) if EMPTY not in row[after - 1 : after + 1])
    return tuple(_make_middle(row, after) for after in between)


def _make_middle(row: str, after: int) -> Middle:
    alike = row[after - 1] == row[after]
    reach, outer = 1, _format_ends(row, after, 2)
    while outer and EMPTY not in outer and (outer[0] == outer[1]) == alike:
        reach, outer = reach + 1, _format_ends(row, after, reach + 2)
    return Middle(after, 1 if alike else 2, reach, EMPTY in outer)


def _format_ends(row: str, after: int, reach: int) -> str:
    # The first and last square of a stretch about a middle; nothing where it would reach beyond the row.
    return row[after - reach] + row[after + reach - 1] if reach <= min(after, len(row) - after) else ""


@dataclass(frozen=True, slots=True)
class Palindromes(Position):
    """A row as text: "0", "1" and "." for an empty square; `last` is the position written into last, from 1."""

    row: str
    last: int | None = None

    @classmethod
    def start(cls, options: PalindromesOptions, seats: int) -> Self:
        return cls(EMPTY * options.length)

    @property
    def length(self) -> int:
        """How many squares there are."""
        return len(self.row)

    @property
    def plies(self) -> int:
        """How many squares have been filled."""
        return self.length - self.row.count(EMPTY)

    @property
    def progress(self) -> str:
        return SQUARES_LEFT.fill_in(self.length - self.plies) if self.turn else ""

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.withdrawn or self.plies == self.length else (1 + self.plies % 2,)

    def empty_squares(self) -> Iterator[int]:
        """The positions of the empty squares."""
        return (position for position, digit in enumerate(self.row, 1) if digit == EMPTY)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from (f"{position} {digit}" for position in self.empty_squares() for digit in DIGITS)

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Moves with what stands around their square."""
        for move in self.moves(seat):
            if move.startswith(typed.strip()):
                at = int(move.partition(" ")[0]) - 1
                yield Suggestion(move, f"{self.row[max(0, at - AROUND) : at]}_{self.row[at + 1 : at + 1 + AROUND]}")

    def read(self, seat: Seat, text: str) -> str:
        position, digit = self._parse_move(text)
        return f"{position} {digit}"

    def _parse_move(self, text: str) -> tuple[int, int]:
        # The position and the digit that a text names.
        parts = split_items(text)
        if len(parts) != 2:
            raise Unreadable(f"{quote(text)} isn't a square and a digit. Write them with a space between them.")
        position, digit = map(parse_whole, parts)
        if not 1 <= position <= self.length:
            raise Unreadable(f"There is no square {position}. The row has squares 1 to {self.length}.")
        if str(digit) not in DIGITS:
            raise Unreadable(f"{digit} isn't a digit of this row. Write the square first, then 0 or 1.")
        return position, digit

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        position, digit = self._parse_move(move)
        if (held := self.row[position - 1]) != EMPTY:
            raise Illegal(join_sentences(HELD.format(square=position, held=held), self._describe_legal_moves()))
        return replace(self, row=f"{self.row[: position - 1]}{digit}{self.row[position:]}", last=position)

    def _describe_legal_moves(self) -> str:
        free = list(self.empty_squares())
        return FREE.format(free=join_words(free)) if len(free) <= MOST_NAMED else ""

    def middles_of(self, seat: Seat) -> tuple[Middle, ...]:
        """The middles of what a seat counts, from the left."""
        return tuple(middle for middle in find_middles(self.row) if middle.seat == seat)

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(sum(middle.lengths) for middle in self.middles_of(seat)) for seat in BOTH)

    def longest_about(self, middle: Middle) -> str:
        """The longest palindrome or antipalindrome about a middle."""
        return self.row[middle.start - 1 : middle.end]

    def explain_result(self, name: NameSeat) -> str:
        """The longest of what the winner counts; of a draw, of all."""
        counted = [middle for seat in self.winners for middle in self.middles_of(seat)]
        longest = max(counted, key=lambda one: one.reach)
        return RESULT.format(kind=KINDS[longest.seat - 1], where=self.name_longest(longest))

    def name_longest(self, middle: Middle) -> str:
        """The longest about a middle with where it is: "100110 at 4–9"."""
        return IN_SQUARES.format(digits=self.longest_about(middle), first=middle.start, last=middle.end)

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(
                middle.seat,
                f"{KINDS[seat - 1]} {self.name_longest(middle)}",
                sum(middle.lengths),
                format_sum(middle.lengths) if middle.reach > 1 else "",
                key=middle.after,
            )
            for seat in BOTH
            for middle in self.middles_of(seat)
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        return (LONELY.format(square=self.last),)

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in BOTH for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """A line for each middle of what a seat counts, then one for their sum."""
        counted = self.middles_of(seat)
        return (*map(self.explain, counted), f"{KINDS[seat - 1]}s: {format_sum([sum(it.lengths) for it in counted])}")

    def explain(self, middle: Middle) -> str:
        """What lies about a middle: "100110 at 4–9 is an antipalindrome: 2 + 4 + 6 = 12"."""
        return f"{self.name_longest(middle)} is {NAMES[middle.seat - 1]}: {format_sum(middle.lengths)}"

    def __str__(self) -> str:
        folds = range(0, self.length, FOLD)
        lines = [line for start in folds for line in format_row(self.row[start : start + FOLD], start + 1)]
        for seat in BOTH:
            found = ", ".join(f"{self.longest_about(middle)} at {middle.start}" for middle in self.middles_of(seat))
            lines.append(f"{KINDS[seat - 1]}s: {found}" if found else f"no {KINDS[seat - 1]}s")
        return "\n".join(lines)
