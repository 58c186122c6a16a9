"""What stands around the boards of a match: its challenge, how that ended, its thread and the thread's name."""

from __future__ import annotations

import logging

from bot.client import texts, views
from bot.client.channels import Channels
from bot.core.ids import ChannelId, MessageId
from bot.core.rows import MatchRow
from bot.service.seated import Seated
from bot.service.umpire import Umpire
from data.store import Reader, Transaction

steps = logging.getLogger("graphpaper.steps")


class Lobbies:
    """Shows challenges, and makes and names the threads of the matches that come of them."""

    def __init__(self, channels: Channels, umpire: Umpire) -> None:
        self.channels = channels
        self.umpire = umpire
        self.store = umpire.store

    async def show(self, seated: Seated) -> None:
        """The challenge as it stands, in its place. How it ended is told in a message of its own: edits tell nobody."""
        row = seated.row
        edited = row.lobby_message and await self.channels.edit(row.channel, row.lobby_message, views.lobby(seated))
        steps.debug("edited %d", seated.id)
        if not edited and (row.state == "open" or row.lobby_message is None):
            await self._post(seated)
        elif seated.untold:
            await self.channels.post(row.channel, views.outcome(seated), [], seated.untold, f"d{row.id}")
            steps.debug("posted %d", seated.id)
        await self.store.do(Transaction.shown, row.id, row.version)

    async def _post(self, seated: Seated) -> None:
        row = seated.row
        lost = f".{row.lobby_message % 10**8}" if row.lobby_message else ""
        nonce = f"c{row.id}.{row.shown_version}{lost}"
        message = await self.channels.post(row.channel, views.lobby(seated), [], seated.untold, nonce)
        await self.store.do(Transaction.set_lobby_message, row.id, MessageId(message.id))

    async def placed(self, seated: Seated) -> Seated:
        """The match with its place: a thread made from the challenge where that can be, else the channel itself."""
        if seated.row.thread:
            return seated
        if seated.row.lobby_message is None:
            # A match alone begins at once, and its thread needs a message to hang on.
            await self._post(seated)
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

    async def rename(self, row: MatchRow) -> None:
        """Have the thread of a match that is over say so, as far as that can be done; an archived one is not woken."""
        if row.thread and row.thread != row.channel:
            await self.channels.rename(row.guild, row.thread, texts.OVER)
            steps.debug("renamed %d", row.id)
        await self.store.do(Transaction.renamed, row.id)
