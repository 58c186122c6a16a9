"""The five moves of the game as values: read from forgiving text, written as notation, and offered while one is typed.

What is offered holds all that was typed: corners one by one, squares to fill one by one. Discord offers nothing longer
than 100 characters, and shortly before that the note says to type on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from bot.core.game.notation import (
    Square,
    listed,
    quote,
    squares,
    tidy,
    whole,
)
from bot.core.game.position import Illegal, Suggestion, Unreadable
from bot.core.values.plural import together
from cogs.within_the_curve.curve import Curve, check_begun, next_corners
from cogs.within_the_curve.sheet import Sheet

WORDS = {"cw": True, "clockwise": True, "ccw": False, "counterclockwise": False, "anticlockwise": False}
"""How a direction may be written, hyphens aside: whether it is clockwise."""
PIECES = re.compile(" ?[,:] ?| ")
LONG, TYPE_ON = 70, "type on past 100"
"""From so many characters on the note says that nothing is offered past 100."""

Copy = tuple[int, Curve, Sheet]
"""The number of a curve, the curve, and what a seat wrote on its copy of it."""


class Draw(NamedTuple):
    """Draw one's curve through these corners."""

    corners: tuple[Square, ...]

    def __str__(self) -> str:
        return f"curve {listed(self.corners)}"


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
        return f"fill {self.curve} {listed(self.squares)}"


class Undo(NamedTuple):
    """Take back the last numbers of a curve, or its numbering."""

    curve: int
    taken: int

    def __str__(self) -> str:
        return f"undo {self.curve}" + (f" {self.taken}" if self.taken != 1 else "")


class Done(NamedTuple):
    """End one's match."""

    def __str__(self) -> str:
        return "done"


Action = Draw | Number | Fill | Undo | Done


def parsed(text: str, size: int, only: int | None = None) -> Action:
    """The move that a text means on a grid of this side, or `Unreadable`. Where there is `only` one curve, its number
    may be left out when it is filled or undone."""
    word, _, rest = tidy(text).partition(" ")
    if word not in READERS:
        raise Unreadable(f"{quote(text)} isn't a move. A move starts with {together(READERS, ' or ')}.")
    if only and (word == "undo" and not rest or word == "fill" and rest and not PIECES.split(rest)[0].isdigit()):
        rest = f"{only} {rest}".strip()
    return READERS[word](rest, size)


def _draw(rest: str, size: int) -> Draw:
    if not rest:
        raise Unreadable("The corners are missing. Write them in order.")
    return Draw(squares(rest, size, size))


def _number(rest: str, size: int) -> Number:
    curve, *square, turning = PIECES.split(rest) if len(PIECES.split(rest)) > 2 else ("", "")
    if not square:
        raise Unreadable("Write the curve, the square that gets 1, and cw or ccw.")
    clockwise = WORDS.get(turning.replace("-", ""))
    if clockwise is None:
        raise Unreadable(f"{quote(turning)} isn't a direction. Write cw or ccw (clockwise or counterclockwise).")
    return Number(whole(curve), Square.parse(" ".join(square), size, size), clockwise)


def _fill(rest: str, size: int) -> Fill:
    curve, *places = PIECES.split(rest, maxsplit=1)
    if not places:
        raise Unreadable("Write the curve and one square or more.")
    return Fill(whole(curve), squares(places[0], size, size))


def _undo(rest: str, size: int) -> Undo:
    curve, *taken = PIECES.split(rest, maxsplit=1)
    if not curve:
        raise Unreadable("Write the curve and how many numbers to take back, if more than one.")
    return Undo(whole(curve), whole(taken[0]) if taken else 1)


def _done(rest: str, size: int) -> Done:
    if rest:
        raise Unreadable(f"Write done alone, without {quote(rest)}.")
    return Done()


READERS: dict[str, Callable[[str, int], Action]] = {
    "curve": _draw,
    "number": _number,
    "fill": _fill,
    "undo": _undo,
    "done": _done,
}


