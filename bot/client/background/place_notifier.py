"""Tells people elsewhere of a match whose place is closed: in another channel of its server, else by direct messages.

`bot.service.time.place_notices` decides in the store whom to tell, and writes it down before it is sent. What may have
been sent by a process that died is looked for before it is sent again. What nobody but its people could see is told by
direct messages alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from math import ceil
from weakref import WeakValueDictionary

import discord

from bot.client.background.reminder_sender import ReminderSender
from bot.client.http.places import Places
from bot.client.publisher.publisher import Publisher
from bot.client.publisher.retries import SEND_WITHIN, Retries
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import SHUT, Route, refused
from bot.client.runtime.job_queue import Backoff
from bot.client.text import place_text
from bot.core.match.clocks import DAY
from bot.core.match.loaded_match import LoadedMatch, Sight, UnknownMatch
from bot.core.match.stored import Notice
from bot.core.values.ids import ChannelId, MatchId, MessageId
from bot.service.time import place_notices
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader

AT_A_LOOK = 50
"""How many matches are looked up at once; they are told of one after the other."""
RETRIES = Retries("A notice", Backoff(15, 3600), 20)
MOST_TRIES = 50
"""How often a message is tried, in the end once a day."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class NotTaken(Exception):
    """Somebody takes no direct messages of ours, as we know."""


