"""A whole match in a real browser on phones: two people, the bot as `python -m bot` serves it, killed in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.browser.page import called, needed
from tests.browser.served_bot import OFFLINE, PATIENCE_MS, ServedBot, moved_by_command, moved_by_pad, opened


@pytest.fixture
async def served(tmp_path: Path) -> AsyncGenerator[ServedBot]:
    async with opened(needed(), tmp_path) as made:
        yield made


async def test_a_whole_match_on_two_phones(served: ServedBot, tmp_path: Path) -> None:
    bot = int((await served.line(r"The bot runs as process (\d+)"))[1])
    ann, bea = await served.tab("Ann"), await served.tab("Bea")
    for tab in (ann, bea):
        await expect(tab.page.get_by_test_id(OFFLINE)).to_have_count(0, timeout=PATIENCE_MS)
    await ann.go("games")
    await ann.command("binary-primes challenge", opponent="Bea", size=3, seat="me", legs=1)
    await ann.read_latest_message(f"Match 1 of Binary Primes: challenge sent. {called('Bea')} can answer until ")
    await expect(bea.page.locator("[data-testid=channel][data-mentions='1']")).to_have_count(1)
    assert await bea.badge("games") == 1
    await bea.go("games")
    assert (await bea.read(await bea.read_latest_message("challenges you to Binary Primes"))).buttons == (
        "Accept", "Decline", "Rules",
    )  # fmt: skip
    await ann.screenshot(tmp_path / "1-lobby.png")
    await bea.press("Accept")
    await bea.read_latest_message("are playing Binary Primes")
    await ann.go("Ann – Bea · Binary Primes · 1")
    board = await ann.read(await ann.read_latest_message(f"{called('Ann')} is to move."))
    assert board.buttons == ("Move", "Rules", "More …")
    assert board.pictures[0].startswith("Binary Primes. 3 by 3. Move 0 of 4. Columns 343 and rows 343.")
    await ann.screenshot(tmp_path / "2-board.png")
    await moved_by_command(ann, "b2")
    await bea.go("Ann – Bea · Binary Primes · 1")
    await bea.read_latest_message(f"{called('Bea')} is to move.")
    await bea.tap("Move", "Type it")
    await bea.modal.wait_for()
    await bea.screenshot(tmp_path / "3-form.png")
    await bea.submit({"Square": "a1"})
    await ann.read_latest_message(f"{called('Ann')} is to move.")
    await ann.screenshot(tmp_path / "4-moved.png")

    os.kill(bot, signal.SIGKILL)
    await expect(ann.page.get_by_test_id(OFFLINE)).to_be_visible(timeout=PATIENCE_MS)
    await ann.screenshot(tmp_path / "5-killed.png")
    await served.line(r"The bot ended \(signal SIGKILL\)")
    await served.line(r"The bot runs as process")
    await expect(ann.page.get_by_test_id(OFFLINE)).to_have_count(0, timeout=PATIENCE_MS)
    # The board with this button was posted by the bot that was killed.
    await moved_by_pad(ann, "c1")
    await bea.read_latest_message(f"{called('Ann')} played c1")
    await moved_by_command(bea, "b1")
    over = await ann.read(await ann.read_latest_message("Rematch"))
    assert (over.buttons, len(over.pictures)) == (("Rematch", "Replay", "More …"), 1)
    await ann.screenshot(tmp_path / "6-over.png")
    await ann.page.mouse.wheel(0, -2500)
    await ann.screenshot(tmp_path / "7-scrolled.png")
    # The board before is closed after the last one is shown.
    moves = ann.page.get_by_role("button", name="Move", exact=True)
    await expect(moves).to_have_count(0, timeout=PATIENCE_MS)
    assert [one.buttons for one in await ann.messages() if one.pictures] == [
        (),
        (),
        (),
        (),
        ("Rematch", "Replay", "More …"),
    ]

    await bea.go("games")
    await bea.command("leaderboard")
    table = await bea.read_latest_message("Leaderboard: all games")
    await expect(table).to_contain_text(f"No place yet: {called('Bea')} (1 match) and {called('Ann')} (1 match).")
    await bea.screenshot(tmp_path / "8-leaderboard.png")
    for tab in (ann, bea):
        assert tab.errors == []
        assert await tab.fits()
        await tab.close()
