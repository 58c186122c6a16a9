"""Draws a round of Cross, Don't Cross: the whole circle, what a lens shows of it, and a small circle.

A scene draws the lines, the dots with their numbers, and rings where a lens enlarges what crowds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from cogs.cross_dont_cross.drawing import Drawing
from cogs.cross_dont_cross.labels import Dot, Label, arranged, spread
from cogs.cross_dont_cross.lenses import Lens, View, crowding
from cogs.cross_dont_cross.rules import CrossDontCross, counted, defence, offence
from rendering.boards import HAIR, Layout, on_circle
from rendering.shapes import (
    EDGE,
    LEAST,
    LEGEND,
    POINTS,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Chip,
    Disc,
    Ink,
    Line,
    Path,
    Picture,
    Ring,
    Shape,
    Spot,
    Text,
    grouped,
    width,
)

TITLE, NAME = "Cross, Don't Cross", "cross-dont-cross"

# In points.
CHORD, SEGMENT, BAND, LEADER = 6.0, 3.0, 16.0, 1.5
"""Weights of chords, of segments, of the gold under the last line, and of the line between a dot and its number."""
DOT, HALO, MARK = 5.0, 11.0, 7.0
"""The radius of a dot, of the gold under a new one, and how far a lens's ring passes from the dots under it."""
TYPE, PAD, TALL = LEAST, 3, 14
"""The size of numbers, and what a number's ground has beyond its width and above its middle."""
RIM = 2.0
"""The weight of circles."""
OUTSIDE, APART = 32.0, 46.0
"""How far beyond the circle the numbers of its points stand, and how far from each other."""
NAMED_DEGREES = range(0, 360, 30)
"""The degrees that are written on the rim."""
DEGREES = 104
"""How far from the circle its degrees stand."""
LENS, LENS_GAP, CAPTION = 128, 26, 44
"""The radius of a lens, the gap between two, and the height of what stands below one."""
ABREAST = 3
"""Lenses side by side; more than a row of them goes to a page of its own."""
MILLIONS = 1e7
"""From here on a power of ten says how many times a lens enlarges."""
SMALL_SHARE = 0.6
"""The weight of lines of a small circle, in parts of the usual."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A drawing and how it is shown: the round's number, whether numbers say from where legal segments lead, the
    letters of its lenses, and how many squares of the page a point is."""

    drawing: Drawing
    which: int
    letters: Mapping[Lens, str]
    point: float

    @property
    def inks(self) -> tuple[Ink, Ink]:
        """The inks of chords and of segments."""
        return SEAT_INKS[defence(self.which) - 1], SEAT_INKS[offence(self.which) - 1]

    def lines(self, view: View, middle: Spot, share: float = 1.0, gilded: bool = True) -> Iterator[Shape]:
        """What a view shows of the drawn lines, the last of them on gold; weights are multiplied by `share`."""
        drawn, last = self.drawing.lines, len(self.drawing.lines) - 1 if gilded else -1
        stretches = [view.stretch(*(self.drawing.points[end] for end in line)) for line in drawn]
        if last >= 0 and (latest := stretches[last]):
            yield self._line(middle, latest, "gold", BAND * share)
        for place, stretch in enumerate(stretches):
            if stretch:
                chord = place < len(self.drawing.chords)
                ink, weight = (self.inks[0], CHORD) if chord else (self.inks[1], SEGMENT)
                yield self._line(middle, stretch, ink, weight * share, "gold" if place == last else "paper")

    def dots(self, view: View, middle: Spot) -> Iterator[Shape]:
        """The points that a view shows, new ones on gold."""
        for place, point in enumerate(self.drawing.points):
            if view.holds(point):
                x, y = self.at(middle, view.spot(point))
                if place >= self.drawing.newest:
                    yield Disc(x, y, HALO * self.point, "gold")
                yield Disc(x, y, DOT * self.point, "ink", "gold" if place >= self.drawing.newest else "paper")

    def numbers(self, lens: Lens, middle: Spot, whole: bool = False) -> Iterator[Shape]:
        """Numbers beside all dots that can be told apart, and letters beside the rings about those that cannot."""
        points, view = self.drawing.points, lens.view
        seen = {place: view.spot(point) for place, point in enumerate(points) if view.holds(point)}
        named = {place for place in seen if place in lens.clear or self._alone(place, seen)}
        if whole:
            named -= set(self.drawing.ends.values())
        dots = [_dot(spot, DOT, str(place + 1) if place in named else "") for place, spot in seen.items()]
        rings = [self._ring(view, inner) for inner in lens.inner]
        yield from (Ring(*self.at(middle, it.spot), it.radius * self.point, "ink", RIM * self.point) for it in rings)
        # The dots under a ring are in nobody's way but the ring's.
        free = [dot for dot in dots if dot.text or all(math.dist(dot.spot, it.spot) > it.radius for it in rings)]
        lines = (view.stretch(points[a], points[b]) for a, b in self.drawing.lines)
        labels = arranged([*free, *rings], [line for line in lines if line], view.size)
        yield from (self._leader(middle, label) for label in labels)
        for label in labels:
            yield from self._number(self.at(middle, label.spot), label.dot.text)

    def _alone(self, place: int, seen: Mapping[int, Spot]) -> bool:
        return not any(crowding(self.drawing.points, seen, place, other) for other in seen if other != place)

    def outside(self, view: View, middle: Spot) -> Iterator[Shape]:
        """The numbers of the points on the circle, around it."""
        ends = self.drawing.ends
        angles = spread([float(degree) for degree in ends], math.degrees(APART / (view.size + OUTSIDE)))
        for (degree, place), angle in zip(ends.items(), angles, strict=True):
            start, end = _polar(degree, view.size + DOT), _polar(angle, view.size + OUTSIDE)
            yield self._line(middle, (start, end), "faded", LEADER)
            yield from self._number(self.at(middle, end), str(place + 1))

    def rim(self, view: View, middle: Spot) -> Iterator[Shape]:
        """The edge of a lens, and what it shows of the circle."""
        x, y = self.at(middle, (0, 0))
        yield Ring(x, y, view.size * self.point, "faded", RIM * self.point)
        if arc := view.circle():
            yield Path(tuple(self.at(middle, spot) for spot in arc), "ink", RIM * self.point)

    def at(self, middle: Spot, spot: Spot) -> Spot:
        """A spot given in points from the middle of a view, in squares of the page."""
        return on_page(middle, spot, self.point)

    def _line(self, middle: Spot, ends: tuple[Spot, Spot], ink: Ink, weight: float, on: Ink = "paper") -> Line:
        (x1, y1), (x2, y2) = (self.at(middle, end) for end in ends)
        return Line(x1, y1, x2, y2, ink, weight * self.point, on=on)

    def _leader(self, middle: Spot, label: Label) -> Line:
        (x, y), far = label.dot.spot, math.dist(label.dot.spot, label.spot)
        share = label.dot.radius / far
        start = x + (label.spot[0] - x) * share, y + (label.spot[1] - y) * share
        return self._line(middle, (start, label.spot), "faded", LEADER)

    def _ring(self, view: View, inner: Lens) -> Dot:
        x, y = (inner.view.x - view.x, view.y - inner.view.y)
        scale = view.size / view.radius
        radius = max(inner.view.radius * scale, inner.view.radius * scale / 1.5 + MARK)
        return _dot((x * scale, y * scale), radius, self.letters[inner])

    def _number(self, spot: Spot, text: str) -> Iterator[Shape]:
        """A number on its ground, or a lens's letter on a dark one."""
        ground, ink = self._look(text)
        (x, y), (wide, high) = spot, (side * self.point for side in _half(text))
        yield Box(x - wide, y - high, 2 * wide, 2 * high, ground)
        yield Text(x, y, text, TYPE * self.point, ink, on=ground)

    def _look(self, text: str) -> tuple[Ink, Ink]:
        if text.isalpha():
            return "ink", "paper"
        if self.drawing.partners(int(text) - 1):
            return TINT_INKS[offence(self.which) - 1], "ink"
        return "paper", "faded" if self.drawing.crossings else "ink"


