"""Several shards against the stand-in, with discord.py's own client for them: who hears what, and who is sent away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.gateway import DAY, IDENTIFY_SECONDS, MOST_SERVERS, ShardLimits
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import Server
from tests.sandbox.minibot import Api, Herd, MiniBot, herded, point_at
from tests.support.openapi import MISSING, SPEC, complaints
from tests.support.waiting import PATIENCE, until

COUNT = 4


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """With two servers for each of four shards."""
    async with Sandbox(servers=2 * COUNT, answer_seconds=PATIENCE) as running:
        yield running


def of_shard(sandbox: Sandbox, shard: int) -> list[Server]:
    return [one for one in sandbox.world.servers.values() if one.shard_among(COUNT) == shard]


def at(person: Person, shard: int) -> Person:
    """A person in a server of a shard."""
    return next(person.in_server(one) for one in person.world.servers.values() if one.shard_among(COUNT) == shard)


def known(bot: discord.Client) -> set[str]:
    """The servers that a client knows all about."""
    return {str(one.id) for one in bot.guilds if not one.unavailable}


async def test_discord_says_how_many_shards_there_should_be(sandbox: Sandbox, ann: Person) -> None:
    sandbox.shard_limits.recommended = COUNT
    async with herded(sandbox) as bot:
        assert bot.shard_count == COUNT and sandbox.gateway.identified == COUNT
        assert sorted(one.shard for one in sandbox.gateway.sessions.values()) == [(one, COUNT) for one in range(COUNT)]
        assert known(bot) == {*sandbox.world.servers}
        assert {one.shard_id for one in bot.guilds} == set(range(COUNT))
        for shard in range(COUNT):
            assert (await at(ann, shard).command("club join")).text == "joined"
        limits = await bot.fetch_session_start_limits()
        assert (limits.total, limits.remaining, limits.max_concurrency) == (1000, 1000 - COUNT, 1)


async def test_each_of_two_processes_hears_of_its_own_servers(sandbox: Sandbox, ann: Person) -> None:
    async with herded(sandbox, [0, 1], COUNT) as low, herded(sandbox, [2, 3], COUNT) as high:
        for bot, shards in ((low, (0, 1)), (high, (2, 3))):
            assert known(bot) == {one.id for shard in shards for one in of_shard(sandbox, shard)}
        for shard in range(COUNT):
            await at(ann, shard).press(await at(ann, shard).command("show"), "Ok")
            sandbox.faults.delete_channel(sandbox.channel("Which game first?", of_shard(sandbox, shard)[0]))
        assert (len(low.pressed), len(high.pressed)) == (2, 2)
        await until(lambda: len(low.events) == len(high.events) == 2)
        await low.close()
        asked = len(callbacks(sandbox))
        sandbox.interactions.answer_seconds = 0.0
        with pytest.raises(NoAnswerInTime):
            await at(ann, 1).command("club join")
        sandbox.interactions.answer_seconds = PATIENCE
        assert (await at(ann, 3).command("club join")).text == "joined"
        assert len(callbacks(sandbox)) == asked + 1, "nobody has heard of what the first has not lived to hear"


async def test_of_two_with_the_same_shard_both_hear_and_one_is_late(sandbox: Sandbox, ann: Person) -> None:
    async with herded(sandbox, [0, 1], COUNT) as one, herded(sandbox, [1, 2], COUNT) as other:
        shown = await at(ann, 0).command("show")
        await at(ann, 0).press(shown, "Ok")
        assert (len(one.pressed), len(other.pressed)) == (1, 0)
        shown = await at(ann, 2).command("show")
        await at(ann, 2).press(shown, "Ok")
        assert (len(one.pressed), len(other.pressed)) == (1, 1)
        before = len(callbacks(sandbox))
        await at(ann, 1).command("club join")
        answers = await until(lambda: len(callbacks(sandbox)) == before + 2 and callbacks(sandbox)[before:])
        assert sorted(answer.status for answer in answers) == [200, 400]
        assert [answer.answer["code"] for answer in answers if answer.status == 400] == [40060]


def callbacks(sandbox: Sandbox) -> list[Any]:
    return sandbox.requests_of("POST", "/interactions/{interaction_id}/{token}/callback")


async def test_a_shard_goes_on_where_it_was_cut(sandbox: Sandbox, ann: Person) -> None:
    async with herded(sandbox, [1, 3], COUNT) as bot:
        await sandbox.faults.close_gateway(4000, shard=3)
        sandbox.faults.delete_channel(sandbox.channel("Which game first?", of_shard(sandbox, 3)[0]))
        await until(lambda: bot.resumed and "deleted Which game first?" in bot.events)
        assert bot.resumed == [3] and (sandbox.gateway.identified, sandbox.gateway.resumed) == (2, 1)
        await sandbox.faults.close_gateway(4000, shard=1, resumable=False)
        await until(lambda: sandbox.gateway.identified == 3 and len(sandbox.gateway.sessions) == 2)
        assert (await at(ann, 1).command("club join")).text == "joined"
        assert sandbox.gateway.resumed == 1


async def test_an_outage_is_told_to_the_shard_that_it_concerns(sandbox: Sandbox) -> None:
    gone, late = of_shard(sandbox, 2)
    sandbox.faults.delay_guild(server=late)
    async with herded(sandbox, [0, 2], COUNT) as bot:
        assert known(bot) == {one.id for one in (*of_shard(sandbox, 0), gone)}
        assert [sandbox.gateway.serves(one) for one in (gone, late, *of_shard(sandbox, 1))] == [True] + [False] * 3
        sandbox.faults.start_outage(gone)
        await until(lambda: known(bot) == {one.id for one in of_shard(sandbox, 0)})
        sandbox.faults.introduce_server()
        await until(lambda: len(known(bot)) == 4)
        told = {one.shard[0]: [event["t"] for event in one.events] for one in sandbox.gateway.sessions.values()}
        assert "GUILD_DELETE" in told[2] and "GUILD_DELETE" not in told[0]


async def test_direct_messages_are_heard_by_the_first_shard(sandbox: Sandbox, ann: Person) -> None:
    async with herded(sandbox, [0, 1], COUNT) as bot:
        place = await bot.create_dm(discord.Object(int(ann.id)))
        for session in sandbox.gateway.sessions.values():
            session.intents |= 1 << 12
        await place.send("hello")
        heard = {one.shard[0]: one.events[-1]["t"] for one in sandbox.gateway.sessions.values()}
        assert heard == {0: "MESSAGE_CREATE", 1: "GUILD_CREATE"}


# --- who is sent away


async def refused(sandbox: Sandbox, bot: MiniBot) -> int:
    """The code with which the gateway closes on a client, as discord.py reports it."""
    point_at(sandbox)
    with pytest.raises(discord.ConnectionClosed) as closed:
        await bot.start(sandbox.token)
    await bot.close()
    return closed.value.code


@pytest.mark.parametrize(
    "bot", [lambda: MiniBot(shard_id=4, shard_count=4), lambda: Herd(shard_ids=[0, 7], shard_count=4)]
)
async def test_a_shard_that_there_is_not(sandbox: Sandbox, bot: Any) -> None:
    assert await refused(sandbox, bot()) == 4010


async def test_too_many_servers_on_one_shard(sandbox: Sandbox) -> None:
    assert ShardLimits().most_servers == MOST_SERVERS == 2500
    sandbox.shard_limits.most_servers = 2
    assert await refused(sandbox, MiniBot(shard_id=0, shard_count=2)) == 4011
    async with herded(sandbox, [0], COUNT) as bot:
        assert len(bot.guilds) == 2
    for server in of_shard(sandbox, 0):
        sandbox.faults.kick(server)
    async with herded(sandbox, [0], 2) as bot:
        assert len(bot.guilds) == 2


async def test_a_bot_that_must_be_sharded(sandbox: Sandbox) -> None:
    sandbox.shard_limits.required = True
    assert await refused(sandbox, MiniBot()) == 4011
    async with herded(sandbox, [0], 1) as bot:
        assert len(bot.guilds) == 2 * COUNT


@pytest.mark.parametrize("shard", [[0], [1, 1], [-1, 2], ["0", 1], [True, 2], [0, 0], "0/1", {}, 3])
async def test_what_is_no_shard(sandbox: Sandbox, shard: Any) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(sandbox.gateway_url) as socket:
        assert await identified(socket, sandbox, shard) == 4010


async def identified(socket: aiohttp.ClientWebSocketResponse, sandbox: Sandbox, shard: Any) -> Any:
    """What comes of a bare IDENTIFY: READY, the opcode of INVALID_SESSION, or a close code."""
    assert (await socket.receive_json())["op"] == 10
    await socket.send_json({"op": 2, "d": {"token": sandbox.token, "intents": 1, "shard": shard}})
    answer = await socket.receive()
    if answer.type is not aiohttp.WSMsgType.TEXT:
        return answer.data
    frame = answer.json()
    return frame["t"] or (frame["op"], frame["d"])


class Paced:
    """A clock by which the gateway counts the seconds between two sessions."""

    def __init__(self, sandbox: Sandbox, concurrency: int) -> None:
        self.now = 5.0
        self.sandbox = sandbox
        sandbox.shard_limits.clock = lambda: self.now
        sandbox.shard_limits.pause, sandbox.shard_limits.concurrency = IDENTIFY_SECONDS, concurrency

    async def __call__(self, shard: int, count: int = 16) -> Any:
        async with aiohttp.ClientSession() as session, session.ws_connect(self.sandbox.gateway_url) as socket:
            return await identified(socket, self.sandbox, [shard, count])


async def test_a_session_that_begins_too_early_is_sent_away_and_counted(sandbox: Sandbox) -> None:
    begin = Paced(sandbox, 1)
    assert (await begin(0), await begin(1), sandbox.shard_limits.hasty) == ("READY", (9, False), 1)
    begin.now += IDENTIFY_SECONDS - 0.1
    assert (await begin(1), sandbox.shard_limits.hasty) == ((9, False), 2)
    begin.now += 0.2
    assert (await begin(1), sandbox.shard_limits.hasty) == ("READY", 2)


async def test_as_many_begin_side_by_side_as_discord_allows(sandbox: Sandbox) -> None:
    begin = Paced(sandbox, 4)
    assert [await begin(shard) for shard in (4, 1, 2, 15)] == ["READY"] * 4
    assert [await begin(shard) for shard in range(4)] == [(9, False)] * 4 and sandbox.shard_limits.hasty == 4


async def test_discord_py_comes_again_after_it_was_sent_away(sandbox: Sandbox) -> None:
    clock = iter(range(100, 10_000, 3))
    sandbox.shard_limits.clock = lambda: float(next(clock))
    sandbox.shard_limits.pause = 30.0
    async with herded(sandbox, [0, 1], COUNT) as bot:
        assert len(known(bot)) == 4 and sandbox.gateway.identified == 2 and sandbox.shard_limits.hasty > 0


async def test_sessions_in_a_day_are_counted(sandbox: Sandbox, api: Api) -> None:
    begin = Paced(sandbox, 16)
    sandbox.shard_limits.total, sandbox.shard_limits.recommended = 3, 16
    status, answer = await api("GET", "/gateway/bot")
    limit = {"total": 3, "remaining": 3, "reset_after": DAY * 1000, "max_concurrency": 16}
    assert (status, answer["shards"], answer["session_start_limit"]) == (200, 16, limit)
    assert [await begin(shard) for shard in range(4)] == ["READY"] * 3 + [4004]
    begin.now += 3600
    _, answer = await api("GET", "/gateway/bot")
    assert answer["session_start_limit"] == limit | {"remaining": 0, "reset_after": (DAY - 3600) * 1000}
    begin.now += DAY - 3600
    assert await begin(3) == "READY"


@pytest.mark.skipif(not SPEC.exists(), reason=MISSING)
async def test_it_all_fits_discords_description(sandbox: Sandbox, ann: Person) -> None:
    sandbox.shard_limits.recommended = 2
    async with herded(sandbox) as bot:
        await bot.fetch_session_start_limits()
        for shard in range(COUNT):
            shown = await at(ann, shard).command("show", channel="games")
            await at(ann, shard).press(shown, "Secret")
    assert len(sandbox.request_log) > 10 and complaints(sandbox.request_log) == []
