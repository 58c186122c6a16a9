"""Tells the channel of a match how it ended, for the publisher: by one new message, since nobody looks at a post from
the day on which the match began.

It makes no sound, since the thread of the match has told its players. It is posted once: it is owed in the database
until it is noted, has a nonce of its match, and after a crash is looked for. Then the message of the challenge becomes
a line that leads to it.
"""

from __future__ import annotations

import logging

import discord

from bot.client.http.messages import Channels
from bot.client.publisher.orphans import Orphans, is_announcement
from bot.client.publisher.pending_edits import of_challenge
from bot.client.runtime.error_codes import refused
from bot.client.runtime.loop_time import loop_time
from bot.client.text import match_chart
from bot.client.views import match_views
from bot.client.views.edits import Files
from bot.client.views.renderer import Renderer
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.values.ids import MatchId, MessageId
from bot.service.umpire.umpire import Umpire
from data.store import Transaction

LET_BE = 600.0
"""Seconds for which a channel that has refused it is let be. The match itself does not wait for that."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Announcements:
    """Posts how matches ended, and edits that."""

    def __init__(self, channels: Channels, umpire: Umpire, renderer: Renderer, orphans: Orphans) -> None:
        self.channels = channels
        self.umpire = umpire
        self.store = umpire.store
        self.renderer = renderer
        self.orphans = orphans
        self._later: dict[MatchId, float] = {}
        """When to try again what was refused."""

    async def show(self, seated: LoadedMatch) -> None:
        """Tell the channel of a match how it ended, unless the last board stands there itself, or it is no news. Where
        the channel is closed to us it stays owed: it may be open again while that is news."""
        row, place = seated.row, seated.row.channel
        found = await self.orphans.found(seated, place, lambda one: self._is_one(one, seated))
        if found:
            await self._note(seated, MessageId(found[0].id))
        elif not seated.threaded or self.umpire.clock() > (row.announce_until or 0):
            await self._note(seated, None)
        elif not self.channels.closed(row.guild, place) and self._later.get(seated.id, 0.0) <= loop_time():
            await self._post(seated)

    def _is_one(self, message: discord.Message, seated: LoadedMatch) -> bool:
        return message.id != seated.row.lobby_message and is_announcement(message, seated.id)

    async def _post(self, seated: LoadedMatch) -> None:
        row, (view, files) = seated.row, await self._drawn(seated)
        try:
            async with self.orphans.doubting(seated, row.channel):
                message = await self.channels.post(row.guild, row.channel, view, files, (), f"f{row.id}")
                steps.debug("announced %d", row.id)
                await self._note(seated, MessageId(message.id))
        except discord.HTTPException as fault:
            if not refused(fault):
                raise
            # discord.py sends a request again whose answer was lost: the refusal may be that of the second one.
            log.info("How match %d ended is not told in its channel: %s", row.id, fault)
            self._later[seated.id] = loop_time() + LET_BE

    async def _note(self, seated: LoadedMatch, message: MessageId | None) -> None:
        """Note what tells the channel how a match ended, and have the message of its challenge shrink to a line."""
        challenge = of_challenge(seated.row)
        self._later.pop(seated.id, None)

        def note(tx: Transaction) -> None:
            tx.announced(seated.id, message)
            if challenge:
                tx.leave_over(challenge)

        await self.store.do(note)
        steps.debug("news %d", seated.id)

    async def redraw(self, seated: LoadedMatch) -> bool:
        """Write the message anew, whose people may be called something else by now; False where there is none."""
        row = seated.row
        if row.announcement is None:
            return False

        def described() -> discord.ui.LayoutView:
            sight = Sight.of(seated, None)
            return match_views.announcement(sight, match_chart.pictures(sight))

        async def draw() -> Files:
            return (await self._drawn(seated))[1]

        view = await self.renderer.run(described)
        return await self.channels.edit(row.guild, row.channel, row.announcement, view, draw, keep=True)

    async def _drawn(self, seated: LoadedMatch) -> tuple[discord.ui.LayoutView, Files]:
        sight = Sight.of(seated, None)
        drawing = await self.renderer.board(sight)
        return match_views.announcement(sight, drawing.pictures), drawing.files(str(sight.position))
