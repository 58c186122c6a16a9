"""Finds deadlines that have passed, and sends reminders and digests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Protocol

import discord

from bot.features.board.directory import list_rivals
from bot.features.board.publisher import Publisher
from bot.features.time import service, words
from bot.features.time.service import ClaimedDigest, ClaimedReminder
from bot.games.wording import join_words
from bot.platform import names
from bot.platform.error_codes import SERVER_AT_FAULT, Code, FailureAction, Route, choose_action, is_code, is_refusal
from bot.platform.jobs import Backoff
from bot.platform.machine import in_background
from bot.platform.outbox import SEND_WITHIN, RetryPolicy
from bot.platform.places import Mailboxes
from bot.play.ids import ChannelId, GuildId, MatchId, MessageId, ShardShare, UserId, merge_shares
from bot.play.rows import MatchRow, PendingMessage
from bot.umpire import notifications
from bot.umpire.acts import DeadlineService
from bot.umpire.clocks import OUTAGE, DowntimeKeeper
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader, Transaction

# Every few seconds, finds the deadlines that have passed, acts on them and has the matches shown.


AT_ONCE = 20
"""How many boards of a poll are shown at once. The publisher's poll shows the rest in turn, so that players' own acts
need not wait behind them after an outage or a weekend."""


class Shards(Protocol):
    """Which shards are connected to Discord."""

    @property
    def connected_shards(self) -> tuple[ShardShare, ...]:
        """The shards that are connected now; none before the bot is ready."""
        ...

    def shard_of(self, guild: int) -> ShardShare: ...

    def is_guild_connected(self, guild: int) -> bool:
        """Whether the shard of a server is connected now."""
        ...


class ClockWorker:
    """Adds downtime to clocks and passes deadlines; it polls every `interval` seconds, and `soon` shows a match."""

    def __init__(self, umpire: Umpire, shards: Shards, soon: Callable[[MatchId], None], interval: float) -> None:
        self.shards = shards
        self.soon = soon
        longest = max(OUTAGE, 2 * ceil(interval))
        self.outages = DowntimeKeeper(umpire.store, umpire.clock, longest, shards.shard_of)
        self.deadlines = DeadlineService(umpire)

    async def poll(self) -> None:
        """Add an outage that is over to the clocks, then do all that is due; this waits for no board."""
        in_background.set(True)
        there, done = self.shards.connected_shards, 0
        if not there:
            return
        await self.outages.note_connected(there)
        for share in merge_shares(there):
            async for match in self.deadlines.run_due_acts(share):
                done += 1
                if done <= AT_ONCE:
                    self.soon(match)


# Sends reminders and daily digests: as a mention in the match's thread, or as a direct message.


AT_A_LOOK = 200
"""How many due ones are loaded at once."""
PLACES = 4
"""How many are sent concurrently."""
FIRST_PAUSE = 15
NAMED_WITHIN = 1.0
"""Seconds to wait for a server's names."""
RETRIES = RetryPolicy("A reminder", Backoff(FIRST_PAUSE, 3600), 20)

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Disconnected(Exception):
    """Discord cannot be reached at this moment."""


