"""Draws Combining And Dividing Integers: the present list, large, and below it the lists before it.

A prime's box is dark, another's light: when all are dark the match is won. What the last change made stands on gold. Of
the changes the latest come first, each with the list that it made, in which the new integers are framed by the seat
that made them. When the match is over and not all changes are on the board, further pictures list them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from bot.core.values.plural import Plural, together
from bot.core.values.primes import is_prime
from cogs.combining_dividing import history
from cogs.combining_dividing.boxes import NUMBER, NUMBER_TYPE, Place, Style, box, chosen, height
from cogs.combining_dividing.rules import CombiningDividing
from rendering import frames, legend, margins
from rendering.boards import HAIR, Layout
from rendering.legend import Entry, colour
from rendering.margins import Sign
from rendering.pages import facts, page
from rendering.shapes import EDGE, LEAST, POINTS, Box, Ink, Picture, Shape, Text, fitting

TITLE, NAME = "Combining And Dividing Integers", "combining-dividing"
ON_A_PAD = 4
"""The most rows of the history on a pad, whose keys need the room."""
HIGHEST, AT_THE_END = 1.05, 1.16
"""The greatest height of a board while it is played and at the end, in widths."""

# In points.
PAGE = POINTS - 2 * EDGE
GAP, BELOW = 10, 8
"""Above the list, and below it."""
SAMPLE = 32
RIM = 6
"""By how much the ground of the last change is larger than its boxes."""

BLANK = 10
"""An integer that a box to come has room for."""
KEYS: tuple[tuple[Ink, str], ...] = (("ink", "prime"), ("paper", "not prime: leave none of these to win"))
LIST_OF_NONE, LIST_OF_ALL = "the list is empty", "the list is {numbers}"
LIST_OF_MANY = "the list is {numbers} and {more} more"
ALT = 60
"""How many integers the description of a picture names."""
ENDED = Plural("ended after 1 change", "ended after {number} changes")


def pictures(position: CombiningDividing) -> tuple[Picture, ...]:
    """The board; when the match is over and not all changes are on it, also pages with all of them."""
    rows = _rows(position)
    board = _board(position, rows)
    if position.turn or rows > len(position.changes) or not position.changes:
        return (board,)
    return (board, *history.pages(position.changes, TITLE, NAME))


# The board. Measures are in points, and become those of the page where shapes are made.


def _list(position: CombiningDividing) -> tuple[Style, list[Place]]:
    """How the list is laid out; while it is being built, with room for the rest."""
    rest = position.length - len(position.numbers) if position.building else 0
    return chosen((*position.numbers, *(BLANK,) * rest), PAGE)


def _board(position: CombiningDividing, rows: int) -> Picture:
    layout = Layout(20, 0, EDGE, EDGE, EDGE / 2, _top(position) + history.height(rows))
    return page(
        layout, NAME, _alt(position), (), _on_board(position, layout, rows), _entries(position), _signs(layout.point)
    )


def _top(position: CombiningDividing) -> float:
    """Where the history begins."""
    style, places = _list(position)
    return GAP + height(places, style) + BELOW


def _rows(position: CombiningDividing) -> int:
    """How many rows of the history are on the board."""
    rest = _top(position) + margins.key_height(_signs(1)) + legend.height(_entries(position))
    highest = HIGHEST if position.turn else AT_THE_END
    return history.fitting(len(position.changes), highest * POINTS - EDGE / 2 - rest)


def _on_board(position: CombiningDividing, layout: Layout, rows: int) -> Iterator[Shape]:
    yield from _integers(position, layout, *_list(position))
    yield from history.table(position, layout, rows, _top(position))


def _integers(position: CombiningDividing, layout: Layout, style: Style, places: list[Place]) -> Iterator[Shape]:
    unit, new = layout.point, _new(position)
    composite = set(position.composite())
    for at in new:
        place = places[at]
        left, top = place.x - RIM, _middle(style, place) - style.high / 2 - RIM
        wide = (
            place.wide + 2 * RIM + (style.gap - 2 * RIM if at + 1 in new and places[at + 1].line == place.line else 0)
        )
        yield Box(left * unit, top * unit, wide * unit, (style.high + 2 * RIM) * unit, "gold")
    for at, place in enumerate(places):
        y = _middle(style, place)
        yield from _number(layout, style, place, at, y, first=not at or places[at - 1].line < place.line)
        if at < len(position.numbers):
            tag = position.explain(at) if at in composite else ""
            on: Ink = "gold" if at in new else "paper"
            yield from box(layout, place, y, position.numbers[at], style, on, tag)
        else:
            left, top, radius = place.x * unit, (y - style.high / 2) * unit, 0.16 * style.high * unit
            yield Box(left, top, place.wide * unit, style.high * unit, None, "faded", HAIR * unit, radius)


def _number(layout: Layout, style: Style, place: Place, at: int, y: float, first: bool) -> Iterator[Shape]:
    """The number of a position: above its box, or at the left of a line for its first."""
    unit = layout.point
    if style.numbered:
        above = y - style.high / 2 - NUMBER / 2 - RIM / 2
        yield Text((place.x + place.wide / 2) * unit, above * unit, str(at + 1), NUMBER_TYPE * unit, "faded")
    elif first:
        yield Text((place.x - 16) * unit, y * unit, str(at + 1), NUMBER_TYPE * unit, "faded", "right")


def _middle(style: Style, place: Place) -> float:
    """The middle of a box, in points below the head of the page."""
    return GAP + place.line * style.pitch + (NUMBER if style.numbered else 0) + style.high / 2


def _new(position: CombiningDividing) -> range:
    """The places of what was written last, or of what the last change made."""
    for change in position.changes[-1:]:
        return range(change.place, change.place + len(change.after))
    return range(len(position.numbers))[-1:]


def _signs(unit: float) -> tuple[Sign, ...]:
    """What dark and light boxes are."""
    side = SAMPLE * unit

    def box_of(fill: Ink) -> Callable[[float, float], Iterable[Shape]]:
        return lambda x, y: (Box(x, y - side / 2, side, side, fill, "ink", HAIR * unit, 5 * unit),)

    return tuple(Sign(words, SAMPLE, box_of(fill)) for fill, words in KEYS)


# On a pad.


def sketch(position: CombiningDividing, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the integer to come in its frame, or with those framed that are to be split or added."""
    board, (style, places) = _board(position, min(_rows(position), ON_A_PAD)), _list(position)
    marks: list[Shape] = []
    if number := chosen.get("number"):
        marks += _framed(places[len(position.numbers)], style, number, board.point, number)
    elif at := chosen.get("position"):
        for place in range(int(at) - 1, int(at) + (kind == "add")):
            marks += _framed(places[place], style, str(place + 1), board.point)
    board = frames.over(board, marks)
    if factors := chosen.get("factors"):
        board = frames.noted(board, f"split into {together(factors.split())}", factors)
    return (board,)


