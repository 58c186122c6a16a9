"""Canvases, sprites and strokes: painting of each kind of shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

from PIL import Image, ImageDraw, ImageFont

from rendering.shapes import DIGIT_HEIGHT, Arc, Box, Chip, Disc, Ink, Line, Path, Picture, Ring, Shape, Spot, Text
from rendering.theme import Palette, chip_body, colour_ramp, seat_mark

# Images and sprites.


SPRITES_AT_MOST = 3000
"""The most sprites that an atlas keeps: 20 MB at worst. A match needs fewer than a hundred."""

Core = Any
"""Pillow's core image. Pasting there skips the checks of `Image.paste`, which take five times as long as the
pasting."""


class Stamp(NamedTuple):
    """A piece of a sprite, at an offset of `dx`, `dy` pixels from the sprite."""

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
    """A palette with the sprites and letters painted in it."""

    def __init__(self, colours: Palette) -> None:
        self.colours = colours
        self.index = colours.index
        self.bytes = bytes(channel for colour in colours.colours for channel in colour)
        self.sprites: dict[Hashable, Sprite] = {}
        self.faces: dict[Hashable, dict[str, Glyph]] = {}
        self.ramps: dict[tuple[Ink, Ink], tuple[bytes, bytes]] = {}

    def tables(self, ink: Ink, on: Ink) -> tuple[bytes, bytes]:
        """Two tables by coverage, 0 to 255: the index of its colour, and 255 if that differs from the background."""
        if (ink, on) not in self.ramps:
            indices = colour_ramp(self.colours, ink, on)
            self.ramps[ink, on] = bytes(indices), bytes(255 * (index != self.index[on]) for index in indices)
        return self.ramps[ink, on]

    def sprite(self, key: Hashable, make: Callable[[], Sprite]) -> Sprite:
        """A cached sprite, or a new one. Two threads may make the same one; either is used."""
        found = self.sprites.get(key)
        if found is None:
            if len(self.sprites) >= SPRITES_AT_MOST:
                self.sprites.clear()
            found = self.sprites[key] = make()
        return found


class PixelLayout(NamedTuple):
    """The layout of an image, in pixels: the side of a square, width and height, and the origin of the board."""

    scale: int
    width: int
    height: int
    left: int
    top: int

    @classmethod
    def for_picture(cls, picture: Picture) -> PixelLayout:
        """The layout for a picture."""
        left, top, _, _ = picture.extent
        return cls(
            picture.pixels_per_square,
            *picture.pixel_size,
            round(-left * picture.pixels_per_square),
            round(-top * picture.pixels_per_square),
        )


@dataclass(frozen=True, slots=True)
class Canvas:
    """An image in memory. A square has `scale` pixels; the board's origin is at pixel (`left`, `top`)."""

    image: Any
    core: Core
    atlas: Atlas
    scale: int
    left: int
    top: int

    def to_pixels(self, x: float, y: float) -> Spot:
        """A spot of the board in pixels."""
        return self.left + x * self.scale, self.top + y * self.scale

    def fill(self, left: int, top: int, right: int, bottom: int, ink: Ink) -> None:
        """Fill a rectangle given in pixels with one ink."""
        if left < right and top < bottom:
            self.core.paste(self.atlas.index[ink], (left, top, right, bottom))

    def put(self, x: int, y: int, sprite: Iterable[Stamp]) -> None:
        """Paste a sprite, clipped to the image."""
        for dx, dy, width, height, indices, mask in sprite:
            self.core.paste(indices, (x + dx, y + dy, x + dx + width, y + dy + height), mask)


# Strokes. A long line covers few of the pixels in its bounding box. Cut into pieces, each on a tile of its own, it
# costs little more than what it covers.


Tile = tuple[int, int, int, int]
"""Left, top, width, height."""

STEP = 8.0
"""A line is sampled at least this often, in pixels."""
FINENESS = 4
"""Spots are snapped to this fraction of a pixel, so that equal shapes at different places share a sprite."""


def snap_to_quarter(value: float) -> float:
    """The nearest quarter of a pixel."""
    return round(value * FINENESS) / FINENESS


def sample_path(spots: Sequence[Spot]) -> list[Spot]:
    """Spots along a path, at most `STEP` apart."""
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


def tile_around(spots: Iterable[Spot], reach: float) -> Tile:
    """The smallest tile with everything within `reach` of the spots."""
    xs, ys = zip(*spots, strict=True)
    left, top = math.floor(min(xs) - reach), math.floor(min(ys) - reach)
    return left, top, math.floor(max(xs) + reach) + 1 - left, math.floor(max(ys) + reach) + 1 - top


