"""One run of the fleet: builds its parts, disturbs it, and checks everything when all is played."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.play.ids import ShardShare
from bot.sandbox.faults import FaultRota
from bot.sandbox.gateway import IDENTIFY_SECONDS
from tests.drill.__main__ import CAP, noon, spread
from tests.drill.verdict import Faults
from tests.fleet.bots import Member
from tests.fleet.database import STRANGERS, Doomed
from tests.fleet.disturbances import Disturbances
from tests.fleet.servers import Crowd
from tests.world import computer_referee, discord_faults, invariants
from tests.world.doors import Doors
from tests.world.findings import Ledger
from tests.world.homes import Home, named
from tests.world.passing_time import Passing
from tests.world.people import NAMES
from tests.world.player_acts import AT_ONCE, Told

RECONCILE = 1.0
NONCE_SECONDS = 60.0
"""For so long a nonce is remembered, which is some minutes on Discord. A bot that was killed is heard again after ten
seconds here, most of which it waits for its turn; two that have the same shards have nothing else in common."""
PATIENCE = 60.0
"""Seconds without a move after which a match that is not over is stuck; a clock may have to be given back first."""


@dataclass(frozen=True)
class Size:
    """How large a fleet is, how much is played in it, how often each thing happens; and in seconds, how long they play
    before the next happens, and how long two bots have the same shards."""

    processes: int
    shards: int
    servers: int
    matches: int
    at_once: int
    rounds: int
    quiet: float
    double: float


class Fleet:
    """One run."""

    def __init__(self, size: Size, shares: Sequence[ShardShare], server: Doomed, folder: Path, seed: int) -> None:
        self.size, self.shares, self.server, self.folder, self.seed = size, list(shares), server, folder, seed
        self.discord = Doors(shares, nonce_seconds=NONCE_SECONDS)
        self.told, self.tried, self.counts = set[Told](), set[Told](), Counter[str]()
        self.faults = Faults()
        self.note = self.faults.note
        self.rota: FaultRota | None = None
        self.seconds: dict[str, float] = {}
        self.since = time.time()
        self.history: list[str] = []

    async def run(self, seconds: float, fair: bool) -> dict[str, Any]:
        """Play while things happen, let everything be played to its end, and look at it."""
        running = asyncio.current_task()
        assert running
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.discord)
            await self._prepare()
            for member in self.members:
                stack.push_async_callback(member.end)
            await self._settle_down()
            began = time.perf_counter()
            self.rota = None if fair else discord_faults.break_out(self.discord)
            crowd = Crowd(self.homes, self.size.at_once, random.Random(self.seed + 1))
            await self._weather_it(seconds)
            self.history.append(f"{time.time() - self.since:.1f} s: nothing happens any more")
            self.seconds["happening"] = time.perf_counter() - began
            await self._play_out()
            await crowd.close()
            self.seconds["in all"] = time.perf_counter() - began
            await self._look()
            return self._report()

    # --- before

    async def _prepare(self) -> None:
        sharding = self.discord.gateway.sharding
        sharding.recommended = sharding.concurrency = self.size.shards
        sharding.pause = IDENTIFY_SECONDS
        roles = [f"bot{number}" for number in range(len(self.shares))]
        await self.server.prepare(list(zip(roles, self.shares, strict=True)))
        self.ledger = Ledger(self.server.database_url)
        self.referee = computer_referee.Referee(self.server.database_url)
        self.passing = Passing(self.ledger, random.Random(self.seed + 2))
        self.members = [self._member(share, role, role) for share, role in zip(self.shares, roles, strict=True)]
        self.homes = [self._home(number) for number in range(1, self.size.servers + 1)]
        self._by_server = {home.server.id: home for home in self.homes if home.server}
        self.discord.world.listeners += [self._heard, self.passing.heard]
        self.disturbances = Disturbances(
            self.discord, self.server, self.ledger, self.members, self._second, self.homes, self.passing,
            self.size.double,
        )  # fmt: skip

    def _member(self, share: ShardShare, role: str, name: str) -> Member:
        door = self.discord.doors[share]
        environment = {
            "DISCORD_TOKEN": self.discord.token,
            "GRAPHPAPER_API": f"http://127.0.0.1:{door}/api/v10",
            "GRAPHPAPER_GATEWAY": f"ws://127.0.0.1:{door}/gateway",
            "GRAPHPAPER_DATABASE": self.server.url_of(role),
            "GRAPHPAPER_RECONCILE": str(RECONCILE),
            "GRAPHPAPER_CONTAINER": "0",
        }
        return Member(share, environment, self.folder / f"{name}.log")

    def _second(self, member: Member) -> Member:
        role = f"bot{self.members.index(member)}"
        return self._member(member.share, role, f"{role}-second")

    def _home(self, number: int) -> Home:
        world, rng = self.discord.world, random.Random(self.seed * 1000 + number)
        people = [named(name, number) for name in NAMES]
        server = world.home if number == 1 else world.found_server(f"Server {number}", people=people)
        most = self.size.matches // self.size.servers + (number <= self.size.matches % self.size.servers)
        return Home(
            self.discord, rng, tables=4, told=self.told, tried=self.tried, counts=self.counts,
            server=server, number=number, most=most,
        )  # fmt: skip

    def _heard(self, event: str, message: dict[str, Any]) -> None:
        place = self.discord.world.channels.get(str(message.get("channel_id")))
        if event.startswith("MESSAGE") and place:
            self._by_server[place["guild_id"]].heard(event, message)

    async def _settle_down(self) -> None:
        """Begin without faults, all bots at once, and settle how people want to play."""
        began = time.perf_counter()
        await asyncio.gather(*(member.begin() for member in self.members))
        await self.discord.wait_for(lambda world: world.commands, 60)
        await self.disturbances.all_heard("all are started")
        self.seconds["starting"] = time.perf_counter() - began
        for home in self.homes:
            ann, dora = home.person(NAMES[0]), home.person(AT_ONCE)
            await ann.command("settings challenges", open=CAP, from_one=CAP, from_everybody=CAP)
            await ann.command("settings zone", zone=noon())
            await dora.command("preferences", confirm="off")

    # --- meanwhile

    async def _weather_it(self, seconds: float) -> None:
        until = time.perf_counter() + seconds
        for what, happens in self.disturbances.program(self.size.rounds):
            await asyncio.sleep(self.size.quiet)
            if time.perf_counter() > until:
                self.note(
                    "cut_short", [f"there was no time for: {what}, after {self.disturbances.happened.total()} others"]
                )
                return
            member = self.members[self.disturbances.happened[what] % len(self.members)]
            self.history.append(f"{time.time() - self.since:.1f} s: {what} ({member.share})")
            await happens(member)
            self.disturbances.happened[what] += 1
            await self.disturbances.all_heard(what)

    async def _play_out(self) -> None:
        """In good weather, until every match is over and shown. First each bot is begun anew, as after an update: what
        Discord has refused for good is tried again then."""
        self.discord.faults.clear()
        for member in self.members:
            await self.disturbances.kill(member)
        await self.disturbances.all_heard("all are begun anew")
        moved, before = time.perf_counter(), (-1, -1)
        while time.perf_counter() - moved < PATIENCE:
            rows = self.ledger.rows()
            settled = all(row.settled for row in rows) and not self.ledger.find_pending_edits()
            if settled and all(home.done for home in self.homes):
                return
            if (now := (len(rows), sum(row.version for row in rows))) != before:
                moved, before = time.perf_counter(), now
            await asyncio.sleep(0.5)
        self.note("stuck", invariants.stuck(self.discord.world, self.ledger))

    # --- afterwards

    async def _look(self) -> None:
        world, rows = self.discord.world, self.ledger.rows()
        self.note("lost", self.ledger.lost(self.told))
        self.note("torn", self.ledger.torn())
        self.note("twice", self.ledger.twice(self.tried))
        self.note("check", await self.ledger.check())
        self.faults.look_at_channels(world, self.ledger, self.passing)
        self.note("posted_twice", invariants.posted_twice(world, self.since))
        self.note("lobbies_or_threads_twice", invariants.twice(world))
        self.note("wrong_place", invariants.misplaced(world, self.ledger))
        self.note("strangers", invariants.strangers(self.discord))
        self.note("strangers", (line for (line,) in self.ledger.ask(STRANGERS)))
        self.note("missing", self.disturbances.missing)
        self.note("thought_otherwise", await self.referee.faults([row.id for row in rows]))
        for kind, found in invariants.manners(self.discord).items():
            self.note(kind, found)

    def _report(self) -> dict[str, Any]:
        rows = self.ledger.rows()
        requests = self.discord.watched.asked
        return {
            "seed": self.seed,
            "bots": [str(share) for share in self.shares],
            "servers": self.size.servers,
            "matches": len(rows),
            "moves": sum(row.plies for row in rows),
            "acknowledged": len(self.told),
            "seconds": {what: round(took, 1) for what, took in self.seconds.items()},
            "happened": dict(self.disturbances.happened),
            "absent": {what: spread(took) for what, took in self.disturbances.absences.items()},
            "ended_by_themselves": {str(one.share): one.endings for one in self.members if one.endings},
            "requests": [requests[self.discord.doors[share]] for share in self.shares],
            "sessions": self.discord.gateway.identified,
            "acts": dict(self.counts.most_common(30)),
            "misfortunes": discord_faults.suffered(self.rota) if self.rota else {},
            "time_passed": self.passing.figures(),
            "tracebacks": self._tracebacks(),
            **self.faults.counted(),
        }

    def _tracebacks(self) -> dict[str, int]:
        logs = {log.stem: log.read_text(errors="replace").count("Traceback") for log in self.folder.glob("*.log")}
        return {name: count for name, count in logs.items() if count}
