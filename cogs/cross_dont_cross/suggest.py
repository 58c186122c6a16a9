"""What may follow the part of a chord or of a segment that has been typed."""

from __future__ import annotations

from collections.abc import Iterator

from bot.core.game.position import Suggestion
from cogs.cross_dont_cross.crossings import bits
from cogs.cross_dont_cross.drawing import Drawing, Pair, chords_cross, numbered, written

DEGREES = range(360)
ROUND = [*range(0, 360, 30), *range(15, 360, 30)]
"""The degrees that are offered before anything is typed."""
SIDES = {0: "the top", 90: "the right", 180: "the bottom", 270: "the left"}
NAMED = 8
"""The most intersections that a note names."""


def chords(drawing: Drawing, typed: str) -> Iterator[Suggestion]:
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
    return ", ".join([*side, *(f"an end of {chord}" for chord in met[:2])])


def _met(drawing: Drawing, ends: Pair) -> str:
    chord = min(ends), max(ends)
    met = [written(other) for other in drawing.chords if chords_cross(chord, other)]
    return f"crosses {', '.join(met)}" if met else "crosses nothing"


def segments(drawing: Drawing, typed: str) -> Iterator[Suggestion]:
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
    more = f" and {len(partners) - NAMED} more" if len(partners) > NAMED else ""
    return "to " + ", ".join(map(str, partners[:NAMED])) + more


def _crossed(drawing: Drawing, start: int, end: int) -> str:
    met = drawing.crossings.met(start, end) if drawing.crossings else ()
    return f"crosses {numbered(drawing.lines[met[0]])}" if met else "crosses nothing"
