"""A worker process that answers the bot's questions: ``python -m bot.search.worker``, which only the bot starts.

It reads questions from its standard input and writes thoughts to its standard output, each a pickle after its length in
four bytes; only the bot holds the other ends. Errors are answered too. The process runs at low priority, with bounds on
memory and processor time. It ends with its input, and while it searches it checks that the bot still runs.
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
"""Seconds of processor time for an answer, many times what one takes; the system ends a worker that needs more."""
ALIVE_EVERY = 1.0
"""Seconds between two checks that the bot still runs."""


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
    """The answer to a question, or a `Failure` on any error but a lack of memory, which ends the process."""
    try:
        return answer(pickle.loads(message))
    except MemoryError:
        raise
    except Exception as fault:
        frame = traceback.extract_tb(fault.__traceback__)[-1]
        return Failure(f"{type(fault).__name__} in {os.path.basename(frame.filename)}, line {frame.lineno}")


def bound() -> None:
    """Run at low priority with bounded memory and without core dumps, where the system knows these."""
    with suppress(OSError):
        os.nice(NICENESS)
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def give_time() -> None:
    """Give the answer that starts now its seconds of processor time."""
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
    """Take the standard output for answers alone; anything printed by mistake goes to the standard error."""
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