def _dot(spot: Spot, radius: float, text: str) -> Dot:
    return Dot(spot, radius, text, _half(text))


def _half(text: str) -> Spot:
    return width(text, TYPE) / 2 + PAD, TALL


def on_page(middle: Spot, spot: Spot, unit: float) -> Spot:
    """A spot given in points from the middle of a view, in squares of the page; a point is so many squares."""
    return middle[0] + spot[0] * unit, middle[1] + spot[1] * unit


def _polar(degree: float, radius: float) -> Spot:
    angle = math.radians(degree)
    return radius * math.sin(angle), -radius * math.cos(angle)


# Parts of pages.


@lru_cache(maxsize=64)
def circle(layout: Layout, degrees: bool) -> tuple[Shape, ...]:
    """The circle of a board, with its degrees while chords are drawn."""
    unit = layout.point
    ring = Ring(1, 1, 1, "ink", HAIR * unit)
    if not degrees:
        return (ring,)
    ticks = (
        Line(*on_circle(angle), *on_circle(angle, 1 + (10 if angle % 30 else 18) * unit), "faded", 2 * unit)
        for angle in range(0, 360, 10)
    )
    names = (Text(*on_circle(angle, 1 + DEGREES * unit), f"{angle}°", TYPE * unit, "faded") for angle in NAMED_DEGREES)
    return (ring, *ticks, *names)


