"""Takes the names of those who were forgotten out of threads and posts that the database knows.

A thread is woken for that, named anew, and put back to sleep; its last board is drawn anew, and the line above it that
names people is deleted, as are Discord's about the thread's earlier names. The server's last puzzle and last week are
written anew. One after the other, by an outbox that a restart finds again; older lines are known to nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

import discord

from bot.client.publisher.publisher import Publisher
from bot.client.publisher.retries import Retries
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import refused
from bot.client.runtime.job_queue import Backoff
from bot.client.solving.poster import Poster
from bot.client.text import match_text
from bot.core.match.loaded_match import LoadedMatch, UnknownMatch
from bot.core.match.stored import Rewriting
from bot.core.puzzle.stored_puzzles import Series
from bot.core.values.ids import GuildId, MatchId, MessageId
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

AT_A_LOOK = 3
"""So many are written anew in one look, every few seconds: whoever played five hundred matches waits for an hour."""
WITHIN = 60.0
"""Seconds for one: to wake a thread, name it, draw its board, and put it to sleep."""
SHOWN_WITHIN = 10.0
"""Seconds until a match is looked at again that is not shown as it stands."""
RETRIES = Retries("What names somebody who was forgotten", Backoff(10, 3600), 40)
"""For more than a day."""

log = logging.getLogger(__name__)


class NameRemoval:
    """Works through what is to be written anew."""

    def __init__(self, umpire: Umpire, publisher: Publisher, posters: Mapping[Series, Poster]) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._publisher = publisher
        self._channels = publisher.channels
        self._posters = posters

    async def look(self) -> None:
        """Write some of it anew."""
        in_background.set(True)
        for one in await self._store.ask(Reader.rewritings, self._umpire.clock(), AT_A_LOOK):
            if self._channels.awaits(GuildId(one.guild)):
                await self._store.do(Transaction.rewrite_later, one, self._umpire.clock() + 60)
            else:
                await self._tried(one)

    async def _tried(self, one: Rewriting) -> None:
        try:
            async with asyncio.timeout(WITHIN):
                await self._rewritten(one)
            pause = None
        except Unavailable:
            raise
        except UnknownMatch:
            pause = None
        except Exception as fault:
            final = isinstance(fault, discord.HTTPException) and refused(fault)
            pause = None if final else RETRIES.after(MatchId(one.match or 0), one.tries + 1, fault)
        if pause is None:
            await self._store.do(Transaction.rewritten, one)
        else:
            await self._store.do(Transaction.rewrite_later, one, self._umpire.clock() + pause)

    async def _rewritten(self, one: Rewriting) -> None:
        if one.series:
            await self._posters[one.series].rewrite(GuildId(one.guild), MessageId(one.place))
        elif one.match:
            seated = await self._umpire.to_show(MatchId(one.match))
            if seated.row.shown_version < seated.row.version and seated.row.publish_error is None:
                raise discord.RateLimited(SHOWN_WITHIN)  # its end is just being shown
            await self._thread(seated)

    async def _thread(self, seated: LoadedMatch) -> None:
        row, channels = seated.row, self._channels
        names = await channels.names(row.guild, [player.user for player in seated.players])
        name = match_text.thread_name(names, f"{seated.game.title} · {row.id}")
        slept = await channels.retitle(row.guild, seated.place, name, match_text.OVER, marked=row.state != "live")
        try:
            if row.state == "live":  # its next board says all
                return
            if row.board_message:
                await self._publisher.boards.redraw(seated)
            if row.told_message and row.told_message != row.board_message:
                await channels.remove(seated.place, row.told_message)
            titles = name, f"{match_text.OVER}{name}"  # a longer title may end in this one
            for message in await channels.ours(seated.place):
                if message.type is discord.MessageType.channel_name_change and message.content not in titles:
                    await channels.remove(seated.place, MessageId(message.id))
        finally:
            if slept:
                await channels.set_archived(row.guild, seated.place, archived=True)
