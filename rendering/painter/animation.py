"""Turns a match into a film: a GIF file that Discord plays.

All frames share one palette and one page, so that nothing jumps: a board that grows with the moves stands from the
start on the page that its largest picture needs. A frame holds only what differs from the one before it; everything
else in it is transparent. A move changes little of a board, so whole matches take some hundred kilobytes. The work is
a generator that stops after each picture, so that its caller can serve others in between. Pillow packs the frames.
"""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterable, Sequence

from PIL import GifImagePlugin, Image, ImageChops

from rendering.painter import paint
from rendering.painter.canvas import Atlas, Sheet
from rendering.shapes import Ink, Picture

MOST_FRAMES, MOST_BYTES = 300, 8_000_000
"""The longest and the largest film; Discord takes ten megabytes everywhere."""
QUICK, SLOW, WHOLE = 700, 1200, 60_000
"""The least and the most time for a frame, and the time for all frames within these limits, in milliseconds."""
LAST = 5000
"""How long the last frame stays, before all begins again."""
SMALLER = ((1, 1), (2, 1), (4, 1), (4, 2), (8, 2), (8, 3), (16, 4))
"""Attempts, in order, until a film is small enough: every how many frames one is kept, and by what its sides shrink."""
KEEP = 1
"""How a frame leaves the page to the next one: as it is."""
EXTENSION, LOOPS = b"!\xff\x0bNETSCAPE2.0\x03\x01", 0
UNCHANGED = bytes((255, *[0] * 255))
"""A table from the difference of two pixels: 255 where they are equal."""

Work = Generator[None, None, bytes | None]
"""The making of a film, one picture a step. It returns the file, or None where no film is small enough."""


def evenly(count: int, most: int) -> list[int]:
    """At most `most` places from 0 to `count` - 1, evenly spread, the first and the last always among them.

    >>> evenly(5, 9), evenly(10, 4), evenly(1, 4), evenly(7, 1)
    ([0, 1, 2, 3, 4], [0, 3, 6, 9], [0], [0, 6])
    """
    if count <= max(2, most):
        return list(range(count))
    steps = max(2, most) - 1
    return [round(step * (count - 1) / steps) for step in range(steps + 1)]


def frame_time(frames: int) -> int:
    """How long each frame but the last stays, in milliseconds; the format counts in tens of them."""
    return max(QUICK, min(SLOW, WHOLE // frames // 10 * 10))


def film(pictures: Sequence[Picture], most_bytes: int = MOST_BYTES) -> Work:
    """Makes the file of a film; with fewer or smaller frames where it would be too large."""
    inks = frozenset[Ink]()
    for picture in pictures:
        inks |= paint.used(picture)
        yield
    atlas = paint.shared_atlas(inks)
    for thinning, shrinking in SMALLER:
        shown = [pictures[place] for place in evenly(len(pictures), -(-min(len(pictures), MOST_FRAMES) // thinning))]
        made = yield from _packed(shown, sheets(shown, shrinking), atlas, most_bytes)
        if made is not None:
            return made
    return None


def sheets(pictures: Sequence[Picture], shrinking: int = 1) -> list[Sheet]:
    """For each picture a page that is large enough for all of them.

    Where squares are equally large in all pictures, boards lie on the same spot; else each begins at the top left.
    """
    own = [Sheet.of(picture) for picture in pictures]
    left, top = max(one.left for one in own), max(one.top for one in own)
    if len({one.scale for one in own}) > 1:
        width, height = max(one.width for one in own), max(one.height for one in own)
        return [_reduced(one._replace(width=width, height=height), shrinking) for one in own]
    width = left + max(one.width - one.left for one in own)
    height = top + max(one.height - one.top for one in own)
    return [_reduced(Sheet(one.scale, width, height, left, top), shrinking) for one in own]


def _reduced(sheet: Sheet, shrinking: int) -> Sheet:
    return Sheet(*(max(1, round(side / shrinking)) for side in sheet))


def _packed(pictures: Sequence[Picture], pages: Sequence[Sheet], atlas: Atlas, most_bytes: int) -> Work:
    """The file, or None as soon as it is too large."""
    clear, usual = len(atlas.colours.colours), frame_time(len(pictures))
    parts = [_head(pages[0], atlas.bytes)]
    size, before = len(parts[0]), None
    for place, image in enumerate(paint.indices(zip(pictures, pages, strict=True), atlas), 1):
        parts.append(_frame(image, before, clear, LAST if place == len(pictures) else usual))
        size, before = size + len(parts[-1]), image
        if size >= most_bytes:
            return None
        yield
    return b"".join((*parts, b";"))


def _head(page: Sheet, colours: bytes) -> bytes:
    """The format, the size of the page, the palette of all frames, and that the film goes on for ever."""
    depth = (len(colours) // 3).bit_length()  # one colour more, which is none
    screen = struct.pack("<6sHHBBB", b"GIF89a", page.width, page.height, 0xF0 | (depth - 1), 0, 0)
    return screen + colours.ljust(3 << depth, b"\0") + EXTENSION + struct.pack("<HB", LOOPS, 0)


def _frame(image: Image.Image, before: Image.Image | None, clear: int, time: int) -> bytes:
    """What a frame changes of the page."""
    if before is None:
        return _data(image, (0, 0), duration=time, disposal=KEEP)
    difference = ImageChops.difference(image, before)
    area = difference.getbbox() or (0, 0, 1, 1)
    changed = image.crop(area)
    changed.im.paste(clear, (0, 0, *changed.size), difference.crop(area).im.point(UNCHANGED, "1"))
    return _data(changed, area[:2], duration=time, disposal=KEEP, transparency=clear)


def _data(image: Image.Image, corner: tuple[int, int], **said: int) -> bytes:
    parts: Iterable[bytes] = GifImagePlugin.getdata(image, corner, **said)
    return b"".join(parts)
