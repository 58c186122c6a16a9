"""What a new board leaves over, done in its own time: the board before it is closed, the challenge says how it went,
and what reminded somebody of their move is removed.

Each message is a piece of work of its own, kept in the database and found again by the reconciler: what fails is tried
again after pauses that grow, holds nothing else up, and is let go when the message is gone. What is to be done to a
message is decided when it is done, from the match as it stands then.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from math import ceil

import discord

from bot.client.http.messages import Channels
from bot.client.publisher.board_messages import Boards
from bot.client.publisher.lobbies import Lobbies
from bot.client.publisher.orphans import stray
from bot.client.publisher.queue import reason
from bot.client.views import views
from bot.core.match.loaded_match import Seated, UnknownMatch
from bot.core.match.stored import Leftover
from bot.core.values.ids import MatchId
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

AT_ONCE = 20
"""How many messages a look at what is left over finds."""
WITHIN = 20.0
"""Seconds for one message: a rate limit may take a while."""
FIRST_PAUSE, LONGEST_PAUSE, TRIES = 2, 3600, 40
"""Seconds until what failed is tried again, doubled each time up to an hour, and how often: for more than a day."""
ROUNDS = 5
"""How often a message is edited again because its match went on meanwhile."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Leftovers:
    """Edits what is left over, one message at a time."""

    def __init__(self, channels: Channels, umpire: Umpire, boards: Boards, lobbies: Lobbies) -> None:
        self.channels = channels
        self.umpire = umpire
        self.store = umpire.store
        self.boards = boards
        self.lobbies = lobbies
        self._at: set[int] = set()
        self._asking: list[set[int]] = []

    async def due(self, match: MatchId | None = None) -> tuple[Leftover, ...]:
        """Take what can be tried now, of one match or of all; whoever has taken it is to `sweep` it."""
        # What is at work now may be done when the store answers, which does not know of it.
        others = set(self._at)
        self._asking.append(others)
        try:
            found = await self.store.ask(Reader.left_over, self.umpire.clock(), AT_ONCE, match)
        finally:
            self._asking = [one for one in self._asking if one is not others]
        taken = tuple(left for left in found if left.message not in others | self._at)
        self._at.update(left.message for left in taken)
        return taken

    async def of(self, match: MatchId) -> None:
        """Do what is left over of one match."""
        with suppress(Unavailable, UnknownMatch):  # the next look finds it
            if not self.store.share.holds(await self.umpire.guild(match)):
                return  # that is another process's to do
            for left in await self.due(match):
                await self.sweep(left)

    async def sweep(self, left: Leftover) -> None:
        """Edit one message, or put it off; it raises nothing but what stops the program."""
        try:
            await self._tried(left)
        except Unavailable:
            log.warning("An old message of match %d is edited as soon as the database can be used again.", left.match)
        finally:
            self._at.discard(left.message)
            for others in self._asking:
                others.add(left.message)

    async def meet(self, match: MatchId, message: discord.Message) -> None:
        """Somebody pressed a button on a message: close it unless it is the match's board or challenge, or just about
        to be noted as such."""
        with suppress(Unavailable):  # whoever presses it next meets it again
            await self._met(match, message)
        await self.of(match)

    async def _met(self, match: MatchId, message: discord.Message) -> None:
        row = await self.store.ask(Reader.row, match)
        known = [one for one in (row.board_message, row.lobby_message) if one] if row else []
        if row is None or message.id in known or not self.store.share.holds(row.guild):
            return
        if row.shown_version < row.version and message.id > max(known, default=0):
            return
        await self.store.do(Transaction.meet, stray(message, row))

    async def _tried(self, left: Leftover) -> None:
        try:
            async with asyncio.timeout(WITHIN):
                await self._done(left)
        except Unavailable:
            raise
        except Exception as fault:
            await self._put_off(left, fault)
        else:
            await self.store.do(Transaction.clear, left)

    async def _put_off(self, left: Leftover, fault: Exception) -> None:
        """Try a message again later; for as long as Discord is known to stumble that is nobody's concern."""
        asked = fault.retry_after if isinstance(fault, discord.RateLimited) else 0
        pause, why = max(min(FIRST_PAUSE * 2**left.tries, LONGEST_PAUSE), ceil(asked)), reason(fault)
        last = left.tries + 1 >= TRIES
        what = "is left as it is" if last else f"is edited again in {pause} s"
        level, told = (logging.WARNING if last or not why else logging.INFO), why or "nobody foresaw why"
        log.log(level, "An old message of match %d %s: %s.", left.match, what, told, exc_info=None if why else fault)
        if last:
            await self.store.do(Transaction.clear, left)
        else:
            await self.store.do(Transaction.put_off, left, self.umpire.clock() + pause)

    async def _done(self, left: Leftover) -> None:
        if left.remove:
            await self.channels.remove(left.channel, left.message)
            steps.debug("removed %d", left.match)
            return
        for _ in range(ROUNDS):
            try:
                seated = await self.umpire.to_show(left.match)
            except UnknownMatch:
                await self._strip(left, "This match cannot be shown any more.")
                return
            await self._edit(left, seated)
            if left.message not in (seated.row.board_message, seated.row.lobby_message):
                return
            now = await self.store.ask(Reader.row, left.match)
            if now is None or now.version == seated.row.version:
                return

    async def _edit(self, left: Leftover, seated: Seated) -> None:
        row = seated.row
        if left.message == row.board_message:
            # Where the match has gone on, its showing edits this board or puts another in its place, unless that is
            # a secret.
            if row.shown_version == row.version or await self.boards.unseen(seated):
                await self.boards.redraw(seated)
        elif left.message == row.lobby_message:
            await self.channels.edit(left.channel, left.message, await self.lobbies.view(seated))
        elif left.plies is None:
            await self._strip(left, f"This is not the message of the match any more: {seated.link}")
        else:
            await self.channels.edit(left.channel, left.message, await self.boards.closed_view(seated, left.plies))
            steps.debug("closed %d", seated.id)

    async def _strip(self, left: Leftover, line: str) -> None:
        """Take the buttons off a message whatever else is on it; where we may not look at it, all of it."""
        try:
            message = await self.channels.fetch(left.channel, left.message)
        except discord.Forbidden:
            await self.channels.edit(left.channel, left.message, views.notice(line), [])
            return
        if message and views.buttons_on(message.components):
            await self.channels.edit(left.channel, left.message, views.without_buttons(message, line))
