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
    "claimed", "reminded", "arrived",
)  # fmt: skip
THOUGHTS = ("thinking", "thought")
"""Checkpoints of a computer's move, before it is an act like others."""
PATIENCE = 1.5
"""Seconds that a checkpoint may keep us waiting before the bot is killed all the same."""


@dataclass(frozen=True)
class Plan:
    """How a life ends: at the `times`-th passing of a checkpoint, or after some seconds. `cold`: in a new Python."""

    checkpoint: str = ""
    times: int = 1
    seconds: float = 0.0
    cold: bool = False


class Lives:
    """Begins and ends the bot's process."""

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        self.environment = {**os.environ, **environment}
        self.log_file = log
        self.log: IO[bytes] = log.open("ab")
        self.starting: asyncio.Queue[int] = asyncio.Queue()
        self.halted = asyncio.Event()
        self.over = asyncio.Event()
        self._nest: Process | None = None
        self._pid = 0
        self._reading: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Start the process that warm lives are forked from."""
        self._nest = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.drill.killed_bot",
            env=self.environment, stdin=PIPE, stdout=PIPE, stderr=self.log, start_new_session=True,
        )  # fmt: skip
        self._reading.append(asyncio.create_task(self._read()))

    async def _read(self) -> None:
        assert self._nest and self._nest.stdout
        async for line in self._nest.stdout:
            match line.decode().split():
                case ["started", pid]:
                    self.starting.put_nowait(int(pid))
                case ["reached", _]:
                    self.halted.set()
                case _:
                    self.over.set()

    async def begin(self, plan: Plan) -> None:
        """Start the bot."""
        self.halted.clear()
        self.over.clear()
        if plan.cold:
            cold = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", env=self.environment, stderr=self.log, start_new_session=True
            )
            self._pid = cold.pid
            self._reading.append(asyncio.create_task(self._buried(cold)))
            return
        assert self._nest and self._nest.stdin
        order = f"{plan.checkpoint} {plan.times}" if plan.checkpoint else ""
        self._nest.stdin.write(f"{order}\n".encode())
        self._pid = await self.starting.get()

    async def _buried(self, cold: Process) -> None:
        await cold.wait()
        self.over.set()

    async def reached(self, patience: float = PATIENCE) -> bool:
        """Wait until the bot has halted; False when it does not get to its checkpoint."""
        return await self._within(patience, self.halted)

    async def outlived(self, seconds: float) -> bool:
        """Wait; False when the bot has ended by itself meanwhile."""
        return not await self._within(seconds, self.over)

    async def _within(self, seconds: float, event: asyncio.Event) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), seconds)
        return event.is_set()

    async def end(self) -> None:
        """Kill the bot, and wait until it is gone."""
        if not self.over.is_set():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        await self.over.wait()
        self._pid = 0

    async def close(self) -> None:
        """End everything that was started here."""
        if self._pid:
            await self.end()
        if self._nest:
            assert self._nest.stdin
            self._nest.stdin.close()
            await self._nest.wait()
        await asyncio.gather(*self._reading)
        self.log.close()
