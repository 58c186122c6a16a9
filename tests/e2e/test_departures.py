"""Somebody leaves the server in the middle of a match: the others are told once, and can go on without them."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bot.play.clocks import DAY
from bot.play.ids import UserId
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.e2e.house import House, Played, called, labels, said
from tests.e2e.test_leagues import begun, league, lost, message
from tests.e2e.test_several_seats import table

GONE = "has left this server"


@pytest.fixture(autouse=True)
async def unhurried(house: House) -> None:
    """Nobody is asked to slow down: what is done here in a second takes people a day."""
    house.life.client.gate.acts.buckets.clear()


async def a_while(house: House) -> None:
    """So much time goes by that the bot asks anew who is there."""
    await asyncio.sleep(90)
    await house.settled()


async def left(house: House, *people: Person) -> None:
    """People leave the server, a while after they were last seen."""
    for one in people:
        house.faults.leave(one.name)
    await a_while(house)


def lines(played: Played) -> list[str]:
    """What people were told above the boards of a match."""
    return [said(one) for one in played.lines]


async def abandoned(house: House) -> Played:
    """A match in which Bea is to move, and has left the server."""
    played = await house.match()
    await left(house, house.bea)
    return await played.move("b2", house.ann)


async def test_the_opponent_is_told_once_and_the_gone_person_never(house: House) -> None:
    played = await abandoned(house)
    assert not [one for one in lines(played)[1:] if house.bea.mention in one], "nor is a move put to them"
    assert lines(played)[-1] == (
        f"{house.ann.mention}, {called(house.bea)} {GONE}. Until they're back, claim the match, name a substitute "
        "or call it off."
    )
    assert house.told(house.bea) == 1, "of the challenge alone"
    board = said(played.board)
    assert (
        f"🟧\xa0{called(house.bea)} {GONE}. 🟦\xa0{called(house.ann)} can claim the match, name a substitute" in board
    )
    assert labels(played.board) == ["Move", "Rules", "More …", "Claim", "Substitute", "Call off"]
    told = house.told(house.ann)
    await house.ann.command("match board", match=played.id)
    await a_while(house)
    await house.later(8 * DAY)
    await a_while(house)
    played = await played.fresh()
    assert house.told(house.bea) == 1, "no reminder either"
    assert house.told(house.ann) == told, "that the clock ran out is no news"
    assert "can still move" not in said(played.board) and "Give 3 more days" not in labels(played.board)
    assert labels(played.board).count("Claim") == 1


async def test_the_opponent_claims_the_match(house: House) -> None:
    played = await abandoned(house)
    asked = await house.ann.press(played.board, "Claim")
    assert asked.text.startswith(
        f"Claim match {played.id}? {called(house.bea)} {GONE}. You win, and you can't undo it."
    )
    done = await house.ann.press(asked.message, "Claim")
    assert "You claimed the match" in done.text
    await house.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert f"beat 🟧\xa0{called(house.bea)}, who left this server." in said(played.board)
    assert house.told(house.bea) == 1


async def test_the_opponent_calls_it_off_alone(house: House) -> None:
    played = await abandoned(house)
    asked = await house.ann.press(played.board, "Call off")
    assert "It ends and doesn't count." in asked.text
    await house.ann.press(asked.message, "Call it off")
    await house.settled()
    assert (await played.fresh()).row.state == "aborted" and house.told(house.bea) == 1


async def test_the_opponent_names_a_substitute(house: House) -> None:
    played = await abandoned(house)
    asked = await house.ann.press(played.board, "Substitute")
    assert asked.is_ephemeral and asked.text.startswith(f"Who takes over from {called(house.bea)}?")
    reply = await house.ann.press(asked.message, "Choose somebody", [house.dora.id])
    assert f"It happens as soon as {called(house.dora)} agrees." in reply.text
    await house.settled()
    played = await played.fresh()
    assert "Substitute" not in labels(played.board) and "Call off" not in labels(played.board)
    await house.dora.press(played.board, "Agree: hand over")
    await house.settled()
    played = await played.fresh()
    assert played.row.players[1].user == int(house.dora.id)
    assert GONE not in said(played.board) and not {"Claim", "Substitute", "Call off"} & {*labels(played.board)}


@pytest.mark.parametrize("label", ("Claim", "Call off", "Substitute"))
async def test_whoever_is_back_plays_on_and_nothing_can_be_claimed(house: House, label: str) -> None:
    played = await abandoned(house)
    house.faults.join("Bea")
    refused = await house.ann.press(played.board, label)
    assert refused.text == f"{called(house.bea)} is back in this server. Nothing was changed."
    await house.settled()
    played = await played.fresh()
    assert GONE not in said(played.board) and "Claim" not in labels(played.board)
    told = house.told(house.ann)
    await played.move("a1", house.bea)
    await house.settled()
    assert house.told(house.ann) == told + 1, "of the move"
    await left(house, house.bea)
    await (await played.fresh()).move("c1", house.ann)
    await house.settled()
    assert house.told(house.ann) == told + 1, "who leaves again and again makes nobody's phone ring"
    assert GONE in said((await played.fresh()).board)


async def test_of_three_matches_somebody_is_told_once(house: House) -> None:
    matches = [await house.match() for _ in range(3)]
    await left(house, house.bea)
    told = house.told(house.ann)
    await matches[0].move("b2", house.ann)
    await a_while(house)
    assert house.told(house.ann) == told + 1
    for one in matches:
        board = (await one.fresh()).board
        assert GONE in said(board) and "Claim" in labels(board)


async def test_a_reminder_that_is_due_finds_out(house: House) -> None:
    played = await (await house.match()).move("b2", house.ann)
    told = house.told(house.bea)
    await left(house, house.bea)
    await house.later(6 * DAY)
    await a_while(house)
    played = await played.fresh()
    assert house.told(house.bea) == told and lines(played)[-1].startswith(
        f"{house.ann.mention}, {called(house.bea)} {GONE}."
    )
    assert "allow direct messages" not in str(house.sandbox.world.messages)


async def test_three_go_on_without_who_left(house: House) -> None:
    played = await table(house, "sums-grid", house.ann, seats=3, size=3)
    for person in (house.bea, house.cem):
        await person.press(played.lobby, "Join")
        await house.settled()
    played = await played.fresh()
    await left(house, house.cem)
    await house.ann.command("match board", match=played.id)
    await a_while(house)
    played = await played.fresh()
    assert f"{called(house.cem)} {GONE}. Until they're back, go on without them" in lines(played)[-1]
    assert {"Claim", "Substitute", "Call off"} <= {*labels(played.board)}


async def test_a_death_between_tells_nobody_twice(house: House) -> None:
    played = await house.match()
    await left(house, house.bea)
    house.kill_at("told")
    with suppress(NoAnswerInTime):
        await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.killed.wait()
    await house.restart()
    await a_while(house)
    played = await played.fresh()
    assert sum(GONE in one for one in lines(played)) == 1 and GONE in said(played.board)


async def test_a_league_counts_without_who_left_the_server(house: House) -> None:
    await begun(house)
    assert "0 of 6 matches are over." in said(await message(house))
    await left(house, house.dora)
    await lost(house, house.cem, house.ann)
    await a_while(house)
    assert "1 of 3 matches are over." in said(await message(house))
    theirs = [one for one in (await league(house)).pairings if one.has(UserId(int(house.dora.id)))]
    begun_ones = [Played(house, one.match, await house.row(one.match)) for one in theirs if one.match]
    assert begun_ones
    for played in begun_ones:
        board = said((await played.fresh()).board)
        assert f"This match no longer counts in its league, which {called(house.dora)} has left." in board
    house.faults.join("Dora")
    await house.dora.command("league table", channel="games")
    await a_while(house)
    assert "1 of 6 matches are over." in said(await message(house))
    for played in begun_ones:
        assert "no longer counts" not in said((await played.fresh()).board)


async def test_who_leaves_a_league_is_asked_first_and_the_opponents_boards_say_it(house: House) -> None:
    await begun(house)
    asked = await house.dora.command("league leave", channel="games")
    assert asked.text.startswith("Leave the Binary Primes league, season 1? You can't come back.")
    await house.dora.press(asked.message, "Leave")
    await house.settled()
    await asyncio.sleep(10)
    assert "0 of 3 matches are over." in said(await message(house))
    theirs = [one for one in (await league(house)).pairings if one.match and one.has(UserId(int(house.dora.id)))]
    assert theirs
    for one in theirs:
        board = said(Played(house, one.match or 0, await house.row(one.match or 0)).board)
        assert f"no longer counts in its league, which {called(house.dora)} has left." in board
