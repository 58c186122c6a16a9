"""Cross, Don't Cross as pictures: the circle with every intersection numbered, and what crowds enlarged under lenses.

Chords are heavy lines in the defence's colour, segments thin ones in the offence's; the last line lies on gold. What
the next segment must do stands above the circle, and a number on the offence's tint is one from which a legal segment
leads. Up to three lenses stand below the circle, more on a page of their own. When the match is over, the first page
shows all rounds side by side with their counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cogs.cross_dont_cross.captions import coming, entries, progress, totals
from cogs.cross_dont_cross.lenses import UNIT, Lens, View, whole
from cogs.cross_dont_cross.rules import CrossDontCross, counted, offence
from cogs.cross_dont_cross.scene import CHORD, SEGMENT, TYPE, Scene
from rendering import boards
from rendering.boards import Layout
from rendering.margins import Sign
from rendering.pages import page
from rendering.shapes import (
    EDGE,
    LEAST,
    LEGEND,
    POINTS,
    TINT_INKS,
    Box,
    Chip,
    Ink,
    Line,
    Picture,
    Ring,
    Shape,
    Spot,
    Text,
    grouped,
    width,
)

TITLE, NAME = "Cross, Don't Cross", "cross-dont-cross"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LETTERS = (*ALPHABET, *(first + second for first in "ABC" for second in ALPHABET))
"""Names of lenses: there are fewer of them than intersections."""

# In points.
STATUS = 56
"""The height of the line that says what is next."""
SIDE, SCALE_SIDE, AWAY, SCALE_AWAY = 70, 150, 50, 130
"""Left and right of the circle, and above and below it: without degrees, and with them."""
DEGREES = 104
"""How far from the circle its degrees stand."""
SAMPLE = 56
"""A line in the key."""
LENS, LENS_GAP, CAPTION = 128, 26, 44
"""The radius of a lens, the gap between two, and the height of what stands below one."""
MIDDLE: Spot = (1.0, 1.0)
"""Where the middle of the circle lies, in squares."""
ABREAST = 3
"""Lenses side by side; more than a row of them goes to a page of its own."""
MILLIONS = 1e7
"""From here on a power of ten says how many times a lens enlarges."""
LENSES = 12
"""The most lenses on a page."""
SMALL_GAP, SMALL_CAPTION = 40, 92
"""Between two rounds side by side, and below each."""
SMALL_SHARE = 0.6
"""The weight of lines there."""


def pictures(position: CrossDontCross) -> tuple[Picture, ...]:
    """The board, with lenses where it takes them; at a round's end that round again, after the last one all rounds."""
    if not position.turn:
        return (_summary(position), *_boards(position, position.round))
    if position.round > 1 and not position.drawing.chords:
        return (*_boards(position, position.round), *_boards(position, position.round - 1))
    return tuple(_boards(position, position.round))


# A round.


@lru_cache(maxsize=64)
def _layout(degrees: bool, lenses: bool) -> Layout:
    side, away = (SCALE_SIDE, SCALE_AWAY) if degrees else (SIDE, AWAY)
    row = 2 * LENS + CAPTION if lenses else 0
    return Layout(2, 2, side, side, EDGE / 2 + STATUS + away, away + row)


@lru_cache(maxsize=64)
def _base(layout: Layout, degrees: bool) -> tuple[Shape, ...]:
    unit = layout.point
    ring = Ring(1, 1, 1, "ink", boards.HAIR * unit)
    if not degrees:
        return (ring,)
    ticks = (
        Line(
            *boards.on_circle(angle), *boards.on_circle(angle, 1 + (10 if angle % 30 else 18) * unit), "faded", 2 * unit
        )
        for angle in range(0, 360, 10)
    )
    named = range(0, 360, 30)
    names = (Text(*boards.on_circle(angle, 1 + DEGREES * unit), f"{angle}°", TYPE * unit, "faded") for angle in named)
    return (ring, *ticks, *names)


