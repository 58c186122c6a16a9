"""The people of the fleet: the drill's, four to a server, who are to be met everywhere.

Far more people sit at tables than act at the same time: a few pairs of hands go from one to the next.
"""

from __future__ import annotations

import asyncio
import random

from tests.world import visible_matches
from tests.world.homes import Home
from tests.world.people import NAMES, Hand
from tests.world.visible_matches import Board

PAUSE = 0.02
SECRETS, PLAIN = 0.08, 0.7
"""How many of the matches are for four at once, and how many of the moves are plain commands."""


class Guest(Hand):
    """A hand of a player who mostly types and plays short matches, so that there can be many of them."""

    async def challenge(self) -> None:
        """Challenge a player, mostly to a short match."""
        if self.rng.random() < SECRETS:
            await super().challenge()
            return
        opponent = self.harness.person(self.rng.choice([name for name in NAMES if name != self.name]))
        pace = self.rng.choice(("none", "1", "bank"))
        act = self.me.command(
            "binary-primes challenge", visible_matches.CHANNEL, opponent=opponent, size=3, pace=pace, legs=1
        )
        self.challenged(await self.attempt(act))

    async def _in_turn(self, board: Board) -> None:
        if self.rng.random() < PLAIN:
            await self._by_command(board, self.rng.choice(board.empty))
        else:
            await super()._in_turn(board)


class Crowd:
    """All the people, and as many of them as act at a time."""

    def __init__(self, homes: list[Home], at_once: int, rng: random.Random) -> None:
        self.homes = homes
        self.rng = rng
        self.busy: set[Guest] = set()
        self.guests = {id(home): [Guest(home, name) for name in NAMES for _ in range(2)] for home in homes}
        self._roving = [asyncio.create_task(self._rove()) for _ in range(at_once)]

    async def _rove(self) -> None:
        while True:
            home = self.rng.choice(self.homes)
            guest = self.rng.choice(self.guests[id(home)])
            if home.closing:
                return
            if guest in self.busy or home.done or not home.online:
                await asyncio.sleep(PAUSE)
                continue
            self.busy.add(guest)
            try:
                acted = await guest.acted()
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
