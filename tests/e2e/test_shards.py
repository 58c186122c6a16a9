"""Several shards, in one process and in two: each serves its own servers, and touches nothing of the others'."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from bot.games.catalogue import load_games
from bot.play import acts
from bot.play.challenges import ChallengeTerms
from bot.play.clocks import HOUR
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.play.rows import MatchRecordRow, Preferences, ServerSettings
from bot.sandbox.world import Server
from bot.umpire import clocks
from bot.umpire.umpire import Umpire
from data.store import Reader, Transaction
from tests.e2e.conftest import opened
from tests.e2e.harness import Harness, counted
from tests.simulation.life import PATIENCE, Life, living
from tests.support.waiting import until

COUNT = 4
LOW, HIGH = "0-1/4", "2-3/4"


@dataclass
class Hall:
    """A server for each of four shards, and bots that share them; `acts` are done by nobody that is alive."""

    harness: Harness
    lives: dict[str, Life]
    acts: int = 0
    servers: dict[int, Server] = field(default_factory=dict[int, Server])

    def __post_init__(self) -> None:
        self.servers = {one.shard_among(COUNT): one for one in self.harness.sandbox.world.servers.values()}
        self.umpire = Umpire(self.harness.store, load_games(), self.harness.clock, random.Random(1))

    async def begun(self, shard: int, **chosen: Any) -> MatchId:
        """A match of Ann's against the computer in a server, of which nothing is shown yet."""
        guild, channel = self.servers[shard].id, self.harness.sandbox.channel("games", self.servers[shard])["id"]
        given: dict[str, Any] = {"options": {"size": 3}, "seating": "host", "level": 1, **chosen}
        host = UserId(int(self.harness.ann.id))
        asked = ChallengeTerms(
            GuildId(int(guild)), ChannelId(int(channel)), host, load_games()["binary-primes"], **given
        )
        return (await self.umpire.challenge(self.act(), asked)).id

    async def moved(self, match: MatchId, square: str) -> None:
        """Ann moves in a match; nothing of it is shown yet."""
        await self.umpire.move(self.act(), match, UserId(int(self.harness.ann.id)), square)

    def act(self) -> InteractionId:
        """The number of one more act."""
        self.acts += 1
        return InteractionId(self.acts)

    async def row(self, match: MatchId) -> MatchRecordRow:
        """A match as it is stored."""
        return await self.harness.row(match)

    def posted(self, shard: int) -> list[Any]:
        """All that the bot has posted in a server, wherever."""
        world = self.harness.sandbox.world
        places = world.channels_of(self.servers[shard])
        return [said for place in places for said in world.messages[place["id"]].values() if is_ours(world, said)]

    async def settled(self) -> None:
        """Wait until all that the bots who live owe is done."""
        async with asyncio.timeout(PATIENCE):
            while True:
                owed = False
                for life in self.lives.values():
                    if not life.dead:
                        await life.client.publisher.catch_up()
                        await life.client.publisher.retry_failed()
                        await life.idle()
                        owed = owed or bool(await life.store.ask(Reader.find_lagging_matches, 1))
                if not owed:
                    return


def is_ours(world: Any, said: Any) -> bool:
    return said["author"]["id"] == world.me


@pytest.fixture
async def hall(folder: Path, empty_database: Path) -> AsyncGenerator[Hall]:
    """Two bots with two shards each."""
    async with opened(folder, empty_database, 3600.0, COUNT, LOW) as harness:
        made = Hall(harness, {LOW: harness.life, HIGH: harness.another(shards=HIGH)})
        await made.lives[HIGH].begin(registered=False)  # the other leads
        yield made
        await made.lives[HIGH].end()
    assert harness.complaints() == []
    await harness.sound()


@pytest.fixture
async def one(folder: Path, empty_database: Path) -> AsyncGenerator[Hall]:
    """One bot with all four shards."""
    async with opened(folder, empty_database, 3600.0, COUNT, "0-3/4") as harness:
        yield Hall(harness, {"0-3/4": harness.life})
    assert harness.complaints() == []
    await harness.sound()


async def looked(life: Life) -> None:
    """Let a bot look for everything that it looks for by itself."""
    client = life.client
    for look in (
        client.sweep,
        client.keep_time,
        client.publisher.catch_up,
        client.publisher.retry_failed,
        client.computer_player.poll,
    ):
        await look()
    await client.computer_player.settle()
    await life.idle()


async def test_nobody_else_touches_the_matches_of_one_that_is_dead(hall: Hall) -> None:
    """Its servers are not known to the others, who would take their channels for closed, and threads for impossible."""
    low, high = hall.lives.values()
    hall.harness.deaths += 1
    high.kill()
    lagging = [await hall.begun(shard) for shard in (2, 3) for _ in range(3)]
    await hall.moved(lagging[0], "b2")
    before = [await hall.row(match) for match in lagging]
    for match in lagging:  # even where it is asked for by its number
        low.client.publisher.request_publish(match)
        low.client.publisher.request_repost(match)
        low.client.computer_player.request_move(match)
        await low.client.publisher.check_members(match)
        await low.client.publisher.cleanup.clean_match(match)
    await looked(low)
    assert [await hall.row(match) for match in lagging] == before
    assert hall.posted(2) == hall.posted(3) == []
    await high.end()
    hall.lives[HIGH] = hall.harness.another(shards=HIGH)
    await hall.lives[HIGH].begin(registered=False)
    await hall.lives[HIGH].client.computer_player.poll()
    await hall.lives[HIGH].client.computer_player.settle()
    await hall.settled()
    after = [await hall.row(match) for match in lagging]
    assert [row.plies for row in after] == [2, 0, 0, 0, 0, 0], "the computer has answered where it was to"
    assert all(row.thread not in (None, row.channel) and row.publish_error is None for row in after)
    assert all(row.shown_version == row.version for row in after)


