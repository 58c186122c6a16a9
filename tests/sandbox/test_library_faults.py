"""What discord.py 2.7.1 does wrong and the bot does instead. A test fails here when a newer version has mended it: then
the part of the bot that its docstring names can go, in favour of the library.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import re
import sys
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
from discord.gateway import ReconnectWebSocket

from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import Herd, MiniBot, herded
from tests.support.waiting import PATIENCE

MESSAGES = "/channels/{channel_id}/messages"
HOUR = 3600.0
AGAIN = re.compile(r"Attempting a reconnect for shard ID 0 in ([0-9.]+)s")


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """With a server for each of two shards."""
    async with Sandbox(servers=2, answer_seconds=PATIENCE) as running:
        yield running


def away(bot: Herd, shard: int) -> bool:
    """Whether a shard is not connected."""
    return bot.shards[shard].is_closed()


async def cut(sandbox: Sandbox, bot: Herd, shard: int) -> None:
    """Cut a shard's connection, and let it find out."""
    await sandbox.faults.close_gateway(shard=shard)
    await asyncio.sleep(0.1)


async def test_a_connection_that_is_closed_before_hello_ends_the_client(sandbox: Sandbox) -> None:
    """`bot.platform.shards`: `_handled_exceptions`, `NotGreeted`."""
    with pytest.raises(ReconnectWebSocket):
        async with herded(sandbox, [0, 1], 2) as bot:
            sandbox.faults.refuse_connections("refused", "closed")
            await cut(sandbox, bot, 0)
            await asyncio.sleep(PATIENCE)


async def test_pauses_grow_beyond_half_a_minute_and_a_shard_that_fails_keeps_another_away(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    """`bot.platform.shards`: `Pauses`, and a task of its own for each shard."""
    caplog.set_level(logging.DEBUG, logger="discord")
    async with herded(sandbox, [0, 1], 2) as bot:
        sandbox.faults.shut_gateway()
        await cut(sandbox, bot, 0)
        pauses = list[float]()
        async with asyncio.timeout(3 * HOUR):
            while not pauses or pauses[-1] < 64:
                pauses = [float(one[1]) for one in map(AGAIN.search, caplog.messages) if one]
                await asyncio.sleep(1)
        sandbox.faults.open_gateway()
        await cut(sandbox, bot, 1)
        await asyncio.sleep(30)
        assert away(bot, 1), "each comes back by itself"


async def test_sessions_that_are_ended_at_once_are_begun_again_without_a_pause(sandbox: Sandbox) -> None:
    """`bot.platform.shards`: `reidentify`."""
    async with herded(sandbox, [0, 1], 2) as bot:
        bot.before_identify_hook = no_pause
        loop = asyncio.get_running_loop()
        began, greeted = loop.time(), sandbox.gateway.greeted
        sandbox.faults.refuse_identify(4000)
        await sandbox.faults.close_gateway(shard=0, resumable=False)
        while sandbox.gateway.greeted < greeted + 50:  # noqa: ASYNC110  no time passes
            await asyncio.sleep(0)
        sandbox.faults.refuse_identify(0)
        assert loop.time() - began < 1


async def no_pause(shard_id: int | None, *, initial: bool = False) -> None:
    """Let a session begin at once; where a session is resumed the library asks nobody."""


async def test_a_request_whose_connection_is_cut_is_not_sent_again(sandbox: Sandbox, bot: MiniBot) -> None:
    """`bot.platform.requests`."""
    channel = discord.utils.get(bot.get_all_channels(), name="games")
    assert isinstance(channel, discord.TextChannel)
    for applied in (False, True):
        sandbox.faults.drop_connection("POST", MESSAGES, applied=applied)
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await channel.send("once", nonce=f"n{applied}")


@pytest.mark.sockets
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere discord.py knows the number of a reset connection")
async def test_a_request_whose_connection_is_reset_is_not_sent_again(sandbox: Sandbox, bot: MiniBot) -> None:
    """The same: it knows the numbers 54 and 10054 alone, and Linux says 104."""
    channel = discord.utils.get(bot.get_all_channels(), name="games")
    assert isinstance(channel, discord.TextChannel)
    sandbox.faults.drop_connection("POST", MESSAGES, reset=True)
    with pytest.raises(aiohttp.ClientOSError) as told:
        await channel.send("once")
    assert told.value.errno == errno.ECONNRESET
