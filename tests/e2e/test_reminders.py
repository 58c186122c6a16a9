"""Reminders and digests on Discord: in the thread, by direct message, once a day; never twice, whatever goes wrong."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from bot.features.time import loop as time_loop
from bot.features.time.service import LEASE
from bot.platform import members
from bot.play.clocks import DAY, HOUR
from bot.play.ids import UserId
from bot.play.rows import PendingMessage, Preferences, ServerSettings
from bot.sandbox.people import Person
from bot.umpire import clocks
from bot.umpire.clocks import NOTE
from data.store import Reader, Transaction
from tests.e2e.harness import FOR_EVER, MESSAGE, MESSAGES, Harness, Json, Played, called
from tests.simulation.life import PATIENCE, living
from tests.support.sampled import sampled

NOON = 1_893_499_200
"""The first of January 2030, a Tuesday, by UTC."""
OFTEN = ServerSettings(most_open=100, most_from_one=100, most_from_all=100)
MAILBOX = "/users/@me/channels"


@pytest.fixture(autouse=True)
async def noon(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time goes by as the test says, for Discord too; and who is a member is asked anew each time."""
    harness.clock.put(NOON)
    harness.sandbox.world.clock = harness.clock
    monkeypatch.setattr(members, "REMEMBERED_FOR", 0)
    monkeypatch.setattr(members, "SEEN_FOR", 0)


def look(harness: Harness) -> None:
    """The bot looks what is due, as its own loop does."""
    mark = living.set(harness.life)
    harness.life.client.reminder_sender.poll()
    living.reset(mark)


async def after(harness: Harness, seconds: int = 0) -> None:
    """So much later the bot looks what is due, and does it."""
    harness.clock.ahead += seconds
    await harness.life.idle()  # or a look that is under way would be all
    look(harness)
    await harness.life.idle()


async def timed(harness: Harness, pace: str = "14", **options: Any) -> Played:
    return await harness.match(pace=pace, **options)


async def prefers(harness: Harness, person: Person, **chosen: Any) -> None:
    def changed(before: Preferences) -> Preferences:
        return clocks.reset_digest(replace(before, **chosen), ServerSettings(), harness.clock())

    await harness.store.do(Transaction.change_preferences, int(person.id), changed)


async def preferences(harness: Harness, person: Person) -> Preferences:
    return await harness.store.ask(Reader.load_preferences, int(person.id))


def reminders_in(harness: Harness, place: Json) -> list[str]:
    """The lines that remind somebody, in a channel or thread."""
    found = harness.sandbox.world.messages.get(place["id"], {}).values()
    return [one["content"] for one in found if "your move in " in one["content"]]


async def under_way(harness: Harness) -> list[PendingMessage]:
    return list(await harness.store.ask(Reader.find_abandoned_messages, FOR_EVER, 100))


def mail(person: Person) -> list[str]:
    return [one["content"] for one in person.read_direct_messages()]


async def test_a_mention_in_the_thread_replaces_the_last_and_goes_with_the_move(harness: Harness) -> None:
    played = await timed(harness)
    told = harness.told(harness.ann), harness.told(harness.bea)
    await after(harness, 7 * DAY - 1)
    assert reminders_in(harness, played.place) == []
    await after(harness, 1)
    (line,) = reminders_in(harness, played.place)
    assert line == (
        f"{harness.ann.mention}, it's still your move in Binary Primes · {played.id}.\nIt has been since <t:{NOON}:D>. "
        f"Time for it: until <t:{NOON + 14 * DAY}:f>. [Here is the board](https://discord.com/channels/"
        f"{played.row.guild}/{played.row.board_channel}/{played.row.board_message})"
    )
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (told[0] + 1, told[1])
    await after(harness, HOUR)
    assert len(reminders_in(harness, played.place)) == 1
    await after(harness, 6 * DAY - HOUR)
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    assert len(reminders_in(harness, played.place)) == 1, "the last one is gone"
    assert harness.told(harness.ann) == told[0] + 2
    played = await played.move("b2")
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    assert reminders_in(harness, played.place) == []


