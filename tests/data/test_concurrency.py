"""Acts at the same moment, acts broken off anywhere, and a program killed: every act is whole or nothing."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

from bot.core.record import Move
from data.store import Store
from tests.data.acts import begun, entered, loaded


async def test_of_many_who_act_on_one_board_one_is_first(store: Store) -> None:
    match = await begun(store)
    row = await loaded(store, match)

    async def act(number: int) -> bool:
        async with store.writing() as tx:
            if not await tx.update(match, row.version, plies=1):
                return False
            await tx.append(match, 1, 1, f"a{number}", 120)
            return True

    won = await asyncio.gather(*(act(number) for number in range(20)))
    assert won.count(True) == 1
    assert (await loaded(store, match)).record == (Move(1, f"a{won.index(True)}"),)


async def test_many_who_write_at_once_come_in_the_order_in_which_they_came(store: Store) -> None:
    match = await begun(store)
    order: list[int] = []

    async def act(number: int) -> None:
        async with store.writing() as tx:
            await tx.append(match, number, 1, "a1", 120)
            order.append(number)

    await asyncio.gather(*(act(number) for number in range(1, 41)))
    assert order == list(range(1, 41))
    assert len((await loaded(store, match)).record) == 40


async def test_a_write_sees_nothing_change_under_it_and_a_read_sees_one_moment(store: Store) -> None:
    match = await begun(store)
    async with store.reading() as reader:
        before = await reader.load(match)
        assert await entered(store, match, "a1", act=1)
        assert await reader.load(match) == before
    assert (await loaded(store, match)).version == 3


async def test_acts_that_are_cancelled_anywhere_are_whole_or_nothing(store: Store) -> None:
    chance = random.Random(5)
    match = await begun(store)
    for act in range(120):
        row = await loaded(store, match)

        async def write(act: int = act, version: int = row.version, ply: int = row.plies + 1) -> None:
            async with store.writing() as tx:
                assert await tx.update(match, version, plies=ply)
                await tx.append(match, ply, 1, "a1", 120)
                await tx.deliver(act, match, 120)

        task = asyncio.create_task(write())
        await asyncio.sleep(chance.random() * 0.003)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    row = await loaded(store, match)
    assert row.plies == len(row.record) == row.version - 2
    async with store.reading() as reader:
        assert [await reader.seen(act) for act in range(120)].count(match) == row.plies
    assert 0 < row.plies < 120


MOVER = """
import asyncio, sys
from data.store import Reader, Store
async def main(url, match):
    store = Store(url)
    while True:
        row = await store.ask(Reader.load, match)
        async with store.writing() as tx:
            await tx.update(match, row.version, plies=row.plies + 1)
            await tx.append(match, row.plies + 1, 1, "a1", 120)
            await tx.deliver(row.plies + 1, match, 120)
        print(row.plies + 1, flush=True)
asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


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
    async with store.reading() as reader:
        assert await reader.seen(row.plies) == match
        assert await reader.seen(row.plies + 1) is None
