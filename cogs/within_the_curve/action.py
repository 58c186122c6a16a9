"""The five moves of the game as values: read from forgiving text, written in canonical notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bot.core.game.notation import (
    Square,
    listed,
    quote,
    squares,
    tidy,
    whole,
)
from bot.core.game.position import Unreadable

WORDS = {"cw": True, "clockwise": True, "ccw": False, "counterclockwise": False, "anticlockwise": False}
"""How a direction may be written: whether it is clockwise."""


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


def parsed(text: str, size: int) -> Action:
    """The move that a text means on a grid of this side, or `Unreadable`."""
    word, _, rest = tidy(text).partition(" ")
    if word not in READERS:
        raise Unreadable(f"{quote(text)} is no move: it begins with {', '.join(READERS)[:-6]} or done.")
    return READERS[word](rest, size)


def _draw(rest: str, size: int) -> Draw:
    if not rest:
        raise Unreadable("The corners are missing: write them in order, like curve a1 d1 d3 a3.")
    return Draw(squares(rest, size, size))


def _number(rest: str, size: int) -> Number:
    curve, *square, turning = rest.split(" ") if rest.count(" ") > 1 else ("", "")
    if not square:
        raise Unreadable("Write the curve, the square that gets 1, and cw or ccw, like number 2 c4 cw.")
    if turning not in WORDS:
        raise Unreadable(f"{quote(turning)} is no direction: write cw or ccw (clockwise or counterclockwise).")
    return Number(whole(curve), Square.parse(" ".join(square), size, size), WORDS[turning])


def _fill(rest: str, size: int) -> Fill:
    curve, _, places = rest.partition(" ")
    if not places:
        raise Unreadable("Write the curve and one square or more, like fill 2 c4.")
    return Fill(whole(curve), squares(places, size, size))


def _undo(rest: str, size: int) -> Undo:
    curve, _, taken = rest.partition(" ")
    if not curve:
        raise Unreadable("Write the curve and, if not 1, how many numbers to take back, like undo 2 3.")
    return Undo(whole(curve), whole(taken) if taken else 1)


def _done(rest: str, size: int) -> Done:
    if rest:
        raise Unreadable(f"Nothing follows the word done, but {quote(rest)} does: write done alone.")
    return Done()


READERS: dict[str, Callable[[str, int], Action]] = {
    "curve": _draw,
    "number": _number,
    "fill": _fill,
    "undo": _undo,
    "done": _done,
}
