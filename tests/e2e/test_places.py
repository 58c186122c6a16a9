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
from tests.e2e.house import CALLBACK, House, Json, Played, called, labels
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


async def stands(house: House, played: Played, boards: int, to_move: str) -> Played:
    """So many boards are there, and the last has buttons and says who is to move."""
    await house.settled()
    played = await played.fresh()
    assert (len(played.boards), played.row.publish_error) == (boards, None)
    assert labels(played.board) == ["Move", "Rules", "More …"]
    assert f"{to_move} is to move." in people.text_of(played.board)
    return played


# --- private threads


async def private(house: House) -> Json:
    """A private thread of Ann's and Bea's, which the bot is not in."""
    return house.ann.start_private_thread("secret", "games", house.bea)


async def test_a_challenge_in_a_private_thread_begins_nothing_until_the_bot_is_added(house: House) -> None:
    thread = await private(house)
    for command, options in (
        ("binary-primes challenge", {"size": 3, "opponent": house.bea}),
        ("play", {"game": "binary-primes", "opponent": house.bea}),
    ):
        reply = await house.ann.command(command, channel=thread, **options)
        assert (reply.text, reply.is_ephemeral) == (ADD, True)
    assert await house.store.ask(Reader.count_by_state) == {}
    house.ann.add_bot(thread)
    played = await house.match(channel=thread)
    assert played.place["name"] == "secret"
    await played.move("b2")


