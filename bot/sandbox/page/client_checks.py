"""Does what Discord's own client does before anything reaches a bot: finds the command, checks options and buttons.

Every function turns a person's act into the `data` of an interaction or raises Refused with the sentence that the
person would see. The page and the test driver both go through here.
"""

from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.world import command_register, components
from bot.sandbox.world.api_errors import Json, items
from bot.sandbox.world.command_register import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    USER,
)
from bot.sandbox.world.components import TEXT_INPUT
from bot.sandbox.world.servers import Server
from bot.sandbox.world.world import FORUM, THREADS, World

# discord.py and Discord agree on this: larger integers are not exact in JavaScript.
LARGEST = 2**53 - 1


NOT_TOLD = ("user", "deaf", "mute")
"""What a member who is named comes without."""


class Refused(Exception):
    """Discord's client would not let the person do this; the text says why."""


@dataclass
class Resolved:
    """The ids that an act names, with their objects, which Discord sends along."""

    world: World
    server: Server
    objects: Json = field(default_factory=Json)

    def beside(self, data: Json) -> Json:
        """The data of an interaction with the objects, if there are any."""
        return data | ({"resolved": self.objects} if self.objects else {})

    def add(self, kind: int, name: str, value: str) -> str:
        """Check that an id names something of the kind and keep its object; gives the id."""
        world, members = self.world, self.server.members
        if kind in (USER, MENTIONABLE) and value in world.users:
            self.objects.setdefault("users", {})[value] = world.users[value]
            if value in members:
                bits = str(world.permissions(value, world.places(self.server)[0]["id"]))
                known = {key: one for key, one in members[value].items() if key not in NOT_TOLD}
                self.objects.setdefault("members", {})[value] = known | {"permissions": bits}
            return value
        if kind == CHANNEL and world.channels.get(value, {}).get("guild_id") == self.server.id:
            self.objects.setdefault("channels", {})[value] = world.channels[value] | {"permissions": "0"}
            return value
        role = next((one for one in self.server.guild["roles"] if one["id"] == value), None)
        if kind in (ROLE, MENTIONABLE) and role:
            self.objects.setdefault("roles", {})[value] = role
            return value
        raise Refused(f"{value} is nobody or nothing that {name} can be.")


def enter(world: World, user_id: str, channel_id: str) -> Json:
    """The channel, if the person may use the application there."""
    if channel_id in world.private:
        raise Refused("The commands of this app are for servers.")
    channel = world.channels.get(channel_id)
    if world.me not in (world.server_of(channel_id) if channel else world.home).members:
        raise Refused("The app is not in this server any more.")
    if channel is None or not world.may(user_id, channel_id, "view_channel"):
        raise Refused("There is no such channel, or you may not see it.")
    if channel["type"] == FORUM:
        raise Refused("Open a post of this forum first.")
    if not world.may(user_id, channel_id, "use_application_commands"):
        raise Refused("You may not use apps in this channel.")
    if channel["type"] in THREADS:
        state = channel["thread_metadata"]
        if state["archived"]:
            raise Refused("This thread is archived.")
        if state["locked"] and not world.may(user_id, channel_id, "manage_threads"):
            raise Refused("This thread is locked.")
    return channel


# --- slash commands


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
        return _text(name, str(value), option.get("min_length") or 0, option.get("max_length") or 6000)
    if kind in (INTEGER, NUMBER):
        return _number(option, value)
    if kind == BOOLEAN:
        if not isinstance(value, bool):
            raise Refused(f"{name} must be true or false.")
        return value
    if kind == ATTACHMENT:
        raise Refused("The sandbox cannot attach files to commands.")
    return resolved.add(kind, name, str(value))


def _choice(name: str, choices: list[Json], value: Any) -> Any:
    for choice in choices:
        if value == choice["value"] or value == choice["name"]:
            return choice["value"]
    raise Refused(f"{value} is not a choice for {name}.")


def _text(name: str, value: str, low: int, high: int) -> str:
    if len(value) < low:
        raise Refused(f"{name} must have at least {low} characters.")
    if len(value) > high:
        raise Refused(f"{name} can have at most {high} characters.")
    return value


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


# --- buttons and selects


