"""Acts at the same moment, acts broken off anywhere, and a program killed: every act is whole or nothing."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from pathlib import Path
from threading import Event

from bot.play.record import Move
from data.store import Store, Transaction
from tests.data.acts import begun, entered, loaded, only_sqlite, snapshot


async def test_of_many_who_act_on_one_board_one_is_first(store: Store) -> None:
    match = await begun(store)
    row = await loaded(store, match)

    def act(tx: Transaction, number: int) -> bool:
        if not tx.update(match, row.version, plies=1):
            return False
        tx.append(match, 1, 1, f"a{number}", 120)
        return True

    won = await asyncio.gather(*(store.do(act, number) for number in range(20)))
    assert won.count(True) == 1
    assert (await loaded(store, match)).record == (Move(1, f"a{won.index(True)}"),)


@only_sqlite
async def test_many_who_write_at_once_come_in_the_order_in_which_they_came(store: Store) -> None:
    match = await begun(store)
    order: list[int] = []

    def act(tx: Transaction, number: int) -> None:
        tx.append(match, number, 1, "a1", 120)
        order.append(number)

    await asyncio.gather(*(store.do(act, number) for number in range(1, 41)))
    assert order == list(range(1, 41))
    assert len((await loaded(store, match)).record) == 40


async def test_a_write_sees_nothing_change_under_it_and_a_read_sees_one_moment(store: Store) -> None:
    match = await begun(store)
    with snapshot(store) as reader:
        before = reader.load_match(match)
        assert await entered(store, match, "a1", act=1)
        assert reader.load_match(match) == before
    assert (await loaded(store, match)).version == 3


async def test_acts_that_are_cancelled_anywhere_are_whole_or_nothing(store: Store) -> None:
    chance = random.Random(5)
    match = await begun(store)
    for act in range(ACTS):
        row = await loaded(store, match)

        def write(tx: Transaction, act: int = act, version: int = row.version, ply: int = row.plies + 1) -> None:
            assert tx.update(match, version, plies=ply)
            tx.append(match, ply, 1, "a1", 120)
            tx.mark_acted(act, match, 120)

        task = asyncio.create_task(store.do(write))
        if act % 4:  # the first of four is let be, the next never begins
            await asyncio.sleep(0 if act % 4 == 1 else chance.random() * 0.003)
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    row = await loaded(store, match)
    assert row.plies == len(row.record) == row.version - 2
    with snapshot(store) as reader:
        assert [reader.find_match_acted_on(act) for act in range(ACTS)].count(row.id) == row.plies
    assert 0 < row.plies < ACTS


ACTS = 60
"""So many are begun and broken off, each somewhere else."""
MOVER = """
import asyncio, sys
from data.store import Store
def move(tx, match):
    row = tx.load_row(match)
    tx.update(match, row.version, plies=row.plies + 1)
    tx.append(match, row.plies + 1, 1, "a1", 120)
    tx.mark_acted(row.plies + 1, match, 120)
    return row.plies + 1
async def main(url, match):
    store = Store(url)
    while True:
        print(await store.do(move, match), flush=True)
asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


@only_sqlite
async def test_an_act_that_nobody_waits_for_any_more_is_undone(store: Store) -> None:
    match = await begun(store)
    begins, over = Event(), Event()

    def act(tx: Transaction) -> None:
        assert tx.update(match, 2, plies=1)
        begins.set()
        over.wait()

    task = asyncio.create_task(store.do(act))
    await asyncio.to_thread(begins.wait)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    over.set()
    assert await entered(store, match, "a1", act=1), "the next in the queue, on what was there before"
    assert (await loaded(store, match)).version == 3


@only_sqlite
async def test_a_store_that_is_closed_lets_what_is_under_way_end(store: Store, url: str) -> None:
    match = await begun(store)
    begins = Event()

    def act(tx: Transaction) -> None:
        begins.set()
        time.sleep(0.05)
        assert tx.update(match, 2, plies=1)

    task = asyncio.create_task(store.do(act))
    await asyncio.to_thread(begins.wait)
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    closing.cancel()
    await task
    other = Store(url)
    assert (await loaded(other, match)).version == 3
    await other.close()


async def test_what_was_acknowledged_survives_being_killed(store: Store, url: str) -> None:
    match = await begun(store)
    await store.close()
    arguments = ("-c", MOVER, url, str(match))
    mover = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert mover.stdout
    said = [int(await mover.stdout.readline()) for _ in range(60)]
    mover.kill()
    said += [int(line) for line in (await mover.stdout.read()).split()]
    await mover.wait()
    row = await loaded(store, match)
    assert row.plies == len(row.record) == row.version - 2
    assert row.plies in (said[-1], said[-1] + 1)
    with snapshot(store) as reader:
        assert reader.find_match_acted_on(row.plies) == match
        assert reader.find_match_acted_on(row.plies + 1) is None
