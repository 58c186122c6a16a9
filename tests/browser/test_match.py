"""A whole match in a real browser on phones: two people, the bot as `python -m bot` serves it, killed in the middle."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.page import PHONE, Tab, browser, chromium

ROOT = Path(__file__).parents[2]
PATIENCE_MS = 20_000
"""For what a bot that has just been started needs."""
OFFLINE = "bot-offline"


@dataclass
class Theatre:
    """The sandbox with the bot on it as a host starts them, in a process of their own."""

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

    async def tab(self, person: str) -> Tab:
        return await Tab.open(self.browser, self.address, person, PHONE)


@pytest.fixture
async def theatre(tmp_path: Path) -> AsyncGenerator[Theatre]:
    executable = chromium()
    if executable is None:
        message = "There is no Chromium: install one, or name it in the variable CHROMIUM."
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    here = {"GRAPHPAPER_SANDBOX_FOLDER": str(tmp_path / "sandbox"), "GRAPHPAPER_PORT": "0", "GRAPHPAPER_RECONCILE": "1"}
    # A busy machine is no fault of the bot.
    here["GRAPHPAPER_ANSWER_WITHIN"] = "20"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--sandbox", cwd=ROOT, env={**os.environ, **here}, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with browser(executable) as running:
            made = Theatre(process, "", running)
            made.address = (await made.line(r"stand-in for Discord: (http://\S+)"))[1]
            yield made
    finally:
        process.terminate()
        await process.wait()


async def moved_by_command(tab: Tab, square: str) -> None:
    """A slash command, its square taken from what is offered."""
    await tab.pick_command("binary-primes move")
    assert await tab.suggestions("square", square) == [square]
    await tab.accept(square)
    await tab.send()
    await tab.see(f"You played {square}.")


async def moved_by_form(tab: Tab, square: str) -> None:
    """The button under the board, then the form that it opens."""
    await tab.press("Move")
    await tab.submit({"Column": square[0], "Row": square[1]})


async def test_a_whole_match_on_two_phones(theatre: Theatre, tmp_path: Path) -> None:
    bot = int((await theatre.line(r"The bot runs as process (\d+)"))[1])
    ann, bea = await theatre.tab("Ann"), await theatre.tab("Bea")
    for tab in (ann, bea):
        await expect(tab.page.get_by_test_id(OFFLINE)).to_have_count(0, timeout=PATIENCE_MS)
    await ann.go("games")
    await ann.command("binary-primes challenge", opponent="Bea", size=3, seat="me")
    await ann.see("Match 1 of Binary Primes: @Bea has 48 hours to accept.")
    await expect(bea.page.locator("[data-testid=channel][data-mentions='1']")).to_have_count(1)
    assert await bea.badge("games") == 1
    await bea.go("games")
    assert (await bea.read(await bea.see("challenges @Bea to Binary Primes"))).buttons == (
        "Accept", "Decline", "Cancel", "Rules",
    )  # fmt: skip
    await ann.screenshot(tmp_path / "1-lobby.png")
    await bea.press("Accept")
    await bea.see("match of Binary Primes is on")
    await ann.go("Ann – Bea · Binary Primes · 1")
    board = await ann.read(await ann.see("@Ann is to move."))
    assert board.buttons == ("Move", "Rules")
    assert board.pictures[0].startswith("Binary Primes, 3 by 3, move 0 of 4: columns 343, rows 343.")
    await ann.screenshot(tmp_path / "2-board.png")
    await moved_by_command(ann, "b2")
    await bea.go("Ann – Bea · Binary Primes · 1")
    await bea.see("@Bea is to move.")
    await bea.press("Move")
    await bea.modal.wait_for()
    await bea.screenshot(tmp_path / "3-form.png")
    await bea.submit({"Column": "a", "Row": "1"})
    await ann.see("@Ann is to move.")
    await ann.screenshot(tmp_path / "4-moved.png")

    os.kill(bot, signal.SIGKILL)
    await expect(ann.page.get_by_test_id(OFFLINE)).to_be_visible(timeout=PATIENCE_MS)
    await ann.screenshot(tmp_path / "5-killed.png")
    await theatre.line(r"The bot ended \(signal SIGKILL\)")
    await theatre.line(r"The bot runs as process")
    await expect(ann.page.get_by_test_id(OFFLINE)).to_have_count(0, timeout=PATIENCE_MS)
    # The board with this button was posted by the bot that was killed.
    await moved_by_form(ann, "c1")
    await bea.see("@Ann played c1")
    await moved_by_command(bea, "b1")
    await ann.see("@Bea wins!")
    over = await ann.read(await ann.see("@Bea wins!"))
    assert (over.buttons, len(over.pictures)) == (("Rematch", "Rules"), 3)
    await ann.screenshot(tmp_path / "6-over.png")
    await ann.page.mouse.wheel(0, -2500)
    await ann.screenshot(tmp_path / "7-scrolled.png")
    assert [one.buttons for one in await ann.messages() if one.pictures] == [(), (), (), (), ("Rematch", "Rules")]

    await bea.go("games")
    await bea.command("leaderboard")
    table = await bea.see("Leaderboard: all games")
    await expect(table).to_contain_text("Without a place yet: @Bea (1 match) and @Ann (1 match).")
    await bea.screenshot(tmp_path / "8-leaderboard.png")
    for tab in (ann, bea):
        assert tab.errors == []
        assert await tab.fits()
        await tab.close()
