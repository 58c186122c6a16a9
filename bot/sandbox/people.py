"""A user of Discord's client, what they read, and their phone."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, NamedTuple

from bot.sandbox import client_checks, interactions, posts, routes, threads
from bot.sandbox.commands import MENTIONABLE, USER
from bot.sandbox.components import BUTTON, LOADING, SELECTS, SILENT, TEXT, media_of, walk_components
from bot.sandbox.errors import Json, list_under, object_under
from bot.sandbox.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, InitialAnswer, Interactions
from bot.sandbox.posts import USER_MENTION, MessageDraft, copy_for_clients
from bot.sandbox.routes import OWN_KINDS
from bot.sandbox.world import THREADS, Server, World

# Reading a message as a user does: its text, buttons, pictures with their alt text, files.


@dataclass(frozen=True)
class Button:
    """A button or select: its label (or placeholder), custom_id (None for links) and whether it is disabled."""

    label: str
    custom_id: str | None
    disabled: bool
    url: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Media:
    """A picture or file that a message shows: its URL, alt text, and its attachment, if it is one."""

    url: str
    alt: str | None
    attachment_id: str | None
    filename: str | None


def list_buttons(message: Json) -> list[Button]:
    """All buttons and selects, in reading order; a select lists its options as (label, value)."""
    found: list[Button] = []
    for one in walk_components(message["components"]):
        if one["type"] == BUTTON or one["type"] in SELECTS:
            label = one.get("label") or one.get("placeholder") or object_under(one, "emoji").get("name") or ""
            options = tuple((option["label"], option["value"]) for option in list_under(one, "options"))
            found.append(Button(label, one.get("custom_id"), bool(one.get("disabled")), one.get("url"), options))
    return found


def text_of(message: Json) -> str:
    """All text of a message by lines: content, embeds' titles, descriptions and fields, text components."""
    parts = [message["content"]]
    for embed in message["embeds"]:
        fields = [text for field in list_under(embed, "fields") for text in (field["name"], field["value"])]
        parts += [embed.get("title"), embed.get("description"), *fields, object_under(embed, "footer").get("text")]
    parts += [one["content"] for one in walk_components(message["components"]) if one["type"] == TEXT]
    return "\n".join(line for line in parts if line)


def list_media(message: Json) -> list[Media]:
    """All pictures and files that a message shows; in a components-v2 message only those in components."""
    files = {one["id"]: one for one in message["attachments"]}
    found: list[Media] = []
    for one in walk_components(message["components"]):
        alts = {id(item["media"]): item.get("description") for item in list_under(one, "items")}
        for thing in media_of(one):
            attachment = thing.get("attachment_id")
            own = files.get(attachment or "", {})
            alt = alts.get(id(thing)) or one.get("description") or own.get("description")
            found.append(Media(thing["url"], alt, attachment, own.get("filename")))
    if not message["flags"] & 1 << 15:
        found += [Media(one["url"], one.get("description"), one["id"], one["filename"]) for one in files.values()]
    return found


def bytes_of(world: World, thing: Media | Json | str) -> bytes:
    """The bytes of an attachment, given as `Media`, attachment object or id; KeyError when it is gone."""
    if isinstance(thing, Media):
        return world.files[str(thing.attachment_id)]
    return world.files[thing if isinstance(thing, str) else thing["id"]]


# A user, for tests and for the page: slash commands, autocompletion, buttons, modals, reading.


KINDS = {
    interactions.MESSAGE: "message",
    interactions.DEFER: "deferred",
    interactions.DEFER_UPDATE: "acknowledged",
    interactions.UPDATE: "update",
    interactions.MODAL: "modal",
}
SHOWN = frozenset({"ephemeral_for"})


class MessageGone(KeyError):
    """The message does not exist, or was deleted."""


@dataclass(frozen=True)
class BotReply:
    """The bot's first answer: `kind` is message, deferred, acknowledged, update or modal.

    `message` and what is read from it are looked up on every access, so a deferred answer shows its later edit. Of an
    answer deleted since, they are the first version.
    """

    world: World
    kind: str
    channel_id: str
    message_id: str | None
    modal: Json | None
    first: Json | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", self._current_message())

    def _current_message(self) -> Json | None:
        found = self.world.messages.get(self.channel_id, {}).get(str(self.message_id))
        return copy_for_clients(found, "", SHOWN) if found else None

    @property
    def is_visible(self) -> bool:
        """Whether the answer (or the updated message) still exists for the user."""
        return self._current_message() is not None

    @property
    def message(self) -> Json:
        """The answer (or the updated message) as it is now; `MessageGone` when there was none."""
        found = self._current_message() or self.first
        if found is None:
            raise MessageGone(self.message_id)
        return found

    @property
    def is_ephemeral(self) -> bool:
        """Whether only the user sees the answer."""
        return self.message["ephemeral_for"] is not None

    @property
    def text(self) -> str:
        return text_of(self.message)


