"""Selects that are answered from their custom_id and the chosen values alone: what each offers, marks and changes.

The cards of a server's settings and of a person's own share them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

import discord

from bot.client.interactions.custom_ids import CustomId, Word
from bot.client.interactions.errors import Unread
from bot.client.views.views import Control
from bot.core.match.stored_settings import Reminders
from bot.service.time.zone_names import shown

Kept = TypeVar("Kept")
"""What is chosen: the settings of a server, or the preferences of a person."""
REMINDED: Mapping[str, str] = {
    "thread": "Reminders: in the thread",
    "message": "Reminders: direct messages",
    "digest": "Reminders: one a day",
    "off": "Reminders: none",
}
"""How people are reminded, in words."""
ZONES = (
    "America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York", "America/Sao_Paulo", "UTC",
    "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow", "Africa/Lagos",
    "Africa/Johannesburg", "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Jakarta", "Asia/Shanghai",
    "Asia/Tokyo", "Australia/Perth", "Australia/Sydney", "Pacific/Auckland",
)  # fmt: skip
"""Time zones to choose from, from west to east; any other is typed."""
NONE = "None of these"


class SettingSelect(CustomId, template="p:{card}:{name}"):
    """A select of a card, or a button to another card, by its name."""

    card: Literal["settings", "preferences"]
    name: Word


@dataclass(frozen=True, slots=True)
class Choice(Generic[Kept]):
    """A setting with few values: each with its words, which of them are chosen, how others are taken, and what stands
    there where none is chosen."""

    words: Callable[[Kept], Mapping[str, str]]
    of: Callable[[Kept], Collection[str]]
    take: Callable[[Kept, Collection[str]], Kept]
    several: bool = False
    none: str = NONE

    def select(self, component: CustomId, kept: Kept) -> Control:
        """The select of this setting, in which what is chosen is marked."""
        now, words = self.of(kept), self.words(kept)
        options = [discord.SelectOption(label=said, value=value, default=value in now) for value, said in words.items()]
        return Control(component, self.none, options=options, several=self.several)

    def expect(self, kept: Kept, values: Collection[str]) -> None:
        """Refuse values that were not offered: `Unread`."""
        if not {*values} <= {*self.words(kept)}:
            raise Unread
        self.take(kept, values)


def the(values: Collection[str]) -> str:
    """The one value that was chosen, or `Unread`."""
    if len(values) != 1:
        raise Unread
    return next(iter(values))


def reminded(kind: str) -> Reminders:
    """A kind of reminders by its word."""
    return next(one for one in get_args(Reminders) if one == kind)


def zones(own: str | None) -> dict[str, str]:
    """The time zones to choose from, with the one that is chosen."""
    listed = ZONES if own is None or own in ZONES else (own, *ZONES)
    return {zone: f"Time zone: {shown(zone)}" for zone in listed}
