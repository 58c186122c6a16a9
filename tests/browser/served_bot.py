"""Starts `python -m bot` in a process of its own, with the stand-in for Discord, for tests in a browser."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.page import PHONE, Tab, browser

ROOT = Path(__file__).parents[2]
PATIENCE_MS = 40_000
"""For what a bot that has just been started needs."""
OFFLINE = "bot-offline"


@dataclass
class ServedBot:
    """The sandbox with the bot on it as a host starts them."""

    process: asyncio.subprocess.Process
    address: str
    browser: Browser

    async def line(self, pattern: str) -> re.Match[str]:
        """Wait until it says something."""
        assert self.process.stdout
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while text := (await self.process.stdout.readline()).decode():
                if found := re.search(pattern, text):
                    return found
        raise AssertionError(f"it ended without saying {pattern}")

    async def tab(self, person: str, size: tuple[int, int] = PHONE) -> Tab:
        """Somebody's tab, on a phone unless it is said."""
        return await Tab.open(self.browser, self.address, person, size)

    async def online(self, tab: Tab) -> None:
        """Wait until the bot is there."""
        await expect(tab.page.get_by_test_id(OFFLINE)).to_have_count(0, timeout=PATIENCE_MS)


@asynccontextmanager
async def opened(executable: str, folder: Path, quiet: bool = False) -> AsyncGenerator[ServedBot]:
    """A served with its files in a folder of its own; `quiet`: the bot's log is not shown."""
    here = {"GRAPHPAPER_SANDBOX_FOLDER": str(folder / "sandbox"), "GRAPHPAPER_PORT": "0", "GRAPHPAPER_RECONCILE": "1"}
    # A busy machine is no fault of the bot.
    here["GRAPHPAPER_ANSWER_WITHIN"] = "20"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--sandbox", cwd=ROOT, env={**os.environ, **here}, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL if quiet else None,
    )  # fmt: skip
    try:
        async with browser(executable) as running:
            made = ServedBot(process, "", running)
            made.address = (await made.line(r"stand-in for Discord: (http://\S+)"))[1]
            yield made
    finally:
        process.terminate()
        await process.wait()


async def moved_by_command(tab: Tab, square: str) -> None:
    """A move of Binary Primes by a slash command, its square taken from what is offered."""
    await tab.pick_command("binary-primes move")
    assert await tab.suggestions("square", square) == [square]
    await tab.accept(square)
    await tab.send()


async def moved_by_pad(tab: Tab, square: str) -> None:
    """The button under the board, then the square, and that it is meant."""
    await tab.tap("Move", square, f"Play {square}")