class Person:
    """A user of Discord's client; channel names are those of the `server` they look at."""

    def __init__(self, world: World, desk: Interactions, user: Json, server: Server) -> None:
        self.world = world
        self.desk = desk
        self.user = user
        self.server = server
        self.id: str = user["id"]
        self.name: str = user["global_name"]
        self.mention = f"<@{self.id}>"

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    def in_server(self, server: Server | str) -> "Person":
        """The same user, looking at another server."""
        return Person(self.world, self.desk, self.user, self.world.server(server))

    # --- acting

    async def command(self, path: str | Sequence[str], channel: str | Json = "general", **options: Any) -> BotReply:
        """Send a slash command; options by name, users as Person, id or name, files as bytes."""
        return await self.run(path.split() if isinstance(path, str) else path, channel, options)

    async def run(self, path: Sequence[str], channel: str | Json, options: Json) -> BotReply:
        """The same with the options in a dict, for names that are not Python identifiers."""
        steps, place = list(path), self._enter_channel(channel)
        data = client_checks.make_command_data(
            self.world, self.id, place, steps, self._resolve_options(place, steps, options)
        )
        return self._reply(await self.desk.ask(COMMAND, self.id, place, data, name=" ".join(steps)))

    async def complete(
        self, path: str | Sequence[str], focused: str, channel: str | Json = "general", **options: Any
    ) -> list[tuple[str, Any]]:
        """The bot's suggestions (name, value) for the option `focused`, whose text so far is among the options."""
        return await self.suggest(path.split() if isinstance(path, str) else path, focused, channel, options)

    async def suggest(
        self, path: Sequence[str], focused: str, channel: str | Json, options: Json
    ) -> list[tuple[str, Any]]:
        """The same with the options in a dict."""
        steps, place = list(path), self._enter_channel(channel)
        given = self._resolve_options(place, steps, options)
        data, kind = client_checks.make_autocomplete_data(self.world, self.id, place, steps, given, focused)
        answer = await self.desk.ask(AUTOCOMPLETE, self.id, place, data, option_type=kind)
        return [(choice["name"], choice["value"]) for choice in answer.choices]

    async def press(self, message: Json | BotReply, button: str, values: Sequence[Any] | None = None) -> BotReply:
        """Press a button by label or custom_id, or choose `values` in a select by placeholder or custom_id."""
        known = message.message if isinstance(message, BotReply) else message
        place = self._enter_channel(known["channel_id"])
        current = client_checks.find_message(self.world, self.id, place, known["id"])
        chosen = None if values is None else [one.id if isinstance(one, Person) else str(one) for one in values]
        data = client_checks.make_press_data(self.world, current, self._find_custom_id(current, button), chosen)
        client_checks.show_choice(self.world, self.id, current, data)
        answer = await self.desk.ask(COMPONENT, self.id, place, data, message=current)
        return await self.wait_for_reply(answer)

    async def submit(self, modal: Json | BotReply | None, values: Json | None = None) -> BotReply:
        """Submit a modal; values by custom_id or label, the others keep their defaults."""
        shown = modal.modal if isinstance(modal, BotReply) else modal
        known = self.world.modals.get(str((shown or {}).get("id")))
        if known is None or known["user"] != self.id:
            raise client_checks.ClientRefusal("This form is not open any more.")
        place = self._enter_channel(known["channel_id"])
        given = {key: one.id if isinstance(one, Person) else one for key, one in (values or {}).items()}
        data = client_checks.make_submit_data(self.world, known, given)
        target = known["target"]
        message = self.world.messages.get(target[0], {}).get(target[1]) if target else None
        answer = await self.desk.ask(SUBMIT, self.id, place, data, message=message, trigger=known["trigger"])
        self.world.modals.pop(known["id"], None)
        return await self.wait_for_reply(answer)

    def dismiss(self, modal: str) -> None:
        """Close a modal; the bot is not told."""
        if self.world.modals.get(modal, {}).get("user") == self.id:
            del self.world.modals[modal]

    def dismiss_message(self, message_id: str) -> None:
        for channel in self.world.messages.values():
            if message_id in channel and channel[message_id]["ephemeral_for"] == self.id:
                return self.world.remove_message(channel[message_id])
        return None

    def say(self, text: str, channel: str | Json = "general") -> Json:
        """Write an ordinary message; raises ApiError if the user may not, 20016 if slow mode forbids it now."""
        place = self.world.channel_named(channel, self.server)
        threads.expect_sender(self.world, place, self.id)
        threads.before_posting(self.world, place, self.id)
        message = posts.create_message(self.world, place["id"], self.id, MessageDraft({"content": text}))
        threads.after_posting(self.world, message)
        return message

    def start_private_thread(self, name: str, channel: str | Json = "general", *others: "Person") -> Json:
        """Start a private thread in a channel, with others as members."""
        parent = self.world.channel_named(channel, self.server)
        thread = threads.start_private_thread(self.world, parent, self.id, {"name": name})
        for one in others:
            threads.join(self.world, thread, one.id)
        return thread

    def add_bot(self, thread: str | Json) -> None:
        """Add the bot to a thread, as a mention of it does."""
        threads.join(self.world, self.world.channel_named(thread, self.server), self.world.me)

    def close_mailbox(self, closed: bool = True) -> None:
        """Refuse direct messages from now on, or accept them again."""
        routes.set_closed(self.world, self.id, closed)

    def install_app(self) -> None:
        """Add the app to this user's account, which opens the direct messages with it."""
        self.world.installed.append(self.id)
        routes.open_channel(self.world, self.id)

    @property
    def mailbox(self) -> Json:
        """The channel of direct messages with the bot, which the user opens if there is none yet."""
        return routes.open_channel(self.world, self.id)

    # --- reading

    def read_direct_messages(self) -> list[Json]:
        """The direct messages with the bot, oldest first."""
        return [one for channel in routes.channels_of(self.world, self.id) for one in self.read_messages(channel)]

    def read_messages(self, channel: str | Json = "general") -> list[Json]:
        """The messages of a channel that this user can see, oldest first."""
        place = self.world.channel_named(channel, self.server)
        if not self.world.has_permissions(self.id, place["id"], "view_channel"):
            return []
        return [copy_for_clients(one, "", SHOWN) for one in self.world.visible_messages(place["id"], self.id)]

    def read_latest_message(self, channel: str | Json = "general") -> Json:
        """The latest message of a channel that this user can see; IndexError when there is none."""
        return self.read_messages(channel)[-1]

    def list_notifications(self) -> list[Json]:
        """The messages that notified this user, oldest first, as {user, message, channel}."""
        return [one for one in self.world.notified if one["user"] == self.id]

    # --- helpers

    def _enter_channel(self, channel: str | Json) -> str:
        try:
            place = self.world.channel_named(channel, self.server)
        except KeyError as error:
            raise client_checks.ClientRefusal(str(error.args[0])) from None
        return client_checks.enter_channel(self.world, self.id, place["id"])["id"]

    def _resolve_options(self, place: str, steps: list[str], options: Json) -> Json:
        """Options with users as ids, whether given as Person, name or id."""
        _, chain = client_checks.find_command(self.world, self.id, place, steps)
        kinds = {one["name"]: one["type"] for one in list_under(chain[-1], "options")}
        made: Json = {}
        for name, value in options.items():
            if isinstance(value, Person):
                value = value.id
            elif kinds.get(name) in (USER, MENTIONABLE) and isinstance(value, str) and not value.isdigit():
                value = self.world.user_named(value)["id"]
            elif isinstance(value, bytes):
                value = {"name": "record.jsonl", "data": b64encode(value)}
            made[name] = value
        return made

    def _find_custom_id(self, message: Json, button: str) -> str:
        for one in walk_components(message["components"]):
            names = (one.get("custom_id"), one.get("label"), one.get("placeholder"))
            if one["type"] in (BUTTON, *SELECTS) and one.get("custom_id") and button in names:
                return one["custom_id"]
        return button

    async def wait_for_reply(self, answer: InitialAnswer) -> BotReply:
        """An answer as the user sees it after a moment: an edit after an acknowledgement counts as an update."""
        reply = self._reply(answer)
        return (
            self._reply(replace(answer, kind=interactions.UPDATE)) if await self.desk.is_edited_soon(answer) else reply
        )

    def _reply(self, answer: InitialAnswer) -> BotReply:
        return BotReply(self.world, KINDS[answer.kind], answer.channel_id, answer.message_id, answer.modal)


