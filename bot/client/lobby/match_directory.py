"""Finds the matches of a server that a user may see, for the suggestions of an option and for lists."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress

import aiohttp
import discord
from discord import app_commands

from bot.client.http.messages import LOOK_WITHIN, Channels
from bot.client.interactions.context import Interaction, guild_of, user_of
from bot.client.interactions.errors import suggesting
from bot.client.lobby.challenges import MOST_CHOICES
from bot.client.people import names
from bot.client.people.audience import sees
from bot.client.people.members import Members
from bot.client.text import match_list
from bot.client.views.naming import REPLY
from bot.core.game.game import Game
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored import MatchRow, State
from bot.core.values.ids import ChannelId, MatchId, UserId
from bot.core.values.plural import together
from bot.service.time.calendars import weekend_ends
from bot.service.umpire.umpire import Umpire
from data.store import Reader

MOST_LOOKED_FOR = 10
"""The messages of so many challenges are looked for before they are linked to."""
BEGUN: tuple[State, ...] = ("live", "finished", "aborted")

Choice = app_commands.Choice[str]


class MatchDirectory:
    """The matches of a server, for the person who asks."""

    def __init__(self, umpire: Umpire, channels: Channels, members: Members) -> None:
        self._umpire = umpire
        self._channels = channels
        self._members = members

    @property
    def now(self) -> int:
        """The time, in epoch seconds."""
        return self._umpire.clock()

    def game_of(self, row: MatchRow) -> Game:
        """The game of a listed match."""
        return self._umpire.games[row.game]

    # --- suggestions for a `match` option

    @suggesting
    async def live(self, interaction: Interaction, current: str, game: str | None = None) -> list[Choice]:
        """The asker's live matches, those that wait for them first."""
        user, games = user_of(interaction), self._umpire.games
        rows = await self._umpire.store.ask(Reader.live_of, guild_of(interaction), user, game)
        found = self._typed(rows, current)
        found.sort(key=lambda row: match_list.urgency(row, user, games))
        return await self._suggested(interaction, found)

    @suggesting
    async def begun(self, interaction: Interaction, current: str) -> list[Choice]:
        """The asker's latest matches that have begun, finished ones too."""
        user = user_of(interaction)
        rows = await self._umpire.store.ask(Reader.listed, guild_of(interaction), BEGUN, (user,))
        return await self._suggested(interaction, self._typed(rows, current))

    @suggesting
    async def with_boards(self, interaction: Interaction, current: str) -> list[Choice]:
        """The asker's live matches as `live` suggests them, then the latest of those that are over."""
        live, begun = await self.live(interaction, current), await self.begun(interaction, current)
        known = {one.value for one in live}
        return [*live, *(one for one in begun if one.value not in known)][:MOST_CHOICES]

    @suggesting
    async def private(self, interaction: Interaction, current: str) -> list[Choice]:
        """The asker's latest matches alone that could be published."""
        user = user_of(interaction)
        rows = await self._umpire.store.ask(Reader.listed, guild_of(interaction), ("finished",), (user,))
        found = [row for row in rows if row.seats == 1 and not row.published]
        return await self._suggested(interaction, self._typed(found, current))

    def _typed(self, rows: Iterable[MatchRow], current: str) -> list[MatchRow]:
        games, typed = self._umpire.games, current.strip().lower().removeprefix("#")
        number, shown, _ = typed.partition(" · ")

        def fits(row: MatchRow) -> bool:
            # What was chosen before stands there with all that it showed.
            begun = number == str(row.id) if shown else str(row.id).startswith(typed)
            return begun or typed in games[row.game].title.lower()

        return [row for row in rows if row.game in games and fits(row)]

    async def _suggested(self, interaction: Interaction, rows: Sequence[MatchRow]) -> list[Choice]:
        """Some matches as suggestions, which show no mentions."""
        guild, user, now = guild_of(interaction), user_of(interaction), self.now
        told = [(choice(row, self.game_of(row), user, now), row) for row in rows[:MOST_CHOICES]]
        people = names.people_in([text for text, _ in told])
        await self._members.learn(guild, people, REPLY)
        known = self._members.names(guild, people)
        return [app_commands.Choice(name=names.suggestion(text, known), value=str(row.id)) for text, row in told]

    # --- lists

    async def found(
        self, interaction: Interaction, states: Sequence[State], users: Collection[UserId] = (), game: str | None = None
    ) -> list[MatchRow]:
        """The matches of this server that the asker may learn of, the latest first."""
        rows = await self._umpire.store.ask(Reader.listed, guild_of(interaction), states, users, game)
        return [row for row in rows if row.game in self._umpire.games and self.may_find(interaction, row)]

    async def asked_in(self, interaction: Interaction, game: str | None) -> list[MatchRow]:
        """The matches of this server in which the asker is asked to take over a seat."""
        user, games = user_of(interaction), self._umpire.games
        rows = await self._umpire.store.ask(Reader.asked_in, guild_of(interaction), user)
        asked = [row for row in rows if row.game in games and game in (None, row.game)]
        return [row for row in asked if match_list.asked_in(row, user) and self.may_find(interaction, row)]

    def by_urgency(self, rows: Iterable[MatchRow], user: UserId) -> list[MatchRow]:
        """Some matches in the order in which they concern somebody."""
        return sorted(rows, key=lambda row: match_list.urgency(row, user, self._umpire.games))

    async def apart(self, interaction: Interaction, rows: Sequence[MatchRow]) -> match_list.Apart:
        """Who of the people to move in some matches has left the server or is away, where it is the weekend, and which
        challenges have lost their message."""
        guild = guild_of(interaction)
        people = {player.user for row in rows for player in row.to_move}
        absent = await self._umpire.store.ask(Reader.absent, guild, people, self.now)
        zones = {player.weekend for row in rows for player in row.to_move if player.weekend}
        weekends = {zone: until for zone in zones if (until := weekend_ends(zone, self.now))}
        return match_list.Apart(self._members.known(guild, people), absent, weekends, await self.deleted(rows))

    async def deleted(self, rows: Sequence[MatchRow]) -> frozenset[MatchId]:
        """Of which of the first open matches the message with the challenge was deleted: we don't hear of that."""
        asked = [row for row in rows if row.state == "open" and row.lobby_message][:MOST_LOOKED_FOR]
        there = await asyncio.gather(*(self.stands(row) for row in asked))
        return frozenset(row.id for row, is_there in zip(asked, there, strict=True) if not is_there)

    async def stands(self, row: MatchRow) -> bool:
        """Whether the message of a challenge is there; True where Discord does not say."""
        if row.lobby_message is None:
            return True
        with suppress(discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError):
            async with asyncio.timeout(LOOK_WITHIN):
                return await self._channels.there(row.channel, row.lobby_message)
        return True

    def may_find(self, interaction: Interaction, row: MatchRow) -> bool:
        """Whether somebody may learn of a match: they are in it, or can see the channel in which it was challenged. A
        match alone is for others only once it is published."""
        if row.player(user_of(interaction)):
            return True
        if row.seats == 1 and not row.published:
            return False
        return self.may_see(interaction, row.channel)

    def may_see(self, interaction: Interaction, channel: ChannelId) -> bool:
        """Whether somebody may learn of what happens in a channel in which they have no part."""
        if self._channels.awaits(guild_of(interaction)):
            raise Refusal("Discord hasn't told me about this server's channels yet. Try again in a few seconds.")
        return sees(interaction.guild, interaction.user, channel)


def choice(row: MatchRow, game: Game, user: UserId, now: int) -> str:
    """A match as a suggestion, which shows no timestamps: its number, game, the others in it, and what it waits for or
    how it ended."""
    others = match_list.rivals(row, user)
    # In games with secrets nobody learns how often others have moved.
    progress = [] if game.secret else [f"move {row.plies + 1}"]
    waits = [*progress, *match_list.pressing(row, user, now)] if row.state == "live" else [match_list.result(row)]
    return " · ".join([str(row.id), game.title, *([together(others)] if others else []), *waits])
