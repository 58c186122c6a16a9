"""Before a shard sends IDENTIFY: it waits for its slot among all processes and the sessions that Discord allows."""

from __future__ import annotations

import asyncio

import pytest

from bot.platform import shards as identifying
from bot.platform.shards import SessionLimit, SessionsExhausted
from data.store import Reader
from tests.e2e.harness import Harness


async def restarted(harness: Harness, gap: float, slept: list[float]) -> None:
    """Let the bot begin anew, with so much between two sessions; it does not really wait."""

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        harness.sandbox.shard_limits.begun.clear()  # a day is over
        await asyncio.sleep(0)

    harness.deaths += 1
    harness.life.kill()
    await harness.life.end()
    life = harness.another()
    life.client.identifying.gap, life.client.identifying.sleep = gap, sleep
    await life.begin()
    harness.life = life


async def test_a_session_begins_in_its_turn(harness: Harness) -> None:
    slept: list[float] = []
    await restarted(harness, 0.001, slept)
    row = await harness.store.ask(Reader.read_note, "identify 0")
    assert row and row.split()[1] == harness.life.client.presence.holder
    assert row.endswith(" 2"), "it is used when the shard is about to say who it is, not when it was taken"
    await harness.match()


async def test_where_discord_allows_no_session_the_bot_waits_and_says_so(harness: Harness) -> None:
    harness.forgiven.append("Discord allows 0 of 1000 new sessions")
    sharding, slept = harness.sandbox.shard_limits, list[float]()
    sharding.begun = [sharding.clock() - 80_000.0] * 1000
    await restarted(harness, 0.0, slept)
    assert len(slept) == 1 and 6000 < slept[0] <= 6400
    assert len(harness.complaints_of("Discord allows 0 of 1000")) == 1
    assert len(sharding.begun) == 1


async def test_where_few_are_left_one_that_replaces_another_waits(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.forgiven.append("Discord allows 9 of 1000 new sessions")
    identify, sharding, slept = harness.life.client.identifying, harness.sandbox.shard_limits, list[float]()
    sharding.begun = [sharding.clock()] * 991

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    identify.sleep, now = sleep, [0.0]
    identify.steady = lambda: now[0]
    for _ in range(3):
        with pytest.raises(SessionsExhausted):
            await identify.wait_to_identify(0)
    now[0] = 86_400 / 9
    await identify.wait_to_identify(0)
    assert slept == [identifying.BEARABLE] * 3 + [0.0]
    assert len(harness.complaints_of("Discord allows 9 of 1000")) == 1
    sharding.begun.clear()
    await identify.wait_to_identify(0)
    assert identify.allowance.left == 1000


async def test_where_discord_does_not_say_the_bot_goes_on(harness: Harness) -> None:
    harness.forgiven.append("Discord does not say how many sessions")
    harness.faults.fail_requests("GET", "/gateway/bot", 403, times=1)
    identify = harness.life.client.identifying
    identify.allowance = SessionLimit()
    assert await identify.prepare(None, None) is None
    assert harness.complaints_of("Discord does not say how many sessions")
