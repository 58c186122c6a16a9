"""Makes each trouble for a real bot, and prints after how many seconds a real Prometheus rings.

    python -m tests.rings [--only WORDS] [--at-once 6] [--keep]

Status 1: an alarm did not ring, or one rang while all was well. Nothing is hurried: the rules are those of
docs/rules.yml, so the longest trouble takes a quarter of an hour, and all of them about twenty minutes. Where there is
no Prometheus, or no right to make a small disk, it says what is left out, and the status is 3. On Debian:
`apt-get install --no-install-recommends prometheus`.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.rings.causes import CAUSES, Cause, is_root
from tests.rings.scene import LOOK, Scene

LONGEST = 1200.0
"""Seconds for the alarms of a trouble."""
PEACE = 20.0
"""Seconds in which a bot that is well is watched before the trouble."""
SKIPPED = 3


class Row:
    """What came of a trouble."""

    def __init__(self, cause: Cause) -> None:
        self.cause = cause
        self.seconds: dict[str, float] = {}
        self.wrong: list[str] = []

    def lines(self) -> list[str]:
        """A line for each alarm."""
        told = [
            f"{self.cause.name:<38} {alarm:<30} {f'{self.seconds[alarm]:.0f}' if alarm in self.seconds else 'NEVER':>6}"
            for alarm in sorted({*self.cause.rings, *self.seconds}, key=lambda one: self.seconds.get(one, LONGEST))
        ]
        return [*told, *(f"{self.cause.name:<38} WRONG: {one}" for one in self.wrong)]

    @property
    def sound(self) -> bool:
        """Whether all that should ring did."""
        return not self.wrong and self.seconds.keys() >= set(self.cause.rings)


async def tried(cause: Cause, folder: Path) -> Row:
    """Make one trouble and wait until all has rung that should."""
    row = Row(cause)
    async with Scene(folder) as scene:
        try:
            await cause.begin(scene)
            if scene.bots:
                await asyncio.sleep(PEACE)
                row.wrong += [f"{alarm} rang before" for alarm in await scene.firing() - already(cause)]
            since = time.monotonic()
            making = asyncio.create_task(cause.make(scene))
            while time.monotonic() - since < LONGEST and not row.seconds.keys() >= set(cause.rings):
                for alarm in await scene.firing():
                    row.seconds.setdefault(alarm, time.monotonic() - since)
                await asyncio.sleep(LOOK)
            await making
            if scene.calls and "killed" in cause.name:
                row.wrong.append(f"a dead bot called its switch {scene.calls} times")
        except Exception as fault:
            row.wrong.append(f"{type(fault).__name__}: {fault}")
    print("\n".join(row.lines()), flush=True)
    return row


def already(cause: Cause) -> set[str]:
    """What may ring before: where the scene itself is the trouble."""
    return set(cause.rings) if cause.make.__name__ == "nothing" else set()


async def run(given: argparse.Namespace, folder: Path) -> int:
    """Try all troubles, some at a time."""
    chosen = [cause for cause in CAUSES if given.only in cause.name]
    left_out = [cause for cause in chosen if cause.as_root and not is_root()]
    for cause in left_out:
        print(f"LEFT OUT: {cause.name}. A small disk can be made by root only.", flush=True)
    room = asyncio.Semaphore(given.at_once)

    async def in_turn(number: int, cause: Cause) -> Row:
        async with room:
            return await tried(cause, folder / str(number))

    rows = await asyncio.gather(*(in_turn(n, one) for n, one in enumerate(chosen) if one not in left_out))
    print(f"\n{'cause':<38} {'alarm':<30} seconds")
    for row in rows:
        print("\n".join(row.lines()))
    if not all(row.sound for row in rows):
        return 1
    return SKIPPED if left_out else 0


def main() -> int:
    """Read the command line and run."""
    reader = argparse.ArgumentParser("python -m tests.rings")
    reader.add_argument("--only", default="", help="troubles with these words in their names")
    reader.add_argument("--at-once", type=int, default=6, help="how many are made at a time")
    reader.add_argument("--keep", action="store_true", help="keep the logs")
    given = reader.parse_args()
    if shutil.which("prometheus") is None:
        print(
            "LEFT OUT: all of it. There is no prometheus here: apt-get install --no-install-recommends prometheus",
            file=sys.stderr,
        )
        return SKIPPED
    folder = Path(tempfile.mkdtemp(prefix="rings-"))
    try:
        return asyncio.run(run(given, folder))
    finally:
        if given.keep:
            print(f"The logs are in {folder}.")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
