"""The board on a pad: the chord or the segment as far as it is chosen, wherever it is seen, under lenses too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.core.values.seats import Seat
from cogs.cross_dont_cross.lenses import View
from cogs.cross_dont_cross.picture import Page, pages_of
from cogs.cross_dont_cross.rules import CrossDontCross
from rendering import boards, frames
from rendering.shapes import Picture, Shape, Spot

RADIUS = 10
"""The radius of what is left free within a ring, in points."""

Ends = Sequence[tuple[str, int]]
"""The chosen ends: what each is called, and which point it is."""


def sketch(position: CrossDontCross, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The circle with the chosen ends marked and the line between them; for segments also what lenses show of it."""
    first, *lenses = pages_of(position, position.round)
    if kind == "chord":
        return (frames.over(first.picture, _chord(chosen, first.picture.point)),)
    ends = [(name, int(name) - 1) for name in chosen.values()]
    pages = [first, *(page for page in lenses if len(ends) < 2 or _shows(position, page, ends))]
    return tuple(frames.over(page.picture, _segment(position, page, ends)) for page in pages)


def _chord(chosen: Mapping[str, str], unit: float) -> Iterator[Shape]:
    spots = [boards.on_circle(int(degree)) for degree in chosen.values()]
    for degree, spot in zip(chosen.values(), spots, strict=True):
        yield from frames.ring(*spot, RADIUS * unit, degree, unit)
    if len(spots) == 2:
        yield from frames.between(spots[0], spots[1], RADIUS * unit, "chord", unit)


def _shows(position: CrossDontCross, page: Page, ends: Ends) -> bool:
    """Whether a page of lenses shows a chosen end."""
    return any(view.holds(position.drawing.points[place]) for view, _ in page.views for _, place in ends)


def _segment(position: CrossDontCross, page: Page, ends: Ends) -> Iterator[Shape]:
    unit = page.picture.point
    for view, middle in page.views:
        for name, place in ends:
            point = position.drawing.points[place]
            if view.holds(point):
                yield from frames.ring(*_at(middle, view.spot(point), unit), RADIUS * unit, name, unit)
        if len(ends) == 2:
            yield from _line(position, view, middle, ends, unit)


def _line(position: CrossDontCross, view: View, middle: Spot, ends: Ends, unit: float) -> Iterator[Shape]:
    start, end = (position.drawing.points[place] for _, place in ends)
    if stretch := view.stretch(start, end):
        first, last = (_at(middle, spot, unit) for spot in stretch)
        yield from frames.between(first, last, RADIUS * unit, "segment", unit)


def _at(middle: Spot, spot: Spot, unit: float) -> Spot:
    """A spot given in points from the middle of a view, in squares of the page."""
    return middle[0] + spot[0] * unit, middle[1] + spot[1] * unit
