"""Cleans up after new boards: takes the buttons off older ones, updates challenges, and removes reminders.

Each message is a row of an outbox in the database. A failed edit is retried with a growing backoff and holds nothing
else up; a message that is gone is dropped. The new look of a message is computed when it is edited, from the match as
it stands then.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from math import ceil
from weakref import WeakValueDictionary

import discord

from bot.client.http.messages import Channels
from bot.client.publisher.announcements import Announcements
from bot.client.publisher.board_messages import Boards
from bot.client.publisher.lobbies import Lobbies
from bot.client.publisher.orphans import is_announcement
from bot.client.publisher.pending_edits import to_close
from bot.client.publisher.retries import SEND_WITHIN, Retries
from bot.client.runtime.error_codes import Route, Then, follows
from bot.client.runtime.job_queue import Backoff
from bot.client.text import match_text
from bot.client.views import views
from bot.core.match.loaded_match import LoadedMatch, UnknownMatch
from bot.core.match.stored import PendingEdit
from bot.core.values.ids import MatchId
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

AT_ONCE = 20
"""How many messages are looked up at once."""
RETRIES = Retries("An old message", Backoff(2, 3600), 40)
"""For more than a day."""
ROUNDS = 5
"""How often a message is edited again because its match went on meanwhile."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Cleanup:
    """Edits or removes old messages, those of one match one after the other."""

    def __init__(
        self, channels: Channels, umpire: Umpire, boards: Boards, lobbies: Lobbies, announcements: Announcements
    ) -> None:
        self.channels = channels
        self.umpire = umpire
        self.store = umpire.store
        self.boards = boards
        self.lobbies = lobbies
        self.announcements = announcements
        self._turns: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    async def due(self) -> list[MatchId]:
        """Some matches with messages that are due now and that nobody cleans up yet."""
        found = await self.store.ask(Reader.left_over, self.umpire.clock(), AT_ONCE)
        return [match for match in dict.fromkeys(left.match for left in found) if match not in self._turns]

    async def of(self, match: MatchId) -> None:
        """Clean up what is due of one match; a second caller waits, and then does what is left."""
        turn = self._turns.setdefault(match, asyncio.Lock())
        async with turn:
            with suppress(Unavailable, UnknownMatch):  # the next look finds it
                if not self.store.share.holds(await self.umpire.guild(match)):
                    return  # another process serves that server
                for left in await self.store.ask(Reader.left_over, self.umpire.clock(), AT_ONCE, match):
                    await self._sweep(left)

    async def _sweep(self, left: PendingEdit) -> None:
        """Edit one message and drop its row, or write down when to retry."""
        try:
            await self._tried(left)
        except Unavailable:
            log.warning("An old message of match %d is edited as soon as the database can be used again.", left.match)

    async def meet(self, match: MatchId, message: discord.Message) -> None:
        """Close a message on which somebody pressed a button of a match, unless it is the board or challenge of that
        match or the line below that one, or is about to be noted as one, or stands where the board was deleted: then it
        is noted. A button can be forged, so messages of other matches stay, too."""
        # The next press comes here again.
        with suppress(Unavailable, UnknownMatch, discord.HTTPException, discord.RateLimited, OSError, TimeoutError):
            await self._met(match, message)
        await self.of(match)

    async def _met(self, match: MatchId, message: discord.Message) -> None:
        row = await self.store.ask(Reader.row, match)
        known = [one for one in (row.board_message, row.lobby_message) if one] if row else []
        line = row.told_message if row and row.state == "open" else None
        if row is None or message.id in (*known, line, row.announcement) or not self.store.share.holds(row.guild):
            return
        if row.announce_until is not None and is_announcement(message, row.id):
            return  # it is about to be noted
        newest = message.id > max(known, default=0)
        if newest and (row.shown_version < row.version or await self._is_adopted(match, message)):
            return
        if not await self.store.ask(Reader.is_of_a_match, message.id):
            await self.store.do(Transaction.meet, to_close(message, row))

    async def _is_adopted(self, match: MatchId, message: discord.Message) -> bool:
        async with asyncio.timeout(SEND_WITHIN):
            return await self.boards.adopted(await self.umpire.to_show(match), message)

    async def _tried(self, left: PendingEdit) -> None:
        try:
            async with asyncio.timeout(SEND_WITHIN):
                done = await self._done(left)
            pause = None if done else ceil(RETRIES.backoff.pause(left.tries + 1))
        except Unavailable:
            raise
        except Exception as fault:
            pause = RETRIES.after(left.match, left.tries + 1, fault)
        if pause is None:
            await self.store.do(Transaction.clear, left)
        else:
            await self.store.do(Transaction.put_off, left, self.umpire.clock() + pause)

    async def _done(self, left: PendingEdit) -> bool:
        """Edit or remove a message; False where that is to be decided when the match is shown as it is stored."""
        if left.remove:
            await self.channels.remove(left.channel, left.message)
            steps.debug("removed %d", left.match)
            return True
        for _ in range(ROUNDS):
            try:
                seated = await self.umpire.to_show(left.match)
            except UnknownMatch:
                await self._strip(left, "This match can't be shown any more.")
                return True
            done = await self._edit(left, seated)
            if left.message not in (seated.row.board_message, seated.row.lobby_message):
                return True
            now = await self.store.ask(Reader.row, left.match)
            if now is None or now.version == seated.row.version:
                return done
        return False

    async def _edit(self, left: PendingEdit, seated: LoadedMatch) -> bool:
        row = seated.row
        # The next board revives the thread that a match is played in; one that the match has left sleeps on.
        revived = row.state == "live" and left.channel == seated.place
        if left.message == row.board_message:
            # If the match has gone on, the publisher edits this board or posts the next one, unless that is a secret.
            if row.shown_version < row.version and not await self.boards.unseen(seated):
                return False
            await self.boards.redraw(seated)
        elif left.message == row.lobby_message:
            await self.lobbies.redraw(seated)
        elif left.message == row.announcement:
            await self.announcements.redraw(seated)
        elif left.plies is None:
            line = match_text.GOES_ON.format(link=seated.link)
            await self._strip(left, line, revived)
        else:
            view, draw = await self.boards.closed_view(seated, left.plies, left.channel)
            await self.channels.edit(row.guild, left.channel, left.message, view, draw, keep=True, revived=revived)
            steps.debug("closed %d", seated.id)
        return True

    async def _strip(self, left: PendingEdit, line: str, revived: bool = False) -> None:
        """Take the buttons off a message and leave the rest; where we may not read it, replace all of it."""
        guild = await self.umpire.guild(left.match)
        try:
            message = await self.channels.fetch(left.channel, left.message)
        except discord.HTTPException as fault:
            if follows(fault, Route.LOOK) is not Then.PARKED:
                raise
            await self.channels.edit(guild, left.channel, left.message, views.notice(line))
            return
        if message and views.buttons_on(message.components):
            view = views.without_buttons(message, line)
            await self.channels.edit(guild, left.channel, left.message, view, keep=True, revived=revived)
