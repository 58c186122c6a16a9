"""The boards of a match in its channel: posted, edited, and found again as orphans."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import blake2b
from math import inf
from typing import Any, NamedTuple, TypeVar

import discord

from bot.features.board import line_words, match_pictures, views
from bot.features.board.match_pictures import Renderer
from bot.platform import ui
from bot.platform.checks import is_foreign
from bot.platform.edits import Draw, Files
from bot.platform.error_codes import FailureAction, Route, choose_action
from bot.platform.jobs import Rank
from bot.platform.members import MemberCache
from bot.platform.messages import Channels
from bot.platform.names import remove_names
from bot.platform.outbox import LONGEST_TURN
from bot.platform.ui import MOMENT
from bot.play.ids import NOWHERE, ChannelId, MatchId, MessageId, UserId, is_person
from bot.play.loaded_match import LoadedMatch, MatchView, list_summoned
from bot.play.rows import MatchRecordRow, MatchRow, PendingEdit
from bot.umpire import clocks, notifications
from bot.umpire.acts import CLOSED as REMOVED
from bot.umpire.umpire import Umpire
from data.store import Transaction
from rendering.shapes import Picture

# Makes the edits that a new board leaves to the outbox: of the board before it, an orphaned one, the challenge.


def make_former_board_edit(loaded: LoadedMatch, message: MessageId) -> PendingEdit | None:
    """The edit that closes the board before a new one; None where there is none before it."""
    row = loaded.row
    if not row.board_message or row.board_message == message:
        return None
    return PendingEdit(
        row.board_message, row.board_channel or loaded.play_channel, row.id, row.version, row.shown_plies
    )


def make_challenge_edit(row: MatchRow) -> PendingEdit | None:
    """The edit that redraws the message of a match's challenge; None where there is none."""
    return PendingEdit(row.lobby_message, row.channel, row.id, row.version) if row.lobby_message else None


def make_closing_edit(message: discord.Message, row: MatchRow) -> PendingEdit:
    """The cleanup of an orphan: its buttons are taken off."""
    return PendingEdit(MessageId(message.id), ChannelId(message.channel.id), row.id, row.version)


def make_removal(row: MatchRow, message: MessageId) -> PendingEdit:
    """The cleanup of a message in the channel of a match that is no longer needed."""
    return PendingEdit(message, row.channel, row.id, row.version, remove=True)


# Finds orphaned messages: posts of ours that the store does not know, because the bot crashed or lost an answer.


NONCES = 99_999_989
"""Nonces hold a message's id modulo this, as they have 25 characters at most. It is a prime, since ids count
milliseconds by a power of two: modulo 10^8, messages 390 seconds apart would have equal remainders."""
REMEMBERED = 10_000
"""The number of matches of which it is remembered whether there may be orphans; forgetting costs a request."""


class Orphans:
    """Tracks where orphans may be, and searches for them."""

    def __init__(self, channels: Channels) -> None:
        self.channels = channels
        self._born = inf
        self._sure: OrderedDict[tuple[MatchId, ChannelId], bool] = OrderedDict()

    def begin(self, now: int) -> None:
        """Note that this process has posted nothing before `now`, in seconds since the epoch."""
        self._born = now

    def has_none(self, loaded: LoadedMatch, place: ChannelId) -> bool:
        """Whether a match surely has no orphans in a place; true of a match that began in this process. False if its
        server has removed the bot and invited it again: the edits that were due were dropped meanwhile."""
        row = loaded.row
        if row.close_reason == REMOVED and row.shown_version < row.version:
            return False
        return self._sure.get((loaded.id, place), row.created > self._born)

    def mark_checked(self, loaded: LoadedMatch, place: ChannelId, sure: bool = True) -> None:
        """Remember whether a match surely has no orphans in a place."""
        self._sure[loaded.id, place] = sure
        self._sure.move_to_end((loaded.id, place))
        if len(self._sure) > REMEMBERED:
            self._sure.popitem(last=False)

    @asynccontextmanager
    async def posting_guard(self, loaded: LoadedMatch, place: ChannelId) -> AsyncGenerator[None]:
        """Post and note something inside this block; unless both succeed, there may be an orphan."""
        self.mark_checked(loaded, place, sure=False)
        yield
        self.mark_checked(loaded, place)

    async def find_orphans(
        self, loaded: LoadedMatch, place: ChannelId, wanted: Callable[[discord.Message], bool]
    ) -> list[discord.Message]:
        """Our messages in a place that are `wanted`, the newest first; none where there surely are no orphans. Messages
        older than the match are of an earlier one with its id."""
        if self.has_none(loaded, place):
            return []
        row = loaded.row
        return [one for one in await self.channels.own_messages(place) if wanted(one) and not is_foreign(one.id, row)]