class Page(NamedTuple):
    """A picture and what is seen on it: the whole circle or lenses, each with where its middle lies."""

    picture: Picture
    views: Sequence[tuple[View, Spot]]


def _boards(position: CrossDontCross, which: int) -> Iterator[Picture]:
    return (page.picture for page in pages_of(position, which))


def pages_of(position: CrossDontCross, which: int) -> Iterator[Page]:
    """The page of a round, and one for its lenses where they are many."""
    drawing = position.drawings[which - 1]
    degrees = len(drawing.chords) < position.chords
    bare = _layout(degrees, False)
    top = whole(drawing.points, 1 / bare.point, LENS)
    lenses = tuple(top.all())
    letters = dict(zip(lenses, LETTERS, strict=False))
    beside = 0 < len(lenses) <= ABREAST
    layout = _layout(degrees, beside)
    scene = Scene(drawing, which, letters, layout.point)
    row = _middles(lenses, layout, _row(layout)) if beside else []
    alt = f"{TITLE}, {progress(position, which)}: {totals(position)}."
    shapes = (*_on_board(position, scene, top, layout), *_through(scene, top, row, layout))
    signs = tuple(_signs(scene, layout.point))
    board = page(layout, f"{NAME}-{which}", alt, _base(layout, degrees), shapes, entries(position, which), signs)
    yield Page(board, [(top.view, MIDDLE), *((lens.view, middle) for lens, middle in row)])
    if not beside:
        for number, first in enumerate(range(0, len(lenses), LENSES), 1):
            yield _lens_page(scene, top, lenses[first : first + LENSES], number)


def _on_board(position: CrossDontCross, scene: Scene, top: Lens, layout: Layout) -> Iterator[Shape]:
    middle, view = MIDDLE, top.view
    yield from _status(position, scene, layout)
    yield from scene.lines(view, middle)
    yield from scene.outside(view, middle)
    yield from scene.dots(view, middle)
    yield from scene.numbers(top, middle, whole=True)
    if len(scene.letters) > ABREAST:
        first, *_, last = scene.letters.values()
        words, y = f"{first} to {last}: next picture", layout.rows + (layout.below - 12) * layout.point
        yield Text(layout.edges[1], y, words, LEAST * layout.point, "ink", "right")


def _status(position: CrossDontCross, scene: Scene, layout: Layout) -> Iterator[Shape]:
    """What the next line must do, or how the round ended."""
    unit, (left, right) = layout.point, layout.edges
    y = -layout.above * unit + (EDGE / 2 + STATUS / 2) * unit
    words, choice = coming(position, scene.which)
    yield Text(left, y, words, LEGEND * unit, "ink", "left")
    yield Text(right, y, choice, LEAST * unit, "faded", "right")


def _signs(scene: Scene, unit: float) -> Iterator[Sign]:
    """What lines and grounds mean."""

    def line(ink: Ink, weight: float) -> Callable[[float, float], Iterable[Shape]]:
        return lambda x, y: (Line(x, y, x + SAMPLE * unit, y, ink, weight * unit),)

    def ground(x: float, y: float) -> Iterator[Shape]:
        yield Box(x, y - 13 * unit, 36 * unit, 26 * unit, TINT_INKS[offence(scene.which) - 1])

    for ink, weight, words in zip(scene.inks, (CHORD, SEGMENT), ("chords", "segments"), strict=True):
        yield Sign(words, SAMPLE, line(ink, weight))
    if scene.drawing.crossings:
        yield Sign("can start or end the next", 36, ground)


# Lenses.


def _row(layout: Layout) -> float:
    """The middle of the lenses side by side below the circle."""
    return layout.rows + (layout.below - LENS - CAPTION) * layout.point


def _middles(lenses: Sequence[Lens], layout: Layout, y: float) -> list[tuple[Lens, Spot]]:
    """A row of lenses, each with where its middle lies."""
    unit, pitch = layout.point, 2 * LENS + LENS_GAP
    left = layout.edges[0] + (ABREAST - len(lenses)) * pitch / 2 * unit
    return [(lens, (left + (LENS + place * pitch) * unit, y)) for place, lens in enumerate(lenses)]


