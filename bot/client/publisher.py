"""The publisher brings Discord in line with what is committed: lobby, thread, board, mentions.

It is the only place that shows a match. Whoever commits an act tells it so, and the reconciler tells it of every match
whose shown version lags behind, after a crash or an outage; both ways do the same. What is shown is computed from
the stored match, and that it is shown is written down only after Discord has accepted it. What stands in the channels
is the part of `boards` and `lobbies`; here is when a match is shown, one at a time, and what becomes of failures.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable
from weakref import WeakValueDictionary

import discord

from bot.client import views
from bot.client.boards import Boards
from bot.client.channels import FORBIDDEN, UNKNOWN_CHANNEL, Channels, obstacle
from bot.client.lobbies import Lobbies
from bot.client.renderer import Renderer
from bot.core.ids import MatchId
from bot.service.seated import Seated, UnknownMatch
from bot.service.umpire import Umpire
from data.engine import Unavailable
from data.store import Reader, Transaction

LAGGING_AT_ONCE, SHOWN_AT_ONCE = 20, 4
"""How many boards a look at what lags behind shows, and how many of them side by side: people need the store too."""
ROUNDS = 5
"""How often a match that goes on changing while it is shown is shown again before others get their turn."""

log = logging.getLogger(__name__)


class Publisher:
    """Shows matches, each to one version at a time."""

    def __init__(self, client: discord.Client, umpire: Umpire, renderer: Renderer) -> None:
        self.channels = Channels(client)
        self.umpire = umpire
        self.store = umpire.store
        self.lobbies = Lobbies(self.channels, umpire)
        self.boards = Boards(self.channels, umpire, renderer)
        self.ending = False
        """Set when the bot stops: what is not shown by then is shown by the next one."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._after: MatchId | None = None

    def soon(self, match: MatchId, restore: bool = False) -> None:
        """Show a match as soon as possible, without waiting for it; what fails is left to the reconciler."""
        if self.ending:
            return
        task = asyncio.create_task(self._quietly(match, restore))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def soon_restored(self, match: MatchId) -> None:
        """Show a match, and post its board or its lobby again if somebody deleted it."""
        self.soon(match, restore=True)

    async def settle(self) -> None:
        """Wait until everything that was asked for `soon` has been tried."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def _quietly(self, match: MatchId, restore: bool = False) -> None:
        try:
            await self.show(match)
            if restore:
                await self.repost(match)
        except UnknownMatch as gone:
            log.warning("Match %d is not shown any more: %s", match, gone)
            await self._take_down(match)
        except Unavailable:
            log.warning("Match %d is shown as soon as the database can be used again.", match)
        except Exception:
            log.warning("Match %d could not be shown and will be tried again.", match, exc_info=True)

    async def _take_down(self, match: MatchId) -> None:
        """In place of a board that nobody can draw any more say why; it is not tried again."""
        with contextlib.suppress(Unavailable):
            row = await self.store.ask(Reader.row, match)
            if row and row.rename:
                await self.lobbies.rename(row)
            if row is None or row.parked:
                return
            channel, message = row.board_channel or row.channel, row.board_message or row.lobby_message
            if message and row.closing:
                with contextlib.suppress(discord.HTTPException):
                    await self.channels.edit(channel, message, views.notice(row.closing), [])
            await self.store.do(Transaction.park, match, "its game is not what it was")

    async def show(self, match: MatchId) -> None:
        """Show a match as it is committed, if it is not shown so already."""
        async with self._lock(match):
            for _ in range(ROUNDS):
                seated = await self.umpire.load(match)
                if seated.row.shown_version >= seated.row.version or seated.row.parked:
                    break
                await self._show(seated)
            else:
                return
        if seated.row.rename:
            await self.lobbies.rename(seated.row)

    async def catch_up(self) -> None:
        """Show matches whose boards lag behind, some at a time."""
        few = asyncio.Semaphore(SHOWN_AT_ONCE)

        async def shown(match: MatchId) -> None:
            async with few:
                await self._quietly(match)

        rows = await self.store.ask(Reader.lagging, LAGGING_AT_ONCE, self._after or 0)
        # The next look goes on from here, lest matches that cannot be shown keep others from their turn.
        self._after = rows[-1].id if len(rows) == LAGGING_AT_ONCE else None
        over = await self.store.ask(Reader.to_rename, LAGGING_AT_ONCE)
        await asyncio.gather(*(shown(match) for match in dict.fromkeys((*(row.id for row in rows), *over))))

    async def repost(self, match: MatchId) -> None:
        """Post a board again that somebody deleted, or the lobby of an open challenge."""
        async with self._lock(match):
            for _ in range(ROUNDS):
                seated = await self.umpire.load(match)
                if seated.match is None:
                    await self._show(seated)
                    return
                channel, message = seated.row.board_channel or seated.place, seated.row.board_message
                if message is None or await self.channels.there(channel, message):
                    return
                await self._try(seated, self.boards.post_again(seated, message))

    def _lock(self, match: MatchId) -> asyncio.Lock:
        return self._locks.setdefault(match, asyncio.Lock())

    async def _show(self, seated: Seated) -> None:
        await self._try(seated, self.lobbies.show(seated) if seated.match is None else self._show_board(seated))

    async def _show_board(self, seated: Seated) -> None:
        """A match's first board needs a place; those that follow it stay there."""
        await self.boards.show(seated if seated.row.board_message else await self.lobbies.placed(seated))

    async def _try(self, seated: Seated, work: Awaitable[None]) -> None:
        try:
            await work
        except discord.HTTPException as fault:
            await self._failed(seated, fault)

    async def _failed(self, seated: Seated, fault: discord.HTTPException) -> None:
        """A thread that is gone moves the match to its channel; a channel that is closed to us parks it."""
        if seated.threaded and fault.code == UNKNOWN_CHANNEL:
            await self.store.do(Transaction.set_thread, seated.id, seated.row.channel)
        elif fault.code in FORBIDDEN:
            await self.store.do(Transaction.park, seated.id, obstacle(fault))
        else:
            raise fault
