"""Who sleeps is told once in the morning, though the bot dies over it; the rest is told in tests/stories."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.clocks import DAY, HOUR
from bot.play.rows import Preferences
from bot.sandbox.people import Person
from data.store import Transaction
from tests.e2e.harness import Harness, Played
from tests.simulation.life import living

EIGHT = 1_893_571_200
"""Eight in the morning of the second of January 2030, by UTC."""
SILENT = 1 << 12
EVENING, MIDNIGHT = EIGHT + 15 * HOUR, EIGHT + 16 * HOUR
"""At eleven, and at twelve."""


@pytest.fixture(autouse=True)
async def evening(harness: Harness) -> None:
    """It is eleven in the evening, and stays so until somebody puts the clock forward."""
    harness.clock.at = EVENING
    harness.sandbox.world.clock = harness.clock
    await harness.run_due_acts(0)


async def later(harness: Harness, seconds: int) -> None:
    """Time passes, and the bot looks what is due, what expires, and who has woken up."""
    await harness.later(seconds)
    await harness.life.does(harness.life.client.sweep())
    await harness.settled()


async def late_at_night(harness: Harness) -> Played:
    """A match in which Ann ran out of time at eleven in the evening."""
    played = await harness.match()
    await later(harness, 7 * DAY)
    return await played.fresh()


async def prefers(harness: Harness, person: Person, night: int, morning: int) -> None:
    chosen = Preferences(night=night, morning=morning)
    await harness.store.do(Transaction.change_preferences, int(person.id), lambda _: chosen)


async def test_a_death_before_the_line_is_noted_tells_both_once(harness: Harness) -> None:
    await prefers(harness, harness.ann, 0, 6)
    await prefers(harness, harness.bea, 8, 8)
    await harness.run_due_acts(HOUR)
    await harness.challenge(opponent=harness.bea)
    await later(harness, 2 * DAY)
    await harness.run_due_acts(6 * HOUR)
    harness.kill_at("posted")
    mark = living.set(harness.life)
    sweep = asyncio.create_task(harness.life.client.sweep())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((sweep,))
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)
    await harness.restart()
    await later(harness, 0)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


async def test_a_death_in_the_morning_tells_nobody_twice(harness: Harness) -> None:
    await late_at_night(harness)
    await harness.run_due_acts(9 * HOUR)
    harness.kill_at("told")
    mark = living.set(harness.life)
    sweep = asyncio.create_task(harness.life.client.sweep())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((sweep,))
    await harness.restart()
    await later(harness, 0)
    assert harness.told(harness.bea) == 2
