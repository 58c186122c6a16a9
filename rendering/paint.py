"""The painter: pictures to PNG files.

What repeats is painted once: the base of a board, each letter, each kind of piece. A new board is then a copy of its
base with sprites stamped on it (`brushes`), and packing it into a file takes longer than painting it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from PIL import Image

from rendering import brushes
from rendering.cache import ByteCache
from rendering.canvas import Atlas, Canvas, Sheet
from rendering.png import indexed
from rendering.sample import SAMPLE
from rendering.shapes import Ink, Picture, inks
from rendering.theme import ALWAYS, COLOURS_AT_MOST, COLOURS_OF_MANY, palette

RULE = 27
"""About how many pixels apart the faint lines of the paper are; squares of the board are a multiple of it."""
INKS_AT_MOST = 14
"""So many inks leave room for the blends that text needs, in the palette of a single picture."""
FILES_ROOM, BASES_ROOM = 500_000, 16_000_000
"""Bytes of finished files and of painted bases that are kept. A file is kept by its picture, which is larger than it:
so few, for threads that paint the same. Who shows positions keeps their files by the position."""


@lru_cache(maxsize=32)
def _atlas(used: frozenset[Ink], most: int = COLOURS_AT_MOST) -> Atlas:
    return Atlas(palette(used, most))


def _base(atlas: Atlas, picture: Picture, sheet: Sheet) -> Canvas:
    """Squared paper and base. The squares of the paper fit those of the board."""
    scale, width, height, left, top = sheet
    canvas = brushes.blank(atlas, width, height, "paper", scale, left, top)
    step = scale / max(1, round(scale / RULE)) if scale > RULE else scale * round(RULE / scale)
    for column in range(math.ceil(-left / step), math.ceil((width - left) / step)):
        canvas.fill(left + round(column * step), 0, left + round(column * step) + 1, height, "rule")
    for row in range(math.ceil(-top / step), math.ceil((height - top) / step)):
        canvas.fill(0, top + round(row * step), width, top + round(row * step) + 1, "rule")
    brushes.draw(canvas, picture.base)
    return canvas


_files = ByteCache[bytes](FILES_ROOM, len)
_bases = ByteCache[Canvas](BASES_ROOM, lambda canvas: canvas.image.width * canvas.image.height)


def image(picture: Picture) -> Image.Image:
    """The painted picture in palette mode."""
    atlas, sheet = _atlas(used(picture)), Sheet.of(picture)
    copy = _filled(_bases.get((picture.base, sheet, atlas), lambda: _base(atlas, picture, sheet)), picture)
    copy.putpalette(atlas.bytes)
    return copy


def used(picture: Picture) -> frozenset[Ink]:
    """The inks of a picture."""
    return frozenset(ink for ink in set[Ink | None]().union(*map(inks, picture.base + picture.shapes)) if ink)


def _filled(base: Canvas, picture: Picture) -> Image.Image:
    """A copy of a base with the picture's shapes on it, as indices."""
    copy = base.image.copy()
    brushes.draw(Canvas(copy, copy.im, base.atlas, base.scale, base.left, base.top), picture.shapes)
    return copy


def shared_atlas(used: frozenset[Ink]) -> Atlas:
    """One palette for several pictures: that of a single picture, as long as their inks and some blends fit in it."""
    return _atlas(used, COLOURS_AT_MOST if len(used.union(ALWAYS)) <= INKS_AT_MOST else COLOURS_OF_MANY)


def indices(pictures: Iterable[tuple[Picture, Sheet]], atlas: Atlas) -> Iterator[Image.Image]:
    """Pictures painted with one palette, each on the paper that it is given, as indices into that palette.

    Their bases are not kept: those of one match would drive out what boards of others are painted on.
    """
    known, base = (), None
    for picture, sheet in pictures:
        if base is None or known != (picture.base, sheet):
            known, base = (picture.base, sheet), _base(atlas, picture, sheet)
        yield _filled(base, picture)


def png(picture: Picture) -> bytes:
    """The picture as a PNG file of at most sixteen colours. Safe in threads; equal pictures are painted once."""
    return _files.get(picture, lambda: _encoded(image(picture)))


def _encoded(painted: Image.Image) -> bytes:
    width, height = painted.size
    # What a crop takes from beyond the edge is index 0: two pixels more at the left are the byte before each row.
    rows = painted.crop((-2, 0, width, height)).tobytes("raw", "P;4")
    return indexed(width, height, bytes(painted.getpalette() or ()), rows)


def forget(bases: bool = True) -> None:
    """Throw away finished files, and what they were painted from unless only the files are meant."""
    _files.clear()
    if bases:
        _bases.clear()
        _atlas.cache_clear()


def warm_up(pictures: Iterable[Picture] = ()) -> None:
    """Load the typeface and the encoder and paint what boards of two seats share, then these pictures.

    Without it the first board takes five times as long as the others.
    """
    for picture in (SAMPLE, *pictures):
        png(picture)
