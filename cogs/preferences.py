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
from bot.core.values.plural import together
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
WHEN = "when half of the time for a move has gone by and a day before it ends, but not between 22:00 and 8:00"
IN_THREAD = f"you get a message in the match's thread, which replaces the last one, {WHEN}."
DIGEST = "you get one direct message in the morning of each day, with everything that waits."
SHUT = (
    "Discord takes no direct messages to you, so this happens in the thread: allow them in your privacy settings, and "
    "choose this again."
)
WAYS: Mapping[Reminders, str] = {
    "thread": IN_THREAD,
    "message": f"you get a direct message, {WHEN}.",
    "digest": DIGEST,
    "off": "nobody reminds you of a move.",
}
SHUT_WAYS: Mapping[Reminders, str] = {**WAYS, "message": f"{IN_THREAD} {SHUT}", "digest": f"{DIGEST} {SHUT}"}
"""How somebody is reminded; the second where Discord takes no direct messages to them."""
COUNTS = "A change of weekends or zone counts from the next clock that starts."
OFFERED = [app_commands.Choice(name=name, value=kind) for kind, name in KINDS.items()]


class Chosen(commands.Cog):
    """The preferences of a person."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    @costs(2)
    @app_commands.command(description="See or change what you have chosen for yourself; it holds in every server.")
    @app_commands.describe(
        confirm="Whether a move that you tap together is shown to you before it is played",
        zone="Your time zone, like Europe/Berlin: for nights, weekends and dates; server: what the server has",
        weekends="Whether your clocks run on Saturday and Sunday",
        reminders="How you are reminded of a move",
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
        raise Refusal(f"Nothing was changed: “{option}” is either {together([*words], ' or ')}.")
    return words[word]


def kind_of(word: str) -> Reminders:
    """The kind of reminders of this name, or a refusal."""
    found: Reminders | None = next((kind for kind in get_args(Reminders) if kind == word), None)
    if found is None:
        raise Refusal(f"Nothing was changed: “reminders” can be {together(KINDS.values(), ' or ')}.")
    return found


def described(chosen: Preferences, settings: ServerSettings, now: int) -> str:
    """What somebody has chosen, a sentence each."""
    confirm = (
        "**confirm: on** – a move that you tap together is shown to you, and played when you press *Play*."
        if chosen.confirm
        else "**confirm: off** – a move that you tap together is played with the last tap."
    )
    weekends = (
        f"**weekends: yes** – your clocks run on Saturday and Sunday. {COUNTS}"
        if chosen.weekends
        else f"**weekends: no** – your clocks rest on Saturday and Sunday. {COUNTS}"
    )
    lines = (confirm, _zone(chosen, settings, now), weekends, _reminders(chosen, settings))
    return "\n".join(("This is what you have chosen, for every server:", *lines))


def _zone(chosen: Preferences, settings: ServerSettings, now: int) -> str:
    calendar = Calendar.of(chosen, settings, ())
    head = f"**zone: {calendar.zone}**" if chosen.zone else f"**zone: {calendar.zone}**, as this server has it"
    return f"{head} – it is {calendar.oclock(now)} there, and your nights and days go by that."


def _reminders(chosen: Preferences, settings: ServerSettings) -> str:
    kind = chosen.reminders or settings.reminders
    name = f"**reminders: {KINDS[kind]}**"
    head = name if chosen.reminders else f"{name}, as this server has it"
    return f"{head} – {(SHUT_WAYS if chosen.closed else WAYS)[kind]}"


async def setup(bot: GraphPaper) -> None:
    """Add this command to the bot."""
    await bot.add_cog(Chosen(bot.rooms.settings_store))
