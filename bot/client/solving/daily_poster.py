"""The message of the day: what yesterday's puzzle was, who solved it, and today's."""

from __future__ import annotations

from functools import partial

import discord

from bot.client.moves.trial_pad import Shown
from bot.client.people.remaining import absent
from bot.client.runtime.thread_pool import Rank
from bot.client.solving import daily_text
from bot.client.solving.daily_viewer import PuzzleButton, alone_at, face
from bot.client.solving.poster import Poster
from bot.client.views import views
from bot.client.views.naming import POST
from bot.core.puzzle import puzzles
from bot.core.puzzle.puzzles import Day
from bot.service.daily.posting import Post


class DailyPoster(Poster):
    """Posts the daily puzzle."""

    series = "daily"

    async def composed(self, post: Post) -> Shown:
        """Yesterday's puzzle in words, and today's as it is to be solved."""
        puzzle, before = await self._puzzle(post.day), ""
        seen = self._channels.seen_with(post.guild, post.channel)
        alone = await self._store.ask(alone_at, post.guild, post.day, seen)
        solvers = [user for user, _ in post.yesterday.solvers] if post.yesterday else []
        gone = await absent(self._members, post.guild, (*alone.people[:1], *solvers, *alone.people[1:]), POST)
        if post.yesterday:
            before = daily_text.yesterday(post.day - 1, await self._puzzle(post.day - 1), post.yesterday, gone)
        return await face(self._renderer, post.day, puzzle, alone.told(gone), private=False, before=before)

    def is_of(self, message: discord.Message, day: Day) -> bool:
        """Whether the button of a message of ours opens the day's puzzle."""
        return str(PuzzleButton(day)) in views.custom_ids_on(message.components)

    async def _puzzle(self, day: Day) -> puzzles.Puzzle:
        return await self._renderer.run(partial(puzzles.of_day, day), Rank.LOOK)
