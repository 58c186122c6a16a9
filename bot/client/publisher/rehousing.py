"""Moves a match whose place is closed to the channel in which a player, or a manager of the server, asks for its board.

A place that may be open again is tried first, for a moment: the board stays where it was if it can.
"""

from __future__ import annotations

from bot.client.interactions.context import Interaction, channel_of, user_of
from bot.client.lobby.challenges import Challenges
from bot.client.publisher.publisher import Publisher
from bot.client.text import place_text
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.values.plural import sentences
from bot.service.time import place_notices
from bot.service.umpire.umpire import Umpire

TRIED_WITHIN = 0.7
"""Seconds for which somebody waits whether the board can be shown again where it was."""
ONLY_YOU = "Only you see this board."


class Rehousing:
    """Finds a place for a match."""

    def __init__(self, umpire: Umpire, publisher: Publisher, challenges: Challenges) -> None:
        self._umpire = umpire
        self._publisher = publisher
        self._challenges = challenges

    async def found(self, interaction: Interaction, seated: LoadedMatch) -> tuple[LoadedMatch, str]:
        """A match that somebody wants to see, moved here where its place is closed; and what they are told of that."""
        if channel_of(interaction) == seated.place or seated.row.state != "live":
            return seated, self._told(seated)
        reason = await self._closed(seated)
        if reason is None and seated.row.publish_error is None:
            return seated, ONLY_YOU
        if not (seated.has(user_of(interaction)) or interaction.permissions.manage_guild):
            told = place_text.NOT_SHOWN.format(reason=reason or seated.row.publish_error)
            return seated, sentences(told, place_text.NOT_YOURS)
        if reason is None:
            told, seated = self._told(seated), await self._tried(seated)
            if seated.row.publish_error is None:
                return seated, told
        elif seated.row.publish_error is None:
            await self._publisher.close(seated.id, seated.row.guild, reason)
            seated = await self._umpire.load(seated.id)
        if self._publisher.channels.timed_out(seated.row.guild) > self._umpire.clock():
            return seated, self._told(seated)  # no other channel would do
        if self._gives_away(interaction, seated):
            return seated, sentences(self._told(seated), place_text.PRIVATE)
        return await self._moved(interaction, seated)

    def _told(self, seated: LoadedMatch) -> str:
        """What somebody is told of a match that stays where it is."""
        return (
            place_text.not_shown(seated, self._publisher.is_lost(seated.row)) if seated.row.publish_error else ONLY_YOU
        )

    def _gives_away(self, interaction: Interaction, seated: LoadedMatch) -> bool:
        """Whether all would see a match here that not everybody could see where it was."""
        places, guild = self._publisher.places, seated.row.guild
        return places.is_public(seated.row) is False and places.everybody_sees(guild, channel_of(interaction))

    async def _closed(self, seated: LoadedMatch) -> str | None:
        """Why the place of a match is surely closed; None where that is not known, or it is open."""
        if self._publisher.is_lost(seated.row):
            return seated.row.publish_error
        return await self._publisher.places.shut(seated.row.guild, seated.place)

    async def _tried(self, seated: LoadedMatch) -> LoadedMatch:
        """Have a match shown where it was, which may be open again; the match as it stands after a moment."""
        await self._publisher.unpark(seated.id)
        self._publisher.soon_restored(seated.id)
        await self._publisher.queue.turn(seated.id, TRIED_WITHIN)
        return await self._umpire.load(seated.id)

    async def _moved(self, interaction: Interaction, seated: LoadedMatch) -> tuple[LoadedMatch, str]:
        try:
            await self._challenges.expect_place(interaction)
        except Refusal as refusal:
            return seated, sentences(place_text.NOT_SHOWN.format(reason=seated.row.publish_error), str(refusal))
        place = channel_of(interaction)
        moved = await self._umpire.store.do(place_notices.rehoused, seated.id, place, user_of(interaction))
        seated = await self._umpire.load(seated.id)
        if moved:
            return seated, place_text.MOVED_HERE
        return seated, self._told(seated)
