"""Time runs out while the bot dies or is away; who then claims what is told in tests/stories."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.clocks import DAY
from tests.e2e.harness import Harness, labels, said
from tests.simulation.life import living
from tests.support.sampled import sampled

WEEK = 7 * DAY


@pytest.fixture(autouse=True)
async def standing(harness: Harness) -> None:
    """Boards name seconds: the clock stands still but where it is put forward, in the time of the story."""
    harness.clock.at = harness.clock()


@pytest.fixture
def described() -> bool:
    return False


@sampled("step", ["committed", "posted", "noted", "decided", "written"])
async def test_killed_while_a_deadline_passes(harness: Harness, step: str) -> None:
    played = await harness.match()
    await harness.run_due_acts(WEEK)
    harness.kill_at(step)
    mark = living.set(harness.life)
    look = asyncio.create_task(harness.life.client.keep_time())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((look,))
    await harness.restart()
    await harness.later(0)
    played = await played.fresh()
    assert (len(played.boards), harness.told(harness.bea), harness.told(harness.ann)) == (1, 2, 2)
    ann = played.row.players[0]
    assert ann.forfeit_at and ann.deadline and ann.deadline <= harness.clock()
    assert "Claim" in labels(played.board)


async def test_while_discord_is_away_no_time_passes(harness: Harness) -> None:
    """A whole week without a connection: nothing is due before it is given back, and nothing after."""
    played = await harness.match()
    before = played.row.players[0].deadline
    client = harness.life.client
    await client.keep_time()
    client._ready.clear()  # pyright: ignore[reportPrivateUsage]  -- as while discord.py connects anew
    harness.clock.ahead += 2 * WEEK
    await client.keep_time()
    assert await played.unchanged()
    client._ready.set()  # pyright: ignore[reportPrivateUsage]
    await client.keep_time()
    played = await played.fresh()
    assert before and played.row.players[0].deadline == pytest.approx(before + 2 * WEEK, abs=60)
    assert played.row.players[0].forfeit_at is None and len(played.boards) == 1
    harness.clock.ahead += 60
    await client.publisher.retry_failed()
    await harness.settled()
    assert f"<t:{played.row.players[0].deadline}:R>" in said(played.board), "the board is edited in its place"
    assert (len(played.boards), harness.told(harness.ann), harness.told(harness.bea)) == (1, 1, 1)
