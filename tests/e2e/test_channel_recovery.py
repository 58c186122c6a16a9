"""A channel was closed to the bot and is open again: parked matches go on by themselves, with pauses between tries."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest

from bot.features.board.loop import ChannelRecovery
from bot.play.ids import ChannelId
from bot.sandbox import people
from data.engine.errors import Unavailable
from tests.e2e.harness import MESSAGES, Harness, Played, called, labels
from tests.support.sampled import sampled


@pytest.fixture
def reconcile() -> float:
    return 1.0


async def parked(harness: Harness) -> Played:
    """A match whose board could not be posted after Ann's move, so that Bea does not know that it is her turn."""
    played = await harness.match()
    told = harness.told(harness.bea)
    harness.faults.deny("games", "attach_files")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.settled()
    played = await played.fresh()
    assert played.row.publish_error and harness.told(harness.bea) == told
    return played


async def held(harness: Harness) -> None:
    """From now on nothing is tried again: what came before the match, as its thread, is a reason for that too."""
    held = harness.life.client.loops.tasks.pop("channel_recovery")
    held.cancel()
    await asyncio.wait((held,))


def let_go(harness: Harness) -> None:
    """It is looked again at what may be tried."""
    client = harness.life.client
    reopening = client.get_cog("ChannelRecovery")
    assert isinstance(reopening, ChannelRecovery)
    client.loops.repeat(channel_recovery=reopening.poll)


async def comes_back(harness: Harness, played: Played) -> None:
    """The board is shown within moments, and tells who is to move, once."""
    shown = asyncio.create_task(harness.until(lambda: len(played.boards) == 2))
    await asyncio.wait((shown,), timeout=15)
    assert shown.done(), "nobody has to do anything for it"
    await harness.settled()
    assert (await played.fresh()).row.publish_error is None
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert f"{called(harness.bea)} is to move." in people.text_of(played.board)
    assert harness.told(harness.bea) == 2


def by_channel(harness: Harness) -> None:
    harness.faults.allow("games", "attach_files")


def by_role(harness: Harness) -> None:
    """Where a channel denies something, being an administrator helps."""
    guild = harness.sandbox.world.home_guild
    role = next(role for role in guild["roles"] if role.get("managed"))
    role["permissions"] = str(int(role["permissions"]) | 1 << 3)
    harness.sandbox.world.tell("GUILD_ROLE_UPDATE", {"guild_id": guild["id"], "role": role})


@sampled("change", [by_channel, by_role])
async def test_a_board_comes_when_it_is_allowed_again(harness: Harness, change: Callable[[Harness], None]) -> None:
    played = await parked(harness)
    change(harness)
    await comes_back(harness, played)


@pytest.mark.long
async def test_a_board_comes_when_a_thread_is_unlocked(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    # The locking is a reason to look as well, and that counts as a try.
    monkeypatch.setattr("bot.features.board.loop.AT_MOST_EVERY", 0.1)
    played = await harness.match()
    await held(harness)
    harness.faults.archive(played.place, locked=True)
    await harness.ann.command("binary-primes move", channel="general", square="b2")
    await harness.settled()
    assert (await played.fresh()).row.publish_error
    harness.faults.archive(played.place, locked=False)
    let_go(harness)
    await comes_back(harness, played)


@pytest.mark.long
async def test_a_board_comes_when_the_bot_is_invited_again(harness: Harness) -> None:
    played = await parked(harness)
    harness.faults.kick()
    harness.faults.allow("games", "attach_files")
    harness.faults.invite()
    await comes_back(harness, played)


async def test_a_board_comes_after_a_restart(harness: Harness) -> None:
    played = await parked(harness)
    harness.life.kill()
    harness.faults.allow("games", "attach_files")
    await harness.restart()
    await comes_back(harness, played)


@pytest.mark.long
@pytest.mark.parametrize("another", [False, True])
async def test_a_board_comes_though_its_refusal_came_after_the_channel_was_opened(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, another: bool
) -> None:
    """Also where another match of its server was parked in time, and tried meanwhile."""
    monkeypatch.setattr("bot.features.board.loop.AT_MOST_EVERY", 10.0)
    late = await harness.match()
    played = [await parked(harness)] if another else []
    harness.faults.deny("games", "attach_files")
    refusal = harness.faults.delay_requests("POST", MESSAGES, 8.0, applied=True, channel=late.place)
    move = asyncio.create_task(late.mover.command("binary-primes move", channel=late.place, square="b2"))
    await harness.until(lambda: not refusal.times)
    await asyncio.sleep(1)  # Discord has refused it, and its answer is on its way
    harness.faults.allow("games", "attach_files")
    await asyncio.sleep(20)
    await move
    assert [len(each.boards) for each in (*played, late)] == [2] * (1 + another)


@pytest.mark.long
async def test_a_board_comes_though_the_store_could_not_be_asked_when_its_channel_was_opened(harness: Harness) -> None:
    played = await parked(harness)
    await held(harness)
    harness.faults.allow("games", "attach_files")
    client = harness.life.client
    reopening = client.get_cog("ChannelRecovery")
    assert isinstance(reopening, ChannelRecovery)
    await harness.until(
        lambda: not client.publisher.channels.is_channel_closed(played.row.guild, ChannelId(int(played.place["id"])))
    )
    with closing(sqlite3.connect(harness.file)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable):
            await reopening.poll()
        other.execute("ROLLBACK")
    let_go(harness)
    await comes_back(harness, played)


async def refused(harness: Harness, times: int) -> Played:
    """A match whose board Discord refuses, though the permissions known to the bot allow it."""
    played = await harness.match()
    await held(harness)
    harness.faults.fail_requests("POST", MESSAGES, 403, times).code = 50013
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.settled()
    assert (await played.fresh()).row.publish_error
    let_go(harness)
    return played


@pytest.mark.long
async def test_a_board_comes_after_an_hour(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """For what Discord does not tell."""
    played = await refused(harness, 1)
    monkeypatch.setattr("bot.features.board.loop.RETRIED_EVERY", 0.0)
    await comes_back(harness, played)


@pytest.mark.long
async def test_a_server_that_changes_all_the_time_is_asked_seldom(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = await refused(harness, 1000)
    before = len(harness.sandbox.requests_of("POST", MESSAGES))
    for _ in range(10):
        harness.faults.allow("games", "attach_files")
        await asyncio.sleep(1)
    await harness.settled()
    assert len(harness.sandbox.requests_of("POST", MESSAGES)) - before == 1
    harness.faults.clear()
    monkeypatch.setattr("bot.features.board.loop.AT_MOST_EVERY", 0.0)
    await comes_back(harness, played)
