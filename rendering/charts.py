"""Draws line charts: scores over the moves of a match, a rating over matches.

Every number at the left edge stands at a line of the squared paper. A seat's line carries its chip, on its way and at
its end, so that players know it without its colour; lines with the same numbers run side by side. Sentences below the
lines say the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from rendering import margins
from rendering.boards import HAIR
from rendering.legend import Entry
from rendering.margins import ACROSS, paragraph, paragraph_height
from rendering.pages import LIST, page
from rendering.scales import Scale, rounded, scale
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    NOTE,
    SEAT_INKS,
    Chip,
    Disc,
    Ink,
    Line,
    Path,
    Picture,
    Shape,
    Spot,
    Text,
    grouped,
    width,
)

SQUARE, SQUARES = 27, 18
"""The squares of the paper in points, and about how many of them a chart is high."""
TOP, RIGHT = SQUARE, 29 * SQUARE
"""Where the highest line and the right edge of a chart are, in points; beyond it stand the chips of the lines."""
WEIGHT, END, MARK, APART = 6, 40, 34, 46
"""In points: a line's weight, the sides of the chips at its end and on its way, and how far ends are apart."""
DOT, DOTS = 8, 40
"""The radius of a dot on a line of no seat, and the most steps of such a line with dots."""
GLOW, CORE = 15, 6
"""The radius of what marks a spot on a line, and of the dot in it."""
NEAR = 5
"""How many steps of a line are tried for a chip on it, until it covers no other."""
POWER = 0.45
"""How far a power is raised, in parts of its type's size."""
MOST_TICKS = 7
"""How many numbers stand below a chart at most."""


Way = tuple[Spot, ...]
"""Where a line runs, in points."""
Marked = tuple[int, int]
"""A spot of a line that is marked: the seat whose line it is, and the step."""


class Course(NamedTuple):
    """A line: its number at each step from the first on, and its seat (0 for none).

    It ends before others where a seat has left.
    """

    numbers: tuple[int, ...]
    seat: int = 0

    @property
    def ink(self) -> Ink:
        """The colour of the line."""
        return SEAT_INKS[self.seat - 1] if self.seat else "ink"

    @property
    def tag(self) -> str:
        """What the line's shapes stand for."""
        return f"line {self.seat}"


