"""The painter turns pictures into PNG files, which the bot sends in messages.

What repeats is painted once: the base of a board, each letter, each kind of piece. A new board is then a copy of its
base with sprites stamped on it (`brushes`), and packing it into a file takes longer than painting it.

A file has a palette of at most sixteen colours, two pixels a byte, and no filters: they help with the gradients of
photographs, not with indices into a palette. Pillow's encoder tries all five filters for every row, takes ten times as
long as ISA-L's deflate, and makes files that are no smaller.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future
from functools import lru_cache
from threading import Lock
from typing import Generic, TypeVar

from isal import isal_zlib
from PIL import Image

from rendering.painter import brushes
from rendering.painter.canvas import Atlas, Canvas, Sheet
from rendering.shapes import LABEL, LEAST, LEGEND, POINTS, TOTAL, Chip, Ink, Path, Picture, Shape, Text, inks
from rendering.theme import ALWAYS, COLOURS_AT_MOST, COLOURS_OF_MANY, palette

RULE = 27
"""About how many pixels apart the faint lines of the paper are; squares of the board are a multiple of it."""
INKS_AT_MOST = 14
"""The most inks that leave space for the blends of text in the palette of a single picture."""
FILES_ROOM, BASES_ROOM = 500_000, 16_000_000
"""Bytes of finished files and of painted bases that are kept. Few files, since a file's key is its picture, which is
larger: they are for threads that paint the same picture. The bot's renderer keeps files by their position."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, INDEXED = 4, 3
"""Bits a pixel, and the colour type of a palette's indices."""
LEVEL = 2
"""Of ISA-L's levels 0 to 3 the one with the smallest files, and as quick as any."""
TYPES: tuple[tuple[float, Ink, Ink], ...] = (
    (LEAST, "ink", "paper"),
    (LEAST, "faded", "paper"),
    (LABEL, "faded", "paper"),
    (LABEL, "ink", "paper"),
    (LEGEND, "faded", "paper"),
    (TOTAL, "ink", "paper"),
    (TOTAL, "ink", "gold"),
)
"""Type sizes that the sample shows, their ink and the ink behind it."""


# A cache.

Kept = TypeVar("Kept")


class _Key:
    """A key whose hash is taken once: hashing a picture means hashing hundreds of shapes."""

    __slots__ = ("hash", "value")

    def __init__(self, value: Hashable) -> None:
        self.value = value
        self.hash = hash(value)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.hash == other.hash and self.value == other.value


class ByteCache(Generic[Kept]):
    """A cache bounded in bytes, safe in threads; `weigh` gives the size of a value.

    It is single-flight: a thread that asks for what another thread is making waits for that.
    """

    def __init__(self, room: int, weigh: Callable[[Kept], int]) -> None:
        self.room = room
        self.weight = 0
        self._weigh = weigh
        self._kept: OrderedDict[_Key, Kept] = OrderedDict()
        self._making: dict[_Key, Future[Kept]] = {}
        self._lock = Lock()

    def get(self, value: Hashable, make: Callable[[], Kept]) -> Kept:
        """The value for this key, made now unless it is kept or under way."""
        key = _Key(value)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
            own: Future[Kept] = Future()
            waiting = self._making.setdefault(key, own)
        return self._fill(key, make, own) if waiting is own else waiting.result()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.weight = 0

    def _fill(self, key: _Key, make: Callable[[], Kept], own: Future[Kept]) -> Kept:
        try:
            thing = make()
        except BaseException as error:
            with self._lock:
                del self._making[key]
            own.set_exception(error)
            raise
        with self._lock:
            del self._making[key]
            self._keep(key, thing)
        own.set_result(thing)
        return thing

    def _keep(self, key: _Key, thing: Kept) -> None:
        self._kept[key] = thing
        self.weight += self._weigh(thing)
        while self.weight > self.room and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.weight -= self._weigh(oldest)


# Painting.


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
    """One palette for several pictures: sixteen colours while their inks and some blends fit, else a larger one."""
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
    """Drop the cached files, and with `bases` also the painted boards and palettes."""
    _files.clear()
    if bases:
        _bases.clear()
        _atlas.cache_clear()


# The file format.


def indexed(width: int, height: int, palette: bytes, rows: bytes) -> bytes:
    """A PNG file of this size in pixels.

    `palette` is red, green, blue by turns. A row of `rows` is a byte 0 (no filter) and its pixels, two a byte.
    """
    header = struct.pack(">IIBBBBB", width, height, DEPTH, INDEXED, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", isal_zlib.compress(rows, LEVEL)), (b"IEND", b""))
    return SIGNATURE + b"".join(part for kind, body in chunks for part in _chunk(kind, body))


def _chunk(kind: bytes, body: bytes) -> Iterator[bytes]:
    yield struct.pack(">I", len(body))
    yield kind
    yield body
    yield struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))


# Warming up.


def _sample() -> Iterator[Shape]:
    """Every letter in the types of remarks, coordinates, scores and totals, and the chips of two seats."""
    for place, (size, ink, on) in enumerate(TYPES):
        for line, start in enumerate(range(32, 127, 48)):
            letters = "".join(map(chr, range(start, min(start + 48, 127))))
            yield Text(0, 20 + 40 * (2 * place + line), letters, size, ink, "left", on)
    for place, seat in enumerate((1, 1, 2, 2)):
        yield Chip(60 + 90 * place, 700, 60, seat, on="gold" if place % 2 else "paper")
    yield Path(((500, 660), (540, 700), (500, 740)), closed=True, weight=3)


SAMPLE = Picture("sample", (0, 0, POINTS, POINTS), (), tuple(_sample()), "All letters.")


def warm_up(pictures: Iterable[Picture] = ()) -> None:
    """Load the typeface and the encoder and paint what boards of two seats share, then these pictures.

    Without it the first board takes five times as long as the others.
    """
    for picture in (SAMPLE, *pictures):
        png(picture)