async def test_a_direct_message_says_the_same_and_names_the_server(harness: Harness) -> None:
    harness.sandbox.world.home_guild["name"] = "[here](https://evil.example) @everyone **x**"
    await harness.restart()
    await prefers(harness, harness.ann, reminders="message")
    played = await timed(harness)
    await after(harness, 7 * DAY)
    (line,) = mail(harness.ann)
    assert line.startswith(
        f"A reminder of your move in Binary Primes · {played.id} on here https evil.example everyone x.\n"
    )
    assert (
        f"Your turn began <t:{NOON}:D>. Time for it: until <t:{NOON + 14 * DAY}:f>. [Here is the board](https://discord"
        in line
    )
    assert reminders_in(harness, played.place) == [] and await under_way(harness) == []
    await after(harness, 6 * DAY)
    assert len(mail(harness.ann)) == 2


async def test_a_closed_mailbox_turns_to_the_thread_and_says_so_once(harness: Harness) -> None:
    await prefers(harness, harness.ann, reminders="message")
    harness.ann.close_mailbox()
    played = await timed(harness)
    await after(harness, 7 * DAY)
    (line,) = reminders_in(harness, played.place)
    assert line.endswith(
        "\n-# Discord does not let me write to you directly, so I remind you here from now on. "
        "`/preferences` changes that, once you allow direct messages from this server."
    )
    await after(harness, 6 * DAY)
    assert "write to you directly" not in reminders_in(harness, played.place)[-1]
    assert len(harness.sandbox.requests_of("POST", MAILBOX)) == 1, "it is not tried again"
    harness.ann.close_mailbox(False)
    await harness.ann.command("preferences", channel="games", confirm="on")
    assert (await preferences(harness, harness.ann)).closed
    await harness.ann.command("preferences", channel="games", reminders="message")
    assert not (await preferences(harness, harness.ann)).closed
    played = await played.move("b2")
    await played.move("a1")
    await after(harness, 7 * DAY)
    assert len(mail(harness.ann)) == 1


async def test_one_digest_a_day_tells_what_waits_and_falls_back_when_it_is_refused(harness: Harness) -> None:
    await prefers(harness, harness.ann, reminders="digest")
    week, days = await timed(harness, "7"), await timed(harness, "3")
    asked = await harness.challenge(harness.bea, opponent=harness.ann)
    await after(harness, 20 * HOUR)
    (text,) = mail(harness.ann)
    lines = text.split("\n")
    assert lines[0] == "Your daily digest: 3 matches."
    numbers = re.findall(r" · (\d+)\]\(https://\S+\) on The Sandbox", text)
    assert numbers == [str(played.id) for played in (asked, days, week)]
    assert all(f" on The Sandbox with {called(harness.bea)}: " in line for line in lines[1:4])
    assert lines[1].endswith(f"an invitation, open until <t:{NOON + 2 * DAY}:f>")
    assert lines[2].startswith("[Binary Primes · ")
    assert lines[2].endswith(f"time until <t:{NOON + 3 * DAY}:f>")
    assert lines[4] == "-# `/preferences` in one of these servers changes how I remind you."
    await after(harness, HOUR)
    await after(harness, HOUR)
    assert len(mail(harness.ann)) == 1
    harness.ann.close_mailbox()
    await after(harness, 22 * HOUR)
    (line,) = reminders_in(harness, days.place)
    assert "write to you directly" in line
    assert (await preferences(harness, harness.ann)).digest is None


async def test_off_is_off(harness: Harness) -> None:
    await prefers(harness, harness.ann, reminders="off")
    played = await timed(harness)
    await after(harness, 7 * DAY)
    await after(harness, 6 * DAY)
    assert (reminders_in(harness, played.place), mail(harness.ann)) == ([], [])


TROUBLES: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "500": ("fail_requests", (500,), {"times": 5}),
    "502 though done": ("fail_requests", (502,), {"times": 5, "applied": True}),
    "cut though done": ("drop_connection", (), {"times": 5, "applied": True}),
    "hangs": ("delay_requests", (30,), {}),
    "hangs though done": ("delay_requests", (30,), {"applied": True}),
    "limited for long": ("rate_limit", (400,), {}),
    "sent twice": ("repeat_requests", (), {}),
}
"""What becomes of the request, as the sandbox is told."""


