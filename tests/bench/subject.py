"""The bot as it is measured: `python -m bot run`, telling when it passes each checkpoint.

A line on standard output for each: the checkpoint, the number it is about, the time. A line on standard input is
answered by a JSON object with the lag of the event loop since the last such line, in seconds, the seconds of processor
time of all threads since then, and the memory in use.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import resource
import sys
import time
from pathlib import Path

from bot.host.logs import start_logging
from bot.host.serving import serve
from bot.settings import Settings
from tests.bench.figures import percentile

TICK = 0.005
KIBIBYTES = 1024 if sys.platform == "darwin" else 1


def say(line: str) -> None:
    """Tell the benchmark, at once."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


class Clock(logging.Handler):
    """Tells when each step was logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Pass a step on with the time, which all processes of a machine read from the same clock."""
        say(f"{record.getMessage()} {time.monotonic():.6f}")


def resident() -> float:
    """The memory in use, in MiB. What the system calls the most ever used begins with what the benchmark's process had
    used when it made this one, so it serves only where nothing better is told."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KIBIBYTES / 1024
    return pages * resource.getpagesize() / 2**20


async def watch(lags: list[float]) -> None:
    """Note for ever by how much the event loop is late."""
    while True:
        began = time.monotonic()
        await asyncio.sleep(TICK)
        lags.append(time.monotonic() - began - TICK)


def report(lags: list[float], marks: list[float]) -> None:
    """Answer a line of standard input."""
    sys.stdin.readline()
    marks.append(time.process_time())
    late = {f"p{percent}": percentile(lags, percent) for percent in (50, 99, 100)} if lags else {}
    lags.clear()
    say(json.dumps({"lag": late, "busy": marks[-1] - marks[-2], "mebibytes": resident()}))


async def main() -> None:
    """Serve, and watch the event loop meanwhile."""
    settings = Settings.read()
    start_logging(settings)
    steps = logging.getLogger("graphpaper.steps")
    steps.setLevel(logging.DEBUG)
    steps.propagate = False
    steps.addHandler(Clock())
    lags: list[float] = []
    watching = asyncio.create_task(watch(lags))
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), report, lags, [0.0])
    await serve(settings)
    watching.cancel()


if __name__ == "__main__":
    asyncio.run(main())
