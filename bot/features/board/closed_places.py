"""Channels that are closed to the bot: who is notified, and moving a match elsewhere."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from math import ceil
from typing import NamedTuple
from weakref import WeakValueDictionary

import discord

from bot.features.board.publisher import Publisher
from bot.features.challenges.service import Challenges
from bot.features.time import words as time_words
from bot.features.time.loop import ReminderSender
from bot.games.wording import join_sentences
from bot.platform.error_codes import (
    SHUT,
    Code,
    FailureAction,
    Route,
    choose_action,
    describe_obstacle,
    is_code,
    is_refusal,
)
from bot.platform.interactions import Interaction, channel_of, is_outside, manages_server, user_of
from bot.platform.jobs import Backoff
from bot.platform.machine import in_background
from bot.platform.messages import Channels
from bot.platform.outbox import SEND_WITHIN, UNEXPECTED, RetryPolicy, describe_failure
from bot.platform.places import Mailboxes, Places
from bot.play.clocks import DAY
from bot.play.ids import NOWHERE, ChannelId, GuildId, MatchId, MessageId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal, UnknownMatch
from bot.play.rows import MatchNotice
from bot.umpire import notifications
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader, Transaction

# Records which closed channels the owner of a server was notified of: once each, and again only after it was open.


LEASE, WEEK = 120, 604_800
"""Seconds that a process has to send a notification, and for which no other is sent about the same channel."""
PENDING, TOLD, OPENED = "pending", "told", "opened"


class ClosedChannelNotice(NamedTuple):
    """A claimed notification about a closed channel; `begun`: since when it may have been sent, in epoch seconds;
    `again`: whether an earlier try may have arrived."""

    guild: GuildId
    channel: ChannelId
    begun: int
    again: bool


def name_note(guild: GuildId, channel: ChannelId) -> str:
    """The key of a channel's note."""
    return f"closed {guild} {channel}"


def claim_notice(tx: Transaction, guild: GuildId, channel: ChannelId, now: int) -> ClosedChannelNotice | None:
    """Claim the notification about a channel; None where it was sent, or another process has it."""
    tx.lock_guild(guild)
    state, begun, due = _read_note(tx, guild, channel)
    if state == TOLD or (state == OPENED and begun + WEEK > now) or (state == PENDING and due > now):
        return None
    again = state == PENDING
    closing = ClosedChannelNotice(guild, channel, begun if again else now, again)
    tx.set_note(name_note(guild, channel), f"{PENDING} {closing.begun} {now + LEASE}")
    return closing


def mark_notified(tx: Transaction, closing: ClosedChannelNotice) -> None:
    """Note that the notification was sent, or cannot be."""
    tx.lock_guild(closing.guild)
    tx.set_note(name_note(closing.guild, closing.channel), f"{TOLD} {closing.begun} 0")


def mark_opened(tx: Transaction, guild: GuildId, channel: ChannelId) -> None:
    """Note that a message was posted in a channel that was, or was to be, reported as closed."""
    tx.lock_guild(guild)
    state, begun, _ = _read_note(tx, guild, channel)
    if state:
        tx.set_note(name_note(guild, channel), f"{OPENED} {begun if state != PENDING else 0} 0")


def _read_note(reader: Reader, guild: GuildId, channel: ChannelId) -> tuple[str, int, int]:
    note = reader.read_note(name_note(guild, channel))
    state, begun, due = note.split() if note else ("", "0", "0")
    return state, int(begun), int(due)


def list_waiting_posts(reader: Reader, guild: GuildId, channel: ChannelId) -> tuple[str, ...]:
    """The posts that wait for a channel: the series, and "league" for each league whose message is out of date."""
    settings = reader.load_settings(guild)
    series = tuple(name for name in ("daily", "week") if getattr(settings, name) == channel)
    leagues = reader.list_leagues(guild, ("open", "live", "finished", "cancelled"))
    owing = [one for one in leagues if one.channel == channel and one.is_out_of_date]
    return (*series, *("league" for _ in owing))


# Notifies a server's owner, once, that a channel is closed to the bot's own posts: directly, or in public.


