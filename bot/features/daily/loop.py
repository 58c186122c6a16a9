"""Posts the bot's own messages in the channels that servers have chosen."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from functools import partial

import aiohttp
import discord

from bot.features.board.closed_places import ClosedChannels
from bot.features.board.match_pictures import Renderer
from bot.features.daily import service, words
from bot.features.daily.handlers import PuzzleButton, build_day_view, load_solo_board
from bot.features.daily.service import UNSENT, SeriesPost
from bot.features.pads.pad_loop import Shown
from bot.features.time.loop import Shards
from bot.platform import ui
from bot.platform.edits import POST
from bot.platform.error_codes import (
    Code,
    FailureAction,
    Route,
    choose_action,
    describe_obstacle,
    find_rule,
    is_code,
    is_refusal,
)
from bot.platform.jobs import Rank
from bot.platform.machine import in_background, loop_time
from bot.platform.members import MemberCache, fetch_departed
from bot.platform.messages import Channels
from bot.platform.outbox import SEND_WITHIN, describe_failure
from bot.platform.places import Mailboxes
from bot.play import puzzles
from bot.play.ids import NOWHERE, ChannelId, GuildId, MessageId, UserId
from bot.play.puzzles import DailyChannel, Day, Series
from bot.umpire.umpire import Umpire
from data.store import Reader

# Posts the bot's own messages in the channels that servers have chosen: once each, without pings.


BETWEEN = 30.0
"""Seconds between two polls."""
REFUSED_FOR = 3600.0
"""Seconds after which a message is retried that Discord has refused, if nothing in its server changes before."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Poster(ABC):
    """Finds messages of a series that are due, and sends them in sequence."""

    series: Series

    def __init__(
        self, umpire: Umpire, channels: Channels, members: MemberCache, renderer: Renderer, closed: ClosedChannels
    ) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._channels = channels
        self._members = members
        self._renderer = renderer
        self._closed = closed
        self._next = 0.0
        self._refused: dict[GuildId, tuple[ChannelId, float]] = {}
        """The channels in which Discord refuses our messages now, and until when, by the loop's time, none is tried."""

    @abstractmethod
    async def compose(self, post: SeriesPost) -> Shown | None:
        """The message; None where there is nothing to post."""

    @abstractmethod
    def is_of(self, message: discord.Message, day: int) -> bool:
        """Whether a message of ours is that of a day."""

    async def poll(self, shards: Shards) -> None:
        """Send what is due, if the last poll was a while ago."""
        if loop_time() < self._next:
            return
        self._next = loop_time() + BETWEEN
        in_background.set(True)
        for row in await self._store.ask(Reader.daily_channels, self.series):
            now = self._umpire.clock()
            waits = service.find_due_day(row, now, self.series) is None
            if (
                waits
                or not shards.is_guild_connected(row.guild)
                or self._channels.is_guild_pending(row.guild)
                or self._is_resting(row)
            ):
                continue
            if not self._channels.is_timed_out(row.guild, now):  # else it is posted when that is over
                await self._send(row, now)

    def retry_refused(self, guild: GuildId | None) -> int:
        """Let what is owed to a server, or to all servers, be retried; returns their number."""
        found = [one for one in self._refused if guild in (None, one)]
        for one in found:
            del self._refused[one]
        return len(found)

    def _is_resting(self, row: DailyChannel) -> bool:
        channel, until = self._refused.get(row.guild, (None, 0.0))
        return channel == row.channel and until > loop_time()

    async def _send(self, row: DailyChannel, now: int) -> None:
        begun = loop_time()
        post = await self._store.do(service.claim_post, row, now, self.series)
        if post is None:
            return
        steps.debug("claimed %s %d", self.series, post.day)
        if self._channels.is_channel_closed(post.guild, post.channel):
            log.info("A message (%s) is owed: its channel is closed.", self.series)
            await self._put_off(row, post, begun)
            return
        try:
            async with asyncio.timeout(SEND_WITHIN):
                message = await self._post_once(post)
        except Exception as fault:
            if isinstance(fault, discord.HTTPException) and await self._is_refused(post, fault):
                log.info("A message (%s) is owed: %s %s", self.series, fault, describe_obstacle(fault))
                await self._put_off(row, post, begun, fault)
                return
            why = describe_failure(fault)
            log.log(
                logging.INFO if why else logging.WARNING, "A message (%s) is posted again later: %s.",
                self.series, why or "an unexpected error", exc_info=None if why else fault,
            )  # fmt: skip
            return
        steps.debug("posted %s %d", self.series, post.day)
        await self._store.do(service.record_sent, post, message)
        if message:
            await self._closed.note_posted(post.guild, post.channel)

    async def _put_off(
        self, row: DailyChannel, post: SeriesPost, begun: float, fault: discord.HTTPException | None = None
    ) -> None:
        """Schedule the retry of a message that Discord has refused."""
        self._refused[row.guild] = row.channel, loop_time() + REFUSED_FOR
        await self._store.do(service.record_refusal, post, self._umpire.clock())
        self._closed.note_refusal(post.guild, post.channel, begun, fault)

    async def _is_refused(self, post: SeriesPost, fault: discord.HTTPException) -> bool:
        """Whether the message of a day cannot be posted; the bot's timeout ends, and then it can."""
        if is_code(fault, Code.NO_PERMISSION):
            return await self._channels.fetch_timed_out_until(post.guild) <= self._umpire.clock()
        return is_refusal(fault)

    async def rewrite(self, guild: GuildId, message: MessageId) -> None:
        """Edit the last message of a server, from what is known now, if it is still this one."""
        post = await self._store.ask(service.find_last_post, guild, self.series, message)
        if post is None:
            return
        if shown := await self.compose(post):
            await self._channels.edit(guild, post.channel, message, *shown)
        else:
            await self._channels.remove(post.channel, message)

    async def _post_once(self, post: SeriesPost) -> MessageId:
        """Post the message of a day, or find one that was sent already; `UNSENT` where that cannot be known, or there
        is nothing to post."""
        if post.again:
            reads = self._channels.can_read_history(post.guild, post.channel)
            ours, whole = await self._channels.own_messages_since(post.channel, post.since, direct=reads)
            found = next((message for message in ours if self.is_of(message, post.day)), None)
            if found or not whole:
                return MessageId(found.id) if found else UNSENT
        shown = await self.compose(post)
        if shown is None:
            return UNSENT
        view, files = shown
        return MessageId(
            (await self._channels.post(post.guild, post.channel, view, files, (), make_post_nonce(post))).id
        )


