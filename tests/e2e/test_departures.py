"""Somebody leaves the server in the middle of a match: a death in between, and the leagues in which they play."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.play.ids import UserId
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.e2e.harness import Harness, Played, called, said
from tests.e2e.test_leagues import begun, league, lost, message

GONE = "has left this server"


@pytest.fixture(autouse=True)
async def unhurried(harness: Harness) -> None:
    """Nobody is asked to slow down: what is done here in a second takes people a day."""
    harness.life.client.gate.acts.buckets.clear()


async def a_while(harness: Harness) -> None:
    """So much time goes by that the bot asks anew who is there."""
    await asyncio.sleep(90)
    await harness.settled()


async def left(harness: Harness, *people: Person) -> None:
    """People leave the server, a while after they were last seen."""
    for one in people:
        harness.faults.leave(one.name)
    await a_while(harness)


def lines(played: Played) -> list[str]:
    """What people were told above the boards of a match."""
    return [said(one) for one in played.lines]


async def test_a_death_between_tells_nobody_twice(harness: Harness) -> None:
    played = await harness.match()
    await left(harness, harness.bea)
    harness.kill_at("told")
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    await harness.restart()
    await a_while(harness)
    played = await played.fresh()
    assert sum(GONE in one for one in lines(played)) == 1 and GONE in said(played.board)


async def test_a_league_counts_without_who_left_the_server(harness: Harness) -> None:
    await begun(harness)
    assert "0 of 6 matches are over." in said(await message(harness))
    await left(harness, harness.dora)
    await lost(harness, harness.cem, harness.ann)
    await a_while(harness)
    assert "1 of 3 matches are over." in said(await message(harness))
    theirs = [one for one in (await league(harness)).pairings if one.has(UserId(int(harness.dora.id)))]
    begun_ones = [Played(harness, one.match, await harness.row(one.match)) for one in theirs if one.match]
    assert begun_ones
    for played in begun_ones:
        board = said((await played.fresh()).board)
        assert f"-# {called(harness.dora)} left the league, so it doesn't count this match. It goes on" in board
    harness.faults.join("Dora")
    await harness.dora.command("league table", channel="games")
    await a_while(harness)
    assert "1 of 6 matches are over." in said(await message(harness))
    for played in begun_ones:
        assert "doesn't count" not in said((await played.fresh()).board)


async def test_who_leaves_a_league_is_asked_first_and_the_opponents_boards_say_it(harness: Harness) -> None:
    await begun(harness)
    asked = await harness.dora.command("league leave", channel="games")
    assert asked.text.startswith(
        "Leave the Binary Primes league, season 1? You can't come back, and you can't win any more."
    )
    await harness.dora.press(asked.message, "Leave")
    await harness.settled()
    await asyncio.sleep(10)
    assert "0 of 3 matches are over." in said(await message(harness))
    theirs = [one for one in (await league(harness)).pairings if one.match and one.has(UserId(int(harness.dora.id)))]
    assert theirs
    for one in theirs:
        board = said(Played(harness, one.match or 0, await harness.row(one.match or 0)).board)
        assert f"-# {called(harness.dora)} left the league, so it doesn't count this match. It goes on" in board