def middles(lenses: Sequence[Lens], layout: Layout, y: float) -> list[tuple[Lens, Spot]]:
    """A row of lenses, each with where its middle lies."""
    unit, pitch = layout.point, 2 * LENS + LENS_GAP
    left = layout.edges[0] + (ABREAST - len(lenses)) * pitch / 2 * unit
    return [(lens, (left + (LENS + place * pitch) * unit, y)) for place, lens in enumerate(lenses)]


def through(scene: Scene, top: Lens, row: Sequence[tuple[Lens, Spot]], layout: Layout) -> Iterator[Shape]:
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


class Page(NamedTuple):
    """A picture and what is seen on it: the whole circle or lenses, each with where its middle lies."""

    picture: Picture
    views: Sequence[tuple[View, Spot]]


def lens_page(scene: Scene, top: Lens, lenses: Sequence[Lens], number: int) -> Page:
    """A page of lenses alone."""
    pitch, rows = 2 * LENS + CAPTION, -(-len(lenses) // ABREAST)
    layout = Layout(2, rows * pitch / (POINTS - 2 * EDGE) * 2, EDGE, EDGE, EDGE / 2, EDGE / 2)
    scene = Scene(scene.drawing, scene.which, scene.letters, layout.point)
    found: list[tuple[Lens, Spot]] = []
    for row in range(rows):
        y = (row * pitch + LENS) * layout.point
        found += middles(lenses[row * ABREAST : (row + 1) * ABREAST], layout, y)
    picture = Picture(
        name=f"{NAME}-{scene.which}-enlarged-{number}",
        extent=layout.extent,
        base=(),
        shapes=tuple(through(scene, top, found, layout)),
        alt=f"{TITLE}, {len(lenses)} parts of the circle, where intersections crowd, enlarged.",
    )
    return Page(picture, [(lens.view, middle) for lens, middle in found])


def small(position: CrossDontCross, which: int, view: View, middle: Spot, layout: Layout) -> Iterator[Shape]:
    """A round without numbers, and what was drawn in it."""
    unit, tag, seat = layout.point, position.working_of_round(which), offence(which)
    x, y = middle[0] * unit, middle[1] * unit
    scene = Scene(position.drawings[which - 1], which, {}, unit)
    yield Ring(x, y, view.size * unit, "ink", HAIR * unit)
    yield from scene.lines(view, (x, y), SMALL_SHARE, gilded=which == position.round)
    y += (view.size + 38) * unit
    words, size = f"round {which}: {counted(len(scene.drawing.segments))}", LEGEND * unit
    if width(words, size) > (2 * view.size - 46) * unit:
        words = words.partition(" seg")[0]
    left = x - (width(words, size) + 46 * unit) / 2
    yield Chip(left + 18 * unit, y, 36 * unit, seat, tag=tag)
    yield Text(left + 46 * unit, y, words, size, "ink", "left", tag=tag)
