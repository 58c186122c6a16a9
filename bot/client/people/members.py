"""Finds out who has left a server by asking Discord, since only bots that watch all members are told.

An answer is remembered for a while, and a person who acts in a server is there. Boards do not wait for these answers:
until one comes, everybody counts as present.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import discord

from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Code, is_code
from bot.client.runtime.loop_time import loop_time
from bot.core.match.loaded_match import LoadedMatch
from bot.core.values.computer_users import is_person
from bot.core.values.ids import GuildId, UserId

REMEMBERED_FOR = 3600.0
"""Seconds after which Discord is asked anew."""
REMEMBERED = 20_000
ASKED_AT_ONCE, ASK_WITHIN = 4, 5.0
"""How many questions are asked at a time, and the seconds that an answer may take, standing in line among them."""

Member = tuple[GuildId, UserId]


class Heard(NamedTuple):
    """Whether somebody was in a server, when that was heard, and what they were called."""

    here: bool
    at: float
    name: str | None


class Members:
    """Remembers who was in a server when Discord was last asked, and who was not."""

    def __init__(self, client: discord.Client, clock: Callable[[], float] = loop_time) -> None:
        self.client = client
        self.clock = clock
        self._known: OrderedDict[Member, Heard] = OrderedDict()
        self._places = asyncio.Semaphore(ASKED_AT_ONCE)

    def met(self, guild: GuildId, user: UserId, name: str) -> None:
        """Somebody does something in a server: they are there, under a name."""
        self._note((guild, user), Heard(True, self.clock(), name))

    def forget(self, user: UserId) -> None:
        """Drop what was heard of somebody, in every server."""
        for member in [member for member in self._known if member[1] == user]:
            del self._known[member]

    async def surely_gone(self, guild: GuildId, user: UserId, within: float) -> bool:
        """Whether somebody has left a server, as Discord says it now where they were taken to have left."""
        if self.known(guild, (user,)):
            del self._known[guild, user]
        return bool(await self.gone(guild, (user,), within))

    def name(self, guild: GuildId, user: UserId) -> str | None:
        """The name of somebody in a server, if it is known."""
        known = self._known.get((guild, user))
        return known.name if known else None

    def known(self, guild: GuildId, users: Iterable[UserId]) -> frozenset[UserId]:
        """Who of some people is known to have left a server."""
        heard = {user: self._known.get((guild, user)) for user in users}
        return frozenset(user for user, known in heard.items() if known and not known.here)

    def marked(self, seated: LoadedMatch) -> LoadedMatch:
        """A match that knows which of its people are known to have left."""
        return replace(seated, gone=self.known(seated.row.guild, (player.user for player in seated.row.players)))

    async def gone(self, guild: GuildId, users: Iterable[UserId], within: float = ASK_WITHIN) -> frozenset[UserId]:
        """Who of some people has left a server; about whom nothing was heard lately Discord is asked, unless we are not
        in that server ourselves. Where Discord cannot be asked, nobody counts as gone."""
        people, found = tuple(users), self.client.get_guild(guild)
        if found is not None and not found.unavailable:
            await asyncio.gather(*(self._ask(found, user, within) for user in self.unheard(guild, people)))
        return self.known(guild, people)

    def unheard(self, guild: GuildId, users: Iterable[UserId]) -> list[UserId]:
        """About whom of some people nothing was heard lately."""
        return [user for user in dict.fromkeys(users) if is_person(user) and self._stale((guild, user))]

    def _stale(self, member: Member) -> bool:
        known = self._known.get(member)
        return known is None or self.clock() - known.at >= REMEMBERED_FOR

    async def _ask(self, guild: discord.Guild, user: UserId, within: float) -> None:
        in_background.set(True)
        try:
            async with asyncio.timeout(within), self._places:
                found = await guild.fetch_member(user)
        except Exception as fault:  # whatever else stands in the way of asking says nothing of anybody
            if is_code(fault, Code.UNKNOWN_MEMBER, Code.UNKNOWN_USER):
                self._note((GuildId(guild.id), user), Heard(False, self.clock(), None))
        else:
            self.met(GuildId(guild.id), user, found.display_name)

    def _note(self, member: Member, heard: Heard) -> None:
        self._known[member] = heard
        self._known.move_to_end(member)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
