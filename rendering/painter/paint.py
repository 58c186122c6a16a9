"""PNG files of pictures, and films of matches."""

from __future__ import annotations

import math
import struct
import zlib
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import lru_cache
from threading import Lock
from typing import Generic, TypeVar

from isal import isal_zlib
from PIL import GifImagePlugin, Image, ImageChops

from rendering.painter import brushes
from rendering.painter.brushes import Atlas, Canvas, PixelLayout
from rendering.shapes import LABEL, LEAST, LEGEND, POINTS, TOTAL, Chip, Ink, Path, Picture, Shape, Text, inks_of
from rendering.theme import ALWAYS, COLOURS_AT_MOST, COLOURS_OF_MANY, palette_for

# PNG files, which the bot sends in messages.


RULE = 27
"""About the distance, in pixels, of the faint lines of the paper; squares of the board are a multiple of it."""
INKS_AT_MOST = 14
"""The most inks that leave space for the blends of text in the palette of a single picture."""
FILES_LIMIT, BASES_LIMIT = 500_000, 16_000_000
"""The cache sizes of finished files and of painted bases, in bytes. Few files, since a file's key is its picture, which
is larger: they serve threads that paint the same picture. The bot's renderer caches files by position."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, INDEXED = 4, 3
"""Bits a pixel, and the colour type of a palette's indices."""
LEVEL = 2
"""The one of ISA-L's levels 0 to 3 with the smallest files, and as fast as any."""
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
    """A key whose hash is computed once: hashing a picture means hashing hundreds of shapes."""

    __slots__ = ("hash", "value")

    def __init__(self, value: Hashable) -> None:
        self.value = value
        self.hash = hash(value)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.hash == other.hash and self.value == other.value


class ByteCache(Generic[Kept]):
    """A thread-safe cache with a limit in bytes; `weigh` gives the size of a value.

    It is single-flight: a thread that asks for what another thread is making waits for that.
    """

    def __init__(self, limit: int, weigh: Callable[[Kept], int]) -> None:
        self.limit = limit
        self.weight = 0
        self._weigh = weigh
        self._kept: OrderedDict[_Key, Kept] = OrderedDict()
        self._making: dict[_Key, Future[Kept]] = {}
        self._lock = Lock()

    def get(self, value: Hashable, make: Callable[[], Kept]) -> Kept:
        """The value for this key, made now unless it is cached or being made."""
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
        while self.weight > self.limit and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.weight -= self._weigh(oldest)


# Painting.


@lru_cache(maxsize=32)
def _atlas_for(used: frozenset[Ink], most: int = COLOURS_AT_MOST) -> Atlas:
    return Atlas(palette_for(used, most))


def _paint_base(atlas: Atlas, picture: Picture, sheet: PixelLayout) -> Canvas:
    """The squared paper, aligned with the board, and the base."""
    scale, width, height, left, top = sheet
    canvas = brushes.blank_canvas(atlas, width, height, "paper", scale, left, top)
    step = scale / max(1, round(scale / RULE)) if scale > RULE else scale * round(RULE / scale)
    for column in range(math.ceil(-left / step), math.ceil((width - left) / step)):
        canvas.fill(left + round(column * step), 0, left + round(column * step) + 1, height, "rule")
    for row in range(math.ceil(-top / step), math.ceil((height - top) / step)):
        canvas.fill(0, top + round(row * step), width, top + round(row * step) + 1, "rule")
    brushes.draw(canvas, picture.base)
    return canvas


_files = ByteCache[bytes](FILES_LIMIT, len)
_bases = ByteCache[Canvas](BASES_LIMIT, lambda canvas: canvas.image.width * canvas.image.height)


def paint_image(picture: Picture) -> Image.Image:
    """The painted picture in palette mode."""
    atlas, sheet = _atlas_for(used_inks(picture)), PixelLayout.for_picture(picture)
    copy = _paint_shapes(_bases.get((picture.base, sheet, atlas), lambda: _paint_base(atlas, picture, sheet)), picture)
    copy.putpalette(atlas.bytes)
    return copy


def used_inks(picture: Picture) -> frozenset[Ink]:
    return frozenset(ink for ink in set[Ink | None]().union(*map(inks_of, picture.base + picture.shapes)) if ink)


def _paint_shapes(base: Canvas, picture: Picture) -> Image.Image:
    """A copy of a base with the picture's shapes on it, as indices."""
    copy = base.image.copy()
    brushes.draw(Canvas(copy, copy.im, base.atlas, base.scale, base.left, base.top), picture.shapes)
    return copy


