"""A seat's copy of a curve: how the seat numbered it and which numbers it wrote inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import gcd
from typing import NamedTuple, Self

from bot.games.notation import Square, join_items, parse_squares, parse_whole, quote, tidy
from bot.games.position import Illegal, Suggestion, Unreadable
from bot.games.wording import join_words

# Closed curves on squared paper: which corner squares make one, which squares it encloses, and how it is numbered.


SHORTEST = 8
"""The fewest squares that a curve passes through."""

FEWEST_CORNERS = 4

Direction = tuple[int, int]
STEPS: tuple[Direction, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))


@dataclass(frozen=True, slots=True)
class Curve:
    """A closed curve: its corners and all its squares in the order drawn, and those that it encloses, ascending."""

    size: int
    corners: tuple[Square, ...]
    path: tuple[int, ...]
    interior: tuple[int, ...]

    @classmethod
    def from_corners(cls, corners: Sequence[Square], size: int) -> Curve:
        """The curve through these corners, back to the first; `Illegal` when it breaks a rule."""
        check_turns(corners)
        path = tuple(square.ordinal(size) for side in list_sides(corners) for square in iter_straight(*side))
        check_path(path, size)
        interior = find_enclosed(path, size)
        if not interior:
            raise Illegal("This curve has no square inside. Draw it wider.")
        return cls(size, tuple(corners), path, interior)

    @property
    def is_clockwise(self) -> bool:
        """Whether the curve was drawn clockwise, as the sign of its area by the shoelace formula tells."""
        return sum(a.column * b.row - b.column * a.row for a, b in list_sides(self.corners)) > 0

    def squares_in_order(self, start: int, clockwise: bool) -> tuple[int, ...]:
        """The squares of the curve in the order of their numbers, the first being `start`."""
        path = self.path if clockwise == self.is_clockwise else self.path[::-1]
        first = path.index(start)
        return path[first:] + path[:first]

    def __str__(self) -> str:
        return join_items(self.corners)


@cache
def neighbours_by_square(size: int) -> tuple[tuple[int, ...], ...]:
    """The squares that share a side with each square."""

    def list_neighbours(square: int) -> Iterator[int]:
        column, row = Square.from_ordinal(square, size)
        for right, down in STEPS:
            if 0 <= column + right < size and 0 <= row + down < size:
                yield square + right + down * size

    return tuple(tuple(list_neighbours(square)) for square in range(size**2))


def list_sides(corners: Sequence[Square]) -> list[tuple[Square, Square]]:
    """The ends of each straight piece, from the first corner's to the one that leads back to it."""
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def find_direction(start: Square, end: Square) -> Direction:
    """The step that leads straight from one square to another, or `Illegal`."""
    right, down = end.column - start.column, end.row - start.row
    if not right and not down:
        raise Illegal(f"{start} comes twice in a row. Name each corner once; the curve closes by itself.")
    if right and down:
        raise Illegal(f"{start} and {end} share neither a row nor a column, so no straight line joins them.")
    return (right > 0) - (right < 0), (down > 0) - (down < 0)


def check_turns(corners: Sequence[Square]) -> None:
    """Raise `Illegal` unless the curve can be drawn straight from corner to corner and turns at each."""
    if len(corners) < FEWEST_CORNERS:
        raise Illegal(f"A closed curve has at least {FEWEST_CORNERS} corners. This one has {len(corners)}.")
    steps = [find_direction(*side) for side in list_sides(corners)]
    for corner, before, after in zip(corners, (steps[-1], *steps), steps, strict=False):
        check_turn(corner, before, after)


def check_turn(corner: Square, before: Direction, after: Direction) -> None:
    """Raise `Illegal` unless a curve turns at a corner to the left or to the right."""
    if before == after:
        raise Illegal(f"The curve runs straight on at {corner}. Name only the squares where it turns.")
    if before == (-after[0], -after[1]):
        raise Illegal(f"The curve turns back on itself at {corner}. It can't pass through a square twice.")


