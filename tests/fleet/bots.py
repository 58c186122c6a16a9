"""The bots of the fleet: a process for each share, as a host would run it, and now and then a second by mistake."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bot.play.ids import ShardShare


class Member:
    """A bot; `begin` and `end` it as often as you like."""

    def __init__(self, share: ShardShare, environment: Mapping[str, str], log: Path) -> None:
        self.share = share
        self.environment = {**os.environ, **environment, "GRAPHPAPER_SHARDS": str(share)}
        self.log = log
        self.meant_to_live = False
        self.endings: list[int] = []
        """With what status it has ended by itself."""
        self._process: Process | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The number of its process; 0 while there is none."""
        return self._process.pid if self._process and self._process.returncode is None else 0

    async def begin(self) -> None:
        """Start it; where it ends by itself it is started again, as a container's host does."""
        self.meant_to_live = True
        await self._start()
        self._watching = asyncio.create_task(self._keep())

    async def _start(self) -> None:
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.fleet.bot", env=self.environment, stderr=log, start_new_session=True
            )

    async def _keep(self) -> None:
        while self.meant_to_live and self._process:
            status = await self._process.wait()
            if self.meant_to_live:
                self.endings.append(status)
                await asyncio.sleep(1.0)
                await self._start()

    async def end(self) -> None:
        """Kill it."""
        self.meant_to_live = False
        if self._watching:
            self._signal(signal.SIGKILL)
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        # It may just have been started again.
        self._signal(signal.SIGKILL)
        if self._process:
            await self._process.wait()

    def freeze(self) -> None:
        """Let it stand still."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
