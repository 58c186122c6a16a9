"""The heartbeat of the bot: `health` reads it, a lost database is told at the next one, and so is a lost connection."""

from __future__ import annotations

import asyncio

import pytest

from data.upkeep.health import health
from tests.e2e.house import WAITING, House
from tests.e2e.test_database_lost import LOST, deleted, lost


async def test_the_host_is_told_at_the_next_heartbeat(house: House) -> None:
    house.forgiven += [LOST, WAITING, "Looking for what is due failed"]
    client = house.life.client
    client.presence.clock = house.clock
    beating = asyncio.create_task(client.presence.keep())
    try:
        for _ in range(500):
            if (await health(house.url, house.clock)).sound:
                break
            await asyncio.sleep(0.02)
        else:
            pytest.fail("the bot notes nothing")
        with lost(house, deleted):
            await house.until(lambda: LOST in heard(house))
    finally:
        beating.cancel()


def heard(house: House) -> list[str]:
    """All that the bot complained about, forgiven or not."""
    return [record.getMessage() for record in house.listener.complaints]


async def test_a_bot_knows_when_discord_has_left_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    client = house.life.client
    assert client.presence.connected()
    back = asyncio.Event()

    async def held(_: int) -> None:
        await back.wait()

    monkeypatch.setattr(client.identifying, "turn", held)
    await house.faults.close_gateway(resumable=False)
    await house.until(lambda: not client.presence.connected())
    back.set()
    await house.until(lambda: client.presence.connected())
