"""Hints: about where the best move is, then which it is, for the asker alone; and how many were used, at the end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bot.play.hints import RATED
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.e2e.house import House, Played, called, labels, said

WHICH = "Which move?"


async def played(house: House) -> Played:
    """A match that is not rated, in which Ann is to move."""
    return await house.match(rated=False)


async def used(house: House, match: Played) -> list[int]:
    return [player.hints for player in (await house.row(match.id)).players]


async def hint(house: House, reply: BotReply) -> str:
    """What a hint says, when it is found."""
    await house.life.idle()
    return said(reply.message)


async def test_where_comes_first_then_which_and_each_is_counted_once(house: House) -> None:
    match = await played(house)
    assert "Hint" in labels(match.board)
    before = house.bea.read_latest_message(match.place)
    first = await house.ann.command("match hint", channel=match.place)
    where = await hint(house, first)
    assert first.is_ephemeral and "💡 Look at " in where and "I would play" not in where
    assert "You have used 1 hint here" in where and labels(first.message) == [WHICH]
    await house.restart()
    second = await house.ann.press(first, WHICH)
    which = await hint(house, second)
    assert "I would play **" in which and where.splitlines()[0] in which and labels(first.message) == []
    assert await used(house, match) == [2, 0]
    third = await house.ann.command("match hint", channel=match.place)
    assert await hint(house, third) == which and await used(house, match) == [2, 0]
    assert house.bea.read_latest_message(match.place) == before, "others learn of it"
    record = await house.ann.command("match record", channel=match.place)
    assert f"{called(house.ann)} used 2 hints." in record.text
    assert "hint" not in (await house.bea.command("match record", channel=match.place)).text
    match = await match.move("b2")
    stale = await house.forge(house.ann, first.message, f"m:{match.id}:0s:which")
    assert stale.text.startswith("You get hints on your own turn")
    await house.surely(house.bea, "match resign", channel=match.place)
    await house.settled()
    over = await match.fresh()
    assert f"{called(house.ann)} used 2 hints." in said(over.board)
    assert f"{called(house.ann)} used 2 hints." in (await house.cem.command("match record", channel=match.place)).text
    await house.sound()


async def test_hint_pressed_again_gives_the_next_hint(house: House) -> None:
    match = await played(house)
    where = await hint(house, await house.ann.press(match.board, "Hint"))
    await house.restart()
    again = await house.ann.press(match.board, "Hint")
    which = await hint(house, again)
    assert "I would play **" in which and where.splitlines()[0] in which and labels(again.message) == []
    assert await used(house, match) == [2, 0]
    assert await hint(house, await house.ann.press(match.board, "Hint")) == which, "there is no third"
    assert await used(house, match) == [2, 0]
    match = await (await match.move("b2")).move("a1")
    anew = await house.ann.command("match hint", channel=match.place)
    assert "I would play" not in await hint(house, anew) and await used(house, match) == [3, 0]


async def test_there_are_none_in_rated_matches_for_others_and_out_of_turn(house: House) -> None:
    rated = await house.match()
    assert "Hint" not in labels(rated.board)
    assert (await house.ann.command("match hint", channel=rated.place)).text == RATED
    forged = await house.forge(house.ann, rated.board, f"m:{rated.id}:0:hint")
    assert forged.text == RATED
    match = await played(house)
    out = await house.bea.press(match.board, "Hint")
    assert out.text == f"You get hints on your own turn. {called(house.ann)} is to move."
    stranger = await house.cem.press(match.board, "Hint")
    assert stranger.text.startswith("You aren't in this match")
    assert await used(house, match) == await used(house, rated) == [0, 0]
    first = await house.ann.press(match.board, "Hint")
    await house.life.idle()
    match = await (await match.move("b2")).move("a1")
    late = await house.ann.press(first, WHICH)
    assert late.text.startswith("The match moved on after that hint") and await used(house, match) == [1, 0]


async def test_who_asks_twice_at_once_waits_for_one(house: House) -> None:
    match = await played(house)
    release, think = asyncio.Event(), house.life.client.engine_pool.think

    async def slowly(*question: object) -> object:
        await release.wait()
        return await think(*question)  # pyright: ignore[reportArgumentType]

    house.life.client.engine_pool.think = slowly  # pyright: ignore[reportAttributeAccessIssue]
    first = await house.ann.press(match.board, "Hint")
    second = await house.ann.press(match.board, "Hint")
    assert first.kind == "deferred" and second.text == "Your hint is on its way."
    assert await used(house, match) == [0, 0], "nothing is counted before it is found"
    release.set()
    assert "💡 Look at " in await hint(house, first) and await used(house, match) == [1, 0]


@pytest.mark.long
@pytest.mark.parametrize("times", [1, 2])
async def test_who_was_killed_before_it_was_shown_pays_once(house: House, times: int) -> None:
    match = await played(house)
    for _ in range(times):
        house.kill_at("hinted")
        asking = asyncio.create_task(house.ann.press(match.board, "Hint"))
        await asyncio.wait_for(house.killed.wait(), 40)
        await house.restart()
        asking.cancel()
        assert await used(house, match) == [1, 0]
    reply = await house.ann.press(match.board, "Hint")
    assert "You have used 1 hint here" in await hint(house, reply) and await used(house, match) == [1, 0]


async def test_it_is_delivered_twice_and_counted_once(house: House) -> None:
    match = await played(house)
    house.faults.deliver_twice()
    reply = await house.ann.press(match.board, "Hint")
    assert "You have used 1 hint here" in await hint(house, reply) and await used(house, match) == [1, 0]


async def test_it_is_delivered_again_after_it_was_shown_and_is_no_second_press(house: House) -> None:
    match = await played(house)
    desk, sent = house.sandbox.interactions, list[Any]()
    deliver = desk.send

    def kept(payload: Any) -> None:
        sent.append(payload)
        deliver(payload)

    desk.send = kept
    reply = await house.ann.press(match.board, "Hint")
    first = await hint(house, reply)
    deliver(sent[0])
    await asyncio.sleep(5)
    await house.life.idle()
    assert said(reply.message) == first and await used(house, match) == [1, 0]


async def test_what_is_kept_of_somebody_says_how_many_hints_they_used(house: House) -> None:
    match = await played(house)
    await hint(house, await house.ann.press(match.board, "Hint"))
    export = await house.ann.command("privacy export")
    (file,) = export.message["attachments"]
    (kept,) = json.loads(people.bytes_of(house.sandbox.world, file))["matches"]
    assert kept["hints"] == 1
