"""`/preferences`, a user's settings in all servers: a card of selects. Each setting is also an option of the command,
which changes it before the card is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.settings.handlers import SERVER, PreferencesCard, with_puzzle, with_reminders
from bot.features.settings.service import SettingsStore
from bot.games.wording import join_words
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction
from bot.play import calendars
from bot.play.loaded_match import Refusal
from bot.play.rows import Preferences, Reminders

SWITCH: Mapping[str, bool] = {"on": True, "off": False}
Switch = Literal["on", "off"]
"""Discord offers these choices, but discord.py does not check them."""
NoYes = Literal["no", "yes"]
"""In the order of the games' options, since Python treats two Literals with the same words as one type."""
RUNNING: Mapping[str, bool] = {"yes": True, "no": False}
KINDS: Mapping[Reminders, str] = {
    "thread": "thread", "message": "direct message", "board": "with the board", "digest": "daily digest", "off": "off",
}  # fmt: skip
"""The names of the kinds of reminders."""
OFFERED = [app_commands.Choice(name=name, value=kind) for kind, name in KINDS.items()]


class PreferenceCommands(commands.Cog):
    def __init__(self, settings: SettingsStore, card: PreferencesCard) -> None:
        self._settings = settings
        self._card = card

    @offered_in_messages
    @costs(2)
    @app_commands.command(description="See or change your own settings, which apply in every server.")
    @app_commands.describe(
        confirm="Whether you see a move that you have tapped once more before it is played",
        zone="Your time zone, like Europe/Berlin; server: the same as the server",
        weekends="Whether your clocks run on Saturdays and Sundays",
        reminders="How I remind you of your moves",
        quiet="When I tell you only what somebody has just done, like 23-7; none: never",
        puzzle="Whether I send you the puzzle of the day each morning, as a direct message",
    )
    @app_commands.choices(reminders=[*OFFERED, app_commands.Choice(name="as the server has it", value=SERVER)])
    async def preferences(
        self,
        interaction: Interaction,
        confirm: Switch | None = None,
        zone: str | None = None,
        weekends: NoYes | None = None,
        reminders: str | None = None,
        quiet: str | None = None,
        puzzle: Switch | None = None,
    ) -> None:
        """Change the given settings, and show all of them."""
        given, kind = dict[str, Any](), None
        if confirm is not None:
            given["confirm"] = read_switch("confirm", confirm)
        if zone is not None:
            given["zone"] = (
                None if zone.strip().lower() == SERVER else await self._settings.find_zone(interaction, zone)
            )
        if weekends is not None:
            given["weekends"] = read_switch("weekends", weekends, RUNNING)
        if reminders is not None:
            kind = SERVER if reminders == SERVER else kind_of(reminders)
        if quiet is not None:
            calendars.with_hours(Preferences(), quiet)
        sends = None if puzzle is None else read_switch("puzzle", puzzle)

        def change(before: Preferences) -> Preferences:
            after = replace(before, **given)
            after = after if quiet is None else calendars.with_hours(after, quiet)
            after = after if kind is None else with_reminders(after, kind)
            return after if sends is None else with_puzzle(after, sends, self._settings.now())

        changed = given or kind or quiet is not None or sends is not None
        await self._card.show(interaction, change if changed else None)

    @preferences.autocomplete("zone")
    async def complete_zone(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones, each with the local time."""
        return await self._settings.suggest_zones(interaction, current)

    @preferences.autocomplete("quiet")
    async def complete_quiet(self, _interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest quiet hours."""
        return [
            app_commands.Choice(name=calendars.describe_hours(one), value=one)
            for one in calendars.suggest_hours(current)
        ]


def read_switch(option: str, word: str, words: Mapping[str, bool] = SWITCH) -> bool:
    """Parse an option that is on or off; raises `Refusal`."""
    if word not in words:
        raise Refusal(f"Nothing was changed. “{option}” can be {join_words([*words], ' or ')}.")
    return words[word]


def kind_of(word: str) -> Reminders:
    """The kind of reminders with this name; raises `Refusal`."""
    found: Reminders | None = next((kind for kind in get_args(Reminders) if kind == word), None)
    if found is None:
        raise Refusal(f"Nothing was changed. “reminders” can be {join_words(KINDS.values(), ' or ')}.")
    return found


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(PreferenceCommands(bot.handlers.settings_store, bot.handlers.preferences_card))