def shared_atlas(used: frozenset[Ink]) -> Atlas:
    """One palette for several pictures: sixteen colours if their inks and some blends fit, else a larger one."""
    return _atlas_for(used, COLOURS_AT_MOST if len(used.union(ALWAYS)) <= INKS_AT_MOST else COLOURS_OF_MANY)


def paint_indexed(pictures: Iterable[tuple[Picture, PixelLayout]], atlas: Atlas) -> Iterator[Image.Image]:
    """Pictures painted with one palette, each in its layout, as indices into that palette.

    Their bases are not cached: those of one match would displace the bases of other boards.
    """
    known, base = (), None
    for picture, sheet in pictures:
        if base is None or known != (picture.base, sheet):
            known, base = (picture.base, sheet), _paint_base(atlas, picture, sheet)
        yield _paint_shapes(base, picture)


def encode_png(picture: Picture) -> bytes:
    """The picture as a PNG file of at most sixteen colours. Safe in threads; equal pictures are painted once."""
    return _files.get(picture, lambda: _encode_image(paint_image(picture)))


def _encode_image(painted: Image.Image) -> bytes:
    width, height = painted.size
    # A crop beyond the edge gives index 0: two more pixels at the left make the filter byte of each row.
    rows = painted.crop((-2, 0, width, height)).tobytes("raw", "P;4")
    return encode_indexed_png(width, height, bytes(painted.getpalette() or ()), rows)


def forget(bases: bool = True) -> None:
    """Drop the cached files, and with `bases` also the painted boards and palettes."""
    _files.clear()
    if bases:
        _bases.clear()
        _atlas_for.cache_clear()


# The file format.


def encode_indexed_png(width: int, height: int, palette: bytes, rows: bytes) -> bytes:
    """A PNG file of this size in pixels.

    `palette` is red, green, blue of each colour. A row of `rows` is a byte 0 (no filter) and its pixels, two a byte.
    """
    header = struct.pack(">IIBBBBB", width, height, DEPTH, INDEXED, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", isal_zlib.compress(rows, LEVEL)), (b"IEND", b""))
    return SIGNATURE + b"".join(part for kind, body in chunks for part in _encode_chunk(kind, body))


def _encode_chunk(kind: bytes, body: bytes) -> Iterator[bytes]:
    yield struct.pack(">I", len(body))
    yield kind
    yield body
    yield struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))


# Warming up.


def _sample_shapes() -> Iterator[Shape]:
    """Every letter in the type sizes of remarks, coordinates, scores and totals, and the chips of two seats."""
    for place, (size, ink, on) in enumerate(TYPES):
        for line, start in enumerate(range(32, 127, 48)):
            letters = "".join(map(chr, range(start, min(start + 48, 127))))
            yield Text(0, 20 + 40 * (2 * place + line), letters, size, ink, "left", on)
    for place, seat in enumerate((1, 1, 2, 2)):
        yield Chip(60 + 90 * place, 700, 60, seat, on="gold" if place % 2 else "paper")
    yield Path(((500, 660), (540, 700), (500, 740)), closed=True, weight=3)


SAMPLE = Picture("sample", (0, 0, POINTS, POINTS), (), tuple(_sample_shapes()), "All letters.")


def warm_up(pictures: Iterable[Picture] = ()) -> None:
    """Load the typeface and the encoder, and paint what boards of two seats share, then these pictures.

    Without it the first board takes five times as long as the others.
    """
    for picture in (SAMPLE, *pictures):
        encode_png(picture)


# Films: GIF files of matches.


MOST_FRAMES, MOST_BYTES = 300, 8_000_000
"""The most frames and bytes of a film; Discord allows ten megabytes everywhere."""
QUICK, SLOW, WHOLE = 700, 1200, 60_000
"""The least and the most time for a frame, and the time for all frames within these limits, in milliseconds."""
LAST = 5000
"""The time of the last frame, in milliseconds, before the film repeats."""
SMALLER = ((1, 1), (2, 1), (4, 1), (4, 2), (8, 2), (8, 3), (16, 4))
"""Attempts, in order, until a film is small enough: one in how many frames is kept, and the divisor of the sides."""
KEEP = 1
"""The disposal method of GIF frames: leave in place."""
EXTENSION, LOOPS = b"!\xff\x0bNETSCAPE2.0\x03\x01", 0
UNCHANGED = bytes((255, *[0] * 255))
"""A table from the difference of two pixels: 255 where they are equal."""