async def test_a_bot_that_is_put_out_of_a_private_thread_says_so_and_goes_on_when_it_is_back(house: House) -> None:
    thread = await private(house)
    house.ann.add_bot(thread)
    played = await house.match(channel=thread)
    threads.leave(house.sandbox.world, house.sandbox.channel(thread), house.sandbox.world.me)
    await house.ann.command("binary-primes move", channel=thread, square="b2")
    await house.life.idle()
    assert (await played.fresh()).row.publish_error == SHUT_OUT
    assert (await house.ann.command("binary-primes challenge", channel=thread, size=3)).text == ADD
    reply = await house.bea.command("match board", channel="general")
    assert f"I couldn't show the board in its place. {SHUT_OUT} I'm trying again." in reply.text
    await house.life.idle()
    house.ann.add_bot(thread)
    await house.life.does(house.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await house.life.does(house.life.client.publisher.catch_up())
    await stands(house, played, 2, called(house.bea))


# --- locked threads


async def test_who_plays_in_a_locked_thread_is_not_answered_and_the_log_says_so_in_a_line(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Ann may manage threads, so she can use commands there; the bot may not answer."""
    caplog.set_level("INFO", logger="bot")
    played = await house.match()
    state = played.place["thread_metadata"]
    state["locked"] = True
    house.sandbox.world.tell_channel_changed(played.place)
    asking = asyncio.create_task(house.ann.command("binary-primes move", channel=played.place, square="b2"))
    await house.until(lambda: [one for one in house.sandbox.requests_of("POST", CALLBACK) if one.status == 400])
    await house.settled()
    asking.cancel()
    said = [record for record in caplog.records if "Discord takes no answer there" in record.getMessage()]
    assert len(said) == 1 and not [record for record in caplog.records if record.exc_info]
    played = await played.fresh()
    assert (played.record, played.row.publish_error) == ([(1, "b2")], SHUT)
    reply = await house.bea.command("match board", channel="general")
    assert "the match is played here." in reply.text and (await played.fresh()).place["name"] == "general"


# --- voice chats


async def test_the_chat_of_a_voice_channel_needs_connect(house: House) -> None:
    house.faults.deny("Kitchen table", "connect")
    reply = await house.ann.command("binary-primes challenge", channel="Kitchen table", size=3)
    assert reply.text == (
        "I can't post boards in this channel without Connect. "
        "Ask somebody who manages the server, or use another channel."
    )
    house.faults.allow("Kitchen table", "connect")
    played = await house.match(channel="Kitchen table")
    house.faults.deny("Kitchen table", "connect")
    await house.ann.command("binary-primes move", channel="Kitchen table", square="b2")
    await house.settled()
    assert (await played.fresh()).row.publish_error == CLOSED_VOICE
    house.faults.allow("Kitchen table", "connect")
    await house.life.does(house.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await house.life.does(house.life.client.publisher.catch_up())
    await stands(house, played, 2, called(house.bea))


# --- other channels


@sampled("kind", ["announcement", "slow", "adults", "slow thread"], few=2)
async def test_a_match_in_a_channel_of_another_kind(house: House, kind: str) -> None:
    place: Any = "games"
    if kind == "announcement":
        place = house.sandbox.moderation.open_channel("news", "announcement")
    elif kind == "adults":
        house.sandbox.moderation.restrict_age("games")
    else:
        house.sandbox.moderation.set_slow_mode("games", 3600)
    played = await house.match(channel=place)
    assert played.place["name"] == "Ann – Bea · Binary Primes · 1"
    if kind == "slow thread":
        house.sandbox.moderation.set_slow_mode(played.place, 3600)
    played = await (await played.move("b2")).move("a1")
    await stands(house, played, 3, called(house.ann))


@sampled("code", [160007, 160006])
async def test_where_there_may_be_no_more_threads_a_match_is_played_in_its_channel(house: House, code: int) -> None:
    house.faults.fail_requests("POST", "/channels/{channel_id}/messages/{message_id}/threads", 400, code=code)
    played = await house.match()
    assert played.place["name"] == "games"
    await played.move("b2")


# --- timed out


def told(until: int) -> str:
    return TIMED_OUT.format(until=until)


@sampled("heard", [True, False])
async def test_a_bot_that_is_timed_out_says_so_and_goes_on_at_that_second(house: House, heard: bool) -> None:
    """Where Discord has not told it, it asks, with one request."""
    played = await house.match()
    listeners = house.sandbox.world.listeners
    if not heard:
        house.sandbox.world.listeners = []
    house.sandbox.moderation.time_out(seconds=600)
    house.sandbox.world.listeners = listeners
    ends = house.clock() + 600
    before = len([one for one in house.sandbox.requests_of("GET", MEMBER) if house.sandbox.world.me in one.path])
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.life.idle()
    parked = (await played.fresh()).row.publish_error
    assert parked in (told(ends), told(ends + 1))
    asked = [one for one in house.sandbox.requests_of("GET", MEMBER) if house.sandbox.world.me in one.path]
    assert len(asked) - before == 1
    reply = await house.bea.command("match board", channel="general")
    assert f"I couldn't show the board in its place. {parked} I'm trying again." in reply.text
    reply = await house.cem.command("binary-primes challenge", channel="games", size=3)
    assert reply.text == f"{parked} Ask somebody who manages the server to end that, or try again then."
    await house.life.idle()
    await asyncio.sleep(ends + 2 - house.clock())
    await house.life.idle()
    await house.life.does(house.life.client.publisher.catch_up())
    await stands(house, played, 2, called(house.bea))
    assert house.told(house.bea) == 2


@pytest.mark.long
async def test_a_timeout_that_ends_after_a_restart(house: House) -> None:
    played = await house.match()
    house.sandbox.moderation.time_out(seconds=600)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.life.idle()
    await house.restart()
    await asyncio.sleep(300)
    assert (await played.fresh()).row.publish_error
    await asyncio.sleep(305)
    await house.life.does(house.life.client.publisher.catch_up())
    await stands(house, played, 2, called(house.bea))


@pytest.mark.long
async def test_a_timeout_that_somebody_ends_early(house: House) -> None:
    played = await house.match()
    house.sandbox.moderation.time_out(seconds=86_400)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.life.idle()
    house.sandbox.moderation.time_out(seconds=0)
    await house.until(lambda: house.life.client.publisher.channels.timed_out_until(guild(house)) == 0)
    await house.life.does(house.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await house.life.does(house.life.client.publisher.catch_up())
    await stands(house, played, 2, called(house.bea))


async def test_a_reminder_waits_until_a_timeout_is_over(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.clock.put(NOON)
    house.sandbox.world.clock = house.clock
    monkeypatch.setattr(members, "REMEMBERED_FOR", 0)
    monkeypatch.setattr(members, "SEEN_FOR", 0)
    played = await timed(house)
    await house.run_due_acts(7 * DAY - 1)
    house.sandbox.moderation.time_out(seconds=600)
    await after(house, 1)
    assert reminders_in(house, played.place) == [] and len(await under_way(house)) == 1
    await after(house, 601)
    assert len(reminders_in(house, played.place)) == 1 and await under_way(house) == []


@sampled("heard", [True, False])
async def test_the_puzzle_of_the_day_waits_until_a_timeout_is_over(house: House, heard: bool) -> None:
    await chosen(house)
    listeners = house.sandbox.world.listeners
    house.sandbox.world.listeners = listeners if heard else []
    house.sandbox.moderation.time_out(seconds=2 * HOUR)
    house.sandbox.world.listeners = listeners
    assert await looks(house, HOUR) == []
    assert await looks(house, HOUR + 1) == [TODAY]


async def test_the_message_of_a_league_waits_until_a_timeout_is_over(house: House) -> None:
    house.clock.at = house.clock() // DAY * DAY + DAY // 2
    house.sandbox.world.clock = house.clock
    await house.run_due_acts(0)
    await house.store.do(
        Transaction.set_settings,
        guild(house),
        ServerSettings(league=ChannelId(int(house.sandbox.channel("general")["id"]))),
    )
    house.sandbox.moderation.time_out(seconds=600)
    reply = await house.ann.command(CREATE, channel="games", game="binary-primes")
    assert reply.text.startswith("You opened the ")
    await looked(house)
    house.clock.at += 601
    await house.run_due_acts(0)
    await looked(house)
    assert "Join" in labels(await league_message(house))


# --- what comes by itself, in places of every kind


def of_kind(house: House, kind: str) -> Any:
    """A place of some kind in which the bot may post."""
    moderation = house.sandbox.moderation
    if kind == "announcement":
        return moderation.open_channel("news", "announcement")
    if kind == "private":
        thread = house.ann.start_private_thread("secret", "games", house.bea)
        house.ann.add_bot(thread)
        return thread
    if kind == "slow":
        moderation.set_slow_mode("games", 3600)
    elif kind == "adults":
        moderation.restrict_age("games")
    return "Kitchen table" if kind == "voice" else "games"


@sampled("kind", ["private", "voice", "announcement", "slow", "adults"], few=2)
async def test_a_reminder_comes_in_a_place_of_every_kind(house: House, kind: str) -> None:
    house.clock.put(NOON)
    house.sandbox.world.clock = house.clock
    played = await timed(house, channel=of_kind(house, kind))
    await house.run_due_acts(7 * DAY)
    await after(house)
    (line,) = reminders_in(house, played.place)
    assert line.startswith(house.ann.mention) and await under_way(house) == []


@sampled("kind", ["locked", "private"], few=1)
async def test_a_reminder_that_its_place_does_not_take_is_not_lost(house: House, kind: str) -> None:
    house.clock.put(NOON)
    house.sandbox.world.clock = house.clock
    played = await timed(house, channel=of_kind(house, "private" if kind == "private" else "text"))
    if kind == "private":
        threads.leave(house.sandbox.world, played.place, house.sandbox.world.me)
    else:
        house.faults.archive(played.place, locked=True)
    await house.run_due_acts(7 * DAY)
    await after(house)
    assert reminders_in(house, played.place) == []
    (letter,) = mail(house.ann)
    assert letter.startswith("A reminder of your move") and f"/{played.place['id']}/" in letter
    assert await under_way(house) == [] and mail(house.bea) == []


async def test_a_reminder_that_neither_its_place_nor_the_person_takes_is_let_be(house: House) -> None:
    house.clock.put(NOON)
    house.sandbox.world.clock = house.clock
    house.ann.close_mailbox()
    played = await timed(house)
    house.faults.archive(played.place, locked=True)
    await house.run_due_acts(7 * DAY)
    await after(house)
    assert (reminders_in(house, played.place), mail(house.ann), await under_way(house)) == ([], [], [])


@sampled("kind", ["announcement", "slow", "adults"], few=1)
async def test_what_is_posted_by_itself_comes_in_a_channel_of_every_kind(house: House, kind: str) -> None:
    place = of_kind(house, kind)
    number = ChannelId(int((house.sandbox.channel(place) if isinstance(place, str) else place)["id"]))
    await chosen(house)
    await house.store.do(
        Transaction.set_settings, guild(house), ServerSettings(zone="UTC", daily=number, daily_hour=8, league=number)
    )
    assert await looks(house, HOUR) == []
    assert "### Daily puzzle" in people.text_of(house.dora.read_latest_message(place)), (
        "not in the usual channel, but in this one"
    )
    reply = await house.ann.command(CREATE, channel="general", game="binary-primes")
    assert reply.text.startswith("You opened the ")
    await looked(house)
    posted = await league_message(house)
    assert "Join" in labels(posted) and posted["channel_id"] == str(number)
