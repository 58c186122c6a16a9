"""Quiet hours: what time does at night counts at once and wakes nobody; what somebody has just done is told at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.clocks import DAY, HOUR
from bot.play.rows import Preferences
from bot.sandbox.people import Person
from bot.umpire.notifications import SLEPT
from data.store import Transaction
from tests.e2e.house import House, Played, labels, said
from tests.simulation.life import living

EIGHT = 1_893_571_200
"""Eight in the morning of the second of January 2030, by UTC."""
SILENT = 1 << 12
EVENING, MIDNIGHT = EIGHT + 15 * HOUR, EIGHT + 16 * HOUR
"""At eleven, and at twelve."""


@pytest.fixture(autouse=True)
async def evening(house: House) -> None:
    """It is eleven in the evening, and stays so until somebody puts the clock forward."""
    house.clock.at = EVENING
    house.sandbox.world.clock = house.clock
    await house.run_due_acts(0)


async def later(house: House, seconds: int) -> None:
    """Time passes, and the bot looks what is due, what expires, and who has woken up."""
    await house.later(seconds)
    await house.life.does(house.life.client.sweep())
    await house.settled()


async def late_at_night(house: House) -> Played:
    """A match in which Ann ran out of time at eleven in the evening."""
    played = await house.match()
    await later(house, 7 * DAY)
    return await played.fresh()


def lines(played: Played) -> list[str]:
    """The texts that people were told in the thread of a match."""
    said_there = played.house.sandbox.world.messages[played.place["id"]].values()
    return [one["content"] for one in said_there if one["content"]]


def last_line(played: Played) -> str:
    """The last of them."""
    return lines(played)[-1]


async def prefers(house: House, person: Person, night: int, morning: int) -> None:
    chosen = Preferences(night=night, morning=morning)
    await house.store.do(Transaction.change_preferences, int(person.id), lambda _: chosen)


async def test_who_ran_out_of_time_at_night_is_out_then_and_the_other_sleeps_until_eight(house: House) -> None:
    played = await late_at_night(house)
    assert (house.told(house.ann), house.told(house.bea)) == (1, 1), "nobody of this"
    assert played.row.players[0].forfeit_at == EVENING + 10 * DAY, "the clock ran out when it ran out"
    assert "ran out of time" in said(played.board) and "Claim" in labels(played.board), "whoever looks sees it"
    await later(house, 9 * HOUR - 1)
    assert house.told(house.bea) == 1
    boards = len(played.boards)
    await later(house, 1)
    played = await played.fresh()
    assert (house.told(house.ann), house.told(house.bea)) == (2, 2)
    assert last_line(played) == (
        f"{house.ann.mention}, your time ran out. {house.bea.mention} can claim the match until you move."
    )
    assert len(played.boards) == boards, "the board stands right above"
    assert played.row.shown_version == played.row.version and played.row.players[1].wakes == SLEPT
    await house.restart()
    await later(house, DAY)
    assert house.told(house.bea) == 2, "once"


async def test_whoever_has_claimed_at_night_is_not_told_in_the_morning(house: House) -> None:
    played = await late_at_night(house)
    asked = await house.bea.press(played.board, "Claim")
    await house.bea.press(asked.message, "Claim")
    await house.settled()
    assert (await played.fresh()).row.state == "finished"
    assert (house.told(house.ann), house.told(house.bea)) == (2, 1), "an act tells at once"
    await later(house, 9 * HOUR)
    assert (house.told(house.ann), house.told(house.bea)) == (2, 1)


async def test_a_late_move_tells_at_once_and_nothing_is_left_for_the_morning(house: House) -> None:
    played = await late_at_night(house)
    await played.move("b2")
    assert house.told(house.bea) == 2
    await later(house, 9 * HOUR)
    assert house.told(house.bea) == 2


async def test_a_match_that_ends_at_night_by_itself_ends_then_and_is_told_in_the_morning(house: House) -> None:
    played = await late_at_night(house)
    await later(house, 9 * HOUR)
    told = house.told(house.ann), house.told(house.bea)
    await later(house, 2 * DAY + 15 * HOUR)
    played = await played.fresh()
    assert played.row.state == "finished" and "beat" in said(played.board)
    assert (house.told(house.ann), house.told(house.bea)) == told
    boards = len(played.boards)
    await later(house, 9 * HOUR)
    played = await played.fresh()
    assert (house.told(house.ann), house.told(house.bea)) == (told[0] + 1, told[1] + 1)
    assert (
        last_line(played)
        == f"It's over: {house.bea.mention} beat {house.ann.mention}, who ran out of time. Not rated: nobody had moved."
    )
    assert len(played.boards) == boards, "the last board stands once"


async def test_an_expired_challenge_wakes_nobody(house: House) -> None:
    played = await house.challenge(opponent=house.bea)
    await later(house, 2 * DAY)
    assert labels(played.lobby) == [] and "didn't answer within 2 days" in said(played.lobby)
    assert (house.told(house.ann), house.told(house.bea)) == (0, 1)
    await later(house, 9 * HOUR)
    assert (house.told(house.ann), house.told(house.bea)) == (1, 2)
    assert house.ann.read_latest_message("games")["content"].startswith(
        f"{house.ann.mention}'s challenge to Binary Primes expired, because {house.bea.mention} didn't answer "
    )


async def test_of_an_expired_challenge_all_are_told_in_one_line_when_nobody_sleeps(house: House) -> None:
    await prefers(house, house.ann, 0, 6)
    await prefers(house, house.bea, 8, 8)
    await house.challenge(opponent=house.bea)
    await later(house, 2 * DAY)
    assert (house.told(house.ann), house.told(house.bea)) == (1, 2), (
        "it is not yet night for one, and never for the other"
    )
    await house.challenge(opponent=house.bea)
    await later(house, 2 * DAY + HOUR)
    assert (house.told(house.ann), house.told(house.bea)) == (1, 3), "of the challenge itself"
    assert "didn't answer within 2 days" in said(house.ann.read_latest_message("games")), "whoever looks sees it"
    await later(house, 6 * HOUR)
    assert (house.told(house.ann), house.told(house.bea)) == (2, 4)
    expired = [one for one in house.ann.read_messages("games") if "expired" in said(one)]
    assert [one["content"].partition(" within")[0] for one in expired] == [
        f"{house.ann.mention}'s challenge to Binary Primes expired, because {house.bea.mention} didn't answer"
    ] * 2, "a line each, and nothing else stays"
    assert not any(one["flags"] & SILENT for one in expired)
    await house.restart()
    await later(house, DAY)
    assert (house.told(house.ann), house.told(house.bea)) == (2, 4), "once"


async def test_where_somebody_always_sleeps_one_line_tells_all_without_a_sound(house: House) -> None:
    await prefers(house, house.ann, 20, 8)
    await prefers(house, house.bea, 8, 20)
    await house.challenge(opponent=house.bea)
    await later(house, 2 * DAY)
    assert (house.told(house.ann), house.told(house.bea)) == (0, 1)
    await later(house, 9 * HOUR)
    (line,) = [one for one in house.ann.read_messages("games") if "expired" in said(one)]
    assert {one["id"] for one in line["mentions"]} == {house.ann.id, house.bea.id} and line["flags"] & SILENT
    await later(house, DAY)
    assert [one for one in house.ann.read_messages("games") if "expired" in said(one)] == [line], "once"


async def test_a_match_that_ends_by_itself_is_told_in_one_line_whatever_the_quiet_hours(house: House) -> None:
    await prefers(house, house.ann, 0, 6)
    played = await late_at_night(house)
    await later(house, 9 * HOUR)
    await later(house, 2 * DAY + 15 * HOUR)
    assert (await played.fresh()).row.state == "finished"
    await later(house, 9 * HOUR)
    assert [one for one in lines(played) if "over: " in one] == [last_line(played)]


async def test_a_death_before_the_line_is_noted_tells_both_once(house: House) -> None:
    await prefers(house, house.ann, 0, 6)
    await prefers(house, house.bea, 8, 8)
    await house.run_due_acts(HOUR)
    await house.challenge(opponent=house.bea)
    await later(house, 2 * DAY)
    await house.run_due_acts(6 * HOUR)
    house.kill_at("posted")
    mark = living.set(house.life)
    sweep = asyncio.create_task(house.life.client.sweep())
    living.reset(mark)
    await house.killed.wait()
    await asyncio.wait((sweep,))
    assert (house.told(house.ann), house.told(house.bea)) == (1, 2)
    await house.restart()
    await later(house, 0)
    assert (house.told(house.ann), house.told(house.bea)) == (1, 2)


async def test_a_death_in_the_morning_tells_nobody_twice(house: House) -> None:
    await late_at_night(house)
    await house.run_due_acts(9 * HOUR)
    house.kill_at("told")
    mark = living.set(house.life)
    sweep = asyncio.create_task(house.life.client.sweep())
    living.reset(mark)
    await house.killed.wait()
    await asyncio.wait((sweep,))
    await house.restart()
    await later(house, 0)
    assert house.told(house.bea) == 2


async def test_that_a_place_was_closed_at_night_is_told_in_the_morning_once(house: House) -> None:
    played = await house.match()
    before = house.told(house.ann), house.told(house.bea)
    house.faults.delete_channel("games")
    await asyncio.sleep(2)  # Discord tells of it
    await later(house, 9 * HOUR - 10)
    assert (house.told(house.ann), house.told(house.bea)) == before
    await house.restart()
    await later(house, 10)
    assert (house.told(house.ann), house.told(house.bea)) == (before[0] + 1, before[1] + 1)
    await later(house, 2 * DAY)
    assert (house.told(house.ann), house.told(house.bea)) == (before[0] + 1, before[1] + 1), "once"
    assert (await played.fresh()).row.state == "live"


async def test_a_move_at_night_in_a_place_that_is_closed_is_told_at_once(house: House) -> None:
    await house.match()
    before = house.told(house.bea)
    house.faults.delete_channel("games")
    await asyncio.sleep(2)  # Discord tells of it
    await later(house, HOUR)
    await house.ann.command("binary-primes move", channel="general", square="b2")
    await later(house, 0)
    assert house.told(house.bea) == before + 1
    await later(house, 8 * HOUR)
    assert house.told(house.bea) == before + 1
