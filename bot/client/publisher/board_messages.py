"""Posts and edits the boards of a match in its channel, for the publisher, and decides when a new board follows.

Every board carries a nonce made of the match and the board before it. If the board is posted again before it is noted,
Discord returns the first one; that works for some minutes, and later the board is found by its buttons. Once Discord
has taken a board, the one before it is closed, if that is done at once, and the new one is noted. All other edits that
a new board asks for go into the outbox.

Discord may carry out an edit late, after an answer or another process has closed the board that it shows. So an edit
stands in the outbox while it is under way, and until the match is shown as it is stored or on another board.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

import discord

from bot.client.http.messages import Channels
from bot.client.people.members import Members
from bot.client.publisher.orphans import (
    NONCES,
    Orphans,
    earlier_of,
    is_board,
    reads,
    says,
    tells,
    told_by,
    told_until,
    untold_on,
)
from bot.client.publisher.pending_edits import former_board, of_challenge, to_close
from bot.client.publisher.queue import LONGEST_TURN
from bot.client.runtime.error_codes import Route, Then, follows
from bot.client.runtime.thread_pool import Rank
from bot.client.text import match_chart, told_text
from bot.client.views import match_views, views
from bot.client.views.edits import Draw, Files
from bot.client.views.renderer import Renderer
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.match.stored import MatchRow, PendingEdit
from bot.core.values.ids import ChannelId, MatchId, MessageId, UserId
from bot.service.time import clock_updates, nights
from bot.service.umpire.umpire import Umpire
from data.store import Transaction
from rendering.shapes import Picture

CLOSED_WITHIN = 0.5
"""Seconds that a new board waits to be noted until the one before it is closed. After that the outbox closes it."""
UNDER_WAY = int(LONGEST_TURN) + 5
"""Seconds after which an edit that nobody has noted as done is looked after: it is under way no longer."""

Result = TypeVar("Result")

steps = logging.getLogger("graphpaper.steps")


class Outcome(NamedTuple):
    """What was noted of a board: whether it shows the match as it is stored, whether the outbox holds edits, and
    whether the channel is still to be told how the match ended."""

    is_current: bool = False
    has_edits: bool = True
    is_news: bool = False


class Boards:
    """Posts boards and edits them, and says how those look that are followed by others."""

    def __init__(
        self, channels: Channels, umpire: Umpire, renderer: Renderer, orphans: Orphans, members: Members
    ) -> None:
        self.channels = channels
        self.members = members
        self.orphans = orphans
        self.umpire = umpire
        self.store = umpire.store
        self.renderer = renderer
        self.closed: set[int] = set()
        """Boards whose buttons the answer to an interaction has taken off already."""
        self.queued: dict[MatchId, str] = {}
        """What the boards of matches say whose computer waits for others."""

    async def show(self, seated: LoadedMatch) -> Outcome:
        """A new board for who is to be told or when the match is over; else the board that is there is kept current.

        If that board is gone, a new one is posted; but an archived thread is never woken after the end.
        """
        outcome = Outcome()
        seated, is_shown = await self.taken_in(seated)
        if is_shown:
            pass
        elif self._stands(seated):
            await self._tell_below(seated)
        elif await self.follows(seated):
            outcome = await self.post(seated)
        elif await self.unseen(seated):
            await self._noted(seated, seated.row.plies)
        elif await self._edit(seated):
            pass
        elif seated.row.state == "live":
            outcome = await self.post(seated)
        else:
            await self._noted(seated)
        steps.debug("shown %d", seated.id)
        return outcome

    def _stands(self, seated: LoadedMatch) -> bool:
        """Whether the board stays that is there, and only those are told who have slept: where a match is over, or has
        its thread for itself."""
        return nights.have_slept(seated) and (seated.row.state != "live" or seated.threaded)

    async def _tell_below(self, seated: LoadedMatch) -> None:
        """Tell whom it concerns what happened, by a line below the board that shows it already."""
        told = told_by(seated)
        await self._tell(Sight.of(seated, None), await self._line_now(seated, told), told)
        await self._noted(seated)

    async def follows(self, seated: LoadedMatch) -> bool:
        """Whether the match is shown on a new board."""
        return await self.renderer.run(lambda: self._follows(seated))

    def _follows(self, seated: LoadedMatch) -> bool:
        """Whether the match is shown on a new board: one for somebody who is told, the first or the last, and where a
        round is over, whose board stays as it is."""
        row = seated.row
        if seated.unshown or row.board_message is None:
            return True
        if row.state != "live":
            return row.plies != row.shown_plies or row.published
        if seated.folded.position.round == 1 or row.plies == row.shown_plies:
            return False
        shown = self.umpire.folds.at(seated, row.shown_plies)
        rounds = [match.position.round for match in (shown.before, shown.match, seated.match) if match]
        return len(set(rounds)) > 1

    async def unseen(self, seated: LoadedMatch) -> bool:
        """Whether all that happened since the board was last shown is hidden from spectators."""
        return await self.renderer.run(lambda: self._unseen(seated))

    def _unseen(self, seated: LoadedMatch) -> bool:
        row = seated.row
        if not seated.game.secret or row.version - row.shown_version != row.plies - row.shown_plies:
            return False
        shown, now = Sight.of(self.umpire.folds.at(seated, row.shown_plies), None), Sight.of(seated, None)
        return (shown.record, shown.position) == (now.record, now.position)

    async def _noted(self, seated: LoadedMatch, plies: int | None = None) -> None:
        """Note that a match is shown as it stands, though nothing was posted or edited for that."""
        version, now = seated.row.version, self.umpire.clock()
        await self.store.do(lambda tx: clock_updates.shown(tx, seated.id, version, now, shown_plies=plies))

    async def post(self, seated: LoadedMatch) -> Outcome:
        """Tell whom it concerns what happened, by a line; post a new board below it, close the one before that, and
        note all of it. The board is drawn while the line is on its way."""
        sight, place, told = self._sight(seated), seated.place, told_by(seated)
        text = await self.renderer.run(lambda: self._line(sight, told)) if told else ""
        # Where we know that no board can stand, nobody is called there for nothing.
        hopeful = not self.channels.closed(seated.row.guild, place)
        async with meanwhile(self.renderer.board(sight)) as drawn:
            if told and hopeful:
                await self._tell(sight, text, told)
            drawing = await drawn
        steps.debug("drawn %d", seated.id)
        view, files = match_views.board(sight, drawing.pictures), drawing.files(str(sight.position))
        async with self.orphans.doubting(seated, place):
            # Discord may give back an older message with this nonce, posted before a restart or by another process.
            message = await self.channels.post(seated.row.guild, place, view, files, (), nonce(seated.row, place))
            steps.debug("posted %d", seated.id)
            if told and not hopeful:
                await self._tell(sight, text, told)
            if told:
                seated = replace(seated, row=replace(seated.row, told_version=seated.row.version))
            return await self._note(seated, message, current=says(message, view))

    def _line(self, sight: Sight, told: Sequence[UserId]) -> str:
        """What some people are told above the board that follows."""
        shown = Sight.of(self.umpire.folds.at(sight.seated, sight.seated.row.shown_plies), None)
        return told_text.line(sight, told, shown.version)

    async def _tell(self, sight: Sight, text: str, told: Sequence[UserId]) -> None:
        """Tell some people what happened, and note that, before the board is there that shows it."""
        seated = sight.seated
        async with self.orphans.doubting(seated, seated.place):
            line = await self.channels.say(seated.row.guild, seated.place, text, told, line_nonce(sight, told))
            steps.debug("told %d", seated.id)
            await self.store.do(Transaction.told, seated.id, seated.row.version, line.id)
            steps.debug("known %d", seated.id)

    async def _note(self, seated: LoadedMatch, message: discord.Message, current: bool) -> Outcome:
        """Note a board that Discord has, how much of the match it shows, and in the same transaction what is left over
        with it: the board before it keeps its buttons until they are taken off, and the challenge its old text."""
        row, shown = seated.row, MessageId(message.id)
        found = row.plies if current else await self._plies_on(seated, message)
        plies = row.shown_plies if found is None else found
        # Every line of the record has raised the version by one at least; secret moves raise both, and stay uncounted.
        untold = untold_on(message, row)
        whole = current and not untold
        version = row.version if whole else max(row.shown_version, row.version - max(1, row.plies - plies))
        version = max(row.shown_version, min(version, told_until(message, row)))
        former = former_board(seated, shown)
        first_or_last = row.announce_until is None and (row.board_message is None or row.state != "live")
        left = [edit for edit in (former, of_challenge(row) if first_or_last else None) if edit]
        # Of a board that the match has left behind in its channel the outbox says where it goes on.
        stays = former and former.channel == seated.place
        if former and stays and found is not None and await self._looks_alike(seated, found):
            left[0] = replace(former, remove=True)
            if not seated.threaded and not first_or_last and row.state == "live" and (challenge := of_challenge(row)):
                left.append(challenge)  # it leads to the board that goes
        elif former and stays and (former.message in self.closed or await self._closed_at_once(seated, former)):
            left.remove(former)

        def note(tx: Transaction) -> Outcome:
            now, kept, known = self.umpire.clock(), tx.row(row.id), (version, plies)
            tx.drop_notices(row.id)  # its place is open
            # Of a board without buttons nobody knows what it shows: it is left as it is.
            here = PendingEdit(shown, seated.place, row.id, row.version, found)
            if kept and (earlier := earlier_of(here, kept, row)):
                tx.meet(earlier)
                if earlier is here:
                    return Outcome()  # noted, it would get its buttons back, and the board below it would be forgotten
            if kept and kept.shown_version > version:
                # Another process has edited the board before meanwhile. This one stands below it, and is to catch up.
                known = kept.shown_version, kept.shown_plies
                tx.leave_over(PendingEdit(shown, seated.place, row.id, version))
            if not current and version >= row.version:
                tx.leave_over(here)  # else nothing would be shown of the match before its next act
            is_current = clock_updates.shown(tx, row.id, known[0], now, seated.place, shown, known[1]) and not untold
            for user in untold:
                tx.seat(row.id, user, mention_version=row.version)
            for one in left:
                tx.leave_over(one)
            if former and kept and kept.shown_version != row.shown_version:
                tx.meet(former)  # another process has edited it, perhaps after it was closed
            return Outcome(is_current, has_edits=bool(tx.left_over(now, 1, row.id)))

        outcome = await self.store.do(note)
        self.closed.discard(row.board_message or 0)
        steps.debug("noted %d", seated.id)
        return outcome

    async def _looks_alike(self, seated: LoadedMatch, plies: int) -> bool:
        """Whether the board that is noted shows spectators as much of a match as one after so many lines: then the new
        one, which has other buttons, takes its place."""

        def shown() -> set[int]:
            both = seated.row.shown_plies, plies
            return {Sight.of(self.umpire.folds.at(seated, one), None).version for one in both}

        return len(await self.renderer.run(shown)) == 1

    async def _closed_at_once(self, seated: LoadedMatch, former: PendingEdit) -> bool:
        """Take the buttons off the board before a new one; False where that fails or takes longer than a moment."""
        try:
            async with asyncio.timeout(CLOSED_WITHIN):
                view, draw = await self.closed_view(seated, seated.row.shown_plies)
                await self.channels.edit(
                    seated.row.guild, former.channel, former.message, view, draw, keep=True, revived=True
                )
        except Exception:
            return False  # the outbox tries again, and says what is wrong
        steps.debug("closed %d", seated.id)
        return True

    async def _plies_on(self, seated: LoadedMatch, message: discord.Message) -> int | None:
        """How much of the record stands on a board of ours: the last of all positions that look like it to spectators.

        None where it has no buttons any more, or shows what the record does not hold: a backup was put back.
        """
        found = views.buttons_on(message.components)

        def version_at(plies: int) -> int:
            return Sight.of(self.umpire.folds.at(seated, plies), None).version

        def searched() -> int | None:
            row = seated.row
            earlier = reversed(range(row.shown_plies, row.plies + 1))
            return next((plies for plies in earlier if version_at(plies) == found[0].version), None)

        return await self.renderer.run(searched) if found else None

    async def taken_in(self, seated: LoadedMatch) -> tuple[LoadedMatch, bool]:
        """Look for orphans, where there may be some. A line that tells what is to be told now is noted. One board
        becomes that of the match instead of a new one, all others are to be closed. The match, and whether it is shown
        by that."""
        row, place, told = seated.row, seated.place, told_by(seated)
        text = "" if self.orphans.sure(seated, place) or not told else await self._line_now(seated, told)

        def is_line(message: discord.Message) -> bool:
            later = message.id > max(row.board_message or 0, row.told_message or 0)
            return bool(text) and later and reads(message, text) and tells(message, told)

        ours = await self.orphans.found(
            seated,
            place,
            lambda one: (
                is_line(one) or (is_board(one, row.id) and one.id not in (row.board_message, row.lobby_message))
            ),
        )
        found = [one for one in ours if is_board(one, row.id)]
        if line := next(filter(is_line, ours), None):
            await self.store.do(Transaction.told, row.id, row.version, line.id)
            row = replace(row, told_version=row.version)
            seated = replace(seated, row=row)
        newer = [one for one in found if one.id > (row.board_message or 0)]
        known = [one for one in newer if await self._plies_on(seated, one) is not None]
        await self._leave(seated, [one for one in found if one not in known[:1]])
        if known:
            await self._note(seated, known[0], current=says(known[0], await self._view(seated)))
        self.orphans.settle(seated, place)
        if newer and not known:
            # Below the board that is noted stand some that show what was lost since: a new one is to stand below them.
            await self.post(seated)
        return seated, bool(newer)

    async def adopted(self, seated: LoadedMatch, message: discord.Message) -> bool:
        """Make a board that nobody knows of that of its match, where the one that is noted is gone; False where that is
        there. Where we may not look, the newer one is let be: closed, it might be the only one."""
        row = seated.row
        place = row.board_channel or seated.place
        if not row.board_message or message.channel.id != place or not is_board(message, row.id):
            return False
        try:
            if await self.channels.fetch(place, row.board_message) is not None:
                return False
        except discord.HTTPException as fault:
            if follows(fault, Route.LOOK) is not Then.PARKED:
                raise
            return True
        if await self._plies_on(seated, message) is None:
            return False
        await self._note(seated, message, current=says(message, await self._view(seated)))
        return True

    async def _line_now(self, seated: LoadedMatch, told: Sequence[UserId]) -> str:
        return await self.renderer.run(lambda: self._line(Sight.of(seated, None), told))

    async def _leave(self, seated: LoadedMatch, orphans: Sequence[discord.Message]) -> None:
        """Have orphaned boards closed."""
        left = [to_close(one, seated.row) for one in orphans]

        def note(tx: Transaction) -> None:
            for one in left:
                tx.meet(one)

        if left:
            await self.store.do(note)

    async def closed_view(
        self, seated: LoadedMatch, plies: int, place: ChannelId | None = None
    ) -> tuple[discord.ui.LayoutView, Draw]:
        """An earlier board of a match, after so many lines of its record, without its buttons, in a place that it may
        have left; and what draws its pictures where they cannot be kept."""

        def described() -> tuple[Sight, tuple[Picture, ...]]:
            sight = Sight.of(self.umpire.folds.at(seated, plies), None)
            return sight, match_chart.pictures(sight)

        sight, pictures = await self.renderer.run(described)

        async def draw() -> Files:
            return (await self.renderer.board(sight, Rank.LOOK)).files(str(sight.position))

        return match_views.board(sight, pictures, closed=True, left=place not in (None, seated.place)), draw

    def _sight(self, seated: LoadedMatch) -> Sight:
        """A match as everybody may see it, and whether its computer waits."""
        queued = self.queued.get(seated.id, "")
        return Sight.of(replace(seated, queued=queued), None)

    async def _view(self, seated: LoadedMatch) -> discord.ui.LayoutView:
        """The board of a match as everybody may see it now."""

        def described() -> discord.ui.LayoutView:
            sight = self._sight(seated)
            return match_views.board(sight, match_chart.pictures(sight))

        return await self.renderer.run(described)

    async def redraw(self, seated: LoadedMatch) -> bool:
        """Show the match on the board that is there; False when that message cannot be edited any more."""
        sight, row = self._sight(seated), seated.row
        drawing = await self.renderer.board(sight)
        view, files = match_views.board(sight, drawing.pictures), drawing.files(str(sight.position))
        assert row.board_message
        return await self.channels.edit(row.guild, row.board_channel or seated.place, row.board_message, view, files)

    async def _edit(self, seated: LoadedMatch) -> bool:
        """Show the match on the board that is there, and note it; False when that message cannot be edited any more.

        Where the match has gone on meanwhile, that board may have been closed before it was edited: it is looked after.
        """
        row = seated.row
        assert row.board_message
        place, until = row.board_channel or seated.place, self.umpire.clock() + UNDER_WAY
        edit = PendingEdit(row.board_message, place, row.id, row.version, row.shown_plies, due=until)
        await self.store.do(Transaction.leave_over, edit)
        if not await self.redraw(seated):
            return False

        def note(tx: Transaction) -> None:
            now = tx.row(row.id)
            tx.drop_notices(row.id)  # its place is open
            if now and now.board_message == row.board_message:
                clock_updates.shown(tx, row.id, row.version, self.umpire.clock(), shown_plies=row.plies)
                if row.state != "live" and row.announce_until is None and (challenge := of_challenge(row)):
                    tx.leave_over(challenge)
            if now and (now.board_message, now.version) == (row.board_message, row.version):
                tx.clear(edit)
            else:
                tx.meet(replace(edit, due=0))

        await self.store.do(note)
        return True


@asynccontextmanager
async def meanwhile(work: Coroutine[Any, Any, Result]) -> AsyncGenerator[asyncio.Task[Result]]:
    """Begin some work, which is given up where what is done beside it fails."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        if not task.cancel():
            _ = task.cancelled() or task.exception()


def line_nonce(sight: Sight, told: Sequence[UserId]) -> str:
    """The nonce of the line above the board that follows: of whom it tells, and how often anything happened that all
    may know. Another process that tells the same may know of another board or word it otherwise: one line is enough."""
    row = sight.seated.row
    which = f"{row.version - row.plies + sight.version} {sight.seated.place} {sorted(told)}"
    rest = int.from_bytes(blake2b(which.encode(), digest_size=8).digest(), "big") % NONCES
    return f"l{row.id}.{rest}"


def nonce(row: MatchRow, place: ChannelId) -> str:
    """The nonce of the board that follows the one noted in a place: of one in another, which another process may have
    posted, Discord would tell as if it stood here. Discord shows nonces to everybody, and secret moves are not to be
    counted: each raises both the version and the plies. A restored backup raises the version alone."""
    return f"b{row.id}.{((row.board_message or 0) + row.shown_version - row.shown_plies + place) % NONCES}"
