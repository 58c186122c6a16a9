"""Whoever owns a server is told once that a channel takes nothing of what the bot posts there by itself."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.play.ids import ChannelId
from bot.play.rows import ServerSettings
from bot.sandbox.people import Person
from data.store import Transaction
from tests.e2e.house import MESSAGES, House, Json, said
from tests.e2e.test_daily_channel import DAY, HOUR, chosen, guild, looks
from tests.e2e.test_leagues import CREATE, begun, league, looked, lost, message, noon
from tests.e2e.test_owed_posts import over

__all__ = ["noon"]
NEEDS = "I need View Channel, Send Messages, Send Messages in Threads and Attach Files there."


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was refused is tried again after half a minute instead of an hour."""
    monkeypatch.setattr("bot.features.daily.loop.REFUSED_FOR", 30.0)
    monkeypatch.setattr("bot.features.leagues.loop.REFUSED_FOR", 30.0)


def owner(house: House) -> Person:
    return house.person(int(house.sandbox.world.home_guild["owner_id"]))


def letters(house: House) -> list[str]:
    """What the owner was told directly, reminders left out."""
    return [one["content"] for one in owner(house).read_direct_messages() if "/settings posts" in one["content"]]


def lines(house: House, channel: str) -> list[Json]:
    """The lines in a channel that speak of settings."""
    return [one for one in house.dora.read_messages(channel) if "/settings posts" in one["content"]]


async def passes(house: House, seconds: int) -> None:
    """Time passes, in which the bot looks now and then what is due."""
    await asyncio.sleep(31)
    await house.run_due_acts(seconds)
    await house.life.client.post_puzzle_and_week()
    await house.life.idle()


async def shut(house: House, *names: str) -> str:
    """The channel of the daily puzzle is closed, and its hour comes; the channel."""
    await chosen(house)
    house.faults.deny("general", *names or ("send_messages",))
    assert await looks(house, HOUR) == []
    await house.life.idle()
    return f"<#{house.sandbox.channel('general')['id']}>"


async def test_the_owner_is_told_once_what_is_missing_and_what_waits(house: House) -> None:
    place = await shut(house)
    server = house.sandbox.world.home_guild["name"]
    assert letters(house) == [
        f"I couldn't post in a channel on {server}.\nIt is {place}. {NEEDS}\nI'll post the daily puzzle as soon as I "
        "can, or in another channel that you choose with /settings posts there."
    ]
    await house.restart()
    for seconds in (HOUR, DAY, DAY):
        await passes(house, seconds)
    assert len(letters(house)) == 1
    assert all(not lines(house, channel) for channel in ("general", "games")), "what is hidden stays hidden"


async def test_all_that_waits_in_a_channel_is_told_at_once(house: House) -> None:
    await begun(house)
    await lost(house, house.bea, house.ann)
    games = ChannelId(int(house.sandbox.channel("games")["id"]))
    await house.store.do(Transaction.set_settings, guild(house), ServerSettings(daily=games, week=games))
    house.faults.deny("games", "view_channel", "send_messages")
    await over(house)
    await looks(house)
    await house.life.idle()
    assert len(letters(house)) == 1
    assert (
        "I'll post the daily puzzle, what happened in the week and a league's table as soon as I can"
        in letters(house)[0]
    )


async def test_a_channel_that_closes_again_is_told_of_again_but_not_within_a_week(house: House) -> None:
    await shut(house)
    for _ in range(2):
        house.faults.allow("general", "send_messages")
        await asyncio.sleep(31)
        await looks(house)
        house.faults.deny("general", "send_messages")
        await passes(house, DAY)
    assert len(letters(house)) == 1
    await passes(house, 6 * DAY)
    assert len(letters(house)) == 2


async def test_an_owner_who_takes_no_messages_is_told_where_all_are_and_no_channel_is_named(house: House) -> None:
    system = house.sandbox.channel(house.sandbox.world.home_guild["system_channel_id"])
    other = "games" if system["name"] == "general" else "general"
    await chosen(house)
    place = ChannelId(int(house.sandbox.channel(other)["id"]))
    await house.store.do(Transaction.set_settings, guild(house), ServerSettings(daily=place))
    owner(house).close_mailbox()
    house.faults.deny(other, "send_messages")
    for _ in range(3):
        await passes(house, HOUR)
    (line,) = lines(house, system["name"])
    assert line["content"] == (
        f"{owner(house).mention}, I couldn't post in a channel that this server has chosen. /settings posts shows "
        "which channels these are and lets you choose others."
    )
    assert [one["id"] for one in line["mentions"]] == [owner(house).id]


async def test_where_nobody_can_be_told_nothing_is_tried_again(house: House) -> None:
    owner(house).close_mailbox()
    house.faults.deny(None, "send_messages")
    await shut(house)
    tried = len(house.sandbox.requests_of("POST", MESSAGES))
    await passes(house, HOUR)
    await passes(house, HOUR)
    assert len(house.sandbox.requests_of("POST", MESSAGES)) == tried


@pytest.mark.parametrize("trouble", ["dies", "applied", "fails", "hangs"])
async def test_whatever_befalls_the_bot_the_owner_is_told_once(house: House, trouble: str) -> None:
    await chosen(house)
    house.faults.deny("general", "send_messages")
    if trouble == "dies":
        house.forgiven.append("Died")
        house.kill_at("told owner")
    elif trouble == "hangs":
        house.faults.delay_requests("POST", MESSAGES, 60, applied=True)
    else:
        house.faults.fail_requests("POST", MESSAGES, 502, times=6, applied=trouble == "applied")
    with suppress(asyncio.CancelledError):
        await looks(house, HOUR)
    await asyncio.sleep(120)
    house.faults.clear()
    house.faults.forget_nonces()
    if trouble == "dies":
        await house.until(house.killed.is_set)
        await house.restart()
    for _ in range(3):
        await passes(house, HOUR)
    assert len(letters(house)) == 1


async def test_a_timeout_or_a_refusal_of_what_was_written_is_no_closed_channel(house: House) -> None:
    await chosen(house)
    house.faults.fail_requests("POST", MESSAGES, 400, code=50035, times=3, channel="general")
    assert await looks(house, HOUR) == []
    await house.life.idle()
    assert letters(house) == []


async def test_a_league_whose_channel_was_deleted_goes_where_the_manager_says(house: House) -> None:
    await house.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(house)
    house.faults.delete_channel("games")
    number = (await league(house)).league.id
    await house.store.do(lambda tx: tx.change_league(number))
    await looked(house)
    await house.life.idle()
    server = house.sandbox.world.home_guild["name"]
    assert letters(house) == [
        f"On {server} a channel was deleted that I post in. I'll post a league's table in another channel that "
        "you choose with /settings posts there."
    ]
    card = await owner(house).command("settings posts", channel="general")
    place = house.sandbox.channel("general")["id"]
    await owner(house).press(card, "p:settings:league", [place])
    await asyncio.sleep(61)
    await looked(house)
    shown = await message(house)
    assert shown["channel_id"] == place and "Binary Primes league, season 1" in said(shown)


async def test_a_puzzle_whose_channel_was_deleted_is_told_of(house: House) -> None:
    await chosen(house)
    house.faults.delete_channel("general")
    await passes(house, HOUR)
    assert len(letters(house)) == 1 and letters(house)[0].startswith("On ")
