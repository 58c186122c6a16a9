"""Work that belongs to no server is done by the leading bot, and by no other."""

from __future__ import annotations

from bot.platform.processes import FREE, LEADER
from data.store import Reader, Transaction
from tests.e2e.harness import Harness

AGES, HOUR = 10_000, 3_601


async def known(harness: Harness) -> bool:
    """Whether an act of long ago is known still."""
    return await harness.store.ask(Reader.find_match_acted_on, 1) is not None


async def test_who_leads_tidies_up_and_leaves_the_lease_when_it_stops(harness: Harness) -> None:
    client = harness.life.client
    await harness.until(lambda: client.presence.leads)
    match = (await harness.match()).id
    await harness.store.do(Transaction.mark_acted, 1, match, harness.clock() - AGES)
    await harness.run_due_acts(HOUR)  # it has looked at its start
    await client.sweep()
    assert not await known(harness)
    assert str(await harness.store.ask(Reader.read_note, LEADER)).startswith(f"{client.presence.holder} ")
    await harness.life.end()
    assert await harness.store.ask(Reader.read_note, LEADER) == FREE
    await harness.restart()


async def test_who_follows_leaves_that_to_the_leader(harness: Harness) -> None:
    match = (await harness.match()).id
    harness.life.kill()
    await harness.store.do(Transaction.set_note, LEADER, "elsewhere:7:x 12")
    await harness.restart()
    client = harness.life.client
    await client.presence.beat()
    await harness.store.do(Transaction.mark_acted, 1, match, harness.clock() - AGES)
    await harness.run_due_acts(HOUR)  # it has looked at its start
    await client.sweep()
    assert not client.presence.leads
    assert await known(harness)
    assert await harness.store.ask(Reader.read_note, LEADER) == "elsewhere:7:x 12"
