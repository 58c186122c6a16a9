"""Draws a round of Cross, Don't Cross: the whole circle, what a lens shows of it, and a small circle.

A scene draws the lines, the dots with their numbers, and rings where a lens enlarges what crowds.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, Self

from cogs.cross_dont_cross.crossings import BITS, Drawing, Point
from cogs.cross_dont_cross.rules import CrossDontCross, attacking_seat, defending_seat, format_count
from rendering.boards import HAIR, Layout, spot_on_circle
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
    text_width,
)

# Finds places for the numbers of intersections: near their dots, clear of other dots and numbers.


CELL = 8
MARGIN = 80.0
"""How far beyond the view a text may reach whose middle is in it."""
LINE, DOT_COST, NUMBER, BEYOND = 1.0, 25.0, 100.0, 100.0
"""What it costs to hide a cell of a line, of a dot, of a number, and to stand beyond the view."""
GAPS = ((10.0, 0.0), (24.0, 5.0), (40.0, 10.0), (58.0, 16.0), (80.0, 23.0), (108.0, 32.0))
"""Gaps between a dot and its number, and what they cost."""
WAYS = tuple((math.sin(turn * math.pi / 8), -math.cos(turn * math.pi / 8)) for turn in (2, 6, 10, 14, *range(16)))
"""The directions in which a number may stand, diagonals first."""
CLEARANCE = 3.0
"""How far beyond its edge a dot hides cells."""
BESIDE = 100.0
"""Dots closer than this are neighbours."""
LEADER_COST = 0.4
"""What a cell under the line from a dot to its number costs, in parts of what it costs under a number."""
ROUNDS = 200
"""How often numbers around the circle are pushed apart at most."""


class Dot(NamedTuple):
    """A dot, or a ring around several, with the text that names it; one without text is only in the way."""

    spot: Spot
    radius: float
    text: str = ""
    half: Spot = (0, 0)
    """Half the width and height of the text."""


class Label(NamedTuple):
    """Where the middle of a dot's text stands."""

    dot: Dot
    spot: Spot


class CostSheet:
    """The cells of a view with a radius and of a margin about it, each with what it costs to hide it."""

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self.side = 2 * math.ceil((radius + MARGIN) / CELL)
        self.costs = list(_empty_costs(radius, self.side))

    def cells_under(self, spot: Spot, half: Spot) -> list[slice]:
        """The cells under a text, row by row."""
        side, middle = self.side, self.side / 2
        (x, y), (wide, high) = spot, half
        left, right = int((x - wide) / CELL + middle), int((x + wide) / CELL + middle) + 1
        top, bottom = int((y - high) / CELL + middle), int((y + high) / CELL + middle) + 1
        return [slice(row * side + left, row * side + right) for row in range(top, bottom)]

    def cells_along(self, start: Spot, end: Spot) -> set[int]:
        side, middle = self.side, self.side / 2
        steps = max(1, math.ceil(math.dist(start, end) / CELL))
        x, y = start[0] / CELL + middle, start[1] / CELL + middle
        dx, dy = (end[0] - start[0]) / CELL / steps, (end[1] - start[1]) / CELL / steps
        return {int(y + step * dy) * side + int(x + step * dx) for step in range(steps + 1)}

    def cover_cells(self, spot: Spot, half: Spot, cost: float) -> None:
        """Make the cells under a text or a dot dearer."""
        for row in self.cells_under(spot, half):
            self.costs[row] = [each + cost for each in self.costs[row]]

    def cross_cells(self, start: Spot, end: Spot) -> None:
        """Make the cells along a line dearer."""
        for cell in self.cells_along(start, end):
            self.costs[cell] += LINE

    def holds(self, spot: Spot) -> bool:
        return math.hypot(*spot) < self.radius

    def hiding_cost(self, spot: Spot, half: Spot) -> float:
        """What a text would hide."""
        return sum(sum(self.costs[row]) for row in self.cells_under(spot, half))

    def crossing_cost(self, start: Spot, end: Spot) -> float:
        """What a line to a text would hide."""
        return LEADER_COST * sum(self.costs[cell] for cell in self.cells_along(start, end))