def check_begun(corners: Sequence[Square], size: int) -> None:
    """Raise `Illegal` when a curve that begins so breaks a rule however it goes on."""
    steps = [find_direction(*side) for side in pairwise(corners)]
    for corner, (before, after) in zip(corners[1:], pairwise(steps), strict=False):
        check_turn(corner, before, after)
    path = [*(square for side in pairwise(corners) for square in iter_straight(*side)), *corners[-1:]]
    check_once([square.ordinal(size) for square in path], size)


def iter_straight(start: Square, end: Square) -> Iterator[Square]:
    """The squares from one corner to just before the next."""
    right, down = find_direction(start, end)
    length = abs(end.column - start.column) + abs(end.row - start.row)
    return (Square(start.column + right * step, start.row + down * step) for step in range(length))


def check_path(path: Sequence[int], size: int) -> None:
    """Raise `Illegal` when the squares of a curve are too few or one is there twice."""
    check_once(path, size)
    if len(path) < SHORTEST:
        raise Illegal(f"The curve passes through only {len(path)} squares. It needs at least {SHORTEST}.")


def check_once(path: Sequence[int], size: int) -> None:
    """Raise `Illegal` when a square is passed twice."""
    seen: set[int] = set()
    for square in path:
        if square in seen:
            raise Illegal(f"The curve passes through {Square.from_ordinal(square, size)} twice. Only once is allowed.")
        seen.add(square)


def find_enclosed(path: Sequence[int], size: int) -> tuple[int, ...]:
    """The squares off the curve whose centre lies inside it.

    A line from the left edge to a centre, a hair above the centres of its row, crosses the curve just where the curve
    goes up from a square of that row: the centre is inside when it crosses an odd number of times.
    """
    on = set(path)
    upwards = {max(a, b) for a, b in zip(path, (*path[1:], path[0]), strict=True) if abs(a - b) == size}
    found: list[int] = []
    for row in range(size):
        inside = False
        for square in range(row * size, (row + 1) * size):
            inside ^= square in upwards
            if inside and square not in on:
                found.append(square)
    return tuple(found)


def iter_next_corners(corners: Sequence[Square], size: int) -> Iterator[Square]:
    """The squares that can be the next corner of a curve begun with these: straight on without a square used twice."""
    here = corners[-1]
    taken = {here, *(square for side in pairwise(corners) for square in iter_straight(*side))}
    came = find_direction(corners[-2], here) if len(corners) > 1 else (0, 0)
    for right, down in (step for step in STEPS if step not in (came, (-came[0], -came[1]))):
        square = Square(here.column + right, here.row + down)
        while 0 <= square.column < size and 0 <= square.row < size and square not in taken:
            yield square
            square = Square(square.column + right, square.row + down)


TURNS = {True: "cw", False: "ccw"}
"""How notation writes a direction: whether it is clockwise."""


