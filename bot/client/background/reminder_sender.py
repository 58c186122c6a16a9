"""Sends reminders and daily digests: as a mention in the match's thread, or as a direct message.

`bot.service.time.reminders` decides in the store what to send, and writes it into the outbox, just before it is sent.
If Discord did not answer, we look for the message before a retry. Where we cannot look, it is given up: better lost
than sent twice. Reminders are sent in the background, some at a time, and at most two direct messages a second. A
direct message that Discord refuses becomes a mention in the thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil

import discord

from bot.client.background.clock_worker import Shards
from bot.client.background.mailboxes import Mailboxes
from bot.client.people import names
from bot.client.publisher.publisher import Publisher
from bot.client.publisher.retries import SEND_WITHIN, Retries
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import SERVER_AT_FAULT, Code, Route, Then, follows, is_code, refused
from bot.client.runtime.job_queue import Backoff
from bot.client.text import reminder_text
from bot.client.text.match_list import rivals
from bot.core.match.stored import MatchRow, PendingMessage
from bot.core.values.ids import GuildId, MatchId, MessageId, UserId
from bot.core.values.plural import together
from bot.core.values.shards import Share
from bot.service.time import digest_claims, reminder_outbox, reminder_removals, reminders
from bot.service.time.digest_claims import Digest
from bot.service.time.reminders import Reminder
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

AT_A_LOOK = 200
"""How many that are due are looked up at once."""
PLACES = 4
"""How many are sent side by side."""
FIRST_PAUSE = 15
NAMED_WITHIN = 1.0
"""Seconds that a server's names are waited for."""
RETRIES = Retries("A reminder", Backoff(FIRST_PAUSE, 3600), 20)

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Disconnected(Exception):
    """Discord cannot be reached at this moment."""


@dataclass(frozen=True, slots=True)
class Here:
    """The servers that the bot is in. A digest may hold matches on servers of other processes, about which this one
    knows nothing: they count as servers that the bot is in."""

    known: frozenset[GuildId]
    share: Share

    def __contains__(self, guild: object) -> bool:
        return guild in self.known or (isinstance(guild, int) and not self.share.holds(guild))


