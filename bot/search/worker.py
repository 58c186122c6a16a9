"""A process that thinks: ``python -m bot.search.worker``, started by the bot and by nobody else.

It reads questions from its standard input and writes thoughts to its standard output, each a pickle behind its length
in four bytes; only the bot holds the other ends. An error is answered too. It yields to whatever else the machine has
to do, takes neither memory nor processor time without bounds, and ends when its input does; while it searches it looks
whether the bot is still there.
"""

from __future__ import annotations

import math
import os
import pickle
import resource
import signal
import sys
import traceback
from contextlib import suppress
from types import FrameType
from typing import BinaryIO

from bot.core.library.catalogue import games
from bot.search.thinking import answer
from bot.search.thoughts import Failure, Thought

LENGTH = 4
"""Bytes of a length, the greatest first."""
NICENESS = 10
MEMORY = 1 << 30
"""Bytes of address space at most."""
LONGEST = 60
"""Seconds of processor time for an answer, many times what one takes: whoever needs more goes round in circles, and is
ended by the system."""
ALIVE_EVERY = 1.0
"""Seconds between two looks whether the bot is still there."""


def read(stream: BinaryIO) -> bytes | None:
    """The next message, or None at the end."""
    head = stream.read(LENGTH)
    return stream.read(int.from_bytes(head)) if len(head) == LENGTH else None


def write(stream: BinaryIO, message: bytes) -> None:
    """Send a message."""
    stream.write(framed(message))
    stream.flush()


def framed(message: bytes) -> bytes:
    """A message behind its length."""
    return len(message).to_bytes(LENGTH) + message


def answered(message: bytes) -> Thought | Failure:
    """The answer to a question, whatever comes up; but without memory the next process begins anew."""
    try:
        return answer(pickle.loads(message))
    except MemoryError:
        raise
    except Exception as fault:
        frame = traceback.extract_tb(fault.__traceback__)[-1]
        return Failure(f"{type(fault).__name__} in {os.path.basename(frame.filename)}, line {frame.lineno}")


def bound() -> None:
    """Take the last turn and bounded memory, and leave no picture of it behind, as far as the system has such."""
    with suppress(OSError):
        os.nice(NICENESS)
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def give_time() -> None:
    """Let the answer that is begun now take its seconds of processor time and no more."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until = math.ceil(usage.ru_utime + usage.ru_stime) + LONGEST
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def watch(parent: int) -> None:
    """End with the process that started this one, also in the middle of a search."""

    def look(_signal: int, _frame: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(0)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, ALIVE_EVERY, ALIVE_EVERY)


def own_output() -> BinaryIO:
    """The way back to the bot, for nobody else: whatever is printed by mistake goes to the standard error."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def main() -> None:
    """Answer one question after the other."""
    output = own_output()
    bound()
    watch(os.getppid())
    games()
    while question := read(sys.stdin.buffer):
        give_time()
        write(output, pickle.dumps(answered(question)))


if __name__ == "__main__":
    main()
