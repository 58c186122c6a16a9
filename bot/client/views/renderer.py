"""Draws pictures in threads, each once for all who wait for it (single-flight), and keeps the latest.

The files are kept as they are sent; the shapes they were painted from are several times as large.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import TypeVar

from bot.client.runtime.metrics import Metrics
from bot.client.runtime.single_flight import SingleFlight, awaited
from bot.client.runtime.thread_pool import Rank, ThreadPool
from bot.client.text import match_chart
from bot.client.views import pad_picture
from bot.client.views.views import Caption, Drawing
from bot.core.entry.partial_move import PartialMove
from bot.core.game.game import Game
from bot.core.game.legs import Leg
from bot.core.game.position import Position
from bot.core.library.catalogue import example, offered, rules_example
from bot.core.match.loaded_match import Sight
from bot.core.match.match import Match
from bot.core.values.seats import Seat
from rendering.painter import paint
from rendering.shapes import Picture

Result = TypeVar("Result")
Key = tuple[str, Hashable]
"""What is drawn: a position, a position with a partial move, or the chart of a match."""

ROOM = 8_000_000
"""Bytes of finished pictures that are kept: those of some two hundred positions."""

log = logging.getLogger(__name__)


class Renderer:
    """Draws positions off the event loop."""

    def __init__(self, threads: int, metrics: Metrics | None = None) -> None:
        self._threads = ThreadPool(threads)
        self.metrics = metrics or Metrics()
        self._kept: OrderedDict[Key, Drawing] = OrderedDict()
        self._weight = 0
        self._under_way: dict[Key, SingleFlight[Drawing]] = {}

    async def draw(self, game: Game, seen: Position, rank: Rank = Rank.MOVE) -> Drawing:
        """The pictures of a position; `seen` has only what its viewer may know."""
        return await self._once((game.key, seen), lambda: drawn(game, seen), rank)

    async def board(self, sight: Sight, rank: Rank = Rank.MOVE) -> Drawing:
        """The pictures of a match as somebody may see it; at its end the board alone."""
        drawing = await self.draw(sight.match.game, sight.position, rank)
        shown, small = match_chart.shown_of([one.leg for one in drawing.pictures]), match_chart.small_leg(sight)
        if not small:
            return drawing.some(shown)
        return sum([await self._alone(sight, at, rank, small) for at in shown], Drawing((), ()))

    async def small(self, sight: Sight) -> Drawing:
        """The first picture of a match, as it stands beside a line."""
        return await self._alone(sight, 0, Rank.MOVE)

    async def _alone(self, sight: Sight, at: int, rank: Rank, small: Leg | None = None) -> Drawing:
        """One picture of a match without what stands below the board; small, unless another leg is."""
        game, seen = sight.match.game, sight.position

        def made() -> Drawing:
            picture = game.pictures(seen)[at]
            return painted([match_chart.in_leg(picture, picture.leg if small is None else small)])

        return await self._once((game.key, (seen, at, small)), made, rank)

    async def details(self, sight: Sight, rank: Rank = Rank.LOOK) -> Drawing:
        """All pictures of a match; at its end also the chart of the scores, if there is room."""
        match = sight.match
        drawing = await self.draw(match.game, sight.position, rank)
        if not match.finished or not match_chart.is_told(sight) or len(drawing.pngs) >= match_chart.MOST_PICTURES:
            return drawing
        went = match.game.key, (match.options, match.seats, match.standing)
        return drawing + await self._once(went, lambda: plotted(match), rank)

    async def sketch(
        self, game: Game, seen: Position, seat: Seat, so_far: PartialMove, rank: Rank = Rank.LOOK
    ) -> Drawing:
        """The pictures of a position with what a seat has chosen of its move marked on them."""
        return await self._once((game.key, (seen, seat, so_far)), lambda: sketched(game, seen, seat, so_far), rank)

    async def on_paper(self, game: Game, seen: Position, seat: Seat, so_far: PartialMove) -> Drawing:
        """The same without anything that is worked out."""
        work = partial(pad_picture.on_paper, game, seen, seat, so_far)
        return await self._once((game.key, (seen, seat, so_far, "paper")), lambda: painted(work()), Rank.LOOK)

    async def imagined(self, game: Game, seen: Position, moves: tuple[PartialMove, ...]) -> Drawing:
        """The pictures of a position with moves that somebody has in mind marked on them."""
        work = partial(pad_picture.imagined, game, seen, moves)
        return await self._once((game.key, (seen, moves)), lambda: painted(work()), Rank.LOOK)

    async def _once(self, key: Key, make: Callable[[], Drawing], rank: Rank) -> Drawing:
        """A drawing that is kept or under way, or is made now."""
        if kept := self._kept.get(key):
            self._kept.move_to_end(key)
            return kept
        found = self._under_way.get(key)
        if found is None or found.rank > rank:
            # A move does not wait in the queue of those who look.
            found = self._under_way[key] = SingleFlight(asyncio.create_task(self._draw(key, make, rank)), rank)
        return await awaited(key, found, self._under_way)

    async def run(self, work: Callable[[], Result], rank: Rank = Rank.MOVE) -> Result:
        """Do work that takes a while, such as listing moves, in a thread."""
        return await self._threads.do(work, rank)

    async def _draw(self, key: Key, make: Callable[[], Drawing], rank: Rank) -> Drawing:
        drawing, seconds = await self._threads.do(partial(timed, make, asyncio.get_running_loop().time), rank)
        self.metrics.drawn(seconds)
        self._keep(key, drawing)
        return drawing

    def _keep(self, key: Key, drawing: Drawing) -> None:
        if key not in self._kept:
            self._weight += drawing.weight
        self._kept[key] = drawing
        while self._weight > ROOM and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._weight -= oldest.weight

    async def warm_up(self) -> None:
        """Draw every game's first board and its examples, so that what somebody sees first is as quick as the next."""
        await self.run(paint.warm_up, Rank.IDLE)
        for game in offered().values():
            try:
                for position in await self.run(partial(_samples, game), Rank.IDLE):
                    await self.draw(game, position, Rank.IDLE)
            except Exception:
                log.exception("%s cannot be drawn.", game.title)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.close()


def _samples(game: Game) -> list[Position]:
    """A game at the start of a match, and the positions that show what it is."""
    first, shown = Match.start(game, {}, 2 if 2 in game.seats else game.seats[0]), example(game)
    found = (first.position, rules_example(game), shown.position if shown else None)
    return [position for position in found if position]


def timed(make: Callable[[], Result], clock: Callable[[], float]) -> tuple[Result, float]:
    """The result of some work in this thread, and its seconds."""
    began = clock()
    return make(), clock() - began


def drawn(game: Game, seen: Position) -> Drawing:
    """Describe and paint the pictures of a position, in this thread."""
    return painted(game.pictures(seen))


def sketched(game: Game, seen: Position, seat: Seat, so_far: PartialMove) -> Drawing:
    """Describe and paint a position with what a seat has chosen of its move, in this thread."""
    return painted(pad_picture.pictures(game, seen, seat, so_far))


def plotted(match: Match) -> Drawing:
    """Fold the scores of a finished match and paint them, in this thread; no picture where there is nothing to see."""
    found = match_chart.of_scores(match)
    return painted([found] if found else [])


def painted(pictures: Sequence[Picture]) -> Drawing:
    """Pictures as files."""
    return Drawing(tuple(Caption(one.alt, one.leg) for one in pictures), tuple(paint.png(one) for one in pictures))