class ReminderSender:
    """Sends what is due, some at a time."""

    def __init__(self, umpire: Umpire, publisher: Publisher, shards: Shards, servers: discord.Client) -> None:
        self.umpire = umpire
        self.store = umpire.store
        self.publisher = publisher
        self.shards = shards
        self.servers = servers
        self._at_it = False
        self._places = asyncio.Semaphore(PLACES)
        self._mailboxes = Mailboxes()

    @property
    def mailboxes(self) -> Mailboxes:
        """What is known of direct messages, which others send too."""
        return self._mailboxes

    def look(self) -> None:
        """Begin to send what is due, unless that is under way; returns at once."""
        if not self._at_it and self.shards.there:
            self._at_it = True
            self.publisher.queue.beside(self._look())

    async def _look(self) -> None:
        in_background.set(True)
        try:
            if await self.store.ask(Reader.outlived, 1):
                await self.store.unhurried.do(reminder_removals.swept, AT_A_LOOK)
            await self._resume()
            await self._begin()
            await self._begin_digests()
        except Disconnected:
            log.info("Reminders wait until Discord is connected again.")
        except Unavailable:
            log.warning("Reminders wait until the database can be used again.")
        finally:
            self._at_it = False

    async def _resume(self) -> None:
        """Retry what stands in the outbox since a crash or a failure."""
        for pending in await self.store.ask(Reader.under_way, self.umpire.clock(), AT_A_LOOK):
            await self._share(lambda pending=pending: self._taken_up(pending))

    async def _begin(self) -> None:
        now, after = self.umpire.clock(), (-1, 0, 0)
        while due := await self.store.ask(Reader.to_remind, now, AT_A_LOOK, after):
            for at, match, user, guild in due:
                await self._share(lambda guild=guild, match=match, user=user: self._remind(guild, match, user))
                after = (at, match, user)

    async def _begin_digests(self) -> None:
        now, after = self.umpire.clock(), 0
        while due := await self.store.ask(Reader.digests_due, now, AT_A_LOOK, after):
            for user in due:
                await self._share(lambda user=user: self._digest(user))
                after = user

    async def _share(self, work: Callable[[], Awaitable[None]]) -> None:
        """Begin some work as soon as there is a place for it. Once the connection is lost, nothing begins: downtime is
        given back before anything else is due."""
        await self._places.acquire()
        if not self.shards.there:
            self._places.release()
            raise Disconnected
        self.publisher.queue.beside(self._placed(work))

    async def _placed(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Unavailable:
            log.warning("A reminder waits until the database can be used again.")
        except Exception:
            log.warning("A reminder failed, and is looked at again.", exc_info=True)
        finally:
            self._places.release()

    # --- what is due

    async def _remind(self, guild: GuildId, match: MatchId, user: UserId) -> None:
        """Remind somebody of a match, unless there is a reason by now not to."""
        if not self._reaches(guild) or self.publisher.channels.awaits(guild):
            return
        await self.publisher.look(match)
        if await self._left(user, [guild]):
            await self.store.do(reminders.skipped, match, user, self.umpire.clock())
            return
        now = self.umpire.clock()
        due = await self.store.ask(Reader.due_for, user, now + reminders.AHEAD)
        there = await self._there(user, {other for _, other in due})
        along = [other for other, place in due if place in there]
        reminder = await self.store.do(reminders.claimed, match, user, now, along)
        if reminder:
            steps.debug("claimed %d", match)
            await self._deliver(reminder)

    async def _there(self, user: UserId, guilds: Iterable[GuildId]) -> frozenset[GuildId]:
        """The servers of some in which somebody can be reminded now: we are connected to them, and they are there."""
        reached = [guild for guild in guilds if self._reaches(guild) and not self.publisher.channels.awaits(guild)]
        return frozenset(reached) - await self._left(user, reached)

    async def _left(self, user: UserId, guilds: Iterable[GuildId]) -> frozenset[GuildId]:
        """The servers that somebody has left, or the bot itself."""
        found: set[GuildId] = set()
        for guild in guilds:
            if self.servers.get_guild(guild) is None or await self._is_gone(guild, user):
                found.add(guild)
        return frozenset(found)

    async def _is_gone(self, guild: GuildId, user: UserId) -> bool:
        return bool(await self.publisher.members.gone(guild, [user], freshly=True))

    def _reaches(self, guild: GuildId) -> bool:
        """Whether this process serves a server and is connected to it; otherwise its clocks stand still."""
        return self.store.share.holds(guild) and self.shards.reaches(guild)

    async def _digest(self, user: UserId) -> None:
        digest = await self.store.do(digest_claims.digested, user, await self._here(user), self.umpire.clock())
        if digest:
            steps.debug("claimed 0")
            await self._deliver(digest)

    async def _here(self, user: UserId) -> Here:
        """The servers that both the bot and somebody are in."""
        known = frozenset(GuildId(guild.id) for guild in self.servers.guilds if not guild.unavailable)
        theirs = {row.guild for row in await self.store.ask(Reader.current, user)}
        return Here(known - await self._left(user, known & theirs), self.store.share)

    # --- what is on its way

    async def _taken_up(self, pending: PendingMessage) -> None:
        """Retry a reminder, unless its message is found, or may have arrived and cannot be found."""
        if pending.place is None and self._mailboxes.wait():
            return
        if pending.match != reminder_outbox.ALL and not self._reaches(await self.umpire.guild(pending.match)):
            return
        taken = await self.store.do(reminder_outbox.retaken, pending, self.umpire.clock())
        if taken is None:
            return
        try:
            async with asyncio.timeout(SEND_WITHIN):
                found, surely = await self._found(taken) if pending.tries else (None, True)
        except Exception as fault:
            if taken.place is None and isinstance(fault, discord.HTTPException):
                self._mailboxes.refused(taken.user, fault)
                if refused(fault, Route.DIRECT):
                    await self._turn_to_thread(taken)
                    return
            await self._put_off(taken, fault)
            return
        if found:
            await self._note(taken, found)
        elif not surely:
            log.info("A reminder of match %d is given up: nobody can know whether it was sent.", taken.match)
            await self.store.do(reminder_outbox.dropped, taken)
        elif taken.match == reminder_outbox.ALL:
            here, now = await self._here(taken.user), self.umpire.clock()
            if digest := await self.store.do(digest_claims.digested_again, taken, here, now):
                await self._deliver(digest)
        else:
            left = await self._left(taken.user, {await self.umpire.guild(match) for match in await self._about(taken)})
            if reminder := await self.store.do(reminders.again, taken, self.umpire.clock(), left):
                await self._deliver(reminder)

    async def _about(self, pending: PendingMessage) -> list[MatchId]:
        """The matches that a message in the outbox is about."""
        return [one.match for one in await self.store.ask(reminder_outbox.together, pending)]

    async def _found(self, pending: PendingMessage) -> tuple[MessageId | None, bool]:
        """The message of a reminder that may have arrived; and whether we could see it, if it had."""
        channels, user = self.publisher.channels, pending.place and pending.user
        place = pending.place or await channels.mailbox(pending.user)
        ours, whole = await channels.ours_since(place, pending.begun, direct=pending.place is None)
        about = await self._about(pending)

        def known(content: str) -> bool:
            if pending.match == reminder_outbox.ALL:
                return reminder_text.is_digest(content)
            return any(reminder_text.is_reminder(content, match, UserId(user) if user else None) for match in about)

        found = next((MessageId(message.id) for message in ours if known(message.content)), None)
        return found, found is not None or whole

    # --- sending

    async def _deliver(self, reminder: Reminder | Digest) -> None:
        """Send a reminder and note that it has arrived; after a failure try another way, or retry later."""
        pending = reminder.pending
        if pending.place is None:
            await asyncio.sleep(self._mailboxes.turn())
            if not self._mailboxes.takes(pending.user):
                await self._turn_to_thread(pending)
                return
            if wait := self._mailboxes.wait():
                await self._untried(pending, self.umpire.clock() + ceil(wait))
                return
        try:
            async with asyncio.timeout(SEND_WITHIN):
                message = await self._sent(pending, await self._text(reminder))
        except Exception as fault:
            await self._failed(reminder, fault)
            return
        steps.debug("reminded %d", pending.match)
        await self._note(pending, message)
        steps.debug("arrived %d", pending.match)

    async def _note(self, pending: PendingMessage, message: MessageId) -> None:
        """Note that a reminder has arrived; remove the one before, or this one if it came too late."""
        await self.store.do(reminders.noted, pending, message)
        if pending.place is not None:
            self.publisher.queue.beside(self.publisher.cleanup.of(pending.match))

    async def _sent(self, pending: PendingMessage, text: str) -> MessageId:
        channels = self.publisher.channels
        place = pending.place or await channels.mailbox(pending.user)
        guild = None if pending.match == reminder_outbox.ALL else await self.umpire.guild(pending.match)
        return MessageId((await channels.say(guild, place, text, [pending.user], nonce(pending))).id)

    async def _text(self, reminder: Reminder | Digest) -> str:
        titles = {key: game.title for key, game in self.umpire.games.items()}
        servers = {GuildId(guild.id): guild.name for guild in self.servers.guilds}
        if isinstance(reminder, Digest):
            user, others = reminder.pending.user, await self._others(reminder.rows, reminder.pending.user)
            return reminder_text.digest(reminder.rows, user, titles, servers, self.umpire.clock(), others)
        turns = [(one.row, one.player) for one in (reminder, *reminder.others)]
        if reminder.pending.place is not None:
            return reminder_text.in_thread(turns, titles, reminder.pending.closed)
        others = await self._others([row for row, _ in turns], reminder.pending.user)
        return reminder_text.direct(turns, titles, servers, others)

    async def _others(self, rows: Sequence[MatchRow], user: UserId) -> reminder_text.Others:
        """Whom somebody plays with in some matches, in several servers maybe; only those whose names are known."""
        told = {row.id: together(rivals(row, user)) for row in rows}
        found: dict[MatchId, str] = {}
        for guild in dict.fromkeys(row.guild for row in rows):
            here = [row.id for row in rows if row.guild == guild]
            people = names.people_in([told[match] for match in here])
            await self.publisher.members.learn(guild, people, NAMED_WITHIN)
            known = self.publisher.members.names(guild, people)
            found |= {match: names.written(told[match], known) for match in here}
        return {match: text for match, text in found.items() if not names.MENTION.search(text)}

    # --- what goes wrong

    async def _failed(self, reminder: Reminder | Digest, fault: Exception) -> None:
        """Retry later, try another way, or give up if Discord would refuse every retry. No match is parked for this."""
        pending = reminder.pending
        if not isinstance(fault, discord.HTTPException):
            await self._put_off(pending, fault)
        elif pending.place is None:
            await self._refused_directly(pending, fault)
        elif not refused(fault):
            await self._put_off(pending, fault)
        elif follows(fault, Route.POST) is Then.ELSEWHERE:
            now = self.umpire.clock()
            if await self.store.do(reminders.moved, pending, now + FIRST_PAUSE, now):
                self.publisher.soon_restored(pending.match)
        elif is_code(fault, Code.NO_PERMISSION) and (until := await self._timed_out(pending)):
            await self._untried(pending, until)
        else:
            log.info("A reminder of match %d goes to the person, since its place takes none: %s", pending.match, fault)
            await self._tell_directly(reminder)

    async def _tell_directly(self, reminder: Reminder | Digest) -> None:
        """Send a reminder that its thread or channel refuses as a direct message: the clock runs all the same. One that
        the person takes no direct message for is dropped."""
        pending = replace(reminder.pending, place=None)
        try:
            if self._mailboxes.takes(pending.user):
                async with asyncio.timeout(SEND_WITHIN):
                    await self._sent(pending, await self._text(replace(reminder, pending=pending)))
                steps.debug("reminded %d", pending.match)
        except Exception as fault:
            if isinstance(fault, discord.HTTPException):
                self._mailboxes.refused(pending.user, fault)
            if not (isinstance(fault, discord.HTTPException) and refused(fault, Route.DIRECT)):
                await self._put_off(reminder.pending, fault)
                return
            log.info("A reminder of match %d can be sent nowhere: %s", pending.match, fault)
        await self.store.do(reminder_outbox.dropped, reminder.pending)

    async def _refused_directly(self, pending: PendingMessage, fault: discord.HTTPException) -> None:
        """What Discord does not take now is not lost, however often it says so; all else goes to the thread."""
        if is_code(fault, Code.MAILBOX_CLOSED):
            here, now = await self._here(pending.user), self.umpire.clock()
            if turned := await self.store.do(reminders.refused, pending, here, now):
                await self._turned(turned)
            return
        self._mailboxes.refused(pending.user, fault)
        if refused(fault, Route.DIRECT):
            log.info("A direct message about match %d goes to the thread: %s", pending.match, fault)
            await self._turn_to_thread(pending)
        elif (wait := self._mailboxes.wait()) and fault.status < SERVER_AT_FAULT:
            await self._untried(pending, self.umpire.clock() + ceil(wait))
        else:
            await self._put_off(pending, fault)

    async def _turn_to_thread(self, pending: PendingMessage) -> None:
        here, now = await self._here(pending.user), self.umpire.clock()
        if turned := await self.store.do(reminders.turned, pending, here, now):
            await self._turned(turned)

    async def _timed_out(self, pending: PendingMessage) -> int:
        """Until when we are timed out where a reminder was to be posted; 0 where we are not."""
        until = await self.publisher.channels.ask_timed_out(await self.umpire.guild(pending.match))
        return until if until > self.umpire.clock() else 0

    async def _untried(self, pending: PendingMessage, due: int) -> None:
        """Have a message tried again that has surely not arrived."""
        await self.store.do(reminders.put_off, pending, due, self.umpire.clock())

    async def _turned(self, reminder: Reminder) -> None:
        """Send a reminder to the thread of its match; where another process serves that server, it does so at its next
        look."""
        if self._reaches(reminder.row.guild):
            await self._deliver(reminder)
        else:
            await self.store.do(Transaction.put_off_pending, reminder.pending, self.umpire.clock(), 0)

    async def _put_off(self, pending: PendingMessage, fault: Exception) -> None:
        pause = RETRIES.after(pending.match, pending.tries, fault)
        if pause is None:
            await self.store.do(reminder_outbox.dropped, pending)
        else:
            due = self.umpire.clock() + pause
            await self.store.do(Transaction.put_off_pending, pending, due, pending.tries)


def nonce(pending: PendingMessage) -> str:
    """The nonce of a reminder: its own, and the same for every retry. It tells no secret: everybody who sees the
    reminder knows when it was due."""
    kind = "g" if pending.match == reminder_outbox.ALL else "r" if pending.place else "p"
    return f"{kind}{pending.match}.{pending.user % 10**5}.{pending.begun % 10**8}"
