"""Lets people act from outside of servers, in the bot's direct messages: in their own matches, while they are members,
and where the server allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from discord import app_commands

from bot.features.board.directory import is_asked_in
from bot.features.time.words import clean_server_name
from bot.games.wording import join_words
from bot.platform.interactions import SERVER, Interaction, guild_of, is_outside, suggest_if_available, user_of
from bot.platform.members import MemberCache
from bot.platform.messages import Channels
from bot.platform.ui import MOST_CHOICES
from bot.play.ids import NOWHERE, GuildId, MatchId, UserId
from bot.play.loaded_match import Refusal, UnknownMatch
from bot.play.rows import MatchRow
from bot.umpire.umpire import Umpire
from data.store import Reader

SERVER_HELP = "In direct messages: which server, by its name"
ASK_WITHIN = 1.0
"""Seconds to ask Discord whether a user is still in a server."""
MOST_NAMED = 8
"""The most servers that a refusal names."""
NOT_YOURS = "There is no match {match} of yours. /matches lists the ones you play."
LEFT = "You or I have left the server that this is about, so nothing of it can be seen or played from here."
KEPT = "{server} keeps its matches to itself. Go to their threads to see and play them."
WHICH = "Say which server you mean, as the option `server`: {servers}."
NO_SERVER = "There is no server that we share and in which you have played a match. Use this in a server."
UNKNOWN = "There is no such server among those in which you have played a match: {servers}."
HERE = "In a server this is about that server. For another one, go there, or to my direct messages."


class Admissions:
    """Decides about which servers a person can act from outside."""

    def __init__(self, umpire: Umpire, members: MemberCache, channels: Channels) -> None:
        self._store = umpire.store
        self._members = members
        self._channels = channels

    async def name_server(self, guild: GuildId) -> str:
        return clean_server_name(await self._channels.find_guild_name(guild, ASK_WITHIN))

    async def name_servers(self, guilds: Iterable[GuildId]) -> list[tuple[str, GuildId]]:
        """Servers by their names."""
        asked = [*guilds]
        return sorted(zip(await asyncio.gather(*map(self.name_server, asked)), asked, strict=True))

    async def admit(self, interaction: Interaction, match: MatchId) -> None:
        """Let a person into a match of theirs, or refuse: about the matches of others they learn nothing."""
        row, user = await self._store.ask(Reader.load_row, match), user_of(interaction)
        if row is None or not (row.find_player(user) or is_asked_in(row, user)):
            raise UnknownMatch(NOT_YOURS.format(match=match))
        await self.enter(interaction, row.guild)

    async def enter(self, interaction: Interaction, guild: GuildId) -> None:
        """Note the server that an interaction is about, or refuse one whose matches are not played from outside."""
        if not await self.filter_servers(user_of(interaction), (guild,)):
            settings = await self._store.ask(Reader.load_settings, guild)
            raise Refusal(LEFT if settings.mail else KEPT.format(server=await self.name_server(guild)))
        interaction.extras[SERVER] = guild

    async def filter_rows(self, user: UserId, rows: Sequence[MatchRow]) -> list[MatchRow]:
        """Those of a user's matches that they can see and play from outside."""
        open_to = await self.filter_servers(user, (row.guild for row in rows))
        return [row for row in rows if row.guild in open_to]

    async def filter_servers(self, user: UserId, guilds: Iterable[GuildId]) -> frozenset[GuildId]:
        """Those servers of which a user is a member, and that allow it; what belongs to no server is their own."""
        asked = frozenset(guilds)
        allowed = await self._store.ask(find_servers_with_mail, asked - {NOWHERE})
        here = await asyncio.gather(*(self._members.is_member(guild, user, ASK_WITHIN) for guild in allowed))
        return asked & {NOWHERE, *(guild for guild, is_here in zip(allowed, here, strict=True) if is_here)}

    async def list_servers(self, user: UserId) -> list[tuple[str, GuildId]]:
        """The servers in which a user has played and still is, by name."""
        known = await self._store.ask(Reader.find_servers_of, user)
        return await self.name_servers(await self.filter_servers(user, known))

    @suggest_if_available
    async def suggest_servers(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The servers that a command can name: in direct messages all that are the user's, else the one it is in."""
        typed = current.strip().casefold()
        if is_outside(interaction):
            listed = await self.list_servers(user_of(interaction))
        else:
            listed = await self.name_servers([guild_of(interaction)])
        found = [(name, guild) for name, guild in listed if typed in name.casefold()]
        return [app_commands.Choice(name=name, value=str(guild)) for name, guild in found[:MOST_CHOICES]]

    async def choose_server(self, interaction: Interaction, typed: str | None) -> None:
        """Note the server that a command names, by its name or number, or the only one there is; or refuse."""
        wanted = (typed or "").strip().casefold()
        if not is_outside(interaction):
            here = guild_of(interaction)
            if typed is not None and wanted not in (str(here), (await self.name_server(here)).casefold()):
                raise Refusal(HERE)
            return
        listed = await self.list_servers(user_of(interaction))
        found = [guild for name, guild in listed if typed is None or wanted in (name.casefold(), str(guild))]
        if not listed:
            raise Refusal(NO_SERVER)
        if len(found) != 1:
            told, servers = WHICH if typed is None else UNKNOWN, [name for name, _ in listed[:MOST_NAMED]]
            raise Refusal(told.format(servers=join_words(servers, " or ")))
        interaction.extras[SERVER] = found[0]


def find_servers_with_mail(reader: Reader, guilds: Iterable[GuildId]) -> list[GuildId]:
    """Those of some servers whose matches are played in direct messages, too."""
    return [guild for guild in sorted(guilds) if reader.load_settings(guild).mail]