@lru_cache(maxsize=8)
def _empty_costs(radius: float, side: int) -> tuple[float, ...]:
    middles = [(place + 0.5 - side / 2) * CELL for place in range(side)]
    return tuple(BEYOND * (math.hypot(x, y) > radius - CELL / 2) for y in middles for x in middles)


def arrange_labels(dots: Sequence[Dot], lines: Iterable[tuple[Spot, Spot]], radius: float) -> list[Label]:
    sheet = CostSheet(radius)
    for line in lines:
        sheet.cross_cells(*line)
    for dot in dots:
        reach = dot.radius + CLEARANCE
        sheet.cover_cells(dot.spot, (reach, reach), DOT_COST)
    named = [dot for dot in dots if dot.text]
    crowd = {dot: sum(math.dist(dot.spot, other.spot) < BESIDE for other in dots) for dot in named}
    return [_choose_label(sheet, dot) for dot in sorted(named, key=lambda dot: -crowd[dot])]


def _choose_label(sheet: CostSheet, dot: Dot) -> Label:
    least, best = math.inf, dot.spot
    for gap, far in GAPS:
        if least <= far:
            break
        for spot in filter(sheet.holds, _spots_around(dot, gap)):
            cost = far + sheet.hiding_cost(spot, dot.half)
            if cost < least:
                cost += sheet.crossing_cost(_leader_start(dot, spot), spot)
            if cost < least:
                least, best = cost, spot
    sheet.cover_cells(best, dot.half, NUMBER)
    sheet.cross_cells(_leader_start(dot, best), best)
    return Label(dot, best)


def _spots_around(dot: Dot, gap: float) -> Iterator[Spot]:
    # The text's box is moved out along each way until it is so far from the dot's edge.
    (x, y), (wide, high), reach = dot.spot, dot.half, dot.radius + gap
    for right, down in WAYS:
        yield x + right * reach + _sign_of(right) * wide, y + down * reach + _sign_of(down) * high


def _sign_of(part: float) -> float:
    # A text above or beside its dot is centred on it.
    return 0.0 if abs(part) < 0.3 else math.copysign(1.0 if abs(part) > 0.6 else 0.6, part)


def _leader_start(dot: Dot, spot: Spot) -> Spot:
    """Where a line to a label leaves a dot."""
    (x, y), share = dot.spot, (dot.radius + CLEARANCE + CELL) / math.dist(dot.spot, spot)
    return x + (spot[0] - x) * share, y + (spot[1] - y) * share


# Around the circle.


def spread_angles(angles: Sequence[float], gap: float) -> list[float]:
    """Angles in degrees near the given ones, at least `gap` apart on the circle; a crowd is spread about its middle."""
    order = sorted(range(len(angles)), key=lambda place: angles[place])
    found = list(angles)
    for _ in range(ROUNDS):
        lacks = 0.0
        for turn, a, b in zip((*(0 for _ in order[1:]), 360), order, (*order[1:], *order[:1]), strict=False):
            lack = max(0.0, gap - (found[b] + turn - found[a]))
            found[a], found[b], lacks = found[a] - lack / 2, found[b] + lack / 2, lacks + lack
        if lacks < 0.01:
            break
    return found


# Finds where intersections crowd, and computes what a lens shows of them.


UNIT = 1 << BITS
LEAST_LENS = 1 << BITS // 2
"""The smallest radius of a lens; what crowds even there is not told apart."""

# In points on the page.
LENSES_APART = 14.0
"""Points closer than this crowd, unless both are on the circle, where their numbers stand outside."""
WIDEST = 60.0
"""How far apart the points under one lens are at most, where they are gathered."""

LENS_EDGE = 0.5
"""A point counts as seen so far beyond the edge of a view; points of the circle lie on the edge of the whole."""

Stretch = tuple[Spot, Spot]


