"""The drawing of one round: its chords, the segments of the offence, their intersections, and what is offered next.

Points and lines count from 0 here; what players read counts from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cmp_to_key
from typing import Self

from bot.core.game.position import Suggestion
from bot.core.values.plural import together
from cogs.cross_dont_cross.crossings import Crossings, Line, bits
from cogs.cross_dont_cross.exact import Point, clockwise, crossing, on_circle, sign, turn

Pair = tuple[int, int]

DEGREES = range(360)
ROUND = [*range(0, 360, 30), *range(15, 360, 30)]
"""The degrees that are offered before anything is typed."""
SIDES = {0: "the top", 90: "the right", 180: "the bottom", 270: "the left"}
NAMED = 8
"""The most intersections that a note names."""


def between(degree: int, chord: Pair) -> bool:
    """Whether a degree lies strictly between a chord's ends, on the arc away from the top."""
    return chord[0] < degree < chord[1]


def chords_cross(chord: Pair, other: Pair) -> bool:
    """Whether two chords cross: they have four ends, which lie in turn on the circle."""
    apart = not set(chord) & set(other)
    return apart and between(other[0], chord) != between(other[1], chord)


@dataclass(frozen=True, slots=True)
class Drawing:
    """`chords` as pairs of degrees and `segments` as pairs of points, the smaller first; all else follows from them.

    `points` are the intersections, `lines` what is drawn, chords first; `crossings` is there while the offence is to
    move.
    """

    chords: tuple[Pair, ...] = ()
    segments: tuple[Line, ...] = ()
    points: tuple[Point, ...] = field(default=(), compare=False, repr=False)
    lines: tuple[Line, ...] = field(default=(), compare=False, repr=False)
    newest: int = field(default=0, compare=False, repr=False)
    """How many points were there before the last move."""
    crossings: Crossings | None = field(default=None, compare=False, repr=False)

    @property
    def ends(self) -> dict[int, int]:
        """The points at chords' ends, by degree."""
        return {point.origin: place for place, point in enumerate(self.points) if isinstance(point.origin, int)}

    # The defence.

    def with_chord(self, chord: Pair) -> Self:
        """The drawing with one chord more, between two different degrees and not drawn yet."""
        new = [on_circle(degree) for degree in chord if degree not in self.ends]
        new += self._new_crossings(chord)
        points = (*self.points, *sorted(new, key=cmp_to_key(clockwise)))
        start, end = (points.index(on_circle(degree)) for degree in chord)
        return replace(
            self,
            chords=(*self.chords, chord),
            points=points,
            lines=(*self.lines, (start, end)),
            newest=len(self.points),
        )

    def _new_crossings(self, chord: Pair) -> Iterator[Point]:
        # Two chords that meet this one in one point cross there already, so no new crossing is found twice.
        start, end = (on_circle(degree) for degree in chord)
        on = [point for point in self.points if sign(turn, start, end, point) == 0]
        for other in self.chords:
            if chords_cross(chord, other):
                a, b = (on_circle(degree) for degree in other)
                if not any(sign(turn, a, b, point) == 0 for point in on):
                    yield crossing(start, end, a, b)

    # The offence.

    def opened(self) -> Self:
        """The drawing when all chords are drawn: the offence is to move."""
        return replace(self, crossings=Crossings.of(self.points, self.lines))

    def closed(self) -> Self:
        """The drawing when the round is over."""
        return replace(self, crossings=None)

    @property
    def must_cross(self) -> bool:
        """Whether the next segment must cross exactly one drawn segment; else it must cross none."""
        return len(self.segments) % 2 == 1

    def partners(self, point: int) -> int:
        """The points, as bits, to which a legal segment leads from a point; none when the offence is not to move."""
        return self.crossings.legal(point, self.must_cross) if self.crossings else 0

    def legal(self) -> Iterator[Line]:
        """The legal segments, in ascending order."""
        for point in range(len(self.points)):
            yield from ((point, other) for other in bits(self.partners(point)) if other > point)

    def with_segment(self, segment: Line) -> Self:
        """The drawing with one legal segment more."""
        assert self.crossings
        points = self.points
        met = self.crossings.met(*segment) if self.must_cross else ()
        for place in met:
            line, crossed = segment, self.lines[place]
            points = (*points, crossing(*(self.points[each] for each in (*line, *crossed))))
        return replace(
            self,
            segments=(*self.segments, segment),
            points=points,
            lines=(*self.lines, segment),
            newest=len(self.points),
            crossings=self.crossings.with_line(segment, points),
        )

    # In words.

    def name(self, line: int) -> str:
        """A drawn line in a sentence: "the chord 0-90", "the segment 2-7"."""
        if line < len(self.chords):
            return f"the chord {written(self.chords[line])}"
        return f"the segment {numbered(self.segments[line - len(self.chords)])}"

    def whereabouts(self, point: Point) -> str:
        """Where an intersection lies: "at 90", or "on 2-4 and 1-3"."""
        if isinstance(point.origin, int):
            return f"at {point.origin}"
        a, b, c, d = (self.points.index(each) for each in point.origin)
        return f"on {numbered((a, b))} and {numbered((c, d))}"


