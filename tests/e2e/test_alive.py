"""A bot on which people play says each minute that it lives, until something is wrong with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.host import serving
from bot.host.serving import keep_alive_calls
from tests.e2e.harness import WAITING, Harness
from tests.e2e.test_database_lost import LOST, deleted, lost

ADDRESS = "https://there/hush"


async def test_the_switch_is_called_each_minute_while_the_bot_is_well(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.forgiven += [LOST, "Looking for what is due failed", "The database could not be used", WAITING]
    calls: list[str] = []

    async def called(address: str) -> str:
        calls.append(address)
        return serving.CALLED

    monkeypatch.setattr(serving, "call_address", called)
    client = harness.life.client
    client.settings = replace(client.settings, alive=ADDRESS, database=harness.url)
    calling = asyncio.create_task(keep_alive_calls(client))
    try:
        await harness.match()
        await asyncio.sleep(serving.CALLED_EVERY * 3 + 1)
        assert calls == [ADDRESS] * 3
        with lost(harness, deleted):
            await asyncio.sleep(serving.CALLED_EVERY * 2)
            assert len(calls) == 3
        await asyncio.sleep(serving.CALLED_EVERY * 2)
        assert len(calls) > 3
    finally:
        calling.cancel()
        await asyncio.wait([calling])


async def test_without_an_address_nobody_is_called(harness: Harness) -> None:
    await keep_alive_calls(harness.life.client)
