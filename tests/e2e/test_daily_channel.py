"""The message of the day: once a day from the server's hour on, whatever fails or dies, and nobody is pinged.

The last story is a month of it, with whatever can befall the bot drawn by lot."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from bot.features.daily import service as daily_service
from bot.features.daily import words as daily_words
from bot.features.daily.handlers import PuzzleButton
from bot.play.ids import ChannelId, GuildId, UserId
from bot.play.loaded_match import Refusal
from bot.play.puzzles import PuzzleTry
from bot.play.rows import ServerSettings
from bot.sandbox import people
from bot.sandbox.people import Person
from data.store import Reader, Transaction
from tests.e2e.harness import MESSAGES, Harness, called, labels, said
from tests.e2e.test_daily import MORNING, TODAY, puzzle, solve, tried, wrong

DAY, HOUR = 86_400, 3_600


def guild(harness: Harness) -> GuildId:
    """The server."""
    return GuildId(int(harness.sandbox.world.home_guild["id"]))


async def chosen(harness: Harness, zone: str = "UTC", hour: int = 8) -> None:
    """The server has chosen its channel for the daily puzzle, and it is the morning of a day, before that hour."""
    harness.clock.at = MORNING - HOUR
    harness.sandbox.world.clock = harness.clock  # Discord's clock goes with the bot's
    place = ChannelId(int(harness.sandbox.channel("general")["id"]))
    settings = ServerSettings(zone=zone, daily=place, daily_hour=hour)
    await harness.store.do(Transaction.set_settings, guild(harness), settings)


async def looks(harness: Harness, seconds: int = 0) -> list[int]:
    """Time passes, the bot looks what is due, and these days have their message, in order."""
    await harness.run_due_acts(seconds)
    await asyncio.sleep(31)
    await harness.life.client.post_puzzle_and_week()
    return days(harness)


def posts(harness: Harness) -> list[dict[str, Any]]:
    """The messages of the day."""
    messages = harness.sandbox.world.messages.get(harness.sandbox.channel("general")["id"], {})
    return [one for one in messages.values() if "### Daily puzzle" in said(one) and not one["ephemeral_for"]]


def days(harness: Harness) -> list[int]:
    """The days whose messages stand in the channel."""
    opened = [next(one.custom_id or "" for one in people.list_buttons(post)) for post in posts(harness)]
    return [int(one.rpartition(":")[2]) for one in opened]


def pings(harness: Harness) -> int:
    """How many messages have notified anybody."""
    return sum(map(harness.told, (harness.ann, harness.bea, harness.cem, harness.dora)))


async def solved(harness: Harness, person: Person, of: int, *moves: str) -> None:
    """Somebody tries some moves of a day."""
    for number, move in enumerate(moves, 1):
        one = PuzzleTry(of, move, number, guild(harness), MORNING, move == puzzle(of).best)
        await harness.store.do(Transaction.add_try, UserId(int(person.id)), one)


async def test_a_server_gets_the_puzzle_once_a_day_from_its_hour_on(harness: Harness) -> None:
    await chosen(harness)
    assert await looks(harness) == []
    assert await looks(harness, HOUR) == [TODAY]
    assert await looks(harness) == await looks(harness, HOUR) == [TODAY]
    first = posts(harness)[0]
    assert labels(first) == ["Solve", "Rules"] and "Yesterday" not in said(first)
    # Two taps for the square, one to play: the first try is five taps from the channel at the most.
    found = await tried(harness, harness.ann, await solve(harness, harness.ann, first), puzzle().best)
    assert found.is_ephemeral and "That is the move!" in said(found.message)
    await solved(harness, harness.bea, TODAY, wrong(puzzle()), puzzle().best)
    await solved(harness, harness.cem, TODAY, wrong(puzzle()))
    await solved(harness, harness.ann, TODAY - 1, puzzle(TODAY - 1).best)
    assert said(posts(harness)[0]) == said(first), "nobody learns of others' tries before the day is over"
    assert await looks(harness, DAY - HOUR) == [TODAY, TODAY + 1]
    text = said(posts(harness)[1])
    assert f"||{daily_words.describe_solution(puzzle())}||" in text and called(harness.cem) not in text
    assert f"Solved by {called(harness.ann)} (1/3) and {called(harness.bea)} (2/3)." in text
    assert "🔥 This server has solved it 2 days in a row." in text and pings(harness) == 0
    assert str(PuzzleButton(TODAY + 1)) in [one.custom_id for one in people.list_buttons(posts(harness)[1])]


async def test_a_restart_another_process_or_a_clock_set_back_posts_nothing_twice(harness: Harness) -> None:
    await chosen(harness)
    assert await looks(harness, HOUR) == [TODAY]
    await harness.restart()
    assert await looks(harness) == [TODAY]
    harness.clock.at = MORNING - DAY + HOUR  # the clock is set back by a day, and goes on
    assert await looks(harness) == [TODAY]
    assert await looks(harness, DAY) == [TODAY]
    # The bot is away over midnight and the next hour: it comes late, and the day in between is left out.
    await harness.run_due_acts(3 * DAY - HOUR)
    assert await looks(harness, 14 * HOUR) == [TODAY, TODAY + 3]
    # The zone is changed to one where that day is still to come: it is not posted again when it does.
    await harness.store.do(
        Transaction.change_settings,
        guild(harness),
        lambda now: ServerSettings(zone="Pacific/Honolulu", daily=now.daily),
    )
    assert await looks(harness) == await looks(harness, 12 * HOUR) == [TODAY, TODAY + 3]


async def test_of_two_processes_one_posts(harness: Harness) -> None:
    harness.forgiven.append("Two processes serve the same servers")
    await chosen(harness)
    other = harness.another()
    await other.begin()
    try:
        await harness.run_due_acts(HOUR)
        await asyncio.sleep(31)
        await asyncio.gather(harness.life.client.post_puzzle_and_week(), other.client.post_puzzle_and_week())
        assert days(harness) == [TODAY]
    finally:
        other.kill()
        await other.end()


@pytest.mark.parametrize("forgets", (False, True))
@pytest.mark.parametrize("trouble", ("claimed", "posted", "applied", "fails", "hangs"))
async def test_a_message_that_fails_or_dies_on_its_way_is_there_once(
    harness: Harness, trouble: str, forgets: bool
) -> None:
    """The bot dies before or after it posts, Discord answers 502 after it was posted, hangs or refuses; and whether or
    not Discord still knows the nonce, the day has one message."""
    await chosen(harness)
    await harness.run_due_acts(HOUR)
    await befall(harness, trouble, TODAY)
    if forgets:
        harness.faults.forget_nonces()
    assert await looks(harness, 3 * 60) == [TODAY]
    assert await looks(harness, 3 * HOUR) == [TODAY] and pings(harness) == 0


@pytest.mark.parametrize("length", (6, pytest.param(31, marks=pytest.mark.long)))
async def test_in_a_month_no_puzzle_is_posted_twice_or_missed(harness: Harness, length: int) -> None:
    """Each day something goes wrong, and people try the puzzle, twice at the same time too."""
    rng = Random(length)
    harness.forgiven += ["Two processes serve the same servers", "503"]
    await chosen(harness)
    due, away = list[int](), False
    for day in range(TODAY, TODAY + length):
        trouble = rng.choice(("none", "claimed", "posted", "applied", "fails", "hangs", "back", "away", "two"))
        away = trouble == "away" and not away  # a day on which the bot is not there has no message, and none later
        if away:
            await harness.run_due_acts(DAY)
            continue
        due.append(day)
        await harness.run_due_acts(HOUR)
        await befall(harness, trouble, day)
        harness.faults.forget_nonces()
        assert await looks(harness, 3 * 60) == due, trouble
        for person in rng.sample((harness.ann, harness.bea, harness.cem, harness.dora), 3):
            moves = [puzzle(day).best, *(wrong(puzzle(day), at) for at in range(3))]
            rng.shuffle(moves)
            tries = (harness.store.do(expected, guild(harness), UserId(int(person.id)), day, one) for one in moves * 2)
            await asyncio.gather(*tries)
        assert await looks(harness, DAY - HOUR - 3 * 60) == due, trouble
    assert pings(harness) == 0
    for person in (harness.ann, harness.bea, harness.cem, harness.dora):
        kept = await harness.store.ask(Reader.puzzle_tries, UserId(int(person.id)))
        for day in {one.day for one in kept}:
            numbers = [one.number for one in kept if one.day == day]
            assert numbers == [*range(1, len(numbers) + 1)] and len(numbers) <= 3
            assert not any(one.solved for one in kept if one.day == day and one.number < len(numbers))
    solvers = {day: await harness.store.ask(Reader.puzzle_solvers, guild(harness), day) for day in due}
    people = {int(one.id): called(one) for one in (harness.ann, harness.bea, harness.cem, harness.dora)}
    for day, post in zip(due, posts(harness), strict=True):
        names = [f"{people[user]} ({number}/3)" for user, number in solvers.get(day - 1, ())]
        assert all(name in said(post) for name in names)


def expected(tx: Transaction, server: GuildId, user: UserId, day: int, move: str) -> None:
    """A try, or a refusal where there is none left."""
    with suppress(Refusal):
        daily_service.keep_try(tx, server, user, day, move, 1)


async def befall(harness: Harness, trouble: str, day: int) -> None:
    """Something goes wrong when the message of a day is due."""
    await asyncio.sleep(31)
    if trouble in ("claimed", "posted"):
        harness.kill_at(f"{trouble} daily {day}")
        with suppress(asyncio.CancelledError):
            await harness.life.does(harness.life.client.post_puzzle_and_week())
        await harness.restart()
    elif trouble in ("applied", "fails"):
        harness.faults.fail_requests(
            "POST", MESSAGES, 502 if trouble == "applied" else 503, times=6, applied=trouble == "applied"
        )
        await harness.life.client.post_puzzle_and_week()
        harness.faults.clear()
    elif trouble == "hangs":
        harness.faults.delay_requests("POST", MESSAGES, 60, applied=True)
        await harness.life.client.post_puzzle_and_week()
        harness.faults.clear()
    elif trouble == "back":
        await harness.life.client.post_puzzle_and_week()
        await looks(harness, -2 * HOUR)
        await harness.run_due_acts(2 * HOUR)
    elif trouble == "two":
        other = harness.another()
        await other.begin()
        await asyncio.gather(harness.life.client.post_puzzle_and_week(), other.client.post_puzzle_and_week())
        other.kill()
        await other.end()