@dataclass(frozen=True, slots=True)
class Plot:
    """Where steps and numbers are on the page, in points; `last` is the last step, `first` the first."""

    first: int
    last: int
    up: Scale
    left: int

    @property
    def stride(self) -> int:
        """The steps between two numbers below the chart."""
        return rounded(max(1, -(-(self.last - self.first) // (MOST_TICKS - 1))))

    @property
    def bottom(self) -> int:
        """Where the lowest number stands; a whole number of squares from one number to the next."""
        return TOP + max(2, SQUARES // self.up.steps) * SQUARE * self.up.steps

    def x(self, step: int) -> float:
        """Where a step is."""
        return self.left + (RIGHT - self.left) * (step - self.first) / (self.last - self.first)

    def y(self, number: int) -> float:
        """Where a number is."""
        return self.bottom - self.up.at(number) * (self.bottom - TOP)


def chart(
    name: str,
    alt: str,
    courses: Sequence[Course],
    words: Sequence[str] = (),
    entries: Sequence[Entry] = (),
    first: int = 0,
    base: int | None = 0,
    reach: Iterable[int] = (),
    marked: Iterable[Marked] = (),
) -> Picture:
    """A chart of lines with the sentences `words` below it and a legend.

    Steps count from `first`. The left edge begins at `base` (None: near the lowest number) and includes the numbers in
    `reach`; the spots in `marked` are on gold.
    """
    up = scale({*reach, *(number for course in courses for number in course.numbers)}, base)
    last = first + max(len(course.numbers) for course in courses) - 1
    plot = Plot(first, max(last, first + 1), up, _left(up))
    said = packed([word for word in (*words, up.remark) if word])
    below = plot.bottom + 2.5 * SQUARE
    layout = replace(LIST, rows=below, below=paragraph_height(said) + SQUARE / 2)
    ways = [spots(plot, courses, place) for place in range(len(courses))]
    spotted = glows(first, courses, ways, marked)
    shapes = (*lines(courses, ways), *spotted, *marks(plot, courses, ways), *paragraph(layout, said, 0))
    return page(layout, name, alt, tuple(ground(plot)), shapes, entries)


def packed(sentences: Sequence[str]) -> list[str]:
    """Sentences as lines: a sentence joins the line before it where all of it fits."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and width(f"{lines[-1]} {sentence}", NOTE) <= ACROSS:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


def _left(up: Scale) -> int:
    """The left edge of a chart: a line of the paper, with space for the numbers beside it."""
    wide = max(sum(width(part, LABEL) for part in tick.label.split("^")) for tick in up.ticks)
    return SQUARE * -(-round(EDGE + wide + margins.SPACE) // SQUARE)


# What stays.


def ground(plot: Plot) -> Iterator[Shape]:
    """The numbers at both edges, and the lines on which those at the left stand."""
    for label, at in plot.up.ticks:
        y = plot.bottom - at * (plot.bottom - TOP)
        yield Line(plot.left, y, RIGHT, y, "tint8", HAIR)
        yield from _number(plot.left - margins.SPACE, y, label)
    level = plot.y(0) if 0 <= plot.up.at(0) <= 1 else plot.bottom
    yield Line(plot.left, level, RIGHT, level, "ink", HAIR)
    yield Line(plot.left, TOP, plot.left, plot.bottom, "ink", HAIR)
    for step in range(plot.first + -plot.first % plot.stride, plot.last + 1, plot.stride):
        yield Line(plot.x(step), plot.bottom, plot.x(step), plot.bottom + 8, "ink", HAIR)
        yield Text(plot.x(step), plot.bottom + 1.6 * SQUARE, grouped(step), LABEL, "faded")


def _number(right: float, y: float, label: str) -> Iterator[Text]:
    """A number at the left edge; the exponent of a power of ten is raised."""
    base, _, power = label.partition("^")
    if power:
        right -= width(power, LEAST)
        yield Text(right, y - POWER * LABEL, power, LEAST, "faded", "left")
    yield Text(right, y, base, LABEL, "faded", "right")


# The lines.


def spots(plot: Plot, courses: Sequence[Course], place: int) -> Way:
    """Where a line runs; lines with the same number run in lanes beside each other."""
    course = courses[place]
    found: list[Spot] = []
    for step, number in enumerate(course.numbers):
        beside = [other for other, it in enumerate(courses) if it.numbers[step : step + 1] == (number,)]
        lane = beside.index(place) - (len(beside) - 1) / 2
        found.append((plot.x(plot.first + step), plot.y(number) + lane * WEIGHT))
    return tuple(found)


def lines(courses: Sequence[Course], ways: Sequence[Way]) -> Iterator[Shape]:
    """The lines themselves; a line of one step is its chip alone."""
    for course, way in zip(courses, ways, strict=True):
        if len(way) > 1:
            yield Path(way, course.ink, WEIGHT, tag=course.tag)
        if not course.seat and len(way) <= DOTS:
            yield from (Disc(x, y, DOT, course.ink, tag=course.tag) for x, y in way)


def glows(first: int, courses: Sequence[Course], ways: Sequence[Way], marked: Iterable[Marked]) -> Iterator[Shape]:
    """What marks spots on lines: gold, with a dot of the line's colour."""
    of = {course.seat: (course, way) for course, way in zip(courses, ways, strict=True)}
    for seat, step in marked:
        course, way = of[seat]
        x, y = way[step - first]
        yield Disc(x, y, GLOW, "gold", tag=f"marked {seat} {step}")
        yield Disc(x, y, CORE, course.ink, "gold", tag=course.tag)


def marks(plot: Plot, courses: Sequence[Course], ways: Sequence[Way]) -> Iterator[Shape]:
    """The chips of the lines: beside their end at the right edge, on an end before that, and on their way."""
    seated = [(course, way) for course, way in zip(courses, ways, strict=True) if course.seat]
    ended = [(course, way[-1]) for course, way in seated if RIGHT - way[-1][0] < 1]
    heights = parted([y for _, (_, y) in ended], APART, TOP, plot.bottom)
    column = RIGHT + 1.5 * SQUARE + END / 2
    for (course, (x, y)), height in zip(ended, heights, strict=True):
        yield Line(x, y, column - END / 2, height, course.ink, HAIR, tag=course.tag)
        yield Chip(column, height, END, course.seat, tag=course.tag)
    taken: list[Spot] = []
    for course, way in seated:
        if RIGHT - way[-1][0] >= 1:
            x, y = _free(way[-1], taken)
            yield Chip(x, y, END, course.seat, tag=course.tag)
            taken.append((x, y))
    for course, way, step in _on_their_way(seated):
        near = sorted(range(1, len(way)), key=lambda at: abs(at - step))[:NEAR]
        if spot := next((way[at] for at in near if _is_clear(way[at], taken)), None):
            yield Chip(*spot, MARK, course.seat, tag=course.tag)
            taken.append(spot)


def _on_their_way(seated: Sequence[tuple[Course, Way]]) -> Iterator[tuple[Course, Way, float]]:
    """After how many steps lines carry a chip: in turn, at equal distances."""
    times = 3 if len(seated) < 3 else 2 if len(seated) < 5 else 1
    most = max((len(way) for _, way in seated), default=1) - 1
    for time in range(times):
        for place, (course, way) in enumerate(seated):
            step = most * (time + (place + 0.5) / len(seated)) / times
            if step < len(way):
                yield course, way, step


def _is_clear(spot: Spot, taken: Iterable[Spot]) -> bool:
    """Whether a chip on a spot covers no other, nor the end of its line."""
    return RIGHT - spot[0] > END and all(max(abs(spot[0] - x), abs(spot[1] - y)) > MARK + 3 for x, y in taken)


def _free(spot: Spot, taken: Iterable[Spot]) -> Spot:
    """The spot, or one above it where chips are there already."""
    x, y = spot
    while any(abs(x - a) < END and abs(y - b) < END for a, b in taken):
        y -= END + 2
    return x, y


def parted(heights: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Heights at least `apart` from each other and between `top` and `bottom`, as near to the given ones as possible.

    >>> parted([10, 12, 80], 10, 0, 100)
    [6.0, 16.0, 80.0]
    >>> parted([99, 100, 100], 10, 0, 100)
    [80, 90, 100]
    """
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    clusters: list[tuple[float, int]] = []  # the first height of each run that stands close, and how many are in it
    for place in order:
        clusters.append((float(heights[place]), 1))
        while len(clusters) > 1 and clusters[-2][0] + clusters[-2][1] * apart > clusters[-1][0]:
            (start, few), (other, many) = clusters[-2:]
            middle = (start * few + (other - few * apart) * many) / (few + many)
            clusters[-2:] = [(max(top, min(middle, bottom - (few + many - 1) * apart)), few + many)]
    laid = [start + apart * number for start, many in clusters for number in range(many)]
    return [height for _, height in sorted(zip(order, laid, strict=True))]
