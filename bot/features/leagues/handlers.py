"""Answers the commands and buttons of leagues: found, join, leave, start, remove, call off, play the next season."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import discord
from discord import app_commands

from bot.features.board.directory import MatchDirectory
from bot.features.challenges.service import Challenges
from bot.features.leagues import views, words
from bot.features.leagues.loop import LeagueKeeper
from bot.features.leagues.service import GONE, OVER, LeagueTerms, expect_host
from bot.features.leagues.views import LeagueAnswer, LeagueButton, Question
from bot.games.game import Game
from bot.games.notation import quote_whole
from bot.games.wording import join_sentences
from bot.platform import edits, ui
from bot.platform.edits import REPLY
from bot.platform.interactions import (
    Interaction,
    MalformedInput,
    channel_of,
    guild_of,
    key_of,
    manages_server,
    suggest_if_available,
    user_of,
)
from bot.platform.routes import on
from bot.platform.ui import MOST_CHOICES
from bot.play.ids import LeagueId, UserId
from bot.play.league_tables import League, LeagueState, LoadedLeague
from bot.play.loaded_match import Refusal, mention_user
from data.store import Reader

CURRENT: tuple[LeagueState, ...] = ("open", "live")
KNOWN: tuple[LeagueState, ...] = ("open", "live", "finished")
MOST_READ = 200
"""The most leagues that are searched for those that the user may see."""
NOT_IN = "You aren't in this league."
NONE = "There is no league here now. Use /league create to open one."
SEVERAL = "There are several leagues here. Say which one you mean."
REMOVED, YOU_LEFT = "{who} is no longer in the {league}.", "You left the {league}."
IN = "You're in the {league}. It starts <t:{starts}:R>."
GONE_ON = "The league has gone on since I asked you, so nothing was done. Use the command again if you still want to."
STRUCK = {
    True: "Fewer than half of your matches were over, so none of them counts.",
    False: "Your results stay, but you can't win any more.",
}
THEIRS_STRUCK = {
    True: "Fewer than half of their matches were over, so none of them counts.",
    False: "Their results stay, but they can't win any more.",
}
"""Of a league that has started: whether those who left were struck out."""


class LeagueActions:
    """Carries out what users do to leagues, and has that shown."""

    def __init__(self, keeper: LeagueKeeper, challenges: Challenges, directory: MatchDirectory) -> None:
        self._keeper = keeper
        self._leagues = keeper.leagues
        self._challenges = challenges
        self._directory = directory

    # --- commands

    async def create(self, interaction: Interaction, game: Game | None, pace: str, weeks: int, days: int) -> None:
        """Open a league in this channel."""
        settings = await self._leagues.store.ask(Reader.load_settings, guild_of(interaction))
        if settings.leagues and not settings.league:
            if isinstance(interaction.channel, discord.Thread):
                raise Refusal("A league needs a channel for its matches, not a thread. Use this command in a channel.")
            await self._challenges.expect_place(interaction)
        asked = LeagueTerms(
            guild_of(interaction), channel_of(interaction), user_of(interaction), game, pace, weeks, days
        )
        loaded = await self._leagues.found(key_of(interaction), asked)
        place = "below" if loaded.league.channel == channel_of(interaction) else f"in <#{loaded.league.channel}>"
        await self._answer(
            interaction, loaded, f"You opened the {self._format_name(loaded)}. People can join it {place}."
        )

    async def show_table(self, interaction: Interaction, named: str | None) -> None:
        """Show a league, in an ephemeral message."""
        loaded = await self._refresh(await self._find_league(interaction, named, KNOWN))
        here = replace(loaded, league=replace(loaded.league, farewell=None))  # the answer itself names the winners
        view, files = await self._keeper.draw_league(here, REPLY)
        await edits.answer_anew(interaction, view, files)

    async def leave(self, interaction: Interaction, named: str | None) -> None:
        """Ask a player who leaves a league to confirm."""
        await self._ask_to_leave(interaction, await self._refresh(await self._find_league(interaction, named, CURRENT)))

    async def remove(self, interaction: Interaction, who: UserId, named: str | None) -> None:
        """Ask a user who removes a player from a league to confirm."""
        loaded = await self._find_league(interaction, named, CURRENT)
        expect_current(loaded)
        if not loaded.is_active(who):
            raise Refusal(f"{mention_user(who)} isn't in the {self._format_name(loaded)}.")
        expect_host(loaded, user_of(interaction), manages_server(interaction))
        question = words.format_remove_question(loaded, self._leagues.games, who)
        await _ask(interaction, loaded, question, "remove", "Take them out", who)

    async def cancel(self, interaction: Interaction, named: str | None) -> None:
        """Ask a user who calls a league off to confirm."""
        loaded = await self._find_league(interaction, named, CURRENT)
        expect_host(loaded, user_of(interaction), manages_server(interaction))
        expect_current(loaded)
        question = words.format_cancel_question(loaded, self._leagues.games)
        await _ask(interaction, loaded, question, "cancel", "Call it off")

    @suggest_if_available
    async def suggest_leagues(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The leagues of this server that the user may see, by their names and by when they were opened."""
        found = (await self._list_visible(interaction, KNOWN))[:MOST_CHOICES]
        return [
            app_commands.Choice(name=name, value=str(league))
            for league, name in words.format_choices(found, self._leagues.games).items()
            if current.strip().lower() in name.lower()
        ]

    # --- buttons

    @on(LeagueButton, words="join")
    async def join(self, interaction: Interaction, button: LeagueButton) -> None:
        loaded = await self._leagues.join(button.league, guild_of(interaction), user_of(interaction))
        await self._answer(
            interaction, loaded, IN.format(league=self._format_name(loaded), starts=loaded.league.starts)
        )

    @on(LeagueButton, words="leave")
    async def leave_by_button(self, interaction: Interaction, button: LeagueButton) -> None:
        """Remove the user; ask first where they could not rejoin, since it has started meanwhile."""
        loaded = await self._leagues.load(button.league, guild_of(interaction))
        if loaded.league.state == "live":
            await self._ask_to_leave(interaction, loaded)
        else:
            await self._answer(interaction, loaded, await self._leave(interaction, loaded.league.id))

    @on(LeagueAnswer)
    async def answer_question(self, interaction: Interaction, button: LeagueAnswer) -> None:
        """Do what the user has confirmed, if the league has not changed since the question."""
        if button.verb == "remove" and not button.who:
            raise MalformedInput
        league, asker = button.league, (guild_of(interaction), user_of(interaction), manages_server(interaction))
        if button.verb == "stay":
            await edits.answer(interaction, ui.build_notice("Nothing was changed."))
            return
        if (await self._leagues.load(league, guild_of(interaction))).league.state != button.state:
            raise Refusal(GONE_ON)
        if button.verb == "quit":
            told = await self._leave(interaction, league)
        elif button.verb == "cancel":
            loaded = await self._leagues.cancel(league, *asker)
            goes_on = words.GO_ON if any(one.state == "live" for one in loaded.pairings) else ""
            told = join_sentences(f"The {self._format_name(loaded)}, is called off.", goes_on)
        else:
            who = button.who
            loaded, struck = await self._leagues.remove(league, *asker, who)
            left = REMOVED.format(who=mention_user(who), league=self._format_name(loaded))
            told = join_sentences(left, THEIRS_STRUCK[struck] if loaded.league.state == "live" else "")
        self._keeper.request_update(league)
        await edits.answer(interaction, ui.build_notice(told))

    @on(LeagueButton, words="start")
    async def start(self, interaction: Interaction, button: LeagueButton) -> None:
        """Start a league before its time."""
        asker = guild_of(interaction), user_of(interaction), manages_server(interaction)
        await self._keeper.refresh_members(button.league, REPLY)
        loaded = await self._leagues.start(button.league, *asker)
        await self._answer(interaction, loaded, f"The {self._format_name(loaded)}, has started.")

    @on(LeagueButton, words="next")
    async def join_next_season(self, interaction: Interaction, button: LeagueButton) -> None:
        """Sign the user up for the next season."""
        asker = guild_of(interaction), user_of(interaction)
        loaded = await self._leagues.join_next_season(key_of(interaction), button.league, *asker)
        await self._answer(
            interaction, loaded, IN.format(league=self._format_name(loaded), starts=loaded.league.starts)
        )

    # --- helpers

    async def _ask_to_leave(self, interaction: Interaction, loaded: LoadedLeague) -> None:
        user = user_of(interaction)
        if not loaded.is_active(user):
            raise Refusal(NOT_IN)
        expect_current(loaded)
        question = words.format_leave_question(loaded, self._leagues.games, user)
        await _ask(interaction, loaded, question, "quit", "Leave", no="Stay")

    async def _leave(self, interaction: Interaction, league: LeagueId) -> str:
        """Remove the user, and say so."""
        guild, user = guild_of(interaction), user_of(interaction)
        loaded = await self._leagues.load(league, guild)
        if not loaded.is_active(user):
            raise Refusal(NOT_IN)
        expect_current(loaded)
        loaded, struck = await self._leagues.leave(league, guild, user)
        left = YOU_LEFT.format(league=self._format_name(loaded))
        return join_sentences(left, STRUCK[struck] if loaded.league.state == "live" else "")

    async def _find_league(
        self, interaction: Interaction, named: str | None, states: tuple[LeagueState, ...]
    ) -> LoadedLeague:
        """The named league, or the only one that can be meant: that of this channel, or of the user."""
        guild, user = guild_of(interaction), user_of(interaction)
        if named is not None:
            loaded = await self._leagues.load(parse_league_id(named), guild)
            if not await self._filter_visible(interaction, [loaded.league]):
                raise Refusal(GONE)
            return loaded
        found = await self._list_visible(interaction, states)
        if not found:
            raise Refusal(NONE)
        loaded = [await self._leagues.load(one.id, guild) for one in found]
        rules: tuple[Callable[[LoadedLeague], bool], ...] = (
            lambda one: one.league.state in CURRENT,
            lambda one: one.league.channel == channel_of(interaction),
            lambda one: one.is_active(user),
        )
        for rule in rules:
            loaded = [one for one in loaded if rule(one)] or loaded
        if len(loaded) > 1 and loaded[0].league.state in CURRENT:
            raise Refusal(SEVERAL)
        return loaded[0]

    async def _refresh(self, loaded: LoadedLeague) -> LoadedLeague:
        """A league with its members updated from the server's."""
        await self._keeper.refresh_members(loaded.league.id, REPLY)
        return await self._leagues.load(loaded.league.id, loaded.league.guild)

    async def _list_visible(self, interaction: Interaction, states: tuple[LeagueState, ...]) -> list[League]:
        """The leagues of this server that the user may see, the latest first."""
        found = await self._leagues.store.ask(Reader.list_leagues, guild_of(interaction), states, MOST_READ)
        return await self._filter_visible(interaction, found)

    async def _filter_visible(self, interaction: Interaction, found: Sequence[League]) -> list[League]:
        """The leagues that the user has taken part in or opened, or whose channel they can see."""
        user = user_of(interaction)
        own = await self._leagues.store.ask(Reader.leagues_joined, user)
        return [
            one
            for one in found
            if one.id in own or one.host == user or self._directory.may_see(interaction, one.channel)
        ]

    def _format_name(self, loaded: LoadedLeague) -> str:
        return words.format_league_name(loaded.league, self._leagues.games)

    async def _answer(self, interaction: Interaction, loaded: LoadedLeague, sentence: str) -> None:
        self._keeper.request_update(loaded.league.id)
        await edits.answer_anew(interaction, sentence)


async def _ask(
    interaction: Interaction, loaded: LoadedLeague, sentence: str, verb: Question, yes: str, who: UserId | None = None,
    no: str = "Never mind",
) -> None:  # fmt: skip
    """Ask before an act that cannot be undone. The answer's button repeats the question's subject, so that it works
    after a restart too."""
    sure = LeagueAnswer(verb, loaded.league.id, loaded.league.state, who or UserId(0))
    view = views.build_question_view(sentence, sure, yes, no)
    await edits.answer_anew(interaction, view)


def expect_current(loaded: LoadedLeague) -> None:
    """Refuse what can only be done to a league that has not ended."""
    if loaded.league.state not in CURRENT:
        raise Refusal(OVER)


def parse_league_id(text: str) -> LeagueId:
    """The league that a button or an option names, or a refusal."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 19 and int(text) < 2**63):
        raise Refusal(quote_whole(text, GONE))
    return LeagueId(int(text))
