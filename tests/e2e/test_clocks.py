"""The bot on a machine whose clock is wrong: challenges are open for two days of Discord's all the same; and no
clock counts what an outage took."""

from __future__ import annotations

import time

import pytest

from bot.host.machine import seconds_since_boot
from bot.platform.requests import DiscordClock
from tests.e2e.harness import Harness

DAY = 86_400


async def started(harness: Harness, off: int) -> None:
    """The bot is started, or started again, on a machine whose clock is so far off."""
    harness.clock = DiscordClock(lambda: time.time() + off, seconds_since_boot)  # pyright: ignore[reportAttributeAccessIssue]  -- the bot's own clock, for once
    await harness.restart()


@pytest.mark.long
async def test_a_clock_that_is_ahead_for_a_while_closes_no_challenge(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    await started(harness, 2 * DAY + 60)
    await harness.life.client.sweeper.expire_challenges()
    await started(harness, 0)
    assert (await harness.bea.press(played.lobby, "Accept")).kind == "update"


@pytest.mark.long
@pytest.mark.parametrize("off", [-DAY, 2 * DAY])
async def test_a_challenge_made_by_a_wrong_clock_is_open_for_two_days(harness: Harness, off: int) -> None:
    await started(harness, off)
    played = await harness.challenge(opponent=harness.bea)
    assert played.row.expires
    assert abs(played.row.expires - time.time() - 2 * DAY) < 60


async def test_who_is_faster_than_the_timer_after_an_outage_loses_none_of_it(harness: Harness) -> None:
    played = await harness.match(pace="bank")
    harness.clock.ahead += 3 * DAY
    await harness.ann.command("move", channel=played.place, line="a1")
    ann = next(player for player in (await harness.row(played.id)).players if player.user == int(harness.ann.id))
    assert ann.seconds_left == 10 * DAY
