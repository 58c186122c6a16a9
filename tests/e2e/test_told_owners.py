"""Whoever owns a server is told once that a channel takes nothing of what the bot posts there by itself."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.play.ids import ChannelId
from bot.play.rows import ServerSettings
from bot.sandbox.people import Person
from data.store import Transaction
from tests.e2e.harness import MESSAGES, Harness, Json, said
from tests.e2e.test_daily_channel import DAY, HOUR, chosen, guild, looks
from tests.e2e.test_leagues import CREATE, begun, league, looked, lost, message, noon
from tests.e2e.test_owed_posts import looked_in_vain

__all__ = ["noon"]
NEEDS = "I need View Channel, Send Messages, Send Messages in Threads and Attach Files there."


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was refused is tried again after half a minute instead of an hour."""
    monkeypatch.setattr("bot.features.daily.loop.REFUSED_FOR", 30.0)
    monkeypatch.setattr("bot.features.leagues.loop.REFUSED_FOR", 30.0)


def owner(harness: Harness) -> Person:
    return harness.person(int(harness.sandbox.world.home_guild["owner_id"]))


def letters(harness: Harness) -> list[str]:
    """What the owner was told directly, reminders left out."""
    return [one["content"] for one in owner(harness).read_direct_messages() if "/settings posts" in one["content"]]


def lines(harness: Harness, channel: str) -> list[Json]:
    """The lines in a channel that speak of settings."""
    return [one for one in harness.dora.read_messages(channel) if "/settings posts" in one["content"]]


async def passes(harness: Harness, seconds: int) -> None:
    """Time passes, in which the bot looks now and then what is due."""
    await asyncio.sleep(31)
    await harness.run_due_acts(seconds)
    await harness.life.client.post_puzzle_and_week()
    await harness.life.idle()


async def shut(harness: Harness, *names: str) -> str:
    """The channel of the daily puzzle is closed, and its hour comes; the channel."""
    await chosen(harness)
    harness.faults.deny("general", *names or ("send_messages",))
    assert await looks(harness, HOUR) == []
    await harness.life.idle()
    return f"<#{harness.sandbox.channel('general')['id']}>"


async def test_the_owner_is_told_once_what_is_missing_and_what_waits(harness: Harness) -> None:
    place = await shut(harness)
    server = harness.sandbox.world.home_guild["name"]
    assert letters(harness) == [
        f"I couldn't post in a channel on {server}.\nIt is {place}. {NEEDS}\nI'll post the daily puzzle as soon as I "
        "can, or in another channel that you choose with /settings posts there."
    ]
    await harness.restart()
    for seconds in (HOUR, DAY, DAY):
        await passes(harness, seconds)
    assert len(letters(harness)) == 1
    assert all(not lines(harness, channel) for channel in ("general", "games")), "what is hidden stays hidden"


async def test_all_that_waits_in_a_channel_is_told_at_once(harness: Harness) -> None:
    await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    games = ChannelId(int(harness.sandbox.channel("games")["id"]))
    await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(daily=games, week=games))
    harness.faults.deny("games", "view_channel", "send_messages")
    await harness.run_due_acts(28 * DAY)
    await looked_in_vain(harness)
    await looks(harness)
    await harness.life.idle()
    assert len(letters(harness)) == 1
    assert (
        "I'll post the daily puzzle, what happened in the week and a league's table as soon as I can"
        in letters(harness)[0]
    )


async def test_a_channel_that_closes_again_is_told_of_again_but_not_within_a_week(harness: Harness) -> None:
    await shut(harness)
    for _ in range(2):
        harness.faults.allow("general", "send_messages")
        await asyncio.sleep(31)
        await looks(harness)
        harness.faults.deny("general", "send_messages")
        await passes(harness, DAY)
    assert len(letters(harness)) == 1
    await passes(harness, 6 * DAY)
    assert len(letters(harness)) == 2