def find_message(world: World, user_id: str, channel_id: str, message_id: str) -> Json:
    """A message that the person can see."""
    message = world.messages.get(channel_id, {}).get(message_id)
    if message is None or message["ephemeral_for"] not in (None, user_id):
        raise Refused("This message is gone, or not for you.")
    return message


def press(world: World, message: Json, custom_id: str, values: list[str] | None) -> Json:
    """The data of a pressed button or of a select with the values chosen."""
    found = [one for one in components.walk(message["components"]) if one.get("custom_id") == custom_id]
    if not found:
        raise Refused("This message has no such button.")
    one = found[0]
    if one.get("disabled"):
        raise Refused("This button is disabled.")
    data: Json = {"custom_id": custom_id, "component_type": one["type"], "id": one["id"]}
    if one["type"] == components.BUTTON:
        return data
    chosen, resolved = values or [], Resolved(world, world.server_of(message["channel_id"]))
    check_selection(resolved, one, chosen, one.get("placeholder") or "this menu")
    return resolved.beside(data | {"values": chosen})


SELECT_KINDS = {5: USER, 6: ROLE, 7: MENTIONABLE, 8: CHANNEL}


def check_selection(resolved: Resolved, one: Json, chosen: list[str], name: str) -> None:
    """Check how many and which values were chosen in a select."""
    low, high = one.get("min_values", 1), one.get("max_values", 1)
    if not low <= len(chosen) <= high or len(set(chosen)) < len(chosen):
        raise Refused(f"Choose {low if low == high else f'{low} to {high}'} in {name}.")
    for value in chosen:
        if one["type"] in SELECT_KINDS:
            if value in resolved.world.users and value not in resolved.server.members:
                raise Refused(f"{name} lists the members of this server, and {value} has left.")
            resolved.add(SELECT_KINDS[one["type"]], name, value)
        elif value not in [option["value"] for option in one["options"]]:
            raise Refused(f"{value} is not an option of {name}.")


# --- modals


def submit(world: World, modal: Json, values: Json) -> Json:
    """The data of a submitted modal; what `values` (by custom_id or label) leaves out keeps what was filled in."""
    resolved = Resolved(world, world.server_of(modal["channel_id"]))
    given = dict(values)
    parts = [_part(resolved, one, given) for one in modal["components"]]
    if given:
        raise Refused(f"This form has no field {', '.join(sorted(given))}.")
    return resolved.beside({"custom_id": modal["custom_id"], "components": parts})


def _part(resolved: Resolved, one: Json, values: Json) -> Json:
    if one["type"] == components.LABEL:
        field = _field(resolved, one["component"], one["label"], values)
        return {"type": one["type"], "id": one["id"], "component": field}
    if one["type"] == components.ROW:
        fields = [_field(resolved, item, item.get("label") or "", values) for item in one["components"]]
        return {"type": one["type"], "id": one["id"], "components": fields}
    return {"type": one["type"], "id": one["id"]}


def _field(resolved: Resolved, one: Json, label: str, values: Json) -> Json:
    data: Json = {"type": one["type"], "id": one["id"], "custom_id": one["custom_id"]}
    key = one["custom_id"] if one["custom_id"] in values else label
    given = values.pop(key, None)
    required = one.get("required", True)
    if one["type"] == TEXT_INPUT:
        text = str(one.get("value") or "" if given is None else given)
        if not text and required:
            raise Refused(f"{label} is required.")
        if text:
            _text(label, text, one.get("min_length") or 0, one.get("max_length") or 4000)
        return data | {"value": text}
    if one["type"] == components.CHECKBOX:
        return data | {"value": bool(one.get("default")) if given is None else bool(given)}
    if one["type"] == components.UPLOAD:
        raise Refused("The sandbox cannot upload files in a form.")
    return data | _chosen(resolved, one, label, given, required)


def _chosen(resolved: Resolved, one: Json, label: str, given: Any, required: bool) -> Json:
    if given is None:
        given = [option["value"] for option in items(one, "options") if option.get("default")]
    chosen: list[str] = [given] if isinstance(given, str) else [str(value) for value in given]
    if not chosen and required:
        raise Refused(f"{label} is required.")
    if chosen:
        check_selection(resolved, one, chosen, label)
    if one["type"] == components.RADIO:
        return {"value": chosen[0] if chosen else None}
    return {"values": chosen}