def cover_with_tiles(spots: Sequence[Spot], reach: float, side: int) -> list[Tile]:
    """Tiles that cover everything within `reach` of a line through these spots, each around a piece of it.

    A piece ends before its tile would become larger than that of a diagonal piece through a square of `side`.
    """
    found: list[Tile] = []
    most, wider = (side + 2 * reach) ** 2, 2 * reach
    start = 0
    left, top = right, bottom = spots[0]
    for place, (x, y) in enumerate(spots):
        left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
        if place > start + 1 and (right - left + wider) * (bottom - top + wider) > most:
            found.append(tile_around(spots[start:place], reach))
            start = place - 1
            (a, b) = spots[start]
            left, top, right, bottom = min(a, x), min(b, y), max(a, x), max(b, y)
    found.append(tile_around(spots[start:], reach))
    return found


def split_into_dashes(x1: float, y1: float, x2: float, y2: float, dash: float) -> Iterator[tuple[Spot, Spot]]:
    """The pieces of a dashed line, a dash at either end."""
    length = math.dist((x1, y1), (x2, y2))
    count = max(1, 2 * round((length / dash + 1) / 2) - 1)
    for piece in range(0, count, 2):
        a, b = piece / count, (piece + 1) / count
        yield (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a), (x1 + (x2 - x1) * b, y1 + (y2 - y1) * b)


# Painting of each kind of shape, as sprites that are painted once.


FINE = 4
"""The supersampling factor of sprites: seventeen steps of coverage."""
TILE, WHOLE = 48, 160
"""About the side of tiles along a stroke, and the largest disc or area that is one smooth sprite, in pixels."""
SLACK = 2
"""The pixels by which smoothed edges extend beyond a shape."""

Crayon = Callable[[ImageDraw.ImageDraw, float, float], None]


def blank_canvas(atlas: Atlas, width: int, height: int, ink: Ink, scale: int, left: int = 0, top: int = 0) -> Canvas:
    image = Image.new("L", (width, height), atlas.index[ink])
    return Canvas(image, image.im, atlas, scale, left, top)


def _make_stamp(atlas: Atlas, coverage: Image.Image, ink: Ink, on: Ink, dx: int = 0, dy: int = 0) -> Stamp:
    indices, covered = atlas.tables(ink, on)
    return Stamp(dx, dy, *coverage.size, coverage.im.point(indices, "L"), coverage.im.point(covered, "1"))


# Lettering.


TIMES, MINUS = "×", "\N{MINUS SIGN}"
MADE_OF_PLUS = frozenset((TIMES, MINUS))


@lru_cache(maxsize=64)
def _load_font(size: int) -> ImageFont.FreeTypeFont:
    # With a size, Pillow loads its scalable typeface, not the bitmap one.
    return cast("ImageFont.FreeTypeFont", ImageFont.load_default(size))


@lru_cache(maxsize=4096)
def _render_letter(letter: str, size: int) -> tuple[int, int, int, Image.Image | None]:
    """The advance, the offset of the image from the pen on the base line, and the letter's coverage."""
    if letter in MADE_OF_PLUS:
        return _make_of_plus(letter, size)
    font = _load_font(size)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(letter, anchor="ls"))
    advance = round(font.getlength(letter))
    if letter.isspace() or right <= left or bottom <= top:
        return advance, 0, 0, None
    image = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(image).text((-left, -top), letter, 255, font, anchor="ls")
    return advance, left, top, image


def _make_of_plus(letter: str, size: int) -> tuple[int, int, int, Image.Image | None]:
    """A sign that the typeface lacks: a plus that is turned, or its bar."""
    advance, left, top, plus = _render_letter("+", size)
    assert plus
    if letter == TIMES:
        return advance, left, top, plus.rotate(45, Image.Resampling.BICUBIC)
    _, upper, _, lower = plus.crop((0, 0, 1, plus.height)).getbbox() or (0, 0, 0, plus.height)
    return advance, left, top + upper, plus.crop((0, upper, plus.width, lower))


def _make_glyph(atlas: Atlas, letter: str, size: int, ink: Ink, on: Ink) -> Glyph:
    advance, dx, dy, coverage = _render_letter(letter, size)
    return Glyph(advance, _make_stamp(atlas, coverage, ink, on, dx, dy) if coverage else None)


def _draw_text(canvas: Canvas, it: Text) -> None:
    size = max(1, round(it.size * canvas.scale))
    face = canvas.atlas.faces.setdefault((size, it.ink, it.on), {})
    for letter in set(it.text).difference(face):
        face[letter] = _make_glyph(canvas.atlas, letter, size, it.ink, it.on)
    line = [face[letter] for letter in it.text]
    wide = sum([advance for advance, _ in line])
    x, y = canvas.to_pixels(it.x, it.y)
    x = round(x if it.anchor == "left" else x - wide if it.anchor == "right" else x - wide / 2)
    y = round(y + DIGIT_HEIGHT * size / 2)
    for advance, stamp in line:
        if stamp:
            canvas.put(x, y, (stamp,))
        x += advance