NOBODYS = Code.UNKNOWN_GUILD, Code.QUARANTINED, Code.UNVERIFIED, Code.TWO_FACTORS
"""Refusals that no member of a server can resolve."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class ClosedChannels:
    """Notes where Discord refuses the bot's own posts, and where it accepts them."""

    def __init__(self, umpire: Umpire, channels: Channels, publisher: Publisher, mailboxes: Mailboxes) -> None:
        self._store = umpire.store
        self._clock = umpire.clock
        self._channels = channels
        self._publisher = publisher
        self._mailboxes = mailboxes
        self._doubtful: set[ChannelId] = set()
        """Channels that seem open, and have refused a post once."""

    def note_refusal(
        self, guild: GuildId, channel: ChannelId, begun: float, fault: discord.HTTPException | None = None
    ) -> None:
        """Note that a channel has refused a post that began at a time, or is known to refuse it."""
        self._publisher.refused(guild, begun)
        if (why := self._find_reason(guild, channel, fault)) is not None:
            self._publisher.queue.spawn_task(self._tell_owner(guild, channel, why))

    def _find_reason(self, guild: GuildId, channel: ChannelId, fault: discord.HTTPException | None) -> str | None:
        """What has to be done so that the channel accepts posts; empty where it was deleted, None where no member of
        the server can resolve it, or the next attempt may succeed."""
        if fault is None or self._channels.is_channel_closed(guild, channel):
            return self._channels.describe_needs(guild, channel)
        if is_code(fault, Code.UNKNOWN_CHANNEL):
            return ""
        if is_code(fault, *NOBODYS) or choose_action(fault, Route.POST) not in (
            FailureAction.PARKED,
            FailureAction.ELSEWHERE,
        ):
            return None
        if channel in self._doubtful:
            return describe_obstacle(fault)
        self._doubtful.add(channel)
        return None

    async def note_posted(self, guild: GuildId, channel: ChannelId) -> None:
        """Note that a message was posted in a channel."""
        self._doubtful.discard(channel)
        if await self._store.ask(Reader.read_note, name_note(guild, channel)):
            await self._store.do(mark_opened, guild, channel)

    async def _tell_owner(self, guild: GuildId, channel: ChannelId, why: str) -> None:
        """Notify the owner about a channel unless that was done; after a failure the next refusal retries it."""
        in_background.set(True)
        try:
            found = self._channels.client.get_guild(guild)
            waiting = await self._store.ask(list_waiting_posts, guild, channel)
            if found is None or not waiting or self._mailboxes.seconds_to_wait():
                return
            closing = await self._store.do(claim_notice, guild, channel, self._clock())
            if closing is None:
                return
            async with asyncio.timeout(SEND_WITHIN):
                await self._send_notice(closing, found, time_words.describe_closed(found.name, channel, why, waiting))
            steps.debug("told owner %d", channel)
            await self._store.do(mark_notified, closing)
        except Exception as fault:
            reason = describe_failure(fault)
            log.log(
                logging.INFO if reason else logging.WARNING, "A server's owner is told later of a closed channel: %s.",
                reason or UNEXPECTED, exc_info=None if reason else fault,
            )  # fmt: skip

    async def _send_notice(self, closing: ClosedChannelNotice, server: discord.Guild, text: str) -> None:
        owner, system = UserId(server.owner_id or 0), server.system_channel
        if owner and self._mailboxes.may_write_to(owner) and await self._tell_directly(closing, owner, text):
            return
        place = ChannelId(system.id) if system else None
        if (
            not owner
            or place is None
            or place == closing.channel
            or self._channels.is_channel_closed(closing.guild, place)
        ):
            log.info("Nobody can be told of a closed channel of server %d.", closing.guild)
            return
        reads = self._channels.can_read_history(closing.guild, place)
        if await self._was_sent(closing, place, time_words.describe_for_all(owner), reads):
            return
        try:
            await self._channels.say(
                closing.guild, place, time_words.describe_for_all(owner), [owner], make_owner_nonce(closing)
            )
        except discord.HTTPException as fault:
            if not is_refusal(fault):
                raise
            log.info("Nobody can be told of a closed channel of server %d: %s", closing.guild, fault)

    async def _tell_directly(self, closing: ClosedChannelNotice, owner: UserId, text: str) -> bool:
        """Send the owner a direct message; False where Discord refuses it."""
        try:
            mailbox = await self._channels.open_dm(owner)
            if not await self._was_sent(closing, mailbox, text, True):
                await asyncio.sleep(self._mailboxes.take_turn())
                await self._channels.say(None, mailbox, text, [owner], make_owner_nonce(closing))
        except discord.HTTPException as fault:
            self._mailboxes.note_refusal(owner, fault)
            if not is_refusal(fault, Route.DIRECT):
                raise
            return False
        return True

    async def _was_sent(self, closing: ClosedChannelNotice, place: ChannelId, text: str, reads: bool) -> bool:
        """Whether an earlier attempt was sent, as far as can be known: better never than twice."""
        if not closing.again:
            return False
        ours, whole = await self._channels.own_messages_since(place, closing.begun, direct=reads)
        first = text.partition(". ")[0]
        return not whole or any(one.content.startswith(first) for one in ours)