# The users whom a phone can name: those whose objects it received with a message.


UNKNOWN = "unknown-user"
"""The name in a mention of a user whom a phone does not know."""


def find_people_in(message: Json) -> Iterator[Json]:
    """The user objects in a message: its author, those mentioned, and the user of the interaction."""
    yield message["author"]
    yield from message["mentions"]
    used = message.get("interaction_metadata")
    while used:
        yield used["user"]
        used = used.get("triggering_interaction_metadata")
    if answered := message.get("referenced_message"):
        yield from find_people_in(answered)


class Acquaintances:
    """The users whom a phone knows, by id; its owner from the start."""

    def __init__(self, me: Json) -> None:
        self.met: dict[str, Json] = {me["id"]: me}

    def add_people(self, users: Iterable[Json]) -> list[Json]:
        """Add users; returns those who were unknown."""
        new = {user["id"]: user for user in users if user["id"] not in self.met}
        self.met |= new
        return [*new.values()]

    def name_mentions(self, text: str) -> str:
        """A text with names instead of mentions."""
        return USER_MENTION.sub(lambda found: f"@{self._name(found[1])}", text)

    def _name(self, user_id: str) -> str:
        user = self.met.get(user_id)
        return str(user["global_name"] or user["username"]) if user else UNKNOWN


