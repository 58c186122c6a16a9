"""Somebody leaves the server in the middle of a match: the others are told once, and can go on without them."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.play.clocks import DAY
from bot.play.ids import UserId
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.e2e.harness import Harness, Played, called, labels, said
from tests.e2e.test_leagues import begun, league, lost, message
from tests.e2e.test_several_seats import table

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


async def abandoned(harness: Harness) -> Played:
    """A match in which Bea is to move, and has left the server."""
    played = await harness.match()
    await left(harness, harness.bea)
    return await played.move("b2", harness.ann)


async def test_the_opponent_is_told_once_and_the_gone_person_never(harness: Harness) -> None:
    played = await abandoned(harness)
    assert not [one for one in lines(played)[1:] if harness.bea.mention in one], "nor is a move put to them"
    assert lines(played)[-1] == (
        f"{harness.ann.mention}, {called(harness.bea)} {GONE}. Until they're back, claim the match, name a substitute "
        "or call it off."
    )
    assert harness.told(harness.bea) == 1, "of the challenge alone"
    board = said(played.board)
    assert f"{called(harness.bea)} {GONE}. {called(harness.ann)} can claim the match, name a substitute" in board
    assert labels(played.board) == ["Move", "Rules", "More …", "Claim", "Substitute", "Call off"]
    told = harness.told(harness.ann)
    await harness.ann.command("match board", match=played.id)
    await a_while(harness)
    await harness.later(8 * DAY)
    await a_while(harness)
    played = await played.fresh()
    assert harness.told(harness.bea) == 1, "no reminder either"
    assert harness.told(harness.ann) == told, "that the clock ran out is no news"
    assert "can still move" not in said(played.board) and "Give 3 more days" not in labels(played.board)
    assert labels(played.board).count("Claim") == 1


async def test_the_opponent_claims_the_match(harness: Harness) -> None:
    played = await abandoned(harness)
    asked = await harness.ann.press(played.board, "Claim")
    assert asked.text.startswith(
        f"Claim match {played.id}? {called(harness.bea)} {GONE}. You win, and you can't undo it."
    )
    done = await harness.ann.press(asked.message, "Claim")
    assert "You claimed the match" in done.text
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert f"beat {called(harness.bea)}, who left this server." in said(played.board)
    assert harness.told(harness.bea) == 1


async def test_the_opponent_calls_it_off_alone(harness: Harness) -> None:
    played = await abandoned(harness)
    asked = await harness.ann.press(played.board, "Call off")
    assert "It ends and doesn't count." in asked.text
    await harness.ann.press(asked.message, "Call it off")
    await harness.settled()
    assert (await played.fresh()).row.state == "aborted" and harness.told(harness.bea) == 1


async def test_the_opponent_names_a_substitute(harness: Harness) -> None:
    played = await abandoned(harness)
    asked = await harness.ann.press(played.board, "Substitute")
    assert asked.is_ephemeral and asked.text.startswith(f"Who takes over from {called(harness.bea)}?")
    reply = await harness.ann.press(asked.message, "Choose somebody", [harness.dora.id])
    assert f"It happens as soon as {called(harness.dora)} agrees." in reply.text
    await harness.settled()
    played = await played.fresh()
    assert "Substitute" not in labels(played.board) and "Call off" not in labels(played.board)
    await harness.dora.press(played.board, "Agree: hand over")
    await harness.settled()
    played = await played.fresh()
    assert played.row.players[1].user == int(harness.dora.id)
    assert GONE not in said(played.board) and not {"Claim", "Substitute", "Call off"} & {*labels(played.board)}


@pytest.mark.parametrize("label", ("Claim", "Call off", "Substitute"))
async def test_whoever_is_back_plays_on_and_nothing_can_be_claimed(harness: Harness, label: str) -> None:
    played = await abandoned(harness)
    harness.faults.join("Bea")
    refused = await harness.ann.press(played.board, label)
    assert refused.text == f"{called(harness.bea)} is back in this server. Nothing was changed."
    await harness.settled()
    played = await played.fresh()
    assert GONE not in said(played.board) and "Claim" not in labels(played.board)
    told = harness.told(harness.ann)
    await played.move("a1", harness.bea)
    await harness.settled()
    assert harness.told(harness.ann) == told + 1, "of the move"
    await left(harness, harness.bea)
    await (await played.fresh()).move("c1", harness.ann)
    await harness.settled()
    assert harness.told(harness.ann) == told + 1, "who leaves again and again makes nobody's phone ring"
    assert GONE in said((await played.fresh()).board)


async def test_of_three_matches_somebody_is_told_once(harness: Harness) -> None:
    matches = [await harness.match() for _ in range(3)]
    await left(harness, harness.bea)
    told = harness.told(harness.ann)
    await matches[0].move("b2", harness.ann)
    await a_while(harness)
    assert harness.told(harness.ann) == told + 1
    for one in matches:
        board = (await one.fresh()).board
        assert GONE in said(board) and "Claim" in labels(board)


async def test_a_reminder_that_is_due_finds_out(harness: Harness) -> None:
    played = await (await harness.match()).move("b2", harness.ann)
    told = harness.told(harness.bea)
    await left(harness, harness.bea)
    await harness.later(6 * DAY)
    await a_while(harness)
    played = await played.fresh()
    assert harness.told(harness.bea) == told and lines(played)[-1].startswith(
        f"{harness.ann.mention}, {called(harness.bea)} {GONE}."
    )
    assert "allow direct messages" not in str(harness.sandbox.world.messages)


async def test_three_go_on_without_who_left(harness: Harness) -> None:
    played = await table(harness, "sums-grid", harness.ann, seats=3, size=3)
    for person in (harness.bea, harness.cem):
        await person.press(played.lobby, "Join")
        await harness.settled()
    played = await played.fresh()
    await left(harness, harness.cem)
    await harness.ann.command("match board", match=played.id)
    await a_while(harness)
    played = await played.fresh()
    assert f"{called(harness.cem)} {GONE}. Until they're back, go on without them" in lines(played)[-1]
    assert {"Claim", "Substitute", "Call off"} <= {*labels(played.board)}


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