def find_missing_glyphs(text: str) -> set[str]:
    """The characters of a text that the typeface cannot draw."""
    missing = _render_letter("\uffff", 32)[3]
    return {char for char in text if _render_letter(char, 32)[3] == missing}


# Rectangles and chips.


def _draw_box(canvas: Canvas, it: Box) -> None:
    scale = canvas.scale
    left, top = round(canvas.left + it.left * scale), round(canvas.top + it.top * scale)
    right = round(canvas.left + (it.left + it.width) * scale)
    bottom = round(canvas.top + (it.top + it.height) * scale)
    weight = max(1, round(it.weight * scale)) if it.line else 0
    if it.radius:
        size, radius = (right - left, bottom - top), it.radius * scale
        key = ("box", size, round(radius, 1), weight, it.fill, it.line, it.on)
        canvas.put(
            left, top, canvas.atlas.sprite(key, lambda: _make_rounded_box(canvas.atlas, it, size, radius, weight))
        )
        return
    if it.line and it.fill:
        canvas.fill(left, top, right, bottom, it.line)
    elif it.line:
        canvas.fill(left, top, right, top + weight, it.line)
        canvas.fill(left, bottom - weight, right, bottom, it.line)
        canvas.fill(left, top, left + weight, bottom, it.line)
        canvas.fill(right - weight, top, right, bottom, it.line)
    if it.fill and it.fill != it.line:
        canvas.fill(left + weight, top + weight, right - weight, bottom - weight, it.fill)


def _make_rounded_box(atlas: Atlas, it: Box, size: tuple[int, int], radius: float, weight: int) -> Sprite:
    def layer(inset: int, ink: Ink, on: Ink) -> Stamp:
        fine = Image.new("L", (size[0] * FINE, size[1] * FINE))
        # Pillow includes the last row and column.
        box = (inset * FINE, inset * FINE, (size[0] - inset) * FINE - 1, (size[1] - inset) * FINE - 1)
        ImageDraw.Draw(fine).rounded_rectangle(box, max(0.0, radius - inset) * FINE, 255)
        return _make_stamp(atlas, fine.reduce(FINE), ink, on)

    outer = (layer(0, it.line, it.on),) if it.line else ()
    inner = (layer(weight, it.fill or it.on, it.line or it.on),) if it.fill or it.line else ()
    return outer + inner


def _draw_chip(canvas: Canvas, it: Chip) -> None:
    left, top = (round(edge) for edge in canvas.to_pixels(it.x - it.size / 2, it.y - it.size / 2))
    size = round(it.size * canvas.scale)
    key = ("chip", size, it.seat, it.corner, it.round, it.on)
    canvas.put(left, top, canvas.atlas.sprite(key, lambda: _make_piece(canvas.atlas, it, size)))


def _make_piece(atlas: Atlas, it: Chip, size: int) -> Sprite:
    # The mark is painted on the body, whose outline alone is that of the chip.
    chip = chip_body(it.seat, it.round, it.on)
    alone = blank_canvas(atlas, size, size, it.on, size)
    draw(alone, chip)
    mask = alone.core.point([255 if index != atlas.index[it.on] else 0 for index in range(256)], "1")
    draw(alone, seat_mark(it.seat, it.corner))
    return (Stamp(0, 0, size, size, alone.core, mask),)


# Smooth shapes: cached by form, not by place on the board.


def _draw_smooth(
    canvas: Canvas, at: Spot, form: Hashable, ink: Ink, on: Ink, found: Callable[[], Iterable[Tile]], crayon: Crayon
) -> None:
    """Paste what `crayon` draws around the pixel `at`; `found` gives the tiles that it covers, relative to that pixel.

    The crayon gets the place of `at` in its drawing, which is `FINE` times as large.
    """
    x, y = snap_to_quarter(at[0]), snap_to_quarter(at[1])
    left, top = math.floor(x), math.floor(y)

    def make() -> Sprite:
        return tuple(stamp(*tile) for tile in found())

    def stamp(dx: int, dy: int, width: int, height: int) -> Stamp:
        fine = Image.new("L", (width * FINE, height * FINE))
        crayon(ImageDraw.Draw(fine), (x - left - dx) * FINE, (y - top - dy) * FINE)
        return _make_stamp(canvas.atlas, fine.reduce(FINE), ink, on, dx, dy)

    canvas.put(left, top, canvas.atlas.sprite((form, x - left, y - top, ink, on), make))


