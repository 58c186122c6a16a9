"""Puts each kind of shape on a canvas, as sprites that are painted once.

A sprite is drawn four times too large, reduced, turned into indices of the palette and kept. The next time its letter,
its piece or its end of a line is only stamped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

from PIL import Image, ImageDraw, ImageFont

from rendering.painter.canvas import (
    Atlas,
    Canvas,
    Glyph,
    Sprite,
    Stamp,
    Tile,
    arc_spots,
    around,
    dashes,
    samples,
    snapped,
    tiles,
)
from rendering.shapes import DIGIT_HEIGHT, Arc, Box, Chip, Disc, Ink, Line, Path, Ring, Shape, Spot, Text
from rendering.theme import body, mark

FINE = 4
"""Sprites are drawn this many times too large before they are reduced: seventeen steps of coverage."""
TILE, WHOLE = 48, 160
"""About the side of the tiles along a stroke, and the largest disc or area that is one smooth sprite, in pixels."""
SLACK = 2
"""How many pixels beyond a shape its smoothed edges reach."""

Crayon = Callable[[ImageDraw.ImageDraw, float, float], None]


def blank(atlas: Atlas, width: int, height: int, ink: Ink, scale: int, left: int = 0, top: int = 0) -> Canvas:
    """A canvas in one ink."""
    image = Image.new("L", (width, height), atlas.index[ink])
    return Canvas(image, image.im, atlas, scale, left, top)


def _stamp(atlas: Atlas, coverage: Image.Image, ink: Ink, on: Ink, dx: int = 0, dy: int = 0) -> Stamp:
    indices, covered = atlas.tables(ink, on)
    return Stamp(dx, dy, *coverage.size, coverage.im.point(indices, "L"), coverage.im.point(covered, "1"))


# Lettering.


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    # Given a size, Pillow loads its scalable typeface, never the bitmap one.
    return cast("ImageFont.FreeTypeFont", ImageFont.load_default(size))


@lru_cache(maxsize=4096)
def _letter(letter: str, size: int) -> tuple[int, int, int, Image.Image | None]:
    """Advance, offset of the image from the pen on the base line, and the letter's coverage."""
    font = _font(size)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(letter, anchor="ls"))
    advance = round(font.getlength(letter))
    if letter.isspace() or right <= left or bottom <= top:
        return advance, 0, 0, None
    image = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(image).text((-left, -top), letter, 255, font, anchor="ls")
    return advance, left, top, image


def _glyph(atlas: Atlas, letter: str, size: int, ink: Ink, on: Ink) -> Glyph:
    advance, dx, dy, coverage = _letter(letter, size)
    return Glyph(advance, _stamp(atlas, coverage, ink, on, dx, dy) if coverage else None)


def _text(canvas: Canvas, it: Text) -> None:
    size = max(1, round(it.size * canvas.scale))
    face = canvas.atlas.faces.setdefault((size, it.ink, it.on), {})
    for letter in set(it.text).difference(face):
        face[letter] = _glyph(canvas.atlas, letter, size, it.ink, it.on)
    line = [face[letter] for letter in it.text]
    wide = sum([advance for advance, _ in line])
    x, y = canvas.spot(it.x, it.y)
    x = round(x if it.anchor == "left" else x - wide if it.anchor == "right" else x - wide / 2)
    y = round(y + DIGIT_HEIGHT * size / 2)
    for advance, stamp in line:
        if stamp:
            canvas.put(x, y, (stamp,))
        x += advance


def glyphs(text: str) -> set[str]:
    """The characters of a text that the typeface cannot draw."""
    missing = _letter("\uffff", 32)[3]
    return {char for char in text if _letter(char, 32)[3] == missing}


# Rectangles and chips.


