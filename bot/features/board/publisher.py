"""Keeps Discord in line with the store: the only place that shows a match."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import discord

from bot.features.board.lobbies import Announcements, Cleanup, Lobbies
from bot.features.board.match_pictures import Renderer
from bot.features.board.posts import UNDER_WAY, Boards, Orphans, Publication, make_removal
from bot.games.wording import Plural, join_words
from bot.platform import ui
from bot.platform.edits import Draw, EditWatch
from bot.platform.error_codes import (
    NOT_THERE,
    SHUT_OUT,
    TIMED_OUT,
    Code,
    FailureAction,
    Route,
    choose_action,
    describe_obstacle,
    is_code,
    is_refusal,
)
from bot.platform.machine import in_background, loop_time
from bot.platform.members import ASK_WITHIN, MemberCache
from bot.platform.messages import Channels
from bot.platform.metrics import Metrics
from bot.platform.outbox import PublishQueue
from bot.platform.places import Places
from bot.platform.requests import Throttle
from bot.play import challenges
from bot.play.acts import NotPossibleNow
from bot.play.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.play.loaded_match import LoadedMatch, UnknownMatch, mention_user
from bot.play.rows import MatchRow, PendingEdit
from bot.umpire import acts, clocks
from bot.umpire.acts import DepartureService
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader, Transaction

# Guards the messages of matches while their edits are repeated (`bot/platform/edits.py`).


LATEST, MOST = 2**62, 1000
"""A moment after all others, and more edits than a match ever has pending."""


class MatchSnapshot(NamedTuple):
    """What an edit of a match's message depends on: the match's version, and its messages."""

    version: int
    board: int | None
    lobby: int | None
    announcement: int | None


class MatchEditWatch(EditWatch):
    """Guards one message of a match."""

    def __init__(self, umpire: Umpire, match: MatchId, message: discord.Message) -> None:
        self._umpire = umpire
        self._match = match
        self._message = MessageId(message.id)
        self._channel = ChannelId(message.channel.id)
        self._seen: MatchSnapshot | None = None

    async def may_begin(self) -> bool:
        """Whether the message shows the match as it is stored, as far as is noted, and no other edit of it is due."""
        self._seen = await self._umpire.store.do(self._find_current)
        return self._seen is not None

    def _find_current(self, tx: Transaction) -> MatchSnapshot | None:
        row, edits = tx.load_row(self._match), tx.find_pending_edits(LATEST, MOST, self._match)
        if row is None or row.shown_version != row.version or any(one.message == self._message for one in edits):
            return None
        seen = _take_snapshot(row)
        mails = (player.mail for player in row.players)
        return seen if self._message in (*seen[1:], row.told_message, *mails) else None

    @asynccontextmanager
    async def sending_guard(self) -> AsyncGenerator[bool]:
        """The edit is sent inside this block, unless the match has changed. If `may_begin` was not called, since the
        edit has crossed another, the message is edited as stored instead."""
        edit = await self._umpire.store.do(self._claim_edit)
        yield edit is not None
        if edit is not None:
            await self._umpire.store.do(self._settle_edit, edit)

    def _claim_edit(self, tx: Transaction) -> PendingEdit | None:
        row = tx.load_row(self._match)
        if row is None:
            return None
        plies = row.shown_plies if self._message == row.board_message else None
        edit = PendingEdit(
            self._message, self._channel, row.id, row.version, plies, due=self._umpire.clock() + UNDER_WAY
        )
        if self._message == row.told_message:
            return edit  # the outbox holds only the removal of such a line
        if self._seen is None:
            tx.edit_at_once(replace(edit, due=0))
            return None
        if self._seen != self._find_current(tx):
            return None
        tx.keep_edit(edit)
        return edit

    def _settle_edit(self, tx: Transaction, edit: PendingEdit) -> None:
        row = tx.load_row(self._match)
        if row is None or self._message == row.told_message:
            return
        if _take_snapshot(row) == self._seen:
            tx.clear_edit(edit)
        else:
            tx.edit_at_once(replace(edit, due=0))


def _take_snapshot(row: MatchRow) -> MatchSnapshot:
    return MatchSnapshot(row.version, row.board_message, row.lobby_message, row.announcement)


def make_edit_watch(umpire: Umpire, message: discord.Message) -> EditWatch:
    """The guard of a message while an edit of it is repeated. One without the buttons of a match shows a closed board,
    and is left alone."""
    found = ui.find_buttons(message.components)
    return MatchEditWatch(umpire, found[0].match, message) if found else EditWatch()


# Keeps Discord in line with the store: the challenge, thread, board and mentions of every match.


AT_A_LOOK = 200
"""How many lagging matches are loaded at once; there may be thousands after an outage."""
NONCE_MARK = "nonce mark"
"""The note with the mark of a database's nonces; a restored copy gets another one."""
MARK = 4
"""Hexadecimal digits in the mark of a database."""
ROUNDS = 5
"""How often a match that changes while it is shown is shown again before others get their turn."""

