"""What Discord's own client checks before a command, a button or a form reaches a bot."""

from base64 import b64decode
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox import commands, components, posts, threads
from bot.sandbox.commands import ATTACHMENT, BOOLEAN, CHANNEL, INTEGER, MENTIONABLE, NUMBER, ROLE, STRING, USER
from bot.sandbox.components import TEXT_INPUT
from bot.sandbox.errors import ApiError, Json, list_under
from bot.sandbox.world import FORUM, THREADS, Server, World

NOT_TOLD = ("user", "deaf", "mute")
"""Keys that a member object among the resolved objects lacks."""


class ClientRefusal(Exception):
    """Discord's client would not let the user do this; the text says why."""


@dataclass
class ResolvedObjects:
    """The objects of the ids in an interaction, which Discord sends along as `resolved`."""

    world: World
    server: Server | None
    objects: Json = field(default_factory=Json)

    def add_to(self, data: Json) -> Json:
        """The interaction's data, with the objects if there are any."""
        return data | ({"resolved": self.objects} if self.objects else {})

    def add(self, kind: int, name: str, value: str) -> str:
        """Check that an id names something of the kind, and keep its object; returns the id."""
        world, server = self.world, self.server
        members = server.members if server else {}
        if kind in (USER, MENTIONABLE) and value in world.users:
            self.objects.setdefault("users", {})[value] = world.users[value]
            if server and value in members:
                bits = str(world.permissions(value, world.channels_of(server)[0]["id"]))
                known = {key: one for key, one in members[value].items() if key not in NOT_TOLD}
                self.objects.setdefault("members", {})[value] = known | {"permissions": bits}
            return value
        if kind == CHANNEL and server and world.channels.get(value, {}).get("guild_id") == server.id:
            self.objects.setdefault("channels", {})[value] = world.channels[value] | {"permissions": "0"}
            return value
        role = next((one for one in (server.guild["roles"] if server else ()) if one["id"] == value), None)
        if kind in (ROLE, MENTIONABLE) and role:
            self.objects.setdefault("roles", {})[value] = role
            return value
        raise ClientRefusal(f"{value} is nobody or nothing that {name} can be.")

    def attach(self, name: str, data: bytes) -> str:
        """Upload a file and keep its object; returns its id."""
        around = self.world.channels_of(self.server or self.world.home)[0]["id"]
        made = posts.store_attachment(self.world, around, name, data, {})
        self.objects.setdefault("attachments", {})[made["id"]] = made | {"ephemeral": True}
        return made["id"]


def enter_channel(world: World, user_id: str, channel_id: str) -> Json:
    """The channel, if the user may use the application there; raises `ClientRefusal` otherwise."""
    channel = world.channels.get(channel_id) or world.private.get(channel_id)
    if channel is None or not world.has_permissions(user_id, channel_id, "view_channel"):
        raise ClientRefusal("There is no such channel, or you may not see it.")
    # A person who shares no server with the bot any more still sees the buttons of its direct messages.
    if channel_id in world.channels and not world.list_installs(user_id, channel_id):
        raise ClientRefusal("The app is not in this server any more.")
    if channel["type"] == FORUM:
        raise ClientRefusal("Open a post of this forum first.")
    if not world.has_permissions(user_id, channel_id, "use_application_commands"):
        raise ClientRefusal("You may not use apps in this channel.")
    if channel["type"] in THREADS:
        state = channel["thread_metadata"]
        if state["archived"]:
            _reopen_thread(world, user_id, channel)
        if state["locked"] and not world.has_permissions(user_id, channel_id, "manage_threads"):
            raise ClientRefusal("This thread is locked.")
    return channel


def _reopen_thread(world: World, user_id: str, thread: Json) -> None:
    """Unarchive a thread, as Discord's client does before an interaction in it."""
    try:
        threads.patch_thread(world, thread, user_id, {"archived": False})
    except ApiError as error:
        raise ClientRefusal(f"This thread is archived, and you cannot open it: {error.message}.") from None


def check_text(name: str, value: str, low: int, high: int) -> str:
    """The text, if its length is from `low` to `high`; raises `ClientRefusal` otherwise."""
    if len(value) < low:
        raise ClientRefusal(f"{name} must have at least {low} characters.")
    if len(value) > high:
        raise ClientRefusal(f"{name} can have at most {high} characters.")
    return value


# --- buttons and selects


def find_message(world: World, user_id: str, channel_id: str, message_id: str) -> Json:
    """A message that the user can see; raises `ClientRefusal` where there is none."""
    message = world.messages.get(channel_id, {}).get(message_id)
    if message is None or message["ephemeral_for"] not in (None, user_id):
        raise ClientRefusal("This message is gone, or not for you.")
    return message


