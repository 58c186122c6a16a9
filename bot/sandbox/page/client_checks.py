"""Does what Discord's own client does before a button, a select or a form reaches a bot.

Every function turns a person's act into the `data` of an interaction, or raises Refused with the sentence that the
person would see. The page and the test driver both go through here; slash commands are in `command_checks`.
"""

from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.world import components, posts, threads
from bot.sandbox.world.api_errors import ApiError, Json, items
from bot.sandbox.world.command_register import CHANNEL, MENTIONABLE, ROLE, USER
from bot.sandbox.world.components import TEXT_INPUT
from bot.sandbox.world.servers import Server
from bot.sandbox.world.world import FORUM, THREADS, World

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

    def attach(self, name: str, data: bytes) -> str:
        """Upload a file and keep its object; gives its id."""
        made = posts.attachment(self.world, self.world.places(self.server)[0]["id"], name, data, {})
        self.objects.setdefault("attachments", {})[made["id"]] = made | {"ephemeral": True}
        return made["id"]


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
            _reopen(world, user_id, channel)
        if state["locked"] and not world.may(user_id, channel_id, "manage_threads"):
            raise Refused("This thread is locked.")
    return channel


def _reopen(world: World, user_id: str, thread: Json) -> None:
    """Open an archived thread again, as Discord's client does before anything else is done in it."""
    try:
        threads.patch(world, thread, user_id, {"archived": False})
    except ApiError as error:
        raise Refused(f"This thread is archived, and you cannot open it: {error.message}.") from None


def check_text(name: str, value: str, low: int, high: int) -> str:
    """A text, if its length is from `low` to `high`."""
    if len(value) < low:
        raise Refused(f"{name} must have at least {low} characters.")
    if len(value) > high:
        raise Refused(f"{name} can have at most {high} characters.")
    return value


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


def choose(world: World, user_id: str, message: Json, data: Json) -> None:
    """Show what was chosen in a select from now on, until an update of the message resets it. Refused where the person
    sees the same chosen already: Discord's clients send nothing then, whatever became of it the first time."""
    if data["component_type"] not in components.SELECTS:
        return
    key, values = (user_id, message["id"], data["custom_id"]), data["values"]
    if key in world.chosen and sorted(values) == sorted(world.chosen[key]):
        raise Refused("This menu shows that already, so that nothing is sent. Choose something else.")
    world.chosen[key] = values


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
            check_text(label, text, one.get("min_length") or 0, one.get("max_length") or 4000)
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
