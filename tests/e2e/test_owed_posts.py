"""What comes by itself in a channel is owed until it is shown: leagues, the puzzle of the day, and the week."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.features.leagues.service import WEEK
from bot.play.ids import ChannelId
from data.store import Transaction
from tests.e2e.harness import MESSAGE, MESSAGES, Harness, Json, called, labels, said
from tests.e2e.test_daily import TODAY
from tests.e2e.test_daily_channel import chosen as puzzles_chosen
from tests.e2e.test_daily_channel import guild, looks, pings
from tests.e2e.test_leagues import CREATE, begun, league, looked, lost, message, noon, opened
from tests.e2e.test_week import EIGHT, at, happened
from tests.e2e.test_week import chosen as week_chosen
from tests.e2e.test_week import looks as weeks
from tests.support.sampled import sampled

__all__ = ["noon"]
HOUR, DAY = 3_600, 86_400


@pytest.fixture
def reconcile() -> float:
    return 10.0


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was refused is tried again after two minutes instead of an hour."""
    monkeypatch.setattr("bot.features.daily.loop.REFUSED_FOR", 120.0)
    monkeypatch.setattr("bot.features.leagues.loop.REFUSED_FOR", 120.0)


def ended(harness: Harness) -> list[Json]:
    """The messages that told how a league ended."""
    return [one for one in harness.dora.read_messages("games") if labels(one) == ["Next season"]]


async def goes_on(harness: Harness) -> None:
    """A moment passes in which the bot looks at all that there is to do."""
    await asyncio.sleep(20)
    await looked(harness)


async def over(harness: Harness) -> None:
    """The weeks of the league are over."""
    await harness.run_due_acts(4 * WEEK)
    await looked(harness)


async def looked_in_vain(harness: Harness) -> None:
    """The bot looks after its leagues, while nothing in their channel can be edited."""
    for _ in range(2):
        await harness.life.does(harness.life.client.handlers.league_keeper.poll())
        await harness.life.idle()


