"""A whole match over TLS, with nothing of discord.py touched: it asks for Discord's own addresses.

The documented `connector` option resolves Discord's names to the sandbox, which shows a certificate of an authority
made for this test, and refuses every other name: the bot contacts nobody else.

TLS is a matter of sockets: in real time.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import socket
import ssl
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import trustme
from aiohttp.abc import AbstractResolver, ResolveResult
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app.client import GraphPaper
from bot.games.catalogue import load_games
from bot.host.machine import this_machine
from bot.sandbox import people
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from bot.umpire.umpire import Umpire
from data.store import Store
from tests.simulation.life import LONGEST_ANSWER
from tests.support.waiting import PATIENCE, ready_when_introduced

pytestmark = pytest.mark.sockets

NAMES = ("discord.com", "gateway.discord.gg", "cdn.discordapp.com")


class Resolver(AbstractResolver):
    """Knows Discord's names alone, all of them at the sandbox."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.asked: set[str] = set()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The sandbox's address for one of Discord's names; no other name exists."""
        self.asked.add(host)
        if host not in NAMES:
            raise OSError(f"{host} is not Discord's.")
        return [ResolveResult(hostname=host, host="127.0.0.1", port=self.port, family=family, proto=0, flags=0)]

    async def close(self) -> None:
        """Nothing is held."""


@pytest.fixture
async def sandbox() -> AsyncGenerator[tuple[Sandbox, ssl.SSLContext]]:
    """A sandbox that speaks TLS as Discord, and what a client must trust for that."""
    # trustme also takes contexts of a library that is not here, so its types are partly unknown.
    authority: Any = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert(*NAMES).configure_cert(server)
    authority.configure_trust(client)
    async with Sandbox(tls=server, answer_seconds=LONGEST_ANSWER) as made:
        yield made, client


async def test_a_match_over_tls_by_discords_own_names(
    sandbox: tuple[Sandbox, ssl.SSLContext], tmp_path: Path, empty_database: Path
) -> None:
    discord, trust = sandbox
    assert (Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY)) == (
        "https://discord.com/api/v10",
        "wss://gateway.discord.gg/",
    )
    store = Store(f"sqlite:///{shutil.copy(empty_database, tmp_path / 'graphpaper.db')}")
    resolver = Resolver(discord.tls_port)
    connector = aiohttp.TCPConnector(resolver=resolver, ssl=trust)
    umpire = Umpire(store, load_games(), lambda: int(time.time()), random.Random(1))
    settings = Settings(token=discord.token, answer_within=LONGEST_ANSWER - 1)
    client = GraphPaper(settings, umpire, this_machine(), connector=connector)
    ready_when_introduced(client, discord)
    running = asyncio.create_task(client.start(discord.token))
    try:
        await discord.wait_for(lambda world: (world.commands and discord.gateway.is_online) or running.done())
        await asyncio.wait_for(client.wait_until_ready(), PATIENCE)
        ann, bea = discord.person("Ann"), discord.person("Bea")
        await ann.command("binary-primes challenge", channel="games", opponent=bea, size=3, seat="me", legs=1)
        lobby = await discord.wait_for(
            lambda _: next((m for m in bea.read_messages("games") if people.list_buttons(m)), None)
        )
        await bea.press(lobby, "Accept")
        thread = str(lobby["id"])
        for ply, (mover, square) in enumerate(((ann, "a1"), (bea, "b1"), (ann, "c1"), (bea, "a2"))):
            await discord.wait_for(
                lambda world, ply=ply: _boards(ann.read_messages(thread) if thread in world.channels else [], ply)
            )
            await mover.command("binary-primes move", channel=thread, square=square)
        over = await discord.wait_for(
            lambda _: next(
                (m for m in ann.read_messages(thread) if people.list_media(m) and " beat " in people.text_of(m)), None
            )
        )
        assert str(people.list_media(over)[0].alt).startswith("Binary Primes. 3 by 3")
        assert resolver.asked <= set(NAMES) and {"discord.com", "gateway.discord.gg"} <= resolver.asked
        assert discord.unknown_routes == []
    finally:
        await client.close()
        await store.close()


def _boards(messages: list[dict[str, object]], ply: int) -> bool:
    return sum(bool(people.list_media(message)) for message in messages) == ply + 1
