"""Images and sprites for the painter, and the geometry of smooth strokes in pixels.

An image has one byte a pixel: an index into its picture's palette. A sprite is made of stamps: small pieces of such
indices, each with a mask of the pixels that count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rendering.shapes import Ink, Picture, Spot
from rendering.theme import Palette, ramp

SPRITES_AT_MOST = 3000
"""How many sprites an atlas keeps: 20 MB at worst. A match needs fewer than a hundred."""

Core = Any
"""What Pillow keeps under an image. Stamping there skips the checks of `Image.paste`, which take five times as long as
the stamping itself."""


class Stamp(NamedTuple):
    """A piece of a sprite, to be put `dx`, `dy` pixels from where the sprite stands."""

    dx: int
    dy: int
    width: int
    height: int
    indices: Core
    mask: Core


class Glyph(NamedTuple):
    """A letter and the distance to the next one; a space has no stamp."""

    advance: int
    stamp: Stamp | None


Sprite = tuple[Stamp, ...]


class Atlas:
    """A palette with the sprites and letters that have been painted in it."""

    def __init__(self, colours: Palette) -> None:
        self.colours = colours
        self.index = colours.index
        self.bytes = bytes(channel for colour in colours.colours for channel in colour)
        self.sprites: dict[Hashable, Sprite] = {}
        self.faces: dict[Hashable, dict[str, Glyph]] = {}
        self.ramps: dict[tuple[Ink, Ink], tuple[bytes, bytes]] = {}

    def tables(self, ink: Ink, on: Ink) -> tuple[bytes, bytes]:
        """Two tables by coverage, 0 to 255: the index of its colour, and 255 where that differs from the background."""
        if (ink, on) not in self.ramps:
            indices = ramp(self.colours, ink, on)
            self.ramps[ink, on] = bytes(indices), bytes(255 * (index != self.index[on]) for index in indices)
        return self.ramps[ink, on]

    def sprite(self, key: Hashable, make: Callable[[], Sprite]) -> Sprite:
        """A kept sprite, or a new one. Two threads may make the same one; either will do."""
        found = self.sprites.get(key)
        if found is None:
            if len(self.sprites) >= SPRITES_AT_MOST:
                self.sprites.clear()
            found = self.sprites[key] = make()
        return found


class Sheet(NamedTuple):
    """The paper of an image, in pixels: how many a square has, its width and height, and where the board begins."""

    scale: int
    width: int
    height: int
    left: int
    top: int

    @classmethod
    def of(cls, picture: Picture) -> Sheet:
        """The paper that a picture needs."""
        left, top, _, _ = picture.extent
        return cls(picture.scale, *picture.pixels, round(-left * picture.scale), round(-top * picture.scale))


@dataclass(frozen=True, slots=True)
class Canvas:
    """An image in memory. A square is `scale` pixels; the board's origin is at pixel (`left`, `top`)."""

    image: Any
    core: Core
    atlas: Atlas
    scale: int
    left: int
    top: int

    def spot(self, x: float, y: float) -> Spot:
        """A spot of the board in pixels."""
        return self.left + x * self.scale, self.top + y * self.scale

    def fill(self, left: int, top: int, right: int, bottom: int, ink: Ink) -> None:
        """Fill a rectangle given in pixels with one ink."""
        if left < right and top < bottom:
            self.core.paste(self.atlas.index[ink], (left, top, right, bottom))

    def put(self, x: int, y: int, sprite: Iterable[Stamp]) -> None:
        """Stamp a sprite; what lies outside the image is cut off."""
        for dx, dy, width, height, indices, mask in sprite:
            self.core.paste(indices, (x + dx, y + dy, x + dx + width, y + dy + height), mask)


# Strokes. A long line covers few of the pixels in the rectangle about it. Cut into stretches, each on a tile of its
# own, it costs little more than what it covers.

Tile = tuple[int, int, int, int]
"""Left, top, width, height."""

STEP = 8.0
"""A line is sampled at least this often, in pixels."""
FINENESS = 4
"""Spots are snapped to this part of a pixel, so that equal shapes at different places share a sprite."""


def snapped(value: float) -> float:
    """The nearest quarter of a pixel."""
    return round(value * FINENESS) / FINENESS


def samples(spots: Sequence[Spot]) -> list[Spot]:
    """Spots along a path, close to each other."""
    found = list(spots[:1])
    for (x1, y1), (x2, y2) in zip(spots, spots[1:], strict=False):
        count = math.ceil(math.dist((x1, y1), (x2, y2)) / STEP)
        found += [(x1 + (x2 - x1) * i / count, y1 + (y2 - y1) * i / count) for i in range(1, count + 1)]
    return found


def arc_spots(radius: float, start: float, end: float) -> tuple[Spot, ...]:
    """Spots along an arc about (0, 0), in degrees clockwise from the top."""
    count = max(8, math.ceil(math.radians(abs(end - start)) * radius / STEP))
    angles = (math.radians(start + (end - start) * i / count) for i in range(count + 1))
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


def around(spots: Iterable[Spot], reach: float) -> Tile:
    """The smallest tile with everything within `reach` of the spots."""
    xs, ys = zip(*spots, strict=True)
    left, top = math.floor(min(xs) - reach), math.floor(min(ys) - reach)
    return left, top, math.floor(max(xs) + reach) + 1 - left, math.floor(max(ys) + reach) + 1 - top


def tiles(spots: Sequence[Spot], reach: float, side: int) -> list[Tile]:
    """Tiles that cover everything within `reach` of a line through these spots, each about a stretch of it.

    A stretch ends where its tile would become larger than one of a diagonal stretch through a square of `side`.
    """
    found: list[Tile] = []
    most, wider = (side + 2 * reach) ** 2, 2 * reach
    start = 0
    left, top = right, bottom = spots[0]
    for place, (x, y) in enumerate(spots):
        left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
        if place > start + 1 and (right - left + wider) * (bottom - top + wider) > most:
            found.append(around(spots[start:place], reach))
            start = place - 1
            (a, b) = spots[start]
            left, top, right, bottom = min(a, x), min(b, y), max(a, x), max(b, y)
    found.append(around(spots[start:], reach))
    return found


def dashes(x1: float, y1: float, x2: float, y2: float, dash: float) -> Iterator[tuple[Spot, Spot]]:
    """The pieces of a dashed line, a dash at either end."""
    length = math.dist((x1, y1), (x2, y2))
    count = max(1, 2 * round((length / dash + 1) / 2) - 1)
    for piece in range(0, count, 2):
        a, b = piece / count, (piece + 1) / count
        yield (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a), (x1 + (x2 - x1) * b, y1 + (y2 - y1) * b)