class PlaceNotifier:
    """Sends what is to be told elsewhere."""

    def __init__(self, umpire: Umpire, publisher: Publisher, places: Places, sender: ReminderSender) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._publisher = publisher
        self._places = places
        self._sender = sender
        self._turns: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()
        self._at_it = False
        publisher.parked = self.soon

    def soon(self, match: MatchId) -> None:
        """Tell what is to be told of a match whose board was just refused; returns at once."""
        self._publisher.queue.beside(self._turn(match))

    def look(self) -> None:
        """Begin to tell all that is due, unless that is under way; returns at once."""
        if not self._at_it:
            self._at_it = True
            self._publisher.queue.beside(self._look())

    async def _look(self) -> None:
        now, after = self._umpire.clock(), 0
        try:
            while due := await self._store.ask(Reader.to_tell, now, now - place_notices.RECENT, AT_A_LOOK, after):
                for match in due:
                    await self._turn(match)
                after = due[-1]
        except Unavailable:
            log.warning("What is to be told elsewhere waits until the database can be used again.")
        finally:
            self._at_it = False

    async def _turn(self, match: MatchId) -> None:
        in_background.set(True)
        turn = self._turns.setdefault(match, asyncio.Lock())
        try:
            async with turn:
                await self._tell(match)
        except (Unavailable, UnknownMatch) as fault:
            log.info("What is to be told of match %d waits: %s", match, fault)
        except Exception:
            log.warning("Match %d could not be told of elsewhere, and is looked at again.", match, exc_info=True)

    async def _tell(self, match: MatchId) -> None:
        seated = await self._umpire.to_show(match)
        row = seated.row
        if row.publish_error is None or seated.match is None or self._publisher.channels.awaits(row.guild):
            return
        settings, public = await self._store.ask(Reader.settings, row.guild), self._places.is_public(row)
        place = self._places.beside(row, settings) if public else None
        reason = row.publish_error
        lasts = reason == SHUT or self._places.is_lost(row.guild, seated.place, reason)
        claim = place_notices.claimed
        taken = await self._store.do(claim, match, row.version, place, self._umpire.clock(), lasts)
        if not taken:
            return
        steps.debug("taken %d", match)
        first = any(one.message is None for one in taken)
        for one in messages(taken):
            await self._sent(seated, one, first, again=one[0].tries > 1)

    async def _sent(self, seated: LoadedMatch, notices: Sequence[Notice], first: bool, again: bool) -> None:
        """Send one message, or find it, and note it; where it is refused, go another way or try again later."""
        one, version = notices[0], notices[0].version
        try:
            async with asyncio.timeout(SEND_WITHIN):
                message = await self._found(notices) if again else None
                if message is None:
                    message, version = await self._said(seated, notices, first), seated.row.version
        except Exception as fault:
            await self._failed(seated, notices, first, fault)
            return
        steps.debug("noticed %d", seated.id)
        await self._store.do(place_notices.arrived, notices, message, version, self._umpire.clock())
        steps.debug("accepted %d by %d", seated.id, one.user)

    async def _found(self, notices: Sequence[Notice]) -> MessageId | None:
        """The message of a notice that may have arrived."""
        channels, one = self._publisher.channels, notices[0]
        place = one.place or await channels.mailbox(one.user)
        ours, _ = await channels.ours_since(place, one.begun, direct=one.place is None)
        people = {other.user for other in notices} if one.place else set[int]()
        known = max(other.message or 0 for other in notices)
        return next(
            (
                MessageId(message.id)
                for message in ours
                if message.id > known
                and place_text.is_notice(message.content, one.match)
                and people <= {user.id for user in message.mentions}
            ),
            None,
        )

    async def _said(self, seated: LoadedMatch, notices: Sequence[Notice], first: bool) -> MessageId:
        one, told, channels = notices[0], [each.user for each in notices], self._publisher.channels
        guild, server = seated.row.guild, ""
        if one.place is None:
            if not self._sender.mailboxes.takes(one.user):
                raise NotTaken
            await asyncio.sleep(self._sender.mailboxes.turn())
            server = channels.called(guild)
        text = await self._publisher.boards.renderer.run(
            lambda: place_text.notice(Sight.of(seated, None), told, server, first)
        )
        place = one.place or await channels.mailbox(one.user)
        return MessageId((await channels.say(guild, place, text, told, nonce(one))).id)

    async def _failed(self, seated: LoadedMatch, notices: Sequence[Notice], first: bool, fault: Exception) -> None:
        """What Discord will not take here goes another way; what it does not take now is tried again."""
        one, now = notices[0], self._umpire.clock()
        direct = one.place is None
        if direct and isinstance(fault, discord.HTTPException):
            self._sender.mailboxes.refused(one.user, fault)
        if not isinstance(fault, NotTaken) and not (
            isinstance(fault, discord.HTTPException) and refused(fault, Route.DIRECT if direct else Route.POST)
        ):
            pause = RETRIES.after(seated.id, one.tries, fault)
            due = now + max(pause or DAY, ceil(self._sender.mailboxes.wait()) if direct else 0)
            await self._later(notices, due)
            return
        log.info("Of match %d somebody cannot be told there: %s", seated.id, fault)
        place = await self._last_resort(seated, one) if direct else None
        if direct and place is None:
            await self._later(notices, now + DAY)
            return
        for message in messages(await self._store.do(place_notices.elsewhere, notices, place, now)):
            await self._sent(seated, message, first, again=False)

    async def _later(self, notices: Sequence[Notice], due: int) -> None:
        """Have a message tried again later, each day for a month where nobody takes it."""
        if notices[0].tries > MOST_TRIES:
            await self._store.do(place_notices.given_up, notices)
        else:
            await self._store.do(place_notices.put_off, notices, due)

    async def _last_resort(self, seated: LoadedMatch, notice: Notice) -> ChannelId | None:
        """The channel in which somebody is told whose mailbox is closed, where nobody knows any more whether the place
        of the match could be seen by all."""
        if notice.tries > 1 or self._places.is_public(seated.row) is not None:
            return None
        return self._places.beside(seated.row, await self._store.ask(Reader.settings, seated.row.guild))


def messages(notices: Sequence[Notice]) -> list[list[Notice]]:
    """Notices by the message that they are: those in a channel are one, and each person gets one of their own."""
    found: dict[tuple[ChannelId | None, int], list[Notice]] = {}
    for one in notices:
        found.setdefault((one.place, 0 if one.place else one.user), []).append(one)
    return list(found.values())


def nonce(notice: Notice) -> str:
    """The nonce of a message, the same for every retry. It counts no moves: who sees it knows when it came."""
    which = "" if notice.place else f".{notice.user % 10**5}"
    return f"n{notice.match}{which}.{notice.begun % 10**8}"