TOLD_WITHIN, CONFIRMED_WITHIN = 1.0, 1.0
"""Seconds for which Discord is asked who is still a member before users are pinged, and before a match goes on without
a player who has left."""
BACK = Plural(
    "{names} is back in this server. Nothing was changed.", "{names} are back in this server. Nothing was changed."
)
RENAMED_WITHIN = 2.0
"""Seconds for which the last board of a match waits until its thread has its last name."""

log = logging.getLogger(__name__)


class Publisher:
    """Shows matches, each in one job at a time."""

    def __init__(
        self,
        channels: Channels,
        places: Places,
        members: MemberCache,
        umpire: Umpire,
        renderer: Renderer,
        throttle: Throttle,
        retry: float,
        metrics: Metrics,
    ) -> None:
        self.metrics = metrics
        self.channels = channels
        self.places = places
        self.umpire = umpire
        self.store = umpire.store
        self.members = members
        self.orphans = Orphans(self.channels)
        self.lobbies = Lobbies(self.channels, umpire, renderer, self.orphans)
        self.boards = Boards(self.channels, umpire, renderer, self.orphans, self.members)
        self.announcements = Announcements(self.channels, umpire, renderer, self.orphans)
        self.cleanup = Cleanup(self.channels, umpire, self.boards, self.lobbies, self.announcements)
        self.queue = PublishQueue(self._publish, throttle, retry)
        self.departures = DepartureService(umpire)
        channels.edits.watch = partial(make_edit_watch, umpire)
        members.changed = lambda guild, user: self.queue.spawn_task(self.note_membership(guild, user))
        self.refused: Callable[[GuildId, float], None] = lambda _guild, _begun: None
        """Called when Discord has refused a post in a server, with when it was begun."""
        self.parked: Callable[[MatchId], object] = lambda _match: None
        """Called when a match cannot be shown in its place."""

    async def begin(self, account: int) -> None:
        """Record the process start time, and read the mark of this database's nonces. Call after the first Discord
        response and before publishing."""
        self.orphans.begin(self.umpire.clock())
        self.places.is_known = await self.store.do(acts.is_known, account, self.umpire.clock())
        self.channels.mark = await self.store.do(renew_nonce_mark, self.umpire.clock())

    def request_publish(self, match: MatchId, quiet: bool = False) -> None:
        """Show a match as soon as possible, without waiting for it; failures are retried later, and no sooner for a
        `quiet` act."""
        self.queue.ask(match, quiet=quiet)

    def request_repost(self, match: MatchId) -> None:
        """Show a match, and post its board or its lobby again if it was deleted."""
        self.queue.ask(match, restore=True)

    async def unpark(self, match: MatchId) -> None:
        """Let a match be shown again after Discord has refused its board; not where its channel was deleted."""
        row = await self.store.ask(Reader.load_row, match)
        if row and not self.is_lost(row):
            await self.store.do(Transaction.park, match, None)

    def is_lost(self, row: MatchRow) -> bool:
        """Whether the channel of a match is known to be deleted."""
        return self.places.is_lost(row.guild, row.thread or row.channel, row.publish_error)

    async def close(self, match: MatchId, guild: GuildId, reason: str) -> None:
        """Note why a match cannot be shown in its place, and notify its players elsewhere. Its clocks run on where they
        can act: commands arrive from every channel of a server that the bot is in."""
        if self.places.has_removed_us(guild):
            await self.end_departed(guild)
            return
        if self.places.has_left_guild(guild):
            await self.store.do(clocks.freeze_clocks, match, NOT_THERE, self.umpire.clock())
        else:
            await self.store.do(Transaction.park, match, reason)
        self.parked(match)

    async def end_departed(self, guild: GuildId) -> None:
        """End all matches and leagues in a server that has removed the bot, and notify the players where possible."""
        while self.places.has_removed_us(guild):
            if not (
                matches := await self.store.for_long_work.do(
                    acts.close_departed_server, guild, NOT_THERE, self.umpire.clock()
                )
            ):
                return
            for match in matches:
                self.parked(match)

    async def build_closed_view(self, loaded: LoadedMatch) -> tuple[discord.ui.LayoutView, Draw]:
        """The board of a match without its buttons, and the function that draws its pictures."""
        return await self.boards.build_closed_view(loaded, loaded.row.plies)

    def note_closed(self, message: MessageId) -> None:
        """Remember that a board has no buttons any more."""
        self.boards.closed.add(message)

    async def handle_lost_thread(self, thread: ChannelId) -> None:
        """Move the matches of a deleted thread to its channel, at once."""
        for row in await self.store.ask(Reader.in_thread, thread):
            if (
                self.store.share.holds(row.guild)
                and row.thread != row.channel
                and await self.store.do(clocks.move_to_channel, row.id, thread)
            ):
                self.request_publish(row.id)

    def _is_pending(self, guild: GuildId) -> bool:
        """Whether nothing is to be shown in a server now: Discord has yet to send it, or another process serves it."""
        return not self.store.share.holds(guild) or self.channels.is_guild_pending(guild)

    def handle_orphan(self, match: MatchId, message: discord.Message) -> None:
        """Close a message whose button was pressed, if it is an orphan."""
        self.queue.spawn_task(self.cleanup.handle_orphan(match, message))

    async def check_members(self, match: MatchId, within: float = ASK_WITHIN) -> bool:
        """Ask Discord which players of a live match are in its server, of whom nothing was learned in the last minute,
        and note who has left, and who is back. Returns whether that changed the match."""
        row = await self.store.ask(Reader.load_row, match)
        return row is not None and await self._check_row(row, within)

    async def _check_row(self, row: MatchRow, within: float) -> bool:
        if row.state != "live" or self._is_pending(row.guild):
            return False
        await self.members.learn(row.guild, [player.user for player in row.players], within, freshly=True)
        found = {player.user: self.members.is_here(row.guild, player.user) for player in row.players}
        wrong = [one.user for one in row.players if found[one.user] is one.gone]
        for user in wrong:
            await self._note(row.guild, user)
        # `noticed` notes the answer as well; the second of them finds nothing to change.
        now = await self.store.ask(Reader.load_row, row.id) if wrong else None
        return now is not None and now.version != row.version

    async def confirm_missing(self, loaded: LoadedMatch) -> LoadedMatch:
        """The match once Discord has confirmed which players are gone; a refusal where one of them is back."""
        guild = loaded.row.guild
        missing = [player.user for player in loaded.missing_players]
        gone = await self.members.find_departed_now(guild, missing, CONFIRMED_WITHIN)
        back = [user for user in missing if user not in gone and self.members.is_here(guild, user)]
        for user in back:
            await self._note(guild, user)
        if back:
            raise NotPossibleNow(BACK.fill_in(len(back), names=join_words(map(mention_user, back))))
        return loaded

    async def note_membership(self, guild: GuildId, user: UserId) -> None:
        """Note that a user has left a server, or is back, and have it shown."""
        with contextlib.suppress(Unavailable):  # the next check of one of their matches notes it
            if not self._is_pending(guild):
                await self._note(guild, user)

    async def _note(self, guild: GuildId, user: UserId) -> list[MatchId]:
        """Note that a user has left a server, or is back, and have it shown; returns the matches that changed."""
        here = self.members.is_here(guild, user)
        changed = await (self.departures.mark_returned if here else self.departures.mark_gone)(guild, user)
        for match in changed:
            self.request_publish(match)
        return changed

    async def tell_waiting(self, match: MatchId, sentence: str) -> None:
        """Show on the board of a match that its computer waits for others; an empty sentence removes that."""
        if not sentence:
            self.boards.queued.pop(match, None)  # the next board follows at once
            return
        self.boards.queued[match] = sentence
        row = await self.store.ask(Reader.load_row, match)
        if row and not self._is_pending(row.guild):
            await self._queue_redraw(row)

    async def _queue_redraw(self, row: MatchRow) -> None:
        """Queue an edit of the current board of a match."""
        if row.board_message:
            board = PendingEdit(row.board_message, row.board_channel or row.channel, row.id, row.version)
            await self.store.do(Transaction.keep_edit, board)
            self.queue.spawn_task(self.cleanup.clean_match(row.id))

    async def _check_quietly(self, match: MatchId) -> None:
        with contextlib.suppress(Unavailable):  # a later board says it
            await self.check_members(match)

    async def retry_failed(self) -> None:
        """Retry the matches that users are waiting for, and some of the pending edits."""
        in_background.set(True)
        self.queue.retry_failed()
        for match in await self.cleanup.list_due():
            self.queue.spawn_task(self.cleanup.clean_match(match))

    async def catch_up(self) -> None:
        """Queue all lagging matches once; after an outage this takes minutes."""
        in_background.set(True)
        for question in (Reader.find_lagging_matches, Reader.find_matches_to_rename, Reader.find_matches_to_announce):
            after = 0
            while due := await self.store.ask(question, AT_A_LOOK, after):
                await self.queue.publish_due(due)
                after = due[-1][0]

    async def _publish(self, match: MatchId, restore: bool) -> None:
        has_edits = True
        try:
            outcome = await self.show(match)
            if restore:
                await self.repost(match)
                self.queue.spawn_task(self._check_quietly(match))
            if outcome.is_news:
                await self._announce(match)
            has_edits = outcome.has_edits or outcome.is_news
        except UnknownMatch as gone:
            log.warning("Match %d is not shown any more: %s", match, gone)
            await self._take_down(match)
        finally:
            if has_edits or restore:
                self.queue.spawn_task(self.cleanup.clean_match(match))

    async def _take_down(self, match: MatchId) -> None:
        """Replace a board that cannot be drawn any more by the reason, and never retry it, nor the announcement of its
        result."""
        with contextlib.suppress(Unavailable):
            row = await self.store.ask(Reader.load_row, match)
            if row is None or self._is_pending(row.guild):
                return
            if row.rename_pending:
                await self.lobbies.rename(row)
            if row.announce_until is not None:
                await self.store.do(Transaction.mark_announced, match, None)
            if row.publish_error:
                return
            channel, message = row.board_channel or row.channel, row.board_message or row.lobby_message
            if message and row.close_reason:
                with contextlib.suppress(discord.HTTPException, discord.RateLimited):
                    await self.channels.edit(row.guild, channel, message, ui.build_notice(row.close_reason))
            await self.store.do(Transaction.park, match, "its game is not what it was")

    async def show(self, match: MatchId) -> Publication:
        """Show a match as committed, if it is not shown so already. Acts that come meanwhile request another run."""
        outcome = Publication()
        for _ in range(ROUNDS):
            loaded = await self.umpire.load_to_show(match)
            if self._is_pending(loaded.row.guild):
                return Publication()
            if loaded.row.publish_error:
                self.parked(match)
                break
            if loaded.row.shown_version >= loaded.row.version:
                break
            if loaded.users_to_notify and await self._check_row(loaded.row, TOLD_WITHIN):
                continue
            outcome = await self._show(loaded)
            if outcome.is_current:
                break
        else:
            return Publication()
        if loaded.row.rename_pending and (row := await self.store.ask(Reader.load_row, match)) and row.rename_pending:
            await self.lobbies.rename(row)
        return outcome._replace(is_news=loaded.row.announce_until is not None)

    async def _announce(self, match: MatchId) -> None:
        """Announce in the channel of a match how it ended, once its last board is shown."""
        loaded = await self.umpire.load_to_show(match)
        if loaded.row.announce_until is not None and (
            loaded.row.publish_error or loaded.row.shown_version >= loaded.row.version
        ):
            await self.announcements.show(loaded)

    async def repost(self, match: MatchId) -> None:
        """Post a deleted board again, or the lobby of an open challenge."""
        for _ in range(ROUNDS):
            loaded = await self.umpire.load_to_show(match)
            if self._is_pending(loaded.row.guild) or loaded.row.publish_error or challenges.is_taken_away(loaded.row):
                return
            if loaded.match is None:
                await self._show(loaded)
                return
            channel, message = loaded.row.board_channel or loaded.play_channel, loaded.row.board_message
            if message is None or await self.channels.exists(channel, message):
                return
            if (await self.boards.adopt_orphans(loaded))[1]:
                return  # an orphan is there already
            await self._try(loaded, self.boards.post(loaded))

    async def _show(self, loaded: LoadedMatch) -> Publication:
        return await self._try(loaded, self._show_lobby(loaded) if loaded.match is None else self._show_board(loaded))

    async def _show_lobby(self, loaded: LoadedMatch) -> Publication:
        await self.lobbies.show(loaded)
        return Publication()

    async def _show_board(self, loaded: LoadedMatch) -> Publication:
        """Show the board. The first one needs a place; later ones stay there, or move to the thread that the match
        awaits."""
        if loaded.row.rename_pending:
            await self._rename_first(loaded.row)
        if challenges.is_taken_away(loaded.row):
            return await self._take_away(loaded)
        if loaded.row.board_message is None or (loaded.row.awaits_thread and await self.boards.needs_new_board(loaded)):
            # A board that this process does not know of would be searched for in the thread alone.
            if loaded.row.awaits_thread and (await self.boards.adopt_orphans(loaded))[1]:
                return Publication()
            loaded = await self.lobbies.ensure_place(loaded)
        return await self.boards.show(loaded)

    async def _take_away(self, loaded: LoadedMatch) -> Publication:
        """Remove a quick game from its channel that was cancelled before a move. Its thread is deleted; where the bot
        may not do that, it keeps a board without buttons and is archived."""
        row = loaded.row
        in_thread = bool(row.board_message) and row.board_channel != row.channel
        goes = in_thread and await self.channels.delete_thread(row.guild, loaded.play_channel)
        left = [one for one in (row.lobby_message, None if in_thread else row.board_message) if one]

        def note(tx: Transaction) -> None:
            tx.set_lobby_message(row.id, None)
            for message in left:
                tx.keep_edit(make_removal(row, message))
            if goes:
                tx.set_thread(row.id, row.channel)
            if goes or not in_thread:
                tx.mark_shown(row.id, row.version)

        await self.store.do(note)
        if goes or not in_thread:
            return Publication()
        outcome = await self.boards.show(await self.umpire.load_to_show(row.id))
        with contextlib.suppress(discord.HTTPException, discord.RateLimited):  # within an hour it sleeps anyhow
            await self.channels.set_archived(row.guild, loaded.play_channel, archived=True)
        return outcome

    async def _rename_first(self, row: MatchRow) -> None:
        """Mark the thread of a finished match before its last board is posted: Discord announces the rename in a line,
        which would follow the board. Where that takes longer than a moment, it is done afterwards."""
        with contextlib.suppress(TimeoutError, discord.HTTPException, discord.RateLimited):
            async with asyncio.timeout(RENAMED_WITHIN):
                await self.lobbies.rename(row)

    async def _try(self, loaded: LoadedMatch, work: Awaitable[Publication]) -> Publication:
        begun = loop_time()
        try:
            outcome = await work
        except discord.HTTPException as fault:
            await self._handle_refusal(loaded, fault, begun)
            return Publication()
        self.metrics.note_shown(loaded.id, loaded.row.version)
        return outcome

    async def _handle_refusal(self, loaded: LoadedMatch, fault: discord.HTTPException, begun: float) -> None:
        """Handle the refusal of a board: a thread that was deleted, or cannot be unarchived, moves the match to its
        channel; other refusals park it, with the reason."""
        loaded = await self.umpire.load_to_show(loaded.id)  # its thread may have been made since
        if loaded.has_own_thread and choose_action(fault, Route.POST) is FailureAction.ELSEWHERE:
            if not await self.store.do(clocks.move_to_channel, loaded.id, loaded.row.thread):
                await self.store.do(move_out_of_thread, loaded.id, loaded.row.channel)
        elif is_refusal(fault):
            log.info("Match %d is not shown: %s", loaded.id, fault)
            await self.close(loaded.id, loaded.row.guild, await self._find_obstacle(loaded, fault))
            self.refused(loaded.row.guild, begun)
        else:
            raise fault

    async def _find_obstacle(self, loaded: LoadedMatch, fault: discord.HTTPException) -> str:
        """Why the board of a match cannot be posted. For a timeout Discord only says that a permission is missing; then
        it is asked."""
        guild, place = loaded.row.guild, loaded.play_channel
        if is_code(fault, Code.NO_PERMISSION) and (
            (until := await self.channels.fetch_timed_out_until(guild)) > self.umpire.clock()
        ):
            return TIMED_OUT.format(until=until)
        if (
            is_code(fault, Code.NO_ACCESS)
            and place == loaded.row.channel
            and self.channels.is_hidden_thread(guild, place)
        ):
            return SHUT_OUT
        if is_code(fault, Code.NO_ACCESS, Code.NO_PERMISSION):
            return self.channels.describe_needs(guild, place)
        return describe_obstacle(fault)


def move_out_of_thread(tx: Transaction, match: MatchId, channel: ChannelId) -> None:
    """Show a finished match in its channel. Users whom a line in its thread has pinged are pinged there again."""
    tx.set_thread(match, channel)
    tx.unmark_told(match)


def renew_nonce_mark(tx: Transaction, now: int) -> str:
    """What the nonces of this database end in: the second in which it began or was restored, within most of a day;
    Discord forgets nonces after minutes."""
    mark = f"{now % 16**MARK:0{MARK}x}"
    tx.replace_note(NONCE_MARK, None, mark)
    return tx.read_note(NONCE_MARK) or mark
