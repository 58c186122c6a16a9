"""At weekends people read that a clock rests, and until when: on boards, in `/matches` and in `/profile`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.play.ids import UserId
from data.store import Transaction
from tests.e2e.harness import Harness, Played, called, said

FRIDAY, SATURDAY, MONDAY = (int(datetime(2026, 11, day, 12, tzinfo=UTC).timestamp()) for day in (27, 28, 30))
OVER = MONDAY - 12 * 3600
"""The first moment of that Monday in UTC."""
LINE = "'s clock rests on Saturdays and Sundays."


async def at(harness: Harness, moment: int) -> None:
    """It is that moment, and the bot was there all the time."""
    harness.clock.at = moment
    await harness.run_due_acts(0)


async def prefers(harness: Harness, **chosen: Any) -> None:
    """Bea has preferences."""
    await harness.store.do(
        Transaction.change_preferences, UserId(int(harness.bea.id)), lambda now: replace(now, **chosen)
    )


async def rests(harness: Harness, zone: str | None = None) -> Played:
    """A match of Ann and Bea, whose clock rests at weekends, and Ann has moved; it is Friday."""
    await at(harness, FRIDAY)
    await prefers(harness, zone=zone, weekends=False)
    return await (await harness.match()).move("b2")


async def test_a_board_says_whose_clock_rests_at_weekends(harness: Harness) -> None:
    played = await rests(harness)
    assert f"{called(harness.bea)}{LINE}" in said(played.board)
    played = await played.move("a1")
    assert LINE not in said(played.board), "Ann's clock runs on all days"


async def test_at_a_weekend_a_list_says_until_when_the_clock_rests(harness: Harness) -> None:
    played = await rests(harness)
    told = f"{called(harness.bea)}'s clock rests until <t:{OVER}:f>"
    for moment, is_told in ((FRIDAY, False), (SATURDAY, True), (MONDAY, False)):
        await at(harness, moment)
        for person, which in ((harness.ann, "mine"), (harness.cem, "all here")):
            reply = await person.command("matches", channel="general", which=which)
            assert (told in reply.text) is is_told, reply.text
    await at(harness, SATURDAY)
    await harness.bea.command("away until", channel="general", until="in 5 days")
    listed = (await harness.ann.command("matches", channel="general")).text
    assert "is away until" in listed and told not in listed, "one reason is enough"
    assert played.id == 1


async def test_a_weekend_is_that_of_the_zone_in_which_the_clock_was_started(harness: Harness) -> None:
    await rests(harness, "Pacific/Auckland")
    await at(harness, SATURDAY)
    reply = await harness.ann.command("matches", channel="general")
    assert f"rests until <t:{OVER - 13 * 3600}:f>" in reply.text


@pytest.mark.parametrize("weekends", (True, False))
async def test_a_profile_says_that_it_is_the_weekend_or_that_somebody_is_away(harness: Harness, weekends: bool) -> None:
    await at(harness, SATURDAY)
    await prefers(harness, weekends=weekends)
    told = f"It's the weekend for {called(harness.bea)}: clocks rest until <t:{OVER}:f>."
    assert (told in (await harness.ann.command("profile", channel="general", person=harness.bea)).text) is not weekends
    await harness.bea.command("away until", channel="general", until="in 5 days")
    reply = await harness.ann.command("profile", channel="general", person=harness.bea)
    assert f"{called(harness.bea)} is away until <t:" in reply.text and told not in reply.text
