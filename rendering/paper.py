"""Pictures as the board would stand on paper: what was written there, and nothing that is worked out from it.

A game draws what it works out (points, sums, what spoils a line) as `worked` shapes; on paper they are not there. A
number that is pale because it does not count is `pale`, and on paper as dark as the others. Keys and legends go too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rendering.shapes import EDGE, Arc, Box, Chip, Disc, Line, Path, Picture, Ring, Shape, Spot, Text, width


def worked(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Shapes that are not on paper."""
    return (replace(shape, worked="away") for shape in shapes)


def pale(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Texts that are dark on paper."""
    return (replace(shape, worked="plain") for shape in shapes)


def on_paper(picture: Picture, alt: str) -> Picture:
    """A picture as it would stand on paper, with an `alt` that tells no scores."""
    bare = picture.bare
    kept = tuple(_plain(shape) for shape in bare.shapes if shape.worked != "away")
    return replace(bare, shapes=kept, alt=alt, extent=_filled(bare, (*bare.base, *kept)))


def _plain(shape: Shape) -> Shape:
    return replace(shape, ink="ink", worked="") if shape.worked and isinstance(shape, Text) else shape


def _filled(picture: Picture, shapes: Iterable[Shape]) -> tuple[float, float, float, float]:
    """The extent without the empty space at the right and at the foot."""
    left, top, right, bottom = picture.extent
    ends = [_end(shape) for shape in shapes]
    edge = EDGE * picture.point
    across, down = max((x for x, _ in ends), default=right), max((y for _, y in ends), default=bottom)
    return left, top, min(right, across + edge), min(bottom, down + edge)


def _end(shape: Shape) -> Spot:
    """How far a shape reaches to the right and down, about."""
    match shape:
        case Box():
            return shape.left + shape.width, shape.top + shape.height
        case Line():
            return max(shape.x1, shape.x2), max(shape.y1, shape.y2)
        case Path():
            return max(x for x, _ in shape.spots), max(y for _, y in shape.spots)
        case Text():
            share = {"left": 1.0, "middle": 0.5, "right": 0.0}[shape.anchor]
            return shape.x + share * width(shape.text, shape.size), shape.y + shape.size / 2
        case Chip():
            return shape.x + shape.size / 2, shape.y + shape.size / 2
        case Disc() | Ring() | Arc():
            return shape.x + shape.radius, shape.y + shape.radius
