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
from tests.e2e.house import MESSAGES, House, called, labels, said
from tests.e2e.test_daily import MORNING, TODAY, puzzle, solve, tried, wrong

DAY, HOUR = 86_400, 3_600


def guild(house: House) -> GuildId:
    """The server."""
    return GuildId(int(house.sandbox.world.home_guild["id"]))


async def chosen(house: House, zone: str = "UTC", hour: int = 8) -> None:
    """The server has chosen its channel for the daily puzzle, and it is the morning of a day, before that hour."""
    house.clock.at = MORNING - HOUR
    house.sandbox.world.clock = house.clock  # Discord's clock goes with the bot's
    place = ChannelId(int(house.sandbox.channel("general")["id"]))
    settings = ServerSettings(zone=zone, daily=place, daily_hour=hour)
    await house.store.do(Transaction.set_settings, guild(house), settings)


async def looks(house: House, seconds: int = 0) -> list[int]:
    """Time passes, the bot looks what is due, and these days have their message, in order."""
    await house.run_due_acts(seconds)
    await asyncio.sleep(31)
    await house.life.client.post_puzzle_and_week()
    return days(house)


def posts(house: House) -> list[dict[str, Any]]:
    """The messages of the day."""
    messages = house.sandbox.world.messages.get(house.sandbox.channel("general")["id"], {})
    return [one for one in messages.values() if "### Daily puzzle" in said(one) and not one["ephemeral_for"]]


def days(house: House) -> list[int]:
    """The days whose messages stand in the channel."""
    opened = [next(one.custom_id or "" for one in people.list_buttons(post)) for post in posts(house)]
    return [int(one.rpartition(":")[2]) for one in opened]


def pings(house: House) -> int:
    """How many messages have notified anybody."""
    return sum(map(house.told, (house.ann, house.bea, house.cem, house.dora)))


async def solved(house: House, person: Person, of: int, *moves: str) -> None:
    """Somebody tries some moves of a day."""
    for number, move in enumerate(moves, 1):
        one = PuzzleTry(of, move, number, guild(house), MORNING, move == puzzle(of).best)
        await house.store.do(Transaction.add_try, UserId(int(person.id)), one)


async def test_a_server_gets_the_puzzle_once_a_day_from_its_hour_on(house: House) -> None:
    await chosen(house)
    assert await looks(house) == []
    assert await looks(house, HOUR) == [TODAY]
    assert await looks(house) == await looks(house, HOUR) == [TODAY]
    first = posts(house)[0]
    assert labels(first) == ["Solve", "Rules"] and "Yesterday" not in said(first)
    # Two taps for the square, one to play: the first try is five taps from the channel at the most.
    found = await tried(house, house.ann, await solve(house, house.ann, first), puzzle().best)
    assert found.is_ephemeral and "That is the move!" in said(found.message)
    await solved(house, house.bea, TODAY, wrong(puzzle()), puzzle().best)
    await solved(house, house.cem, TODAY, wrong(puzzle()))
    await solved(house, house.ann, TODAY - 1, puzzle(TODAY - 1).best)
    assert said(posts(house)[0]) == said(first), "nobody learns of others' tries before the day is over"
    assert await looks(house, DAY - HOUR) == [TODAY, TODAY + 1]
    text = said(posts(house)[1])
    assert f"||{daily_words.describe_solution(puzzle())}||" in text and called(house.cem) not in text
    assert f"Solved by {called(house.ann)} (1/3) and {called(house.bea)} (2/3)." in text
    assert "🔥 This server has solved it 2 days in a row." in text and pings(house) == 0
    assert str(PuzzleButton(TODAY + 1)) in [one.custom_id for one in people.list_buttons(posts(house)[1])]


async def test_a_restart_another_process_or_a_clock_set_back_posts_nothing_twice(house: House) -> None:
    await chosen(house)
    assert await looks(house, HOUR) == [TODAY]
    await house.restart()
    assert await looks(house) == [TODAY]
    house.clock.at = MORNING - DAY + HOUR  # the clock is set back by a day, and goes on
    assert await looks(house) == [TODAY]
    assert await looks(house, DAY) == [TODAY]
    # The bot is away over midnight and the next hour: it comes late, and the day in between is left out.
    await house.run_due_acts(3 * DAY - HOUR)
    assert await looks(house, 14 * HOUR) == [TODAY, TODAY + 3]
    # The zone is changed to one where that day is still to come: it is not posted again when it does.
    await house.store.do(
        Transaction.change_settings, guild(house), lambda now: ServerSettings(zone="Pacific/Honolulu", daily=now.daily)
    )
    assert await looks(house) == await looks(house, 12 * HOUR) == [TODAY, TODAY + 3]


