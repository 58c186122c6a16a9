"""The boards of a match in its channel: which message shows it, when a new one follows, and what of it was shown.

Every board carries a nonce made of the match and the version shown before it, so that of all that is posted until one
is written down, Discord keeps the first: a bot that was killed in between finds its message again and goes on there.
"""

from __future__ import annotations

import logging
from functools import partial

import discord

from bot.client import views
from bot.client.channels import Channels
from bot.client.renderer import Renderer
from bot.core.ids import ChannelId, MessageId
from bot.service.seated import Seated, Sight
from bot.service.umpire import Umpire
from data.store import Transaction
from rendering.shapes import Picture

steps = logging.getLogger("graphpaper.steps")


class Boards:
    """Posts boards, edits them, and takes the buttons off those that are followed by others."""

    def __init__(self, channels: Channels, umpire: Umpire, renderer: Renderer) -> None:
        self.channels = channels
        self.umpire = umpire
        self.store = umpire.store
        self.renderer = renderer
        self.closed: set[int] = set()
        """Boards whose buttons the answer to an interaction has taken off already."""

    async def show(self, seated: Seated) -> None:
        """A new board for who is to be told or when the match is over; else the board that is there is kept current."""
        if self._ended_before(seated):
            await self._edit_ended(seated)
        elif await self.renderer.run(lambda: self._follows(seated)):
            await self._post_next(seated)
        elif await self.renderer.run(lambda: self._unseen(seated)):
            await self.store.do(Transaction.shown, seated.id, seated.row.version, shown_plies=seated.row.plies)
        elif not await self._edit(seated):
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
        await self._post(seated, nonce=await self.renderer.run(partial(self._nonce, seated)))

    async def post_again(self, seated: Seated, lost: MessageId) -> None:
        """Post a board that somebody deleted: Discord would keep the lost one's nonce, so this one has its own."""
        nonce = await self.renderer.run(partial(self._nonce, seated))
        await self._post(seated, nonce=f"{nonce}.{lost % 10**8}")

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
        await self._edit(seated)
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

    async def _post(self, seated: Seated, nonce: str) -> None:
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
            await self._close(seated, row.board_message)
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

    async def _close(self, seated: Seated, message: MessageId) -> None:
        """Take the buttons off the board that was shown last; its picture stays."""
        if message in self.closed:
            self.closed.discard(message)
            return
        view = await self.closed_view(seated, seated.row.shown_plies)
        await self.channels.edit(seated.row.board_channel or seated.place, message, view)

    async def closed_view(self, seated: Seated, plies: int) -> discord.ui.LayoutView:
        """An earlier board of a match, after so many lines of its record, without its buttons."""

        def described() -> tuple[Sight, tuple[Picture, ...]]:
            sight = Sight.of(self.umpire.folds.at(seated, plies), None)
            return sight, seated.game.pictures(sight.position)

        sight, pictures = await self.renderer.run(described)
        return views.board(sight, pictures, closed=True)

    async def _edit(self, seated: Seated) -> bool:
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
