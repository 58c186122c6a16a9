"""The lives of the bot: one process at a time, begun warm (forked) or cold (`python -m bot run`), ended by SIGKILL."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

CHECKPOINTS = (
    "received", "decided", "written", "committed", "answered", "drawn", "posted", "closed", "noted", "shown",
)  # fmt: skip
PATIENCE = 3.0
"""Seconds that a checkpoint may keep us waiting before the bot is killed all the same."""


@dataclass(frozen=True)
class Plan:
    """How a life ends: at the `times`-th passing of a checkpoint, or after so many seconds. `cold`: in a new Python."""

    checkpoint: str = ""
    times: int = 1
    seconds: float = 0.0
    cold: bool = False


class Lives:
    """Begins and ends the bot's process."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        self.environment = {**os.environ, **environment}
        self.log: IO[bytes] = log.open("ab")
        self.lines: asyncio.Queue[str] = asyncio.Queue()
        self._nest: Process | None = None
        self._cold: Process | None = None
        self._pid = 0
        self._reading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the process that warm lives are forked from."""
        self._nest = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.drill.victim",
            env=self.environment, stdin=PIPE, stdout=PIPE, stderr=self.log, start_new_session=True,
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self._nest and self._nest.stdout
        async for line in self._nest.stdout:
            self.lines.put_nowait(line.decode().strip())

    async def begin(self, plan: Plan) -> None:
        """Start the bot."""
        self._cold = None
        if plan.cold:
            self._cold = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", env=self.environment, stderr=self.log, start_new_session=True
            )
            self._pid = self._cold.pid
            return
        assert self._nest and self._nest.stdin
        order = f"{plan.checkpoint} {plan.times}" if plan.checkpoint else ""
        self._nest.stdin.write(f"{order}\n".encode())
        self._pid = int((await self._line("started")).split()[1])

    async def reached(self, checkpoint: str) -> bool:
        """Wait until the bot has halted; False when it does not get there."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._line("reached")
            return True
        except TimeoutError:
            return False

    async def end(self) -> None:
        """Kill the bot, and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        if self._cold:
            await self._cold.wait()
        else:
            await self._line("ended")
        self._pid = 0

    async def _line(self, start: str) -> str:
        while not (line := await self.lines.get()).startswith(start):
            pass
        return line

    async def close(self) -> None:
        """End everything that was started here."""
        if self._pid:
            await self.end()
        if self._nest and self._reading:
            assert self._nest.stdin
            self._nest.stdin.close()
            await self._nest.wait()
            await self._reading
        self.log.close()
