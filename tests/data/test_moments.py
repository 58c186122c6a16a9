"""Each server's last counted moment is known, however often hosts change the shards and the processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bot.play.clocks import DAY, HOUR
from bot.play.ids import WHOLE, MatchId, ShardShare
from bot.umpire.clocks import (
    NOTE,
    OUTAGE,
    DowntimeKeeper,
    find_stopped_shares,
    find_superseded_notes,
    name_note,
    read_notes,
)
from data.store import Reader, Store, Transaction
from tests.data.acts import new

START = 10_000_000
SERVERS = tuple((number << 22) + 7 for number in range(32))
"""One of each of thirty-two shards."""


def of(*texts: str) -> tuple[ShardShare, ...]:
    """Shards, each by itself, as processes have them."""
    return tuple(shard for text in texts for shard in ShardShare.parse(text).single_shards)


class Hosts:
    """Processes that come and go on one database, with a clock of their own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.now = START
        self.store = Store(url)
        self.matches: dict[int, MatchId] = {}
        self.outages = DowntimeKeeper(self.store, lambda: self.now)
        self.stores = [self.store]

    def start(self, share: ShardShare = WHOLE) -> None:
        """Another process instead, which remembers nothing."""
        self.stores.append(Store(self.url, share))
        self.outages = DowntimeKeeper(self.stores[-1], lambda: self.now)

    async def run(self, shards: tuple[ShardShare, ...], seconds: int) -> None:
        """For so long these shards are connected."""
        until = self.now + seconds
        await self.outages.note_connected(shards)
        while self.now < until:
            self.now = min(until, self.now + 80)
            await self.outages.note_connected(shards)

    async def begin(self) -> None:
        """A clock begins to run in each server."""

        def begun(tx: Transaction, guild: int) -> MatchId:
            match = tx.create(new(guild=guild))
            clock = {"allotted": DAY, "seconds_left": DAY, "since": self.now, "deadline": self.now + DAY}
            tx.set_player(match, 1, seat=1, **clock)  # pyright: ignore[reportArgumentType]
            tx.update(match, 1, state="live", turn=(1,), started=self.now, pace="1")
            return match

        for guild in SERVERS:
            self.matches[guild] = await self.store.do(begun, guild)

    async def given(self) -> list[int]:
        """How much later than at first each server's clock runs out."""
        rows = [await self.store.ask(Reader.load_row, self.matches[guild]) for guild in SERVERS]
        return [(row.players[0].deadline or 0) - START - DAY for row in rows if row]

    async def notes(self) -> list[str]:
        """The names of all that is noted of clocks."""
        return sorted(await self.store.ask(Reader.read_notes, NOTE))

    async def close(self) -> None:
        """Close all stores."""
        for store in self.stores:
            await store.close()


@pytest.fixture
async def hosts(either: str) -> AsyncGenerator[Hosts]:
    made = Hosts(either)
    await made.outages.note_connected()
    await made.begin()
    yield made
    await made.close()


def even(*seconds: int) -> list[int]:
    """What the servers of as many shards have been given, each the same as the others of its shard."""
    return [seconds[number % len(seconds)] for number in range(len(SERVERS))]


async def test_a_shard_that_was_away_has_its_time_given_back_and_no_other(hosts: Hosts) -> None:
    hosts.start()
    four = of("0-3/4")
    await hosts.run(four, 160)
    await hosts.run((four[0], four[1], four[3]), 600)
    assert await hosts.given() == even(0)
    await hosts.outages.note_connected(four)
    assert await hosts.given() == even(0, 0, 600, 0)
    await hosts.run(four, 160)
    assert await hosts.given() == even(0, 0, 600, 0)
    assert hosts.outages.is_steady(four[2])


async def test_nobody_loses_a_second_from_one_process_to_four_and_back(hosts: Hosts) -> None:
    """One shard, then four processes of four each, then thirty-two shards, then one: each after a different pause."""
    await hosts.run((WHOLE,), 160)
    stopped, parts = hosts.now, [of(text) for text in ("0-3/16", "4-7/16", "8-11/16", "12-15/16")]
    expected = even(0)
    for index, part in enumerate(parts):
        hosts.now = stopped + 1000 * (index + 1)
        hosts.start(ShardShare(part[0].first, part[-1].last, 16))
        await hosts.run(part, 160)
        for number in range(len(SERVERS)):
            if number % 16 // 4 == index:
                expected[number] += 1000 * (index + 1)
    assert await hosts.given() == expected
    ended = {index: stopped + 1000 * (index + 1) + 160 for index in range(4)}
    hosts.now += 5000
    hosts.start()
    await hosts.run(of("0-31/32"), 160)
    again = [expected[number] + hosts.now - 160 - ended[number % 16 // 4] for number in range(len(SERVERS))]
    assert await hosts.given() == again
    assert len(await hosts.notes()) == 32, "older notes say nothing any more"
    hosts.now += 7000
    hosts.start()
    await hosts.run((WHOLE,), 160)
    assert await hosts.given() == [seconds + 7000 for seconds in again]
    assert await hosts.notes() == [NOTE]


async def test_two_ways_to_count_shards_give_an_outage_back_once(hosts: Hosts) -> None:
    """While a host changes the number, processes of both may run."""
    await hosts.run((WHOLE,), 160)
    hosts.now += DAY
    before, hosts.outages = hosts.outages, DowntimeKeeper(hosts.store, lambda: hosts.now)
    given = await asyncio.gather(
        before.note_connected(), hosts.outages.note_connected(of("0-1/2")), hosts.outages.note_connected(of("0-2/3"))
    )
    assert sorted(given) == [0, 0, DAY]
    assert await hosts.given() == even(DAY)


async def test_a_note_of_long_ago_does_no_harm(hosts: Hosts) -> None:
    await hosts.run((WHOLE,), 160)
    await hosts.store.do(Transaction.set_note, "clocks 3/7", str(START - 9 * DAY))
    await hosts.store.do(Transaction.set_note, "clocks of whom", "soon")
    hosts.now += HOUR
    hosts.start()
    await hosts.run((WHOLE,), 160)
    assert await hosts.given() == even(HOUR)
    assert await hosts.notes() == ["clocks", "clocks of whom"]


def test_notes_are_named_by_their_shards() -> None:
    assert [name_note(shard) for shard in of("0/1", "2-3/16")] == ["clocks", "clocks 2/16", "clocks 3/16"]
    assert read_notes({"clocks": "5", "clocks 2/16": "7", "clocks of whom": "9", "clocks 1/16": "?"}) == {
        WHOLE: 5, ShardShare(2, 2, 16): 7,
    }  # fmt: skip


def test_who_is_ahead_says_now_and_whose_clock_was_set_back_nothing() -> None:
    now, shard = 10_000, ShardShare(1, 1, 2)
    assert find_stopped_shares({shard: now + 5}, {shard: None}, now, OUTAGE) == []
    assert find_stopped_shares({shard: now + HOUR, WHOLE: 9000}, {shard: None}, now, OUTAGE) == [(shard, 9000)]
    assert find_stopped_shares({shard: now + HOUR}, {shard: None}, now, OUTAGE) == [], "nobody knows of anything"
    assert find_superseded_notes({shard: now + HOUR, WHOLE: 9000}, now) == [shard]