async def test_a_digest_that_a_mailbox_refuses_is_told_where_it_waits_by_who_serves_that_server(hall: Hall) -> None:
    harness = hall.harness
    ann, bea = UserId(int(harness.ann.id)), UserId(int(harness.bea.id))
    theirs, other = hall.lives.values()
    if not theirs.store.share.holds(GuildId(ann)):
        theirs, other = other, theirs
    shard = next(one for one, server in hall.servers.items() if other.store.share.holds(GuildId(int(server.id))))
    match = await hall.begun(shard, level=None, guests=(bea,), pace="7")
    await hall.umpire.act(hall.act(), match, bea, acts.accept)
    await hall.settled()
    harness.clock.at = harness.clock()

    def daily(before: Preferences) -> Preferences:
        return clocks.reset_digest(replace(before, reminders="digest"), ServerSettings(), harness.clock())

    await harness.store.do(Transaction.change_preferences, ann, daily)
    harness.ann.close_mailbox()
    harness.clock.ahead += 30 * HOUR
    for life in (theirs, other):
        mark = living.set(life)
        life.client.reminder_sender.poll()
        living.reset(mark)
        await life.idle()
        reminded = [said for said in hall.posted(shard) if "your move in " in said["content"]]
        assert len(reminded) == (life is other), "only who serves a server writes into it"
    assert not await harness.store.ask(Reader.find_abandoned_messages, harness.clock() + HOUR, 9)


@pytest.mark.long
async def test_one_process_plays_in_all_shards_while_one_of_them_is_away(
    one: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness, (life,) = one.harness, one.lives.values()
    there = life.client.shard_states
    assert [str(shard) for shard in there.connected_shards] == ["0/4", "1/4", "2/4", "3/4"]
    matches = [
        await one.begun(shard, level=None, guests=(UserId(int(harness.bea.id)),), pace="1") for shard in range(COUNT)
    ]
    for match in matches:
        await one.umpire.act(one.act(), match, UserId(int(harness.bea.id)), acts.accept)
    await one.settled()
    harness.clock.at = harness.clock()
    await life.client.keep_time()
    before = [await deadline(one, match) for match in matches]
    allowed = asyncio.Event()

    async def held(_: int) -> None:
        await allowed.wait()

    monkeypatch.setattr(life.client.identifying, "wait_to_identify", held)
    await harness.faults.close_gateway(shard=2, resumable=False)
    await until(lambda: not there.is_guild_connected(int(one.servers[2].id)))
    for _ in range(20):
        harness.clock.at += 600
        await life.client.keep_time()
    assert life.client.publisher.channels.is_guild_pending(GuildId(int(one.servers[1].id))) is False
    await one.moved(matches[1], "b2")
    await one.settled()
    row = await one.row(matches[1])
    assert row.shown_version == row.version, "the others play on"
    allowed.set()
    await until(lambda: there.is_guild_connected(int(one.servers[2].id)))
    await life.client.keep_time()
    assert [await deadline(one, match) for match in (matches[0], matches[3])] == [before[0], before[3]]
    assert await deadline(one, matches[2]) == (before[2] or 0) + 20 * 600


async def deadline(hall: Hall, match: MatchId) -> int | None:
    """Until when Ann is to move."""
    return (await hall.row(match)).players[0].deadline


async def test_each_of_two_does_what_is_due_in_its_own_servers_once(hall: Hall) -> None:
    """A challenge expires, time runs out and the computer moves: by the process that serves the server, and once."""
    harness, bea = hall.harness, UserId(int(hall.harness.bea.id))
    lives = [hall.lives[LOW], hall.lives[LOW], hall.lives[HIGH], hall.lives[HIGH]]
    people: dict[str, Any] = {"level": None, "guests": (bea,), "pace": "1"}
    timed = [await hall.begun(shard, **people) for shard in range(COUNT)]
    for match in timed:
        await hall.umpire.act(hall.act(), match, bea, acts.accept)
    computed = [await hall.begun(shard) for shard in range(COUNT)]
    for match in computed:
        await hall.moved(match, "b2")
    expiring = [await hall.begun(shard, **people) for shard in range(COUNT)]
    await hall.settled()
    for life in hall.lives.values():
        await looked(life)
        assert await life.store.ask(Reader.find_matches_to_think_on, 10) == ()
    assert [(await hall.row(match)).plies for match in computed] == [2] * COUNT
    await hall.settled()
    harness.clock.ahead += 3 * 86_400
    await harness.store.do(counted, harness.clock())
    for _ in range(2):
        for life in hall.lives.values():
            await looked(life)
    await hall.settled()
    assert [(await hall.row(match)).state for match in expiring] == ["expired"] * COUNT
    assert [(await hall.row(match)).players[0].forfeit_at is not None for match in timed] == [True] * COUNT
    for shard, life in enumerate(lives):
        assert await life.store.ask(Reader.find_matches_run_out, harness.clock(), 10) == ()
        nonces = [said["nonce"] for said in hall.posted(shard) if "nonce" in said]
        assert len(nonces) == len(set(nonces)) and len(nonces) >= 4
