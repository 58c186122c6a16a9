"""Hints: about where the best move is, then which it is, for the asker alone; and how many were used, at the end."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bot.play.hints import RATED
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.e2e.harness import Harness, Played, called, labels, said

WHICH = "Which move?"


async def played(harness: Harness) -> Played:
    """A match that is not rated, in which Ann is to move."""
    return await harness.match(rated=False)


async def used(harness: Harness, match: Played) -> list[int]:
    return [player.hints for player in (await harness.row(match.id)).players]


async def hint(harness: Harness, reply: BotReply) -> str:
    """What a hint says, when it is found."""
    await harness.life.idle()
    return said(reply.message)


async def test_where_comes_first_then_which_and_each_is_counted_once(harness: Harness) -> None:
    match = await played(harness)
    assert "Hint" in labels(match.board)
    before = harness.bea.read_latest_message(match.place)
    first = await harness.ann.command("match hint", channel=match.place)
    where = await hint(harness, first)
    assert first.is_ephemeral and "💡 Look at " in where and "I would play" not in where
    assert "1 hint used." in where and labels(first.message) == [WHICH]
    await harness.restart()
    second = await harness.ann.press(first, WHICH)
    which = await hint(harness, second)
    assert "I would play **" in which and where.splitlines()[0] in which and labels(first.message) == []
    assert await used(harness, match) == [2, 0]
    third = await harness.ann.command("match hint", channel=match.place)
    assert await hint(harness, third) == which and await used(harness, match) == [2, 0]
    assert harness.bea.read_latest_message(match.place) == before, "others learn of it"
    record = await harness.ann.command("match record", channel=match.place)
    assert f"{called(harness.ann)} used 2 hints." in record.text
    assert "hint" not in (await harness.bea.command("match record", channel=match.place)).text
    match = await match.move("b2")
    stale = await harness.forge(harness.ann, first.message, f"m:{match.id}:0s:which")
    assert stale.text.startswith("You get hints on your own turn")
    await harness.surely(harness.bea, "match resign", channel=match.place)
    await harness.settled()
    over = await match.fresh()
    assert f"{called(harness.ann)} used 2 hints." in said(over.board)
    assert (
        f"{called(harness.ann)} used 2 hints." in (await harness.cem.command("match record", channel=match.place)).text
    )
    await harness.sound()


async def test_hint_pressed_again_gives_the_next_hint(harness: Harness) -> None:
    match = await played(harness)
    where = await hint(harness, await harness.ann.press(match.board, "Hint"))
    await harness.restart()
    again = await harness.ann.press(match.board, "Hint")
    which = await hint(harness, again)
    assert "I would play **" in which and where.splitlines()[0] in which and labels(again.message) == []
    assert await used(harness, match) == [2, 0]
    assert await hint(harness, await harness.ann.press(match.board, "Hint")) == which, "there is no third"
    assert await used(harness, match) == [2, 0]
    match = await (await match.move("b2")).move("a1")
    anew = await harness.ann.command("match hint", channel=match.place)
    assert "I would play" not in await hint(harness, anew) and await used(harness, match) == [3, 0]


async def test_there_are_none_in_rated_matches_for_others_and_out_of_turn(harness: Harness) -> None:
    rated = await harness.match()
    assert "Hint" not in labels(rated.board)
    assert (await harness.ann.command("match hint", channel=rated.place)).text == RATED
    forged = await harness.forge(harness.ann, rated.board, f"m:{rated.id}:0:hint")
    assert forged.text == RATED
    match = await played(harness)
    out = await harness.bea.press(match.board, "Hint")
    assert out.text == f"You get hints on your own turn. It's {called(harness.ann)}'s."
    stranger = await harness.cem.press(match.board, "Hint")
    assert stranger.text.startswith("You aren't in this match")
    assert await used(harness, match) == await used(harness, rated) == [0, 0]
    first = await harness.ann.press(match.board, "Hint")
    await harness.life.idle()
    match = await (await match.move("b2")).move("a1")
    late = await harness.ann.press(first, WHICH)
    assert late.text.startswith("The match moved on after that hint") and await used(harness, match) == [1, 0]


async def test_who_asks_twice_at_once_waits_for_one(harness: Harness) -> None:
    match = await played(harness)
    release, think = asyncio.Event(), harness.life.client.engine_pool.think

    async def slowly(*question: object) -> object:
        await release.wait()
        return await think(*question)  # pyright: ignore[reportArgumentType]

    harness.life.client.engine_pool.think = slowly  # pyright: ignore[reportAttributeAccessIssue]
    first = await harness.ann.press(match.board, "Hint")
    second = await harness.ann.press(match.board, "Hint")
    assert first.kind == "deferred" and second.text == "Your hint is on its way."
    assert await used(harness, match) == [0, 0], "nothing is counted before it is found"
    release.set()
    assert "💡 Look at " in await hint(harness, first) and await used(harness, match) == [1, 0]


@pytest.mark.long
@pytest.mark.parametrize("times", [1, 2])
async def test_who_was_killed_before_it_was_shown_pays_once(harness: Harness, times: int) -> None:
    match = await played(harness)
    for _ in range(times):
        harness.kill_at("hinted")
        asking = asyncio.create_task(harness.ann.press(match.board, "Hint"))
        await asyncio.wait_for(harness.killed.wait(), 40)
        await harness.restart()
        asking.cancel()
        assert await used(harness, match) == [1, 0]
    reply = await harness.ann.press(match.board, "Hint")
    assert "1 hint used." in await hint(harness, reply) and await used(harness, match) == [1, 0]


async def test_it_is_delivered_twice_and_counted_once(harness: Harness) -> None:
    match = await played(harness)
    harness.faults.deliver_twice()
    reply = await harness.ann.press(match.board, "Hint")
    assert "1 hint used." in await hint(harness, reply) and await used(harness, match) == [1, 0]


async def test_it_is_delivered_again_after_it_was_shown_and_is_no_second_press(harness: Harness) -> None:
    match = await played(harness)
    desk, sent = harness.sandbox.interactions, list[Any]()
    deliver = desk.send

    def kept(payload: Any) -> None:
        sent.append(payload)
        deliver(payload)

    desk.send = kept
    reply = await harness.ann.press(match.board, "Hint")
    first = await hint(harness, reply)
    deliver(sent[0])
    await asyncio.sleep(5)
    await harness.life.idle()
    assert said(reply.message) == first and await used(harness, match) == [1, 0]


async def test_what_is_kept_of_somebody_says_how_many_hints_they_used(harness: Harness) -> None:
    match = await played(harness)
    await hint(harness, await harness.ann.press(match.board, "Hint"))
    export = await harness.ann.command("privacy export")
    (file,) = export.message["attachments"]
    (kept,) = json.loads(people.bytes_of(harness.sandbox.world, file))["matches"]
    assert kept["hints"] == 1