@dataclass(frozen=True, slots=True)
class CurveSheet:
    """Where on the curve 1 stands (None: not numbered yet), which way it goes on, and the squares of 1, 2, … inside."""

    start: int | None = None
    clockwise: bool = True
    filled: tuple[int, ...] = ()

    @property
    def next_number(self) -> int:
        return len(self.filled) + 1

    def numbers_by_square(self, curve: Curve) -> dict[int, int]:
        """The number of every square that has one, the curve's own included."""
        if self.start is None:
            return {}
        outer = curve.squares_in_order(self.start, self.clockwise)
        return {square: number for line in (outer, self.filled) for number, square in enumerate(line, 1)}

    def open_squares(self, curve: Curve) -> Iterator[int]:
        """The squares that the next number may be written into, ascending."""
        if self.start is None:
            return
        numbers = self.numbers_by_square(curve)
        for square in curve.interior:
            if square not in numbers and find_clash(curve, numbers, square, self.next_number) is None:
                yield square

    def text_lines(self, curve: Curve) -> list[str]:
        """The copy as text: "." outside, "_" inside, "#" on the curve, numbers on it bare and inside in brackets."""
        numbers = self.numbers_by_square(curve)
        cells = ["."] * curve.size**2
        for square in curve.path:
            cells[square] = str(numbers.get(square, "#"))
        for square in curve.interior:
            cells[square] = f"({numbers[square]})" if square in numbers else "_"
        width = max(len(cell) for cell in cells)
        columns = [chr(97 + column) for column in range(curve.size)]
        rows = (cells[first : first + curve.size] for first in range(0, len(cells), curve.size))
        named = [("", columns), *((str(row), cells) for row, cells in enumerate(rows, 1))]
        return [f"{name:<2}" + "".join(f" {cell:>{width}}" for cell in cells) for name, cells in named]

    def with_numbering(self, curve: Curve, start: int, clockwise: bool) -> Self:
        """The sheet with its curve numbered, or `Illegal`."""
        if self.start is not None:
            given = f"from {Square.from_ordinal(self.start, curve.size)} {TURNS[self.clockwise]}"
            raise Illegal(f"This curve is already numbered, {given}. Undo that first to number it again.")
        if start not in curve.path:
            raise Illegal(f"{Square.from_ordinal(start, curve.size)} isn't on the curve. Start on one of its squares.")
        return replace(self, start=start, clockwise=clockwise)

    def with_numbers(self, curve: Curve, squares: Sequence[int]) -> Self:
        """The sheet with the next numbers in these squares, one after another, or `Illegal`."""
        if self.start is None:
            raise Illegal("This curve isn't numbered yet. Number it before you fill it.")
        numbers = self.numbers_by_square(curve)
        inside = set(curve.interior)
        for value, square in enumerate(squares, self.next_number):
            check_square(curve, numbers, inside, square, value)
            numbers[square] = value
        return replace(self, filled=(*self.filled, *squares))

    def without_last(self, count: int) -> Self:
        """The sheet without its last numbers inside, or, where it has none, without its numbering; or `Illegal`."""
        if self.start is None:
            raise Illegal("This curve isn't numbered yet, so there is nothing to undo.")
        if not count:
            raise Illegal("You can't take back 0 numbers. Undo at least 1.")
        if not self.filled and count == 1:
            return replace(self, start=None, clockwise=True)
        if not self.filled:
            raise Illegal(f"There are no numbers inside, so you can't take back {count}. Undo the numbering alone.")
        if count > len(self.filled):
            raise Illegal(f"You can't take back {count} numbers. The last one inside is {len(self.filled)}.")
        return replace(self, filled=self.filled[:-count])


def find_clash(curve: Curve, numbers: Mapping[int, int], square: int, value: int) -> int | None:
    """The first square next to this one whose number shares a factor with the value; None where it may be written."""
    beside = neighbours_by_square(curve.size)[square]
    return next((other for other in beside if gcd(numbers.get(other, 1), value) > 1), None)


def check_square(curve: Curve, numbers: Mapping[int, int], inside: set[int], square: int, value: int) -> None:
    """Raise `Illegal` unless the value may be written into the square."""
    name = Square.from_ordinal(square, curve.size)
    if square not in inside:
        if square in curve.path:
            raise Illegal(f"{name} is on the curve. {value} goes into an empty square inside it.")
        raise Illegal(f"{name} isn't inside the curve. {value} goes into an empty square inside it.")
    if square in numbers:
        raise Illegal(f"{name} already holds {numbers[square]}. {value} goes into an empty square inside the curve.")
    other = find_clash(curve, numbers, square, value)
    if other is not None:
        factor, place = gcd(value, numbers[other]), Square.from_ordinal(other, curve.size)
        raise Illegal(
            f"{value} doesn't fit {name}. {numbers[other]} is next to it at {place}, and {factor} divides both."
        )


# The five moves of the game as values: read from forgiving text, written as notation, and offered while one is typed.


