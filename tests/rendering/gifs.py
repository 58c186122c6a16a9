"""GIF files taken apart, block by block: what a viewer is told of the page, the palette and each frame."""

from __future__ import annotations

import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class Frame:
    """How a frame is shown; `time` is in milliseconds."""

    left: int
    top: int
    width: int
    height: int
    time: int
    disposal: int
    clear: int | None
    own_palette: bool


@dataclass(frozen=True)
class Gif:
    """A file: its page, the palette of all frames, how often it is played (0: for ever), and the frames."""

    width: int
    height: int
    palette: bytes
    loops: int | None
    frames: tuple[Frame, ...]


def read(data: bytes) -> Gif:
    """The parts of a file, or an AssertionError where it has not the form that the format asks for."""
    signature, width, height, packed = struct.unpack("<6sHHB", data[:11])
    assert signature == b"GIF89a" and packed & 0x80, "no palette for all frames"
    at = 13 + 3 * (2 << (packed & 7))
    palette, loops, frames, said = data[13:at], None, list[Frame](), (0, 0, 0)
    while data[at] != 0x3B:
        if data[at : at + 2] == b"!\xf9":
            said = struct.unpack("<BHB", data[at + 3 : at + 7])
        elif data[at : at + 2] == b"!\xff":
            loops = struct.unpack("<H", data[at + 16 : at + 18])[0]
        else:
            assert data[at : at + 1] == b",", f"an unknown block at {at}"
            left, top, wide, high, flags = struct.unpack("<HHHHB", data[at + 1 : at + 10])
            clear = said[2] if said[0] & 1 else None
            frames.append(Frame(left, top, wide, high, 10 * said[1], said[0] >> 2, clear, bool(flags & 0x80)))
            at += 9
        at = _behind(data, at + 2)
    assert at == len(data) - 1, "something stands behind the end"
    return Gif(width, height, palette, loops, tuple(frames))


def _behind(data: bytes, at: int) -> int:
    """Where the sub-blocks end that begin here."""
    while data[at]:
        at += data[at] + 1
    return at + 1
