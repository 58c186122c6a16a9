"""Where pictures are drawn: an own pool of threads, since encoding leaves the interpreter free to do other things."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from bot.client.views import Drawing
from bot.core.catalogue import example, offered
from bot.core.game import Game, Position
from bot.core.match import Match
from rendering import paint

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class Renderer:
    """Draws positions off the event loop. Painted pictures are remembered by the painter."""

    def __init__(self) -> None:
        self._painters = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="painter")
        # Whoever types asks at every key; a slow listing is not to hold up anybody's board.
        self._workers = ThreadPoolExecutor(2, thread_name_prefix="worker")

    async def draw(self, game: Game, seen: Position) -> Drawing:
        """The pictures of a position, as it is seen by whoever is to have them."""
        return await asyncio.get_running_loop().run_in_executor(self._painters, drawn, game, seen)

    async def run(self, work: Callable[[], Result]) -> Result:
        """Do something that may take a while, such as listing moves, off the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)

    async def warm_up(self) -> None:
        """Draw every game's first board and an example, so that what somebody sees first is as quick as the next."""
        await self.run(paint.warm_up)
        for game in offered().values():
            try:
                for match in await self.run(partial(_samples, game)):
                    await self.draw(game, match.position)
            except Exception:
                log.exception("%s cannot be drawn.", game.title)

    def close(self) -> None:
        """Let the threads go."""
        self._painters.shutdown(wait=False)
        self._workers.shutdown(wait=False)


def _samples(game: Game) -> list[Match]:
    """A match of a game at its start, and one that was played."""
    first = Match.start(game, {}, 2 if 2 in game.seats else game.seats[0])
    return [match for match in (first, example(game)) if match]


def drawn(game: Game, seen: Position) -> Drawing:
    """Describe and paint the pictures of a position, in this thread."""
    pictures = game.pictures(seen)
    return Drawing(pictures, tuple(paint.png(picture) for picture in pictures))
