"""The publish queue: which match waits for which, and what waits for none."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress

import aiohttp
import discord
import pytest

from bot.platform import jobs, outbox, requests
from bot.platform.machine import in_background
from bot.platform.outbox import PublishQueue
from bot.platform.requests import Throttle
from bot.play.ids import WHOLE, ChannelId, MatchId, ShardShare
from tests.support.waiting import PATIENCE, Still

FIRST = MatchId(1)


class Wall:
    """Where matches are shown: some hang there, some fail at first."""

    def __init__(self) -> None:
        self.hanging: set[int] = set()
        self.faults: list[Exception] = []
        self.shown: list[tuple[int, bool]] = []
        self.at_once: Counter[int] = Counter()
        self.most: Counter[int] = Counter()
        self.news = asyncio.Event()
        self.queue = PublishQueue(self.show, Throttle(), 0.01)

    async def show(self, match: MatchId, restore: bool) -> None:
        """Show a match; the channels of a test are its tens."""
        channel = match // 10
        self.at_once[channel] += 1
        self.most[channel] = max(self.most[channel], self.at_once[channel])
        try:
            await asyncio.sleep(3600 if match in self.hanging else 0.001)
            if self.faults:
                raise self.faults.pop(0)
            self.shown.append((match, restore))
            self.news.set()
        finally:
            self.at_once[channel] -= 1

    async def heard(self, count: int) -> None:
        """Wait until so many matches have been shown."""
        while len(self.shown) < count:
            self.news.clear()
            await self.news.wait()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundredths of a second instead of seconds."""
    monkeypatch.setattr(outbox, "PLACE_FOR", 0.01)
    monkeypatch.setattr(outbox, "LINE_FOR", 0.02)
    monkeypatch.setattr(outbox, "LAST_TURNS", 0.05)


