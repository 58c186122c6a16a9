"""Discord's gateway is away for a moment or for minutes: the bot stays, tries again, and is back soon after it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

import pytest

from bot.sandbox.gateway import Way
from tests.e2e.conftest import opened
from tests.e2e.harness import Harness
from tests.support.sampled import sampled

MINUTE = 60.0
AGAIN = "Attempting a reconnect for shard ID"
NO_GREETING = "Discord closed the connection before it said anything"
LONGEST = 35.0
"""Seconds after an outage in which the bot is back."""
AT_ONCE = 2.0
"""Seconds that a shard takes which Discord lets in."""


@pytest.fixture
async def shards(folder: Path, empty_database: Path) -> AsyncGenerator[Harness]:
    """One bot with four shards."""
    async with opened(folder, empty_database, 3600.0, 4, "0-3/4") as harness:
        harness.forgiven.append(AGAIN)
        yield harness
    assert harness.complaints() == []
    await harness.sound()


def back(harness: Harness, *shards: int) -> bool:
    """Whether Discord tells the bot what happens in some shards."""
    there = {share.first for share in harness.life.client.shard_states.connected_shards}
    return there.issuperset(shards or (0,))


async def returned(harness: Harness, *shards: int) -> float:
    """Seconds until some shards are back; the bot must not end meanwhile."""
    began = asyncio.get_running_loop().time()
    while not back(harness, *shards):
        assert not harness.life.running.done(), "the bot ended"
        await asyncio.sleep(0.1)
    return asyncio.get_running_loop().time() - began


async def lost(harness: Harness, *shards: int) -> None:
    """Wait until the bot knows that some shards are away."""
    while any(back(harness, shard) for shard in shards or (0,)):  # noqa: ASYNC110  it may be back in no time
        await asyncio.sleep(0)


@pytest.mark.parametrize("ways", [["refused", "closed"], ["closed", "refused", "closed", "closed"]])
async def test_a_connection_that_is_closed_before_discord_says_a_word_is_one_more_failed_try(
    harness: Harness, ways: list[Way]
) -> None:
    harness.forgiven.append(AGAIN)
    played = await harness.match()
    harness.faults.refuse_connections(*ways)
    await harness.faults.close_gateway()
    await lost(harness)
    assert await returned(harness) < LONGEST
    tries = [record for record in harness.listener.complaints if AGAIN in record.getMessage()]
    assert len(tries) == len(ways)
    faults = [str(record.exc_info[1]) for record in tries if record.exc_info]
    assert [NO_GREETING in fault for fault in faults] == [way == "closed" for way in ways]
    await played.move("b2")


async def test_one_shard_of_several_is_refused_and_then_closed_before_a_word(shards: Harness) -> None:
    shards.faults.refuse_connections("refused", "closed")
    await shards.faults.close_gateway(shard=2)
    await lost(shards, 2)
    assert back(shards, 0, 1, 3)
    assert await returned(shards, 0, 1, 2, 3) < LONGEST


@sampled("way", ["refused", "closed"])
async def test_after_an_outage_of_five_minutes_the_bot_is_back_in_half_a_minute(harness: Harness, way: Way) -> None:
    """Twenty times in a row: each outage begins with short pauses again."""
    harness.forgiven.append(AGAIN)
    took = list[float]()
    for _ in range(20):
        harness.faults.shut_gateway(way)
        await harness.faults.close_gateway()
        await lost(harness)
        await asyncio.sleep(5 * MINUTE)
        harness.faults.open_gateway()
        took.append(await returned(harness))
        await asyncio.sleep(MINUTE)
    assert max(took) <= LONGEST, took


async def test_a_moment_after_a_long_outage_the_pauses_are_short_again(harness: Harness) -> None:
    harness.forgiven.append(AGAIN)
    harness.faults.shut_gateway()
    await harness.faults.close_gateway()
    await asyncio.sleep(60 * MINUTE)
    harness.faults.open_gateway()
    await returned(harness)
    harness.faults.refuse_connections("refused")
    await harness.faults.close_gateway()
    await lost(harness)
    assert await returned(harness) <= 2.5


@pytest.mark.long
async def test_a_shard_that_is_refused_for_an_hour_keeps_no_other_away(shards: Harness) -> None:
    shards.faults.shut_gateway()
    await shards.faults.close_gateway(shard=2)
    await asyncio.sleep(60 * MINUTE)
    assert back(shards, 0, 1, 3) and not back(shards, 2)
    # From now on all are let in; shard 2 learns of it after its pause.
    while True:
        shards.faults.open_gateway()
        await shards.faults.close_gateway(shard=1)
        await lost(shards, 1)
        assert await returned(shards, 1) < AT_ONCE
        if back(shards, 2):
            break
        shards.faults.shut_gateway()
        await asyncio.sleep(1)
    assert back(shards, 0, 1, 2, 3)


async def test_where_discord_greets_and_then_ends_every_session_the_tries_have_pauses(harness: Harness) -> None:
    harness.forgiven.append("is closed as soon as it is open")
    harness.faults.refuse_identify(4000)
    tries = harness.sandbox.gateway.greeted
    await harness.faults.close_gateway(resumable=False)
    await asyncio.sleep(5 * MINUTE)
    assert not harness.life.running.done()
    assert 5 <= harness.sandbox.gateway.greeted - tries <= 80
    harness.faults.refuse_identify(0)
    assert await returned(harness) <= LONGEST


@sampled("way", ["refused", "closed"])
async def test_a_shard_that_is_refused_for_an_hour_from_the_start_keeps_no_other_away(
    shards: Harness, way: Way
) -> None:
    """discord.py would try nothing else until it is there, and end in a recursion without bounds."""
    shards.forgiven.append("Failed to connect for shard_id")
    gateway = shards.sandbox.gateway
    shards.deaths += 1
    shards.life.kill()
    await shards.life.end()
    shards.life = shards.another()
    # Connections do not say of which shard they are: of the last three one is refused, whichever.
    ever: list[Way] = [way] * 700
    shards.faults.refuse_connections(None, way, None, None, *ever)
    with suppress(TimeoutError):
        await shards.life.begin(registered=False)  # the bot is ready when all its shards are
    assert len([one for one in gateway.sessions.values() if one.wire]) == 3
    await asyncio.sleep(60 * MINUTE)
    assert not shards.life.running.done()
    shards.faults.open_gateway()
    assert await returned(shards, 0, 1, 2, 3) < LONGEST