Work = Generator[None, None, bytes | None]
"""The making of a film, one picture a step. It returns the file, or None if no film is small enough."""


def pick_evenly(count: int, most: int) -> list[int]:
    """At most `most` indices from 0 to `count` - 1, evenly spread, with the first and the last.

    >>> pick_evenly(5, 9), pick_evenly(10, 4), pick_evenly(1, 4), pick_evenly(7, 1)
    ([0, 1, 2, 3, 4], [0, 3, 6, 9], [0], [0, 6])
    """
    if count <= max(2, most):
        return list(range(count))
    steps = max(2, most) - 1
    return [round(step * (count - 1) / steps) for step in range(steps + 1)]


def frame_time(frames: int) -> int:
    """The time of each frame but the last, in milliseconds, a multiple of ten as the format requires."""
    return max(QUICK, min(SLOW, WHOLE // frames // 10 * 10))


def make_film(pictures: Sequence[Picture], most_bytes: int = MOST_BYTES) -> Work:
    """Make the file of a film, with fewer or smaller frames if it would be too large."""
    inks = frozenset[Ink]()
    for picture in pictures:
        inks |= used_inks(picture)
        yield
    atlas = shared_atlas(inks)
    for thinning, shrinking in SMALLER:
        shown = [
            pictures[place] for place in pick_evenly(len(pictures), -(-min(len(pictures), MOST_FRAMES) // thinning))
        ]
        made = yield from _pack_film(shown, page_sizes(shown, shrinking), atlas, most_bytes)
        if made is not None:
            return made
    return None


def page_sizes(pictures: Sequence[Picture], shrinking: int = 1) -> list[PixelLayout]:
    """For each picture a layout of one size, large enough for all.

    If squares have the same size in all pictures, boards are at the same place; else each begins at the top left.
    """
    own = [PixelLayout.for_picture(picture) for picture in pictures]
    left, top = max(one.left for one in own), max(one.top for one in own)
    if len({one.scale for one in own}) > 1:
        width, height = max(one.width for one in own), max(one.height for one in own)
        return [_reduce_size(one._replace(width=width, height=height), shrinking) for one in own]
    width = left + max(one.width - one.left for one in own)
    height = top + max(one.height - one.top for one in own)
    return [_reduce_size(PixelLayout(one.scale, width, height, left, top), shrinking) for one in own]


def _reduce_size(sheet: PixelLayout, shrinking: int) -> PixelLayout:
    return PixelLayout(*(max(1, round(side / shrinking)) for side in sheet))


def _pack_film(pictures: Sequence[Picture], pages: Sequence[PixelLayout], atlas: Atlas, most_bytes: int) -> Work:
    """The file, or None as soon as it is too large."""
    clear, usual = len(atlas.colours.colours), frame_time(len(pictures))
    parts = [_encode_head(pages[0], atlas.bytes)]
    size, before = len(parts[0]), None
    for place, image in enumerate(paint_indexed(zip(pictures, pages, strict=True), atlas), 1):
        parts.append(_encode_frame(image, before, clear, LAST if place == len(pictures) else usual))
        size, before = size + len(parts[-1]), image
        if size >= most_bytes:
            return None
        yield
    return b"".join((*parts, b";"))


def _encode_head(page: PixelLayout, colours: bytes) -> bytes:
    """The GIF header: the size, the palette of all frames, and endless repetition."""
    depth = (len(colours) // 3).bit_length()  # one more colour, for transparency
    screen = struct.pack("<6sHHBBB", b"GIF89a", page.width, page.height, 0xF0 | (depth - 1), 0, 0)
    return screen + colours.ljust(3 << depth, b"\0") + EXTENSION + struct.pack("<HB", LOOPS, 0)


def _encode_frame(image: Image.Image, before: Image.Image | None, clear: int, time: int) -> bytes:
    """The changed part of a frame."""
    if before is None:
        return _encode_data(image, (0, 0), duration=time, disposal=KEEP)
    difference = ImageChops.difference(image, before)
    area = difference.getbbox() or (0, 0, 1, 1)
    changed = image.crop(area)
    changed.im.paste(clear, (0, 0, *changed.size), difference.crop(area).im.point(UNCHANGED, "1"))
    return _encode_data(changed, area[:2], duration=time, disposal=KEEP, transparency=clear)


def _encode_data(image: Image.Image, corner: tuple[int, int], **said: int) -> bytes:
    parts: Iterable[bytes] = GifImagePlugin.getdata(image, corner, **said)
    return b"".join(parts)
