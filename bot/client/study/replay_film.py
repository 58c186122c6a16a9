"""Makes moving pictures of matches in threads: one at a time, each once for all who wait, and kept briefly.

The people who wait take turns, so that the second film of one comes after the first of another.

A film is some seconds of work. It is made a frame at a time with the lowest rank, so that moves and looks go first, and
it is given up when nobody waits for it any more.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from bot.client.runtime.fair_queue import Asker, FairQueue
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.single_flight import SingleFlight, awaited
from bot.client.runtime.thread_pool import Rank
from bot.client.views.renderer import Renderer
from bot.core.game.legs import LEGS
from bot.core.match.loaded_match import Refusal, Sight
from bot.core.values.ids import UserId
from bot.core.values.seats import Viewer
from bot.service.analysis.replay_steps import Replay
from rendering.painter import animation
from rendering.shapes import Picture

Result = TypeVar("Result")

ROOM, KEPT_FOR = 16_000_000, 900.0
"""Bytes of films that are kept, and for how many seconds: as long as the buttons under them work."""
MOST_WAITING, MOST_EACH = 20, 2
"""The most films that are made or waited for at a time, and for one person, so that nobody fills the line."""
USUAL = 5.0
"""Seconds that a film is taken to need before one has been made."""
BREATH = 0.05
"""The longest pause between two pieces, in seconds: a film rests as long as it has worked."""
IMPATIENT = "Two moving pictures are already on their way to you. Ask again when they are there."
CROWDED = "I am making many moving pictures right now. Try again in a few minutes."


class Film(NamedTuple):
    """A film as a file, empty where none is small enough; and what its last frame shows, in words."""

    data: bytes
    alt: str


class Films:
    """Makes films in the renderer's threads."""

    def __init__(self, renderer: Renderer, clock: Callable[[], float] = loop_time) -> None:
        self._renderer = renderer
        self._clock = clock
        self._kept: OrderedDict[Hashable, tuple[float, Film]] = OrderedDict()
        self._under_way: dict[Hashable, SingleFlight[Film]] = {}
        self._askers: list[UserId] = []
        self.turns = FairQueue(lambda: 1)
        self._needed = USUAL

    async def make(self, replay: Replay, asker: UserId) -> Film:
        """The film of a match as somebody may see it; a `Refusal` where too many wait for one."""
        self._forget()
        if kept := self._kept.get(replay.like):
            return kept[1]
        if self._askers.count(asker) >= MOST_EACH:
            raise Refusal(IMPATIENT)
        found = self._under_way.get(replay.like)
        if found is None:
            if len(self._under_way) >= MOST_WAITING:
                raise Refusal(CROWDED)
            found = self._under_way[replay.like] = SingleFlight(
                asyncio.create_task(self._make(replay, asker)), Rank.IDLE
            )
        self._askers.append(asker)
        try:
            return await awaited(replay.like, found, self._under_way)
        finally:
            self._askers.remove(asker)

    async def _make(self, replay: Replay, asker: UserId) -> Film:
        async with self.turns.turn(Asker(replay.seated.row.guild, asker), cost=self._needed, about=replay.like):
            work, begun = filmed(replay), loop_time()
            while True:
                began = loop_time()
                ended = await self._renderer.run(partial(advanced, work), Rank.IDLE)
                await asyncio.sleep(min(BREATH, loop_time() - began))
                if ended is not None:
                    self._needed = (self._needed + loop_time() - begun) / 2
                    self._kept[replay.like] = self._clock(), ended
                    self._forget()
                    return ended

    def close(self) -> None:
        """Give up all that is being made."""
        for found in self._under_way.values():
            found.making.cancel()

    def _forget(self) -> None:
        """Drop what was made long ago, and the oldest where there is no room."""
        long_ago = self._clock() - KEPT_FOR
        while self._kept:
            made, _ = next(iter(self._kept.values()))
            weight = sum(len(film.data) for _, film in self._kept.values())
            if made > long_ago and (weight <= ROOM or len(self._kept) == 1):
                return
            self._kept.popitem(last=False)


def advanced(work: Generator[None, None, Result]) -> Result | None:
    """Do the next piece of some work; what has come of it, at its end."""
    try:
        next(work)
    except StopIteration as stop:
        return stop.value
    return None


def filmed(replay: Replay) -> Generator[None, None, Film]:
    """The making of a film, a frame at a step."""
    pictures = yield from pictured(replay)
    data = yield from animation.film(pictures)
    return Film(data or b"", pictures[-1].alt)


def pictured(replay: Replay, most: int = animation.MOST_FRAMES) -> Generator[None, None, list[Picture]]:
    """The boards of a match line by line, at most so many, evenly chosen. The first of two legs is shown to its end,
    then the second."""
    if replay.seated.game.once:
        return (yield from _each_leg(replay, most))
    found: list[Picture] = []
    seen: dict[tuple[Viewer, str], Picture] = {}
    places = frozenset(animation.evenly(replay.length + 1, most))
    for sight in replay.sights(places):
        pages = replay.seated.game.pictures(sight.position)
        found.append(pages[0] if len(found) == len(places) - 1 else told(sight, pages, seen))
        seen |= {(sight.viewer, page.name): page for page in pages}
        yield
    return found


def _each_leg(replay: Replay, most: int) -> Generator[None, None, list[Picture]]:
    """The boards of two legs, one leg after the other: a board for each line about it, and its end."""
    found: dict[int, list[Picture]] = {leg: [] for leg in LEGS}
    for sight in replay.sights(frozenset(animation.evenly(replay.length + 1, most - len(LEGS)))):
        pages = replay.seated.game.pictures(sight.position)
        moved = sight.match.leg_of(sight.record[-1]) if 0 < len(sight.record) < replay.length else None
        for leg in LEGS if moved is None else (moved,):
            board = next(page for page in pages if page.leg == leg)
            found[leg] += [board] if found[leg][-1:] != [board] else []
        yield
    return [page for leg in LEGS for page in found[leg]]


def told(sight: Sight, pages: Sequence[Picture], seen: Mapping[tuple[Viewer, str], Picture]) -> Picture:
    """The board, which is the first picture of a position. In games with secrets a viewer can have several boards: then
    the first on which something is new."""
    if not sight.seated.game.secret:
        return pages[0]
    return next((page for page in pages if seen.get((sight.viewer, page.name)) != page), pages[0])
