"""`python -m bot doctor` against the stand-in: a line for each thing that the bot builds on, and nothing left behind."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.host.doctor.examination import Wanted, examine
from bot.sandbox import Sandbox
from bot.settings import Settings


class Host:
    """A host who runs the doctor; `lines` is what they read, `answers` what they type."""

    def __init__(self, sandbox: Sandbox, file: Path) -> None:
        self.sandbox = sandbox
        self.lines: list[str] = []
        self.answers: list[str] = []
        self.heard: Callable[[str], None] = lambda line: None
        self.settings = Settings(
            token=sandbox.token, api=sandbox.api_url, gateway=sandbox.gateway_url, database=f"sqlite:///{file}"
        )

    def say(self, line: str) -> None:
        self.lines.append(line)
        self.heard(line)

    async def ask(self) -> str:
        return self.answers.pop(0) if self.answers else ""

    async def run(self, channel: str | int | None = "games", press: bool = False, **changed: Any) -> int:
        number = int(self.sandbox.channel(channel)["id"]) if isinstance(channel, str) else channel
        settings = Settings(**{**self.settings.__dict__, **changed})
        return await examine(settings, Wanted(number, press), self.say, self.ask, time.time, random.Random(7))


@pytest.fixture
async def host(folder: Path, empty: Path) -> AsyncGenerator[Host]:
    file = Path(shutil.copy(empty, folder / "graphpaper.db"))
    async with Sandbox() as sandbox:
        yield Host(sandbox, file)


async def test_it_runs(host: Host) -> None:
    status = await host.run()
    print("\n".join(host.lines))
    print(status, [m for ms in host.sandbox.world.messages.values() for m in ms.values()])
    assert 0