@dataclass(frozen=True, slots=True)
class SharedGuilds:
    """The servers that the bot is in. A digest may hold matches on servers of other processes, which are unknown to
    this one: they count as servers that the bot is in."""

    known: frozenset[GuildId]
    share: ShardShare

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
        """The state of direct messages, shared with other senders."""
        return self._mailboxes

    def poll(self) -> None:
        """Start to send what is due, unless that is running; returns at once."""
        if not self._at_it and self.shards.connected_shards:
            self._at_it = True
            self.publisher.queue.spawn_task(self._send_due())

    async def _send_due(self) -> None:
        in_background.set(True)
        try:
            if await self.store.ask(Reader.find_outlived_reminders, 1):
                await self.store.for_long_work.do(notifications.sweep_reminders, AT_A_LOOK)
            await self._retry_pending()
            await self._send_due_reminders()
            await self._send_due_digests()
        except Disconnected:
            log.info("Reminders wait until Discord is connected again.")
        except Unavailable:
            log.warning("Reminders wait until the database can be used again.")
        finally:
            self._at_it = False

    async def _retry_pending(self) -> None:
        """Retry what has been in the outbox since a crash or a failure."""
        for pending in await self.store.ask(Reader.find_abandoned_messages, self.umpire.clock(), AT_A_LOOK):
            await self._spawn_when_free(lambda pending=pending: self._retry(pending))

    async def _send_due_reminders(self) -> None:
        now, after = self.umpire.clock(), (-1, 0, 0)
        while due := await self.store.ask(Reader.find_due_reminders, now, AT_A_LOOK, after):
            for at, match, user, guild in due:
                await self._spawn_when_free(
                    lambda guild=guild, match=match, user=user: self._remind(guild, match, user)
                )
                after = (at, match, user)

    async def _send_due_digests(self) -> None:
        now, after = self.umpire.clock(), 0
        while due := await self.store.ask(Reader.digests_due, now, AT_A_LOOK, after):
            for user in due:
                await self._spawn_when_free(lambda user=user: self._send_digest(user))
                after = user

    async def _spawn_when_free(self, work: Callable[[], Awaitable[None]]) -> None:
        """Start a task as soon as there is a place for it. Once the connection is lost, none is started: downtime is
        added to the clocks before anything else is due."""
        await self._places.acquire()
        if not self.shards.connected_shards:
            self._places.release()
            raise Disconnected
        self.publisher.queue.spawn_task(self._run_and_release(work))

    async def _run_and_release(self, work: Callable[[], Awaitable[None]]) -> None:
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
        """Remind a player of a match, unless there is a reason by now not to."""
        if not self._is_reachable(guild) or self.publisher.channels.is_guild_pending(guild):
            return
        await self.publisher.check_members(match)
        if await self._find_left_guilds(user, [guild]):
            await self.store.do(service.skip_reminder, match, user, self.umpire.clock())
            return
        now = self.umpire.clock()
        due = await self.store.ask(Reader.find_due_reminders_for, user, now + service.AHEAD)
        there = await self._find_reachable_guilds(user, {other for _, other in due})
        along = [other for other, place in due if place in there]
        reminder = await self.store.do(service.claim_reminders, match, user, now, along)
        if reminder:
            steps.debug("claimed %d", match)
            await self._deliver(reminder)

    async def _find_reachable_guilds(self, user: UserId, guilds: Iterable[GuildId]) -> frozenset[GuildId]:
        """Those servers in which a user can be reminded now: they are connected, and the user is a member."""
        reached = [
            guild
            for guild in guilds
            if self._is_reachable(guild) and not self.publisher.channels.is_guild_pending(guild)
        ]
        return frozenset(reached) - await self._find_left_guilds(user, reached)

    async def _find_left_guilds(self, user: UserId, guilds: Iterable[GuildId]) -> frozenset[GuildId]:
        """Those servers that a user has left, or the bot itself."""
        found, members = set[GuildId](), self.publisher.members
        for guild in guilds:
            if self.servers.get_guild(guild) is None or await members.find_departed(guild, [user], freshly=True):
                found.add(guild)
        return frozenset(found)

    def _is_reachable(self, guild: GuildId) -> bool:
        """Whether this process serves a server and is connected to it; otherwise its clocks stand still."""
        return self.store.share.holds(guild) and self.shards.is_guild_connected(guild)

    async def _send_digest(self, user: UserId) -> None:
        digest = await self.store.do(
            service.claim_digest, user, await self._find_shared_guilds(user), self.umpire.clock()
        )
        if digest:
            steps.debug("claimed 0")
            await self._deliver(digest)

    async def _find_shared_guilds(self, user: UserId) -> SharedGuilds:
        """The servers of both the bot and a user."""
        known = frozenset(GuildId(guild.id) for guild in self.servers.guilds if not guild.unavailable)
        theirs = {row.guild for row in await self.store.ask(Reader.find_current_matches, user)}
        return SharedGuilds(known - await self._find_left_guilds(user, known & theirs), self.store.share)

    # --- retries

    async def _retry(self, pending: PendingMessage) -> None:
        """Retry a reminder, unless its message is found, or may have been sent and cannot be found."""
        if pending.place is None and self._mailboxes.seconds_to_wait():
            return
        if pending.match != service.ALL and not self._is_reachable(await self.umpire.find_guild(pending.match)):
            return
        taken = await self.store.do(service.retake_message, pending, self.umpire.clock())
        if taken is None:
            return
        try:
            async with asyncio.timeout(SEND_WITHIN):
                found, place, surely = await self._find_sent(taken) if pending.tries else (None, None, True)
        except Exception as fault:
            if taken.place is None and isinstance(fault, discord.HTTPException):
                self._mailboxes.note_refusal(taken.user, fault)
                if is_refusal(fault, Route.DIRECT):
                    await self._move_to_thread(taken)
                    return
            await self._put_off(taken, fault)
            return
        if found and place:
            await self._note_arrival(taken, found, place)
        elif not surely:
            log.info("A reminder of match %d is given up: nobody can know whether it was sent.", taken.match)
            await self.store.do(service.drop_message, taken)
        elif taken.match == service.ALL:
            here, now = await self._find_shared_guilds(taken.user), self.umpire.clock()
            if digest := await self.store.do(service.claim_digest_again, taken, here, now):
                await self._deliver(digest)
        else:
            left = await self._find_left_guilds(
                taken.user, {await self.umpire.find_guild(match) for match in await self._list_matches(taken)}
            )
            if reminder := await self.store.do(service.decide_again, taken, self.umpire.clock(), left):
                await self._deliver(reminder)

    async def _list_matches(self, pending: PendingMessage) -> list[MatchId]:
        """The matches that a message in the outbox is about."""
        return [one.match for one in await self.store.ask(service.find_message_entries, pending)]

    async def _find_sent(self, pending: PendingMessage) -> tuple[MessageId | None, ChannelId, bool]:
        """The message of a reminder that may have been sent, its channel, and whether the bot could see it, if it
        was."""
        channels, user = self.publisher.channels, pending.place and pending.user
        place = pending.place or await channels.open_dm(pending.user)
        ours, whole = await channels.own_messages_since(place, pending.begun, direct=pending.place is None)
        about = await self._list_matches(pending)

        def reminds(content: str) -> bool:
            if pending.match == service.ALL:
                return words.is_digest(content)
            return any(words.is_reminder(content, match, UserId(user) if user else None) for match in about)

        found = next((MessageId(message.id) for message in ours if reminds(message.content)), None)
        return found, place, found is not None or whole

    # --- sending

    async def _deliver(self, reminder: ClaimedReminder | ClaimedDigest) -> None:
        """Send a reminder and note that; after a failure use a fallback, or retry later."""
        pending = reminder.pending
        if pending.place is None:
            await asyncio.sleep(self._mailboxes.take_turn())
            if not self._mailboxes.may_write_to(pending.user):
                await self._move_to_thread(pending)
                return
            if wait := self._mailboxes.seconds_to_wait():
                await self._reschedule(pending, self.umpire.clock() + ceil(wait))
                return
        try:
            async with asyncio.timeout(SEND_WITHIN):
                message, place = await self._send(pending, await self._compose_text(reminder))
        except Exception as fault:
            await self._handle_failure(reminder, fault)
            return
        steps.debug("reminded %d", pending.match)
        await self._note_arrival(pending, message, place)
        steps.debug("arrived %d", pending.match)

    async def _note_arrival(self, pending: PendingMessage, message: MessageId, place: ChannelId) -> None:
        """Note that a reminder was sent; delete the one before, or this one if it came too late; or make it a board."""
        await self.store.do(service.record_sent_reminder, pending, message, None if pending.place else place)
        if pending.match != service.ALL:
            self.publisher.queue.spawn_task(self.publisher.cleanup.clean_match(pending.match))

    async def _send(self, pending: PendingMessage, text: str) -> tuple[MessageId, ChannelId]:
        """Send a reminder; returns its message and where it stands. A channel of direct messages that was deleted is
        opened anew."""
        channels, nonce = self.publisher.channels, make_reminder_nonce(pending)
        place = pending.place or await channels.open_dm(pending.user)
        guild = None if pending.match == service.ALL else await self.umpire.find_guild(pending.match)
        try:
            message = await channels.say(guild, place, text, [pending.user], nonce)
        except discord.HTTPException as fault:
            if pending.place is not None or not is_code(fault, Code.UNKNOWN_CHANNEL):
                raise
            place = await channels.open_dm(pending.user, anew=True)
            message = await channels.say(guild, place, text, [pending.user], nonce)
        return MessageId(message.id), place

    async def _compose_text(self, reminder: ClaimedReminder | ClaimedDigest) -> str:
        titles = {key: game.title for key, game in self.umpire.games.items()}
        servers = {GuildId(guild.id): guild.name for guild in self.servers.guilds}
        if isinstance(reminder, ClaimedDigest):
            user, others = reminder.pending.user, await self._name_others(reminder.rows, reminder.pending.user)
            return words.format_digest(reminder.rows, user, titles, servers, self.umpire.clock(), others)
        turns = [(one.row, one.player) for one in (reminder, *reminder.others)]
        if reminder.pending.place is not None:
            return words.format_thread_reminder(turns, titles, reminder.pending.closed)
        others = await self._name_others([row for row, _ in turns], reminder.pending.user)
        return words.format_direct_reminder(turns, titles, servers, others, reminder.board)

    async def _name_others(self, rows: Sequence[MatchRow], user: UserId) -> words.Others:
        """A user's opponents in some matches, perhaps in several servers; only those whose names are known."""
        told = {row.id: join_words(list_rivals(row, user)) for row in rows}
        found: dict[MatchId, str] = {}
        for guild in dict.fromkeys(row.guild for row in rows):
            here = [row.id for row in rows if row.guild == guild]
            people = names.find_people([told[match] for match in here])
            await self.publisher.members.learn(guild, people, NAMED_WITHIN)
            known = self.publisher.members.list_names(guild, people)
            found |= {match: names.insert_names(told[match], known) for match in here}
        return {match: text for match, text in found.items() if not names.MENTION.search(text)}

    # --- failures

    async def _handle_failure(self, reminder: ClaimedReminder | ClaimedDigest, fault: Exception) -> None:
        """Retry later, use a fallback, or give up if Discord would refuse every retry. No match is parked for this."""
        pending = reminder.pending
        if not isinstance(fault, discord.HTTPException):
            await self._put_off(pending, fault)
        elif pending.place is None:
            await self._handle_dm_refusal(pending, fault)
        elif not is_refusal(fault):
            await self._put_off(pending, fault)
        elif choose_action(fault, Route.POST) is FailureAction.ELSEWHERE:
            now = self.umpire.clock()
            if await self.store.do(service.move_to_channel, pending, now + FIRST_PAUSE, now):
                self.publisher.request_repost(pending.match)
        elif is_code(fault, Code.NO_PERMISSION) and (until := await self._fetch_timeout_end(pending)):
            await self._reschedule(pending, until)
        else:
            log.info("A reminder of match %d goes to the person, since its place takes none: %s", pending.match, fault)
            await self._send_directly(reminder)

    async def _send_directly(self, reminder: ClaimedReminder | ClaimedDigest) -> None:
        """Send a reminder that its thread or channel refuses as a direct message: the clock runs all the same. One
        whose direct message is refused too is dropped."""
        pending = replace(reminder.pending, place=None)
        try:
            if self._mailboxes.may_write_to(pending.user):
                async with asyncio.timeout(SEND_WITHIN):
                    await self._send(pending, await self._compose_text(replace(reminder, pending=pending)))
                steps.debug("reminded %d", pending.match)
        except Exception as fault:
            if isinstance(fault, discord.HTTPException):
                self._mailboxes.note_refusal(pending.user, fault)
            if not (isinstance(fault, discord.HTTPException) and is_refusal(fault, Route.DIRECT)):
                await self._put_off(reminder.pending, fault)
                return
            log.info("A reminder of match %d can be sent nowhere: %s", pending.match, fault)
        await self.store.do(service.drop_message, reminder.pending)

    async def _handle_dm_refusal(self, pending: PendingMessage, fault: discord.HTTPException) -> None:
        """Retry a temporary refusal, however often it comes; after any other, send the reminder to the thread."""
        if is_code(fault, Code.MAILBOX_CLOSED):
            here, now = await self._find_shared_guilds(pending.user), self.umpire.clock()
            if turned := await self.store.do(service.redirect_for_good, pending, here, now):
                await self._send_to_thread(turned)
            return
        self._mailboxes.note_refusal(pending.user, fault)
        if is_refusal(fault, Route.DIRECT):
            log.info("A direct message about match %d goes to the thread: %s", pending.match, fault)
            await self._move_to_thread(pending)
        elif (wait := self._mailboxes.seconds_to_wait()) and fault.status < SERVER_AT_FAULT:
            await self._reschedule(pending, self.umpire.clock() + ceil(wait))
        else:
            await self._put_off(pending, fault)

    async def _move_to_thread(self, pending: PendingMessage) -> None:
        here, now = await self._find_shared_guilds(pending.user), self.umpire.clock()
        if turned := await self.store.do(service.redirect_for_now, pending, here, now):
            await self._send_to_thread(turned)

    async def _fetch_timeout_end(self, pending: PendingMessage) -> int:
        """Until when the bot is timed out where a reminder was to be posted; 0 where it is not."""
        until = await self.publisher.channels.fetch_timed_out_until(await self.umpire.find_guild(pending.match))
        return until if until > self.umpire.clock() else 0

    async def _reschedule(self, pending: PendingMessage, due: int) -> None:
        """Schedule the retry of a message that was surely not sent."""
        await self.store.do(service.put_off_reminder, pending, due, self.umpire.clock())

    async def _send_to_thread(self, reminder: ClaimedReminder) -> None:
        """Send a reminder to the thread of its match; where another process serves that server, that does so at its
        next poll."""
        if self._is_reachable(reminder.row.guild):
            await self._deliver(reminder)
        else:
            await self.store.do(Transaction.put_off_pending, reminder.pending, self.umpire.clock(), 0)

    async def _put_off(self, pending: PendingMessage, fault: Exception) -> None:
        pause = RETRIES.choose_pause(pending.match, pending.tries, fault)
        if pause is None:
            await self.store.do(service.drop_message, pending)
        else:
            due = self.umpire.clock() + pause
            await self.store.do(Transaction.put_off_pending, pending, due, pending.tries)


def make_reminder_nonce(pending: PendingMessage) -> str:
    """The nonce of a reminder: its own, and the same for every retry. It reveals nothing: all who see the reminder know
    when it was due."""
    kind = "g" if pending.match == service.ALL else "r" if pending.place else "p"
    return f"{kind}{pending.match}.{pending.user % 10**5}.{pending.begun % 10**8}"
