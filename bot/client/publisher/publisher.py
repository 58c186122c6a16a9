"""Keeps Discord in line with the store: the challenge, thread, board and mentions of every match.

It is the only place that shows a match. It is told of every act that is committed; and after a crash or an outage the
reconciler finds the matches whose shown version lags behind. Both ways run the same code. A board is computed from the
stored match, and noted as shown only after Discord has accepted it. `board_messages` and `lobbies` know the messages,
`queue` knows whose turn it is, `cleanup` edits older messages.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.client.http.messages import Channels
from bot.client.http.places import Places
from bot.client.http.request_traces import Throttle
from bot.client.people.members import ASK_WITHIN, Members
from bot.client.publisher.announcements import Announcements
from bot.client.publisher.board_messages import Boards, Outcome
from bot.client.publisher.cleanup import Cleanup
from bot.client.publisher.lobbies import Lobbies
from bot.client.publisher.orphans import Orphans
from bot.client.publisher.pending_edits import to_remove
from bot.client.publisher.queue import PublishQueue
from bot.client.publisher.second_looks import looking_after
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import (
    NOT_THERE,
    SHUT_OUT,
    TIMED_OUT,
    Code,
    Route,
    Then,
    follows,
    is_code,
    obstacle,
    refused,
)
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.metrics import Metrics
from bot.client.views import views
from bot.client.views.edits import Draw
from bot.client.views.renderer import Renderer
from bot.core.match.loaded_match import LoadedMatch, UnknownMatch, person
from bot.core.match.stored import MatchRow, PendingEdit
from bot.core.values.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.core.values.plural import Plural, together
from bot.service.privacy import departures
from bot.service.rules import quick_games
from bot.service.rules.refusals import Closed
from bot.service.time import clock_updates
from bot.service.umpire.departures import Departures
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

AT_A_LOOK = 200
"""How many matches that lag behind are looked up at once; there may be thousands after an outage."""
NONCE_MARK = "nonce mark"
"""The note of what marks the nonces of a database; a restored copy gets another one."""
MARK = 4
"""Hexadecimal digits in the mark of a database."""
ROUNDS = 5
"""How often a match that changes while it is shown is shown again before others get their turn."""

TOLD_WITHIN, CONFIRMED_WITHIN = 1.0, 1.0
"""Seconds for which Discord is asked who is still there before somebody is told something, and before somebody goes on
without a player who has left."""
BACK = Plural(
    "{names} is back in this server. Nothing was changed.", "{names} are back in this server. Nothing was changed."
)
RENAMED_WITHIN = 2.0
"""Seconds for which the last board of a match waits until its thread has its last name."""

log = logging.getLogger(__name__)


class Publisher:
    """Shows matches, each to one version at a time."""

    def __init__(
        self,
        channels: Channels,
        places: Places,
        members: Members,
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
        self.queue = PublishQueue(self._shown, throttle, retry)
        self.departures = Departures(umpire)
        channels.edits.watch = partial(looking_after, umpire)
        members.changed = lambda guild, user: self.queue.beside(self.noticed(guild, user))
        self.refused: Callable[[GuildId, float], None] = lambda _guild, _begun: None
        """Hears in which server Discord has refused what, and when we began with it."""
        self.parked: Callable[[MatchId], object] = lambda _match: None
        """Hears which match cannot be shown in its place."""

    async def begin(self, account: int) -> None:
        """Know when this life begins, and what marks the nonces of this database; to be called when Discord has told
        the time, and before anything is shown."""
        self.orphans.begin(self.umpire.clock())
        self.places.is_known = await self.store.do(departures.is_known, account, self.umpire.clock())
        self.channels.mark = await self.store.do(nonce_mark, self.umpire.clock())

    def soon(self, match: MatchId, quiet: bool = False) -> None:
        """Show a match as soon as possible, without waiting for it; what fails is tried again later, and no sooner for
        an act that is `quiet`."""
        self.queue.ask(match, quiet=quiet)

    def soon_restored(self, match: MatchId) -> None:
        """Show a match, and post its board or its lobby again if somebody deleted it."""
        self.queue.ask(match, restore=True)

    async def unpark(self, match: MatchId) -> None:
        """Let a match be shown again after Discord has refused its board; not where its channel was deleted."""
        row = await self.store.ask(Reader.row, match)
        if row and not self.is_lost(row):
            await self.store.do(Transaction.park, match, None)

    def is_lost(self, row: MatchRow) -> bool:
        """Whether the channel of a match was deleted, as far as that was noticed."""
        return self.places.is_lost(row.guild, row.thread or row.channel, row.publish_error)

    async def close(self, match: MatchId, guild: GuildId, reason: str) -> None:
        """Note why a match cannot be shown in its place, and have its people told elsewhere. Its clocks run on where
        somebody can act: commands reach us from every channel of a server that we are in."""
        if self.places.has_removed_us(guild):
            await self.end_departed(guild)
            return
        if self.places.left(guild):
            await self.store.do(clock_updates.freeze, match, NOT_THERE, self.umpire.clock())
        else:
            await self.store.do(Transaction.park, match, reason)
        self.parked(match)

    async def end_departed(self, guild: GuildId) -> None:
        """End all that goes on in a server that has removed us, and have its people told where they can be."""
        while self.places.has_removed_us(guild):
            if not (matches := await self.store.unhurried.do(departures.ended, guild, NOT_THERE, self.umpire.clock())):
                return
            for match in matches:
                self.parked(match)

    async def closed_view(self, seated: LoadedMatch) -> tuple[discord.ui.LayoutView, Draw]:
        """The board of a match without its buttons, and what draws its pictures."""
        return await self.boards.closed_view(seated, seated.row.plies)

    def note_closed(self, message: MessageId) -> None:
        """Remember that a board has no buttons any more."""
        self.boards.closed.add(message)

    async def lost(self, thread: ChannelId) -> None:
        """A thread was deleted: the match that was played in it goes on in its channel, at once."""
        for row in await self.store.ask(Reader.in_thread, thread):
            if (
                self.store.share.holds(row.guild)
                and row.thread != row.channel
                and await self.store.do(clock_updates.moved, row.id, thread)
            ):
                self.soon(row.id)

    def _awaits(self, guild: GuildId) -> bool:
        """Whether nothing is to be shown in a server now: Discord has yet to tell us of it, or tells another process of
        it."""
        return not self.store.share.holds(guild) or self.channels.awaits(guild)

    def met(self, match: MatchId, message: discord.Message) -> None:
        """Close a message on which somebody pressed a button, if it is an orphan."""
        self.queue.beside(self.cleanup.meet(match, message))

    async def look(self, match: MatchId, within: float = ASK_WITHIN) -> bool:
        """Ask Discord who of the people in a live match is in its server, of whom nothing was heard in the last minute,
        and note who has left, and who is back. Whether the match was changed by that."""
        row = await self.store.ask(Reader.row, match)
        return row is not None and await self._looked_at(row, within)

    async def _looked_at(self, row: MatchRow, within: float) -> bool:
        if row.state != "live" or self._awaits(row.guild):
            return False
        await self.members.learn(row.guild, [player.user for player in row.players], within, freshly=True)
        found = {player.user: self.members.is_here(row.guild, player.user) for player in row.players}
        wrong = [one.user for one in row.players if found[one.user] is one.gone]
        for user in wrong:
            await self._note(row.guild, user)
        # The answer is noted by `noticed` as well, and whoever comes second hears that nothing was changed.
        now = await self.store.ask(Reader.row, row.id) if wrong else None
        return now is not None and now.version != row.version

    async def asked_after(self, seated: LoadedMatch) -> LoadedMatch:
        """A match as it stands once Discord has said whether those are still away who count as gone; where somebody is
        back, a refusal that says so."""
        guild = seated.row.guild
        missing = [player.user for player in seated.missing]
        gone = await self.members.gone_now(guild, missing, CONFIRMED_WITHIN)
        back = [user for user in missing if user not in gone and self.members.is_here(guild, user)]
        for user in back:
            await self._note(guild, user)
        if back:
            raise Closed(BACK.of(len(back), names=together(map(person, back))))
        return seated

    async def redraw(self, guild: GuildId, user: UserId) -> None:
        """Have the boards of somebody's live matches in a server edited."""
        with contextlib.suppress(Unavailable):  # later boards say it
            for row in await self.store.ask(Reader.live_of, guild, user):
                await self._redrawn(row)

    async def noticed(self, guild: GuildId, user: UserId) -> None:
        """Note that somebody turns out to have left a server, or to be back, and have it shown."""
        with contextlib.suppress(Unavailable):  # the next look at one of their matches finds it out
            if not self._awaits(guild):
                await self._note(guild, user)

    async def _note(self, guild: GuildId, user: UserId) -> list[MatchId]:
        """Note that somebody has left a server, or is back, and have it shown; the matches that were changed."""
        here = self.members.is_here(guild, user)
        changed = await (self.departures.back if here else self.departures.left)(guild, user)
        for match in changed:
            self.soon(match)
        return changed

    async def tell(self, match: MatchId, sentence: str) -> None:
        """Say on the board of a match that its computer waits for others, or where the sentence is empty no longer."""
        if not sentence:
            self.boards.queued.pop(match, None)  # the next board follows at once
            return
        self.boards.queued[match] = sentence
        row = await self.store.ask(Reader.row, match)
        if row and not self._awaits(row.guild):
            await self._redrawn(row)

    async def _redrawn(self, row: MatchRow) -> None:
        """Have the board of a match edited that is there, as an edit that is left over."""
        if row.board_message:
            board = PendingEdit(row.board_message, row.board_channel or row.channel, row.id, row.version)
            await self.store.do(Transaction.leave_over, board)
            self.queue.beside(self.cleanup.of(row.id))

    async def _looked(self, match: MatchId) -> None:
        with contextlib.suppress(Unavailable):  # a later board says it
            await self.look(match)

    async def again(self) -> None:
        """Have tried again what people have asked for and did not get, and some of what was left over, edited."""
        in_background.set(True)
        self.queue.again()
        for match in await self.cleanup.due():
            self.queue.beside(self.cleanup.of(match))

    async def catch_up(self) -> None:
        """Look once through all that lags behind, and have it shown in turn; after an outage that takes minutes."""
        in_background.set(True)
        for question in (Reader.lagging, Reader.to_rename, Reader.to_announce):
            after = 0
            while due := await self.store.ask(question, AT_A_LOOK, after):
                await self.queue.share(due)
                after = due[-1][0]

    async def _shown(self, match: MatchId, restore: bool) -> None:
        has_edits = True
        try:
            outcome = await self.show(match)
            if restore:
                await self.repost(match)
                self.queue.beside(self._looked(match))
            if outcome.is_news:
                await self._announced(match)
            has_edits = outcome.has_edits or outcome.is_news
        except UnknownMatch as gone:
            log.warning("Match %d is not shown any more: %s", match, gone)
            await self._take_down(match)
        finally:
            if has_edits or restore:
                self.queue.beside(self.cleanup.of(match))

    async def _take_down(self, match: MatchId) -> None:
        """Replace a board that cannot be drawn any more by the reason, and never retry it, nor what its channel is to
        be told."""
        with contextlib.suppress(Unavailable):
            row = await self.store.ask(Reader.row, match)
            if row is None or self._awaits(row.guild):
                return
            if row.rename_pending:
                await self.lobbies.rename(row)
            if row.announce_until is not None:
                await self.store.do(Transaction.announced, match, None)
            if row.publish_error:
                return
            channel, message = row.board_channel or row.channel, row.board_message or row.lobby_message
            if message and row.close_reason:
                with contextlib.suppress(discord.HTTPException, discord.RateLimited):
                    await self.channels.edit(row.guild, channel, message, views.notice(row.close_reason))
            await self.store.do(Transaction.park, match, "its game is not what it was")

    async def show(self, match: MatchId) -> Outcome:
        """Show a match as it is committed, if it is not shown so already. An act that comes meanwhile asks for another
        turn."""
        outcome = Outcome()
        for _ in range(ROUNDS):
            seated = await self.umpire.to_show(match)
            if self._awaits(seated.row.guild):
                return Outcome()
            if seated.row.publish_error:
                self.parked(match)
                break
            if seated.row.shown_version >= seated.row.version:
                break
            if seated.untold and await self._looked_at(seated.row, TOLD_WITHIN):
                continue
            outcome = await self._show(seated)
            if outcome.is_current:
                break
        else:
            return Outcome()
        if seated.row.rename_pending and (row := await self.store.ask(Reader.row, match)) and row.rename_pending:
            await self.lobbies.rename(row)
        return outcome._replace(is_news=seated.row.announce_until is not None)

    async def _announced(self, match: MatchId) -> None:
        """Tell the channel of a match how it ended, when its last board stands where it was played."""
        seated = await self.umpire.to_show(match)
        if seated.row.announce_until is not None and (
            seated.row.publish_error or seated.row.shown_version >= seated.row.version
        ):
            await self.announcements.show(seated)

    async def repost(self, match: MatchId) -> None:
        """Post a board again that somebody deleted, or the lobby of an open challenge."""
        for _ in range(ROUNDS):
            seated = await self.umpire.to_show(match)
            if self._awaits(seated.row.guild) or seated.row.publish_error or quick_games.is_taken_away(seated.row):
                return
            if seated.match is None:
                await self._show(seated)
                return
            channel, message = seated.row.board_channel or seated.place, seated.row.board_message
            if message is None or await self.channels.there(channel, message):
                return
            if (await self.boards.taken_in(seated))[1]:
                return  # one that nobody has noted stands there already
            await self._try(seated, self.boards.post(seated))

    async def _show(self, seated: LoadedMatch) -> Outcome:
        return await self._try(seated, self._show_lobby(seated) if seated.match is None else self._show_board(seated))

    async def _show_lobby(self, seated: LoadedMatch) -> Outcome:
        await self.lobbies.show(seated)
        return Outcome()

    async def _show_board(self, seated: LoadedMatch) -> Outcome:
        """A match's first board needs a place; those that follow stay there, or move to the thread that it awaits."""
        if seated.row.rename_pending:
            await self._renamed_at_once(seated.row)
        if quick_games.is_taken_away(seated.row):
            return await self._taken_away(seated)
        if seated.row.board_message is None or (seated.row.awaits_thread and await self.boards.follows(seated)):
            # A board that this process does not know of would be looked for in the thread alone.
            if seated.row.awaits_thread and (await self.boards.taken_in(seated))[1]:
                return Outcome()
            seated = await self.lobbies.placed(seated)
        return await self.boards.show(seated)

    async def _taken_away(self, seated: LoadedMatch) -> Outcome:
        """Leave nothing in its channel of a quick game that was taken away before a move. Its thread, which only those
        may delete who manage threads, keeps a board without buttons."""
        row = seated.row
        in_thread = bool(row.board_message) and row.board_channel != row.channel
        left = [one for one in (row.lobby_message, None if in_thread else row.board_message) if one]

        def note(tx: Transaction) -> None:
            tx.set_lobby_message(row.id, None)
            for message in left:
                tx.leave_over(to_remove(row, message))
            if not in_thread:
                tx.shown(row.id, row.version)

        await self.store.do(note)
        return await self.boards.show(await self.umpire.to_show(row.id)) if in_thread else Outcome()

    async def _renamed_at_once(self, row: MatchRow) -> None:
        """Mark the thread of a match that is over before its last board stands there: Discord says so in a line, which
        would stand below it. Where that takes longer than a moment, it is done afterwards."""
        with contextlib.suppress(TimeoutError, discord.HTTPException, discord.RateLimited):
            async with asyncio.timeout(RENAMED_WITHIN):
                await self.lobbies.rename(row)

    async def _try(self, seated: LoadedMatch, work: Awaitable[Outcome]) -> Outcome:
        begun = loop_time()
        try:
            outcome = await work
        except discord.HTTPException as fault:
            await self._failed(seated, fault, begun)
            return Outcome()
        self.metrics.shown(seated.id, seated.row.version)
        return outcome

    async def _failed(self, seated: LoadedMatch, fault: discord.HTTPException, begun: float) -> None:
        """A thread that is gone, or cannot be woken, moves the match to its channel; what Discord refuses parks it,
        with the reason."""
        seated = await self.umpire.to_show(seated.id)  # its thread may have been made since
        if seated.threaded and follows(fault, Route.POST) is Then.ELSEWHERE:
            if not await self.store.do(clock_updates.moved, seated.id, seated.row.thread):
                await self.store.do(left_thread, seated.id, seated.row.channel)
        elif refused(fault):
            log.info("Match %d is not shown: %s", seated.id, fault)
            await self.close(seated.id, seated.row.guild, await self._obstacle(seated, fault))
            self.refused(seated.row.guild, begun)
        else:
            raise fault

    async def _obstacle(self, seated: LoadedMatch, fault: discord.HTTPException) -> str:
        """Why the board of a match cannot be posted. Of a timeout Discord says no more than that something is not
        allowed; then it is asked."""
        guild, place = seated.row.guild, seated.place
        if is_code(fault, Code.NO_PERMISSION) and (
            (until := await self.channels.ask_timed_out(guild)) > self.umpire.clock()
        ):
            return TIMED_OUT.format(until=until)
        if is_code(fault, Code.NO_ACCESS) and place == seated.row.channel and self.channels.hidden(guild, place):
            return SHUT_OUT
        if is_code(fault, Code.NO_ACCESS, Code.NO_PERMISSION):
            return self.channels.needs(guild, place)
        return obstacle(fault)


def left_thread(tx: Transaction, match: MatchId, channel: ChannelId) -> None:
    """Note that a match which is over is shown in its channel. Whom a line in its thread has told is told there."""
    tx.set_thread(match, channel)
    tx.untell(match)


def nonce_mark(tx: Transaction, now: int) -> str:
    """What the nonces of this database end in: the second in which it began or was restored, within most of a day;
    Discord forgets nonces after minutes."""
    mark = f"{now % 16**MARK:0{MARK}x}"
    tx.replace_note(NONCE_MARK, None, mark)
    return tx.note(NONCE_MARK) or mark
