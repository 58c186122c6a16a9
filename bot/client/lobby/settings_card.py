"""Shows a server's settings as a card with a select for each choice; what is typed (zone, caps, channels) has commands.

Each select is answered from its custom_id and the chosen value alone, and the card is edited in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import get_args

import discord
from discord import ui

from bot.client.interactions.context import Interaction, values_of
from bot.client.interactions.custom_ids import PageId
from bot.client.interactions.errors import Unread
from bot.client.lobby.settings_store import SettingsStore
from bot.client.views import views
from bot.client.views.views import Control
from bot.core.match.clocks import PACES, Pace
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored import Reminders, ServerSettings
from bot.service.rules.challenge_limits import MOST_WITH_COMPUTERS, in_force

PAGE = "settings"
KINDS: Mapping[Reminders, str] = {
    "thread": "are reminded in the match's thread", "message": "are reminded by direct message",
    "digest": "get one direct message a day", "off": "get no reminders",
}  # fmt: skip
"""How people are reminded, in words."""
FOOT = "-# `/settings channel`, `/settings zone` and `/settings challenges` change the rest."


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting with few values: each with its words, which one a server has, and how another is taken."""

    words: Mapping[str, str]
    of: Callable[[ServerSettings], str]
    take: Callable[[ServerSettings, str], ServerSettings]


def reminded(kind: str) -> Reminders:
    """A kind of reminders by its word."""
    return next(one for one in get_args(Reminders) if one == kind)


CHOICES: Mapping[str, Choice] = {
    "pace": Choice(
        {key: f"The usual pace: {pace}" for key, pace in PACES.items()},
        lambda settings: settings.pace,
        lambda settings, key: replace(settings, pace=Pace.parse(key).key),
    ),
    "reminders": Choice(
        {kind: f"People {words}" for kind, words in KINDS.items()},
        lambda settings: settings.reminders,
        lambda settings, kind: replace(settings, reminders=reminded(kind)),
    ),
    "threads": Choice(
        {"on": "Every match gets a thread of its own", "off": "Matches are played in the channel"},
        lambda settings: "on" if settings.threads else "off",
        lambda settings, switch: replace(settings, threads=switch == "on"),
    ),
    "takebacks": Choice(
        {"on": "Moves can be taken back if everybody agrees", "off": "Moves can't be taken back"},
        lambda settings: "on" if settings.takebacks else "off",
        lambda settings, switch: replace(settings, takebacks=switch == "on"),
    ),
}
"""The selects of the card, by what stands in their custom_id."""


class SettingsCard:
    """Shows the card to those who manage a server, and takes what they choose on it."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings

    async def show(self, interaction: Interaction) -> None:
        """Show the settings to the asker alone."""
        settings = await self.expected(interaction)
        await interaction.response.send_message(view=card(settings), ephemeral=True)

    async def chosen(self, interaction: Interaction, page: PageId) -> None:
        """Take what was chosen in a select, and show the card with it."""
        choice, (value, *more) = CHOICES.get(page.about), values_of(interaction) or ("",)
        if choice is None or more or value not in choice.words:
            raise Unread
        await self.expected(interaction)
        settings = await self._settings.change_server(interaction, lambda before: choice.take(before, value))
        await interaction.response.edit_message(view=card(settings))

    async def change(self, interaction: Interaction, change: Callable[[ServerSettings], ServerSettings]) -> None:
        """Change a setting by command, and show the card with it."""
        await self.expected(interaction)
        settings = await self._settings.change_server(interaction, change)
        await interaction.response.send_message(view=card(settings), ephemeral=True)

    async def expected(self, interaction: Interaction) -> ServerSettings:
        """The settings, or a refusal for people who may not manage the server; Discord's own permissions for commands
        can be set to anything."""
        if not interaction.permissions.manage_guild:
            raise Refusal("Only people who can manage this server can see and change its settings.")
        return await self._settings.server(interaction)


def card(settings: ServerSettings) -> ui.LayoutView:
    """The settings in sentences, and a select for each choice, which shows what is chosen."""
    selects = [
        views.row_of(Control(PageId(PAGE, name), "…", options=options(choice, settings)))
        for name, choice in CHOICES.items()
    ]
    return views.framed(views.ACCENTS[0], ui.TextDisplay(described(settings)), *selects, ui.TextDisplay(FOOT))


def options(choice: Choice, settings: ServerSettings) -> list[discord.SelectOption]:
    """The values of a setting, with the one that a server has marked."""
    now = choice.of(settings)
    return [
        discord.SelectOption(label=words, value=value, default=value == now) for value, words in choice.words.items()
    ]


def described(settings: ServerSettings) -> str:
    """The settings in sentences."""
    channels = ", ".join(f"<#{channel}>" for channel in settings.channels)
    where = f"Challenges are allowed in {channels}." if channels else "Challenges are allowed in every channel."
    threads = "Every match gets a thread of its own." if settings.threads else "Matches are played in the channel."
    return f"{where} {threads}\n{capped(settings)}\n{usual(settings)}"


def capped(settings: ServerSettings) -> str:
    """The caps on challenges in a sentence."""
    opened, from_one, from_all = in_force(settings)
    return (
        f"A person can be challenged up to {from_all} times an hour, at most {from_one} times by the same person. "
        f"Each person can have {opened} open challenges, and {MOST_WITH_COMPUTERS} matches against the computer."
    )


def usual(settings: ServerSettings) -> str:
    """What holds where a challenge or a person has chosen nothing, in sentences."""
    pace = f"The usual pace is: {Pace.parse(settings.pace)}."
    people = f"Unless people choose otherwise, their time zone is {settings.zone} and they {KINDS[settings.reminders]}."
    back = "Moves can be taken back if everybody agrees." if settings.takebacks else "Moves can't be taken back."
    return f"{pace} {people} {back}"
