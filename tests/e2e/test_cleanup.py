"""Edits that a new board makes necessary wait in an outbox, and are retried with backoff."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.features.board import lobbies
from bot.platform.jobs import Backoff
from bot.play.ids import MatchId
from bot.play.rows import PendingEdit
from data.store import Reader
from tests.e2e.harness import FOR_EVER, MESSAGE, Harness, labels
from tests.support.sampled import sampled

AT_ONCE = 1
"""How often an edit fails until the outbox holds it: once, when the new board is posted."""


async def left(harness: Harness) -> list[PendingEdit]:
    """What is still to be edited."""
    return list(await harness.store.ask(Reader.find_pending_edits, FOR_EVER, 100))


async def test_pauses_grow_and_a_restart_forgets_nothing(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, backoff=Backoff(100, 3600)))
    played = await harness.match()
    harness.faults.fail_requests("PATCH", MESSAGE, 503, times=AT_ONCE + 3)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    for tries in (1, 2, 3):
        (waiting,) = await left(harness)
        pause = 100 * 2 ** (tries - 1)
        assert (waiting.message, waiting.plies, waiting.tries) == (played.row.board_message, 0, tries)
        assert waiting.due - harness.clock() == pytest.approx(pause, abs=30)
        # What is not due yet is not tried.
        asked = len(harness.sandbox.requests_of("PATCH", MESSAGE))
        await harness.life.client.publisher.retry_failed()
        await harness.life.idle()
        assert len(harness.sandbox.requests_of("PATCH", MESSAGE)) == asked
        await harness.run_due_acts(pause + 30)
        await (harness.restart() if tries == 3 else harness.life.client.publisher.retry_failed())
        await harness.life.idle()
    await harness.settled()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]


@pytest.mark.long
async def test_a_message_is_edited_once_by_two_who_look_at_the_same_time(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them hears from the store only after the other has begun."""
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, backoff=Backoff(100, 3600)))
    played = await harness.match()
    harness.faults.fail_requests("PATCH", MESSAGE, 503, times=AT_ONCE + 1)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    harness.clock.ahead = 130
    work = harness.life.client.publisher.cleanup
    ask, answered, going = work.store.ask, asyncio.Event(), asyncio.Event()

    async def late(*given: Any) -> Any:
        found = await ask(*given)
        answered.set()
        await going.wait()
        return found

    monkeypatch.setattr(work.store, "ask", late)
    second = asyncio.create_task(work.clean_match(MatchId(1)))
    await answered.wait()
    monkeypatch.setattr(work.store, "ask", ask)
    asked = len(harness.sandbox.requests_of("PATCH", MESSAGE))
    third = asyncio.create_task(work.clean_match(MatchId(1)))
    await asyncio.sleep(0.02)
    going.set()
    await asyncio.gather(second, third)
    assert len(harness.sandbox.requests_of("PATCH", MESSAGE)) == asked + 1


@sampled("way", ["message", "thread", "another bot's"])
async def test_what_is_gone_is_let_go(harness: Harness, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, backoff=Backoff(100, 3600)))
    played = await harness.match()
    harness.faults.fail_requests("PATCH", MESSAGE, 503, times=AT_ONCE + 1)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    assert len(await left(harness)) == 1
    if way == "message":
        harness.faults.delete_message(played.boards[0])
    elif way == "thread":
        harness.faults.delete_channel(played.place)
    else:
        harness.faults.fail_requests("PATCH", MESSAGE, 403)
        harness.faults.pending[-1].code = 50005
    harness.clock.ahead = 130
    await harness.life.client.publisher.retry_failed()
    await harness.life.idle()
    assert await left(harness) == []


@pytest.mark.long
async def test_what_nobody_can_edit_is_let_go_in_the_end(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, most=3))
    harness.forgiven.append("is given up")
    played = await harness.match()
    harness.faults.fail_requests("PATCH", MESSAGE, 403, times=AT_ONCE + 3)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    for _ in range(3):
        await harness.life.idle()
        harness.clock.ahead += 60
        await harness.life.client.publisher.retry_failed()
    await harness.life.idle()
    assert await left(harness) == []
    # A person who presses it has it closed all the same.
    refused = await harness.ann.press(played.boards[0], "Move")
    assert "The match moved on" in refused.text
    await harness.settled()
    assert [labels(board) for board in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]
