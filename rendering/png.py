"""The file format of pictures: PNG with a palette of at most sixteen colours, two pixels a byte.

PNG lets every row choose one of five filters, which help with the gradients of photographs and not with indices into a
palette; its specification advises to leave them out there. Pillow tries them all for every row, which takes ten times
as long as ISA-L's deflate needs for the rows as they are, and its files are no smaller.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

from isal import isal_zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, INDEXED = 4, 3
"""Bits a pixel, and the colour type of a palette's indices."""
LEVEL = 2
"""Of ISA-L's levels 0 to 3 the one with the smallest files, and as quick as any."""


def indexed(width: int, height: int, palette: bytes, rows: bytes) -> bytes:
    """The file of such a picture.

    `palette` is red, green, blue by turns; each row of `rows` is a byte 0, which says unfiltered, and its pixels.
    """
    header = struct.pack(">IIBBBBB", width, height, DEPTH, INDEXED, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", isal_zlib.compress(rows, LEVEL)), (b"IEND", b""))
    return SIGNATURE + b"".join(part for kind, body in chunks for part in _chunk(kind, body))


def _chunk(kind: bytes, body: bytes) -> Iterator[bytes]:
    yield struct.pack(">I", len(body))
    yield kind
    yield body
    yield struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))