def _box(canvas: Canvas, it: Box) -> None:
    scale = canvas.scale
    left, top = round(canvas.left + it.left * scale), round(canvas.top + it.top * scale)
    right = round(canvas.left + (it.left + it.width) * scale)
    bottom = round(canvas.top + (it.top + it.height) * scale)
    weight = max(1, round(it.weight * scale)) if it.line else 0
    if it.radius:
        size, radius = (right - left, bottom - top), it.radius * scale
        key = ("box", size, round(radius, 1), weight, it.fill, it.line, it.on)
        canvas.put(left, top, canvas.atlas.sprite(key, lambda: _rounded(canvas.atlas, it, size, radius, weight)))
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


def _rounded(atlas: Atlas, it: Box, size: tuple[int, int], radius: float, weight: int) -> Sprite:
    def layer(inset: int, ink: Ink, on: Ink) -> Stamp:
        fine = Image.new("L", (size[0] * FINE, size[1] * FINE))
        # Pillow counts the last row and column in.
        box = (inset * FINE, inset * FINE, (size[0] - inset) * FINE - 1, (size[1] - inset) * FINE - 1)
        ImageDraw.Draw(fine).rounded_rectangle(box, max(0.0, radius - inset) * FINE, 255)
        return _stamp(atlas, fine.reduce(FINE), ink, on)

    outer = (layer(0, it.line, it.on),) if it.line else ()
    inner = (layer(weight, it.fill or it.on, it.line or it.on),) if it.fill or it.line else ()
    return outer + inner


def _chip(canvas: Canvas, it: Chip) -> None:
    left, top = (round(edge) for edge in canvas.spot(it.x - it.size / 2, it.y - it.size / 2))
    size = round(it.size * canvas.scale)
    key = ("chip", size, it.seat, it.corner, it.round, it.on)
    canvas.put(left, top, canvas.atlas.sprite(key, lambda: _piece(canvas.atlas, it, size)))


def _piece(atlas: Atlas, it: Chip, size: int) -> Sprite:
    # The mark is painted on the body; what of the square belongs to the chip, the body alone decides.
    chip = body(it.seat, it.round, it.on)
    alone = blank(atlas, size, size, it.on, size)
    draw(alone, (chip,))
    mask = alone.core.point([255 if index != atlas.index[it.on] else 0 for index in range(256)], "1")
    draw(alone, mark(it.seat, it.corner))
    return (Stamp(0, 0, size, size, alone.core, mask),)


# Smooth shapes: kept by their form, not by their place on the board.


def _smooth(
    canvas: Canvas, at: Spot, form: Hashable, ink: Ink, on: Ink, found: Callable[[], Iterable[Tile]], crayon: Crayon
) -> None:
    """Stamp what `crayon` draws about the pixel `at`; `found` gives the tiles that it covers, relative to that pixel.

    The crayon gets the place of `at` in its drawing, which is `FINE` times too large.
    """
    x, y = snapped(at[0]), snapped(at[1])
    left, top = math.floor(x), math.floor(y)

    def make() -> Sprite:
        return tuple(stamp(*tile) for tile in found())

    def stamp(dx: int, dy: int, width: int, height: int) -> Stamp:
        fine = Image.new("L", (width * FINE, height * FINE))
        crayon(ImageDraw.Draw(fine), (x - left - dx) * FINE, (y - top - dy) * FINE)
        return _stamp(canvas.atlas, fine.reduce(FINE), ink, on, dx, dy)

    canvas.put(left, top, canvas.atlas.sprite((form, x - left, y - top, ink, on), make))


def _disc(canvas: Canvas, it: Disc) -> None:
    at, radius = canvas.spot(it.x, it.y), it.radius * canvas.scale
    if 2 * radius > WHOLE:
        box = (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)
        ImageDraw.Draw(canvas.image).ellipse(box, canvas.atlas.index[it.ink])
        _arc(canvas, Arc(it.x, it.y, it.radius, ink=it.ink, weight=3 / canvas.scale, on=it.on))
        return

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        draw.ellipse((x - radius * FINE, y - radius * FINE, x + radius * FINE - 1, y + radius * FINE - 1), 255)

    _smooth(canvas, at, ("disc", round(radius, 2)), it.ink, it.on, lambda: [around([(0, 0)], radius + SLACK)], crayon)


