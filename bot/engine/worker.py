"""The worker process that answers the bot's questions: ``python -m bot.engine.worker``, started by the bot only.

It reads questions from standard input and writes thoughts to standard output, each a pickle after its length in four
bytes; only the bot holds the other ends. Errors are answered too. The process runs at low priority, with limits on
memory and processor time. It exits at the end of its input, and while it searches it checks that the bot still runs.
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

from bot.engine.levels import SearchFailure, Thought
from bot.engine.search import answer_question
from bot.games.catalogue import load_games

LENGTH = 4
"""Bytes of a length, big-endian."""
NICENESS = 10
MEMORY = 1 << 30
"""Bytes of address space at most."""
LONGEST = 60
"""Seconds of processor time for an answer, many times what one takes; the system kills a worker that needs more."""
ALIVE_EVERY = 1.0
"""Seconds between two checks that the bot still runs."""


def read_message(stream: BinaryIO) -> bytes | None:
    """The next message, or None at the end."""
    head = stream.read(LENGTH)
    return stream.read(int.from_bytes(head)) if len(head) == LENGTH else None


def write_message(stream: BinaryIO, message: bytes) -> None:
    stream.write(frame_message(message))
    stream.flush()


def frame_message(message: bytes) -> bytes:
    """A message behind its length."""
    return len(message).to_bytes(LENGTH) + message


def answer_message(message: bytes) -> Thought | SearchFailure:
    """The answer to a question; `SearchFailure` on any error but a lack of memory, which ends the process."""
    try:
        return answer_question(pickle.loads(message))
    except MemoryError:
        raise
    except Exception as fault:
        frame = traceback.extract_tb(fault.__traceback__)[-1]
        return SearchFailure(f"{type(fault).__name__} in {os.path.basename(frame.filename)}, line {frame.lineno}")


def limit_process() -> None:
    """Run at low priority with limited memory and without core dumps, if the system has these."""
    with suppress(OSError):
        os.nice(NICENESS)
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CORE, 0)):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def reset_time_limit() -> None:
    """Reset the limit of processor time, for the next answer."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until = math.ceil(usage.ru_utime + usage.ru_stime) + LONGEST
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def watch_parent(parent: int) -> None:
    """Exit with the parent process, also in the middle of a search."""

    def look(_signal: int, _frame: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(0)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, ALIVE_EVERY, ALIVE_EVERY)


def take_output() -> BinaryIO:
    """The standard output, for answers alone; anything printed by mistake goes to standard error."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def main() -> None:
    """Answer one question after the other."""
    output = take_output()
    limit_process()
    watch_parent(os.getppid())
    load_games()
    while question := read_message(sys.stdin.buffer):
        reset_time_limit()
        write_message(output, pickle.dumps(answer_message(question)))


if __name__ == "__main__":
    main()
