"""What comes by itself in a channel is owed until it is shown: leagues, the puzzle of the day, and the week."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.features.leagues.service import WEEK
from bot.play.ids import ChannelId
from data.store import Transaction
from tests.e2e.house import MESSAGE, MESSAGES, House, Json, called, labels, said
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


def ended(house: House) -> list[Json]:
    """The messages that told how a league ended."""
    return [one for one in house.dora.read_messages("games") if labels(one) == ["Next season"]]


async def goes_on(house: House) -> None:
    """A moment passes in which the bot looks at all that there is to do."""
    await asyncio.sleep(20)
    await looked(house)


async def over(house: House) -> None:
    """The weeks of the league are over."""
    await house.run_due_acts(4 * WEEK)
    await looked(house)


async def test_the_end_of_a_league_is_told_when_its_channel_is_open_again(house: House) -> None:
    await begun(house)
    await lost(house, house.bea, house.ann)
    house.faults.deny("games", "send_messages", "view_channel")
    await over(house)
    await house.run_due_acts(5 * HOUR)
    await looked(house)
    await house.restart()
    await looked(house)
    assert "1 of 6 matches are over." in said(await message(house)) and not ended(house)
    house.faults.allow("games", "send_messages", "view_channel")
    await goes_on(house)
    assert "It's over: [who won](" in said(await message(house)), "the table says that it ended"
    assert len(ended(house)) == 1 and f"🏆 {called(house.ann)} wins season 1" in said(ended(house)[0])
    await house.restart()
    await goes_on(house)
    assert len(ended(house)) == 1, "it is told once"


@sampled("refused", [("POST", MESSAGES), ("PATCH", MESSAGE)])
async def test_an_end_that_is_refused_once_is_told_within_the_hour(house: House, refused: tuple[str, str]) -> None:
    await begun(house)
    await lost(house, house.bea, house.ann)
    house.faults.fail_requests(*refused, 403, times=1)
    await over(house)
    assert not ended(house)
    await asyncio.sleep(150)
    await looked(house)
    assert "It's over: [who won](" in said(await message(house)) and len(ended(house)) == 1


@pytest.mark.long
async def test_an_end_that_was_given_up_before_is_told_after_all(house: House) -> None:
    """Earlier versions noted a league as shown where Discord had refused it."""
    await begun(house)
    await lost(house, house.bea, house.ann)
    house.faults.fail_requests("PATCH", MESSAGE, 403, times=1)
    await over(house)
    row = (await league(house)).league
    house.life.kill()
    await house.store.do(lambda tx: tx.mark_league_shown(row.id, row.version, row.message, None))
    await house.restart()
    await goes_on(house)
    assert "It's over: [who won](" in said(await message(house)) and len(ended(house)) == 1


async def test_a_sign_up_that_is_refused_once_is_there_when_it_can_be(house: House) -> None:
    house.faults.fail_requests("POST", MESSAGES, 403, times=1)
    await house.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(house)
    assert (await league(house)).league.message is None
    house.faults.allow("games", "embed_links")  # whatever changes in the server
    await goes_on(house)
    assert labels(await message(house)) == ["Join", "Leave", "Start now"]


@pytest.mark.minutes
async def test_a_league_that_discord_wants_to_wait_holds_up_no_other(house: House) -> None:
    house.forgiven.append("We are being rate limited")
    for place in ("games", "general"):
        await house.ann.command(CREATE, channel=place, game="binary-primes")
        await house.run_due_acts(60)
    await looked(house)
    house.faults.rate_limit("PATCH", MESSAGE, retry_after=900, times=3, channel="games")
    for one in range(2):
        await house.bea.press(await message(house, one), "Join")
    await looked(house)
    assert ["**2 people have joined:**" in said(await message(house, one)) for one in range(2)] == [False, True]
    await asyncio.sleep(800)
    await looked(house)
    assert len(house.complaints_of("We are being rate limited")) == 1, "it is left alone for so long"
    await asyncio.sleep(2000)
    await looked(house)
    assert "**2 people have joined:**" in said(await message(house, 0))


async def test_a_league_that_hangs_holds_up_no_other(house: House) -> None:
    for place in ("games", "general"):
        await house.ann.command(CREATE, channel=place, game="binary-primes")
        await house.run_due_acts(60)
    await looked(house)
    house.faults.delay_requests("PATCH", MESSAGE, 25.0, channel="games")
    await house.bea.press(await message(house, 0), "Join")
    await asyncio.sleep(1)
    await house.bea.press(await message(house, 1), "Join")
    await asyncio.sleep(3)
    assert "**2 people have joined:**" in said(await message(house, 1))


@pytest.mark.minutes
async def test_240_presses_leave_one_task_and_show_the_last_of_them(house: House) -> None:
    shown = await opened(house)
    house.faults.delay_requests("PATCH", MESSAGE, 1000.0, times=20)
    for _ in range(60):
        for person in (house.bea, house.cem):
            await person.press(shown, "Leave")
            await person.press(shown, "Join")
            await asyncio.sleep(4)
    tasks = [repr(task) for task in house.life.tasks]
    waiting = [task for task in tasks if "LeagueKeeper._" in task or "JobQueue._run" in task]
    assert len(waiting) <= 2, "they wait for one edit, not each for its own"
    house.faults.clear()
    await asyncio.sleep(400)
    await looked(house)
    assert "**4 people have joined:**" in said(await message(house))


# --- the puzzle of the day, and the week


async def test_a_puzzle_comes_as_soon_as_its_channel_is_open(house: House) -> None:
    await puzzles_chosen(house)
    house.faults.deny("general", "send_messages")
    assert await looks(house, HOUR) == await looks(house, 2 * HOUR) == []
    house.faults.allow("general", "send_messages")
    await asyncio.sleep(31)
    assert await looks(house) == await looks(house, HOUR) == [TODAY]
    assert await looks(house, DAY - 3 * HOUR) == [TODAY, TODAY + 1]
    assert pings(house) == 1, "the owner, that the channel is closed"


async def test_a_puzzle_whose_day_is_over_is_not_shown_any_more(house: House) -> None:
    await puzzles_chosen(house)
    house.faults.deny("general", "send_messages")
    assert await looks(house, HOUR) == []
    await house.restart()
    assert await looks(house, DAY) == []
    house.faults.allow("general", "send_messages")
    await asyncio.sleep(31)
    assert await looks(house, HOUR) == [TODAY + 1]


@sampled("way", ["hour", "restart", "elsewhere"])
async def test_a_puzzle_that_is_refused_once_comes_later(house: House, way: str) -> None:
    await puzzles_chosen(house)
    house.faults.fail_requests("POST", MESSAGES, 403, times=1, channel="general")
    assert await looks(house, HOUR) == await looks(house) == []
    if way == "hour":
        await asyncio.sleep(121)
    elif way == "restart":
        await house.restart()
    else:
        place = ChannelId(int(house.sandbox.channel("games")["id"]))
        await house.store.do(Transaction.change_settings, guild(house), lambda now: replace(now, daily=place))
        await looks(house)
        assert any("### Daily puzzle" in said(one) for one in house.dora.read_messages("games"))
        return
    assert await looks(house, HOUR) == [TODAY]


async def test_a_puzzle_that_may_have_arrived_before_its_channel_was_closed_comes_once(house: House) -> None:
    await puzzles_chosen(house)
    await house.run_due_acts(HOUR)
    await asyncio.sleep(31)
    house.faults.delay_requests("POST", MESSAGES, 60, applied=True)
    await house.life.client.post_puzzle_and_week()
    house.faults.clear()
    house.faults.forget_nonces()
    house.faults.deny("general", "send_messages", "view_channel")
    for _ in range(3):
        await looks(house, HOUR)
    house.faults.allow("general", "send_messages", "view_channel")
    await asyncio.sleep(31)
    assert await looks(house, HOUR) == [TODAY]


async def test_a_week_is_told_on_thursday_where_its_channel_was_closed_on_monday(house: House) -> None:
    await week_chosen(house)
    await happened(house)
    house.faults.deny("general", "send_messages")
    await at(house, EIGHT)
    assert await weeks(house) == []
    await at(house, EIGHT + 3 * DAY)
    assert await weeks(house) == []
    house.faults.allow("general", "send_messages")
    await asyncio.sleep(31)
    (post,) = await weeks(house)
    assert said(post).startswith("### The week from 23 to 29 November")
    await house.restart()
    await at(house, EIGHT + 4 * DAY)
    assert await weeks(house) == [post]
