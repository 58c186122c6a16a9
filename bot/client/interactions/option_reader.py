"""Compares the options of a command with what the command declares, before discord.py hands them to a callback.

Discord's own clients send nothing else. But whatever is sent reaches the callback as it is, and each callback would
have to expect anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import discord
from discord import app_commands

KINDS: Mapping[discord.AppCommandOptionType, tuple[type, ...]] = {
    discord.AppCommandOptionType.string: (str,),
    discord.AppCommandOptionType.integer: (int,),
    discord.AppCommandOptionType.boolean: (bool,),
    discord.AppCommandOptionType.number: (int, float),
}
"""What a value is, by the kind of its option; people, channels and the like come as their numbers, in a text."""
MATCH = "match"
"""The option that names a match, in all commands. `typed_options` reads it from any form."""
ONCE_NUMBERS = {"seat"}
"""Options with suggestions that were numbers once: who has opened Discord before that was changed still sends one."""
NAMED_CHOICES = {"confirm", "kind", "pace", "reminders", "weekends"}
"""Options whose callbacks refuse a word that is none of the choices, with a sentence that names them."""


def misfits(command: app_commands.Command[Any, ..., Any], data: Mapping[str, Any]) -> Iterator[str]:
    """The names of the options that were sent with values which the command cannot have."""
    declared = {one.display_name: one for one in command.parameters}
    for option in given(data):
        name = option["name"]
        if option.get("focused"):
            if not isinstance(option.get("value"), str):
                yield name
        elif name in declared and name != MATCH and not fits(declared[name], option):
            yield name


def given(data: Mapping[str, Any]) -> Iterator[MutableMapping[str, Any]]:
    """The options of a command, whatever group it is in."""
    for option in data.get("options", ()):
        if "options" in option:
            yield from given(option)
        elif "value" in option:
            yield option


def fits(declared: app_commands.Parameter, option: Mapping[str, Any]) -> bool:
    """Whether an option is of its declared kind, and one of its choices if it has any; discord.py looks at bounds."""
    value = option["value"]
    kinds = KINDS.get(declared.type, (str,))
    if declared.autocomplete and declared.display_name in ONCE_NUMBERS and type(value) is int:
        return True
    if option.get("type") != declared.type.value or not isinstance(value, kinds):
        return False
    if isinstance(value, bool) != (kinds == (bool,)):
        return False
    free = not declared.choices or declared.display_name in NAMED_CHOICES
    return free or value in [choice.value for choice in declared.choices]