def lagging(*matches: int) -> list[tuple[MatchId, ChannelId]]:
    return [(MatchId(match), ChannelId(match // 10)) for match in matches]


@pytest.mark.parametrize("hanging", [4, 8, 30])
async def test_matches_that_hang_keep_no_place_from_others(hanging: int) -> None:
    wall = Wall()
    wall.hanging = {number * 10 for number in range(hanging)}
    async with asyncio.timeout(PATIENCE):
        await wall.queue.publish_due(lagging(*wall.hanging, 500, 510))
        wall.queue.ask(MatchId(600))
        await wall.heard(3)
        assert {match for match, _ in wall.shown} == {500, 510, 600}
        await wall.queue.stop()
    assert wall.at_once.total() == 0, "nothing goes on behind the bot's back"


async def test_what_people_asked_for_and_did_not_get_waits_for_nothing_that_lags_behind() -> None:
    """It is tried again after its pause, however long those take that are being caught up."""
    wall = Wall()
    wall.hanging, wall.faults = set(range(0, 3000, 10)), [OSError()]
    async with asyncio.timeout(PATIENCE):
        catching_up = asyncio.create_task(wall.queue.publish_due(lagging(*wall.hanging)))
        wall.queue.ask(MatchId(5001))
        for _ in ("it fails", "its pause is over"):
            await asyncio.sleep(0.02)
        wall.queue.retry_failed()
        await wall.heard(1)
        assert wall.shown == [(5001, False)] and not catching_up.done()
        catching_up.cancel()
        await wall.queue.stop()


async def test_a_match_that_hangs_holds_up_its_channel_for_seconds_only() -> None:
    wall = Wall()
    wall.hanging = {10}
    async with asyncio.timeout(PATIENCE):
        await wall.queue.publish_due(lagging(10, 11))
        await wall.heard(1)
        await wall.queue.stop()
    assert wall.shown == [(11, False)]


async def test_those_of_one_channel_are_shown_one_after_the_other() -> None:
    """But the person who has acted there waits for none of them."""
    wall = Wall()
    await wall.queue.publish_due(lagging(*range(10, 19), *range(20, 29)))
    await wall.queue.publish_due(lagging(*range(10, 19)))  # a second look, before they are done
    wall.queue.ask(MatchId(19))
    await wall.queue.settle()
    assert sorted(match for match, _ in wall.shown) == [*range(10, 20), *range(20, 29)]
    assert wall.shown.index((19, False)) <= 3
    assert (wall.most[1], wall.most[2]) == (2, 1)


async def test_a_match_that_is_asked_for_while_it_is_shown_is_shown_once_more() -> None:
    wall = Wall()
    wall.queue.ask(FIRST)
    await asyncio.sleep(0)
    for restore in (False, True, False):
        wall.queue.ask(FIRST, restore)
    await wall.queue.settle()
    assert wall.shown == [(1, False), (1, True)]


async def test_what_discord_asks_to_wait_for_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where people act meanwhile; and what they have asked for is not forgotten over it."""
    clock = Still()
    monkeypatch.setattr(jobs, "loop_time", clock)
    wall = Wall()
    wall.faults = [discord.RateLimited(60)]
    wall.queue.ask(FIRST, restore=True)
    await wall.queue.settle()
    wall.queue.ask(FIRST)
    wall.queue.retry_failed()
    await wall.queue.publish_due(lagging(1))
    await wall.queue.settle()
    assert wall.shown == []
    clock.now += 61
    wall.queue.retry_failed()
    await wall.queue.settle()
    assert wall.shown == [(1, True)]


async def test_a_secret_act_has_nothing_tried_sooner() -> None:
    """Else the board that comes says when it was made."""
    wall = Wall()
    wall.faults = [OSError(), OSError()]
    wall.queue.ask(FIRST)
    await asyncio.sleep(0)
    wall.queue.ask(FIRST, quiet=True)
    await wall.queue.settle()
    wall.queue.ask(FIRST, quiet=True)
    await wall.queue.settle()
    assert len(wall.faults) == 1, "tried once"
    wall.queue.ask(FIRST)
    wall.queue.ask(FIRST)
    await wall.queue.settle()
    assert wall.faults == []
    wall.queue.ask(FIRST)
    await wall.queue.settle()
    wall.queue.ask(FIRST, quiet=True)
    await wall.queue.settle()
    assert len(wall.shown) == 2, "where nothing is amiss it is shown at once"


async def test_a_turn_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "LONGEST_TURN", 0.02)
    wall = Wall()
    wall.hanging = {1}
    wall.queue.ask(FIRST)
    await wall.queue.settle()
    wall.hanging.clear()
    wall.queue.ask(FIRST)
    await wall.queue.settle()
    assert wall.shown == [(1, False)]


async def test_work_in_the_background_leaves_room_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests count, but not the answers to interactions, which Discord does not limit."""
    monkeypatch.setattr(requests, "IN_BACKGROUND", 3)
    monkeypatch.setattr(requests, "loop_time", Still())
    counted = Throttle()

    async def asked(path: str, background: bool = False, patience: float = PATIENCE) -> bool:
        """Whether three requests to where nobody listens are made within some seconds of a second that never ends."""

        async def requests() -> None:
            in_background.set(background)
            async with aiohttp.ClientSession(trace_configs=[counted.trace]) as session:
                for _ in range(3):
                    with suppress(aiohttp.ClientError):
                        await session.get(f"http://127.0.0.1:1/api{path}")

        making = asyncio.create_task(requests())
        done, _ = await asyncio.wait((making,), timeout=patience)
        making.cancel()
        return bool(done)

    assert await asked("/channels/5/messages", background=True)
    assert await asked("/interactions/5/token/callback", background=True)
    assert await asked("/channels/5/messages")
    assert not await asked("/channels/5/messages", background=True, patience=0.2)


def test_processes_that_share_the_servers_share_the_room() -> None:
    """Discord counts the requests of a bot, whichever of its processes sends them."""
    four = [Throttle(ShardShare(first, first + 3, 16).fraction) for first in range(0, 16, 4)]
    assert sum(one.capacity for one in four) == requests.IN_BACKGROUND == Throttle(WHOLE.fraction).capacity
    assert Throttle(ShardShare(0, 0, 1000).fraction).capacity == 1
