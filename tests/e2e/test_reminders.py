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
from tests.e2e.house import FOR_EVER, MESSAGE, MESSAGES, House, Json, Played, called
from tests.simulation.life import PATIENCE, living
from tests.support.sampled import sampled

NOON = 1_893_499_200
"""The first of January 2030, a Tuesday, by UTC."""
OFTEN = ServerSettings(most_open=100, most_from_one=100, most_from_all=100)
MAILBOX = "/users/@me/channels"


@pytest.fixture(autouse=True)
async def noon(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time goes by as the test says, for Discord too; and who is a member is asked anew each time."""
    house.clock.put(NOON)
    house.sandbox.world.clock = house.clock
    monkeypatch.setattr(members, "REMEMBERED_FOR", 0)
    monkeypatch.setattr(members, "SEEN_FOR", 0)


def look(house: House) -> None:
    """The bot looks what is due, as its own loop does."""
    mark = living.set(house.life)
    house.life.client.reminder_sender.poll()
    living.reset(mark)


async def after(house: House, seconds: int = 0) -> None:
    """So much later the bot looks what is due, and does it."""
    house.clock.ahead += seconds
    await house.life.idle()  # or a look that is under way would be all
    look(house)
    await house.life.idle()


async def timed(house: House, pace: str = "14", **options: Any) -> Played:
    return await house.match(pace=pace, **options)


async def prefers(house: House, person: Person, **chosen: Any) -> None:
    def changed(before: Preferences) -> Preferences:
        return clocks.reset_digest(replace(before, **chosen), ServerSettings(), house.clock())

    await house.store.do(Transaction.change_preferences, int(person.id), changed)


async def preferences(house: House, person: Person) -> Preferences:
    return await house.store.ask(Reader.load_preferences, int(person.id))


def reminders_in(house: House, place: Json) -> list[str]:
    """The lines that remind somebody, in a channel or thread."""
    found = house.sandbox.world.messages.get(place["id"], {}).values()
    return [one["content"] for one in found if "your move in " in one["content"]]


async def under_way(house: House) -> list[PendingMessage]:
    return list(await house.store.ask(Reader.find_abandoned_messages, FOR_EVER, 100))


def mail(person: Person) -> list[str]:
    return [one["content"] for one in person.read_direct_messages()]


async def test_a_mention_in_the_thread_replaces_the_last_and_goes_with_the_move(house: House) -> None:
    played = await timed(house)
    told = house.told(house.ann), house.told(house.bea)
    await after(house, 7 * DAY - 1)
    assert reminders_in(house, played.place) == []
    await after(house, 1)
    (line,) = reminders_in(house, played.place)
    assert line == (
        f"{house.ann.mention}, it's still your move in Binary Primes · {played.id}.\nIt has been since <t:{NOON}:D>. "
        f"Time for it: until <t:{NOON + 14 * DAY}:f>. [Here is the board](https://discord.com/channels/"
        f"{played.row.guild}/{played.row.board_channel}/{played.row.board_message})"
    )
    assert (house.told(house.ann), house.told(house.bea)) == (told[0] + 1, told[1])
    await after(house, HOUR)
    assert len(reminders_in(house, played.place)) == 1
    await after(house, 6 * DAY - HOUR)
    await house.life.client.publisher.retry_failed()
    await house.settled()
    assert len(reminders_in(house, played.place)) == 1, "the last one is gone"
    assert house.told(house.ann) == told[0] + 2
    played = await played.move("b2")
    await house.life.client.publisher.retry_failed()
    await house.settled()
    assert reminders_in(house, played.place) == []


async def test_a_direct_message_says_the_same_and_names_the_server(house: House) -> None:
    house.sandbox.world.home_guild["name"] = "[here](https://evil.example) @everyone **x**"
    await house.restart()
    await prefers(house, house.ann, reminders="message")
    played = await timed(house)
    await after(house, 7 * DAY)
    (line,) = mail(house.ann)
    assert line.startswith(
        f"A reminder of your move in Binary Primes · {played.id} on here https evil.example everyone x.\n"
    )
    assert (
        f"Your turn began <t:{NOON}:D>. Time for it: until <t:{NOON + 14 * DAY}:f>. [Here is the board](https://discord"
        in line
    )
    assert reminders_in(house, played.place) == [] and await under_way(house) == []
    await after(house, 6 * DAY)
    assert len(mail(house.ann)) == 2


async def test_a_closed_mailbox_turns_to_the_thread_and_says_so_once(house: House) -> None:
    await prefers(house, house.ann, reminders="message")
    house.ann.close_mailbox()
    played = await timed(house)
    await after(house, 7 * DAY)
    (line,) = reminders_in(house, played.place)
    assert line.endswith(
        "\n-# Discord does not let me write to you directly, so I remind you here from now on. "
        "`/preferences` changes that, once you allow direct messages from this server."
    )
    await after(house, 6 * DAY)
    assert "write to you directly" not in reminders_in(house, played.place)[-1]
    assert len(house.sandbox.requests_of("POST", MAILBOX)) == 1, "it is not tried again"
    house.ann.close_mailbox(False)
    await house.ann.command("preferences", channel="games", confirm="on")
    assert (await preferences(house, house.ann)).closed
    await house.ann.command("preferences", channel="games", reminders="message")
    assert not (await preferences(house, house.ann)).closed
    played = await played.move("b2")
    await played.move("a1")
    await after(house, 7 * DAY)
    assert len(mail(house.ann)) == 1


async def test_one_digest_a_day_tells_what_waits_and_falls_back_when_it_is_refused(house: House) -> None:
    await prefers(house, house.ann, reminders="digest")
    week, days = await timed(house, "7"), await timed(house, "3")
    asked = await house.challenge(house.bea, opponent=house.ann)
    await after(house, 20 * HOUR)
    (text,) = mail(house.ann)
    lines = text.split("\n")
    assert lines[0] == "Your daily digest: 3 matches."
    numbers = re.findall(r" · (\d+)\]\(https://\S+\) on The Sandbox", text)
    assert numbers == [str(played.id) for played in (asked, days, week)]
    assert all(f" on The Sandbox with {called(house.bea)}: " in line for line in lines[1:4])
    assert lines[1].endswith(f"an invitation, open until <t:{NOON + 2 * DAY}:f>")
    assert lines[2].startswith("[Binary Primes · ")
    assert lines[2].endswith(f"time until <t:{NOON + 3 * DAY}:f>")
    assert lines[4] == "-# `/preferences` in one of these servers changes how I remind you."
    await after(house, HOUR)
    await after(house, HOUR)
    assert len(mail(house.ann)) == 1
    house.ann.close_mailbox()
    await after(house, 22 * HOUR)
    (line,) = reminders_in(house, days.place)
    assert "write to you directly" in line
    assert (await preferences(house, house.ann)).digest is None


async def test_off_is_off(house: House) -> None:
    await prefers(house, house.ann, reminders="off")
    played = await timed(house)
    await after(house, 7 * DAY)
    await after(house, 6 * DAY)
    assert (reminders_in(house, played.place), mail(house.ann)) == ([], [])


TROUBLES: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "500": ("fail", (500,), {"times": 5}),
    "502 though done": ("fail", (502,), {"times": 5, "applied": True}),
    "cut though done": ("drop", (), {"times": 5, "applied": True}),
    "hangs": ("hang", (30,), {}),
    "hangs though done": ("hang", (30,), {"applied": True}),
    "limited for long": ("rate_limit", (400,), {}),
    "sent twice": ("repeat", (), {}),
}
"""What becomes of the request, as the sandbox is told."""


@sampled("way", ["thread", "message"])
async def test_whatever_becomes_of_the_request_it_is_sent_once(
    house: House, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """After minutes, when Discord has forgotten the nonce."""
    # The sandbox complains too of a request that is cut off by its sender.
    house.forgiven += ["We are being rate limited", "Error handling request from 127.0.0.1"]
    await prefers(house, house.ann, reminders=way)
    for trouble, (kind, given, named) in TROUBLES.items():
        played = await timed(house)
        told, letters = house.told(house.ann), len(mail(house.ann))
        getattr(house.faults, kind)("POST", MESSAGES, *given, **named)
        await after(house, 7 * DAY)
        house.faults.clear()
        house.faults.forget_nonces()
        for _ in range(3):
            await after(house, 10 * 60)
        seen = len(reminders_in(house, played.place)), len(mail(house.ann)) - letters
        assert seen == ((1, 0) if way == "thread" else (0, 1)), trouble
        assert house.told(house.ann) == told + 1, trouble
        assert await under_way(house) == [], trouble
        house.clock.put(NOON + 100 * DAY * (1 + [*TROUBLES].index(trouble)))


async def dies(house: House, step: str) -> None:
    """The bot dies at a step of the reminder that is due; it was connected until then."""
    await house.life.idle()
    house.kill_at(step)
    house.clock.put(NOON + 7 * DAY)
    await house.store.do(Transaction.set_note, NOTE, str(house.clock()))
    look(house)
    await asyncio.wait_for(house.killed.wait(), PATIENCE)


@sampled("step", ["reminded", "claimed", "arrived"])
@pytest.mark.parametrize("moves", [False, True])
async def test_a_death_at_any_step_sends_none_twice_and_none_after_the_move(
    house: House, step: str, moves: bool
) -> None:
    played = await timed(house)
    told = house.told(house.ann)
    await dies(house, step)
    house.faults.forget_nonces()
    await house.restart()
    await house.settled()
    if moves:
        await played.move("b2")
        told = max(told, house.told(house.ann))
    for _ in range(3):
        await after(house, LEASE)
    await house.life.client.publisher.retry_failed()
    await house.settled()
    if moves:
        assert (reminders_in(house, played.place), house.told(house.ann)) == ([], told)
    else:
        assert (len(reminders_in(house, played.place)), house.told(house.ann)) == (1, told + 1)
    assert await under_way(house) == []


async def six(house: House, **chosen: Any) -> list[Played]:
    """Six matches that wait for Ann, begun ten minutes apart; her first reminders of all are due within an hour."""
    await prefers(house, house.ann, **chosen)
    await house.store.do(Transaction.set_settings, int(house.sandbox.world.home_guild["id"]), OFTEN)
    found: list[Played] = []
    for _ in range(6):
        found.append(await timed(house))
        await after(house, 10 * 60)
    return found


def reminded(house: House, matches: list[Played]) -> tuple[list[str], list[str]]:
    """What reminds Ann in the threads of some matches, and by direct message."""
    return [line for one in matches for line in reminders_in(house, one.place)], mail(house.ann)


def links(text: str) -> list[int]:
    return [int(number) for number in re.findall(r" · (\d+)", text)]


@sampled("way", ["message", "closed"])
async def test_six_that_are_due_in_an_hour_are_one_message_with_links(house: House, way: str) -> None:
    if way == "closed":
        house.ann.close_mailbox()
    matches = await six(house, reminders="message")
    told = house.told(house.ann)
    for _ in range(12):
        await after(house, 10 * 60 if house.clock() >= NOON + 7 * DAY else NOON + 7 * DAY - house.clock())
    in_threads, direct = reminded(house, matches)
    (text,) = direct if way == "message" else in_threads
    assert len(in_threads) + len(direct) == 1 and house.told(house.ann) == told + 1
    assert links(text) == [one.id for one in matches], "the most urgent first"
    assert text.count(f" with {called(house.bea)}") == 6
    for one in matches:
        assert f"{one.row.guild}/{one.row.board_channel}/{one.row.board_message}" in text
    assert ("write to you directly" in text) == (way == "closed")
    assert reminders_in(house, matches[0].place) == in_threads and await under_way(house) == []
    for one in matches:
        await one.move("b2")
    await house.life.client.publisher.retry_failed()
    await house.settled()
    assert reminded(house, matches)[0] == [], "it goes with the move"


@pytest.mark.long
@pytest.mark.parametrize(
    ("way", "step"), [("message", "reminded"), ("thread", "claimed"), ("thread", "arrived"), ("message", "arrived")]
)
async def test_a_death_at_any_step_of_six_loses_none_and_sends_none_twice(house: House, way: str, step: str) -> None:
    matches = await six(house, reminders=way)
    await dies(house, step)
    house.faults.forget_nonces()
    await house.restart()
    for _ in range(3):
        await after(house, LEASE)
    in_threads, direct = reminded(house, matches)
    (text,) = in_threads + direct
    assert links(text) == [one.id for one in matches] and await under_way(house) == []


@pytest.mark.long
async def test_of_six_only_those_that_still_wait_are_told_after_a_death(house: House) -> None:
    matches = await six(house)
    await dies(house, "claimed")
    await house.restart()
    await house.settled()
    for one in matches[:2]:
        await one.move("b2")
    for _ in range(3):
        await after(house, LEASE)
    (text,) = reminded(house, matches)[0]
    assert links(text) == [one.id for one in matches[2:]] and await under_way(house) == []


@pytest.mark.long
async def test_who_has_left_the_server_gets_no_digest_and_no_second_try(house: House) -> None:
    await prefers(house, house.ann, reminders="digest")
    played = await timed(house)
    house.faults.leave("Ann")
    await after(house, 20 * HOUR)
    assert reminded(house, [played]) == ([], [])
    house.faults.join("Ann")
    await prefers(house, house.ann, reminders="message")
    await dies(house, "claimed")
    house.faults.leave("Ann")
    await house.restart()
    for _ in range(3):
        await after(house, LEASE)
    assert reminded(house, [played]) == ([], []) and await under_way(house) == []


async def test_who_moves_while_it_is_under_way_sees_it_go(house: House) -> None:
    played = await timed(house)
    house.clock.put(NOON + 7 * DAY)
    house.faults.delay_requests("POST", MESSAGES, 1, channel=played.place)
    look(house)
    await house.until(lambda: f"claimed {played.id}" in house.listener.steps)
    reply = await house.ann.command("binary-primes move", channel=played.place, square="b2")
    assert "You played" in reply.text
    await house.life.idle()
    await house.life.client.publisher.retry_failed()
    await house.settled()
    assert reminders_in(house, played.place) == []


async def test_two_processes_send_one(house: House) -> None:
    played = await timed(house)
    house.clock.put(NOON + 7 * DAY)
    first = house.life.client.reminder_sender
    second = time_loop.ReminderSender(
        house.life.client.umpire, house.life.client.publisher, house.life.client.shard_states, house.life.client
    )
    first.poll()
    second.poll()
    await house.life.idle()
    assert len(reminders_in(house, played.place)) == 1


@sampled("way", ["left", "forbidden", "locked", "kicked", "parked"], few=2)
async def test_who_cannot_be_reminded_there_is_let_be_and_nothing_is_parked(house: House, way: str) -> None:
    played = await timed(house)
    if way == "left":
        house.faults.leave("Ann")
    elif way == "forbidden":
        house.faults.deny("games", "send_messages_in_threads")
    elif way == "locked":
        house.faults.archive(played.place, locked=True)
    elif way == "kicked":
        house.faults.kick()
    else:
        await house.store.do(Transaction.park, played.id, "it was closed")
    await house.life.idle()
    asked = len(house.sandbox.requests_of("POST", MESSAGES))
    await after(house, 7 * DAY)
    await after(house, HOUR)
    assert reminders_in(house, played.place) == [] and await under_way(house) == []
    row = await house.row(played.id)
    assert (row.publish_error is not None) == (way == "parked")
    player = row.find_player(UserId(int(house.ann.id)))
    assert player and player.reminder_count == 1
    letters = 1 if way in ("forbidden", "locked") else 0
    assert len(mail(house.ann)) == letters, "what a place does not take goes to the person"
    told = 2 if way == "left" else 0  # Bea is told that Ann has left, by a line and a board
    assert len(house.sandbox.requests_of("POST", MESSAGES)) - asked <= 1 + letters + told


@pytest.mark.long
async def test_a_reminder_that_finds_its_thread_deleted_moves_the_match(house: House) -> None:
    """The bot has not heard of that; or the clock would stand still until the board is shown again."""
    played = await timed(house)
    listeners, house.sandbox.world.listeners = house.sandbox.world.listeners, []
    house.faults.delete_channel(played.place)
    house.sandbox.world.listeners = listeners
    await after(house, 7 * DAY)
    await house.settled()
    await after(house, LEASE)
    played = await played.fresh()
    assert played.row.thread == played.row.channel
    (line,) = reminders_in(house, played.place)
    assert line.endswith(f"/{played.row.channel}/{played.row.board_message})"), "to the board where it is now"


@pytest.mark.long
@pytest.mark.parametrize("way", ["gone", "failing"])
async def test_a_last_reminder_that_cannot_be_deleted_holds_nothing_up(
    house: House, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    played = await timed(house)
    await after(house, 7 * DAY)
    row = await house.row(played.id)
    player = row.find_player(UserId(int(house.ann.id)))
    assert player and player.reminder
    if way == "gone":
        house.faults.delete_message(house.sandbox.world.message(played.place["id"], str(player.reminder)))
    else:
        house.faults.fail_requests("DELETE", MESSAGE, 500, times=5)
    await after(house, 6 * DAY)
    await house.life.client.publisher.retry_failed()
    await house.life.idle()
    house.faults.clear()
    await house.life.client.publisher.retry_failed()
    await house.settled()
    assert len(reminders_in(house, played.place)) == 1


@pytest.mark.long
async def test_where_nobody_may_look_it_is_rather_lost_than_sent_twice(house: House) -> None:
    played = await timed(house)
    told = house.told(house.ann)
    await dies(house, "reminded")
    house.faults.deny("games", "read_message_history")
    house.faults.forget_nonces()
    await house.restart()
    await after(house, LEASE)
    assert house.told(house.ann) == told + 1 and await under_way(house) == []
    assert played.id


async def test_in_a_secret_game_a_reminder_says_nothing_of_the_game(house: House) -> None:
    reply = await house.ann.command(
        "sums-grid challenge", channel="games", size=2, seat="me", opponent=house.bea, pace="14"
    )
    await house.settled()
    number = int(reply.text.split()[1])
    row = await house.row(number)
    lobby = house.sandbox.world.message(str(row.channel), str(row.lobby_message))
    await house.bea.press(lobby, "Accept")
    await house.settled()
    played = Played(house, number, await house.row(number))
    await house.ann.command("sums-grid submit", channel=played.place, grid="1 2 / 3 4")
    await house.settled()
    await after(house, 7 * DAY)
    lines = reminders_in(house, played.place)
    assert sorted(line.split(",")[0] for line in lines) == sorted((house.ann.mention, house.bea.mention))
    assert len({line.replace(house.ann.mention, "").replace(house.bea.mention, "") for line in lines}) == 1


async def test_the_log_says_nothing_private(house: House, caplog: pytest.LogCaptureFixture) -> None:
    await prefers(house, house.ann, reminders="message")
    house.ann.close_mailbox()
    await timed(house)
    house.faults.fail_requests("POST", MESSAGES, 403, code=50013)
    with caplog.at_level("DEBUG", logger="bot"):
        await after(house, 7 * DAY)
    assert house.ann.id not in caplog.text and "Ann" not in caplog.text
