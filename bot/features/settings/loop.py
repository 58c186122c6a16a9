"""Deletes the data of servers that the bot has left, and rewrites what names forgotten users or is no longer so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

import discord
from discord.ext import commands

from bot.features.board import line_words
from bot.features.board import words as board_words
from bot.features.board.publisher import Publisher
from bot.features.daily.loop import Poster
from bot.features.settings.service import ForgettingService
from bot.platform.error_codes import is_refusal
from bot.platform.jobs import Backoff
from bot.platform.machine import in_background, loop_time
from bot.platform.outbox import RetryPolicy
from bot.play.ids import GuildId, MatchId, MessageId
from bot.play.loaded_match import LoadedMatch, MatchView, UnknownMatch
from bot.play.puzzles import Series
from bot.play.rows import PendingRewrite
from bot.umpire import acts
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader, Transaction

# Finds servers that have removed the bot, ends their matches and leagues, and a month later deletes their data.


EVERY = 3600.0
"""Seconds between two polls."""
DELETED = "Server %d removed the bot %d days ago: all that was kept of it is deleted."

log = logging.getLogger(__name__)


class DepartedServers(commands.Cog):
    """Listens for servers that remove the bot, and polls every hour, since it may have been offline when one did."""

    def __init__(self, umpire: Umpire, publisher: Publisher, forgetting: ForgettingService) -> None:
        self._store = umpire.store
        self._clock = umpire.clock
        self._publisher = publisher
        self._forgetting = forgetting
        self._next: float | None = None

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Its members cannot act any more: the next poll ends its matches and leagues."""
        self._publisher.places.note_removal(GuildId(guild.id))
        self._next = None

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot is in the server again."""
        self._publisher.places.note_invitation(GuildId(guild.id))
        self._next = None

    async def poll(self) -> None:
        """Note which servers have removed the bot and which have not; end and delete what is due."""
        if self._next is not None and loop_time() < self._next:
            return
        self._next, places = loop_time() + EVERY, self._publisher.places
        servers = [GuildId(guild) for guild in await self._store.ask(Reader.list_servers)]
        gone = [guild for guild in servers if places.has_left_guild(guild)]
        here = [guild for guild in servers if places.is_in_guild(guild)]
        for guild in gone:
            await self._publisher.end_departed(guild)
        for guild in await self._store.do(acts.note_departures, gone, here, self._clock()):
            await self._forgetting.forget_server(guild)
            log.info(DELETED, guild, acts.KEPT_DAYS)


# Rewrites threads and posts that name forgotten users, or that say how a league counts a match as it no longer does.


AT_A_LOOK = 3
"""The number of rewrites in a poll, every few seconds: a user with five hundred matches waits for an hour."""
WITHIN = 60.0
"""Seconds for one: to unarchive a thread, rename it, draw its board, and archive it."""
SHOWN_WITHIN = 10.0
"""Seconds until a match is checked again whose board is not up to date."""
RETRIES = RetryPolicy("A thread or a post that is to be rewritten", Backoff(10, 3600), 40)
"""For more than a day."""


class Rewriter:
    """Rewrites the posts that are due."""

    def __init__(self, umpire: Umpire, publisher: Publisher, posters: Mapping[Series, Poster]) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._publisher = publisher
        self._channels = publisher.channels
        self._posters = posters

    async def poll(self) -> None:
        """Rewrite some of them."""
        in_background.set(True)
        for one in await self._store.ask(Reader.find_due_rewritings, self._umpire.clock(), AT_A_LOOK):
            if self._channels.is_guild_pending(GuildId(one.guild)):
                await self._store.do(Transaction.rewrite_later, one, self._umpire.clock() + 60)
            else:
                await self._try_rewriting(one)

    async def _try_rewriting(self, one: PendingRewrite) -> None:
        try:
            async with asyncio.timeout(WITHIN):
                await self._rewrite(one)
            pause = None
        except Unavailable:
            raise
        except UnknownMatch:
            pause = None
        except Exception as fault:
            final = isinstance(fault, discord.HTTPException) and is_refusal(fault)
            pause = None if final else RETRIES.choose_pause(MatchId(one.match or 0), one.tries + 1, fault)
        if pause is None:
            await self._store.do(Transaction.mark_rewritten, one)
        else:
            await self._store.do(Transaction.rewrite_later, one, self._umpire.clock() + pause)

    async def _rewrite(self, one: PendingRewrite) -> None:
        if one.series:
            await self._posters[one.series].rewrite(GuildId(one.guild), MessageId(one.place))
        elif one.match:
            loaded = await self._umpire.load_to_show(MatchId(one.match))
            if loaded.row.shown_version < loaded.row.version and loaded.row.publish_error is None:
                raise discord.RateLimited(SHOWN_WITHIN)  # its end is just being shown
            await self._rename_thread(loaded)

    async def _rename_thread(self, loaded: LoadedMatch) -> None:
        row, channels = loaded.row, self._channels
        names = await channels.list_names(row.guild, [player.user for player in loaded.players])
        name = board_words.format_thread_name(names, board_words.format_thread_title(loaded))
        slept = await channels.retitle(
            row.guild, loaded.play_channel, name, board_words.OVER, marked=row.state != "live"
        )
        try:
            if row.state == "live":  # its next board shows the new names
                return
            if row.board_message:
                await self._publisher.boards.redraw(loaded)
            if row.told_message and row.told_message != row.board_message:
                await self._rewrite_line(loaded, row.told_message)
            titles = name, f"{board_words.OVER}{name}"  # a longer title may end in this one
            for message in await channels.own_messages(loaded.play_channel):
                if message.type is discord.MessageType.channel_name_change and message.content not in titles:
                    await channels.remove(loaded.play_channel, MessageId(message.id))
        finally:
            if slept:
                await channels.set_archived(row.guild, loaded.play_channel, archived=True)

    async def _rewrite_line(self, loaded: LoadedMatch, line: MessageId) -> None:
        """Rewrite the line above the last board for the players whom it pinged; one that pinged no other is deleted."""
        message = await self._channels.fetch(loaded.play_channel, line)
        mentioned = {user.id for user in message.mentions} if message else set[int]()
        told = [player.user for player in loaded.players if player.user in mentioned]
        if told:
            text = line_words.format_line(MatchView.of(loaded, None), told, loaded.row.plies)
            await self._channels.edit_line(loaded.row.guild, loaded.play_channel, line, text, told)
        elif message:
            await self._channels.remove(loaded.play_channel, line)