async def test_the_end_of_a_league_is_told_when_its_channel_is_open_again(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    harness.faults.deny("games", "send_messages", "view_channel")
    await harness.run_due_acts(4 * WEEK)
    await looked_in_vain(harness)
    await harness.run_due_acts(5 * HOUR)
    await looked_in_vain(harness)
    await harness.restart()
    await looked_in_vain(harness)
    assert "1 of 6 matches are over." in said(await message(harness)) and not ended(harness)
    harness.faults.allow("games", "send_messages", "view_channel")
    await harness.run_due_acts(HOUR)  # so that boards are tried again
    await goes_on(harness)
    assert "It's over: [who won](" in said(await message(harness)), "the table says that it ended"
    assert len(ended(harness)) == 1 and f"🏆 {called(harness.ann)} wins season 1" in said(ended(harness)[0])
    await harness.restart()
    await goes_on(harness)
    assert len(ended(harness)) == 1, "it is told once"


@sampled("refused", [("POST", MESSAGES), ("PATCH", MESSAGE)])
async def test_an_end_that_is_refused_once_is_told_within_the_hour(harness: Harness, refused: tuple[str, str]) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    harness.faults.fail_requests(*refused, 403, times=1)
    await over(harness)
    assert not ended(harness)
    await asyncio.sleep(150)
    await looked(harness)
    assert "It's over: [who won](" in said(await message(harness)) and len(ended(harness)) == 1


@pytest.mark.long
async def test_an_end_that_was_given_up_before_is_told_after_all(harness: Harness) -> None:
    """Earlier versions noted a league as shown where Discord had refused it."""
    await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    harness.faults.fail_requests("PATCH", MESSAGE, 403, times=1)
    await over(harness)
    row = (await league(harness)).league
    harness.life.kill()
    await harness.store.do(lambda tx: tx.mark_league_shown(row.id, row.version, row.message, None))
    await harness.restart()
    await goes_on(harness)
    assert "It's over: [who won](" in said(await message(harness)) and len(ended(harness)) == 1


async def test_a_sign_up_that_is_refused_once_is_there_when_it_can_be(harness: Harness) -> None:
    harness.faults.fail_requests("POST", MESSAGES, 403, times=1)
    await harness.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(harness)
    assert (await league(harness)).league.message is None
    harness.faults.allow("games", "embed_links")  # whatever changes in the server
    await goes_on(harness)
    assert labels(await message(harness)) == ["Join", "Leave", "Start now"]


@pytest.mark.minutes
async def test_a_league_that_discord_wants_to_wait_holds_up_no_other(harness: Harness) -> None:
    harness.forgiven.append("We are being rate limited")
    for place in ("games", "general"):
        await harness.ann.command(CREATE, channel=place, game="binary-primes")
        await harness.run_due_acts(60)
    await looked(harness)
    harness.faults.rate_limit("PATCH", MESSAGE, retry_after=900, times=3, channel="games")
    for one in range(2):
        await harness.bea.press(await message(harness, one), "Join")
    await looked(harness)
    assert ["**2 people have joined:**" in said(await message(harness, one)) for one in range(2)] == [False, True]
    await asyncio.sleep(800)
    await looked(harness)
    assert len(harness.complaints_of("We are being rate limited")) == 1, "it is left alone for so long"
    await asyncio.sleep(2000)
    await looked(harness)
    assert "**2 people have joined:**" in said(await message(harness, 0))


async def test_a_league_that_hangs_holds_up_no_other(harness: Harness) -> None:
    for place in ("games", "general"):
        await harness.ann.command(CREATE, channel=place, game="binary-primes")
        await harness.run_due_acts(60)
    await looked(harness)
    harness.faults.delay_requests("PATCH", MESSAGE, 25.0, channel="games")
    await harness.bea.press(await message(harness, 0), "Join")
    await asyncio.sleep(1)
    await harness.bea.press(await message(harness, 1), "Join")
    await asyncio.sleep(3)
    assert "**2 people have joined:**" in said(await message(harness, 1))


@pytest.mark.minutes
async def test_240_presses_leave_one_task_and_show_the_last_of_them(harness: Harness) -> None:
    shown = await opened(harness)
    harness.faults.delay_requests("PATCH", MESSAGE, 1000.0, times=20)
    for _ in range(60):
        for person in (harness.bea, harness.cem):
            await person.press(shown, "Leave")
            await person.press(shown, "Join")
            await asyncio.sleep(4)
    tasks = [repr(task) for task in harness.life.tasks]
    waiting = [task for task in tasks if "LeagueKeeper._" in task or "JobQueue._run" in task]
    assert len(waiting) <= 2, "they wait for one edit, not each for its own"
    harness.faults.clear()
    await asyncio.sleep(400)
    await looked(harness)
    assert "**4 people have joined:**" in said(await message(harness))


# --- the puzzle of the day, and the week


async def test_a_puzzle_comes_as_soon_as_its_channel_is_open(harness: Harness) -> None:
    await puzzles_chosen(harness)
    harness.faults.deny("general", "send_messages")
    assert await looks(harness, HOUR) == await looks(harness, 2 * HOUR) == []
    harness.faults.allow("general", "send_messages")
    await asyncio.sleep(31)
    assert await looks(harness) == await looks(harness, HOUR) == [TODAY]
    assert await looks(harness, DAY - 3 * HOUR) == [TODAY, TODAY + 1]
    assert pings(harness) == 1, "the owner, that the channel is closed"


async def test_a_puzzle_whose_day_is_over_is_not_shown_any_more(harness: Harness) -> None:
    await puzzles_chosen(harness)
    harness.faults.deny("general", "send_messages")
    assert await looks(harness, HOUR) == []
    await harness.restart()
    assert await looks(harness, DAY) == []
    harness.faults.allow("general", "send_messages")
    await asyncio.sleep(31)
    assert await looks(harness, HOUR) == [TODAY + 1]


@sampled("way", ["hour", "restart", "elsewhere"])
async def test_a_puzzle_that_is_refused_once_comes_later(harness: Harness, way: str) -> None:
    await puzzles_chosen(harness)
    harness.faults.fail_requests("POST", MESSAGES, 403, times=1, channel="general")
    assert await looks(harness, HOUR) == await looks(harness) == []
    if way == "hour":
        await asyncio.sleep(121)
    elif way == "restart":
        await harness.restart()
    else:
        place = ChannelId(int(harness.sandbox.channel("games")["id"]))
        await harness.store.do(Transaction.change_settings, guild(harness), lambda now: replace(now, daily=place))
        await looks(harness)
        assert any("### Daily puzzle" in said(one) for one in harness.dora.read_messages("games"))
        return
    assert await looks(harness, HOUR) == [TODAY]


async def test_a_puzzle_that_may_have_arrived_before_its_channel_was_closed_comes_once(harness: Harness) -> None:
    await puzzles_chosen(harness)
    await harness.run_due_acts(HOUR)
    await asyncio.sleep(31)
    harness.faults.delay_requests("POST", MESSAGES, 60, applied=True)
    await harness.life.client.post_puzzle_and_week()
    harness.faults.clear()
    harness.faults.forget_nonces()
    harness.faults.deny("general", "send_messages", "view_channel")
    for _ in range(3):
        await looks(harness, HOUR)
    harness.faults.allow("general", "send_messages", "view_channel")
    await asyncio.sleep(31)
    assert await looks(harness, HOUR) == [TODAY]


async def test_a_week_is_told_on_thursday_where_its_channel_was_closed_on_monday(harness: Harness) -> None:
    await week_chosen(harness)
    await happened(harness)
    harness.faults.deny("general", "send_messages")
    await at(harness, EIGHT)
    assert await weeks(harness) == []
    await at(harness, EIGHT + 3 * DAY)
    assert await weeks(harness) == []
    harness.faults.allow("general", "send_messages")
    await asyncio.sleep(31)
    (post,) = await weeks(harness)
    assert said(post).startswith("### The week from 23 to 29 November")
    await harness.restart()
    await at(harness, EIGHT + 4 * DAY)
    assert await weeks(harness) == [post]
