"""The publisher brings Discord in line with what is committed: lobby, thread, board, mentions.

It is the only place that shows a match. Whoever commits an act tells it so, and the reconciler tells it of every match
whose shown version lags behind, after a crash or an outage; both ways do the same. What is shown is computed from
the stored match, and that it is shown is written down only after Discord has accepted it. Every message carries a nonce
made of the match and the version shown before it, so that of all that is posted until one is written down, Discord
keeps the first: a bot that was killed in between finds its message again and goes on from there.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable
from functools import partial
from weakref import WeakValueDictionary

import discord

from bot.client import texts, views
from bot.client.channels import FORBIDDEN, UNKNOWN_CHANNEL, Channels, obstacle
from bot.client.renderer import Renderer
from bot.core.ids import ChannelId, MatchId, MessageId
from bot.core.rows import MatchRow
from bot.service.seated import Seated, Sight, UnknownMatch
from bot.service.umpire import Umpire
from data.engine import Unavailable
from data.store import Reader, Transaction
from rendering.shapes import Picture

LAGGING_AT_ONCE, SHOWN_AT_ONCE = 20, 4
"""How many boards a look at what lags behind shows, and how many of them side by side: people need the store too."""
ROUNDS = 5
"""How often a match that goes on changing while it is shown is shown again before others get their turn."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Publisher:
    """Shows matches, each to one version at a time."""

    def __init__(self, client: discord.Client, umpire: Umpire, renderer: Renderer) -> None:
        self.channels = Channels(client)
        self.umpire = umpire
        self.store = umpire.store
        self.renderer = renderer
        self.closed: set[int] = set()
        """Boards whose buttons the answer to an interaction has taken off already."""
        self.ending = False
        """Set when the bot stops: what is not shown by then is shown by the next one."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._after: MatchId | None = None

    def soon(self, match: MatchId, restore: bool = False) -> None:
        """Show a match as soon as possible, without waiting for it; what fails is left to the reconciler."""
        if self.ending:
            return
        task = asyncio.create_task(self._quietly(match, restore))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def soon_restored(self, match: MatchId) -> None:
        """Show a match, and post its board or its lobby again if somebody deleted it."""
        self.soon(match, restore=True)

    async def settle(self) -> None:
        """Wait until everything that was asked for `soon` has been tried."""
        while self._tasks:
            await asyncio.wait(tuple(self._tasks))

    async def _quietly(self, match: MatchId, restore: bool = False) -> None:
        try:
            await self.show(match)
            if restore:
                await self.repost(match)
        except UnknownMatch as gone:
            log.warning("Match %d is not shown any more: %s", match, gone)
            await self._take_down(match)
        except Unavailable:
            log.warning("Match %d is shown as soon as the database can be used again.", match)
        except Exception:
            log.warning("Match %d could not be shown and will be tried again.", match, exc_info=True)

    async def _take_down(self, match: MatchId) -> None:
        """In place of a board that nobody can draw any more say why; it is not tried again."""
        with contextlib.suppress(Unavailable):
            row = await self.store.ask(Reader.row, match)
            if row and row.rename:
                await self._rename(row)
            if row is None or row.parked:
                return
            channel, message = row.board_channel or row.channel, row.board_message or row.lobby_message
            if message and row.closing:
                with contextlib.suppress(discord.HTTPException):
                    await self.channels.edit(channel, message, views.notice(row.closing), [])
            await self.store.do(Transaction.park, match, "its game is not what it was")

    async def show(self, match: MatchId) -> None:
        """Show a match as it is committed, if it is not shown so already."""
        async with self._lock(match):
            for _ in range(ROUNDS):
                seated = await self.umpire.load(match)
                if seated.row.shown_version >= seated.row.version or seated.row.parked:
                    break
                await self._show(seated)
            else:
                return
        if seated.row.rename:
            await self._rename(seated.row)

    async def _rename(self, row: MatchRow) -> None:
        """Have the thread of a match that is over say so, as far as that can be done; an archived one is not woken."""
        if row.thread and row.thread != row.channel:
            await self.channels.rename(row.guild, row.thread, texts.OVER)
            steps.debug("renamed %d", row.id)
        await self.store.do(Transaction.renamed, row.id)

    async def catch_up(self) -> None:
        """Show matches whose boards lag behind, some at a time."""
        few = asyncio.Semaphore(SHOWN_AT_ONCE)

        async def shown(match: MatchId) -> None:
            async with few:
                await self._quietly(match)

        rows = await self.store.ask(Reader.lagging, LAGGING_AT_ONCE, self._after or 0)
        # The next look goes on from here, lest matches that cannot be shown keep others from their turn.
        self._after = rows[-1].id if len(rows) == LAGGING_AT_ONCE else None
        over = await self.store.ask(Reader.to_rename, LAGGING_AT_ONCE)
        await asyncio.gather(*(shown(match) for match in dict.fromkeys((*(row.id for row in rows), *over))))

    async def repost(self, match: MatchId) -> None:
        """Post a board again that somebody deleted, or the lobby of an open challenge."""
        async with self._lock(match):
            for _ in range(ROUNDS):
                seated = await self.umpire.load(match)
                if seated.match is None:
                    await self._show(seated)
                    return
                channel, message = seated.row.board_channel or seated.place, seated.row.board_message
                if message is None or await self.channels.there(channel, message):
                    return
                nonce = await self.renderer.run(partial(self._nonce, seated))
                again = f"{nonce}.{message % 10**8}"
                await self._try(seated, self._post_board(seated, nonce=again))

    def _lock(self, match: MatchId) -> asyncio.Lock:
        return self._locks.setdefault(match, asyncio.Lock())

    async def _show(self, seated: Seated) -> None:
        await self._try(seated, self._show_lobby(seated) if seated.match is None else self._show_board(seated))

    async def _try(self, seated: Seated, work: Awaitable[None]) -> None:
        try:
            await work
        except discord.HTTPException as fault:
            await self._failed(seated, fault)

    async def _failed(self, seated: Seated, fault: discord.HTTPException) -> None:
        """A thread that is gone moves the match to its channel; a channel that is closed to us parks it."""
        if seated.threaded and fault.code == UNKNOWN_CHANNEL:
            await self.store.do(Transaction.set_thread, seated.id, seated.row.channel)
        elif fault.code in FORBIDDEN:
            await self.store.do(Transaction.park, seated.id, obstacle(fault))
        else:
            raise fault

    async def _show_lobby(self, seated: Seated) -> None:
        """The challenge as it stands, in its place. How it ended is told in a message of its own: edits tell nobody."""
        row = seated.row
        edited = row.lobby_message and await self.channels.edit(row.channel, row.lobby_message, views.lobby(seated))
        steps.debug("edited %d", seated.id)
        if not edited and (row.state == "open" or row.lobby_message is None):
            await self._post_lobby(seated)
        elif seated.untold:
            await self.channels.post(row.channel, views.outcome(seated), [], seated.untold, f"d{row.id}")
            steps.debug("posted %d", seated.id)
        await self.store.do(Transaction.shown, row.id, row.version)

    async def _post_lobby(self, seated: Seated) -> None:
        row = seated.row
        lost = f".{row.lobby_message % 10**8}" if row.lobby_message else ""
        nonce = f"c{row.id}.{row.shown_version}{lost}"
        message = await self.channels.post(row.channel, views.lobby(seated), [], seated.untold, nonce)
        await self.store.do(Transaction.set_lobby_message, row.id, MessageId(message.id))

    async def _show_board(self, seated: Seated) -> None:
        """A new board for who is to be told or when the match is over; else the board that is there is kept current."""
        if seated.row.board_message is None:
            seated = await self._placed(seated)
        if self._ended_before(seated):
            await self._edit_ended(seated)
        elif await self.renderer.run(lambda: self._follows(seated)):
            await self._post_next(seated)
        elif await self.renderer.run(lambda: self._unseen(seated)):
            await self.store.do(Transaction.shown, seated.id, seated.row.version, shown_plies=seated.row.plies)
        elif not await self._edit_board(seated):
            await self._post_next(seated)
        steps.debug("shown %d", seated.id)

    def _follows(self, seated: Seated) -> bool:
        """Whether the match is shown on a new board: one that tells somebody, the first or the last, and where a round
        is over, whose board stays as it is."""
        row = seated.row
        if seated.untold or row.board_message is None or row.state != "live":
            return True
        if seated.folded.position.round == 1 or row.plies == row.shown_plies:
            return False
        shown = self.umpire.folds.at(seated, row.shown_plies)
        rounds = [match.position.round for match in (shown.before, shown.match, seated.match) if match]
        return len(set(rounds)) > 1

    async def _post_next(self, seated: Seated) -> None:
        await self._post_board(seated, nonce=await self.renderer.run(partial(self._nonce, seated)))

    def _nonce(self, seated: Seated) -> str:
        """The nonce of the board that follows the one shown: made of the match and of the version shown, in which only
        what spectators may see is counted. Discord shows nonces to everybody, and secret moves are not to be counted.
        """
        row, shown = seated.row, seated.row.shown_plies
        if seated.game.secret:
            shown = Sight.of(self.umpire.folds.at(seated, shown), None).version
        return f"b{seated.id}.{row.shown_version - row.shown_plies + shown}"

    def _ended_before(self, seated: Seated) -> bool:
        """Whether the end of a match has been shown, and only who played in it is shown differently since."""
        row = seated.row
        return row.state == "finished" and row.plies == row.shown_plies and not row.published

    async def _edit_ended(self, seated: Seated) -> None:
        """Show the end of a match anew where that can be done: a new message would wake an archived thread."""
        row = seated.row
        await self._edit_board(seated)
        if row.lobby_message:
            await self.channels.edit(row.channel, row.lobby_message, views.lobby(seated))
        await self.store.do(Transaction.shown, row.id, row.version)

    def _unseen(self, seated: Seated) -> bool:
        """Whether all that happened since the board was last shown is hidden from spectators."""
        row = seated.row
        if not seated.game.secret or row.version - row.shown_version != row.plies - row.shown_plies:
            return False
        shown, now = Sight.of(self.umpire.folds.at(seated, row.shown_plies), None), Sight.of(seated, None)
        return (shown.record, shown.position) == (now.record, now.position)

    async def _placed(self, seated: Seated) -> Seated:
        """The match with its place: a thread made from the challenge where that can be, else the channel itself."""
        if seated.row.thread:
            return seated
        if seated.row.lobby_message is None:
            # A match alone begins at once, and its thread needs a message to hang on.
            await self._post_lobby(seated)
            seated = await self.umpire.load(seated.id)
        await self.store.do(Transaction.set_thread, seated.id, await self._thread(seated) or seated.row.channel)
        return await self.umpire.load(seated.id)

    async def _thread(self, seated: Seated) -> ChannelId | None:
        row = seated.row
        if row.lobby_message is None or not (await self.store.ask(Reader.settings, row.guild)).threads:
            return None
        names = await self.channels.names(row.guild, [player.user for player in seated.players])
        title = f"{seated.game.title} · {row.id}"
        return await self.channels.thread(
            row.guild, row.channel, row.lobby_message, texts.thread_name(names, title), texts.thread_name([], title)
        )

    async def _post_board(self, seated: Seated, nonce: str) -> None:
        """Post a new board that tells whom it concerns, take the buttons off the one before, and note what is shown."""
        row, sight = seated.row, Sight.of(seated, None)
        drawing = await self.renderer.draw(seated.game, sight.position)
        steps.debug("drawn %d", seated.id)
        view = views.board(sight, drawing.pictures)
        files = drawing.files(str(sight.position))
        message = await self.channels.post(seated.place, view, files, seated.untold, nonce)
        steps.debug("posted %d", seated.id)
        plies = await self._plies_on(message, seated, view)
        if row.board_message and row.board_message != message.id:
            await self._close_board(seated, row.board_message)
            steps.debug("closed %d", seated.id)
        if row.lobby_message and (row.board_message is None or row.state != "live"):
            await self.channels.edit(row.channel, row.lobby_message, views.lobby(seated))
        # Every line of the record has raised the version by one at least.
        version = row.version if plies == row.plies else max(row.shown_version + 1, row.version - row.plies + plies)
        await self.store.do(Transaction.shown, seated.id, version, seated.place, MessageId(message.id), plies)
        steps.debug("noted %d", seated.id)

    async def _plies_on(self, message: discord.Message, seated: Seated, view: discord.ui.LayoutView) -> int:
        """How much of the record stands on the board that Discord has for our nonce.

        Usually all of it. But a board may have been posted before, without our learning so, when the match stood
        otherwise: if it shows an earlier position the board of today is to follow it, else it is brought up to date.
        """
        found, wanted = views.buttons_on(message.components), views.buttons_of(view)
        if found == wanted:
            return seated.row.plies
        if found and (plies := self._plies_at(seated, found[0].version)) is not None:
            return plies
        await self.channels.edit(ChannelId(message.channel.id), MessageId(message.id), view)
        return seated.row.plies

    def _plies_at(self, seated: Seated, version: int) -> int | None:
        """The end of the record that a spectator's board of this version shows; None for the whole record."""
        row = seated.row
        return next(
            (
                plies
                for plies in reversed(range(row.shown_plies, row.plies))
                if self.umpire.folds.at(seated, plies).folded.version_for(None) == version
            ),
            None,
        )

    async def _close_board(self, seated: Seated, message: MessageId) -> None:
        """Take the buttons off the board that was shown last; its picture stays."""
        if message in self.closed:
            self.closed.discard(message)
            return
        view = await self.closed_board(seated, seated.row.shown_plies)
        await self.channels.edit(seated.row.board_channel or seated.place, message, view)

    async def closed_board(self, seated: Seated, plies: int) -> discord.ui.LayoutView:
        """An earlier board of a match, after so many lines of its record, without its buttons."""

        def described() -> tuple[Sight, tuple[Picture, ...]]:
            sight = Sight.of(self.umpire.folds.at(seated, plies), None)
            return sight, seated.game.pictures(sight.position)

        sight, pictures = await self.renderer.run(described)
        return views.board(sight, pictures, closed=True)

    async def _edit_board(self, seated: Seated) -> bool:
        """Show the match on the board that is there; False when that message is gone."""
        sight = Sight.of(seated, None)
        drawing = await self.renderer.draw(seated.game, sight.position)
        view, files = views.board(sight, drawing.pictures), drawing.files(str(sight.position))
        channel = seated.row.board_channel or seated.place
        assert seated.row.board_message
        if not await self.channels.edit(channel, seated.row.board_message, view, files):
            return False
        await self.store.do(
            Transaction.shown, seated.id, seated.row.version, channel, seated.row.board_message, seated.row.plies
        )
        return True