@sampled("way", ["thread", "message"])
async def test_whatever_becomes_of_the_request_it_is_sent_once(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """After minutes, when Discord has forgotten the nonce."""
    # The sandbox complains too of a request that is cut off by its sender.
    harness.forgiven += ["We are being rate limited", "Error handling request from 127.0.0.1"]
    await prefers(harness, harness.ann, reminders=way)
    for trouble, (kind, given, named) in TROUBLES.items():
        played = await timed(harness)
        told, letters = harness.told(harness.ann), len(mail(harness.ann))
        getattr(harness.faults, kind)("POST", MESSAGES, *given, **named)
        await after(harness, 7 * DAY)
        harness.faults.clear()
        harness.faults.forget_nonces()
        for _ in range(3):
            await after(harness, 10 * 60)
        seen = len(reminders_in(harness, played.place)), len(mail(harness.ann)) - letters
        assert seen == ((1, 0) if way == "thread" else (0, 1)), trouble
        assert harness.told(harness.ann) == told + 1, trouble
        assert await under_way(harness) == [], trouble
        harness.clock.put(NOON + 100 * DAY * (1 + [*TROUBLES].index(trouble)))


async def dies(harness: Harness, step: str) -> None:
    """The bot dies at a step of the reminder that is due; it was connected until then."""
    await harness.life.idle()
    harness.kill_at(step)
    harness.clock.put(NOON + 7 * DAY)
    await harness.store.do(Transaction.set_note, NOTE, str(harness.clock()))
    look(harness)
    await asyncio.wait_for(harness.killed.wait(), PATIENCE)


@sampled("step", ["reminded", "claimed", "arrived"])
@pytest.mark.parametrize("moves", [False, True])
async def test_a_death_at_any_step_sends_none_twice_and_none_after_the_move(
    harness: Harness, step: str, moves: bool
) -> None:
    played = await timed(harness)
    told = harness.told(harness.ann)
    await dies(harness, step)
    harness.faults.forget_nonces()
    await harness.restart()
    await harness.settled()
    if moves:
        await played.move("b2")
        told = max(told, harness.told(harness.ann))
    for _ in range(3):
        await after(harness, LEASE)
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    if moves:
        assert (reminders_in(harness, played.place), harness.told(harness.ann)) == ([], told)
    else:
        assert (len(reminders_in(harness, played.place)), harness.told(harness.ann)) == (1, told + 1)
    assert await under_way(harness) == []


async def six(harness: Harness, **chosen: Any) -> list[Played]:
    """Six matches that wait for Ann, begun ten minutes apart; her first reminders of all are due within an hour."""
    await prefers(harness, harness.ann, **chosen)
    await harness.store.do(Transaction.set_settings, int(harness.sandbox.world.home_guild["id"]), OFTEN)
    found: list[Played] = []
    for _ in range(6):
        found.append(await timed(harness))
        await after(harness, 10 * 60)
    return found


def reminded(harness: Harness, matches: list[Played]) -> tuple[list[str], list[str]]:
    """What reminds Ann in the threads of some matches, and by direct message."""
    return [line for one in matches for line in reminders_in(harness, one.place)], mail(harness.ann)


def links(text: str) -> list[int]:
    return [int(number) for number in re.findall(r" · (\d+)", text)]


@sampled("way", ["message", "closed"])
async def test_six_that_are_due_in_an_hour_are_one_message_with_links(harness: Harness, way: str) -> None:
    if way == "closed":
        harness.ann.close_mailbox()
    matches = await six(harness, reminders="message")
    told = harness.told(harness.ann)
    for _ in range(12):
        await after(harness, 10 * 60 if harness.clock() >= NOON + 7 * DAY else NOON + 7 * DAY - harness.clock())
    in_threads, direct = reminded(harness, matches)
    (text,) = direct if way == "message" else in_threads
    assert len(in_threads) + len(direct) == 1 and harness.told(harness.ann) == told + 1
    assert links(text) == [one.id for one in matches], "the most urgent first"
    assert text.count(f" with {called(harness.bea)}") == 6
    for one in matches:
        assert f"{one.row.guild}/{one.row.board_channel}/{one.row.board_message}" in text
    assert ("write to you directly" in text) == (way == "closed")
    assert reminders_in(harness, matches[0].place) == in_threads and await under_way(harness) == []
    for one in matches:
        await one.move("b2")
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    assert reminded(harness, matches)[0] == [], "it goes with the move"


@pytest.mark.long
@pytest.mark.parametrize(
    ("way", "step"), [("message", "reminded"), ("thread", "claimed"), ("thread", "arrived"), ("message", "arrived")]
)
async def test_a_death_at_any_step_of_six_loses_none_and_sends_none_twice(
    harness: Harness, way: str, step: str
) -> None:
    matches = await six(harness, reminders=way)
    await dies(harness, step)
    harness.faults.forget_nonces()
    await harness.restart()
    for _ in range(3):
        await after(harness, LEASE)
    in_threads, direct = reminded(harness, matches)
    (text,) = in_threads + direct
    assert links(text) == [one.id for one in matches] and await under_way(harness) == []


@pytest.mark.long
async def test_of_six_only_those_that_still_wait_are_told_after_a_death(harness: Harness) -> None:
    matches = await six(harness)
    await dies(harness, "claimed")
    await harness.restart()
    await harness.settled()
    for one in matches[:2]:
        await one.move("b2")
    for _ in range(3):
        await after(harness, LEASE)
    (text,) = reminded(harness, matches)[0]
    assert links(text) == [one.id for one in matches[2:]] and await under_way(harness) == []


@pytest.mark.long
async def test_who_has_left_the_server_gets_no_digest_and_no_second_try(harness: Harness) -> None:
    await prefers(harness, harness.ann, reminders="digest")
    played = await timed(harness)
    harness.faults.leave("Ann")
    await after(harness, 20 * HOUR)
    assert reminded(harness, [played]) == ([], [])
    harness.faults.join("Ann")
    await prefers(harness, harness.ann, reminders="message")
    await dies(harness, "claimed")
    harness.faults.leave("Ann")
    await harness.restart()
    for _ in range(3):
        await after(harness, LEASE)
    assert reminded(harness, [played]) == ([], []) and await under_way(harness) == []


async def test_who_moves_while_it_is_under_way_sees_it_go(harness: Harness) -> None:
    played = await timed(harness)
    harness.clock.put(NOON + 7 * DAY)
    harness.faults.delay_requests("POST", MESSAGES, 1, channel=played.place)
    look(harness)
    await harness.until(lambda: f"claimed {played.id}" in harness.listener.steps)
    reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert "You played" in reply.text
    await harness.life.idle()
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    assert reminders_in(harness, played.place) == []


async def test_two_processes_send_one(harness: Harness) -> None:
    played = await timed(harness)
    harness.clock.put(NOON + 7 * DAY)
    first = harness.life.client.reminder_sender
    second = time_loop.ReminderSender(
        harness.life.client.umpire, harness.life.client.publisher, harness.life.client.shard_states, harness.life.client
    )
    first.poll()
    second.poll()
    await harness.life.idle()
    assert len(reminders_in(harness, played.place)) == 1


@sampled("way", ["left", "forbidden", "locked", "kicked", "parked"], few=2)
async def test_who_cannot_be_reminded_there_is_let_be_and_nothing_is_parked(harness: Harness, way: str) -> None:
    played = await timed(harness)
    if way == "left":
        harness.faults.leave("Ann")
    elif way == "forbidden":
        harness.faults.deny("games", "send_messages_in_threads")
    elif way == "locked":
        harness.faults.archive(played.place, locked=True)
    elif way == "kicked":
        harness.faults.kick()
    else:
        await harness.store.do(Transaction.park, played.id, "it was closed")
    await harness.life.idle()
    asked = len(harness.sandbox.requests_of("POST", MESSAGES))
    await after(harness, 7 * DAY)
    await after(harness, HOUR)
    assert reminders_in(harness, played.place) == [] and await under_way(harness) == []
    row = await harness.row(played.id)
    assert (row.publish_error is not None) == (way == "parked")
    player = row.find_player(UserId(int(harness.ann.id)))
    assert player and player.reminder_count == 1
    letters = 1 if way in ("forbidden", "locked") else 0
    assert len(mail(harness.ann)) == letters, "what a place does not take goes to the person"
    told = 2 if way == "left" else 0  # Bea is told that Ann has left, by a line and a board
    assert len(harness.sandbox.requests_of("POST", MESSAGES)) - asked <= 1 + letters + told


@pytest.mark.long
async def test_a_reminder_that_finds_its_thread_deleted_moves_the_match(harness: Harness) -> None:
    """The bot has not heard of that; or the clock would stand still until the board is shown again."""
    played = await timed(harness)
    listeners, harness.sandbox.world.listeners = harness.sandbox.world.listeners, []
    harness.faults.delete_channel(played.place)
    harness.sandbox.world.listeners = listeners
    await after(harness, 7 * DAY)
    await harness.settled()
    await after(harness, LEASE)
    played = await played.fresh()
    assert played.row.thread == played.row.channel
    (line,) = reminders_in(harness, played.place)
    assert line.endswith(f"/{played.row.channel}/{played.row.board_message})"), "to the board where it is now"


@pytest.mark.long
@pytest.mark.parametrize("way", ["gone", "failing"])
async def test_a_last_reminder_that_cannot_be_deleted_holds_nothing_up(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    played = await timed(harness)
    await after(harness, 7 * DAY)
    row = await harness.row(played.id)
    player = row.find_player(UserId(int(harness.ann.id)))
    assert player and player.reminder
    if way == "gone":
        harness.faults.delete_message(harness.sandbox.world.message(played.place["id"], str(player.reminder)))
    else:
        harness.faults.fail_requests("DELETE", MESSAGE, 500, times=5)
    await after(harness, 6 * DAY)
    await harness.life.client.publisher.retry_failed()
    await harness.life.idle()
    harness.faults.clear()
    await harness.life.client.publisher.retry_failed()
    await harness.settled()
    assert len(reminders_in(harness, played.place)) == 1


@pytest.mark.long
async def test_where_nobody_may_look_it_is_rather_lost_than_sent_twice(harness: Harness) -> None:
    played = await timed(harness)
    told = harness.told(harness.ann)
    await dies(harness, "reminded")
    harness.faults.deny("games", "read_message_history")
    harness.faults.forget_nonces()
    await harness.restart()
    await after(harness, LEASE)
    assert harness.told(harness.ann) == told + 1 and await under_way(harness) == []
    assert played.id


async def test_in_a_secret_game_a_reminder_says_nothing_of_the_game(harness: Harness) -> None:
    reply = await harness.ann.command(
        "sums-grid challenge", channel="games", size=2, seat="me", opponent=harness.bea, pace="14"
    )
    await harness.settled()
    number = int(reply.text.split()[1])
    row = await harness.row(number)
    lobby = harness.sandbox.world.message(str(row.channel), str(row.lobby_message))
    await harness.bea.press(lobby, "Accept")
    await harness.settled()
    played = Played(harness, number, await harness.row(number))
    await harness.ann.command("sums-grid submit", channel=played.place, grid="1 2 / 3 4")
    await harness.settled()
    await after(harness, 7 * DAY)
    lines = reminders_in(harness, played.place)
    assert sorted(line.split(",")[0] for line in lines) == sorted((harness.ann.mention, harness.bea.mention))
    assert len({line.replace(harness.ann.mention, "").replace(harness.bea.mention, "") for line in lines}) == 1


async def test_the_log_says_nothing_private(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    await prefers(harness, harness.ann, reminders="message")
    harness.ann.close_mailbox()
    await timed(harness)
    harness.faults.fail_requests("POST", MESSAGES, 403, code=50013)
    with caplog.at_level("DEBUG", logger="bot"):
        await after(harness, 7 * DAY)
    assert harness.ann.id not in caplog.text and "Ann" not in caplog.text
