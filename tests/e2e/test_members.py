"""Players who left the server are named as such if a match waits for them, and hold up nobody's move."""

from __future__ import annotations

import asyncio

import pytest

from bot.platform.members import REMEMBERED_FOR
from bot.play.ids import GuildId, UserId
from tests.e2e.harness import Harness, called, said


def an_hour_goes_by(harness: Harness) -> None:
    """Let what the bot heard of people be old."""
    members = harness.life.client.publisher.members
    clock = members.clock
    members.clock = lambda: clock() + REMEMBERED_FOR


async def test_a_player_who_has_left_is_named_as_such(harness: Harness) -> None:
    played = await harness.match()
    left = f"{called(harness.bea)} has left this server"
    harness.faults.leave("Bea")
    asked = len(harness.sandbox.asked_members)
    played = await played.move("b2", harness.ann)
    assert left not in said(played.board), "she was there a moment ago"
    assert len(harness.sandbox.asked_members) == asked

    an_hour_goes_by(harness)
    told, of_it = harness.told(harness.bea), harness.told(harness.ann)
    await harness.ann.command("match board", match=played.id)
    await harness.settled()
    played = await played.fresh()
    assert f"is to move.\n-# {left}. {called(harness.ann)} can claim the match" in said(played.board)
    assert harness.told(harness.bea) == told and harness.told(harness.ann) == of_it + 1, (
        "who waits is told, and nobody else"
    )
    (line,) = (await harness.ann.command("matches")).text.splitlines()[1:]
    assert line.endswith(f" · {left}")
    asked = len(harness.sandbox.asked_members)
    for _ in range(3):
        await harness.ann.command("match board", match=played.id)
        await harness.settled()
    assert len(harness.sandbox.asked_members) == asked, "what Discord said is remembered"

    harness.faults.join("Bea")
    played = await played.move("a1", harness.bea)
    played = await played.move("a2", harness.ann)
    assert left not in said(played.board)


@pytest.mark.long
async def test_a_board_that_tells_somebody_asks_after_them(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.leave("Bea")
    an_hour_goes_by(harness)
    played = await played.move("b2", harness.ann)
    assert f"{called(harness.bea)} has left this server" in said(played.board)
    told = harness.told(harness.ann)
    await harness.restart()
    await harness.ann.command("match board", match=played.id)
    await harness.settled()
    assert f"{called(harness.bea)} has left this server" in said((await played.fresh()).board)
    assert harness.told(harness.ann) == told, "it is known, and not told again"


async def test_asking_holds_up_no_move_and_no_answer_is_no_news(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.leave("Bea")
    an_hour_goes_by(harness)
    harness.is_unnamed = True
    harness.faults.ignore_member_requests()
    played = await played.move("b2", harness.ann)
    assert "has left this server" not in said(played.board), "nobody knows"
    harness.faults.delay_members(2.0)
    await asyncio.sleep(10)
    await harness.ann.command("match board", match=played.id)
    assert "has left this server" not in said(played.board), "nobody waits for that"
    await asyncio.sleep(2)
    await harness.settled()
    assert f"{called(harness.bea)} has left this server" in said(played.board)


@pytest.mark.long
async def test_while_the_server_is_away_nobody_is_asked_after(harness: Harness) -> None:
    played = await harness.match()
    an_hour_goes_by(harness)
    members, users = harness.life.client.publisher.members, [player.user for player in played.row.players]
    asked = len(harness.sandbox.asked_members)
    assert await members.find_departed(GuildId(played.row.guild + 1), users) == frozenset()
    assert len(harness.sandbox.asked_members) == asked
    assert await members.find_departed(played.row.guild, [*users, UserId(-1)]) == frozenset()
    assert len(harness.sandbox.asked_members) == asked + 1