def _draw_disc(canvas: Canvas, it: Disc) -> None:
    at, radius = canvas.to_pixels(it.x, it.y), it.radius * canvas.scale
    if 2 * radius > WHOLE:
        box = (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)
        ImageDraw.Draw(canvas.image).ellipse(box, canvas.atlas.index[it.ink])
        _draw_arc(canvas, Arc(it.x, it.y, it.radius, ink=it.ink, weight=3 / canvas.scale, on=it.on))
        return

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        draw.ellipse((x - radius * FINE, y - radius * FINE, x + radius * FINE - 1, y + radius * FINE - 1), 255)

    _draw_smooth(
        canvas, at, ("disc", round(radius, 2)), it.ink, it.on, lambda: [tile_around([(0, 0)], radius + SLACK)], crayon
    )


def _draw_arc(canvas: Canvas, it: Arc | Ring) -> None:
    start, end = (it.start, it.end) if isinstance(it, Arc) else (0.0, 360.0)
    radius, weight = it.radius * canvas.scale, max(1.0, it.weight * canvas.scale)

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        box = (x - radius * FINE, y - radius * FINE, x + radius * FINE - 1, y + radius * FINE - 1)
        # Pillow measures degrees from the right.
        draw.arc(box, start - 90, end - 90, 255, round(weight * FINE))

    form = ("arc", round(radius, 2), round(weight, 2), start, end)

    def found() -> list[Tile]:
        return cover_with_tiles(arc_spots(radius, start, end), weight + SLACK, TILE)

    _draw_smooth(canvas, canvas.to_pixels(it.x, it.y), form, it.ink, it.on, found, crayon)


def _draw_line(canvas: Canvas, it: Line) -> None:
    (x1, y1), (x2, y2) = canvas.to_pixels(it.x1, it.y1), canvas.to_pixels(it.x2, it.y2)
    weight = max(1.0, it.weight * canvas.scale)
    if it.dash:
        for piece in split_into_dashes(x1, y1, x2, y2, it.dash * canvas.scale):
            _draw_stroke(canvas, piece, it.ink, it.on, weight)
    elif x1 == x2 or y1 == y2:
        half = max(1, round(weight)) / 2
        left, top = math.floor(min(x1, x2) - half + 0.5), math.floor(min(y1, y2) - half + 0.5)
        wide, high = abs(x2 - x1) + 2 * half, abs(y2 - y1) + 2 * half
        canvas.fill(left, top, round(left + wide), round(top + high), it.ink)
    else:
        _draw_stroke(canvas, ((x1, y1), (x2, y2)), it.ink, it.on, weight)


def _draw_path(canvas: Canvas, it: Path) -> None:
    spots = [canvas.to_pixels(*spot) for spot in it.spots]
    if it.fill:
        _fill_area(canvas, spots, it.fill, it.on)
    if it.ink:
        way = [*spots, spots[0]] if it.closed else spots
        _draw_stroke(canvas, way, it.ink, it.fill or it.on if it.closed else it.on, max(1.0, it.weight * canvas.scale))


def _relative_spots(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    x, y = spots[0]
    return tuple((snap_to_quarter(a - x), snap_to_quarter(b - y)) for a, b in spots)


def _fill_area(canvas: Canvas, spots: Sequence[Spot], ink: Ink, on: Ink) -> None:
    if max(max(side) - min(side) for side in zip(*spots, strict=True)) > WHOLE:
        ImageDraw.Draw(canvas.image).polygon(spots, canvas.atlas.index[ink])
        return
    form = _relative_spots(spots)

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        draw.polygon([(x + a * FINE, y + b * FINE) for a, b in form], 255)

    _draw_smooth(canvas, spots[0], ("area", form), ink, on, lambda: [tile_around(form, SLACK)], crayon)


def _draw_stroke(canvas: Canvas, spots: Sequence[Spot], ink: Ink, on: Ink, weight: float) -> None:
    form = _relative_spots(spots)
    half = weight * FINE / 2

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        fine = [(x + a * FINE, y + b * FINE) for a, b in form]
        draw.line(fine, 255, round(2 * half), "curve")
        for a, b in (fine[0], fine[-1]):
            draw.ellipse((a - half, b - half, a + half - 1, b + half - 1), 255)

    def found() -> list[Tile]:
        return cover_with_tiles(sample_path(form), weight / 2 + SLACK, TILE)

    _draw_smooth(canvas, spots[0], ("stroke", form, round(weight, 2)), ink, on, found, crayon)


PAINTERS: dict[type[Shape], Callable[[Canvas, Any], None]] = {
    Box: _draw_box,
    Line: _draw_line,
    Path: _draw_path,
    Disc: _draw_disc,
    Arc: _draw_arc,
    Ring: _draw_arc,
    Text: _draw_text,
    Chip: _draw_chip,
}


def draw(canvas: Canvas, shapes: Iterable[Shape]) -> None:
    """Paint shapes on a canvas, in order."""
    for shape in shapes:
        PAINTERS[type(shape)](canvas, shape)
