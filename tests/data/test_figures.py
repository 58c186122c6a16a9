"""Figures of several processes on one database, of either kind: each counts its own, together they count all."""

from __future__ import annotations

from bot.play.ids import WHOLE, ShardShare
from data.queries.sweeps import COUNTS
from data.store import Reader, Store, Transaction
from data.upkeep.health import Pulse, note_heartbeat
from tests.data.acts import new
from tests.data.test_shares import SERVERS, due_in

SHARES = (WHOLE, *map(ShardShare.parse, ("0-2/8", "3/8", "4-7/8")))


async def test_the_figures_of_all_processes_add_up(either: str) -> None:
    stores = [Store(either, share) for share in SHARES]
    for guild in SERVERS:
        await stores[0].do(due_in, guild)
    whole, *parts = [await store.ask(Reader.read_figures) for store in stores]
    for name in COUNTS[True]:
        found = [getattr(part, name) for part in parts]
        assert sum(found) == getattr(whole, name) > 0, name
        assert [count * len(SERVERS) for count in found] == [getattr(whole, name) * many for many in (3, 1, 4)], name
    assert (whole.live, whole.open, whole.lagging, whole.parked) == (16, 8, 24, 8)
    for store in stores:
        await store.close()


async def test_the_oldest_board_that_lags_is_told_by_its_last_move(store: Store) -> None:
    assert (await store.ask(Reader.read_figures)).oldest is None
    first = await store.do(Transaction.create, new(created=500))
    await store.do(Transaction.create, new(created=700))
    assert (await store.ask(Reader.read_figures)).oldest == 500

    def moved(tx: Transaction) -> None:
        tx.update(first, 1, state="live", started=600, turn=(1,))
        tx.append(first, 1, 1, "a1", 900)

    await store.do(moved)
    assert (await store.ask(Reader.read_figures)).oldest == 700
    await store.do(Transaction.park, first + 1, "I may not write there")
    assert (await store.ask(Reader.read_figures)).oldest == 900


async def test_heartbeats_and_the_size_are_told(store: Store, either: str) -> None:
    await store.do(note_heartbeat, Pulse(12, 11))
    await store.do(Transaction.set_note, "health", "well")
    found = await store.ask(Reader.read_figures)
    assert found.notes == (("heartbeat", "12 11"),)
    if either.startswith("sqlite"):
        assert found.bytes is None and store.database.file_sizes()["file"] > 0
    else:
        assert (found.bytes or 0) > 1_000_000 and store.database.file_sizes() == {}
