"""An image under way, and the sprites that are kept for it.

An image is one byte a pixel, an index into its picture's palette, from start to end. A sprite is made of stamps: small
pieces of such indices, each with a mask of the pixels that count.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from rendering.shapes import Ink, Picture, Spot
from rendering.theme import Palette, ramp

SPRITES_AT_MOST = 3000
"""About 20 MB at the very worst; a match needs less than a hundred."""

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
        """For each coverage the index, and 255 where it differs from the background."""
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
