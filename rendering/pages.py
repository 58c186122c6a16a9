"""Puts boards and lists on pages: whole pictures with a key and a legend, and their alternative texts.

`page` puts a board on its page: below it first the margin of its layout, then the key, then the legend. `lists` puts
rows below one another, and begins a further picture when one is full. A list has no squares: it is measured in points,
from the left edge of the page. `paper` is the layout of a page on which a game draws several boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from rendering import legend, margins
from rendering.boards import HAIR, Layout
from rendering.legend import Entry, colour
from rendering.margins import ACROSS, LINE, Sign
from rendering.shapes import EDGE, LABEL, LEGEND, NOTE, POINTS, Chip, Ink, Line, Picture, Shape, Text, grouped, wrapped

TALLEST = 1400
"""The greatest height of a list in points: about what a phone shows at once."""
LIST = Layout(POINTS, 0, left=0, right=0, above=EDGE / 2, below=0)
"""The page of a list: its squares are points."""
UNIT = 30
"""How many points a square has on a page of several boards (`paper`)."""
WIDE = (POINTS - 2 * EDGE) / UNIT
"""The width of such a page between its edges, in its squares."""
ALT = 1000
"""About how many characters a list of facts has in an alternative text (Discord takes 1,024 of all)."""
CHIP, WORDS = legend.CHIP / UNIT, LEGEND / UNIT
"""The side of a chip there, and the type of words."""


def page(
    layout: Layout,
    name: str,
    alt: str,
    base: Iterable[Shape],
    shapes: Iterable[Shape],
    entries: Sequence[Entry] = (),
    key: Sequence[Sign] = (),
) -> Picture:
    """A board on its page, with a key and the legend below it."""
    top = layout.below + margins.key_height(key)
    left, above, right, _ = layout.extent
    bottom = layout.rows + (top + (legend.height(entries) if entries else EDGE / 2)) * layout.point
    below = (*margins.key(layout, key, layout.below), *(legend.legend(layout, entries, top) if entries else ()))
    ground = layout.rows + (layout.below + EDGE / 2) * layout.point
    extent, shown = (left, above, right, bottom), (*shapes, *below)
    return Picture(name, extent, tuple(base), shown, alt, foot=len(below), ground=min(ground, bottom))


def squared(picture: Picture) -> Picture:
    """The board alone in the middle of a square page: a thumbnail, which Discord cuts to a square, shows all of it."""
    picture = picture.bare
    left, top, right, bottom = picture.extent
    side = max(right - left, bottom - top)
    left, top = (left + right - side) / 2, (top + bottom - side) / 2
    return replace(picture, name=f"{picture.name}-small", extent=(left, top, left + side, top + side))


class Row(NamedTuple):
    """A row of a list: its height, and what draws it about a middle, both in points."""

    height: float
    draw: Callable[[float], Iterable[Shape]]


def heading(*words: str) -> Row:
    """What the rows of a list mean, on a line or several."""
    size = LABEL

    def draw(y: float) -> Iterator[Text]:
        for place, line in enumerate(words):
            yield Text(EDGE, y + (place - (len(words) - 1) / 2) * 1.35 * size, line, size, "faded", "left")

    return Row(1.35 * size * len(words) + 16, draw)


def told(words: str, tag: str = "") -> Row:
    """A sentence of a list, on as many lines as it needs."""
    lines = wrapped(words, NOTE, ACROSS)

    def draw(y: float) -> Iterator[Text]:
        for place, line in enumerate(lines):
            yield Text(EDGE, y + (place - (len(lines) - 1) / 2) * LINE, line, NOTE, "ink", "left", tag=tag)

    return Row(LINE * len(lines) + 10, draw)


def lists(
    name: str, alt: str, rows: Sequence[Row], entries: Sequence[Entry] = (), head: Row | None = None
) -> Iterator[Picture]:
    """Rows on as many pictures as they need, the heading on each, the legend on the last."""
    pages = broken([row.height for row in rows], TALLEST - (head.height if head else 0))
    for number, part in enumerate(pages, 1):
        shown = [*([head] if head else []), *rows[part.start : part.stop]]
        last = number == len(pages)
        stem, said = (name, alt) if len(pages) == 1 else (f"{name}-{number}", f"{alt} Page {number} of {len(pages)}.")
        yield _list(stem, said, shown, entries if last else ())


def _list(name: str, alt: str, rows: Sequence[Row], entries: Sequence[Entry]) -> Picture:
    shapes: list[Shape] = []
    top = 0.0
    for row in rows:
        shapes += row.draw(top + row.height / 2)
        top += row.height
    if entries:
        top += 10
        shapes.append(Line(EDGE, top, POINTS - EDGE, top, "ink", HAIR))
        top += 10
    return page(replace(LIST, rows=top), name, alt, (), shapes, entries)


def broken(heights: Sequence[float], most: float) -> list[range]:
    """Rows in runs at most `most` high together, of about equal height and never empty.

    >>> broken([3, 3, 3, 9, 1], 6)
    [range(0, 2), range(2, 3), range(3, 4), range(4, 5)]
    >>> broken([1, 1, 1, 1], 3)
    [range(0, 2), range(2, 4)]
    """
    pages = _filled(heights, most)
    even = sum(heights) / len(pages) + max(heights, default=0) / 2
    evenly = _filled(heights, min(most, even))
    return evenly if len(evenly) == len(pages) else pages


def _filled(heights: Sequence[float], most: float) -> list[range]:
    starts, filled = [0], 0.0
    for place, height in enumerate(heights):
        if place > starts[-1] and filled + height > most:
            starts.append(place)
            filled = 0
        filled += height
    return [range(start, end) for start, end in zip(starts, [*starts[1:], len(heights)], strict=True)]


# Pages of several boards, which have squares of their own: such a page is measured in squares of 30 points.


def paper(height: float) -> Layout:
    """The layout of such a page with content of this height; its origin is the content's top left corner."""
    return Layout(WIDE, height, EDGE, EDGE, EDGE / 2, EDGE / 2)


