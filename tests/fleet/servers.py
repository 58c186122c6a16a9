"""The servers in which people play, and the people: the drill's, four to a server, who are to be met everywhere.

Far more people sit at tables than act at the same time: a few pairs of hands go from one to the next.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from bot.sandbox import Person
from bot.sandbox.world.servers import Server
from tests.fleet.discord import Discord
from tests.world import visible_matches
from tests.world.people import NAMES, Hand
from tests.world.player_acts import House
from tests.world.visible_matches import Board

PAUSE = 0.02
SECRETS, PLAIN = 0.08, 0.7
"""How many of the matches are for four at once, and how many of the moves are plain commands."""


@dataclass
class Home(House):
    """A server where people play so many matches in all."""

    server: Server | None = None
    number: int = 1
    most: int = 8
    begun: set[int] = field(default_factory=set[int])

    @property
    def discord(self) -> Discord:
        """All servers."""
        assert isinstance(self.sandbox, Discord)
        return self.sandbox

    @property
    def online(self) -> bool:
        """Whether the bot can be heard here."""
        assert self.server
        return self.discord.online(self.server)

    def person(self, name: str) -> Person:
        """Who goes by a name here; elsewhere it is somebody else."""
        return self.sandbox.person(named(name, self.number), self.server)

    def heard(self, event: str, message: dict[str, object]) -> None:
        """Something was posted here."""
        self.seen.heard(event, message)
        self.begun |= self.seen.boards.keys() | {one.match for one in self.seen.lobbies.values()}
        self.challenging = len(self.begun) < self.most

    @property
    def done(self) -> bool:
        """Whether all visible matches are played."""
        return not self.challenging and not self.seen.lobbies and all(one.over for one in self.seen.boards.values())


def named(name: str, number: int) -> str:
    """What somebody is called in a server."""
    return name if number == 1 else f"{name} {number}"


class Guest(Hand):
    """A hand of somebody who mostly types and plays short matches, so that there can be many of them."""

    async def challenge(self) -> None:
        """Challenge somebody, mostly to a short match."""
        if self.lots.random() < SECRETS:
            await super().challenge()
            return
        opponent = self.house.person(self.lots.choice([name for name in NAMES if name != self.name]))
        pace = self.lots.choice(("none", "1", "bank"))
        act = self.me.command("binary-primes challenge", visible_matches.CHANNEL, opponent=opponent, size=3, pace=pace)
        self.challenged(await self.attempt(act))

    async def _in_turn(self, board: Board) -> None:
        if self.lots.random() < PLAIN:
            await self._by_command(board, self.lots.choice(board.empty))
        else:
            await super()._in_turn(board)


class Crowd:
    """All the people, and as many of them as act at a time."""

    def __init__(self, homes: list[Home], at_once: int, lots: random.Random) -> None:
        self.homes = homes
        self.lots = lots
        self.busy: set[Guest] = set()
        self.guests = {id(home): [Guest(home, name) for name in NAMES for _ in range(2)] for home in homes}
        self._roving = [asyncio.create_task(self._rove()) for _ in range(at_once)]

    async def _rove(self) -> None:
        while True:
            home = self.lots.choice(self.homes)
            guest = self.lots.choice(self.guests[id(home)])
            if home.closing:
                return
            if guest in self.busy or home.done or not home.online:
                await asyncio.sleep(PAUSE)
                continue
            self.busy.add(guest)
            try:
                acted = await guest.act()
            finally:
                self.busy.discard(guest)
            if not acted:
                await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        """Let everybody end what they are doing; what went wrong is raised."""
        for home in self.homes:
            home.closing = True
            home.died.set()
        ended = await asyncio.gather(*self._roving, return_exceptions=True)
        for fault in ended:
            if isinstance(fault, BaseException):
                raise fault
