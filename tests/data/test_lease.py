"""The lease in the store, on both kinds of database: one leads, and another takes over when it dies or stops."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator

import pytest

from bot.host.machine import process_name, wall_time
from bot.platform.machine import Machine
from bot.platform.metrics import Metrics
from bot.platform.processes import FREE, HOLD, LEADER, TERM, Presence
from data.store import Reader, Store, Transaction


class Seconds:
    """A steady clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def leases(either: str) -> AsyncGenerator[tuple[Seconds, list[Presence]]]:
    """Four processes that could lead, each with a store of its own, and their clock."""
    clock, stores = Seconds(), [Store(either) for _ in range(4)]
    yield (
        clock,
        [Presence(store, lambda: True, Metrics(), Machine(wall_time, clock, process_name(), 1)) for store in stores],
    )
    for store in stores:
        await store.close()


def leading(leases: list[Presence]) -> list[str]:
    return [lease.holder for lease in leases if lease.leads]


async def test_of_four_that_start_together_one_leads(leases: tuple[Seconds, list[Presence]]) -> None:
    clock, four = leases
    for _ in range(3):
        await asyncio.gather(*(lease.beat() for lease in four))
        assert len(leading(four)) == 1
        clock.now += 10


async def test_who_leads_goes_on_leading(leases: tuple[Seconds, list[Presence]]) -> None:
    clock, (first, second, *_) = leases
    for _ in range(20):
        await first.beat()
        await second.beat()
        assert (first.leads, second.leads) == (True, False)
        clock.now += HOLD
    clock.now += 0.5
    assert not first.leads, "its renewal was too long ago"


async def test_a_leader_that_was_killed_is_followed(leases: tuple[Seconds, list[Presence]]) -> None:
    clock, (first, *others) = leases
    await first.beat()
    for lease in others:
        await lease.beat()
    clock.now += TERM - 1
    await asyncio.gather(*(lease.beat() for lease in others))
    assert leading([first, *others]) == []
    clock.now += 1
    await asyncio.gather(*(lease.beat() for lease in others))
    assert len(leading(others)) == 1
    await first.beat()
    assert not first.leads, "it was only slow, and finds another in its place"


async def test_a_leader_that_stops_is_followed_at_once(leases: tuple[Seconds, list[Presence]]) -> None:
    _, (first, second, third, _) = leases
    await first.beat()
    await second.beat()
    await second.leave()
    await third.beat()
    assert first.leads and not third.leads, "nothing but one's own is given up"
    waiting = asyncio.create_task(third.wait_until_leader())
    await first.leave()
    assert not first.leads and await third.store.ask(Reader.read_note, LEADER) == FREE
    await first.beat()
    assert not first.leads, "it has stopped"
    await third.beat()
    assert third.leads
    await waiting


async def test_a_row_written_by_another_meanwhile_is_left(leases: tuple[Seconds, list[Presence]]) -> None:
    clock, (first, second, *_) = leases
    await first.beat()
    await second.beat()
    clock.now += TERM
    await second.store.do(Transaction.set_note, LEADER, "somebody else 9")
    await second.beat()
    await first.beat()
    assert not first.leads and not second.leads


async def test_the_log_says_who_leads(leases: tuple[Seconds, list[Presence]], caplog: pytest.LogCaptureFixture) -> None:
    _, (first, second, *_) = leases
    with caplog.at_level("INFO", "bot.platform.processes"):
        for lease in (first, second, first, second):
            await lease.beat()
    name = f"process {os.getpid()} on "
    assert [line.partition(name)[0] for line in caplog.messages if name in line] == [
        "This process leads: ",
        "Another process leads: ",
    ], "each says it once"
