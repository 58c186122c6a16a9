"""Reads and writes the values in moves, for all games: squares, numbers, segments and lists of them.

Written notation is canonical: lower case, single spaces, sets in ascending order. Reading accepts the same variants in
all games: letter case, `c 4`, `c-4`, `(c,4)` and `4c` for a square, commas in a list, `30°` for degrees. Text around
and between these values is handled by `bot.games.reading`. All typed text passes through here, so patterns are anchored
and linear, digits are ASCII, and the one reader of integers stops at 19 digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from bot.games.position import Unreadable
from bot.games.wording import join_sentences

PLAIN_SQUARE = r"[a-z] ?[-,]? ?[0-9]{1,3}|[0-9]{1,3}[a-z]"
SQUARE = rf"\( ?(?:{PLAIN_SQUARE}) ?\)|{PLAIN_SQUARE}"
"""A square in any form, after `tidy`."""

LINK = r" ?[-–>,] ?| "
"""Separators of the two ends of a segment."""

BETWEEN = re.compile(r" ?, ?| ")
LONGEST = 4000
"""The most characters a move may have: the largest filling of the largest board takes a quarter of it."""

QUOTES, ENDS = "\"'`*", ".!,"
PAIRED = {"(": ")", "[": "]", "{": "}", "<": ">"}
"""What may surround a move: signs that are the same on both sides, signs at its end only, and pairs."""

WROTE = "You wrote {text}."
LONGEST_QUOTE = 60
"""The longest quotation in a sentence, in characters."""

HELD = "\N{NO-BREAK SPACE}"
"""The space at which lines are not broken."""
REMEMBERED = 1_024
"""The size of the parsing caches: a search plays the same few moves over and over."""

Thing = TypeVar("Thing")


def keep_rows_whole(text: str) -> str:
    """A move as shown; of a grid, written row by row, no line breaks within a row.

    >>> keep_rows_whole("grid 2 9 / 3 1"), keep_rows_whole("2 4 5")
    ('grid\\xa02\\xa09\\xa0/ 3\\xa01', '2 4 5')
    """
    return re.sub("(?<!/) ", HELD, text) if " / " in text else text


@lru_cache(REMEMBERED)
def tidy(text: str) -> str:
    """Typed text in lower case with single spaces, none around it; `Unreadable` if it is too long or empty."""
    if len(text) > LONGEST:
        raise Unreadable(f"That's {len(text)} characters. A move can have at most {LONGEST}.")
    folded = text.strip()
    # Only ASCII letters are folded: "K" (the Kelvin sign) is not a column.
    folded = folded.lower() if folded.isascii() else "".join(c.lower() if c.isascii() else c for c in folded)
    folded = re.sub(r"[^\S\n]+", " ", folded)
    if not folded:
        raise Unreadable("Write a move first.")
    return folded


def unwrap_text(text: str) -> str:
    """A text without quotes and brackets around all of it, and without one sign at its end.

    >>> unwrap_text("**'C4'**. "), unwrap_text("(c,4) (d,5)"), unwrap_text("done!"), unwrap_text("()")
    ('C4', '(c,4) (d,5)', 'done', '()')
    """
    inside = strip_brackets(text.strip())
    return strip_brackets(inside[:-1].strip()) if inside[1:] and inside[-1] in ENDS else inside


def strip_brackets(text: str) -> str:
    """A text without the quotes and brackets around it."""
    while inner := text[1:-1].strip():
        first, last = text[0], text[-1]
        same = first == last and first in QUOTES
        if not (same or PAIRED.get(first) == last and not _is_split_inside(inner, first, last)):
            break
        text = inner
    return text


def _is_split_inside(inner: str, first: str, last: str) -> bool:
    """Whether the outer brackets belong to the first and the last piece, as in `(c,4) (d,5)`."""
    return last in inner and (first not in inner or inner.index(last) < inner.index(first))


def quote(text: str) -> str:
    """Typed text as a quotation: shortened, on one line, in quotation marks."""
    line = text.strip()
    line = line if line.isprintable() else "".join(char if char.isprintable() else "?" for char in line)
    return f"“{line[:LONGEST_QUOTE]}{'…' if len(line) > LONGEST_QUOTE else ''}”"


def quote_whole(text: str, refusal: str) -> str:
    """A refusal that quotes the whole input if it has brackets, so that the user sees that they were read.

    >>> quote_whole("2 (4)", "“(4)” isn't a whole number."), quote_whole("(A x)", "“a x” isn't a square.")
    ("You wrote “2 (4)”. “(4)” isn't a whole number.", "“(A x)” isn't a square.")
    """
    whole, inside = quote(text), quote(unwrap_text(text).lower())
    if not re.search(r"[(\[{<]", text) or whole in refusal:
        return refusal
    return refusal.replace(inside, whole, 1) if inside in refusal else join_sentences(WROTE.format(text=whole), refusal)


@lru_cache(REMEMBERED)
def parse_whole(text: str) -> int:
    """A whole number: at most 19 ASCII digits, no sign, no leading zero."""
    text = text.strip()
    if not re.fullmatch(r"[0-9]+", text):
        raise Unreadable(f"{quote(text)} isn't a whole number. Use only the digits 0 to 9.")
    if len(text) > 19:
        raise Unreadable(f"That number has {len(text)} digits. I read at most 19.")
    if text[0] == "0" and text != "0":
        raise Unreadable(f"{quote(text)} starts with a zero. Write {text.lstrip('0') or '0'}.")
    return int(text)


class Square(NamedTuple):
    """A square, dot or intersection: column and row from 0 at the top left, written `a1`, `c2` as in a spreadsheet."""

    column: int
    row: int

    def __str__(self) -> str:
        return f"{chr(97 + self.column)}{self.row + 1}"

    @classmethod
    @lru_cache(REMEMBERED)
    def parse(cls, text: str, columns: int, rows: int) -> Square:
        """Read `C4`, `c 4`, `c-4` or `4c` on a board with this number of columns and rows."""
        folded = tidy(text)
        if not re.fullmatch(SQUARE, folded):
            raise Unreadable(f"{quote(text)} isn't a square. Write a column letter and a row number.")
        digits = "".join(re.findall(r"[0-9]", folded))
        if digits[0] == "0":
            raise Unreadable(f"{quote(text)} isn't a square. Its row starts with a zero, and rows are 1 to {rows}.")
        letter = re.findall(r"[a-z]", folded)[0]
        square = cls(ord(letter) - 97, int(digits) - 1)
        if square.column >= columns or square.row >= rows:
            last = chr(96 + columns)
            raise Unreadable(f"{square} is off the board. Its columns are a to {last}, its rows 1 to {rows}.")
        return square

    @classmethod
    def from_ordinal(cls, ordinal: int, columns: int) -> Square:
        """The square with this number when squares are counted from 0 along the rows."""
        return cls(ordinal % columns, ordinal // columns)

    def ordinal(self, columns: int) -> int:
        """The number of this square when squares are counted from 0 along the rows."""
        return self.row * columns + self.column


@lru_cache(REMEMBERED)
def parse_square_and_number(text: str, columns: int, rows: int) -> tuple[Square, str]:
    """Read `c4 2`, `2 c4`, `c4, 2`, `c4=2` or `c4:2`; the number is returned as text, as some games have words
    there."""
    folded = tidy(text)
    found = re.fullmatch(
        rf"(?P<a>{SQUARE})(?: ?[=:,] ?| )(?P<b>[^ ,]+)|(?P<d>[^ ,]+)(?: ?, ?| )(?P<c>{SQUARE})", folded
    )
    if not found:
        raise Unreadable(f"{quote(text)} isn't a square and a number.")
    return Square.parse(found["a"] or found["c"], columns, rows), found["b"] or found["d"]


@lru_cache(REMEMBERED)
def parse_segment(text: str, columns: int, rows: int) -> tuple[Square, Square]:
    """Read two squares in the order given: `d4-d5`, `d4d5`, `d4 d5`, `d4–d5` or `d4 > d5`."""
    found = re.fullmatch(rf"({SQUARE})(?:{LINK})?({SQUARE})", tidy(text))
    if not found:
        raise Unreadable(f"{quote(text)} isn't a segment. Write the dot it starts from, then the dot it reaches.")
    return Square.parse(found[1], columns, rows), Square.parse(found[2], columns, rows)


def parse_pair(text: str) -> tuple[int, int]:
    """Read two numbers in either order, the smaller first: `2-7`, `7 2`, `2–7`, `2 > 7` or `30°-120°`."""
    found = re.fullmatch(rf"([^ >,°–-]+)°?(?:{LINK})([^ >,°–-]+)°?", tidy(text))
    if not found:
        raise Unreadable(f"{quote(text)} isn't a pair of numbers. Write two with a dash between them.")
    low, high = sorted((parse_whole(found[1]), parse_whole(found[2])))
    return low, high


def split_items(text: str) -> list[str]:
    """The items of a list, separated by spaces, commas or both."""
    parts = BETWEEN.split(tidy(text))
    if "" in parts:
        raise Unreadable(f"{quote(text)} has one comma too many. Write one between two items.")
    return parts


def parse_wholes(text: str) -> tuple[int, ...]:
    """A list of whole numbers, in the order given."""
    return tuple(parse_whole(item) for item in split_items(text))


def parse_squares(text: str, columns: int, rows: int) -> tuple[Square, ...]:
    """A list of squares, in the order given, each in any form that a square may have; a line break is a space."""
    folded = tidy(text).replace("\n", " ")
    found: list[Square] = []
    place = 0
    reader = re.compile(SQUARE)
    while place < len(folded):
        piece = reader.match(folded, place)
        if not piece:
            raise Unreadable(
                f"{quote(folded[place:])} doesn't start with a square. Write squares with spaces between them."
            )
        found.append(Square.parse(piece[0], columns, rows))
        gap = BETWEEN.match(folded, piece.end())
        place = gap.end() if gap else piece.end()
        if (gap is None) != (place == len(folded)):
            raise Unreadable(f"{quote(text)} isn't a list of squares. Write spaces or single commas between them.")
    return tuple(found)


def expect_distinct(things: Sequence[Thing]) -> Sequence[Thing]:
    """The same things; raises `Unreadable` if one of them occurs twice."""
    seen: set[Thing] = set()
    for thing in things:
        if thing in seen:
            raise Unreadable(f"{thing} is there twice. Name each only once.")
        seen.add(thing)
    return things


def join_items(things: Iterable[object]) -> str:
    """A list in canonical notation."""
    return " ".join(str(thing) for thing in things)


def format_sum(numbers: Sequence[int]) -> str:
    """Numbers with their sum: "2 + 4 + 6 = 12"; one alone is its sum, and none are 0."""
    said = " + ".join(map(group_digits, numbers)) or "0"
    return f"{said} = {group_digits(sum(numbers))}" if len(numbers) > 1 else said


def format_product(numbers: Sequence[int]) -> str:
    """Numbers with their product: "29 × 19 = 551", those that are 1 left out."""
    return f"{format_factors(numbers)} = {group_digits(math.prod(numbers))}"


def format_factors(numbers: Sequence[int]) -> str:
    """Numbers multiplied, those that are 1 left out: "29 × 19"."""
    return " × ".join(group_digits(number) for number in numbers if number != 1) or "1"


def group_digits(number: int) -> str:
    """A number with its digits in groups of three: "52 586 509"."""
    return f"{number:,}".replace(",", " ")


def find_numbers_starting(digits: str, least: int, most: int) -> Iterator[int]:
    """The whole numbers from `least` to `most` that begin with some digits, ascending.

    >>> [list(find_numbers_starting(digits, 0, 25)) for digits in ("2", "0", "07")]
    [[2, 20, 21, 22, 23, 24, 25], [0], []]
    """
    if not digits:
        yield from range(least, most + 1)
    elif digits[0] == "0":
        yield from (0,) if digits == "0" and least <= 0 else ()
    else:
        first, count = int(digits), 1
        while first <= most:
            yield from range(max(first, least), min(first + count - 1, most) + 1)
            first, count = 10 * first, 10 * count
