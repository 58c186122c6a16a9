"""Whoever has left the server stands in no list, the ranks are closed, and everything is back when they are."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from bot.features.daily import words as daily_words
from bot.features.daily.handlers import SoloBoard
from bot.features.daily.service import YesterdayResults
from bot.features.leagues.loop import exclude_departed
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
from tests.e2e.house import House, alt, labels, said
from tests.e2e.test_daily import puzzle, wrong
from tests.e2e.test_daily_channel import DAY, guild, posts, solved
from tests.e2e.test_leagues import begun, league, lost, message, opened
from tests.e2e.test_several_seats import GRID, POOR, done, table, text_of
from tests.e2e.test_week import EIGHT, MONDAY, at, won


@pytest.fixture(autouse=True)
async def hasty(house: House) -> None:
    """Nobody is asked to slow down: what is played here in a second takes people a day."""
    house.life.client.gate.acts.buckets.clear()


def an_hour_goes_by(house: House) -> None:
    """Let what the bot heard of people be old."""
    members = house.life.client.publisher.members
    clock = members.clock
    members.clock = lambda: clock() + REMEMBERED_FOR


def leaves(house: House, *names: str) -> None:
    """People leave, an hour ago: until then nobody asks whether those are still there who have just acted."""
    for name in names:
        house.faults.leave(name)
    an_hour_goes_by(house)


def comes_back(house: House, *names: str) -> None:
    """People are back, and an hour has gone by since somebody asked."""
    for name in names:
        house.faults.join(name)
    an_hour_goes_by(house)


async def told(asker: Person, command: str, /, **options: Any) -> str:
    """What a command answers, without the marks around names."""
    reply: BotReply = await asker.command(command, channel="general", **options)
    assert reply.is_ephemeral
    return strip_isolates(reply.text)


def places(text: str) -> list[tuple[str, str]]:
    """The places of a leaderboard, and whose they are."""
    return re.findall(r"^\*\*(\w+)\*\* (\w+) ·", text, re.MULTILINE)


def more(text: str) -> list[str]:
    """How many more a list says that there are."""
    return re.findall(r"([0-9]+) more\.", text)


async def crowd(house: House) -> list[Person]:
    """Ten people whom the bot has not met since it started, each with a rated match."""
    names = [f"Guest{number}" for number in range(10)]
    for name in names:
        house.sandbox.world.find_or_make_user(name)
        house.faults.join(name)
    people = [house.sandbox.person(name) for name in names]
    for one, other in zip(people[::2], people[1::2], strict=True):
        await won(house, one, other, 1)
    await house.restart()
    return people


async def test_the_leaderboard_leaves_out_who_has_left_and_closes_the_ranks(house: House) -> None:
    await won(house, house.ann, house.bea)
    await won(house, house.bea, house.cem)
    before = await told(house.dora, "leaderboard")
    assert places(before) == [("1st", "Ann"), ("2nd", "Bea"), ("3rd", "Cem")]
    of_game = await told(house.dora, "leaderboard", game="binary-primes")
    season = await told(house.dora, "leaderboard", season="this season")
    leaves(house, "Ann")
    after = await told(house.dora, "leaderboard")
    assert places(after) == [("1st", "Bea"), ("2nd", "Cem")] and "Ann" not in after and not more(after)
    for options in ({"game": "binary-primes"}, {"season": "this season"}):
        assert places(await told(house.dora, "leaderboard", **options)) == [("1st", "Bea"), ("2nd", "Cem")]
    house.life.client.gate.acts.buckets.clear()
    profile = await told(house.dora, "profile", person=house.bea)
    assert "**All games** · 1st · rating" in profile and "**Binary Primes** · 1st · rating" in profile
    assert "**All games** · 2nd · rating" in await told(house.cem, "profile")
    shown = await house.dora.press(await house.dora.command("leaderboard", channel="general"), "Show everybody")
    assert strip_isolates(shown.text) == after

    house.faults.join("Ann")
    house.life.client.gate.acts.buckets.clear()
    await house.ann.command("help", channel="general")
    assert await told(house.dora, "leaderboard") == before, "she acts again, and everything is there"
    assert await told(house.dora, "leaderboard", game="binary-primes") == of_game
    assert await told(house.dora, "leaderboard", season="this season") == season
    assert "**All games** · 2nd · rating" in await told(house.dora, "profile", person=house.bea)


@pytest.mark.long
async def test_those_without_a_place_are_counted_without_who_has_left(house: House) -> None:
    await crowd(house)
    before = await told(house.dora, "leaderboard")
    assert "No place yet: " in before and "Guest7 (1 match)" in before
    leaves(house, "Guest3", "Guest7")
    await won(house, house.ann, house.bea, 1)
    after = await told(house.dora, "leaderboard")
    assert "Guest3" not in after and "Guest7" not in after and "Guest9" in after and not more(after)
    comes_back(house, "Guest3", "Guest7")
    assert more(await told(house.dora, "leaderboard")) == ["2"]


async def test_a_leaderboard_of_ten_unknown_people_costs_one_question(house: House) -> None:
    await crowd(house)
    asked = house.sandbox.gateway.asked_members
    before, begun = len(asked), loop_time()
    text = await told(house.dora, "leaderboard")
    assert [len(one.people) for one in asked[before:]] == [10] and "<@" not in text
    assert loop_time() - begun < REPLY / 2
    assert await told(house.dora, "leaderboard") == text and len(asked) == before + 1
    leaves(house, "Guest0")
    assert "Guest0" not in await told(house.dora, "leaderboard")
    assert len(asked) == before + 2, "who has left, and what the others are called, is one question"


@pytest.mark.long
async def test_without_an_answer_everybody_stays_in_the_list_after_a_second(house: House) -> None:
    house.is_unnamed = True
    people = await crowd(house)
    for one in people[:2]:
        house.faults.leave(one.name)
    house.faults.ignore_member_requests()
    begun = loop_time()
    text = await told(house.dora, "leaderboard")
    assert loop_time() - begun == pytest.approx(REPLY, abs=0.2)
    assert all(one.mention in text for one in people)
    house.faults.delay_members(0.0)
    await asyncio.sleep(10)
    text = await told(house.dora, "leaderboard")
    assert "<@" not in text and "Guest0" not in text and "who left" not in text and "Guest2" in text


async def test_the_profile_of_somebody_who_left_is_refused_with_their_name(house: House) -> None:
    await won(house, house.ann, house.bea, 1)
    page = await house.cem.command("profile", channel="general", person=house.bea)
    leaves(house, "Bea")
    for reply in (
        await house.ann.command("profile", channel="general", person=house.bea),
        await house.cem.press(page, "Show everybody"),
    ):
        assert (reply.is_ephemeral, strip_isolates(reply.text)) == (True, "Bea has left this server.")
    await house.restart()
    reply = await house.ann.command("profile", channel="general", person=house.bea)
    assert (reply.is_ephemeral, strip_isolates(reply.text)) == (True, "Bea has left this server."), (
        "the option says who"
    )
    house.faults.join("Bea")
    profile = await told(house.ann, "profile", person=house.bea)
    assert profile.startswith("### Bea\n") and "Ann against Bea" in profile, "Discord says that she is there"


async def test_the_best_alone_are_those_who_are_here(house: House) -> None:
    for person, grid in ((house.ann, GRID), (house.bea, POOR)):
        played = await table(house, "sums-grid", person, seats=1)
        await person.command("sums-grid submit", channel=played.place, grid=grid)
        await done(person, played)
        await house.settled()
    before = await told(house.dora, "records", game="sums-grid")
    assert before.splitlines()[2:] == ["1. **19** · Ann", before.splitlines()[3]] and before.endswith(" · Bea")
    leaves(house, "Ann")
    after = await told(house.dora, "records", game="sums-grid")
    assert after.splitlines()[2:] == [before.splitlines()[3].replace("2. ", "1. ")]
    leaves(house, "Bea")
    reply = await house.dora.command("records", channel="general", game="sums-grid")
    assert "Nobody has finished Sums Grid alone yet." in reply.text and labels(reply.message) == []
    comes_back(house, "Ann", "Bea")
    assert await told(house.dora, "records", game="sums-grid") == before


async def test_a_league_lists_who_is_here_and_keeps_all_results(house: House) -> None:
    shown = await opened(house)
    assert "**4 people have joined:** Ann, Bea, Cem and Dora" in strip_isolates(said(shown))
    leaves(house, "Cem")
    assert "**3 people have joined:** Ann, Bea and Dora\n" in await told(house.dora, "league table")
    comes_back(house, "Cem")
    await house.ann.press(await message(house), "Start now")
    await house.settled()
    await asyncio.sleep(20)
    assert len((await league(house)).pairings) == 6, "he is in the draw"


@pytest.mark.long
async def test_the_table_of_a_league_closes_its_ranks(house: House) -> None:
    await begun(house)
    for loser, winner in ((house.bea, house.ann), (house.cem, house.ann), (house.dora, house.ann)):
        await lost(house, loser, winner)
    await lost(house, house.cem, house.bea)
    before = strip_isolates(said(await message(house)))
    assert "**1** Ann · 3 of 3\n**2** Bea · 1 of 2" in before
    leaves(house, "Ann")
    await lost(house, house.dora, house.bea)
    after = strip_isolates(said(await message(house)))
    assert "**1** Bea · 2 of 3\n" in after and "**3** " in after and "**4** " not in after and "Ann" not in after
    assert "5 of 6 matches are over." in after and "who left" not in after, "her results count for the others"
    assert alt(await message(house)) == (
        "The crosstable of division 1. Number 1 has 2 points. Number 2 has 0 points. Number 3 has 0 points."
    )
    assert await told(house.dora, "league table") == after
    comes_back(house, "Ann")
    assert "**1** Ann · 3 of 3\n**2** Bea · 2 of 3" in await told(house.dora, "league table")
    leaves(house, "Ann")
    await lost(house, house.dora, house.cem)
    ended = strip_isolates(said(house.bea.read_latest_message("games")))
    assert ended.startswith("🏆 Ann wins season 1 of the Binary Primes league with 3 points from 3 matches.")
    standing = strip_isolates(said(await message(house)))
    assert "Ann" not in standing and "It's over: [who won](" in standing, "that is told for good"


async def test_the_week_and_the_day_name_who_is_here(house: House) -> None:
    place = ChannelId(int(house.sandbox.channel("general")["id"]))
    settings = ServerSettings(week=place, daily=place)
    await at(house, EIGHT - 2 * DAY)
    await house.store.do(Transaction.set_settings, guild(house), settings)
    await asyncio.sleep(31)
    await house.life.client.post_puzzle_and_week()
    await won(house, house.ann, house.bea, 3)
    await won(house, house.bea, house.cem, 2)
    for person, tries in ((house.ann, 1), (house.bea, 2), (house.cem, 2)):
        await solved(house, person, MONDAY - 2, *[wrong(puzzle(MONDAY - 2))] * (tries - 1), puzzle(MONDAY - 2).best)
        await solved(house, person, MONDAY - 1, *[wrong(puzzle(MONDAY - 1))] * (tries - 1), puzzle(MONDAY - 1).best)
    leaves(house, "Ann")
    asked = house.sandbox.gateway.asked_members
    before = len(asked)
    await at(house, EIGHT)
    await asyncio.sleep(31)
    await house.life.client.post_puzzle_and_week()
    week = next(
        strip_isolates(said(one)) for one in house.sandbox.world.messages[str(place)].values() if "### The" in said(one)
    )
    assert "5 matches were finished." in week and "**Winning streak:** Bea won 2 rated matches in a row." in week
    assert "**Daily puzzle:** Bea and Cem each solved 2 puzzles in 4 tries." in week
    day = strip_isolates(said(posts(house)[-1]))
    assert "Solved by Bea (2/3) and Cem (2/3)." in day and "Ann" not in day
    assert "🔥 This server has solved it 2 days in a row." in day
    assert len(asked) - before == 1, "day and week ask at once, and once"


async def test_a_post_waits_five_seconds_and_then_names_everybody(house: House) -> None:
    place = ChannelId(int(house.sandbox.channel("general")["id"]))
    await at(house, EIGHT - 2 * DAY)
    await house.store.do(Transaction.set_settings, guild(house), ServerSettings(week=place))
    for person in (house.ann, house.bea):
        await solved(house, person, MONDAY - 1, puzzle(MONDAY - 1).best)
    house.is_unnamed = True
    house.faults.leave("Ann")
    house.faults.ignore_member_requests()
    await at(house, EIGHT)
    await asyncio.sleep(31)
    begun_at = loop_time()
    await house.life.client.post_puzzle_and_week()
    assert loop_time() - begun_at == pytest.approx(POST, abs=0.5), "once, for who has left and for their names"
    (week,) = [said(one) for one in house.sandbox.world.messages[str(place)].values() if "### The" in said(one)]
    assert f"**Daily puzzle:** {house.ann.mention} and {house.bea.mention} each solved 1 puzzle in 1 try." in week


async def test_where_all_who_solved_it_have_left_nobody_is_named(house: House) -> None:
    one, two, yesterday = UserId(7), UserId(8), YesterdayResults(((UserId(7), 1), (UserId(8), 3)), 1)
    found = puzzle(MONDAY)
    assert daily_words.describe_yesterday(MONDAY, found, yesterday, {one}).endswith("\nSolved by <@8> (3/3).")
    assert daily_words.describe_yesterday(MONDAY, found, yesterday, {one, two}).endswith("||")
    assert daily_words.describe_yesterday(MONDAY, found, YesterdayResults((), 0, tried=True)).endswith(
        daily_words.NOBODY
    )
    assert daily_words.describe_yesterday(MONDAY, found, YesterdayResults((), 0)).endswith("||"), "nobody tried"


async def test_the_record_of_a_weekend_is_that_of_somebody_who_is_here(house: House) -> None:
    best, next_best = (BestResult(UserId(user), score, MatchId(user)) for user, score in ((7, 50), (8, 40)))
    key, options = puzzles.choose_board(1)
    alone = SoloBoard(load_games()[key], options, (best, next_best))
    left = [(), (best.user,), (best.user, next_best.user)]
    assert [alone.describe(gone)[0].splitlines()[1] for gone in left] == [
        "The record to beat: 50, by <@7>.", "The record to beat: 40, by <@8>.", daily_words.NO_RECORD,
    ]  # fmt: skip
    assert SoloBoard(None, options).describe(()) == ()


async def test_a_match_calls_them_by_name_as_long_as_it_is_known(house: House) -> None:
    await won(house, house.ann, house.bea, 1)
    leaves(house, "Bea")
    for name in ("Bea", "a former member"):
        replay = await house.ann.command("match replay", channel="general", match=1)
        assert f"🟧\xa0{name[0].upper()}{name[1:]} · rows" in strip_isolates(replay.text) and "<@" not in replay.text
        kept = await house.ann.command("match record", channel="general", match=1)
        assert "b2" in text_of(house, kept) and "Bea" not in text_of(house, kept), "a record has seats and no names"
        await house.restart()
    assert "a former member" in strip_isolates(await told(house.ann, "matches", which="finished"))


async def test_the_week_closes_the_ranks_of_a_league_but_keeps_its_winner(house: House) -> None:
    loaded = await begun(house)
    await lost(house, house.bea, house.ann)
    await lost(house, house.cem, house.ann)
    await lost(house, house.cem, house.bea)
    loaded = await league(house, 0)
    tables = league_tables.build_tables(loaded)
    (shown,) = exclude_departed(tables, {UserId(int(house.ann.id))})
    assert [(line.user, line.place) for line in shown.lines[:1]] == [(int(house.bea.id), 1)]
    assert ranking_words.describe_league(loaded, tables, load_games(), {UserId(int(house.ann.id))}).startswith(
        f"**Binary Primes league, season 1, after 3 matches:** **1** {house.bea.mention} 1 · **2** {house.cem.mention} "
    )
    assert tables[0].winners == (int(house.ann.id),)
    assert exclude_departed(tables, {one.user for one in loaded.members}) == ()