def make_owner_nonce(closing: ClosedChannelNotice) -> str:
    """The nonce of the notification about a channel; a retry has the same."""
    return f"o{closing.channel % 10**10}.{closing.begun % 10**8}"


# Moves a match whose place is closed to the channel in which a player, or a manager of the server, asks for its board.


TRIED_WITHIN = 0.7
"""Seconds for which a user waits whether the board can be shown again in its own place."""
ONLY_YOU = "Only you see this board."


class MatchRelocator:
    def __init__(self, umpire: Umpire, publisher: Publisher, challenges: Challenges) -> None:
        self._umpire = umpire
        self._publisher = publisher
        self._challenges = challenges

    async def find_place(self, interaction: Interaction, loaded: LoadedMatch) -> tuple[LoadedMatch, str]:
        """The match that a user wants to see, moved here where its place is closed; and the line about that."""
        if channel_of(interaction) == loaded.play_channel or loaded.row.state != "live":
            return loaded, self._describe_stay(loaded)
        if loaded.row.guild == NOWHERE and loaded.row.publish_error and interaction.guild_id is None:
            return await self._move_here(interaction, loaded)
        if is_outside(interaction):
            return loaded, self._describe_stay(loaded)
        reason = await self._find_closed_reason(loaded)
        if reason is None and loaded.row.publish_error is None:
            return loaded, ONLY_YOU
        if not (loaded.has(user_of(interaction)) or manages_server(interaction)):
            told = time_words.NOT_SHOWN.format(reason=reason or loaded.row.publish_error)
            return loaded, join_sentences(told, time_words.NOT_YOURS)
        if reason is None:
            told, loaded = self._describe_stay(loaded), await self._retry_place(loaded)
            if loaded.row.publish_error is None:
                return loaded, told
        elif loaded.row.publish_error is None:
            await self._publisher.close(loaded.id, loaded.row.guild, reason)
            loaded = await self._umpire.load(loaded.id)
        if self._publisher.channels.timed_out_until(loaded.row.guild) > self._umpire.clock():
            return loaded, self._describe_stay(loaded)  # no other channel would do
        if self._gives_away(interaction, loaded):
            return loaded, join_sentences(self._describe_stay(loaded), time_words.PRIVATE)
        return await self._move_here(interaction, loaded)

    def _describe_stay(self, loaded: LoadedMatch) -> str:
        """The line about a match that stays where it is."""
        return (
            time_words.explain_not_shown(loaded, self._publisher.is_lost(loaded.row))
            if loaded.row.publish_error
            else ONLY_YOU
        )

    def _gives_away(self, interaction: Interaction, loaded: LoadedMatch) -> bool:
        """Whether moving a match here would show it to users who could not see its place."""
        places, guild = self._publisher.places, loaded.row.guild
        return places.is_public(loaded.row) is False and places.everybody_sees(guild, channel_of(interaction))

    async def _find_closed_reason(self, loaded: LoadedMatch) -> str | None:
        """Why the place of a match is surely closed; None where that is not known, or it is open."""
        if self._publisher.is_lost(loaded.row):
            return loaded.row.publish_error
        return await self._publisher.places.find_closed_reason(loaded.row.guild, loaded.play_channel)

    async def _retry_place(self, loaded: LoadedMatch) -> LoadedMatch:
        """Retry to show a match in its own place, which may be open again; the match after a moment."""
        await self._publisher.unpark(loaded.id)
        self._publisher.request_repost(loaded.id)
        await self._publisher.queue.wait_for(loaded.id, TRIED_WITHIN)
        return await self._umpire.load(loaded.id)

    async def _move_here(self, interaction: Interaction, loaded: LoadedMatch) -> tuple[LoadedMatch, str]:
        try:
            if not is_outside(interaction):
                await self._challenges.expect_place(interaction)
        except Refusal as refusal:
            return loaded, join_sentences(time_words.NOT_SHOWN.format(reason=loaded.row.publish_error), str(refusal))
        place = channel_of(interaction)
        moved = await self._umpire.store.do(notifications.move_match, loaded.id, place, user_of(interaction))
        loaded = await self._umpire.load(loaded.id)
        if moved:
            return loaded, time_words.MOVED_HERE
        return loaded, self._describe_stay(loaded)


