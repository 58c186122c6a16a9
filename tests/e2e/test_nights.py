"""Quiet hours: what time does at night counts at once and wakes nobody; what somebody has just done is told at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.clocks import DAY, HOUR
from bot.play.rows import Preferences
from bot.sandbox.people import Person
from bot.umpire.notifications import SLEPT
from data.store import Transaction
from tests.e2e.harness import Harness, Played, labels, said
from tests.simulation.life import living

EIGHT = 1_893_571_200
"""Eight in the morning of the second of January 2030, by UTC."""
SILENT = 1 << 12
EVENING, MIDNIGHT = EIGHT + 15 * HOUR, EIGHT + 16 * HOUR
"""At eleven, and at twelve."""


@pytest.fixture(autouse=True)
async def evening(harness: Harness) -> None:
    """It is eleven in the evening, and stays so until somebody puts the clock forward."""
    harness.clock.at = EVENING
    harness.sandbox.world.clock = harness.clock
    await harness.run_due_acts(0)


async def later(harness: Harness, seconds: int) -> None:
    """Time passes, and the bot looks what is due, what expires, and who has woken up."""
    await harness.later(seconds)
    await harness.life.does(harness.life.client.sweep())
    await harness.settled()


async def late_at_night(harness: Harness) -> Played:
    """A match in which Ann ran out of time at eleven in the evening."""
    played = await harness.match()
    await later(harness, 7 * DAY)
    return await played.fresh()


def lines(played: Played) -> list[str]:
    """The texts that people were told in the thread of a match."""
    said_there = played.harness.sandbox.world.messages[played.place["id"]].values()
    return [one["content"] for one in said_there if one["content"]]


def last_line(played: Played) -> str:
    """The last of them."""
    return lines(played)[-1]


async def prefers(harness: Harness, person: Person, night: int, morning: int) -> None:
    chosen = Preferences(night=night, morning=morning)
    await harness.store.do(Transaction.change_preferences, int(person.id), lambda _: chosen)


async def test_who_ran_out_of_time_at_night_is_out_then_and_the_other_sleeps_until_eight(harness: Harness) -> None:
    played = await late_at_night(harness)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 1), "nobody of this"
    assert played.row.players[0].forfeit_at == EVENING + 10 * DAY, "the clock ran out when it ran out"
    assert "ran out of time" in said(played.board) and "Claim" in labels(played.board), "whoever looks sees it"
    await later(harness, 9 * HOUR - 1)
    assert harness.told(harness.bea) == 1
    boards = len(played.boards)
    await later(harness, 1)
    played = await played.fresh()
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 2)
    assert last_line(played) == (
        f"{harness.ann.mention}, your time ran out. {harness.bea.mention} can claim the match until you move."
    )
    assert len(played.boards) == boards, "the board stands right above"
    assert played.row.shown_version == played.row.version and played.row.players[1].wakes == SLEPT
    await harness.restart()
    await later(harness, DAY)
    assert harness.told(harness.bea) == 2, "once"


async def test_whoever_has_claimed_at_night_is_not_told_in_the_morning(harness: Harness) -> None:
    played = await late_at_night(harness)
    asked = await harness.bea.press(played.board, "Claim")
    await harness.bea.press(asked.message, "Claim")
    await harness.settled()
    assert (await played.fresh()).row.state == "finished"
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 1), "an act tells at once"
    await later(harness, 9 * HOUR)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 1)


async def test_a_late_move_tells_at_once_and_nothing_is_left_for_the_morning(harness: Harness) -> None:
    played = await late_at_night(harness)
    await played.move("b2")
    assert harness.told(harness.bea) == 2
    await later(harness, 9 * HOUR)
    assert harness.told(harness.bea) == 2


async def test_a_match_that_ends_at_night_by_itself_ends_then_and_is_told_in_the_morning(harness: Harness) -> None:
    played = await late_at_night(harness)
    await later(harness, 9 * HOUR)
    told = harness.told(harness.ann), harness.told(harness.bea)
    await later(harness, 2 * DAY + 15 * HOUR)
    played = await played.fresh()
    assert played.row.state == "finished" and "beat" in said(played.board)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == told
    boards = len(played.boards)
    await later(harness, 9 * HOUR)
    played = await played.fresh()
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (told[0] + 1, told[1] + 1)
    result = f"{harness.bea.mention} beat {harness.ann.mention}, who ran out of time"
    assert last_line(played) == f"It's over: {result}. Not rated: nobody had moved."
    assert len(played.boards) == boards, "the last board stands once"


async def test_an_expired_challenge_wakes_nobody(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    await later(harness, 2 * DAY)
    assert labels(played.lobby) == [] and "didn't answer within 2 days" in said(played.lobby)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (0, 1)
    await later(harness, 9 * HOUR)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)
    assert harness.ann.read_latest_message("games")["content"].startswith(
        f"{harness.ann.mention}'s challenge to Binary Primes expired, because {harness.bea.mention} didn't answer "
    )


async def test_of_an_expired_challenge_all_are_told_in_one_line_when_nobody_sleeps(harness: Harness) -> None:
    await prefers(harness, harness.ann, 0, 6)
    await prefers(harness, harness.bea, 8, 8)
    await harness.challenge(opponent=harness.bea)
    await later(harness, 2 * DAY)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2), (
        "it is not yet night for one, and never for the other"
    )
    await harness.challenge(opponent=harness.bea)
    await later(harness, 2 * DAY + HOUR)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 3), "of the challenge itself"
    assert "didn't answer within 2 days" in said(harness.ann.read_latest_message("games")), "whoever looks sees it"
    await later(harness, 6 * HOUR)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 4)
    expired = [one for one in harness.ann.read_messages("games") if "expired" in said(one)]
    assert [one["content"].partition(" within")[0] for one in expired] == [
        f"{harness.ann.mention}'s challenge to Binary Primes expired, because {harness.bea.mention} didn't answer"
    ] * 2, "a line each, and nothing else stays"
    assert not any(one["flags"] & SILENT for one in expired)
    await harness.restart()
    await later(harness, DAY)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 4), "once"


async def test_where_somebody_always_sleeps_one_line_tells_all_without_a_sound(harness: Harness) -> None:
    await prefers(harness, harness.ann, 20, 8)
    await prefers(harness, harness.bea, 8, 20)
    await harness.challenge(opponent=harness.bea)
    await later(harness, 2 * DAY)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (0, 1)
    await later(harness, 9 * HOUR)
    (line,) = [one for one in harness.ann.read_messages("games") if "expired" in said(one)]
    assert {one["id"] for one in line["mentions"]} == {harness.ann.id, harness.bea.id} and line["flags"] & SILENT
    await later(harness, DAY)
    assert [one for one in harness.ann.read_messages("games") if "expired" in said(one)] == [line], "once"


async def test_a_match_that_ends_by_itself_is_told_in_one_line_whatever_the_quiet_hours(harness: Harness) -> None:
    await prefers(harness, harness.ann, 0, 6)
    played = await late_at_night(harness)
    await later(harness, 9 * HOUR)
    await later(harness, 2 * DAY + 15 * HOUR)
    assert (await played.fresh()).row.state == "finished"
    await later(harness, 9 * HOUR)
    assert [one for one in lines(played) if "over: " in one] == [last_line(played)]


async def test_a_death_before_the_line_is_noted_tells_both_once(harness: Harness) -> None:
    await prefers(harness, harness.ann, 0, 6)
    await prefers(harness, harness.bea, 8, 8)
    await harness.run_due_acts(HOUR)
    await harness.challenge(opponent=harness.bea)
    await later(harness, 2 * DAY)
    await harness.run_due_acts(6 * HOUR)
    harness.kill_at("posted")
    mark = living.set(harness.life)
    sweep = asyncio.create_task(harness.life.client.sweep())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((sweep,))
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)
    await harness.restart()
    await later(harness, 0)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


async def test_a_death_in_the_morning_tells_nobody_twice(harness: Harness) -> None:
    await late_at_night(harness)
    await harness.run_due_acts(9 * HOUR)
    harness.kill_at("told")
    mark = living.set(harness.life)
    sweep = asyncio.create_task(harness.life.client.sweep())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((sweep,))
    await harness.restart()
    await later(harness, 0)
    assert harness.told(harness.bea) == 2


async def test_that_a_place_was_closed_at_night_is_told_in_the_morning_once(harness: Harness) -> None:
    played = await harness.match()
    before = harness.told(harness.ann), harness.told(harness.bea)
    harness.faults.delete_channel("games")
    await asyncio.sleep(2)  # Discord tells of it
    await later(harness, 9 * HOUR - 10)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == before
    await harness.restart()
    await later(harness, 10)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (before[0] + 1, before[1] + 1)
    await later(harness, 2 * DAY)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (before[0] + 1, before[1] + 1), "once"
    assert (await played.fresh()).row.state == "live"


async def test_a_move_at_night_in_a_place_that_is_closed_is_told_at_once(harness: Harness) -> None:
    await harness.match()
    before = harness.told(harness.bea)
    harness.faults.delete_channel("games")
    await asyncio.sleep(2)  # Discord tells of it
    await later(harness, HOUR)
    await harness.ann.command("binary-primes move", channel="general", square="b2")
    await later(harness, 0)
    assert harness.told(harness.bea) == before + 1
    await later(harness, 8 * HOUR)
    assert harness.told(harness.bea) == before + 1
