"""Errors after which nobody can be answered any more are told from those that are explained."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest

from bot.platform.interactions import describe_error, is_unanswerable

NOBODY: Any = None


async def test_a_bot_that_has_stopped_answers_nobody() -> None:
    session = aiohttp.ClientSession()
    await session.close()
    with pytest.raises(RuntimeError) as refused:
        await session.get("http://127.0.0.1/")
    assert is_unanswerable(refused.value)
    assert not is_unanswerable(RuntimeError("something else"))


def test_whoever_meets_a_long_rate_limit_reads_that_discord_takes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert describe_error(discord.RateLimited(900.0), NOBODY) == (
        "Discord takes no message there right now. Try again in a few minutes."
    )
    assert not caplog.records, "that is no error of the bot's"
