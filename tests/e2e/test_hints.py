"""Hints are counted once, however they are asked for, delivered or cut off; the rest is told in stories."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bot.play.hints import RATED
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.e2e.harness import Harness, Played, said

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


async def test_who_forges_the_button_gets_no_hint(harness: Harness) -> None:
    rated = await harness.match()
    assert (await harness.forge(harness.ann, rated.board, f"m:{rated.id}:0:hint")).text == RATED
    match = await (await played(harness)).move("b2")
    stale = await harness.forge(harness.ann, match.board, f"m:{match.id}:0s:which")
    assert stale.text.startswith("You get hints on your own turn")
    assert await used(harness, match) == await used(harness, rated) == [0, 0]
