"""Does what Discord's own client does before a slash command reaches a bot: finds the command and checks its options.

Every function gives the `data` of an interaction, or raises Refused with the sentence that the person would see.
"""

from base64 import b64decode
from typing import Any

from bot.sandbox.page.client_checks import Refused, Resolved, check_text
from bot.sandbox.world import command_register
from bot.sandbox.world.api_errors import Json, items
from bot.sandbox.world.command_register import ATTACHMENT, BOOLEAN, INTEGER, NUMBER, STRING
from bot.sandbox.world.world import World

# discord.py and Discord agree on this: larger integers are not exact in JavaScript.
LARGEST = 2**53 - 1


def find_command(world: World, user_id: str, channel_id: str, path: list[str]) -> tuple[Json, list[Json]]:
    """The registered command and its chain of sub-commands, the last of which takes the options."""
    offered = command_register.offered(world.commands, world.server_of(channel_id).id)
    named = [one for one in offered if one["type"] == command_register.CHAT_INPUT and path and one["name"] == path[0]]
    if not named:
        raise Refused(f"There is no command /{' '.join(path)}.")
    command = next((one for one in named if one.get("guild_id")), named[0])
    needed = command.get("default_member_permissions")
    if needed is not None:
        have = world.permissions(user_id, channel_id)
        if not int(needed) or have & int(needed) != int(needed):
            raise Refused(f"You may not use /{path[0]}.")
    if command.get("nsfw") and not world.age_restricted(channel_id):
        raise Refused(f"/{path[0]} is for age-restricted channels.")
    chain = [command]
    for name in path[1:]:
        found = [one for one in items(chain[-1], "options") if one["name"] == name and one["type"] in (1, 2)]
        if not found:
            raise Refused(f"There is no command /{' '.join(path)}.")
        chain.append(found[0])
    if any(one["type"] in (1, 2) for one in items(chain[-1], "options")):
        raise Refused(f"/{' '.join(path)} needs a sub-command.")
    return command, chain


def command(world: World, user_id: str, channel_id: str, path: list[str], options: Json) -> Json:
    """The data of a slash command."""
    found, chain = find_command(world, user_id, channel_id, path)
    defined: list[Json] = items(chain[-1], "options")
    unknown = set(options) - {one["name"] for one in defined}
    if unknown:
        raise Refused(f"/{' '.join(path)} has no option {', '.join(sorted(unknown))}.")
    given: list[Json] = []
    resolved = Resolved(world, world.server_of(channel_id))
    for option in defined:
        if options.get(option["name"]) is not None:
            value = _value(resolved, option, options[option["name"]])
            given.append({"name": option["name"], "type": option["type"], "value": value})
        elif option.get("required"):
            raise Refused(f"The option {option['name']} is required.")
    return resolved.beside(_data(found, chain, given))


def _data(found: Json, chain: list[Json], given: list[Json]) -> Json:
    for step in reversed(chain[1:]):
        given = [{"name": step["name"], "type": step["type"], "options": given}]
    data: Json = {"id": found["id"], "name": found["name"], "type": found["type"], "options": given}
    return data | ({"guild_id": found["guild_id"]} if found.get("guild_id") else {})


def complete(
    world: World, user_id: str, channel_id: str, path: list[str], options: Json, focused: str
) -> tuple[Json, int]:
    """The data of an autocompletion, and the type of the option; half-typed values are sent as they are."""
    found, chain = find_command(world, user_id, channel_id, path)
    defined = {one["name"]: one for one in items(chain[-1], "options")}
    if not defined.get(focused, {}).get("autocomplete"):
        raise Refused(f"The option {focused} of /{' '.join(path)} has no autocompletion.")
    given: list[Json] = []
    for name, value in ({**options, focused: options.get(focused, "")}).items():
        if name not in defined:
            raise Refused(f"/{' '.join(path)} has no option {name}.")
        option: Json = {"name": name, "type": defined[name]["type"], "value": value}
        if name == focused:
            option |= {"value": str(value), "focused": True}
        if value is not None:
            given.append(option)
    return _data(found, chain, given), defined[focused]["type"]


def _value(resolved: Resolved, option: Json, value: Any) -> Any:
    kind, name = option["type"], option["name"]
    choices = items(option, "choices")
    if choices:
        return _choice(name, choices, value)
    if kind == STRING:
        return check_text(name, str(value), option.get("min_length") or 0, option.get("max_length") or 6000)
    if kind in (INTEGER, NUMBER):
        return _number(option, value)
    if kind == BOOLEAN:
        if not isinstance(value, bool):
            raise Refused(f"{name} must be true or false.")
        return value
    if kind == ATTACHMENT:
        return resolved.attach(str(value["name"]), b64decode(value["data"]))
    return resolved.add(kind, name, str(value))


def _choice(name: str, choices: list[Json], value: Any) -> Any:
    for choice in choices:
        if value == choice["value"] or value == choice["name"]:
            return choice["value"]
    raise Refused(f"{value} is not a choice for {name}.")


def _number(option: Json, value: Any) -> int | float:
    name, whole = option["name"], option["type"] == INTEGER
    try:
        number = int(value) if whole else float(value)
    except (TypeError, ValueError):
        raise Refused(f"{name} must be a{' whole' if whole else ''} number.") from None
    if whole and (isinstance(value, bool) or number != (int(value) if isinstance(value, str) else value)):
        raise Refused(f"{name} must be a whole number.")
    low, high = option.get("min_value"), option.get("max_value")
    low, high = -LARGEST if low is None else low, LARGEST if high is None else high
    if not low <= number <= high:
        raise Refused(f"{name} must be between {low} and {high}.")
    return number