def whose(seat: int, words: str, left: float, y: float, ink: Ink = "faded", tag: str = "") -> Iterator[Shape]:
    """A seat's chip and words about what is below them."""
    yield Chip(left + CHIP / 2, y, CHIP, seat)
    yield Text(left + CHIP + 0.5, y, words, WORDS, ink, "left", tag=tag)


# Alternative texts, for players who cannot see a picture.


class LoadedMatch(Protocol):
    """What a position says about who plays."""

    @property
    def turn(self) -> tuple[int, ...]: ...
    @property
    def withdrawn(self) -> tuple[int, ...]: ...


def facts(*said: str) -> str:
    """Whole facts, each a sentence: "Plexus. 7 by 7. Blue has 2 and orange has 1."; empty ones are left out."""
    return " ".join(f"{one[0].upper()}{one[1:]}." for one in said if one)


def progress(position: LoadedMatch, made: int, whole: int, now: str = "") -> str:
    """How far a match of two is: "move 17 of 24", or `now` while it goes on."""
    if position.withdrawn:
        return f"{colour(position.withdrawn[0])} is out after {made} of {whole} moves"
    if position.turn:
        return now or f"move {made} of {whole}"
    return f"finished after {made} moves"


def leavers(position: LoadedMatch) -> str:
    """Who has left a match of several: "blue, green and purple are out"; empty for nobody."""
    if not position.withdrawn:
        return ""
    names, one = together(map(colour, sorted(position.withdrawn))), len(position.withdrawn) == 1
    return f"{names} is out" if one else f"{names} are out"


def standing(scores: Iterable[int]) -> str:
    """The scores of all seats: "blue has 7 and orange has 9"."""
    return together(f"{colour(seat)} has {grouped(score)}" for seat, score in enumerate(scores, 1))


def together(things: Iterable[str]) -> str:
    """Things in a sentence: "a", "a and b", "a, b and c"."""
    *most, last = things
    return f"{', '.join(most)} and {last}" if most else last


def abridged(lines: Iterable[str]) -> str:
    """As many lines of the working as fit into an alternative text."""
    said = "; ".join(lines)
    return said if len(said) <= ALT else f"{said[:ALT].rpartition(';')[0]}; and more"


def described(title: str, board: str, said: str, entries: Sequence[Entry]) -> str:
    """The alt text of a board: the game, its size, how far the match is, and the totals."""
    return facts(title, board, said, together(f"{entry.label} {entry.total}" for entry in entries))