async def test_an_owner_who_takes_no_messages_is_told_where_all_are_and_no_channel_is_named(harness: Harness) -> None:
    system = harness.sandbox.channel(harness.sandbox.world.home_guild["system_channel_id"])
    other = "games" if system["name"] == "general" else "general"
    await chosen(harness)
    place = ChannelId(int(harness.sandbox.channel(other)["id"]))
    await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(daily=place))
    owner(harness).close_mailbox()
    harness.faults.deny(other, "send_messages")
    for _ in range(3):
        await passes(harness, HOUR)
    (line,) = lines(harness, system["name"])
    assert line["content"] == (
        f"{owner(harness).mention}, I couldn't post in a channel that this server has chosen. /settings posts shows "
        "which channels these are and lets you choose others."
    )
    assert [one["id"] for one in line["mentions"]] == [owner(harness).id]


async def test_where_nobody_can_be_told_nothing_is_tried_again(harness: Harness) -> None:
    owner(harness).close_mailbox()
    harness.faults.deny(None, "send_messages")
    await shut(harness)
    tried = len(harness.sandbox.requests_of("POST", MESSAGES))
    await passes(harness, HOUR)
    await passes(harness, HOUR)
    assert len(harness.sandbox.requests_of("POST", MESSAGES)) == tried


@pytest.mark.parametrize("trouble", ["dies", "applied", "fails", "hangs"])
async def test_whatever_befalls_the_bot_the_owner_is_told_once(harness: Harness, trouble: str) -> None:
    await chosen(harness)
    harness.faults.deny("general", "send_messages")
    if trouble == "dies":
        harness.forgiven.append("Died")
        harness.kill_at("told owner")
    elif trouble == "hangs":
        harness.faults.delay_requests("POST", MESSAGES, 60, applied=True)
    else:
        harness.faults.fail_requests("POST", MESSAGES, 502, times=6, applied=trouble == "applied")
    with suppress(asyncio.CancelledError):
        await looks(harness, HOUR)
    await asyncio.sleep(120)
    harness.faults.clear()
    harness.faults.forget_nonces()
    if trouble == "dies":
        await harness.until(harness.killed.is_set)
        await harness.restart()
    for _ in range(3):
        await passes(harness, HOUR)
    assert len(letters(harness)) == 1


async def test_a_timeout_or_a_refusal_of_what_was_written_is_no_closed_channel(harness: Harness) -> None:
    await chosen(harness)
    harness.faults.fail_requests("POST", MESSAGES, 400, code=50035, times=3, channel="general")
    assert await looks(harness, HOUR) == []
    await harness.life.idle()
    assert letters(harness) == []


async def test_a_league_whose_channel_was_deleted_goes_where_the_manager_says(harness: Harness) -> None:
    await harness.ann.command(CREATE, channel="games", game="binary-primes")
    await looked(harness)
    harness.faults.delete_channel("games")
    number = (await league(harness)).league.id
    await harness.store.do(lambda tx: tx.change_league(number))
    await looked(harness)
    await harness.life.idle()
    server = harness.sandbox.world.home_guild["name"]
    assert letters(harness) == [
        f"On {server} a channel was deleted that I post in. I'll post a league's table in another channel that "
        "you choose with /settings posts there."
    ]
    card = await owner(harness).command("settings posts", channel="general")
    place = harness.sandbox.channel("general")["id"]
    await owner(harness).press(card, "p:settings:league", [place])
    await asyncio.sleep(61)
    await looked(harness)
    shown = await message(harness)
    assert shown["channel_id"] == place and "Binary Primes league, season 1" in said(shown)


async def test_a_puzzle_whose_channel_was_deleted_is_told_of(harness: Harness) -> None:
    await chosen(harness)
    harness.faults.delete_channel("general")
    await passes(harness, HOUR)
    assert len(letters(harness)) == 1 and letters(harness)[0].startswith("On ")