WORDS = {"cw": True, "clockwise": True, "ccw": False, "counterclockwise": False, "anticlockwise": False}
"""How a direction may be written, hyphens aside: whether it is clockwise."""
PIECES = re.compile(" ?[,:] ?| ")
LONG, TYPE_ON = 70, "type on past 100"
"""The length from which a note says that nothing is offered past 100 characters."""

Copy = tuple[int, Curve, CurveSheet]
"""The number of a curve, the curve, and what a seat wrote on its copy of it."""


class Draw(NamedTuple):
    """Draw one's curve through these corners."""

    corners: tuple[Square, ...]

    def __str__(self) -> str:
        return f"curve {join_items(self.corners)}"


class Number(NamedTuple):
    """Number a curve from a square on."""

    curve: int
    start: Square
    clockwise: bool

    def __str__(self) -> str:
        return f"number {self.curve} {self.start} {'cw' if self.clockwise else 'ccw'}"


class Fill(NamedTuple):
    """Write the next numbers of a curve into these squares, in this order."""

    curve: int
    squares: tuple[Square, ...]

    def __str__(self) -> str:
        return f"fill {self.curve} {join_items(self.squares)}"


class Undo(NamedTuple):
    """Take back the last numbers of a curve, or its numbering."""

    curve: int
    taken: int

    def __str__(self) -> str:
        return f"undo {self.curve}" + (f" {self.taken}" if self.taken != 1 else "")


class FinishMatch(NamedTuple):
    """End one's match."""

    def __str__(self) -> str:
        return "done"


Action = Draw | Number | Fill | Undo | FinishMatch


def parse_action(text: str, size: int, only: int | None = None) -> Action:
    """The move that a text means on a grid of this side, or `Unreadable`. Where there is `only` one curve, its number
    may be left out when it is filled or undone."""
    word, _, rest = tidy(text).partition(" ")
    if word not in READERS:
        raise Unreadable(f"{quote(text)} isn't a move. A move starts with {join_words(READERS, ' or ')}.")
    if only and (word == "undo" and not rest or word == "fill" and rest and not PIECES.split(rest)[0].isdigit()):
        rest = f"{only} {rest}".strip()
    return READERS[word](rest, size)


def _parse_draw(rest: str, size: int) -> Draw:
    if not rest:
        raise Unreadable("The corners are missing. Write them in order.")
    return Draw(parse_squares(rest, size, size))


def _parse_number(rest: str, size: int) -> Number:
    curve, *square, turning = PIECES.split(rest) if len(PIECES.split(rest)) > 2 else ("", "")
    if not square:
        raise Unreadable("Write the curve, the square that gets 1, and cw or ccw.")
    clockwise = WORDS.get(turning.replace("-", ""))
    if clockwise is None:
        raise Unreadable(f"{quote(turning)} isn't a direction. Write cw or ccw (clockwise or counterclockwise).")
    return Number(parse_whole(curve), Square.parse(" ".join(square), size, size), clockwise)


def _parse_fill(rest: str, size: int) -> Fill:
    curve, *places = PIECES.split(rest, maxsplit=1)
    if not places:
        raise Unreadable("Write the curve and one square or more.")
    return Fill(parse_whole(curve), parse_squares(places[0], size, size))


def _parse_undo(rest: str, size: int) -> Undo:
    curve, *taken = PIECES.split(rest, maxsplit=1)
    if not curve:
        raise Unreadable("Write the curve and how many numbers to take back, if more than one.")
    return Undo(parse_whole(curve), parse_whole(taken[0]) if taken else 1)


def _parse_done(rest: str, size: int) -> FinishMatch:
    if rest:
        raise Unreadable(f"Write done alone, without {quote(rest)}.")
    return FinishMatch()


READERS: dict[str, Callable[[str, int], Action]] = {
    "curve": _parse_draw,
    "number": _parse_number,
    "fill": _parse_fill,
    "undo": _parse_undo,
    "done": _parse_done,
}
# What is offered while a move is typed.


