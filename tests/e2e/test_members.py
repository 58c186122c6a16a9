"""Players who left the server are named as such if a match waits for them, and hold up nobody's move."""

from __future__ import annotations

import asyncio

import pytest

from bot.platform.members import REMEMBERED_FOR
from bot.play.ids import GuildId, UserId
from tests.e2e.house import House, called, said


def an_hour_goes_by(house: House) -> None:
    """Let what the bot heard of people be old."""
    members = house.life.client.publisher.members
    clock = members.clock
    members.clock = lambda: clock() + REMEMBERED_FOR


async def test_a_player_who_has_left_is_named_as_such(house: House) -> None:
    played = await house.match()
    left = f"{called(house.bea)} has left this server"
    house.faults.leave("Bea")
    asked = len(house.sandbox.asked_members)
    played = await played.move("b2", house.ann)
    assert left not in said(played.board), "she was there a moment ago"
    assert len(house.sandbox.asked_members) == asked

    an_hour_goes_by(house)
    told, of_it = house.told(house.bea), house.told(house.ann)
    await house.ann.command("match board", match=played.id)
    await house.settled()
    played = await played.fresh()
    assert f"is to move.\n-# 🟧\xa0{left}. 🟦\xa0{called(house.ann)} can claim the match" in said(played.board)
    assert house.told(house.bea) == told and house.told(house.ann) == of_it + 1, "who waits is told, and nobody else"
    (line,) = (await house.ann.command("matches")).text.splitlines()[1:]
    assert line.endswith(f" · {left}")
    asked = len(house.sandbox.asked_members)
    for _ in range(3):
        await house.ann.command("match board", match=played.id)
        await house.settled()
    assert len(house.sandbox.asked_members) == asked, "what Discord said is remembered"

    house.faults.join("Bea")
    played = await played.move("a1", house.bea)
    played = await played.move("a2", house.ann)
    assert left not in said(played.board)


@pytest.mark.long
async def test_a_board_that_tells_somebody_asks_after_them(house: House) -> None:
    played = await house.match()
    house.faults.leave("Bea")
    an_hour_goes_by(house)
    played = await played.move("b2", house.ann)
    assert f"{called(house.bea)} has left this server" in said(played.board)
    told = house.told(house.ann)
    await house.restart()
    await house.ann.command("match board", match=played.id)
    await house.settled()
    assert f"{called(house.bea)} has left this server" in said((await played.fresh()).board)
    assert house.told(house.ann) == told, "it is known, and not told again"


async def test_asking_holds_up_no_move_and_no_answer_is_no_news(house: House) -> None:
    played = await house.match()
    house.faults.leave("Bea")
    an_hour_goes_by(house)
    house.is_unnamed = True
    house.faults.ignore_member_requests()
    played = await played.move("b2", house.ann)
    assert "has left this server" not in said(played.board), "nobody knows"
    house.faults.delay_members(2.0)
    await asyncio.sleep(10)
    await house.ann.command("match board", match=played.id)
    assert "has left this server" not in said(played.board), "nobody waits for that"
    await asyncio.sleep(2)
    await house.settled()
    assert f"{called(house.bea)} has left this server" in said(played.board)


@pytest.mark.long
async def test_while_the_server_is_away_nobody_is_asked_after(house: House) -> None:
    played = await house.match()
    an_hour_goes_by(house)
    members, users = house.life.client.publisher.members, [player.user for player in played.row.players]
    asked = len(house.sandbox.asked_members)
    assert await members.find_departed(GuildId(played.row.guild + 1), users) == frozenset()
    assert len(house.sandbox.asked_members) == asked
    assert await members.find_departed(played.row.guild, [*users, UserId(-1)]) == frozenset()
    assert len(house.sandbox.asked_members) == asked + 1