# Notifies players elsewhere about a match whose place is closed: in another channel of its server, else directly.


AT_A_LOOK = 50
"""How many matches are loaded at once; they are handled in sequence."""
RETRIES = RetryPolicy("A notice", Backoff(15, 3600), 20)
MOST_TRIES = 50
"""How often a message is tried, in the end once a day."""


class DirectMessagesClosed(Exception):
    """A user is known to refuse the bot's direct messages."""


class PlaceNotifier:
    """Sends the notices about matches to other channels or users."""

    def __init__(self, umpire: Umpire, publisher: Publisher, places: Places, sender: ReminderSender) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._publisher = publisher
        self._places = places
        self._sender = sender
        self._turns: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()
        self._at_it = False
        publisher.parked = self.request_notices

    def request_notices(self, match: MatchId) -> None:
        """Start to send the notices about a match whose board was just refused; returns at once."""
        self._publisher.queue.spawn_task(self._tell_in_turn(match))

    def poll(self) -> None:
        """Start to send all due notices, unless that is running; returns at once."""
        if not self._at_it:
            self._at_it = True
            self._publisher.queue.spawn_task(self._tell_due())

    async def _tell_due(self) -> None:
        now, after = self._umpire.clock(), 0
        try:
            while due := await self._store.ask(
                Reader.find_matches_to_tell, now, now - notifications.RECENT, AT_A_LOOK, after
            ):
                for match in due:
                    await self._tell_in_turn(match)
                after = due[-1]
        except Unavailable:
            log.warning("What is to be told elsewhere waits until the database can be used again.")
        finally:
            self._at_it = False

    async def _tell_in_turn(self, match: MatchId) -> None:
        in_background.set(True)
        turn = self._turns.setdefault(match, asyncio.Lock())
        try:
            async with turn:
                await self._send_notices(match)
        except (Unavailable, UnknownMatch) as fault:
            log.info("What is to be told of match %d waits: %s", match, fault)
        except Exception:
            log.warning("Match %d could not be told of elsewhere, and is looked at again.", match, exc_info=True)

    async def _send_notices(self, match: MatchId) -> None:
        loaded = await self._umpire.load_to_show(match)
        row = loaded.row
        if row.guild == NOWHERE or row.publish_error is None or loaded.match is None:
            return
        if self._publisher.channels.is_guild_pending(row.guild):
            return
        settings, public = await self._store.ask(Reader.load_settings, row.guild), self._places.is_public(row)
        place = self._places.find_fallback_channel(row, settings) if public else None
        reason = row.publish_error
        lasts = reason == SHUT or self._places.is_lost(row.guild, loaded.play_channel, reason)
        claim = notifications.claim_notices
        taken = await self._store.do(claim, match, row.version, place, self._umpire.clock(), lasts)
        if not taken:
            return
        steps.debug("taken %d", match)
        first = any(one.message is None for one in taken)
        for one in group_by_message(taken):
            await self._send(loaded, one, first, again=one[0].tries > 1)

    async def _send(self, loaded: LoadedMatch, notices: Sequence[MatchNotice], first: bool, again: bool) -> None:
        """Send one message, or find it, and note it; where it is refused, use a fallback or retry later."""
        one, version = notices[0], notices[0].version
        try:
            async with asyncio.timeout(SEND_WITHIN):
                message = await self._find_sent(notices) if again else None
                if message is None:
                    message, version = await self._post(loaded, notices, first), loaded.row.version
        except Exception as fault:
            await self._handle_failure(loaded, notices, first, fault)
            return
        steps.debug("noticed %d", loaded.id)
        await self._store.do(notifications.record_arrival, notices, message, version, self._umpire.clock())
        steps.debug("accepted %d by %d", loaded.id, one.user)

    async def _find_sent(self, notices: Sequence[MatchNotice]) -> MessageId | None:
        """The message of a notice that may have been sent."""
        channels, one = self._publisher.channels, notices[0]
        place = one.place or await channels.open_dm(one.user)
        ours, _ = await channels.own_messages_since(place, one.begun, direct=one.place is None)
        people = {other.user for other in notices} if one.place else set[int]()
        known = max(other.message or 0 for other in notices)
        return next(
            (
                MessageId(message.id)
                for message in ours
                if message.id > known
                and time_words.is_notice(message.content, one.match)
                and people <= {user.id for user in message.mentions}
            ),
            None,
        )

    async def _post(self, loaded: LoadedMatch, notices: Sequence[MatchNotice], first: bool) -> MessageId:
        one, told, channels = notices[0], [each.user for each in notices], self._publisher.channels
        guild, server = loaded.row.guild, ""
        if one.place is None:
            if not self._sender.mailboxes.may_write_to(one.user):
                raise DirectMessagesClosed
            await asyncio.sleep(self._sender.mailboxes.take_turn())
            server = channels.get_guild_name(guild)
        text = await self._publisher.boards.renderer.run(
            lambda: time_words.format_notice(MatchView.of(loaded, None), told, server, first)
        )
        place = one.place or await channels.open_dm(one.user)
        return MessageId((await channels.say(guild, place, text, told, make_notice_nonce(one))).id)

    async def _handle_failure(
        self, loaded: LoadedMatch, notices: Sequence[MatchNotice], first: bool, fault: Exception
    ) -> None:
        """What Discord refuses for good uses a fallback; what it refuses for now is retried."""
        one, now = notices[0], self._umpire.clock()
        direct = one.place is None
        if direct and isinstance(fault, discord.HTTPException):
            self._sender.mailboxes.note_refusal(one.user, fault)
        if not isinstance(fault, DirectMessagesClosed) and not (
            isinstance(fault, discord.HTTPException) and is_refusal(fault, Route.DIRECT if direct else Route.POST)
        ):
            pause = RETRIES.choose_pause(loaded.id, one.tries, fault)
            due = now + max(pause or DAY, ceil(self._sender.mailboxes.seconds_to_wait()) if direct else 0)
            await self._put_off(notices, due)
            return
        log.info("Of match %d somebody cannot be told there: %s", loaded.id, fault)
        place = await self._find_last_resort(loaded, one) if direct else None
        if direct and place is None:
            await self._put_off(notices, now + DAY)
            return
        for message in group_by_message(await self._store.do(notifications.move_notices, notices, place, now)):
            await self._send(loaded, message, first, again=False)

    async def _put_off(self, notices: Sequence[MatchNotice], due: int) -> None:
        """Schedule the retry of a message, each day for a month where no attempt succeeds."""
        if notices[0].tries > MOST_TRIES:
            await self._store.do(notifications.give_up_notices, notices)
        else:
            await self._store.do(notifications.put_off_notices, notices, due)

    async def _find_last_resort(self, loaded: LoadedMatch, notice: MatchNotice) -> ChannelId | None:
        """The channel for a notice to a user whose direct messages are closed, where it is unknown whether the place of
        the match was public."""
        if notice.tries > 1 or self._places.is_public(loaded.row) is not None:
            return None
        return self._places.find_fallback_channel(
            loaded.row, await self._store.ask(Reader.load_settings, loaded.row.guild)
        )


def group_by_message(notices: Sequence[MatchNotice]) -> list[list[MatchNotice]]:
    """Notices by message: those in a channel share one, and each direct message is its own."""
    found: dict[tuple[ChannelId | None, int], list[MatchNotice]] = {}
    for one in notices:
        found.setdefault((one.place, 0 if one.place else one.user), []).append(one)
    return list(found.values())


def make_notice_nonce(notice: MatchNotice) -> str:
    """The nonce of a message, the same for every retry. It counts no moves, as readers see when it was sent."""
    which = "" if notice.place else f".{notice.user % 10**5}"
    return f"n{notice.match}{which}.{notice.begun % 10**8}"
