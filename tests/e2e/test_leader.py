"""Work that belongs to no server is done by the leading bot, and by no other."""

from __future__ import annotations

from bot.platform.processes import FREE, LEADER
from data.store import Reader, Transaction
from tests.e2e.house import House

AGES, HOUR = 10_000, 3_601


async def known(house: House) -> bool:
    """Whether an act of long ago is known still."""
    return await house.store.ask(Reader.find_match_acted_on, 1) is not None


async def test_who_leads_tidies_up_and_leaves_the_lease_when_it_stops(house: House) -> None:
    client = house.life.client
    await house.until(lambda: client.presence.leads)
    match = (await house.match()).id
    await house.store.do(Transaction.mark_acted, 1, match, house.clock() - AGES)
    await house.run_due_acts(HOUR)  # it has looked at its start
    await client.sweep()
    assert not await known(house)
    assert str(await house.store.ask(Reader.read_note, LEADER)).startswith(f"{client.presence.holder} ")
    await house.life.end()
    assert await house.store.ask(Reader.read_note, LEADER) == FREE
    await house.restart()


async def test_who_follows_leaves_that_to_the_leader(house: House) -> None:
    match = (await house.match()).id
    house.life.kill()
    await house.store.do(Transaction.set_note, LEADER, "elsewhere:7:x 12")
    await house.restart()
    client = house.life.client
    await client.presence.beat()
    await house.store.do(Transaction.mark_acted, 1, match, house.clock() - AGES)
    await house.run_due_acts(HOUR)  # it has looked at its start
    await client.sweep()
    assert not client.presence.leads
    assert await known(house)
    assert await house.store.ask(Reader.read_note, LEADER) == "elsewhere:7:x 12"
