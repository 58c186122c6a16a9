"""A process that thinks: ``python -m bot.search.worker``, started by the bot and by nobody else.

It reads questions from its standard input and writes thoughts to its standard output, each a pickle behind its length
in four bytes; only the bot holds the other ends. It yields to whatever else the machine has to do, and ends when its
input does.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from typing import BinaryIO

from bot.search.thinking import answer

LENGTH = 4
"""Bytes of a length, the greatest first."""
NICENESS = 10


def read(stream: BinaryIO) -> bytes | None:
    """The next message, or None at the end."""
    head = stream.read(LENGTH)
    return stream.read(int.from_bytes(head)) if len(head) == LENGTH else None


def write(stream: BinaryIO, message: bytes) -> None:
    """Send a message."""
    stream.write(len(message).to_bytes(LENGTH) + message)
    stream.flush()


def main() -> None:
    """Answer one question after the other."""
    with suppress(OSError):
        os.nice(NICENESS)
    while question := read(sys.stdin.buffer):
        write(sys.stdout.buffer, pickle.dumps(answer(pickle.loads(question))))


if __name__ == "__main__":
    main()