def is_lobby(message: discord.Message, match: MatchId) -> bool:
    """Whether a message is the open challenge of a match."""
    found = ui.find_buttons(message.components)
    return any(button.match == match and button.verb in views.LOBBY_VERBS for button in found)


def is_board(message: discord.Message, match: MatchId) -> bool:
    """Whether a message is a board of a match, with its buttons."""
    mine = any(button.match == match for button in ui.find_buttons(message.components))
    return mine and not is_lobby(message, match) and not is_announcement(message, match)


def is_announcement(message: discord.Message, match: MatchId) -> bool:
    """Whether a message tells the channel of a match how it ended; in old matches the challenge's message did that."""
    found = ui.find_buttons(message.components)
    verbs = {button.verb for button in found if button.match == match and not button.version}
    return bool(verbs) and len(found) == len(verbs) and verbs <= {*views.SEEN_AGAIN}


def matches_view(message: discord.Message, view: discord.ui.LayoutView) -> bool:
    """Whether a message shows what a view would."""
    return ui.list_contents([part.to_dict() for part in message.components]) == ui.list_contents(view.to_components())


def matches_text(message: discord.Message, text: str) -> bool:
    """Whether a message says the same as a line, with users as mentions or by name."""
    return normalize_line(message.content) == normalize_line(text)


def normalize_line(text: str) -> str:
    """A line without its users and timestamps, both of which may be written differently by now."""
    return MOMENT.sub("<t:", remove_names(" ".join(text.split())))


def list_people_to_tell(loaded: LoadedMatch) -> tuple[UserId, ...]:
    """The users whom the next line pings."""
    return tuple(dict.fromkeys(filter(is_person, loaded.users_to_notify)))


def mentions_exactly(message: discord.Message, people: Collection[UserId]) -> bool:
    """Whether a message pings just these users."""
    return {user.id for user in message.mentions} == {*people}


def find_told_version(message: discord.Message, row: MatchRecordRow) -> int:
    """Up to which version users who do not play a match were told of it: by a line above its board, or, as earlier
    versions did, by this board itself."""
    told, known = {user.id for user in message.mentions}, max(row.shown_version, row.told_version)
    missed = (due for user, due in list_summoned(row) if due > known and user not in told)
    return min(missed, default=row.version + 1) - 1


def find_untold_players(message: discord.Message, row: MatchRecordRow) -> tuple[UserId, ...]:
    """The players whom neither a line nor this board has pinged."""
    told, known = {user.id for user in message.mentions}, max(row.shown_version, row.told_version)
    return tuple(
        one.user for one in row.players if one.mention_version > known and is_person(one.user) and one.user not in told
    )


def choose_earlier(posted: PendingEdit, now: MatchRow, seen: MatchRow) -> PendingEdit | None:
    """Which of two boards is to be closed: the one just posted, or the one that another process has noted since this
    one has `seen` the match; None where no other is noted."""
    there = now.board_message
    if there is None or there in (seen.board_message, posted.message):
        return None
    noted = PendingEdit(there, now.board_channel or posted.channel, now.id, now.version, now.shown_plies)
    return min(posted, noted, key=lambda one: one.message)


