"""`/preferences`, what people choose for themselves, in every server: each an option of one command, which without
options says what is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

from discord import app_commands
from discord.ext import commands

from bot.client.app.client import GraphPaper
from bot.client.interactions.context import Interaction
from bot.client.interactions.rate_limit import costs
from bot.client.lobby.settings_store import SettingsStore, zone_of
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored_settings import Preferences, Reminders, ServerSettings
from bot.core.values.plural import sentences, together
from bot.service.time.calendars import Calendar

SERVER = "server"
"""The choice of people who leave something to the server."""
SWITCH: Mapping[str, bool] = {"on": True, "off": False}
Switch = Literal["on", "off"]
"""Discord offers these; discord.py takes whatever comes."""
NoYes = Literal["no", "yes"]
"""In the order of the games' options: Python takes two types of the same words for one, whatever their order."""
RUNNING: Mapping[str, bool] = {"yes": True, "no": False}
KINDS: Mapping[Reminders, str] = {
    "thread": "thread", "message": "direct message", "digest": "daily digest", "off": "off",
}  # fmt: skip
"""What the kinds of reminders are called."""
WHEN = "when half of your time for a move is gone and again a day before it ends, but not between 22:00 and 8:00"
IN_THREAD = f"I remind you in the match's thread {WHEN}."
DIGEST = "I send you one direct message each morning, with everything that waits for you."
SHUT = (
    "Discord doesn't let me write to you, so this happens in the thread. Allow direct messages in your privacy "
    "settings, then choose this again."
)
WAYS: Mapping[Reminders, str] = {
    "thread": IN_THREAD,
    "message": f"I send you a direct message {WHEN}.",
    "digest": DIGEST,
    "off": "I don't remind you of your moves.",
}
SHUT_WAYS: Mapping[Reminders, str] = {**WAYS, "message": sentences(IN_THREAD, SHUT), "digest": sentences(DIGEST, SHUT)}
"""How somebody is reminded; the second where Discord takes no direct messages to them."""
AS_HERE = "same as this server"
COUNTS = "A change counts from the next clock that starts."
OFFERED = [app_commands.Choice(name=name, value=kind) for kind, name in KINDS.items()]


class Chosen(commands.Cog):
    """The preferences of a person."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    @costs(2)
    @app_commands.command(description="See or change your own settings, which apply in every server.")
    @app_commands.describe(
        confirm="Whether you see a move that you have tapped once more before it is played",
        zone="Your time zone, like Europe/Berlin; server: the same as the server",
        weekends="Whether your clocks run on Saturdays and Sundays",
        reminders="How I remind you of your moves",
    )
    @app_commands.choices(reminders=[*OFFERED, app_commands.Choice(name="as the server has it", value=SERVER)])
    async def preferences(
        self,
        interaction: Interaction,
        confirm: Switch | None = None,
        zone: str | None = None,
        weekends: NoYes | None = None,
        reminders: str | None = None,
    ) -> None:
        """Change what is given, and show what is chosen."""
        given: dict[str, Any] = {}
        if confirm is not None:
            given["confirm"] = switched("confirm", confirm)
        if zone is not None:
            given["zone"] = None if zone.strip().lower() == SERVER else await zone_of(zone)
        if weekends is not None:
            given["weekends"] = switched("weekends", weekends, RUNNING)
        if reminders is not None:
            # People who choose again may have allowed direct messages meanwhile.
            given |= {"reminders": None if reminders == SERVER else kind_of(reminders), "closed": False}

        def change(before: Preferences) -> Preferences:
            return replace(before, **given)

        chosen, settings = await self._settings.chosen(interaction, change if given else None)
        await interaction.response.send_message(described(chosen, settings, self._settings.now()), ephemeral=True)

    @preferences.autocomplete("zone")
    async def complete_zone(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Time zones, each with the time that it is there."""
        return await self._settings.zones(current)


def switched(option: str, word: str, words: Mapping[str, bool] = SWITCH) -> bool:
    """What an option that is on or off was given, or a refusal."""
    if word not in words:
        raise Refusal(f"Nothing was changed. “{option}” can be {together([*words], ' or ')}.")
    return words[word]


def kind_of(word: str) -> Reminders:
    """The kind of reminders of this name, or a refusal."""
    found: Reminders | None = next((kind for kind in get_args(Reminders) if kind == word), None)
    if found is None:
        raise Refusal(f"Nothing was changed. “reminders” can be {together(KINDS.values(), ' or ')}.")
    return found


def described(chosen: Preferences, settings: ServerSettings, now: int) -> str:
    """What somebody has chosen, a sentence each."""
    confirm = (
        "**confirm: on** · Your last tap shows the move, and *Play* plays it."
        if chosen.confirm
        else "**confirm: off** · Your last tap plays the move."
    )
    weekends = (
        f"**weekends: yes** · Your clocks run on Saturdays and Sundays. {COUNTS}"
        if chosen.weekends
        else f"**weekends: no** · Your clocks rest on Saturdays and Sundays. {COUNTS}"
    )
    lines = (confirm, _zone(chosen, settings, now), weekends, _reminders(chosen, settings))
    return "\n".join(("These are your settings, in every server:", *lines))


def _zone(chosen: Preferences, settings: ServerSettings, now: int) -> str:
    calendar = Calendar.of(chosen, settings, ())
    told = f"It's {calendar.oclock(now)} there, and your days and nights go by that."
    return " · ".join([f"**zone: {calendar.zone}**", *([] if chosen.zone else [AS_HERE]), told])


def _reminders(chosen: Preferences, settings: ServerSettings) -> str:
    kind = chosen.reminders or settings.reminders
    told = (SHUT_WAYS if chosen.closed else WAYS)[kind]
    return " · ".join([f"**reminders: {KINDS[kind]}**", *([] if chosen.reminders else [AS_HERE]), told])


async def setup(bot: GraphPaper) -> None:
    """Add this command to the bot."""
    await bot.add_cog(Chosen(bot.rooms.settings_store))
