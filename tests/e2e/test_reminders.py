"""Reminders and digests on Discord are never sent twice, whatever goes wrong; the rest is told in tests/stories."""

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
from tests.e2e.harness import FOR_EVER, MESSAGE, MESSAGES, Harness, Json, Played
from tests.simulation.life import PATIENCE, living
from tests.support.sampled import sampled

NOON = 1_893_499_200
"""The first of January 2030, a Tuesday, by UTC."""
OFTEN = ServerSettings(most_open=100, most_from_one=100, most_from_all=100)


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


def reminders_in(harness: Harness, place: Json) -> list[str]:
    """The lines that remind somebody, in a channel or thread."""
    found = harness.sandbox.world.messages.get(place["id"], {}).values()
    return [one["content"] for one in found if "your move in " in one["content"]]


async def under_way(harness: Harness) -> list[PendingMessage]:
    return list(await harness.store.ask(Reader.find_abandoned_messages, FOR_EVER, 100))


def mail(person: Person) -> list[str]:
    return [one["content"] for one in person.read_direct_messages()]


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
async def test_who_has_left_the_server_gets_no_second_try(harness: Harness) -> None:
    await prefers(harness, harness.ann, reminders="message")
    played = await timed(harness)
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


@sampled("way", ["locked", "kicked", "parked"], few=2)
async def test_who_cannot_be_reminded_there_is_let_be_and_nothing_is_parked(harness: Harness, way: str) -> None:
    played = await timed(harness)
    if way == "locked":
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
    letters = 1 if way == "locked" else 0
    assert len(mail(harness.ann)) == letters, "what a place does not take goes to the person"
    assert len(harness.sandbox.requests_of("POST", MESSAGES)) - asked <= 1 + letters


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


async def test_the_log_says_nothing_private(harness: Harness, caplog: pytest.LogCaptureFixture) -> None:
    await prefers(harness, harness.ann, reminders="message")
    harness.ann.close_mailbox()
    await timed(harness)
    harness.faults.fail_requests("POST", MESSAGES, 403, code=50013)
    with caplog.at_level("DEBUG", logger="bot"):
        await after(harness, 7 * DAY)
    assert harness.ann.id not in caplog.text and "Ann" not in caplog.text
