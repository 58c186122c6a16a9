"""Measures what the bot costs whoever hosts it: a start on an empty database, an idle process, a look at its health."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from tests.bench.figures import Sheet, median
from tests.bench.hall import Hall

STARTS, LOOKS = 3, 20
SETTLED = 10.0
"""Seconds after which the first pictures are drawn, and nothing is left to be done."""
START, IDLE, HEALTH = 2.0, 150.0, 0.3
"""How many times as much of the processor as loading the two largest libraries alone it takes until the commands are
there: on a machine that is busy or slow both take up to three times as long, 0.5 to 1.6 s. MiB afterwards; and seconds
of processor for one look."""
LIBRARIES = "import discord.ext.commands, sqlalchemy"


def used(pid: int) -> tuple[float, float]:
    """Seconds of processor time that a process has taken so far, and the MiB that it holds."""
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11:13]
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), pages * resource.getpagesize() / 2**20


async def start(folder: Path) -> tuple[float, float, float]:
    """Start a bot without a database: its seconds of processor until it is there and until it rests, and its MiB."""
    async with Hall(folder) as hall:
        hall.database = f"sqlite:///{folder / 'bot' / 'made.db'}"
        await hall.serve("bot", "run")
        assert hall.process
        there, _ = used(hall.process.pid)
        await asyncio.sleep(SETTLED)
        rested, held = used(hall.process.pid)
        hall.process.send_signal(signal.SIGTERM)
        await hall.process.wait()
        return there, rested, held


def taken(environment: dict[str, str], *arguments: str) -> float:
    """Seconds of processor that Python takes for something."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of a host."""
    sheet.title(f"the process itself: {STARTS} starts, each on an empty database, and {LOOKS} looks at its health")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every start would compile the program anew
    await start(folder / "host first")
    starts, loaded = list[tuple[float, float, float]](), list[float]()
    for number in range(STARTS):
        starts.append(await start(folder / f"host {number}"))
        loaded.append(taken(dict(os.environ), "-c", LIBRARIES))
    there, rested, held = (median(values) for values in zip(*starts, strict=True))
    sheet.add("processor until the commands are there", there, "s")
    sheet.add("the same / loading discord.py and SQLAlchemy alone", there / median(loaded), "", START)
    sheet.add("processor until it rests", rested, "s")
    sheet.add("memory at rest", held, "MiB", IDLE)
    database = f"sqlite:///{folder / 'host first' / 'bot' / 'made.db'}"
    environment = {**os.environ, "DISCORD_TOKEN": "no.such.token", "GRAPHPAPER_DATABASE": database}
    looks = [taken(environment, "-m", "bot", "health") for _ in range(LOOKS)]
    sheet.add("processor of a look at health", median(looks), "s", HEALTH)
