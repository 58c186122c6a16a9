"""A sandbox with a bot in a process of its own, people to play, and matches that are under way."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bot.play.match import Match
from bot.sandbox import posts, seed, threads
from bot.sandbox.components import TEXT, V2
from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from bot.sandbox.posts import MessageDraft
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.stand_in import Sandbox
from data.store import Store, Transaction
from data.upkeep.upgrade import migrate
from tests.bench import underway
from tests.bench.underway import Place

PATIENCE = 60.0
ACTIVE = 500


@dataclass
class Live:
    """A match that is played: where, by whom (in order of seats), and how it stands."""

    match: Match
    number: int
    thread: str
    players: tuple[Person, Person]

    @property
    def mover(self) -> Person:
        """Who is to move."""
        return self.players[self.match.turn[0] - 1]

    def square(self, rng: Random) -> str:
        """An empty square."""
        return rng.choice(list(self.match.position.moves(self.match.turn[0])))

    def played(self, square: str) -> None:
        """Note a move."""
        self.match = self.match.play(self.match.turn[0], square)


class Tally(deque[RequestLogEntry]):
    """What the bot asks of Discord, counted by route, with the time of each."""

    def __init__(self) -> None:
        super().__init__(maxlen=1)
        self.times: dict[str, list[float]] = {}

    def append(self, entry: RequestLogEntry) -> None:
        """A request was answered."""
        super().append(entry)
        self.times.setdefault(f"{entry.method} {entry.route}", []).append(time.perf_counter())

    def counted(self, since: float = 0.0) -> Counter[str]:
        """How many there were by route."""
        return Counter({route: sum(at >= since for at in times) for route, times in self.times.items()})


class Hall:
    """`async with Hall(folder) as hall`: a sandbox, a prepared database, and later the bot."""

    def __init__(self, folder: Path, reconcile: float = 1.0, database: str = "") -> None:
        folder.mkdir()
        self.folder = folder
        self.sandbox = Sandbox(phones=False)
        self.database = database or f"sqlite:///{folder / 'bench.db'}"
        self.reconcile = reconcile
        self.threads = 0
        """How many it has made."""
        self.process: Process | None = None
        self.heard: Callable[[str, int, float], None] = lambda step, number, at: None
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Hall:
        await self._stack.enter_async_context(self.sandbox)
        await migrate(self.database)
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self.process and self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
            await self.process.wait()
        if self._reading:
            await self._reading
        await self._stack.aclose()

    def environment(self) -> dict[str, str]:
        """The environment of a bot in this hall."""
        return {
            **os.environ,
            "DISCORD_TOKEN": self.sandbox.token,
            "GRAPHPAPER_API": self.sandbox.api_url,
            "GRAPHPAPER_GATEWAY": self.sandbox.gateway_url,
            "GRAPHPAPER_DATABASE": self.database,
            "GRAPHPAPER_RECONCILE": str(self.reconcile),
            "GRAPHPAPER_CONTAINER": "0",
        }

    async def serve(self, *module: str) -> float:
        """Start a bot and wait until it is heard; seconds until then."""
        began = time.perf_counter()
        environment = {**self.environment(), "GRAPHPAPER_LOG": "WARNING"}
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *module, env=environment, stdin=PIPE, stdout=PIPE
        )
        self._reading = asyncio.create_task(self._read())
        await self.sandbox.wait_for(lambda world: world.commands and self.sandbox.gateway.is_online, PATIENCE)
        return time.perf_counter() - began

    async def _read(self) -> None:
        assert self.process and self.process.stdout
        async for line in self.process.stdout:
            if line.startswith(b"{"):
                self.answers.put_nowait(json.loads(line))
            else:
                step, number, at = line.decode().split()
                self.heard(step, int(number), float(at))

    async def report(self) -> dict[str, Any]:
        """What the bot measured of itself since the last report."""
        assert self.process and self.process.stdin
        self.process.stdin.write(b"\n")
        return await self.answers.get()

    def tally(self) -> Tally:
        """Count from now on what is asked of Discord."""
        self.sandbox.rest.log = counted = Tally()
        return counted

    def people(self, count: int) -> list[Person]:
        """New members of the server."""
        world = self.sandbox.world
        names = [f"Player {number}" for number in range(1, count + 1)]
        for name in names:
            user = seed.make_user(world.new_id(), name)
            world.users[user["id"]] = user
            world.home_members[user["id"]] = seed.make_member([], world.timestamp())
        return [self.sandbox.person(name) for name in names]

    def thread(self, name: str) -> Json:
        """A thread of the bot's, with the message it was made from; archived where there are many: Discord has room for
        1,000 others in a server."""
        world = self.sandbox.world
        games_channel = world.channel_named("games")["id"]
        text = {"type": TEXT, "content": name}
        lobby = posts.create_message(world, games_channel, world.me, MessageDraft({"flags": V2, "components": [text]}))
        made = threads.start_thread_on_message(world, lobby, world.me, {"name": name})
        self.threads += 1
        if self.threads > ACTIVE:
            threads.set_archived(world, made, True)
        return made

    async def seat(self, people: Sequence[Person], count: int, size: int, plies: int, rng: Random) -> list[Live]:
        """Write matches under way into the database; their boards have not been shown yet."""
        store = Store(self.database)
        live: list[Live] = []

        def written(tx: Transaction) -> None:
            for _ in range(count):
                first, second = rng.sample(people, 2)
                thread = self.thread("Binary Primes")
                match = underway.drawn(size, plies, rng)
                place = Place(*(int(thread[key]) for key in ("guild_id", "parent_id", "id")))
                number = underway.write(tx, match, place, (int(first.id), int(second.id)))
                live.append(Live(match, number, thread["id"], (first, second)))

        await store.do(written)
        await store.close()
        return live