def _arc(canvas: Canvas, it: Arc | Ring) -> None:
    start, end = (it.start, it.end) if isinstance(it, Arc) else (0.0, 360.0)
    radius, weight = it.radius * canvas.scale, max(1.0, it.weight * canvas.scale)

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        box = (x - radius * FINE, y - radius * FINE, x + radius * FINE - 1, y + radius * FINE - 1)
        # Pillow counts degrees from the right.
        draw.arc(box, start - 90, end - 90, 255, round(weight * FINE))

    form = ("arc", round(radius, 2), round(weight, 2), start, end)

    def found() -> list[Tile]:
        return tiles(arc_spots(radius, start, end), weight + SLACK, TILE)

    _smooth(canvas, canvas.spot(it.x, it.y), form, it.ink, it.on, found, crayon)


def _line(canvas: Canvas, it: Line) -> None:
    (x1, y1), (x2, y2) = canvas.spot(it.x1, it.y1), canvas.spot(it.x2, it.y2)
    weight = max(1.0, it.weight * canvas.scale)
    if it.dash:
        for piece in dashes(x1, y1, x2, y2, it.dash * canvas.scale):
            _stroke(canvas, piece, it.ink, it.on, weight)
    elif x1 == x2 or y1 == y2:
        half = max(1, round(weight)) / 2
        left, top = math.floor(min(x1, x2) - half + 0.5), math.floor(min(y1, y2) - half + 0.5)
        wide, high = abs(x2 - x1) + 2 * half, abs(y2 - y1) + 2 * half
        canvas.fill(left, top, round(left + wide), round(top + high), it.ink)
    else:
        _stroke(canvas, ((x1, y1), (x2, y2)), it.ink, it.on, weight)


def _path(canvas: Canvas, it: Path) -> None:
    spots = [canvas.spot(*spot) for spot in it.spots]
    if it.fill:
        _area(canvas, spots, it.fill, it.on)
    if it.ink:
        way = [*spots, spots[0]] if it.closed else spots
        _stroke(canvas, way, it.ink, it.fill or it.on if it.closed else it.on, max(1.0, it.weight * canvas.scale))


def _relative(spots: Sequence[Spot]) -> tuple[Spot, ...]:
    x, y = spots[0]
    return tuple((snapped(a - x), snapped(b - y)) for a, b in spots)


def _area(canvas: Canvas, spots: Sequence[Spot], ink: Ink, on: Ink) -> None:
    if max(max(side) - min(side) for side in zip(*spots, strict=True)) > WHOLE:
        ImageDraw.Draw(canvas.image).polygon(spots, canvas.atlas.index[ink])
        return
    form = _relative(spots)

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        draw.polygon([(x + a * FINE, y + b * FINE) for a, b in form], 255)

    _smooth(canvas, spots[0], ("area", form), ink, on, lambda: [around(form, SLACK)], crayon)


def _stroke(canvas: Canvas, spots: Sequence[Spot], ink: Ink, on: Ink, weight: float) -> None:
    form = _relative(spots)
    half = weight * FINE / 2

    def crayon(draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        fine = [(x + a * FINE, y + b * FINE) for a, b in form]
        draw.line(fine, 255, round(2 * half), "curve")
        for a, b in (fine[0], fine[-1]):
            draw.ellipse((a - half, b - half, a + half - 1, b + half - 1), 255)

    def found() -> list[Tile]:
        return tiles(samples(form), weight / 2 + SLACK, TILE)

    _smooth(canvas, spots[0], ("stroke", form, round(weight, 2)), ink, on, found, crayon)


PAINTERS: dict[type[Shape], Callable[[Canvas, Any], None]] = {
    Box: _box,
    Line: _line,
    Path: _path,
    Disc: _disc,
    Arc: _arc,
    Ring: _arc,
    Text: _text,
    Chip: _chip,
}


def draw(canvas: Canvas, shapes: Iterable[Shape]) -> None:
    """Put shapes on a canvas, one over another."""
    for shape in shapes:
        PAINTERS[type(shape)](canvas, shape)
