"""Names the people in what is about to be sent, as far as their names can be known in time."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ui

from bot.client.people import names
from bot.client.people.members import Members
from bot.client.views.sheets import Sent
from bot.core.values.ids import GuildId, UserId

REPLY, POST = 1.0, 5.0
"""Seconds that a name is waited for: by somebody who has asked something, and before a message for all is posted."""


class Naming:
    """Writes names in place of mentions, but for people who are told."""

    def __init__(self, members: Members) -> None:
        self.members = members

    async def text(self, guild: int | None, text: str, told: Sequence[UserId] = (), within: float = POST) -> str:
        """A text with the names that people have in a server; outside of any it stays as it is."""
        return names.content(text, await self._known(guild, names.people_in(text), told, within), told)

    async def view(
        self, guild: int | None, view: ui.LayoutView, told: Sequence[UserId] = (), within: float = POST
    ) -> ui.LayoutView:
        """A message of components with the names that people have in a server."""
        parts = view.to_components()
        people = names.people_in(parts)
        if not people and not names.FORMER.search(str(parts)):
            return view
        return Sent(names.components(parts, await self._known(guild, people, told, within), told))

    async def _known(
        self, guild: int | None, people: Sequence[UserId], told: Sequence[UserId], within: float
    ) -> names.Names:
        me = self.members.client.user
        people = [one for one in people if not me or one != me.id]  # the author of a message comes along with it
        if guild is None or not people:
            return {}
        await self.members.learn(GuildId(guild), [one for one in people if one not in told], within)
        return self.members.names(GuildId(guild), people)