def make_press_data(world: World, message: Json, custom_id: str, values: list[str] | None) -> Json:
    """The interaction data of a pressed button, or of a select with the chosen values."""
    found = [one for one in components.walk_components(message["components"]) if one.get("custom_id") == custom_id]
    if not found:
        raise ClientRefusal("This message has no such button.")
    one = found[0]
    if one.get("disabled"):
        raise ClientRefusal("This button is disabled.")
    data: Json = {"custom_id": custom_id, "component_type": one["type"], "id": one["id"]}
    if one["type"] == components.BUTTON:
        return data
    chosen, resolved = values or [], ResolvedObjects(world, world.server_around(message["channel_id"]))
    check_selection(resolved, one, chosen, one.get("placeholder") or "this menu")
    return resolved.add_to(data | {"values": chosen})


def show_choice(world: World, user_id: str, message: Json, data: Json) -> None:
    """Keep what was chosen in a select, until an update of the message resets it. Refused where the same is shown as
    chosen already: Discord's clients send nothing then, even if the first choice failed."""
    if data["component_type"] not in components.SELECTS:
        return
    key, values = (user_id, message["id"], data["custom_id"]), data["values"]
    if key in world.chosen and sorted(values) == sorted(world.chosen[key]):
        raise ClientRefusal("This menu shows that already, so that nothing is sent. Choose something else.")
    world.chosen[key] = values


SELECT_KINDS = {5: USER, 6: ROLE, 7: MENTIONABLE, 8: CHANNEL}


def check_selection(resolved: ResolvedObjects, one: Json, chosen: list[str], name: str) -> None:
    """Check the number and the values of a select's choices."""
    low, high = one.get("min_values", 1), one.get("max_values", 1)
    if not low <= len(chosen) <= high or len(set(chosen)) < len(chosen):
        raise ClientRefusal(f"Choose {low if low == high else f'{low} to {high}'} in {name}.")
    for value in chosen:
        if one["type"] in SELECT_KINDS:
            if value in resolved.world.users and resolved.server and value not in resolved.server.members:
                raise ClientRefusal(f"{name} lists the members of this server, and {value} has left.")
            resolved.add(SELECT_KINDS[one["type"]], name, value)
        elif value not in [option["value"] for option in one["options"]]:
            raise ClientRefusal(f"{value} is not an option of {name}.")


# --- modals


def make_submit_data(world: World, modal: Json, values: Json) -> Json:
    """The interaction data of a submitted modal; fields not in `values` (by custom_id or label) keep their defaults."""
    resolved = ResolvedObjects(world, world.server_around(modal["channel_id"]))
    given = dict(values)
    parts = [_make_component_data(resolved, one, given) for one in modal["components"]]
    if given:
        raise ClientRefusal(f"This form has no field {', '.join(sorted(given))}.")
    return resolved.add_to({"custom_id": modal["custom_id"], "components": parts})


def _make_component_data(resolved: ResolvedObjects, one: Json, values: Json) -> Json:
    if one["type"] == components.LABEL:
        field = _make_field_data(resolved, one["component"], one["label"], values)
        return {"type": one["type"], "id": one["id"], "component": field}
    if one["type"] == components.ROW:
        fields = [_make_field_data(resolved, item, item.get("label") or "", values) for item in one["components"]]
        return {"type": one["type"], "id": one["id"], "components": fields}
    return {"type": one["type"], "id": one["id"]}


def _make_field_data(resolved: ResolvedObjects, one: Json, label: str, values: Json) -> Json:
    data: Json = {"type": one["type"], "id": one["id"], "custom_id": one["custom_id"]}
    key = one["custom_id"] if one["custom_id"] in values else label
    given = values.pop(key, None)
    required = one.get("required", True)
    if one["type"] == TEXT_INPUT:
        text = str(one.get("value") or "" if given is None else given)
        if not text and required:
            raise ClientRefusal(f"{label} is required.")
        if text:
            check_text(label, text, one.get("min_length") or 0, one.get("max_length") or 4000)
        return data | {"value": text}
    if one["type"] == components.CHECKBOX:
        return data | {"value": bool(one.get("default")) if given is None else bool(given)}
    if one["type"] == components.UPLOAD:
        raise ClientRefusal("The sandbox cannot upload files in a form.")
    return data | _make_chosen_data(resolved, one, label, given, required)


def _make_chosen_data(resolved: ResolvedObjects, one: Json, label: str, given: Any, required: bool) -> Json:
    if given is None:
        given = [option["value"] for option in list_under(one, "options") if option.get("default")]
    chosen: list[str] = [given] if isinstance(given, str) else [str(value) for value in given]
    if not chosen and required:
        raise ClientRefusal(f"{label} is required.")
    if chosen:
        check_selection(resolved, one, chosen, label)
    if one["type"] == components.RADIO:
        return {"value": chosen[0] if chosen else None}
    return {"values": chosen}


# Before a slash command reaches a bot: finding the command and checking its options.


# discord.py and Discord agree on this: larger integers are not exact in JavaScript.
LARGEST = 2**53 - 1