def _framed(place: Place, style: Style, name: str, unit: float, number: str = "") -> Iterator[Shape]:
    middle = _middle(style, place) * unit
    high, left = style.high * unit, place.x * unit
    yield from frames.box(left, middle - high / 2, place.wide * unit, high, name, unit)
    if number:
        size = fitting(number, style.type * unit, 0.86 * place.wide * unit, LEAST * unit)
        yield Text(left + place.wide / 2 * unit, middle, number, size, tag=frames.tagged(number))


# What all say.


def _entries(position: CombiningDividing) -> tuple[Entry, ...]:
    ranks, tag = position.ranks() or (0,) * position.seats, "".join(position.verdict())
    states = [_state(position, seat, rank) for seat, rank in enumerate(ranks, 1)]
    return legend.entries(position, totals=states, tags=[tag * (rank == 1) for rank in ranks])


def _state(position: CombiningDividing, seat: int, rank: int) -> str:
    if seat in position.withdrawn:
        return "left"
    return "" if rank != 1 else "draw" if position.tied and not position.deserted else "wins"


def _progress(position: CombiningDividing) -> str:
    changes = len(position.changes)
    if position.winner:
        return f"all prime: {colour(position.winner)} wins with change {changes}"
    if position.building and position.turn:
        return f"{len(position.numbers)} of {position.length} numbers written, 1 to {position.largest}"
    if position.tied and not position.deserted:
        return f"a draw after {changes} changes"
    return f"change {changes} of {position.limit}" if position.turn else ENDED.of(changes)


def _primes(position: CombiningDividing) -> str:
    if position.winner or position.building and position.turn:
        return ""
    return f"{sum(map(is_prime, position.numbers))} of {len(position.numbers)} numbers are prime"


def _alt(position: CombiningDividing) -> str:
    numbers = position.numbers[:ALT]
    said, more = " ".join(map(str, numbers)), len(position.numbers) - ALT
    told = LIST_OF_NONE if not numbers else LIST_OF_MANY if more > 0 else LIST_OF_ALL
    return facts(TITLE, _progress(position), _primes(position), told.format(numbers=said, more=more))