async def test_of_two_processes_one_posts(house: House) -> None:
    house.forgiven.append("Two processes serve the same servers")
    await chosen(house)
    other = house.another()
    await other.begin()
    try:
        await house.run_due_acts(HOUR)
        await asyncio.sleep(31)
        await asyncio.gather(house.life.client.post_puzzle_and_week(), other.client.post_puzzle_and_week())
        assert days(house) == [TODAY]
    finally:
        other.kill()
        await other.end()


@pytest.mark.parametrize("forgets", (False, True))
@pytest.mark.parametrize("trouble", ("claimed", "posted", "applied", "fails", "hangs"))
async def test_a_message_that_fails_or_dies_on_its_way_is_there_once(house: House, trouble: str, forgets: bool) -> None:
    """The bot dies before or after it posts, Discord answers 502 after it was posted, hangs or refuses; and whether or
    not Discord still knows the nonce, the day has one message."""
    await chosen(house)
    await house.run_due_acts(HOUR)
    await befall(house, trouble, TODAY)
    if forgets:
        house.faults.forget_nonces()
    assert await looks(house, 3 * 60) == [TODAY]
    assert await looks(house, 3 * HOUR) == [TODAY] and pings(house) == 0


@pytest.mark.parametrize("length", (6, pytest.param(31, marks=pytest.mark.long)))
async def test_in_a_month_no_puzzle_is_posted_twice_or_missed(house: House, length: int) -> None:
    """Each day something goes wrong, and people try the puzzle, twice at the same time too."""
    lots = Random(length)
    house.forgiven += ["Two processes serve the same servers", "503"]
    await chosen(house)
    due, away = list[int](), False
    for day in range(TODAY, TODAY + length):
        trouble = lots.choice(("none", "claimed", "posted", "applied", "fails", "hangs", "back", "away", "two"))
        away = trouble == "away" and not away  # a day on which the bot is not there has no message, and none later
        if away:
            await house.run_due_acts(DAY)
            continue
        due.append(day)
        await house.run_due_acts(HOUR)
        await befall(house, trouble, day)
        house.faults.forget_nonces()
        assert await looks(house, 3 * 60) == due, trouble
        for person in lots.sample((house.ann, house.bea, house.cem, house.dora), 3):
            moves = [puzzle(day).best, *(wrong(puzzle(day), at) for at in range(3))]
            lots.shuffle(moves)
            tries = (house.store.do(expected, guild(house), UserId(int(person.id)), day, one) for one in moves * 2)
            await asyncio.gather(*tries)
        assert await looks(house, DAY - HOUR - 3 * 60) == due, trouble
    assert pings(house) == 0
    for person in (house.ann, house.bea, house.cem, house.dora):
        kept = await house.store.ask(Reader.puzzle_tries, UserId(int(person.id)))
        for day in {one.day for one in kept}:
            numbers = [one.number for one in kept if one.day == day]
            assert numbers == [*range(1, len(numbers) + 1)] and len(numbers) <= 3
            assert not any(one.solved for one in kept if one.day == day and one.number < len(numbers))
    solvers = {day: await house.store.ask(Reader.puzzle_solvers, guild(house), day) for day in due}
    people = {int(one.id): called(one) for one in (house.ann, house.bea, house.cem, house.dora)}
    for day, post in zip(due, posts(house), strict=True):
        names = [f"{people[user]} ({number}/3)" for user, number in solvers.get(day - 1, ())]
        assert all(name in said(post) for name in names)


def expected(tx: Transaction, server: GuildId, user: UserId, day: int, move: str) -> None:
    """A try, or a refusal where there is none left."""
    with suppress(Refusal):
        daily_service.keep_try(tx, server, user, day, move, 1)


async def befall(house: House, trouble: str, day: int) -> None:
    """Something goes wrong when the message of a day is due."""
    await asyncio.sleep(31)
    if trouble in ("claimed", "posted"):
        house.kill_at(f"{trouble} daily {day}")
        with suppress(asyncio.CancelledError):
            await house.life.does(house.life.client.post_puzzle_and_week())
        await house.restart()
    elif trouble in ("applied", "fails"):
        house.faults.fail_requests(
            "POST", MESSAGES, 502 if trouble == "applied" else 503, times=6, applied=trouble == "applied"
        )
        await house.life.client.post_puzzle_and_week()
        house.faults.clear()
    elif trouble == "hangs":
        house.faults.delay_requests("POST", MESSAGES, 60, applied=True)
        await house.life.client.post_puzzle_and_week()
        house.faults.clear()
    elif trouble == "back":
        await house.life.client.post_puzzle_and_week()
        await looks(house, -2 * HOUR)
        await house.run_due_acts(2 * HOUR)
    elif trouble == "two":
        other = house.another()
        await other.begin()
        await asyncio.gather(house.life.client.post_puzzle_and_week(), other.client.post_puzzle_and_week())
        other.kill()
        await other.end()
