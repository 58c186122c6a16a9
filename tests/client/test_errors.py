"""Errors after which nobody can be answered any more are told from those that are explained."""

from __future__ import annotations

import aiohttp
import pytest

from bot.client.interactions.errors import unanswerable


async def test_a_bot_that_has_stopped_answers_nobody() -> None:
    session = aiohttp.ClientSession()
    await session.close()
    with pytest.raises(RuntimeError) as refused:
        await session.get("http://127.0.0.1/")
    assert unanswerable(refused.value)
    assert not unanswerable(RuntimeError("something else"))