def find_command(world: World, user_id: str, channel_id: str, path: list[str]) -> tuple[Json, list[Json]]:
    """The registered command and its chain of sub-commands, the last of which takes the options."""
    server = world.server_around(channel_id)
    offered = commands.list_offered(world.commands, server and server.id, world.list_installs(user_id, channel_id))
    named = [one for one in offered if one["type"] == commands.CHAT_INPUT and path and one["name"] == path[0]]
    if not named:
        raise ClientRefusal(f"There is no command /{' '.join(path)}.")
    command = next((one for one in named if one.get("guild_id")), named[0])
    needed = command.get("default_member_permissions")
    if needed is not None:
        have = world.permissions(user_id, channel_id)
        if not int(needed) or have & int(needed) != int(needed):
            raise ClientRefusal(f"You may not use /{path[0]}.")
    if command.get("nsfw") and not world.is_age_restricted(channel_id):
        raise ClientRefusal(f"/{path[0]} is for age-restricted channels.")
    chain = [command]
    for name in path[1:]:
        found = [one for one in list_under(chain[-1], "options") if one["name"] == name and one["type"] in (1, 2)]
        if not found:
            raise ClientRefusal(f"There is no command /{' '.join(path)}.")
        chain.append(found[0])
    if any(one["type"] in (1, 2) for one in list_under(chain[-1], "options")):
        raise ClientRefusal(f"/{' '.join(path)} needs a sub-command.")
    return command, chain


def make_command_data(world: World, user_id: str, channel_id: str, path: list[str], options: Json) -> Json:
    """The interaction data of a slash command."""
    found, chain = find_command(world, user_id, channel_id, path)
    defined: list[Json] = list_under(chain[-1], "options")
    unknown = set(options) - {one["name"] for one in defined}
    if unknown:
        raise ClientRefusal(f"/{' '.join(path)} has no option {', '.join(sorted(unknown))}.")
    given: list[Json] = []
    resolved = ResolvedObjects(world, world.server_around(channel_id))
    for option in defined:
        if options.get(option["name"]) is not None:
            value = _read_value(resolved, option, options[option["name"]])
            given.append({"name": option["name"], "type": option["type"], "value": value})
        elif option.get("required"):
            raise ClientRefusal(f"The option {option['name']} is required.")
    return resolved.add_to(_make_interaction_data(found, chain, given))


def _make_interaction_data(found: Json, chain: list[Json], given: list[Json]) -> Json:
    for step in reversed(chain[1:]):
        given = [{"name": step["name"], "type": step["type"], "options": given}]
    data: Json = {"id": found["id"], "name": found["name"], "type": found["type"], "options": given}
    return data | ({"guild_id": found["guild_id"]} if found.get("guild_id") else {})


def make_autocomplete_data(
    world: World, user_id: str, channel_id: str, path: list[str], options: Json, focused: str
) -> tuple[Json, int]:
    """The interaction data of an autocompletion, and the type of the option; half-typed values are sent unchecked."""
    found, chain = find_command(world, user_id, channel_id, path)
    defined = {one["name"]: one for one in list_under(chain[-1], "options")}
    if not defined.get(focused, {}).get("autocomplete"):
        raise ClientRefusal(f"The option {focused} of /{' '.join(path)} has no autocompletion.")
    given: list[Json] = []
    for name, value in ({**options, focused: options.get(focused, "")}).items():
        if name not in defined:
            raise ClientRefusal(f"/{' '.join(path)} has no option {name}.")
        option: Json = {"name": name, "type": defined[name]["type"], "value": value}
        if name == focused:
            option |= {"value": str(value), "focused": True}
        if value is not None:
            given.append(option)
    return _make_interaction_data(found, chain, given), defined[focused]["type"]


def _read_value(resolved: ResolvedObjects, option: Json, value: Any) -> Any:
    kind, name = option["type"], option["name"]
    choices = list_under(option, "choices")
    if choices:
        return _read_choice(name, choices, value)
    if kind == STRING:
        return check_text(name, str(value), option.get("min_length") or 0, option.get("max_length") or 6000)
    if kind in (INTEGER, NUMBER):
        return _read_number(option, value)
    if kind == BOOLEAN:
        if not isinstance(value, bool):
            raise ClientRefusal(f"{name} must be true or false.")
        return value
    if kind == ATTACHMENT:
        return resolved.attach(str(value["name"]), b64decode(value["data"]))
    return resolved.add(kind, name, str(value))


def _read_choice(name: str, choices: list[Json], value: Any) -> Any:
    for choice in choices:
        if value == choice["value"] or value == choice["name"]:
            return choice["value"]
    raise ClientRefusal(f"{value} is not a choice for {name}.")


def _read_number(option: Json, value: Any) -> int | float:
    name, whole = option["name"], option["type"] == INTEGER
    try:
        number = int(value) if whole else float(value)
    except (TypeError, ValueError):
        raise ClientRefusal(f"{name} must be a{' whole' if whole else ''} number.") from None
    if whole and (isinstance(value, bool) or number != (int(value) if isinstance(value, str) else value)):
        raise ClientRefusal(f"{name} must be a whole number.")
    low, high = option.get("min_value"), option.get("max_value")
    low, high = -LARGEST if low is None else low, LARGEST if high is None else high
    if not low <= number <= high:
        raise ClientRefusal(f"{name} must be between {low} and {high}.")
    return number