def make_post_nonce(post: SeriesPost) -> str:
    """The nonce of a server's message of a day; a retry has the same."""
    return f"{post.series[0]}{post.day}.{post.guild % 10**10}"


# The message of the day: yesterday's puzzle, who solved it, and today's.


class DailyPoster(Poster):
    series = "daily"

    async def compose(self, post: SeriesPost) -> Shown:
        """Yesterday's puzzle in words, and today's to be solved."""
        puzzle, before = await self._load_puzzle(post.day), ""
        seen = self._channels.find_equally_visible(post.guild, post.channel)
        alone = await self._store.ask(load_solo_board, post.guild, post.day, seen)
        solvers = [user for user, _ in post.yesterday.solvers] if post.yesterday else []
        gone = await fetch_departed(self._members, post.guild, (*alone.people[:1], *solvers, *alone.people[1:]), POST)
        if post.yesterday:
            before = words.describe_yesterday(post.day - 1, await self._load_puzzle(post.day - 1), post.yesterday, gone)
        return await build_day_view(
            self._renderer, post.day, puzzle, alone.describe(gone), private=False, before=before
        )

    def is_of(self, message: discord.Message, day: Day) -> bool:
        """Whether the button of a message of ours opens the day's puzzle."""
        return str(PuzzleButton(day)) in ui.list_custom_ids(message.components)

    async def _load_puzzle(self, day: Day) -> puzzles.Puzzle:
        return await self._renderer.run(partial(puzzles.find_puzzle_of_day, day), Rank.LOOK)


# Sends the puzzle by direct message to those who want that, in the morning of their own day.


AT_A_LOOK = 200
"""How many due ones are loaded at once."""
LOOKED_BACK = 86_400
"""Seconds of a user's direct messages in which the puzzle of the day is looked for."""


class MorningSender:
    def __init__(self, umpire: Umpire, channels: Channels, renderer: Renderer, mailboxes: Mailboxes) -> None:
        self._umpire = umpire
        self._channels = channels
        self._renderer = renderer
        self._mailboxes = mailboxes

    async def poll(self) -> None:
        """Send what is due; one whose process dies meanwhile is found and finished by a later look."""
        in_background.set(True)
        now = self._umpire.clock()
        for user in await self._umpire.store.ask(Reader.find_due_puzzles, now, AT_A_LOOK):
            if self._mailboxes.seconds_to_wait():
                return
            if day := await self._umpire.store.do(service.claim_morning, user, now):
                await self._send(user, day)

    async def _send(self, user: UserId, day: int) -> None:
        """Send the line that a phone shows, then turn it into the board."""
        await asyncio.sleep(self._mailboxes.take_turn())
        puzzle = await self._renderer.run(partial(puzzles.find_puzzle_of_day, day), Rank.LOOK)
        text = words.MORNING.format(number=puzzles.compute_puzzle_number(day), game=puzzle.game.title)
        try:
            async with asyncio.timeout(SEND_WITHIN):
                place = await self._channels.open_dm(user)
                steps.debug("morning claimed %d", day)
                sent = await self._find_sent(place, text, day)
                if sent is None:
                    sent = await self._channels.say(None, place, text, [user], f"m{day}.{user % 10**9}")
                    steps.debug("morning sent %d", day)
                view, files = await build_day_view(self._renderer, day, puzzle, private=True)
                await self._channels.edit(NOWHERE, place, MessageId(sent.id), view, files)
        except discord.HTTPException as fault:
            self._mailboxes.note_refusal(user, fault)
            pause = find_rule(fault).pause if choose_action(fault, Route.DIRECT) is FailureAction.LATER else None
            if is_code(fault, Code.MAILBOX_CLOSED):
                await self._umpire.store.do(service.put_off_morning, user, None)
            elif pause:
                await self._umpire.store.do(service.put_off_morning, user, self._umpire.clock() + pause)
            else:
                await self._umpire.store.do(service.finish_morning, user, self._umpire.clock())
        except (discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError) as fault:
            log.info("A puzzle is sent by direct message again later: %s", describe_failure(fault))
        else:
            await self._umpire.store.do(service.finish_morning, user, self._umpire.clock())

    async def _find_sent(self, place: ChannelId, text: str, day: int) -> discord.Message | None:
        """The message of a day that a process has sent which died then: still its line, or the board already."""
        ours, _ = await self._channels.own_messages_since(place, self._umpire.clock() - LOOKED_BACK, direct=True)
        button = str(PuzzleButton(day))
        return next((one for one in ours if text == one.content or button in ui.list_custom_ids(one.components)), None)