# A phone for each user, which learns users' names and shows push notifications.


CHANNEL_MENTION = re.compile(r"<#([0-9]{15,20})>")


class PushNotification(NamedTuple):
    """The push notification of a message; `silent`: it was not shown, but would have been like this."""

    channel: str
    """The name of the channel or thread; in direct messages that of the app."""
    title: str
    text: str
    """The content, with names instead of mentions as far as this phone knows them."""
    silent: bool
    mentioned: bool
    """Whether the message mentions this user, rather than everybody in the channel."""
    author: str
    message: str


class Phone:
    """A user's phone: the users whom it knows, and its notifications, oldest first."""

    def __init__(self, world: World, user: Json) -> None:
        self.world = world
        self.user = user
        self.known = Acquaintances(user)
        self.came: list[PushNotification] = []
        for place in [*world.channels, *world.private]:
            if world.has_permissions(user["id"], place, "view_channel"):
                self.known.add_people(
                    one for message in world.visible_messages(place, user["id"]) for one in find_people_in(message)
                )

    @property
    def pushes(self) -> list[PushNotification]:
        """The notifications that were shown, without silent ones."""
        return [one for one in self.came if not one.silent]

    def can_read(self, message: Json) -> bool:
        """Whether its owner can read a message."""
        mine = message["ephemeral_for"] in (None, self.user["id"])
        return mine and self.world.has_permissions(self.user["id"], message["channel_id"], "view_channel")

    def meet_people_of(self, message: Json) -> None:
        """Learn the users in a message."""
        # The permission is checked last, since that takes longest.
        if any(one["id"] not in self.known.met for one in find_people_in(message)) and self.can_read(message):
            self.known.add_people(find_people_in(message))

    def record_push(self, message: Json, mentioned: bool) -> PushNotification:
        world, place = self.world, self.world.channel(message["channel_id"])
        author: str = message["author"]["global_name"] or message["author"]["username"]
        name = author if place["id"] in world.private else str(place["name"])
        title = name
        if place["id"] in world.channels:
            title = f"{'' if place['type'] in THREADS else '#'}{name}, {world.server_of(place['id']).name}"
        text = CHANNEL_MENTION.sub(self._name_channel, self.known.name_mentions(message["content"]))
        silent = bool(message["flags"] & SILENT)
        self.came.append(PushNotification(name, title, text, silent, mentioned, author, message["id"]))
        return self.came[-1]

    def _name_channel(self, found: re.Match[str]) -> str:
        place = self.world.channels.get(found[1])
        return f"#{place['name']}" if place else "#unknown"


class Phones:
    """The phones of all users, by user id."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.phones: dict[str, Phone] = {}
        world.listeners.append(self.hear_event)

    def phone_of(self, user_id: str) -> Phone:
        """The phone of a user, made at the first call."""
        if user_id not in self.phones:
            self.phones[user_id] = Phone(self.world, self.world.users[user_id])
        return self.phones[user_id]

    def hear_event(self, event: str, data: Json) -> None:
        """Learn users who were selected in a menu, and take messages that were posted or changed."""
        if event == "PICKED":
            self.phone_of(data["user"]).known.add_people(data["users"])
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return
        for user in self.world.people():
            self.phone_of(user["id"]).meet_people_of(data)
        told = bool(data["mentions"]) or data["channel_id"] in self.world.private
        for user_id in find_people_to_notify(self.world, data) if event == "MESSAGE_CREATE" else ():
            push = self.phone_of(user_id).record_push(data, told)
            if not push.silent:
                self.world.tell("PUSH", {"user": user_id})


def find_people_to_notify(world: World, message: Json) -> Iterator[str]:
    """The ids of the users whom a new message notifies, or would if it were not silent."""
    place = world.channel(message["channel_id"])
    if message["ephemeral_for"] or message["flags"] & LOADING:
        return
    told: list[str] = [one["id"] for one in message["mentions"]]
    if place["id"] in world.private:
        told = [one["id"] for one in place["recipients"]]
    elif not told and message["type"] in OWN_KINDS:
        told = [*place["thread_members"]] if place["type"] in THREADS else [*world.server_of(place["id"]).members]
    elif message["type"] not in OWN_KINDS:  # users in Discord's own lines were notified before
        noted = takewhile(lambda one: one["message"] == message["id"], reversed(world.notified))
        told = [one["user"] for one in noted]
    for one in told:
        person = one != message["author"]["id"] and not world.users[one]["bot"]
        if person and world.has_permissions(one, place["id"], "view_channel"):
            yield one