# Posts and edits the boards of a match in its channel, for the publisher, and decides when a new board follows.


CLOSED_WITHIN = 0.5
"""Seconds that noting a new board waits until the one before it is closed. After that the outbox closes it."""
UNDER_WAY = int(LONGEST_TURN) + 5
"""Seconds after which an edit that was not noted as done counts as lost."""

Result = TypeVar("Result")

steps = logging.getLogger("graphpaper.steps")


class Publication(NamedTuple):
    """What was noted of a board: whether it shows the match as it is stored, whether the outbox holds edits, and
    whether the result is still to be announced in the channel."""

    is_current: bool = False
    has_edits: bool = True
    is_news: bool = False


class Boards:
    """Posts boards and edits them, and builds their views for after they are replaced."""

    def __init__(
        self, channels: Channels, umpire: Umpire, renderer: Renderer, orphans: Orphans, members: MemberCache
    ) -> None:
        self.channels = channels
        self.members = members
        self.orphans = orphans
        self.umpire = umpire
        self.store = umpire.store
        self.renderer = renderer
        self.closed: set[int] = set()
        """Boards whose buttons were removed by the answer to an interaction already."""
        self.queued: dict[MatchId, str] = {}
        """The sentences on boards whose computer waits for others."""

    async def show(self, loaded: LoadedMatch) -> Publication:
        """Post a new board if users are to be pinged or the match has ended; else update the current board.

        If that board was deleted, a new one is posted; but an archived thread is never unarchived after the end.
        """
        outcome = Publication()
        loaded, is_shown = await self.adopt_orphans(loaded)
        if is_shown:
            pass
        elif self._keeps_board(loaded):
            await self._tell_below(loaded)
        elif await self.needs_new_board(loaded):
            outcome = await self.post(loaded)
        elif await self.is_change_hidden(loaded):
            await self._note_shown(loaded, loaded.row.plies)
        elif await self._edit(loaded):
            pass
        elif loaded.row.state == "live":
            outcome = await self.post(loaded)
        else:
            await self._note_shown(loaded)
        steps.debug("shown %d", loaded.id)
        return outcome

    def _keeps_board(self, loaded: LoadedMatch) -> bool:
        """Whether the board stays, and only users after their quiet hours are pinged: where a match has ended, or has
        its own thread."""
        return notifications.have_slept(loaded) and (loaded.row.state != "live" or loaded.has_own_thread)

    async def _tell_below(self, loaded: LoadedMatch) -> None:
        """Ping the users concerned with a line below the board that shows the change already."""
        told = list_people_to_tell(loaded)
        await self._tell(MatchView.of(loaded, None), await self._format_line_now(loaded, told), told)
        await self._note_shown(loaded)

    async def needs_new_board(self, loaded: LoadedMatch) -> bool:
        """Whether the match is shown on a new board."""
        return await self.renderer.run(lambda: self._needs_new_board(loaded))

    def _needs_new_board(self, loaded: LoadedMatch) -> bool:
        """Whether the match is shown on a new board: where users are pinged, at the start and at the end, and after a
        round, whose board is kept."""
        row = loaded.row
        if row.guild == NOWHERE:  # in direct messages a board stays, unless its player has gone away
            return row.board_message is None or bool(list_people_to_tell(loaded))
        if loaded.users_to_ping or row.board_message is None:
            return True
        if row.state != "live":
            return row.plies != row.shown_plies or row.published
        if loaded.begun_match.position.round == 1 or row.plies == row.shown_plies:
            return False
        shown = self.umpire.folds.fold_at(loaded, row.shown_plies)
        rounds = [match.position.round for match in (shown.before, shown.match, loaded.match) if match]
        return len(set(rounds)) > 1

    async def is_change_hidden(self, loaded: LoadedMatch) -> bool:
        """Whether all that happened since the board was last shown is hidden from spectators."""
        return await self.renderer.run(lambda: self._is_change_hidden(loaded))

    def _is_change_hidden(self, loaded: LoadedMatch) -> bool:
        row = loaded.row
        if not loaded.game.secret or row.version - row.shown_version != row.plies - row.shown_plies:
            return False
        shown, now = MatchView.of(self.umpire.folds.fold_at(loaded, row.shown_plies), None), MatchView.of(loaded, None)
        return (shown.record, shown.position) == (now.record, now.position)

    async def _note_shown(self, loaded: LoadedMatch, plies: int | None = None) -> None:
        """Note that a match is shown as it is stored, though nothing was posted or edited."""
        version, now = loaded.row.version, self.umpire.clock()
        await self.store.do(lambda tx: clocks.record_shown(tx, loaded.id, version, now, shown_plies=plies))

    async def post(self, loaded: LoadedMatch) -> Publication:
        """Ping the users concerned with a line; post a new board below it, close the one before, and note all of it.
        The board is drawn while the line is sent."""
        sight, place, told = self._make_public_view(loaded), loaded.play_channel, list_people_to_tell(loaded)
        text = await self.renderer.run(lambda: self._format_line(sight, told)) if told else ""
        # Where no board can be posted, as is known, no user is pinged for nothing.
        hopeful = not self.channels.is_channel_closed(loaded.row.guild, place)
        async with run_meanwhile(self.renderer.draw_board(sight)) as drawn:
            if told and hopeful:
                await self._tell(sight, text, told)
            drawing = await drawn
        steps.debug("drawn %d", loaded.id)
        view, files = views.build_board(sight, drawing.pictures), drawing.make_files(str(sight.position))
        async with self.orphans.posting_guard(loaded, place):
            # Discord may return an older message with this nonce, posted before a restart or by another process.
            message = await self.channels.post(
                loaded.row.guild, place, view, files, (), make_board_nonce(loaded.row, place)
            )
            steps.debug("posted %d", loaded.id)
            if told and not hopeful:
                await self._tell(sight, text, told)
            if told:
                loaded = replace(loaded, row=replace(loaded.row, told_version=loaded.row.version))
            return await self._note(loaded, message, current=matches_view(message, view))

    def _format_line(self, sight: MatchView, told: Sequence[UserId]) -> str:
        """The line that pings users above the board that follows."""
        shown = MatchView.of(self.umpire.folds.fold_at(sight.loaded, sight.loaded.row.shown_plies), None)
        return line_words.format_line(sight, told, shown.version)

    async def _tell(self, sight: MatchView, text: str, told: Sequence[UserId]) -> None:
        """Ping users with what happened, and note that, before the board is posted that shows it."""
        loaded = sight.loaded
        async with self.orphans.posting_guard(loaded, loaded.play_channel):
            line = await self.channels.say(
                loaded.row.guild, loaded.play_channel, text, told, make_line_nonce(sight, told)
            )
            steps.debug("told %d", loaded.id)
            await self.store.do(Transaction.mark_told, loaded.id, loaded.row.version, line.id)
            steps.debug("known %d", loaded.id)

    async def _note(self, loaded: LoadedMatch, message: discord.Message, current: bool) -> Publication:
        """Note a posted board, how much of the match it shows, and in the same transaction the edits that follow from
        it: the board before it keeps its buttons until they are removed, and the challenge its old text."""
        row, shown = loaded.row, MessageId(message.id)
        found = row.plies if current else await self._find_shown_plies(loaded, message)
        plies = row.shown_plies if found is None else found
        # Every line of the record has raised the version by one at least; secret moves raise both, and stay uncounted.
        untold = find_untold_players(message, row)
        whole = current and not untold
        version = row.version if whole else max(row.shown_version, row.version - max(1, row.plies - plies))
        version = max(row.shown_version, min(version, find_told_version(message, row)))
        former = make_former_board_edit(loaded, shown)
        first_or_last = row.announce_until is None and (row.board_message is None or row.state != "live")
        left = [edit for edit in (former, make_challenge_edit(row) if first_or_last else None) if edit]
        # On a board that the match has left behind in its channel the outbox says where it goes on.
        stays = former and former.channel == loaded.play_channel
        alone = row.guild == NOWHERE
        if former and stays and found is not None and (alone or await self._looks_alike(loaded, found)):
            left[0] = replace(former, remove=True)
            if (
                not loaded.has_own_thread
                and not first_or_last
                and row.state == "live"
                and (challenge := make_challenge_edit(row))
            ):
                left.append(challenge)  # it links to the board that is replaced
        elif former and stays and (former.message in self.closed or await self._close_former(loaded, former)):
            left.remove(former)

        def note(tx: Transaction) -> Publication:
            now, kept, known = self.umpire.clock(), tx.load_row(row.id), (version, plies)
            tx.drop_notices(row.id)  # its place is open
            # A board without buttons does not tell which version it shows: it is left as it is.
            here = PendingEdit(shown, loaded.play_channel, row.id, row.version, found)
            if kept and (earlier := choose_earlier(here, kept, row)):
                tx.edit_at_once(earlier)
                if earlier is here:
                    # Noted, it would get its buttons back, and the board below it would be forgotten.
                    return Publication()
            if kept and kept.shown_version > version:
                # Another process has edited the board before meanwhile. This one is below it, and is to catch up.
                known = kept.shown_version, kept.shown_plies
                tx.keep_edit(PendingEdit(shown, loaded.play_channel, row.id, version))
            if not current and version >= row.version:
                tx.keep_edit(here)  # else nothing would be shown of the match before its next act
            is_current = (
                clocks.record_shown(tx, row.id, known[0], now, loaded.play_channel, shown, known[1]) and not untold
            )
            for user in untold:
                tx.set_player(row.id, user, mention_version=row.version)
            for one in left:
                tx.keep_edit(one)
            if former and kept and kept.shown_version != row.shown_version:
                tx.edit_at_once(former)  # another process has edited it, perhaps after it was closed
            return Publication(is_current, has_edits=bool(tx.find_pending_edits(now, 1, row.id)))

        outcome = await self.store.do(note)
        self.closed.discard(row.board_message or 0)
        steps.debug("noted %d", loaded.id)
        return outcome

    async def _looks_alike(self, loaded: LoadedMatch, plies: int) -> bool:
        """Whether the noted board shows spectators as much of a match as one after `plies` lines: then the new one,
        which has other buttons, replaces it."""

        def list_versions() -> set[int]:
            both = loaded.row.shown_plies, plies
            return {MatchView.of(self.umpire.folds.fold_at(loaded, one), None).version for one in both}

        return len(await self.renderer.run(list_versions)) == 1

    async def _close_former(self, loaded: LoadedMatch, former: PendingEdit) -> bool:
        """Take the buttons off the board before a new one; False where that fails or takes longer than a moment."""
        try:
            async with asyncio.timeout(CLOSED_WITHIN):
                view, draw = await self.build_closed_view(loaded, loaded.row.shown_plies)
                await self.channels.edit(
                    loaded.row.guild, former.channel, former.message, view, draw, keep=True, revived=True
                )
        except Exception:
            return False  # the outbox retries it, and logs the cause
        steps.debug("closed %d", loaded.id)
        return True

    async def _find_shown_plies(self, loaded: LoadedMatch, message: discord.Message) -> int | None:
        """How much of the record a board of ours shows: the last of all positions that look like it to spectators.

        None where it has no buttons any more, or shows what the record lacks: a backup was restored.
        """
        found = ui.find_buttons(message.components)

        def version_at(plies: int) -> int:
            return MatchView.of(self.umpire.folds.fold_at(loaded, plies), None).version

        def search() -> int | None:
            row = loaded.row
            earlier = reversed(range(row.shown_plies, row.plies + 1))
            return next((plies for plies in earlier if version_at(plies) == found[0].version), None)

        return await self.renderer.run(search) if found else None

    async def adopt_orphans(self, loaded: LoadedMatch) -> tuple[LoadedMatch, bool]:
        """Search for orphans, where there may be some. A line that says what is to be said now is noted. One board
        becomes that of the match instead of a new one, all others are to be closed. Returns the match, and whether that
        board shows it."""
        row, place, told = loaded.row, loaded.play_channel, list_people_to_tell(loaded)
        text = "" if self.orphans.has_none(loaded, place) or not told else await self._format_line_now(loaded, told)

        def is_line(message: discord.Message) -> bool:
            later = message.id > max(row.board_message or 0, row.told_message or 0)
            return bool(text) and later and matches_text(message, text) and mentions_exactly(message, told)

        ours = await self.orphans.find_orphans(
            loaded,
            place,
            lambda one: (
                is_line(one) or (is_board(one, row.id) and one.id not in (row.board_message, row.lobby_message))
            ),
        )
        found = [one for one in ours if is_board(one, row.id)]
        if line := next(filter(is_line, ours), None):
            await self.store.do(Transaction.mark_told, row.id, row.version, line.id)
            row = replace(row, told_version=row.version)
            loaded = replace(loaded, row=row)
        newer = [one for one in found if one.id > (row.board_message or 0)]
        known = [one for one in newer if await self._find_shown_plies(loaded, one) is not None]
        await self._queue_closing(loaded, [one for one in found if one not in known[:1]])
        if known:
            await self._note(loaded, known[0], current=matches_view(known[0], await self._build_view(loaded)))
        self.orphans.mark_checked(loaded, place)
        if newer and not known:
            # Boards below the noted one show what a restored backup lacks: a new one is posted below them.
            await self.post(loaded)
        return loaded, bool(newer)

    async def adopt_board(self, loaded: LoadedMatch, message: discord.Message) -> bool:
        """Make an unknown board that of its match, where the noted one was deleted; False where that exists. Where the
        bot may not read, the newer one is left alone: it may be the only one."""
        row = loaded.row
        place = row.board_channel or loaded.play_channel
        if not row.board_message or message.channel.id != place or not is_board(message, row.id):
            return False
        try:
            if await self.channels.fetch(place, row.board_message) is not None:
                return False
        except discord.HTTPException as fault:
            if choose_action(fault, Route.LOOK) is not FailureAction.PARKED:
                raise
            return True
        if await self._find_shown_plies(loaded, message) is None:
            return False
        await self._note(loaded, message, current=matches_view(message, await self._build_view(loaded)))
        return True

    async def _format_line_now(self, loaded: LoadedMatch, told: Sequence[UserId]) -> str:
        return await self.renderer.run(lambda: self._format_line(MatchView.of(loaded, None), told))

    async def _queue_closing(self, loaded: LoadedMatch, orphans: Sequence[discord.Message]) -> None:
        """Queue the edits that close orphaned boards."""
        left = [make_closing_edit(one, loaded.row) for one in orphans]

        def note(tx: Transaction) -> None:
            for one in left:
                tx.edit_at_once(one)

        if left:
            await self.store.do(note)

    async def build_closed_view(
        self, loaded: LoadedMatch, plies: int, place: ChannelId | None = None
    ) -> tuple[discord.ui.LayoutView, Draw]:
        """An earlier board of a match, after `plies` lines of its record, without its buttons, in a place that it may
        have left; and the function that draws its pictures where they cannot be kept."""

        def fold_and_describe() -> tuple[MatchView, tuple[Picture, ...]]:
            sight = MatchView.of(self.umpire.folds.fold_at(loaded, plies), None)
            return sight, match_pictures.list_pictures(sight)

        sight, pictures = await self.renderer.run(fold_and_describe)

        async def draw() -> Files:
            return (await self.renderer.draw_board(sight, Rank.LOOK)).make_files(str(sight.position))

        return views.build_board(sight, pictures, closed=True, left=place not in (None, loaded.play_channel)), draw

    def _make_public_view(self, loaded: LoadedMatch) -> MatchView:
        """A match as spectators see it, and whether its computer waits."""
        queued = self.queued.get(loaded.id, "")
        return MatchView.of(replace(loaded, queued=queued), None)

    async def _build_view(self, loaded: LoadedMatch) -> discord.ui.LayoutView:
        """The current board of a match as spectators see it."""

        def build_view() -> discord.ui.LayoutView:
            sight = self._make_public_view(loaded)
            return views.build_board(sight, match_pictures.list_pictures(sight))

        return await self.renderer.run(build_view)

    async def redraw(self, loaded: LoadedMatch) -> bool:
        """Edit the current board; False when that message cannot be edited any more."""
        sight, row = self._make_public_view(loaded), loaded.row
        drawing = await self.renderer.draw_board(sight)
        view, files = views.build_board(sight, drawing.pictures), drawing.make_files(str(sight.position))
        assert row.board_message
        return await self.channels.edit(
            row.guild, row.board_channel or loaded.play_channel, row.board_message, view, files
        )

    async def _edit(self, loaded: LoadedMatch) -> bool:
        """Edit the current board, and note it; False when that message cannot be edited any more.

        Where the match has changed meanwhile, that board may have been closed before it was edited: the outbox checks
        it.
        """
        row = loaded.row
        assert row.board_message
        place, until = row.board_channel or loaded.play_channel, self.umpire.clock() + UNDER_WAY
        edit = PendingEdit(row.board_message, place, row.id, row.version, row.shown_plies, due=until)
        await self.store.do(Transaction.keep_edit, edit)
        if not await self.redraw(loaded):
            return False

        def note(tx: Transaction) -> None:
            now = tx.load_row(row.id)
            tx.drop_notices(row.id)  # its place is open
            if now and now.board_message == row.board_message:
                clocks.record_shown(tx, row.id, row.version, self.umpire.clock(), shown_plies=row.plies)
                if row.state != "live" and row.announce_until is None and (challenge := make_challenge_edit(row)):
                    tx.keep_edit(challenge)
            if now and (now.board_message, now.version) == (row.board_message, row.version):
                tx.clear_edit(edit)
            else:
                tx.edit_at_once(replace(edit, due=0))

        await self.store.do(note)
        return True


@asynccontextmanager
async def run_meanwhile(work: Coroutine[Any, Any, Result]) -> AsyncGenerator[asyncio.Task[Result]]:
    """Start a task, which is cancelled if this block fails."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        if not task.cancel():
            _ = task.cancelled() or task.exception()


def make_line_nonce(sight: MatchView, told: Sequence[UserId]) -> str:
    """The nonce of the line above the board that follows: whom it pings, and the number of changes that are public.
    Another process with the same line may know of another board or word it differently: one line is enough."""
    row = sight.loaded.row
    which = f"{row.version - row.plies + sight.version} {sight.loaded.play_channel} {sorted(told)}"
    rest = int.from_bytes(blake2b(which.encode(), digest_size=8).digest(), "big") % NONCES
    return f"l{row.id}.{rest}"


def make_board_nonce(row: MatchRow, place: ChannelId) -> str:
    """The nonce of the board that follows the noted one in a place: for a board in another place, perhaps of another
    process, Discord would return that as if it were here. Nonces are public, and secret moves must not be countable:
    each raises both the version and the plies. A restored backup raises the version alone."""
    return f"b{row.id}.{((row.board_message or 0) + row.shown_version - row.shown_plies + place) % NONCES}"
