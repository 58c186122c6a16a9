"""Line charts with scales, and the crosstable of a league."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from rendering import boards
from rendering.boards import ACROSS, HAIR, Layout, Sign, draw_paragraph, paragraph_height
from rendering.pages import LIST, LegendEntry, make_page
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    NOTE,
    SEAT_INKS,
    TOTAL,
    Box,
    Chip,
    Disc,
    Ink,
    Line,
    Path,
    Picture,
    Shape,
    Spot,
    Text,
    group_digits,
    text_width,
)

# Scales of charts: the ticks, and the positions of other numbers.


MOST_STEPS = 6
"""The most steps between ticks."""
LARGE, CROWDED = 1000, 50
"""Scores are crowded if the largest is at least `LARGE`, and half of them are below a `CROWDED`th of it."""
STRIDES = (1, 2, 3, 6, 9, 12, 15, 30, 60, 120)
"""The possible differences in digits between lines of a large scale."""
WRITTEN = 10**7
"""Numbers below this are written out along the edge."""
TIMES = {1: "ten", 2: "a hundred", 3: "a thousand", 6: "a million"}
UNITS = {3: "thousands", 6: "millions", 9: "billions (10^9)"}


class Tick(NamedTuple):
    """A label on an axis, and its position from 0 to 1. `10^9` is ten to the ninth."""

    label: str
    at: float


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis; with a `stride` it is logarithmic, and each tick has that many more digits than the one before.

    `lowest` and `highest` are the end numbers, or of a logarithmic scale the numbers of steps from 0.
    """

    lowest: int
    highest: int
    step: int
    stride: int = 0
    nought: bool = True
    """Whether a logarithmic scale has a line for 0 below the line for 1; it has none if all numbers are positive."""

    @property
    def steps(self) -> int:
        """The number of steps between ticks."""
        return (self.highest - self.lowest) // self.step

    def position_of(self, number: int) -> float:
        """The position of a number, from 0 to 1."""
        if not self.stride:
            return (number - self.lowest) / (self.highest - self.lowest)
        return (self._height(number) - self.lowest) / (self.highest - self.lowest)

    @property
    def ticks(self) -> tuple[Tick, ...]:
        """The ticks of the axis."""
        places = range(self.lowest, self.highest + 1, self.step)
        at = ((place - self.lowest) / (self.highest - self.lowest) for place in places)
        return tuple(Tick(self._label(place), where) for place, where in zip(places, at, strict=True))

    @property
    def remark(self) -> str:
        """A sentence on how to read the ticks; empty for a linear scale in full numbers."""
        if not self.stride:
            return f"The numbers are {_name_unit(self._unit)}." if self._unit else ""
        times = TIMES.get(self.stride, f"10^{self.stride}")
        if self.lowest < 0:
            return f"Each line is {times} times the one before it on the way from 0, where 1 comes first."
        if self.nought:
            return f"Each line is {times} times the one below it, but for 1 above 0."
        return f"Each line is {times} times the one below it."

    def _height(self, number: int) -> float:
        if not number:
            return 0
        return math.copysign(math.log10(abs(number)) / self.stride + self.nought, number)

    def _label(self, place: int) -> str:
        if not self.stride:
            return group_digits(place // 10**self._unit)
        if self.nought and not place:
            return "0"
        digits, sign = (abs(place) - self.nought) * self.stride, "\N{MINUS SIGN}" if place < 0 else ""
        plain = max(abs(self.lowest), self.highest) - self.nought
        if not digits or 10 ** (plain * self.stride) < WRITTEN:
            return sign + group_digits(10**digits)
        return f"{sign}10^{digits}"

    @property
    def _unit(self) -> int:
        """The number of zeros that all ticks omit."""
        if max(abs(self.lowest), abs(self.highest)) < WRITTEN:
            return 0
        zeros = len(str(self.step)) - 1
        return zeros - zeros % 3


def make_scale(numbers: Collection[int], base: int | None = 0) -> Scale:
    """A scale for some numbers, which includes `base` unless that is None.

    >>> [tick.label for tick in make_scale([3, 17]).ticks], make_scale([3, 17]).remark
    (['0', '5', '10', '15', '20'], '')
    >>> [tick.label for tick in make_scale([0, 40, 5_000_000_000_000]).ticks]
    ['0', '1', '10^3', '10^6', '10^9', '10^12', '10^15']
    """
    return _large_scale(numbers) if base == 0 and is_crowded(numbers) else _even_scale(numbers, base)


def is_crowded(numbers: Collection[int]) -> bool:
    """Whether half of some numbers would be on the lowest line of a linear scale."""
    sizes = sorted(abs(number) for number in numbers if number)
    return bool(sizes) and sizes[-1] >= LARGE and sizes[(len(sizes) - 1) // 2] * CROWDED < sizes[-1]


def round_up(least: int) -> int:
    """The smallest round number (1, 2 or 5 with zeros behind it) that is at least `least`."""
    power = 10 ** max(0, len(str(least)) - 1)
    return next(times * power for times in (1, 2, 5, 10) if times * power >= least)


def _even_scale(numbers: Collection[int], base: int | None) -> Scale:
    low = min(chain(numbers, () if base is None else (base,)))
    high = max(chain(numbers, () if base is None else (base,)))
    step = round_up(max(1, -(-(high - low) // (MOST_STEPS - 1))))
    lowest = low - low % step
    return Scale(lowest, max(lowest + step, high + -high % step), step)


def _large_scale(numbers: Collection[int]) -> Scale:
    nought = min(numbers) <= 0
    scales = (_log_scale(numbers, stride, nought) for stride in STRIDES)
    return next(found for found in scales if found.steps <= MOST_STEPS or found.stride == STRIDES[-1])


def _log_scale(numbers: Collection[int], stride: int, nought: bool) -> Scale:
    high, low = max(numbers), min(numbers)
    top = _line_above(high, stride) + nought if high > 0 else 0
    bottom = _power_of_ten(low) // stride if low > 0 else -_line_above(-low, stride) - 1 if low < 0 else 0
    return Scale(bottom, max(top, bottom + 1), 1, stride, nought)


def _line_above(number: int, stride: int) -> int:
    """The first line at or above a positive number, counted from the line for 1."""
    power = _power_of_ten(number)
    return -(-(power + (10**power < number)) // stride)


def _power_of_ten(number: int) -> int:
    """The exponent of the greatest power of ten up to a number.

    >>> _power_of_ten(999), _power_of_ten(1000), _power_of_ten(10**40 - 1)
    (2, 3, 39)
    """
    power = int(math.log10(number))
    return power - (10**power > number) + (10 ** (power + 1) <= number)


def _name_unit(unit: int) -> str:
    return f"in {UNITS[unit]}" if unit in UNITS else f"in units of 10^{unit}"


# Line charts: scores over the moves of a match, a rating over matches.


SQUARE, SQUARES = 27, 18
"""The side of the paper's squares in points, and about how many of them a chart is high."""
TOP, RIGHT = SQUARE, 29 * SQUARE
"""The highest line and the right edge of a chart, in points; right of it are the chips of the lines."""
WEIGHT, END, MARK, APART = 6, 40, 34, 46
"""In points: a line's weight, the sides of the chips at its end and along it, and the distance of ends."""
DOT, DOTS = 8, 40
"""The radius of a dot on a line without a seat, and the most steps of such a line with dots."""
GLOW, CORE = 15, 6
"""The radius of a marked spot on a line, and of the dot in it."""
NEAR = 5
"""The most steps of a line that are tried to place a chip without overlap."""
POWER = 0.45
"""The rise of an exponent, as a fraction of its type size."""
MOST_TICKS = 7
"""The most ticks below a chart."""


Way = tuple[Spot, ...]
"""The spots of a line, in points."""
Marked = tuple[int, int]
"""A marked spot of a line: the seat of the line, and the step."""


class ChartLine(NamedTuple):
    """A line: its number at each step from the first on, and its seat (0 for none).

    It ends early if its seat has left.
    """

    numbers: tuple[int, ...]
    seat: int = 0

    @property
    def ink(self) -> Ink:
        return SEAT_INKS[self.seat - 1] if self.seat else "ink"

    @property
    def tag(self) -> str:
        """The tag of the line's shapes."""
        return f"line {self.seat}"


@dataclass(frozen=True, slots=True)
class Plot:
    """The coordinates of steps and numbers on the page, in points; `first` and `last` are the first and last step."""

    first: int
    last: int
    up: Scale
    left: int

    @property
    def tick_step(self) -> int:
        """The steps between two ticks below the chart."""
        return round_up(max(1, -(-(self.last - self.first) // (MOST_TICKS - 1))))

    @property
    def bottom(self) -> int:
        """The y of the lowest number; ticks are a whole number of squares apart."""
        return TOP + max(2, SQUARES // self.up.steps) * SQUARE * self.up.steps

    def x(self, step: int) -> float:
        return self.left + (RIGHT - self.left) * (step - self.first) / (self.last - self.first)

    def y(self, number: int) -> float:
        return self.bottom - self.up.position_of(number) * (self.bottom - TOP)


def draw_chart(
    name: str,
    alt: str,
    courses: Sequence[ChartLine],
    words: Sequence[str] = (),
    entries: Sequence[LegendEntry] = (),
    first: int = 0,
    base: int | None = 0,
    reach: Iterable[int] = (),
    marked: Iterable[Marked] = (),
) -> Picture:
    """A chart of lines with the sentences `words` below it and a legend.

    Steps count from `first`. The left edge begins at `base` (None: near the lowest number) and includes the numbers in
    `reach`; the spots in `marked` are on gold.
    """
    up = make_scale({*reach, *(number for course in courses for number in course.numbers)}, base)
    last = first + max(len(course.numbers) for course in courses) - 1
    plot = Plot(first, max(last, first + 1), up, _left_edge(up))
    said = pack_sentences([word for word in (*words, up.remark) if word])
    below = plot.bottom + 2.5 * SQUARE
    layout = replace(LIST, rows=below, below=paragraph_height(said) + SQUARE / 2)
    ways = [line_spots(plot, courses, place) for place in range(len(courses))]
    spotted = draw_glows(first, courses, ways, marked)
    shapes = (
        *draw_lines(courses, ways),
        *spotted,
        *draw_line_chips(plot, courses, ways),
        *draw_paragraph(layout, said, 0),
    )
    return make_page(layout, name, alt, tuple(draw_scale(plot)), shapes, entries)


def pack_sentences(sentences: Sequence[str]) -> list[str]:
    """Sentences as lines: a sentence is added to the line before if it fits there."""
    lines: list[str] = []
    for sentence in sentences:
        if lines and text_width(f"{lines[-1]} {sentence}", NOTE) <= ACROSS:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


def _left_edge(up: Scale) -> int:
    """The left edge of a chart: on a line of the paper, with space for the numbers."""
    wide = max(sum(text_width(part, LABEL) for part in tick.label.split("^")) for tick in up.ticks)
    return SQUARE * -(-round(EDGE + wide + boards.SPACE) // SQUARE)


# The axes.


def draw_scale(plot: Plot) -> Iterator[Shape]:
    """The numbers on both axes, and the horizontal lines."""
    for label, at in plot.up.ticks:
        y = plot.bottom - at * (plot.bottom - TOP)
        yield Line(plot.left, y, RIGHT, y, "tint8", HAIR)
        yield from _draw_scale_number(plot.left - boards.SPACE, y, label)
    level = plot.y(0) if 0 <= plot.up.position_of(0) <= 1 else plot.bottom
    yield Line(plot.left, level, RIGHT, level, "ink", HAIR)
    yield Line(plot.left, TOP, plot.left, plot.bottom, "ink", HAIR)
    for step in range(plot.first + -plot.first % plot.tick_step, plot.last + 1, plot.tick_step):
        yield Line(plot.x(step), plot.bottom, plot.x(step), plot.bottom + 8, "ink", HAIR)
        yield Text(plot.x(step), plot.bottom + 1.6 * SQUARE, group_digits(step), LABEL, "faded")


def _draw_scale_number(right: float, y: float, label: str) -> Iterator[Text]:
    """A number at the left edge; the exponent of a power of ten is raised."""
    base, _, power = label.partition("^")
    if power:
        right -= text_width(power, LEAST)
        yield Text(right, y - POWER * LABEL, power, LEAST, "faded", "left")
    yield Text(right, y, base, LABEL, "faded", "right")


# The lines.


def line_spots(plot: Plot, courses: Sequence[ChartLine], place: int) -> Way:
    """The spots of a line; lines with equal numbers are drawn side by side."""
    course = courses[place]
    found: list[Spot] = []
    for step, number in enumerate(course.numbers):
        beside = [other for other, it in enumerate(courses) if it.numbers[step : step + 1] == (number,)]
        lane = beside.index(place) - (len(beside) - 1) / 2
        found.append((plot.x(plot.first + step), plot.y(number) + lane * WEIGHT))
    return tuple(found)


def draw_lines(courses: Sequence[ChartLine], ways: Sequence[Way]) -> Iterator[Shape]:
    """The lines; one with a single step is only its chip."""
    for course, way in zip(courses, ways, strict=True):
        if len(way) > 1:
            yield Path(way, course.ink, WEIGHT, tag=course.tag)
        if not course.seat and len(way) <= DOTS:
            yield from (Disc(x, y, DOT, course.ink, tag=course.tag) for x, y in way)


def draw_glows(
    first: int, courses: Sequence[ChartLine], ways: Sequence[Way], marked: Iterable[Marked]
) -> Iterator[Shape]:
    """The marks of spots on lines: gold, with a dot of the line's colour."""
    of = {course.seat: (course, way) for course, way in zip(courses, ways, strict=True)}
    for seat, step in marked:
        course, way = of[seat]
        x, y = way[step - first]
        yield Disc(x, y, GLOW, "gold", tag=f"marked {seat} {step}")
        yield Disc(x, y, CORE, course.ink, "gold", tag=course.tag)


def draw_line_chips(plot: Plot, courses: Sequence[ChartLine], ways: Sequence[Way]) -> Iterator[Shape]:
    """The chips of the lines: beside ends at the right edge, on earlier ends, and along the lines."""
    loaded = [(course, way) for course, way in zip(courses, ways, strict=True) if course.seat]
    ended = [(course, way[-1]) for course, way in loaded if RIGHT - way[-1][0] < 1]
    heights = spread_heights([y for _, (_, y) in ended], APART, TOP, plot.bottom)
    column = RIGHT + 1.5 * SQUARE + END / 2
    for (course, (x, y)), height in zip(ended, heights, strict=True):
        yield Line(x, y, column - END / 2, height, course.ink, HAIR, tag=course.tag)
        yield Chip(column, height, END, course.seat, tag=course.tag)
    taken: list[Spot] = []
    for course, way in loaded:
        if RIGHT - way[-1][0] >= 1:
            x, y = _find_free_spot(way[-1], taken)
            yield Chip(x, y, END, course.seat, tag=course.tag)
            taken.append((x, y))
    for course, way, step in _chips_on_the_way(loaded):
        near = sorted(range(1, len(way)), key=lambda at: abs(at - step))[:NEAR]
        if spot := next((way[at] for at in near if _is_clear(way[at], taken)), None):
            yield Chip(*spot, MARK, course.seat, tag=course.tag)
            taken.append(spot)


def _chips_on_the_way(loaded: Sequence[tuple[ChartLine, Way]]) -> Iterator[tuple[ChartLine, Way, float]]:
    """The positions of chips along lines: in turn, at equal distances, in steps."""
    times = 3 if len(loaded) < 3 else 2 if len(loaded) < 5 else 1
    most = max((len(way) for _, way in loaded), default=1) - 1
    for time in range(times):
        for place, (course, way) in enumerate(loaded):
            step = most * (time + (place + 0.5) / len(loaded)) / times
            if step < len(way):
                yield course, way, step


def _is_clear(spot: Spot, taken: Iterable[Spot]) -> bool:
    """Whether a chip on a spot overlaps no other, nor the end of its line."""
    return RIGHT - spot[0] > END and all(max(abs(spot[0] - x), abs(spot[1] - y)) > MARK + 3 for x, y in taken)


def _find_free_spot(spot: Spot, taken: Iterable[Spot]) -> Spot:
    """The spot, or one above it if it is taken by chips."""
    x, y = spot
    while any(abs(x - a) < END and abs(y - b) < END for a, b in taken):
        y -= END + 2
    return x, y


def spread_heights(heights: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Heights at least `apart` from each other and between `top` and `bottom`, as near to the given ones as possible.

    >>> spread_heights([10, 12, 80], 10, 0, 100)
    [6.0, 16.0, 80.0]
    >>> spread_heights([99, 100, 100], 10, 0, 100)
    [80, 90, 100]
    """
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    clusters: list[tuple[float, int]] = []  # the first height of each run of close ones, and its length
    for place in order:
        clusters.append((float(heights[place]), 1))
        while len(clusters) > 1 and clusters[-2][0] + clusters[-2][1] * apart > clusters[-1][0]:
            (start, few), (other, many) = clusters[-2:]
            middle = (start * few + (other - few * apart) * many) / (few + many)
            clusters[-2:] = [(max(top, min(middle, bottom - (few + many - 1) * apart)), few + many)]
    laid = [start + apart * number for start, many in clusters for number in range(many)]
    return [height for _, height in sorted(zip(order, laid, strict=True))]


# The crosstable of a league: all results, points, and tie-breaks.


WON, DRAWN, LOST, LIVE, NONE = "1", "=", "0", ".", ""
"""The contents of a square: a result, a match being played, or nothing."""
NUMBERS, POINTS_AT, BERGER_AT, TABLE_RIGHT = 80, 110, 250, 290
"""In points: the left margin, the right ends of points and tie-breaks, from the squares, and the right margin."""
TABLE_DOT = 8
KEY = "1 won, = drawn, 0 lost; by points, then by S-B"
PLAYED = "being played"


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """A row of a crosstable: the squares from the first column on, the points, and the Sonneborn-Berger score; `won`:
    first in a finished division."""

    squares: tuple[str, ...]
    points: str
    berger: str
    won: bool = False


def draw_crosstable(name: str, alt: str, rows: Sequence[CrosstableRow]) -> Picture:
    layout = Layout(len(rows), len(rows), NUMBERS, TABLE_RIGHT, EDGE / 2 + 2 * LABEL, EDGE / 2)
    live = any(LIVE in row.squares for row in rows)
    unit = layout.squares_per_point

    def dot(x: float, y: float) -> Iterator[Shape]:
        yield Disc(x + TABLE_DOT * unit, y, TABLE_DOT * unit, "faded")

    key = [boards.make_remark_sign(KEY), *([Sign(PLAYED, 2 * TABLE_DOT, dot)] if live else [])]
    shapes = [shape for place, row in enumerate(rows) for shape in _draw_row(layout, place, row)]
    return make_page(layout, name, alt, tuple(_draw_ground(layout, len(rows))), shapes, key=key)


def _draw_ground(layout: Layout, size: int) -> Iterator[Shape]:
    unit = layout.squares_per_point
    for place in range(size):
        yield Box(place, place, 1, 1, "tint8")
        yield Text(place + 0.5, -LABEL * unit, str(place + 1), LABEL * unit, "faded")
    for at in range(size + 1):
        yield Line(at, 0, at, size, "faded", HAIR * unit)
        yield Line(0, at, size, at, "faded", HAIR * unit)
    for words, at in (("points", POINTS_AT), ("S-B", BERGER_AT)):
        yield Text(size + at * unit, -LABEL * unit, words, LEAST * unit, "faded", "right")


def _draw_row(layout: Layout, place: int, row: CrosstableRow) -> Iterator[Shape]:
    unit, y, size = layout.squares_per_point, place + 0.5, layout.columns
    yield Text(-20 * unit, y, str(place + 1), LABEL * unit, "ink", "right")
    for column, text in enumerate(row.squares):
        tag = f"{place + 1} {column + 1}"
        if text == LIVE:
            yield Disc(column + 0.5, y, TABLE_DOT * unit, "faded", tag=tag)
        elif text:
            yield Text(column + 0.5, y, text, layout.fit(text, 0.9), "faded" if text == LOST else "ink", tag=tag)
    on: Ink = "gold" if row.won else "paper"
    if row.won:
        yield Box(size + 20 * unit, y - 24 * unit, (POINTS_AT - 8) * unit, 48 * unit, "gold", radius=8 * unit)
    yield Text(size + POINTS_AT * unit, y, row.points, TOTAL * unit, "ink", "right", on, tag=f"points {place + 1}")
    yield Text(size + BERGER_AT * unit, y, row.berger, LABEL * unit, "faded", "right", tag=f"berger {place + 1}")
