"""A bot on which people play says each minute that it lives, until something is wrong with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.host import serving
from bot.host.serving import keep_alive_calls
from tests.e2e.house import WAITING, House
from tests.e2e.test_database_lost import LOST, deleted, lost

ADDRESS = "https://there/hush"


async def test_the_switch_is_called_each_minute_while_the_bot_is_well(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.forgiven += [LOST, "Looking for what is due failed", "The database could not be used", WAITING]
    calls: list[str] = []

    async def called(address: str) -> str:
        calls.append(address)
        return serving.CALLED

    monkeypatch.setattr(serving, "call_address", called)
    client = house.life.client
    client.settings = replace(client.settings, alive=ADDRESS, database=house.url)
    calling = asyncio.create_task(keep_alive_calls(client))
    try:
        await house.match()
        await asyncio.sleep(serving.CALLED_EVERY * 3 + 1)
        assert calls == [ADDRESS] * 3
        with lost(house, deleted):
            await asyncio.sleep(serving.CALLED_EVERY * 2)
            assert len(calls) == 3
        await asyncio.sleep(serving.CALLED_EVERY * 2)
        assert len(calls) > 3
    finally:
        calling.cancel()
        await asyncio.wait([calling])


async def test_without_an_address_nobody_is_called(house: House) -> None:
    await keep_alive_calls(house.life.client)