def _through(scene: Scene, top: Lens, row: Sequence[tuple[Lens, Spot]], layout: Layout) -> Iterator[Shape]:
    """What lenses show, each with its letter and how many times it enlarges."""
    unit = layout.point
    for lens, middle in row:
        yield from scene.lines(lens.view, middle)
        yield from scene.rim(lens.view, middle)
        yield from scene.dots(lens.view, middle)
        yield from scene.numbers(lens, middle)
        words = f"{scene.letters[lens]}: {_times(lens.view.times / top.view.times)}"
        size = layout.fit(words, 2 * LENS * unit, LEAST)
        yield Text(middle[0], middle[1] + (LENS + CAPTION / 2) * unit, words, size, "ink")


def _times(factor: float) -> str:
    """How many times a lens enlarges."""
    if factor < 10:
        return f"{factor:.1f} times"
    if factor < MILLIONS:
        return f"{grouped(round(factor))} times"
    return f"10^{round(math.log10(factor))} times"


def _lens_page(scene: Scene, top: Lens, lenses: Sequence[Lens], number: int) -> Page:
    pitch, rows = 2 * LENS + CAPTION, -(-len(lenses) // ABREAST)
    layout = Layout(2, rows * pitch / (POINTS - 2 * EDGE) * 2, EDGE, EDGE, EDGE / 2, EDGE / 2)
    scene = Scene(scene.drawing, scene.which, scene.letters, layout.point)
    found: list[tuple[Lens, Spot]] = []
    for row in range(rows):
        y = (row * pitch + LENS) * layout.point
        found += _middles(lenses[row * ABREAST : (row + 1) * ABREAST], layout, y)
    picture = Picture(
        name=f"{NAME}-{scene.which}-enlarged-{number}",
        extent=layout.extent,
        base=(),
        shapes=tuple(_through(scene, top, found, layout)),
        alt=f"{TITLE}, {len(lenses)} parts of the circle, where intersections crowd, enlarged.",
    )
    return Page(picture, [(lens.view, middle) for lens, middle in found])


# All rounds.


def _summary(position: CrossDontCross) -> Picture:
    abreast = 2 if position.round <= 4 else 3
    rows = -(-position.round // abreast)
    size = (POINTS - 2 * EDGE - (abreast - 1) * SMALL_GAP) / abreast / 2
    pitch = 2 * size + SMALL_CAPTION
    layout = Layout(2, rows * pitch / (POINTS - 2 * EDGE) * 2, EDGE, EDGE, EDGE / 2, 10)
    found: list[Shape] = []
    for place in range(position.round):
        row, column = divmod(place, abreast)
        middle = size + column * (2 * size + SMALL_GAP), size + row * pitch
        found += _small(position, place + 1, View(0, 0, UNIT, size), middle, layout)
    alt = f"{TITLE}, {progress(position, position.round, over=True)}: {totals(position)}."
    return page(layout, NAME, alt, (), found, entries(position, 0))


def _small(position: CrossDontCross, which: int, view: View, middle: Spot, layout: Layout) -> Iterator[Shape]:
    """A round without numbers, and what was drawn in it."""
    unit, tag, seat = layout.point, position.working_of_round(which), offence(which)
    x, y = middle[0] * unit, middle[1] * unit
    scene = Scene(position.drawings[which - 1], which, {}, unit)
    yield Ring(x, y, view.size * unit, "ink", boards.HAIR * unit)
    yield from scene.lines(view, (x, y), SMALL_SHARE, gilded=which == position.round)
    y += (view.size + 38) * unit
    words, size = f"round {which}: {counted(len(scene.drawing.segments))}", LEGEND * unit
    if width(words, size) > (2 * view.size - 46) * unit:
        words = words.partition(" seg")[0]
    left = x - (width(words, size) + 46 * unit) / 2
    yield Chip(left + 18 * unit, y, 36 * unit, seat, tag=tag)
    yield Text(left + 46 * unit, y, words, size, "ink", "left", tag=tag)
