"""Posts the message of the day in the channels that servers have chosen: once a day each, and nobody is pinged.

`bot.service.daily.posting` decides in the store which message is due and who sends it. A message that may have arrived
is looked for before it is sent again; where we cannot look, it is given up: better none than two.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

import discord

from bot.client.background.clock_worker import Shards
from bot.client.http.messages import Channels, refused
from bot.client.http.request_traces import in_background
from bot.client.publisher.retries import SEND_WITHIN, failure_reason
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.thread_pool import Rank
from bot.client.solving import daily_text
from bot.client.solving.daily_viewer import face, opener
from bot.client.views import views
from bot.client.views.renderer import Renderer
from bot.core.puzzle import puzzles
from bot.core.puzzle.puzzles import Day
from bot.core.puzzle.stored_puzzles import DailyChannel
from bot.core.values.ids import MessageId
from bot.service.daily import posting
from bot.service.daily.posting import UNSENT, Post
from bot.service.umpire.umpire import Umpire
from data.store import Reader

BETWEEN = 30.0
"""Seconds between two looks."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class DailyPoster:
    """Looks for messages of the day that are due, and sends them one after the other."""

    def __init__(self, umpire: Umpire, channels: Channels, renderer: Renderer) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._channels = channels
        self._renderer = renderer
        self._next = 0.0

    async def look(self, shards: Shards) -> None:
        """Send what is due, if the last look was a while ago."""
        if loop_time() < self._next:
            return
        self._next = loop_time() + BETWEEN
        in_background.set(True)
        for row in await self._store.ask(Reader.daily_channels):
            now = self._umpire.clock()
            if posting.due(row, now) is None or not shards.reaches(row.guild) or self._channels.awaits(row.guild):
                continue
            await self._send(row, now)

    async def _send(self, row: DailyChannel, now: int) -> None:
        post = await self._store.do(posting.claimed, row, now)
        if post is None:
            return
        steps.debug("claimed daily %d", post.day)
        try:
            async with asyncio.timeout(SEND_WITHIN):
                message = await self._sent(post)
        except Exception as fault:
            if not (isinstance(fault, discord.HTTPException) and refused(fault)):
                why = failure_reason(fault)
                log.log(
                    logging.INFO if why else logging.WARNING, "A daily puzzle is posted again later: %s.",
                    why or "an unexpected error", exc_info=None if why else fault,
                )  # fmt: skip
                return
            log.info("A daily puzzle is not posted: %s", fault)
            message = UNSENT
        steps.debug("posted daily %d", post.day)
        await self._store.do(posting.sent, post, message)

    async def _sent(self, post: Post) -> MessageId:
        """The message of a day: the one that has arrived already, or a new one; `UNSENT` where nobody can know."""
        if post.again:
            reads = self._channels.reads(post.guild, post.channel)
            ours, whole = await self._channels.ours_since(post.channel, post.since, direct=reads)
            found = next((message for message in ours if is_of(message, post.day)), None)
            if found or not whole:
                return MessageId(found.id) if found else UNSENT
        puzzle = await self._puzzle(post.day)
        before = ""
        if post.yesterday:
            before = daily_text.yesterday(post.day - 1, await self._puzzle(post.day - 1), post.yesterday)
        view, files = await face(self._renderer, post.day, puzzle, private=False, before=before)
        message = await self._channels.post(post.channel, view, files, (), nonce(post))
        return MessageId(message.id)

    async def _puzzle(self, day: Day) -> puzzles.Puzzle:
        return await self._renderer.run(partial(puzzles.of_day, day), Rank.LOOK)


def is_of(message: discord.Message, day: Day) -> bool:
    """Whether a message of ours is that of a day: its button opens the day's puzzle."""
    return str(opener(day)) in views.custom_ids_on(message.components)


def nonce(post: Post) -> str:
    """The nonce of a server's message of a day; a retry has the same."""
    return f"d{post.day}.{post.guild % 10**15}"
