"""Pictures as the board would stand on paper: what was written there, and nothing that is worked out from it.

A game draws what it works out (points, sums, what spoils a line) as `worked` shapes; on paper they are not there. A
number that is pale because it does not count is `pale`, and on paper as dark as the others. Keys and legends go too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rendering.shapes import Picture, Shape, Text


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
    return replace(bare, shapes=kept, alt=alt)


def _plain(shape: Shape) -> Shape:
    return replace(shape, ink="ink", worked="") if shape.worked and isinstance(shape, Text) else shape
