"""Answers the commands and buttons of leagues: found, join, leave, start, remove, call off, play the next season."""

from __future__ import annotations

from collections.abc import Callable

import discord
from discord import app_commands

from bot.client.interactions.context import Interaction, act_of, channel_of, guild_of, user_of
from bot.client.interactions.custom_ids import PageId
from bot.client.interactions.errors import Unread, suggesting
from bot.client.league import league_text
from bot.client.league.league_keeper import LeagueKeeper
from bot.client.lobby.challenges import Challenges
from bot.core.game.game import Game
from bot.core.league.stored_league import LeagueState, Loaded
from bot.core.match.loaded_match import Refusal, person
from bot.core.values.ids import LeagueId, UserId
from bot.core.values.plural import sentences
from bot.service.league.leagues import Founding
from data.store import Reader

CURRENT: tuple[LeagueState, ...] = ("open", "live")
KNOWN: tuple[LeagueState, ...] = ("open", "live", "finished")
NONE = "There is no league here now. Use /league create to open one."
SEVERAL = "There are several leagues here. Say which one you mean."
REMOVED, YOU_LEFT = "{who} is no longer in the {league}.", "You left the {league}."
STRUCK = "Fewer than half of your matches were over, so those results don't count."


class LeagueActions:
    """Carries out what people do to leagues, and has that shown."""

    def __init__(self, keeper: LeagueKeeper, challenges: Challenges) -> None:
        self._keeper = keeper
        self._leagues = keeper.leagues
        self._challenges = challenges

    # --- commands

    async def create(self, interaction: Interaction, game: Game | None, pace: str, weeks: int, days: int) -> None:
        """Open a league in this channel."""
        settings = await self._leagues.store.ask(Reader.settings, guild_of(interaction))
        if settings.leagues and not settings.league:
            if isinstance(interaction.channel, discord.Thread):
                raise Refusal("A league needs a channel for its matches, not a thread. Use this command in a channel.")
            await self._challenges.expect_place(interaction)
        asked = Founding(guild_of(interaction), channel_of(interaction), user_of(interaction), game, pace, weeks, days)
        loaded = await self._leagues.found(act_of(interaction), asked)
        place = "below" if loaded.league.channel == channel_of(interaction) else f"in <#{loaded.league.channel}>"
        await self._said(interaction, f"You opened the {self._name(loaded)}. People can join it {place}.")

    async def table(self, interaction: Interaction, named: str | None) -> None:
        """Show a league to the asker alone."""
        loaded = await self._meant(interaction, named, KNOWN)
        view, drawing = await self._keeper.drawn(loaded)
        await interaction.response.send_message(view=view, files=drawing.files(""), ephemeral=True)

    async def leave(self, interaction: Interaction, named: str | None) -> None:
        """Let the asker leave a league."""
        await self._leave(interaction, (await self._meant(interaction, named, CURRENT)).league.id)

    async def remove(self, interaction: Interaction, who: UserId, named: str | None) -> None:
        """Take somebody out of a league."""
        loaded = await self._meant(interaction, named, CURRENT)
        if not loaded.active(who):
            raise Refusal(f"{person(who)} isn't in the {self._name(loaded)}.")
        asker = guild_of(interaction), user_of(interaction), manages(interaction)
        loaded, struck = await self._leagues.remove(loaded.league.id, *asker, who)
        left = REMOVED.format(who=person(who), league=self._name(loaded))
        await self._said(interaction, left + (STRUCK if struck else ""))

    async def cancel(self, interaction: Interaction, named: str | None) -> None:
        """Call a league off."""
        found = await self._meant(interaction, named, CURRENT)
        asker = guild_of(interaction), user_of(interaction), manages(interaction)
        loaded = await self._leagues.cancel(found.league.id, *asker)
        await self._said(interaction, f"The {self._name(loaded)}, is called off. Its open matches go on.")

    @suggesting
    async def suggested(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The leagues of this server, by their names."""
        found = await self._leagues.store.ask(Reader.leagues, guild_of(interaction), KNOWN)
        names = [(league_text.name(one, self._leagues.games), one) for one in found]
        return [
            app_commands.Choice(name=name, value=str(one.id))
            for name, one in names
            if current.strip().lower() in name.lower()
        ]

    # --- buttons

    async def joined(self, interaction: Interaction, page: PageId) -> None:
        """Let somebody join."""
        loaded = await self._leagues.join(league_of(page.about), guild_of(interaction), user_of(interaction))
        await self._said(interaction, f"You're in the {self._name(loaded)}. It starts <t:{loaded.league.starts}:R>.")

    async def left(self, interaction: Interaction, page: PageId) -> None:
        """Let somebody leave."""
        await self._leave(interaction, league_of(page.about))

    async def started(self, interaction: Interaction, page: PageId) -> None:
        """Start a league before its time."""
        asker = guild_of(interaction), user_of(interaction), manages(interaction)
        loaded = await self._leagues.start(league_of(page.about), *asker)
        await self._said(interaction, f"The {self._name(loaded)}, has started.")

    async def followed(self, interaction: Interaction, page: PageId) -> None:
        """Let somebody play the next season."""
        asker = guild_of(interaction), user_of(interaction)
        loaded = await self._leagues.follow(act_of(interaction), league_of(page.about), *asker)
        await self._said(interaction, f"You're in the {self._name(loaded)}. It starts <t:{loaded.league.starts}:R>.")

    # --- helpers

    async def _leave(self, interaction: Interaction, league: LeagueId) -> None:
        guild, user = guild_of(interaction), user_of(interaction)
        if not (await self._leagues.load(league, guild)).active(user):
            raise Refusal("You aren't in this league.")
        loaded, struck = await self._leagues.leave(league, guild, user)
        await self._said(interaction, sentences(YOU_LEFT.format(league=self._name(loaded)), STRUCK if struck else ""))

    async def _meant(self, interaction: Interaction, named: str | None, states: tuple[LeagueState, ...]) -> Loaded:
        """The league that is named, or the only one that can be meant: that of this channel, or of the asker."""
        guild, user = guild_of(interaction), user_of(interaction)
        if named is not None:
            return await self._leagues.load(league_of(named), guild)
        found = await self._leagues.store.ask(Reader.leagues, guild, states)
        if not found:
            raise Refusal(NONE)
        loaded = [await self._leagues.load(one.id, guild) for one in found]
        rules: tuple[Callable[[Loaded], bool], ...] = (
            lambda one: one.league.state in CURRENT,
            lambda one: one.league.channel == channel_of(interaction),
            lambda one: one.active(user),
        )
        for rule in rules:
            loaded = [one for one in loaded if rule(one)] or loaded
        if len(loaded) > 1 and loaded[0].league.state in CURRENT:
            raise Refusal(SEVERAL)
        return loaded[0]

    def _name(self, loaded: Loaded) -> str:
        return league_text.name(loaded.league, self._leagues.games)

    async def _said(self, interaction: Interaction, sentence: str) -> None:
        self._keeper.soon()
        await interaction.response.send_message(sentence, ephemeral=True)


def manages(interaction: Interaction) -> bool:
    """Whether somebody may manage the server."""
    return interaction.permissions.manage_guild


def league_of(text: str) -> LeagueId:
    """The league that a button or an option names, or `Unread`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 19 and int(text) < 2**63):
        raise Unread
    return LeagueId(int(text))
