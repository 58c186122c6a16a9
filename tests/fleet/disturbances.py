"""The disturbances of the fleet, one after another, each for every bot in turn.

After each all bots are waited for, so that the next one meets a fleet at work; how long that took is noted.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bot.platform.processes import LEADER
from tests.fleet.bots import Member
from tests.fleet.database import Doomed
from tests.world.doors import Doors
from tests.world.findings import Ledger
from tests.world.homes import Home
from tests.world.passing_time import Passing

BACK_WITHIN = 90.0
"""Seconds in which a bot must be heard again, sessions that may not begin at once included."""
FROZEN, DARK = 4.0, 1.0
"""For how many seconds something stands still, and the database is away."""
LED_BY = f"select value from key_values where name = '{LEADER}'"


@dataclass
class Disturbances:
    """The things that happen, and what to do them to."""

    discord: Doors
    server: Doomed
    ledger: Ledger
    members: list[Member]
    second: Callable[[Member], Member]
    homes: list[Home]
    passing: Passing
    double_seconds: float
    happened: Counter[str] = field(default_factory=Counter[str])
    absences: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    missing: list[str] = field(default_factory=list[str])

    def program(self, rounds: int) -> Sequence[tuple[str, Callable[[Member], Awaitable[None]]]]:
        """What happens in what order, the rest in turn to each bot."""
        each: list[tuple[str, Callable[[Member], Awaitable[None]]]] = [
            ("a bot is killed", self.kill),
            ("the database is killed", self.kill_database),
            ("the leader is killed", self.kill_leader),
            ("the database stands still", self.freeze_database),
            ("a bot is killed", self.kill),
            ("a bot stands still", self.freeze),
            ("two bots have the same shards", self.double),
        ]
        return each * rounds

    async def all_heard(self, what: str) -> None:
        """Wait until every bot is heard, and note how long that takes."""
        began = time.perf_counter()
        for member in self.members:
            try:
                await self.discord.wait_for(lambda world, it=member: self.discord.heard(it.share), BACK_WITHIN)
            except TimeoutError:
                self.missing.append(f"{member.share} was not heard in {BACK_WITHIN:g} s after: {what}")
        self.absences.setdefault(what, []).append(time.perf_counter() - began)

    async def kill(self, member: Member) -> None:
        """A bot dies; time passes in its matches, and it is started again."""
        homes = [home for home in self.homes if home.server and member.share.holds(int(home.server.id))]
        await member.end()
        for home in homes:
            home.died.set()
        await self.discord.wait_for(lambda world: self.discord.silent(member.share), 10)
        share = member.share
        self.passing.let(
            remind=self.happened["a bot is killed"] % 2 == 1,
            where=f"(m.guild >> 22) % {share.count} between {share.first} and {share.last}",
        )
        for home in homes:
            home.died.clear()
        await member.begin()

    def leader(self) -> Member | None:
        """Who leads."""
        for (value,) in self.ledger.ask(LED_BY):
            number = str(value).split(":")[1:2]
            return next((one for one in self.members if [str(one.pid)] == number), None)
        return None

    async def kill_leader(self, member: Member) -> None:
        """The leader dies; where there is none just now, another bot."""
        leader = self.leader()
        self.happened["the leader was found"] += leader is not None
        await self.kill(leader or member)

    async def kill_database(self, member: Member) -> None:
        """The database's server dies, and is back a moment later."""
        await asyncio.to_thread(self.server.kill)
        await asyncio.sleep(DARK)
        await self.server.begin()

    async def freeze_database(self, member: Member) -> None:
        """The database's server answers nobody for a while."""
        self.server.freeze()
        await asyncio.sleep(FROZEN)
        self.server.thaw()

    async def freeze(self, member: Member) -> None:
        """A bot stands still for a while, and goes on as if nothing had been."""
        member.freeze()
        await asyncio.sleep(FROZEN)
        member.thaw()

    async def double(self, member: Member) -> None:
        """A second bot has the same shards by mistake; then it is gone."""
        second = self.second(member)
        await second.begin()
        await asyncio.sleep(self.double_seconds)
        await second.end()