def suggest_curves(typed: str, size: int) -> Iterator[Suggestion]:
    """The curve as typed when it is one or cannot become one, then with one corner more: first where that closes it."""
    word, _, rest = typed.lstrip().lower().partition(" ")
    if not "curve".startswith(word):
        return
    begun, _, partial = rest.rpartition(" ")
    try:
        corners = parse_squares(begun, size, size) if begun.strip() else ()
        check_begun(corners, size)
        following = (
            iter_next_corners(corners, size)
            if corners
            else (Square.from_ordinal(each, size) for each in range(size**2))
        )
        longer = [(*corners, square) for square in following if str(square).startswith(partial)]
    except (Unreadable, Illegal):
        yield from explain_wrong_corners(rest, size)
        return
    if not partial and (note := describe_closing(corners, size)):
        yield Suggestion(f"curve {join_items(corners)}", note)
    offered = [(f"curve {join_items(each)}", describe_closing(each, size)) for each in longer]
    for move, note in sorted(offered, key=lambda each: not each[1]):
        yield Suggestion(move, note or (TYPE_ON if len(move) > LONG else ""))
    if not longer:
        yield from explain_wrong_corners(rest, size)


def describe_closing(corners: tuple[Square, ...], size: int) -> str:
    """What a curve with these corners would be; empty when it would be none."""
    try:
        curve = Curve.from_corners(corners, size)
    except Illegal:
        return ""
    return f"a whole curve: {len(curve.path)} squares around {len(curve.interior)}"


def explain_wrong_corners(typed: str, size: int) -> Iterator[Suggestion]:
    """Corners as typed that no curve begins with, and why."""
    try:
        corners = parse_squares(typed, size, size)
    except Unreadable:
        return
    try:
        check_begun(corners, size)
    except Illegal as flaw:
        yield Suggestion(f"curve {join_items(corners)}", str(flaw).partition(". ")[0].rstrip("."))


def suggest_work(copies: Sequence[Copy], moves: Iterable[str], typed: str, size: int) -> Iterator[Suggestion]:
    """The moves that begin with what has been typed, of a seat with these copies; after squares to fill, one more."""
    text = typed.lstrip().lower()
    begun, _, partial = text.rpartition(" ")
    try:
        filled = parse_action(begun, size)
    except Unreadable:
        filled = None
    if isinstance(filled, Fill):
        yield from suggest_longer_fills(copies, filled, partial, size)
        return
    offered = suggest_undoings(copies, size) if text.startswith("undo") else map(Suggestion, moves)
    if text.startswith("fill"):
        offered = suggest_fillings(copies, size)
    yield from (suggestion for suggestion in offered if suggestion.move.startswith(text.rstrip()))


def suggest_fillings(copies: Iterable[Copy], size: int) -> Iterator[Suggestion]:
    """Where a seat can write the next number of each curve."""
    for which, curve, sheet in copies:
        for square in sheet.open_squares(curve):
            yield Suggestion(f"fill {which} {Square.from_ordinal(square, size)}", f"{sheet.next_number} is next")


def suggest_undoings(copies: Iterable[Copy], size: int) -> Iterator[Suggestion]:
    """What a seat can take back. The count is written out, so that each part of the command can be completed."""
    for which, _, sheet in copies:
        if sheet.start is not None and not sheet.filled:
            yield Suggestion(f"undo {which} 1", "takes back the numbering")
        for taken, square in enumerate(reversed(sheet.filled), 1):
            yield Suggestion(f"undo {which} {taken}", f"back to {Square.from_ordinal(square, size)}")


def suggest_longer_fills(copies: Iterable[Copy], filled: Fill, partial: str, size: int) -> Iterator[Suggestion]:
    """The filling of some squares, with each square that can come next."""
    for which, curve, sheet in copies:
        if which == filled.curve:
            try:
                after = sheet.with_numbers(curve, [square.ordinal(size) for square in filled.squares])
            except Illegal:
                return
            openings = (str(Square.from_ordinal(square, size)) for square in after.open_squares(curve))
            note = f"ends with {after.next_number}"
            yield from (Suggestion(f"{filled} {name}", note) for name in openings if name.startswith(partial))