def written(pair: Pair) -> str:
    """A pair of numbers in notation."""
    return f"{pair[0]}-{pair[1]}"


def numbered(line: Line) -> str:
    """A line between two points by their numbers, which count from 1."""
    return written((min(line) + 1, max(line) + 1))


# What is offered while a move is typed.


def chords_offered(drawing: Drawing, typed: str) -> Iterator[Suggestion]:
    """Degrees that begin as typed, each in a chord that may be drawn; after a dash what the chord would cross."""
    start, dash, end = typed.replace(" ", "").partition("-")
    if not dash:
        for degree in _degrees(start):
            across = (degree + 180) % 360
            other = next(each for each in (across, *DEGREES) if _free(drawing, degree, each))
            yield Suggestion(f"{degree}-{other}", _about(drawing, degree))
    elif start in map(str, DEGREES):
        for degree in _degrees(end):
            if _free(drawing, int(start), degree):
                yield Suggestion(f"{start}-{degree}", _met(drawing, (int(start), degree)))


def _degrees(typed: str) -> list[int]:
    if not typed:
        return ROUND
    return [degree for degree in DEGREES if str(degree).startswith(typed)]


def _free(drawing: Drawing, start: int, end: int) -> bool:
    return start != end and (min(start, end), max(start, end)) not in drawing.chords


def _about(drawing: Drawing, degree: int) -> str:
    met = [written(chord) for chord in drawing.chords if degree in chord]
    side = [SIDES[degree]] if degree in SIDES else []
    return " · ".join([*side, *(f"an end of {chord}" for chord in met[:2])])


def _met(drawing: Drawing, ends: Pair) -> str:
    chord = min(ends), max(ends)
    met = [written(other) for other in drawing.chords if chords_cross(chord, other)]
    return f"crosses {together(met)}" if met else "crosses nothing"


def segments_offered(drawing: Drawing, typed: str) -> Iterator[Suggestion]:
    """Intersections that begin as typed and from which a legal segment leads; after a dash those to which it leads."""
    start, dash, end = typed.replace(" ", "").partition("-")
    for point in range(len(drawing.points)):
        name, partners = str(point + 1), [other + 1 for other in bits(drawing.partners(point))]
        if dash and start == name:
            offered = [other for other in partners if str(other).startswith(end)]
            yield from (Suggestion(f"{name}-{other}", _crossed(drawing, point, other - 1)) for other in offered)
        elif not dash and name.startswith(start) and partners:
            yield Suggestion(f"{name}-{partners[0]}", _leading(partners))


def _leading(partners: list[int]) -> str:
    if len(partners) <= NAMED:
        return f"to {together(partners, ' or ')}"
    return f"to {together([*partners[:NAMED], f'{len(partners) - NAMED} more'], ' or ')}"


def _crossed(drawing: Drawing, start: int, end: int) -> str:
    met = drawing.crossings.met(start, end) if drawing.crossings else ()
    return f"crosses {numbered(drawing.lines[met[0]])}" if met else "crosses nothing"