# What is offered while a move is typed.


def curves(typed: str, size: int) -> Iterator[Suggestion]:
    """The curve as typed when it is one or cannot become one, then with one corner more: first where that closes it."""
    word, _, rest = typed.lstrip().lower().partition(" ")
    if not "curve".startswith(word):
        return
    begun, _, partial = rest.rpartition(" ")
    try:
        corners = squares(begun, size, size) if begun.strip() else ()
        check_begun(corners, size)
        following = next_corners(corners, size) if corners else (Square.of(each, size) for each in range(size**2))
        longer = [(*corners, square) for square in following if str(square).startswith(partial)]
    except (Unreadable, Illegal):
        yield from wrong(rest, size)
        return
    if not partial and (note := closing(corners, size)):
        yield Suggestion(f"curve {listed(corners)}", note)
    offered = [(f"curve {listed(each)}", closing(each, size)) for each in longer]
    for move, note in sorted(offered, key=lambda each: not each[1]):
        yield Suggestion(move, note or (TYPE_ON if len(move) > LONG else ""))
    if not longer:
        yield from wrong(rest, size)


def closing(corners: tuple[Square, ...], size: int) -> str:
    """What a curve with these corners would be; empty when it would be none."""
    try:
        curve = Curve.drawn(corners, size)
    except Illegal:
        return ""
    return f"a whole curve: {len(curve.path)} squares around {len(curve.interior)}"


def wrong(typed: str, size: int) -> Iterator[Suggestion]:
    """Corners as typed that no curve begins with, and why."""
    try:
        corners = squares(typed, size, size)
    except Unreadable:
        return
    try:
        check_begun(corners, size)
    except Illegal as flaw:
        yield Suggestion(f"curve {listed(corners)}", str(flaw).partition(". ")[0].rstrip("."))


def work(copies: Sequence[Copy], moves: Iterable[str], typed: str, size: int) -> Iterator[Suggestion]:
    """The moves that begin with what has been typed, of a seat with these copies; after squares to fill, one more."""
    text = typed.lstrip().lower()
    begun, _, partial = text.rpartition(" ")
    try:
        filled = parsed(begun, size)
    except Unreadable:
        filled = None
    if isinstance(filled, Fill):
        yield from longer_fills(copies, filled, partial, size)
        return
    offered = undoings(copies, size) if text.startswith("undo") else map(Suggestion, moves)
    if text.startswith("fill"):
        offered = fillings(copies, size)
    yield from (suggestion for suggestion in offered if suggestion.move.startswith(text.rstrip()))


def fillings(copies: Iterable[Copy], size: int) -> Iterator[Suggestion]:
    """Where a seat can write the next number of each curve."""
    for which, curve, sheet in copies:
        for square in sheet.openings(curve):
            yield Suggestion(f"fill {which} {Square.of(square, size)}", f"{sheet.following} is next")


def undoings(copies: Iterable[Copy], size: int) -> Iterator[Suggestion]:
    """What a seat can take back. The count is written out, so that each part of the command can be completed."""
    for which, _, sheet in copies:
        if sheet.start is not None and not sheet.filled:
            yield Suggestion(f"undo {which} 1", "takes back the numbering")
        for taken, square in enumerate(reversed(sheet.filled), 1):
            yield Suggestion(f"undo {which} {taken}", f"back to {Square.of(square, size)}")


def longer_fills(copies: Iterable[Copy], filled: Fill, partial: str, size: int) -> Iterator[Suggestion]:
    """The filling of some squares, with each square that can come next."""
    for which, curve, sheet in copies:
        if which == filled.curve:
            try:
                after = sheet.fill(curve, [square.ordinal(size) for square in filled.squares])
            except Illegal:
                return
            openings = (str(Square.of(square, size)) for square in after.openings(curve))
            note = f"ends with {after.following}"
            yield from (Suggestion(f"{filled} {name}", note) for name in openings if name.startswith(partial))