@dataclass(frozen=True, slots=True)
class View:
    """A disc of the drawing: its centre and radius in units of 2^-BITS, and its radius on the page, in points."""

    x: int
    y: int
    radius: int
    size: float

    def spot(self, point: Point) -> Spot:
        """Where a point is seen: points right and down from the middle of the view."""
        scale = self.size / self.radius
        return (point.place.x - self.x) * scale, (self.y - point.place.y) * scale

    def holds(self, point: Point) -> bool:
        return math.hypot(*self.spot(point)) < self.size + LENS_EDGE

    def visible_stretch(self, a: Point, b: Point) -> Stretch | None:
        """What is seen of the line from a to b; None for nothing."""
        ax, ay, bx, by = a.place.x - self.x, self.y - a.place.y, b.place.x - self.x, self.y - b.place.y
        length = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        # How far the line passes from the middle, and where along it from there its ends lie, in radii.
        off = (ax * by - ay * bx) / length / self.radius
        half = math.sqrt(max(0.0, 1 - off**2))
        start, end = ((x * ux + y * uy) / self.radius for x, y in ((ax, ay), (bx, by)))
        start, end = max(start, -half), min(end, half)
        if start >= end:
            return None
        first, last = ((along * ux + off * uy, along * uy - off * ux) for along in (start, end))
        return (first[0] * self.size, first[1] * self.size), (last[0] * self.size, last[1] * self.size)

    def visible_circle(self) -> tuple[Spot, ...]:
        """What a view smaller than the circle shows of it, as a way of short lines; empty for nothing."""
        away = math.isqrt(self.x**2 + self.y**2)
        gap = (UNIT - away) / self.radius
        if gap >= 1 or not away:
            return ()
        # Along the tangent at the nearest point of the circle; the circle falls away from it with the square.
        out, along, bend = (self.x / away, -self.y / away), (self.y / away, self.x / away), self.radius / UNIT / 2
        steps = (step / 8 * math.sqrt(1 - gap**2) for step in range(-8, 9))
        spots = ((gap - bend * step**2, step) for step in steps)
        return tuple(
            (self.size * (far * out[0] + step * along[0]), self.size * (far * out[1] + step * along[1]))
            for far, step in spots
        )

    @property
    def magnification(self) -> float:
        """How many times larger than the whole circle, drawn with a radius of one point, this view is."""
        return self.size * UNIT / self.radius


@dataclass(frozen=True, slots=True)
class Lens:
    """A view of a drawing: the points that can be told apart in it are `clear`, the others are under lenses `inner`."""

    view: View
    clear: tuple[int, ...]
    inner: tuple[Self, ...] = ()

    @classmethod
    def over_points(cls, view: View, points: Sequence[Point], members: Sequence[int], size: float) -> Self:
        """The lens over some points, with all lenses under it, each with a radius of `size` points on the page."""
        if view.radius <= LEAST_LENS:
            return cls(view, tuple(members))
        spots = {each: view.spot(points[each]) for each in members}
        groups = [part for crowd in find_crowds(points, spots) for part in split_group(crowd, spots)]
        clear = sorted(group[0] for group in groups if len(group) == 1)
        inner = (
            cls.over_points(view_about([points[each] for each in group], size), points, sorted(group), size)
            for group in groups
            if len(group) > 1
        )
        return cls(view, tuple(clear), tuple(inner))

    def iter_all(self) -> Iterator[Self]:
        """The lenses under this one and under those, in the order of their letters."""
        for lens in self.inner:
            yield lens
            yield from lens.iter_all()


def whole_circle(points: Sequence[Point], size: float, lens: float, members: Sequence[int] | None = None) -> Lens:
    """The whole circle, with a radius of `size` points on the page, and lenses with a radius of `lens` points, which
    tell all points apart, or some `members` of them."""
    told = range(len(points)) if members is None else members
    return Lens.over_points(View(0, 0, UNIT, size), points, told, lens)


