"""What players and hosts read in places of every kind: private and locked threads, voice chats, announcements, slow
channels and those for adults; and while somebody has timed the bot out."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.platform import members
from bot.platform.error_codes import CLOSED_VOICE, SHUT, SHUT_OUT, TIMED_OUT
from bot.play.clocks import DAY
from bot.play.ids import ChannelId
from bot.play.rows import ServerSettings
from bot.sandbox import people, threads
from data.store import Reader, Transaction
from tests.e2e.harness import CALLBACK, Harness, Json, Played, called, labels
from tests.e2e.test_daily import TODAY
from tests.e2e.test_daily_channel import HOUR, chosen, guild, looks
from tests.e2e.test_leagues import CREATE, looked
from tests.e2e.test_leagues import message as league_message
from tests.e2e.test_reminders import NOON, after, mail, reminders_in, timed, under_way
from tests.support.sampled import sampled

ADD = (
    "I'm not in this private thread, so I can't post boards here. Mention @Graph Paper in it to add me, and try again."
)
MEMBER = "/guilds/{guild_id}/members/{user_id}"


@pytest.fixture
def strict() -> bool:
    """Private and locked threads are closed to the bot: what a lenient Discord lets through needs no sentence."""
    return True


async def stands(harness: Harness, played: Played, boards: int, to_move: str) -> Played:
    """So many boards are there, and the last has buttons and says who is to move."""
    await harness.settled()
    played = await played.fresh()
    assert (len(played.boards), played.row.publish_error) == (boards, None)
    assert labels(played.board) == ["Move", "Rules", "More …"]
    assert f"{to_move} is to move." in people.text_of(played.board)
    return played


# --- private threads


async def private(harness: Harness) -> Json:
    """A private thread of Ann's and Bea's, which the bot is not in."""
    return harness.ann.start_private_thread("secret", "games", harness.bea)


async def test_a_challenge_in_a_private_thread_begins_nothing_until_the_bot_is_added(harness: Harness) -> None:
    thread = await private(harness)
    for command, options in (
        ("binary-primes challenge", {"size": 3, "opponent": harness.bea}),
        ("play", {"game": "binary-primes", "opponent": harness.bea}),
    ):
        reply = await harness.ann.command(command, channel=thread, **options)
        assert (reply.text, reply.is_ephemeral) == (ADD, True)
    assert await harness.store.ask(Reader.count_by_state) == {}
    harness.ann.add_bot(thread)
    played = await harness.match(channel=thread)
    assert played.place["name"] == "secret"
    await played.move("b2")


async def test_a_bot_that_is_put_out_of_a_private_thread_says_so_and_goes_on_when_it_is_back(harness: Harness) -> None:
    thread = await private(harness)
    harness.ann.add_bot(thread)
    played = await harness.match(channel=thread)
    threads.leave(harness.sandbox.world, harness.sandbox.channel(thread), harness.sandbox.world.me)
    await harness.ann.command("binary-primes move", channel=thread, square="b2")
    await harness.life.idle()
    assert (await played.fresh()).row.publish_error == SHUT_OUT
    assert (await harness.ann.command("binary-primes challenge", channel=thread, size=3)).text == ADD
    reply = await harness.bea.command("match board", channel="general")
    assert f"I couldn't show the board in its place. {SHUT_OUT} I'm trying again." in reply.text
    await harness.life.idle()
    harness.ann.add_bot(thread)
    await harness.life.does(harness.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await harness.life.does(harness.life.client.publisher.catch_up())
    await stands(harness, played, 2, called(harness.bea))


# --- locked threads


async def test_who_plays_in_a_locked_thread_is_not_answered_and_the_log_says_so_in_a_line(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    """Ann may manage threads, so she can use commands there; the bot may not answer."""
    caplog.set_level("INFO", logger="bot")
    played = await harness.match()
    state = played.place["thread_metadata"]
    state["locked"] = True
    harness.sandbox.world.tell_channel_changed(played.place)
    asking = asyncio.create_task(harness.ann.command("binary-primes move", channel=played.place, square="b2"))
    await harness.until(lambda: [one for one in harness.sandbox.requests_of("POST", CALLBACK) if one.status == 400])
    await harness.settled()
    asking.cancel()
    said = [record for record in caplog.records if "Discord takes no answer there" in record.getMessage()]
    assert len(said) == 1 and not [record for record in caplog.records if record.exc_info]
    played = await played.fresh()
    assert (played.record, played.row.publish_error) == ([(1, "b2")], SHUT)
    reply = await harness.bea.command("match board", channel="general")
    assert "the match is played here." in reply.text and (await played.fresh()).place["name"] == "general"


# --- voice chats


async def test_the_chat_of_a_voice_channel_needs_connect(harness: Harness) -> None:
    harness.faults.deny("Kitchen table", "connect")
    reply = await harness.ann.command("binary-primes challenge", channel="Kitchen table", size=3)
    assert reply.text == (
        "I can't post boards in this channel without Connect. "
        "Ask somebody who manages the server, or use another channel."
    )
    harness.faults.allow("Kitchen table", "connect")
    played = await harness.match(channel="Kitchen table")
    harness.faults.deny("Kitchen table", "connect")
    await harness.ann.command("binary-primes move", channel="Kitchen table", square="b2")
    await harness.settled()
    assert (await played.fresh()).row.publish_error == CLOSED_VOICE
    harness.faults.allow("Kitchen table", "connect")
    await harness.life.does(harness.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await harness.life.does(harness.life.client.publisher.catch_up())
    await stands(harness, played, 2, called(harness.bea))


# --- other channels


@sampled("kind", ["announcement", "slow", "adults", "slow thread"], few=2)
async def test_a_match_in_a_channel_of_another_kind(harness: Harness, kind: str) -> None:
    place: Any = "games"
    if kind == "announcement":
        place = harness.sandbox.moderation.open_channel("news", "announcement")
    elif kind == "adults":
        harness.sandbox.moderation.restrict_age("games")
    else:
        harness.sandbox.moderation.set_slow_mode("games", 3600)
    played = await harness.match(channel=place)
    assert played.place["name"] == "Ann – Bea · Binary Primes · 1"
    if kind == "slow thread":
        harness.sandbox.moderation.set_slow_mode(played.place, 3600)
    played = await (await played.move("b2")).move("a1")
    await stands(harness, played, 3, called(harness.ann))


@sampled("code", [160007, 160006])
async def test_where_there_may_be_no_more_threads_a_match_is_played_in_its_channel(harness: Harness, code: int) -> None:
    harness.faults.fail_requests("POST", "/channels/{channel_id}/messages/{message_id}/threads", 400, code=code)
    played = await harness.match()
    assert played.place["name"] == "games"
    await played.move("b2")


# --- timed out


def told(until: int) -> str:
    return TIMED_OUT.format(until=until)


@sampled("heard", [True, False])
async def test_a_bot_that_is_timed_out_says_so_and_goes_on_at_that_second(harness: Harness, heard: bool) -> None:
    """Where Discord has not told it, it asks, with one request."""
    played = await harness.match()
    listeners = harness.sandbox.world.listeners
    if not heard:
        harness.sandbox.world.listeners = []
    harness.sandbox.moderation.time_out(seconds=600)
    harness.sandbox.world.listeners = listeners
    ends = harness.clock() + 600
    before = len([one for one in harness.sandbox.requests_of("GET", MEMBER) if harness.sandbox.world.me in one.path])
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    parked = (await played.fresh()).row.publish_error
    assert parked in (told(ends), told(ends + 1))
    asked = [one for one in harness.sandbox.requests_of("GET", MEMBER) if harness.sandbox.world.me in one.path]
    assert len(asked) - before == 1
    reply = await harness.bea.command("match board", channel="general")
    assert f"I couldn't show the board in its place. {parked} I'm trying again." in reply.text
    reply = await harness.cem.command("binary-primes challenge", channel="games", size=3)
    assert reply.text == f"{parked} Ask somebody who manages the server to end that, or try again then."
    await harness.life.idle()
    await asyncio.sleep(ends + 2 - harness.clock())
    await harness.life.idle()
    await harness.life.does(harness.life.client.publisher.catch_up())
    await stands(harness, played, 2, called(harness.bea))
    assert harness.told(harness.bea) == 2


@pytest.mark.long
async def test_a_timeout_that_ends_after_a_restart(harness: Harness) -> None:
    played = await harness.match()
    harness.sandbox.moderation.time_out(seconds=600)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    await harness.restart()
    await asyncio.sleep(300)
    assert (await played.fresh()).row.publish_error
    await asyncio.sleep(305)
    await harness.life.does(harness.life.client.publisher.catch_up())
    await stands(harness, played, 2, called(harness.bea))


@pytest.mark.long
async def test_a_timeout_that_somebody_ends_early(harness: Harness) -> None:
    played = await harness.match()
    harness.sandbox.moderation.time_out(seconds=86_400)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    harness.sandbox.moderation.time_out(seconds=0)
    await harness.until(lambda: harness.life.client.publisher.channels.timed_out_until(guild(harness)) == 0)
    await harness.life.does(harness.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await harness.life.does(harness.life.client.publisher.catch_up())
    await stands(harness, played, 2, called(harness.bea))


async def test_a_reminder_waits_until_a_timeout_is_over(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    harness.clock.put(NOON)
    harness.sandbox.world.clock = harness.clock
    monkeypatch.setattr(members, "REMEMBERED_FOR", 0)
    monkeypatch.setattr(members, "SEEN_FOR", 0)
    played = await timed(harness)
    await harness.run_due_acts(7 * DAY - 1)
    harness.sandbox.moderation.time_out(seconds=600)
    await after(harness, 1)
    assert reminders_in(harness, played.place) == [] and len(await under_way(harness)) == 1
    await after(harness, 601)
    assert len(reminders_in(harness, played.place)) == 1 and await under_way(harness) == []


@sampled("heard", [True, False])
async def test_the_puzzle_of_the_day_waits_until_a_timeout_is_over(harness: Harness, heard: bool) -> None:
    await chosen(harness)
    listeners = harness.sandbox.world.listeners
    harness.sandbox.world.listeners = listeners if heard else []
    harness.sandbox.moderation.time_out(seconds=2 * HOUR)
    harness.sandbox.world.listeners = listeners
    assert await looks(harness, HOUR) == []
    assert await looks(harness, HOUR + 1) == [TODAY]


async def test_the_message_of_a_league_waits_until_a_timeout_is_over(harness: Harness) -> None:
    harness.clock.at = harness.clock() // DAY * DAY + DAY // 2
    harness.sandbox.world.clock = harness.clock
    await harness.run_due_acts(0)
    await harness.store.do(
        Transaction.set_settings,
        guild(harness),
        ServerSettings(league=ChannelId(int(harness.sandbox.channel("general")["id"]))),
    )
    harness.sandbox.moderation.time_out(seconds=600)
    reply = await harness.ann.command(CREATE, channel="games", game="binary-primes")
    assert reply.text.startswith("You opened the ")
    await looked(harness)
    harness.clock.at += 601
    await harness.run_due_acts(0)
    await looked(harness)
    assert "Join" in labels(await league_message(harness))


# --- what comes by itself, in places of every kind


def of_kind(harness: Harness, kind: str) -> Any:
    """A place of some kind in which the bot may post."""
    moderation = harness.sandbox.moderation
    if kind == "announcement":
        return moderation.open_channel("news", "announcement")
    if kind == "private":
        thread = harness.ann.start_private_thread("secret", "games", harness.bea)
        harness.ann.add_bot(thread)
        return thread
    if kind == "slow":
        moderation.set_slow_mode("games", 3600)
    elif kind == "adults":
        moderation.restrict_age("games")
    return "Kitchen table" if kind == "voice" else "games"


@sampled("kind", ["private", "voice", "announcement", "slow", "adults"], few=2)
async def test_a_reminder_comes_in_a_place_of_every_kind(harness: Harness, kind: str) -> None:
    harness.clock.put(NOON)
    harness.sandbox.world.clock = harness.clock
    played = await timed(harness, channel=of_kind(harness, kind))
    await harness.run_due_acts(7 * DAY)
    await after(harness)
    (line,) = reminders_in(harness, played.place)
    assert line.startswith(harness.ann.mention) and await under_way(harness) == []


@sampled("kind", ["locked", "private"], few=1)
async def test_a_reminder_that_its_place_does_not_take_is_not_lost(harness: Harness, kind: str) -> None:
    harness.clock.put(NOON)
    harness.sandbox.world.clock = harness.clock
    played = await timed(harness, channel=of_kind(harness, "private" if kind == "private" else "text"))
    if kind == "private":
        threads.leave(harness.sandbox.world, played.place, harness.sandbox.world.me)
    else:
        harness.faults.archive(played.place, locked=True)
    await harness.run_due_acts(7 * DAY)
    await after(harness)
    assert reminders_in(harness, played.place) == []
    (letter,) = mail(harness.ann)
    assert letter.startswith("A reminder of your move") and f"/{played.place['id']}/" in letter
    assert await under_way(harness) == [] and mail(harness.bea) == []


async def test_a_reminder_that_neither_its_place_nor_the_person_takes_is_let_be(harness: Harness) -> None:
    harness.clock.put(NOON)
    harness.sandbox.world.clock = harness.clock
    harness.ann.close_mailbox()
    played = await timed(harness)
    harness.faults.archive(played.place, locked=True)
    await harness.run_due_acts(7 * DAY)
    await after(harness)
    assert (reminders_in(harness, played.place), mail(harness.ann), await under_way(harness)) == ([], [], [])


@sampled("kind", ["announcement", "slow", "adults"], few=1)
async def test_what_is_posted_by_itself_comes_in_a_channel_of_every_kind(harness: Harness, kind: str) -> None:
    place = of_kind(harness, kind)
    number = ChannelId(int((harness.sandbox.channel(place) if isinstance(place, str) else place)["id"]))
    await chosen(harness)
    await harness.store.do(
        Transaction.set_settings, guild(harness), ServerSettings(zone="UTC", daily=number, daily_hour=8, league=number)
    )
    assert await looks(harness, HOUR) == []
    assert "### Daily puzzle" in people.text_of(harness.dora.read_latest_message(place)), (
        "not in the usual channel, but in this one"
    )
    reply = await harness.ann.command(CREATE, channel="general", game="binary-primes")
    assert reply.text.startswith("You opened the ")
    await looked(harness)
    posted = await league_message(harness)
    assert "Join" in labels(posted) and posted["channel_id"] == str(number)
