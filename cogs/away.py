"""`/away`: absences of some days, during which a player's clocks in this server stand still."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.board import directory as match_directory
from bot.features.board.outside import SERVER_HELP, Admissions
from bot.features.settings.service import SettingsStore
from bot.features.time.preferences import AbsenceState
from bot.games.game import Game
from bot.games.wording import Plural, join_sentences
from bot.platform import edits
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction, guild_of, is_outside, user_of
from bot.play.calendars import format_days
from bot.play.ids import UserId
from bot.play.loaded_match import Refusal

NOW = ("now", "back")
"""Typed instead of a date to end an absence."""
STAND = Plural("One of your clocks is stopped.", "{number} of your clocks are stopped.")
RUN = Plural("One of your clocks runs again.", "{number} of your clocks run again.")
LEFT = "You can be away for 30 days a year here and have {left} left."
LEFT_AFTER = "You can be away for 30 days a year here and have {left} left after that."
OUT_OF_TIME = "You have already run out of time here, and being away doesn't change that. Move while you still can:"


@offered_in_messages
class AwayCommands(
    commands.GroupCog, group_name="away", group_description="Be away for a few days, with your clocks stopped."
):
    """The commands of absences."""

    def __init__(self, settings: SettingsStore, games: Mapping[str, Game], admissions: Admissions) -> None:
        self._settings = settings
        self._games = games
        self._admissions = admissions

    async def _complete_server(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await self._admissions.suggest_servers(interaction, current)

    async def _answer(self, interaction: Interaction, absence: AbsenceState) -> None:
        """Say whether the user is away; in direct messages, from which server."""
        about = describe_absence(absence, self._games, user_of(interaction))
        named = is_outside(interaction)
        server = f"**{await self._admissions.name_server(guild_of(interaction))}**\n" if named else ""
        await edits.answer_anew(interaction, f"{server}{about}")

    @costs(3)
    @app_commands.command(
        description="Be away from now on. Your clocks in this server stop, and others see that you are away."
    )
    @app_commands.describe(
        until="The last day, like 2026-12-24, 24.12., Dec 24, friday or in 10 days", server=SERVER_HELP
    )
    @app_commands.autocomplete(server=_complete_server)
    async def until(self, interaction: Interaction, until: str, server: str | None = None) -> None:
        await self._admissions.choose_server(interaction, server)
        if until.strip().lower() in NOW:
            absence = await self._settings.end_absence(interaction)
        else:
            absence = await self._settings.start_absence(interaction, until)
        await self._answer(interaction, absence)

    @until.autocomplete("until")
    async def complete_until(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggested last days of an absence."""
        with suppress(Refusal):
            await self._admissions.choose_server(interaction, getattr(interaction.namespace, "server", None))
        return await self._settings.suggest_days(interaction, current)

    @costs(3)
    @app_commands.command(description="Be back. Your clocks run again, and you keep the days you didn't use.")
    @app_commands.describe(server=SERVER_HELP)
    @app_commands.autocomplete(server=_complete_server)
    async def back(self, interaction: Interaction, server: str | None = None) -> None:
        await self._admissions.choose_server(interaction, server)
        await self._answer(interaction, await self._settings.end_absence(interaction))

    @costs(1, looks=True)
    @app_commands.command(description="See whether you are away here, and how many days you have left.")
    @app_commands.describe(server=SERVER_HELP)
    @app_commands.autocomplete(server=_complete_server)
    async def show(self, interaction: Interaction, server: str | None = None) -> None:
        await self._admissions.choose_server(interaction, server)
        await self._answer(interaction, await self._settings.load_absence(interaction))


def describe_absence(absence: AbsenceState, games: Mapping[str, Game], user: UserId) -> str:
    if absence.until:
        stand = [STAND.fill_in(absence.clocks)] if absence.clocks else []
        told = [f"You are away in this server until <t:{absence.until}:f>.", *stand, "/away back ends it."]
    elif absence.changed:
        told = ["You are back.", *([RUN.fill_in(absence.clocks)] if absence.clocks else [])]
    else:
        told = ["You're not away. Going on holiday? /away until stops your clocks."]
    allowed = LEFT_AFTER if absence.until else LEFT
    late = [match_directory.format_match_question(OUT_OF_TIME, absence.late, games, user)] if absence.late else []
    return "\n".join([join_sentences(*told), allowed.format(left=format_days(absence.left)), *late])


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(AwayCommands(bot.handlers.settings_store, bot.umpire.games, bot.handlers.admissions))