def view_about(points: Sequence[Point], size: float) -> View:
    """The view of some points, half as large again as it takes to see them."""
    xs, ys = [point.place.x for point in points], [point.place.y for point in points]
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    reach = max(math.isqrt((point.place.x - x) ** 2 + (point.place.y - y) ** 2) for point in points)
    return View(x, y, max(LEAST_LENS, reach * 3 // 2), size)


def find_crowds(points: Sequence[Point], spots: Mapping[int, Spot]) -> Iterator[list[int]]:
    """Points in groups: each crowds with another of its group, and with none of another group."""
    left = list(spots)
    while left:
        group = [left.pop(0)]
        for each in group:
            group += [other for other in left if are_crowded(points, spots, each, other)]
            left = [other for other in left if other not in group]
        yield group


def are_crowded(points: Sequence[Point], spots: Mapping[int, Spot], a: int, b: int) -> bool:
    """Whether two points are hard to tell apart."""
    outside = isinstance(points[a].origin, int) and isinstance(points[b].origin, int)
    return not outside and math.dist(spots[a], spots[b]) < LENSES_APART


def split_group(group: list[int], spots: Mapping[int, Spot]) -> Iterator[list[int]]:
    """A group, cut at its widest gaps until no part is too wide for a lens."""
    spread = [sorted(group, key=lambda each: spots[each][axis]) for axis in (0, 1)]
    spans = [spots[line[-1]][axis] - spots[line[0]][axis] for axis, line in enumerate(spread)]
    axis = spans.index(max(spans))
    line = [spots[each][axis] for each in spread[axis]]
    if spans[axis] <= WIDEST:
        yield group
        return
    cut = max(range(1, len(line)), key=lambda at: line[at] - line[at - 1])
    yield from split_group(spread[axis][:cut], spots)
    yield from split_group(spread[axis][cut:], spots)


TITLE, NAME = "Cross, Don't Cross", "cross-dont-cross"

# In points.
CHORD, SEGMENT, BAND, LEADER = 7.0, 4.0, 16.0, 1.5
"""Weights of chords, of segments, of the gold under the last line, and of the line between a dot and its number."""
DOT, SPENT, HALO, MARK = 5.0, 3.0, 11.0, 12.0
"""The radius of a dot, of one from which no legal segment leads, of the gold under a new one, and how far a lens's ring
passes from the dots under it."""
TYPE, MOST_LARGE, PAD, TALL = 36, 24, 3, 0.47
"""The size of numbers where they are at most so many, and what a number's ground has beyond its width and, in parts of
the type, above its middle."""
RIM, LENS_RIM = 2.0, 4.0
"""The weight of circles, and of lenses and the rings that say where they look."""
OUTSIDE, APART = 32.0, 46.0
"""How far beyond the circle the numbers of its points stand, and how far from each other."""
NAMED_DEGREES = range(0, 360, 30)
"""The degrees that are written on the rim."""
DEGREES = 104
"""How far from the circle its degrees stand."""
LENS_GAP, CAPTION = 26, 44
"""The gap between two lenses, and the height of what stands below one."""
ENLARGED = "{letter} enlarged"
"""Below a lens."""
SMALL_SHARE = 0.6
"""The weight of lines of a small circle, in parts of the usual."""


DASHED, BOLD_DASHED, DASH = 4.0, 6.0, 12.0
"""The weight of a legal segment, also where it stands out, and its dashes."""
FEW = 24
"""Legal segments are drawn when they are no more than this; of more, the numbers say where they begin and end."""


class LensSize(NamedTuple):
    """How large lenses are: their radius in points, and how many stand side by side."""

    radius: float
    abreast: int
    most: int
    """The most lenses on a page of their own."""


LARGE, SMALL, CORNER = LensSize(185, 2, 6), LensSize(128, 3, 12), LensSize(154, 2, 12)
"""The sizes of lenses: the small ones where there are many, or little room, and those in the corners of a pad."""
CORNER_SHARE = 0.82
"""Where the letter of a lens stands that has no caption, right of and below its middle, in parts of its radius."""
CAPTION_PITCH = 52
"""From the first to the second line of a caption at a circle's side."""


@dataclass(frozen=True, slots=True)
class DrawingScene:
    """A drawing and how it is shown: the round's number, the letters of its lenses, how many squares of the page a
    point is, the legal segments that are drawn, and while there are any the points from which they lead."""

    drawing: Drawing
    which: int
    letters: Mapping[Lens, str]
    point: float
    legal: tuple[tuple[int, int], ...] = ()
    live: tuple[int, ...] = ()
    bold: bool = False
    """Whether the legal segments stand out and what was drawn before the last line is faint, as on a pad."""

    @classmethod
    def of_round(
        cls,
        drawing: Drawing,
        which: int,
        letters: Mapping[Lens, str],
        point: float,
        bold: bool = False,
        start: int | None = None,
    ) -> Self:
        """A drawing with its legal segments, or those from a chosen `start`, if they are few."""
        found = (line for line in drawing.legal_segments() if start is None or start in line)
        legal = tuple(islice(found, FEW + 1))
        legal = legal if len(legal) <= FEW else ()
        return cls(drawing, which, letters, point, legal, list_live_points(drawing), bold and bool(legal))

    @property
    def named(self) -> Collection[int]:
        """The points that have numbers: of a segment to draw only those that can begin it, and the ends of the last."""
        return {*self.live, *self.drawing.lines[-1]} if self.live else range(len(self.drawing.points))

    def draw_legal_segments(self, view: View, middle: Spot) -> Iterator[Shape]:
        """What a view shows of the segments that may be drawn next, dashed."""
        ink, weight = (SEAT_INKS[attacking_seat(self.which) - 1], BOLD_DASHED) if self.bold else ("ink", DASHED)
        for line in self.legal:
            if stretch := view.visible_stretch(*(self.drawing.points[end] for end in line)):
                (x1, y1), (x2, y2) = (self.spot_on_page(middle, end) for end in stretch)
                yield Line(x1, y1, x2, y2, ink, weight * self.point, DASH * self.point)

    @property
    def line_inks(self) -> tuple[Ink, Ink]:
        """The inks of chords and of segments."""
        return SEAT_INKS[defending_seat(self.which) - 1], SEAT_INKS[attacking_seat(self.which) - 1]

    @property
    def faint_inks(self) -> tuple[Ink, Ink]:
        return TINT_INKS[defending_seat(self.which) - 1], TINT_INKS[attacking_seat(self.which) - 1]

    def draw_lines(self, view: View, middle: Spot, share: float = 1.0, gilded: bool = True) -> Iterator[Shape]:
        """What a view shows of the drawn lines, the last of them on gold; weights are multiplied by `share`."""
        drawn, last = self.drawing.lines, len(self.drawing.lines) - 1 if gilded else -1
        stretches = [view.visible_stretch(*(self.drawing.points[end] for end in line)) for line in drawn]
        if last >= 0 and (latest := stretches[last]):
            yield self._draw_line(middle, latest, "gold", BAND * share)
        for place, stretch in enumerate(stretches):
            if stretch:
                chord = place < len(self.drawing.chords)
                inks = self.faint_inks if self.bold and place != len(drawn) - 1 else self.line_inks
                ink, weight = (inks[0], CHORD) if chord else (inks[1], SEGMENT)
                yield self._draw_line(middle, stretch, ink, weight * share, "gold" if place == last else "paper")

    def draw_dots(self, view: View, middle: Spot) -> Iterator[Shape]:
        """The points that a view shows, new ones on gold."""
        told = self.named
        for place, point in enumerate(self.drawing.points):
            if view.holds(point):
                x, y = self.spot_on_page(middle, view.spot(point))
                if place >= self.drawing.newest:
                    yield Disc(x, y, HALO * self.point, "gold")
                yield Disc(
                    x,
                    y,
                    (DOT if place in told else SPENT) * self.point,
                    "ink",
                    "gold" if place >= self.drawing.newest else "paper",
                )

    def draw_numbers(self, lens: Lens, middle: Spot, whole: bool = False) -> Iterator[Shape]:
        """Numbers beside the dots that can be told apart, and letters beside the rings about those that cannot."""
        points, view = self.drawing.points, lens.view
        seen = {place: view.spot(point) for place, point in enumerate(points) if view.holds(point)}
        told = {place: seen[place] for place in self.named if place in seen}
        named = {place for place in told if place in lens.clear or self._is_alone(place, told)}
        named |= (
            {place for place in self.drawing.lines[-1] if not self.live and place in told}
            if self.drawing.lines
            else set()
        )
        if whole:
            named -= set(self.drawing.ends.values())
        dots = [self._make_dot(spot, DOT, str(place + 1) if place in named else "") for place, spot in seen.items()]
        rings = [self._make_ring_dot(view, inner) for inner in lens.inner]
        yield from (
            Ring(*self.spot_on_page(middle, it.spot), it.radius * self.point, "ink", LENS_RIM * self.point)
            for it in rings
        )
        # The dots under a ring are in nobody's way but the ring's.
        free = [dot for dot in dots if dot.text or all(math.dist(dot.spot, it.spot) > it.radius for it in rings)]
        lines = (view.visible_stretch(points[a], points[b]) for a, b in self.drawing.lines)
        labels = arrange_labels([*free, *rings], [line for line in lines if line], view.size)
        yield from (self._draw_leader(middle, label) for label in labels)
        for label in labels:
            yield from self._draw_number(self.spot_on_page(middle, label.spot), label.dot.text)

    def _is_alone(self, place: int, seen: Mapping[int, Spot]) -> bool:
        return not any(are_crowded(self.drawing.points, seen, place, other) for other in seen if other != place)

    def draw_outside_numbers(self, view: View, middle: Spot) -> Iterator[Shape]:
        """The numbers of the points on the circle, around it."""
        ends = self.drawing.ends
        angles = spread_angles([float(degree) for degree in ends], math.degrees(APART / (view.size + OUTSIDE)))
        for (degree, place), angle in zip(ends.items(), angles, strict=True):
            start, end = _polar_spot(degree, view.size + DOT), _polar_spot(angle, view.size + OUTSIDE)
            yield self._draw_line(middle, (start, end), "faded", LEADER)
            yield from self._draw_number(self.spot_on_page(middle, end), str(place + 1))

    def draw_rim(self, view: View, middle: Spot) -> Iterator[Shape]:
        """The edge of a lens, and what it shows of the circle."""
        x, y = self.spot_on_page(middle, (0, 0))
        yield Ring(x, y, view.size * self.point, "ink", LENS_RIM * self.point)
        if arc := view.visible_circle():
            yield Path(tuple(self.spot_on_page(middle, spot) for spot in arc), "ink", RIM * self.point)

    def spot_on_page(self, middle: Spot, spot: Spot) -> Spot:
        """A spot given in points from the middle of a view, in squares of the page."""
        return spot_on_page(middle, spot, self.point)

    def _draw_line(self, middle: Spot, ends: tuple[Spot, Spot], ink: Ink, weight: float, on: Ink = "paper") -> Line:
        (x1, y1), (x2, y2) = (self.spot_on_page(middle, end) for end in ends)
        return Line(x1, y1, x2, y2, ink, weight * self.point, on=on)

    def _draw_leader(self, middle: Spot, label: Label) -> Line:
        (x, y), far = label.dot.spot, math.dist(label.dot.spot, label.spot)
        share = label.dot.radius / far
        start = x + (label.spot[0] - x) * share, y + (label.spot[1] - y) * share
        return self._draw_line(middle, (start, label.spot), "faded", LEADER)

    def _make_ring_dot(self, view: View, inner: Lens) -> Dot:
        x, y = (inner.view.x - view.x, view.y - inner.view.y)
        scale = view.size / view.radius
        radius = max(inner.view.radius * scale, inner.view.radius * scale / 1.5 + MARK)
        return self._make_dot((x * scale, y * scale), radius, self.letters[inner])

    @property
    def type_size(self) -> float:
        """The size of numbers: larger where they are not many."""
        return TYPE if len(self.drawing.points) <= MOST_LARGE else LEAST

    def _make_dot(self, spot: Spot, radius: float, text: str) -> Dot:
        return Dot(spot, radius, text, _half_size(text, self.type_size))

    def draw_letter(self, lens: Lens, middle: Spot) -> Iterator[Shape]:
        """A lens's letter at the lower right of its edge."""
        away = CORNER_SHARE * lens.view.size
        yield from self._draw_number(self.spot_on_page(middle, (away, away)), self.letters[lens])

    def _draw_number(self, spot: Spot, text: str) -> Iterator[Shape]:
        """A number on its ground, or a lens's letter on a dark one."""
        ground, ink = self._number_inks(text)
        (x, y), (wide, high) = spot, (side * self.point for side in _half_size(text, self.type_size))
        yield Box(x - wide, y - high, 2 * wide, 2 * high, ground)
        yield Text(x, y, text, self.type_size * self.point, ink, on=ground)

    def _number_inks(self, text: str) -> tuple[Ink, Ink]:
        if text.isalpha():
            return "ink", "paper"
        if self.legal:
            return "paper", "ink" if self.drawing.partners(int(text) - 1) else "faded"
        if self.drawing.partners(int(text) - 1):
            return TINT_INKS[attacking_seat(self.which) - 1], "ink"
        return "paper", "faded" if self.drawing.crossings else "ink"


def list_live_points(drawing: Drawing) -> tuple[int, ...]:
    """The points from which legal segments lead; none while chords are drawn, and at a round's end."""
    return tuple(point for point in range(len(drawing.points)) if drawing.partners(point))


def _half_size(text: str, size: float) -> Spot:
    return text_width(text, size) / 2 + PAD, TALL * size


def spot_on_page(middle: Spot, spot: Spot, unit: float) -> Spot:
    """A spot given in points from the middle of a view, in squares of the page; `unit` is the squares of a point."""
    return middle[0] + spot[0] * unit, middle[1] + spot[1] * unit


def _polar_spot(degree: float, radius: float) -> Spot:
    angle = math.radians(degree)
    return radius * math.sin(angle), -radius * math.cos(angle)


# Parts of pages.


@lru_cache(maxsize=64)
def draw_circle(layout: Layout, degrees: bool) -> tuple[Shape, ...]:
    """The circle of a board, with its degrees while chords are drawn."""
    unit = layout.squares_per_point
    ring = Ring(1, 1, 1, "ink", HAIR * unit)
    if not degrees:
        return (ring,)
    ticks = (
        Line(*spot_on_circle(angle), *spot_on_circle(angle, 1 + (10 if angle % 30 else 18) * unit), "faded", 2 * unit)
        for angle in range(0, 360, 10)
    )
    names = (
        Text(*spot_on_circle(angle, 1 + DEGREES * unit), f"{angle}°", TYPE * unit, "faded") for angle in NAMED_DEGREES
    )
    return (ring, *ticks, *names)


def place_lenses(lenses: Sequence[Lens], layout: Layout, y: float, kind: LensSize = SMALL) -> list[tuple[Lens, Spot]]:
    """A row of lenses, each with where its middle lies."""
    unit, pitch = layout.squares_per_point, 2 * kind.radius + LENS_GAP
    left = layout.edges[0] + (kind.abreast - len(lenses)) * pitch / 2 * unit
    return [(lens, (left + (kind.radius + place * pitch) * unit, y)) for place, lens in enumerate(lenses)]


def draw_lenses(scene: DrawingScene, row: Sequence[tuple[Lens, Spot]], layout: Layout) -> Iterator[Shape]:
    """What lenses show, each with its letter below it."""
    unit = layout.squares_per_point
    for lens, middle in row:
        yield from draw_lens(scene, lens, middle)
        words = ENLARGED.format(letter=scene.letters[lens])
        size = layout.fit(words, 2 * lens.view.size * unit, LEGEND)
        yield Text(middle[0], middle[1] + (lens.view.size + CAPTION / 2) * unit, words, size, "ink")


def draw_lens(scene: DrawingScene, lens: Lens, middle: Spot) -> Iterator[Shape]:
    """What a lens shows."""
    yield from scene.draw_lines(lens.view, middle)
    yield from scene.draw_legal_segments(lens.view, middle)
    yield from scene.draw_rim(lens.view, middle)
    yield from scene.draw_dots(lens.view, middle)
    yield from scene.draw_numbers(lens, middle)


class ScenePage(NamedTuple):
    """A picture and what is seen on it: the whole circle or lenses, each with where its middle lies."""

    picture: Picture
    views: Sequence[tuple[View, Spot]]


def make_lens_page(scene: DrawingScene, lenses: Sequence[Lens], number: int, kind: LensSize) -> ScenePage:
    pitch, rows = 2 * kind.radius + CAPTION, -(-len(lenses) // kind.abreast)
    layout = Layout(2, rows * pitch / (POINTS - 2 * EDGE) * 2, EDGE, EDGE, EDGE / 2, EDGE / 2)
    scene = replace(scene, point=layout.squares_per_point)
    found: list[tuple[Lens, Spot]] = []
    for row in range(rows):
        y = (row * pitch + kind.radius) * layout.squares_per_point
        found += place_lenses(lenses[row * kind.abreast : (row + 1) * kind.abreast], layout, y, kind)
    picture = Picture(
        name=f"{NAME}-{scene.which}-enlarged-{number}",
        extent=layout.page_extent,
        base=(),
        shapes=tuple(draw_lenses(scene, found, layout)),
        alt=f"{TITLE}, {len(lenses)} parts of the circle, where intersections crowd, enlarged.",
    )
    return ScenePage(picture, [(lens.view, middle) for lens, middle in found])


def draw_small_round(
    position: CrossDontCross,
    which: int,
    view: View,
    middle: Spot,
    layout: Layout,
    across: float,
    numbered: bool = False,
    beside: bool = False,
) -> Iterator[Shape]:
    """A round, with or without its points and their numbers, and what was drawn in it, below in words that may be
    `across` points wide, or `beside` it in two lines."""
    unit, tag, seat = layout.squares_per_point, position.working_of_round(which), attacking_seat(which)
    x, y = middle[0] * unit, middle[1] * unit
    scene = DrawingScene(position.drawings[which - 1], which, {}, unit)
    yield Ring(x, y, view.size * unit, "ink", HAIR * unit)
    yield from scene.draw_lines(view, (x, y), 1 if numbered else SMALL_SHARE, gilded=which == position.round)
    if numbered:
        yield from scene.draw_outside_numbers(view, (x, y))
        yield from scene.draw_dots(view, (x, y))
        every = Lens(view, tuple(range(len(scene.drawing.points))))
        yield from scene.draw_numbers(every, (x, y), whole=True)
    if beside:
        left, y = x + (view.size + EDGE) * unit, y - CAPTION_PITCH / 2 * unit
        drawn = format_count(len(scene.drawing.segments))
        yield Chip(left + 18 * unit, y, 36 * unit, seat, tag=tag)
        yield Text(left + 46 * unit, y, f"round {which}", LEGEND * unit, "ink", "left", tag=tag)
        yield Text(left, y + CAPTION_PITCH * unit, drawn, LEGEND * unit, "ink", "left", tag=tag)
        return
    y = (middle[1] + across / 2 + 38) * unit if numbered else y + (view.size + 38) * unit
    words, size = f"round {which}: {format_count(len(scene.drawing.segments))}", LEGEND * unit
    if text_width(words, size) > (across - 46) * unit:
        words = words.partition(" seg")[0]
    left = x - (text_width(words, size) + 46 * unit) / 2
    yield Chip(left + 18 * unit, y, 36 * unit, seat, tag=tag)
    yield Text(left + 46 * unit, y, words, size, "ink", "left", tag=tag)
