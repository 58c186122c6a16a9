"""Draws the chart of a profile: the course of a person's rating, at one game or over all.

It is folded from every counted match of the server, which takes a second for twenty thousand. So that is done in a
thread, and the result is kept for the leaderboards that were asked for last. A person waits for it no longer than an
answer may take: it is there when they ask again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from weakref import WeakValueDictionary

from bot.client.runtime.thread_pool import Rank
from bot.client.text.ranking_text import BEGIN, POINT
from bot.client.views.renderer import Renderer, painted
from bot.client.views.views import Drawing
from bot.core.rating import careers
from bot.core.rating.careers import Came, Career, Careers, Mark
from bot.core.values.ids import GuildId, UserId
from rendering.charts import Course, chart
from rendering.shapes import Picture, grouped

Board = tuple[GuildId, str]
"""A server, and a game or all of them ("")."""
KEPT = 16
"""The number of leaderboards whose careers are kept; the largest take some megabytes each."""
WITHIN = 1.2
"""Seconds that somebody waits for a chart; the answer is due soon after."""
FEWEST = 2
ALL = "Rating after each of {played} rated matches, {where}."
LAST = "Rating after the last {shown} of {played} rated matches, {where}."
"""The fewest matches with a chart."""


class Archive:
    """The careers on some leaderboards; people who ask for the same one take turns, so that nothing is folded twice."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        self.turns: WeakValueDictionary[Board, asyncio.Lock] = WeakValueDictionary()
        """The locks of leaderboards that somebody asks for now."""
        self.folding: set[Board] = set()
        """The leaderboards that a thread folds, also where nobody waits any more."""
        self._kept: dict[Board, Careers] = {}

    def turn(self, board: Board) -> asyncio.Lock:
        """The lock to hold while one asks for a leaderboard; it exists as long as somebody holds it."""
        return self.turns.setdefault(board, asyncio.Lock())

    def seen(self, board: Board) -> Mark | None:
        """How much of a leaderboard's matches is folded; None for nothing."""
        kept = self._kept.get(board)
        return kept.mark if kept else None

    async def drawn(self, board: Board, seen: Mark | None, came: Came, user: UserId, where: str) -> Drawing | None:
        """Fold what came since a leaderboard was `seen`, and paint somebody's career; None where they have too few
        matches. `TimeoutError` where it takes too long for an answer."""
        async with asyncio.timeout(WITHIN):
            return await self.renderer.run(partial(self.taken, board, seen, came, user, where), Rank.LOOK)

    def taken(self, board: Board, seen: Mark | None, came: Came, user: UserId, where: str) -> Drawing | None:
        """The same in this thread, without a limit."""
        before = self._kept.get(board)
        if not came.whole and (before is None or before.mark != seen):
            return None  # an earlier request gave up waiting, and its result is there by now
        self.folding.add(board)
        try:
            kept = careers.grown(before, came)
            self._keep(board, kept)
        finally:
            self.folding.discard(board)
        career = kept.of(user)
        return painted([pictured(career, where)]) if career and career.played >= FEWEST else None

    def _keep(self, board: Board, kept: Careers) -> None:
        self._kept.pop(board, None)
        self._kept[board] = kept
        while len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))


def pictured(career: Career, where: str) -> Picture:
    """The chart of a rating over the last matches; from the first rating where these are all."""
    points = tuple(round(BEGIN + POINT * value) for value in career.values)
    whole = career.played == len(points)
    course = Course((BEGIN, *points) if whole else points)
    first = 0 if whole else career.played - len(points) + 1
    told = ALL if whole else LAST
    after = told.format(shown=len(points), played=career.played, where=where)
    said = f"{after} {highest(points, career.played)}"
    return chart("rating", said, [course], [said], first=first, base=None)


def highest(points: Sequence[int], played: int) -> str:
    """The rating now, and when it was highest."""
    best = max(points)
    match = played - len(points) + 1 + points.index(best)
    if points[-1] == best:
        return f"It is {grouped(best)} now, higher than ever."
    return f"It is {grouped(points[-1])} now, and was {grouped(best)} at best, after match {match}."
