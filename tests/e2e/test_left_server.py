"""Whoever has left the server stands in no list, or last in that of a league, the ranks are closed, and everything is
back when they are."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.features.daily import words as daily_words
from bot.features.daily.handlers import SoloBoard
from bot.features.daily.service import YesterdayResults
from bot.features.ranking import words as ranking_words
from bot.games.catalogue import load_games
from bot.platform.edits import POST, REPLY
from bot.platform.machine import loop_time
from bot.platform.members import REMEMBERED_FOR
from bot.platform.names import strip_isolates
from bot.play import league_tables, puzzles
from bot.play.ids import ChannelId, MatchId, UserId
from bot.play.ratings import BestResult
from bot.play.rows import ServerSettings
from bot.sandbox.people import BotReply, Person
from data.store import Transaction
from tests.e2e.harness import Harness, alt, said
from tests.e2e.test_daily import puzzle, wrong
from tests.e2e.test_daily_channel import DAY, guild, posts, solved
from tests.e2e.test_leagues import begun, league, lost, message, opened
from tests.e2e.test_week import EIGHT, MONDAY, at, won


@pytest.fixture(autouse=True)
async def hasty(harness: Harness) -> None:
    """Nobody is asked to slow down: what is played here in a second takes people a day."""
    harness.life.client.gate.acts.buckets.clear()


def an_hour_goes_by(harness: Harness) -> None:
    """Let what the bot heard of people be old."""
    members = harness.life.client.publisher.members
    clock = members.clock
    members.clock = lambda: clock() + REMEMBERED_FOR


def leaves(harness: Harness, *names: str) -> None:
    """People leave, an hour ago: until then nobody asks whether those are still there who have just acted."""
    for name in names:
        harness.faults.leave(name)
    an_hour_goes_by(harness)


def comes_back(harness: Harness, *names: str) -> None:
    """People are back, and an hour has gone by since somebody asked."""
    for name in names:
        harness.faults.join(name)
    an_hour_goes_by(harness)


async def told(asker: Person, command: str, /, **options: Any) -> str:
    """What a command answers, without the marks around names."""
    reply: BotReply = await asker.command(command, channel="general", **options)
    assert reply.is_ephemeral
    return strip_isolates(reply.text)


def more(text: str) -> list[str]:
    """How many more a list says that there are."""
    return re.findall(r"([0-9]+) more\.", text)


async def crowd(harness: Harness) -> list[Person]:
    """Ten people whom the bot has not met since it started, each with a rated match."""
    names = [f"Guest{number}" for number in range(10)]
    for name in names:
        harness.sandbox.world.find_or_make_user(name)
        harness.faults.join(name)
    people = [harness.sandbox.person(name) for name in names]
    for one, other in zip(people[::2], people[1::2], strict=True):
        await won(harness, one, other, 1)
    await harness.restart()
    return people


@pytest.mark.long
async def test_those_without_a_place_are_counted_without_who_has_left(harness: Harness) -> None:
    await crowd(harness)
    before = await told(harness.dora, "leaderboard")
    assert "No place yet: " in before and "Guest7 (1 match)" in before
    leaves(harness, "Guest3", "Guest7")
    await won(harness, harness.ann, harness.bea, 1)
    after = await told(harness.dora, "leaderboard")
    assert "Guest3" not in after and "Guest7" not in after and "Guest9" in after and not more(after)
    comes_back(harness, "Guest3", "Guest7")
    assert more(await told(harness.dora, "leaderboard")) == ["2"]


async def test_a_leaderboard_of_ten_unknown_people_costs_one_question(harness: Harness) -> None:
    await crowd(harness)
    asked = harness.sandbox.gateway.asked_members
    before, begun = len(asked), loop_time()
    text = await told(harness.dora, "leaderboard")
    assert [len(one.people) for one in asked[before:]] == [10] and "<@" not in text
    assert loop_time() - begun < REPLY / 2
    assert await told(harness.dora, "leaderboard") == text and len(asked) == before + 1
    leaves(harness, "Guest0")
    assert "Guest0" not in await told(harness.dora, "leaderboard")
    assert len(asked) == before + 2, "who has left, and what the others are called, is one question"


@pytest.mark.long
async def test_without_an_answer_everybody_stays_in_the_list_after_a_second(harness: Harness) -> None:
    harness.is_unnamed = True
    people = await crowd(harness)
    for one in people[:2]:
        harness.faults.leave(one.name)
    harness.faults.ignore_member_requests()
    begun = loop_time()
    text = await told(harness.dora, "leaderboard")
    assert loop_time() - begun == pytest.approx(REPLY, abs=0.2)
    assert all(one.mention in text for one in people)
    harness.faults.delay_members(0.0)
    await asyncio.sleep(10)
    text = await told(harness.dora, "leaderboard")
    assert "<@" not in text and "Guest0" not in text and "who left" not in text and "Guest2" in text


async def test_a_league_lists_who_is_here_and_keeps_all_results(harness: Harness) -> None:
    shown = await opened(harness)
    assert "**4 people have joined:** Ann, Bea, Cem and Dora" in strip_isolates(said(shown))
    leaves(harness, "Cem")
    assert "**3 people have joined:** Ann, Bea and Dora\n" in await told(harness.dora, "league table")
    comes_back(harness, "Cem")
    await harness.ann.press(await message(harness), "Start now")
    await harness.settled()
    await asyncio.sleep(20)
    assert len((await league(harness)).pairings) == 6, "he is in the draw"


@pytest.mark.long
async def test_the_table_of_a_league_keeps_whoever_left_below_all_others(harness: Harness) -> None:
    await begun(harness)
    for loser, winner in ((harness.bea, harness.ann), (harness.cem, harness.ann), (harness.dora, harness.ann)):
        await lost(harness, loser, winner)
    await lost(harness, harness.cem, harness.bea)
    before = strip_isolates(said(await message(harness)))
    assert "**1** Ann · 3 of 3\n**2** Bea · 1 of 2" in before
    leaves(harness, "Ann")
    await lost(harness, harness.dora, harness.bea)
    after = strip_isolates(said(await message(harness)))
    assert "**1** Bea · 2 of 3\n" in after and "**4** Ann · 3 of 3 · left this server\n" in after
    assert "5 of 6 matches are over." in after, "her results count for the others"
    assert alt(await message(harness)) == (
        "The crosstable of division 1. Number 1 has 2 points. Number 2 has 0 points. Number 3 has 0 points. "
        "Number 4 has 3 points."
    )
    assert await told(harness.dora, "league table") == after
    comes_back(harness, "Ann")
    assert "**1** Ann · 3 of 3\n**2** Bea · 2 of 3" in await told(harness.dora, "league table")
    leaves(harness, "Ann")
    await lost(harness, harness.dora, harness.cem)
    ended = strip_isolates(said(harness.bea.read_latest_message("games")))
    assert ended.startswith("🏆 Bea wins season 1 of the Binary Primes league with 2 points from 3 matches. ")
    assert "Ann had 3 points but left, so can't win." in ended
    standing = strip_isolates(said(await message(harness)))
    assert "Ann · 3 of 3 · left this server" in standing and "It's over: [who won](" in standing


async def test_the_week_and_the_day_name_who_is_here(harness: Harness) -> None:
    place = ChannelId(int(harness.sandbox.channel("general")["id"]))
    settings = ServerSettings(week=place, daily=place)
    await at(harness, EIGHT - 2 * DAY)
    await harness.store.do(Transaction.set_settings, guild(harness), settings)
    await asyncio.sleep(31)
    await harness.life.client.post_puzzle_and_week()
    await won(harness, harness.ann, harness.bea, 3)
    await won(harness, harness.bea, harness.cem, 2)
    for person, tries in ((harness.ann, 1), (harness.bea, 2), (harness.cem, 2)):
        await solved(harness, person, MONDAY - 2, *[wrong(puzzle(MONDAY - 2))] * (tries - 1), puzzle(MONDAY - 2).best)
        await solved(harness, person, MONDAY - 1, *[wrong(puzzle(MONDAY - 1))] * (tries - 1), puzzle(MONDAY - 1).best)
    leaves(harness, "Ann")
    asked = harness.sandbox.gateway.asked_members
    before = len(asked)
    await at(harness, EIGHT)
    await asyncio.sleep(31)
    await harness.life.client.post_puzzle_and_week()
    week = next(
        strip_isolates(said(one))
        for one in harness.sandbox.world.messages[str(place)].values()
        if "### The" in said(one)
    )
    assert "5 matches were finished." in week and "**Winning streak:** Bea won 2 rated matches in a row." in week
    assert "**Daily puzzle:** Bea and Cem each solved 2 puzzles in 4 tries." in week
    day = strip_isolates(said(posts(harness)[-1]))
    assert "Solved by Bea (2/3) and Cem (2/3)." in day and "Ann" not in day
    assert "🔥 This server has solved it 2 days in a row." in day
    assert len(asked) - before == 1, "day and week ask at once, and once"


async def test_a_post_waits_five_seconds_and_then_names_everybody(harness: Harness) -> None:
    place = ChannelId(int(harness.sandbox.channel("general")["id"]))
    await at(harness, EIGHT - 2 * DAY)
    await harness.store.do(Transaction.set_settings, guild(harness), ServerSettings(week=place))
    for person in (harness.ann, harness.bea):
        await solved(harness, person, MONDAY - 1, puzzle(MONDAY - 1).best)
    harness.is_unnamed = True
    harness.faults.leave("Ann")
    harness.faults.ignore_member_requests()
    await at(harness, EIGHT)
    await asyncio.sleep(31)
    begun_at = loop_time()
    await harness.life.client.post_puzzle_and_week()
    assert loop_time() - begun_at == pytest.approx(POST, abs=0.5), "once, for who has left and for their names"
    (week,) = [said(one) for one in harness.sandbox.world.messages[str(place)].values() if "### The" in said(one)]
    both = f"{harness.ann.mention} and {harness.bea.mention}"
    assert f"**Daily puzzle:** {both} each solved one puzzle, at the first try." in week


async def test_where_all_who_solved_it_have_left_nobody_is_named(harness: Harness) -> None:
    one, two, yesterday = UserId(7), UserId(8), YesterdayResults(((UserId(7), 1), (UserId(8), 3)), 1)
    found = puzzle(MONDAY)
    assert daily_words.describe_yesterday(MONDAY, found, yesterday, {one}).endswith("\nSolved by <@8> (3/3).")
    assert daily_words.describe_yesterday(MONDAY, found, yesterday, {one, two}).endswith("||")
    assert daily_words.describe_yesterday(MONDAY, found, YesterdayResults((), 0, tried=True)).endswith(
        daily_words.NOBODY
    )
    assert daily_words.describe_yesterday(MONDAY, found, YesterdayResults((), 0)).endswith("||"), "nobody tried"


async def test_the_record_of_a_weekend_is_that_of_somebody_who_is_here(harness: Harness) -> None:
    best, next_best = (BestResult(UserId(user), score, MatchId(user)) for user, score in ((7, 50), (8, 40)))
    key, options = puzzles.choose_board(1)
    alone = SoloBoard(load_games()[key], options, (best, next_best))
    left = [(), (best.user,), (best.user, next_best.user)]
    assert [alone.describe(gone)[0].splitlines()[1] for gone in left] == [
        "The record to beat: 50, by <@7>.", "The record to beat: 40, by <@8>.", daily_words.NO_RECORD,
    ]  # fmt: skip
    assert SoloBoard(None, options).describe(()) == ()


async def test_the_week_closes_the_ranks_of_a_league(harness: Harness) -> None:
    loaded = await begun(harness)
    await lost(harness, harness.bea, harness.ann)
    await lost(harness, harness.cem, harness.ann)
    await lost(harness, harness.cem, harness.bea)
    loaded = await league(harness, 0)
    tables = league_tables.build_tables(loaded)
    assert ranking_words.describe_league(loaded, tables, load_games(), {UserId(int(harness.ann.id))}).startswith(
        "**Binary Primes league, season 1, after 3 matches:** "
        f"**1st** {harness.bea.mention}, 1 point · **2nd** {harness.cem.mention}, 0 points"
    )
