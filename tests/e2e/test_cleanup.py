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
from tests.e2e.house import FOR_EVER, MESSAGE, House, labels
from tests.support.sampled import sampled

AT_ONCE = 1
"""How often an edit fails until the outbox holds it: once, when the new board is posted."""


async def left(house: House) -> list[PendingEdit]:
    """What is still to be edited."""
    return list(await house.store.ask(Reader.find_pending_edits, FOR_EVER, 100))


async def test_pauses_grow_and_a_restart_forgets_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, backoff=Backoff(100, 3600)))
    played = await house.match()
    house.faults.fail_requests("PATCH", MESSAGE, 503, times=AT_ONCE + 3)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.life.idle()
    for tries in (1, 2, 3):
        (waiting,) = await left(house)
        pause = 100 * 2 ** (tries - 1)
        assert (waiting.message, waiting.plies, waiting.tries) == (played.row.board_message, 0, tries)
        assert waiting.due - house.clock() == pytest.approx(pause, abs=30)
        # What is not due yet is not tried.
        asked = len(house.sandbox.requests_of("PATCH", MESSAGE))
        await house.life.client.publisher.retry_failed()
        await house.life.idle()
        assert len(house.sandbox.requests_of("PATCH", MESSAGE)) == asked
        await house.run_due_acts(pause + 30)
        await (house.restart() if tries == 3 else house.life.client.publisher.retry_failed())
        await house.life.idle()
    await house.settled()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]


@pytest.mark.long
async def test_a_message_is_edited_once_by_two_who_look_at_the_same_time(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them hears from the store only after the other has begun."""
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, backoff=Backoff(100, 3600)))
    played = await house.match()
    house.faults.fail_requests("PATCH", MESSAGE, 503, times=AT_ONCE + 1)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.life.idle()
    house.clock.ahead = 130
    work = house.life.client.publisher.cleanup
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
    asked = len(house.sandbox.requests_of("PATCH", MESSAGE))
    third = asyncio.create_task(work.clean_match(MatchId(1)))
    await asyncio.sleep(0.02)
    going.set()
    await asyncio.gather(second, third)
    assert len(house.sandbox.requests_of("PATCH", MESSAGE)) == asked + 1


@sampled("way", ["message", "thread", "another bot's"])
async def test_what_is_gone_is_let_go(house: House, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, backoff=Backoff(100, 3600)))
    played = await house.match()
    house.faults.fail_requests("PATCH", MESSAGE, 503, times=AT_ONCE + 1)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.life.idle()
    assert len(await left(house)) == 1
    if way == "message":
        house.faults.delete_message(played.boards[0])
    elif way == "thread":
        house.faults.delete_channel(played.place)
    else:
        house.faults.fail_requests("PATCH", MESSAGE, 403)
        house.faults.pending[-1].code = 50005
    house.clock.ahead = 130
    await house.life.client.publisher.retry_failed()
    await house.life.idle()
    assert await left(house) == []


@pytest.mark.long
async def test_what_nobody_can_edit_is_let_go_in_the_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "RETRIES", replace(lobbies.RETRIES, most=3))
    house.forgiven.append("is given up")
    played = await house.match()
    house.faults.fail_requests("PATCH", MESSAGE, 403, times=AT_ONCE + 3)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    for _ in range(3):
        await house.life.idle()
        house.clock.ahead += 60
        await house.life.client.publisher.retry_failed()
    await house.life.idle()
    assert await left(house) == []
    # A person who presses it has it closed all the same.
    refused = await house.ann.press(played.boards[0], "Move")
    assert "The match moved on" in refused.text
    await house.settled()
    assert [labels(board) for board in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]
