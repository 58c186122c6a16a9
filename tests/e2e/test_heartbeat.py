"""The heartbeat of the bot: `health` reads it, a lost database is told at the next one, and so is a lost connection."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot import VERSION
from bot.platform.processes import HEARTBEAT
from data.upkeep.health import check_health
from data.upkeep.hindrance import Report
from tests.e2e.harness import WAITING, Harness
from tests.e2e.test_database_lost import LOST, deleted, lost


async def test_the_host_is_told_at_the_next_heartbeat(harness: Harness) -> None:
    harness.forgiven += [LOST, WAITING, "Looking for what is due failed"]
    client = harness.life.client
    client.presence.clock = harness.clock
    beating = asyncio.create_task(client.presence.beat_forever())
    try:
        for _ in range(500):
            if (await check_health(harness.url, harness.clock)).sound:
                break
            await asyncio.sleep(0.02)
        else:
            pytest.fail("the bot notes nothing")
        with lost(harness, deleted):
            await harness.until(lambda: LOST in heard(harness))
    finally:
        beating.cancel()


async def test_the_host_is_told_once_when_the_database_is_there_again(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.forgiven += [LOST, WAITING, "Looking for what is due failed"]
    presence = harness.life.client.presence
    beating = asyncio.create_task(presence.beat_forever())
    back = re.compile(r"The database can be used again, after (\d+) s\.")
    try:
        with caplog.at_level("INFO", "bot.platform.processes"):
            with lost(harness, deleted):
                await harness.until(lambda: LOST in heard(harness))
            await harness.until(lambda: any(map(back.fullmatch, caplog.messages)))
            await asyncio.sleep(3 * HEARTBEAT)
    finally:
        beating.cancel()
    told = [found[1] for one in caplog.messages if (found := back.fullmatch(one))]
    assert len(told) == 1 and 0 < int(told[0]) <= 2 * HEARTBEAT


async def test_a_process_notes_its_version_for_status(harness: Harness) -> None:
    assert await harness.store.ask(lambda reader: reader.read_note("version")) == VERSION


async def test_health_knows_at_once_that_discord_is_there(harness: Harness) -> None:
    assert "was stopped" not in (await look(harness)).lines[0]
    await harness.life.end()
    assert (await look(harness)).lines == ("The database is readable and writable; the bot was stopped.",)
    await harness.restart()
    for _ in range(20):  # the next heartbeat is due in fifteen seconds
        if (await look(harness)).sound:
            break
        await asyncio.sleep(0.05)
    else:
        pytest.fail("health does not know that the bot is connected")


async def test_who_stops_does_not_speak_for_another_on_the_same_servers(harness: Harness) -> None:
    harness.forgiven.append("Two processes serve the same servers on one database")
    other = harness.another()
    await other.begin()
    for _ in range(3):
        for life in (harness.life, other):
            await life.does(life.client.presence.beat())
    await other.end()
    assert "was stopped" not in (await look(harness)).lines[0]


async def look(harness: Harness) -> Report:
    """What `health` says, by the clock by which the bot beats."""
    return await check_health(harness.url, harness.life.client.presence.clock)


def heard(harness: Harness) -> list[str]:
    """All that the bot complained about, forgiven or not."""
    return [record.getMessage() for record in harness.listener.complaints]


async def test_a_bot_knows_when_discord_has_left_it(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    client = harness.life.client
    assert client.presence.connected()
    back = asyncio.Event()

    async def held(_: int) -> None:
        await back.wait()

    monkeypatch.setattr(client.identifying, "wait_to_identify", held)
    await harness.faults.close_gateway(resumable=False)
    await harness.until(lambda: not client.presence.connected())
    back.set()
    await harness.until(lambda: client.presence.connected())
