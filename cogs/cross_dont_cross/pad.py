"""What may be chosen next for a chord or a segment: the one end, then the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.core.game.notation import beginning
from bot.core.values.seats import Seat
from cogs.cross_dont_cross.crossings import bits
from cogs.cross_dont_cross.rules import LAST_DEGREE, CrossDontCross


def degrees(position: CrossDontCross, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The degrees that begin as typed; for the second end those to which no chord leads from the first."""
    taken: set[int] = set()
    if position.may_chord(seat) and "to" in chosen:
        start = int(chosen["from"])
        taken = {start, *(sum(chord) - start for chord in position.drawing.chords if start in chord)}
    if position.may_chord(seat):
        yield from (str(degree) for degree in beginning(typed, 0, LAST_DEGREE) if degree not in taken)


def points(position: CrossDontCross, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The intersections that begin as typed and from which a legal segment leads, or to which it does."""
    if not position.may_segment(seat):
        return
    drawing = position.drawing
    if "to" in chosen:
        found = list(bits(drawing.partners(int(chosen["from"]) - 1)))
    else:
        found = [point for point in range(len(drawing.points)) if drawing.partners(point)]
    yield from (name for name in (str(point + 1) for point in found) if name.startswith(typed))
