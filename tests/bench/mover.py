"""A process that does nothing but play: the umpire and the store of a bot, without Discord.

It reads one line of JSON, its orders; says that it is ready when it has opened its matches; begins with the next line;
and at the end writes what it did as JSON: moves, the seconds of each, and how long it kept the processor busy.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field
from random import Random, SystemRandom

from bot.games.catalogue import load_games
from bot.play.ids import InteractionId, MatchId
from bot.play.loaded_match import LoadedMatch
from bot.umpire.umpire import Umpire
from data.store import Store

ACTS = 10**12
"""Of so many numbers for acts each process has its own."""


@dataclass(frozen=True)
class Orders:
    """Where to play, what, by how many people at once, and for how long. `number` tells the processes apart."""

    url: str
    matches: list[int]
    side_by_side: int
    seconds: float
    number: int


@dataclass
class Mover:
    """Plays its matches by turns."""

    orders: Orders
    umpire: Umpire
    rng: Random = field(default_factory=lambda: Random(6))
    times: list[float] = field(default_factory=list[float])
    acts: int = 0

    async def opened(self) -> list[LoadedMatch]:
        """All matches, read once, as they are where people play."""
        return [await self.umpire.load(MatchId(match)) for match in self.orders.matches]

    async def play(self, matches: list[LoadedMatch], until: float) -> None:
        """One player's share: a move in each, again and again."""
        while matches and time.monotonic() < until:
            loaded = matches.pop(0)
            after = await self._move(loaded)
            if after.match and after.match.turn:
                matches.append(after)

    async def _move(self, loaded: LoadedMatch) -> LoadedMatch:
        assert loaded.match
        seat = loaded.match.turn[0]
        square = self.rng.choice(list(loaded.match.position.moves(seat)))
        user = next(player.user for player in loaded.row.players if player.seat == seat)
        self.acts += 1
        act = InteractionId(self.orders.number * ACTS + self.acts)
        began = time.perf_counter()
        done = await self.umpire.move(act, loaded.id, user, square)
        self.times.append(time.perf_counter() - began)
        return done.after

    async def all(self, matches: list[LoadedMatch]) -> None:
        """Everybody at once."""
        until, step = time.monotonic() + self.orders.seconds, self.orders.side_by_side
        await asyncio.gather(*(self.play(matches[first::step], until) for first in range(step)))


async def line() -> str:
    """The next line of what is told."""
    return await asyncio.to_thread(sys.stdin.readline)


async def main() -> None:
    """Do as told."""
    orders = Orders(**json.loads(await line()))
    store = Store(orders.url)
    mover = Mover(orders, Umpire(store, load_games(), lambda: int(time.time()), SystemRandom()))
    matches = await mover.opened()
    print("ready", flush=True)
    await line()
    began, busy = time.perf_counter(), time.process_time()
    await mover.all(matches)
    took, busy = time.perf_counter() - began, time.process_time() - busy
    await store.close()
    print(json.dumps({"moves": len(mover.times), "took": took, "busy": busy, "times": mover.times}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
