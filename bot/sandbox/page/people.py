"""A person at the keyboard, for tests and for the page: slash commands, autocompletion, buttons, modals, reading.

`await ann.command("binary-primes challenge", channel="games", opponent=bea, size=7)` does what Ann's client would do,
refusals included, and waits for the bot's first answer.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.sandbox.page import client_checks, command_checks, reading
from bot.sandbox.protocol import direct_messages, interactions
from bot.sandbox.protocol.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    SUBMIT,
    Answer,
    Interactions,
)
from bot.sandbox.world import posts, threads
from bot.sandbox.world.api_errors import Json, items
from bot.sandbox.world.command_register import MENTIONABLE, USER
from bot.sandbox.world.components import BUTTON, SELECTS, walk
from bot.sandbox.world.posts import Draft, present
from bot.sandbox.world.servers import Server
from bot.sandbox.world.world import World

KINDS = {
    interactions.MESSAGE: "message",
    interactions.DEFER: "deferred",
    interactions.DEFER_UPDATE: "acknowledged",
    interactions.UPDATE: "update",
    interactions.MODAL: "modal",
}
SHOWN = frozenset({"ephemeral_for"})


class Gone(KeyError):
    """There is no such message, or not any more."""


@dataclass(frozen=True)
class Reply:
    """The bot's first answer: `kind` is message, deferred, acknowledged, update or modal.

    `message` and what is read from it are looked up anew every time, so a deferred answer shows its later edit. Of an
    answer that is deleted since, they are what it was at first.
    """

    world: World
    kind: str
    channel_id: str
    message_id: str | None
    modal: Json | None
    first: Json | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", self._now())

    def _now(self) -> Json | None:
        found = self.world.messages.get(self.channel_id, {}).get(str(self.message_id))
        return present(found, "", SHOWN) if found else None

    @property
    def there(self) -> bool:
        """Whether the answer (or the updated message) can still be seen."""
        return self._now() is not None

    @property
    def message(self) -> Json:
        """The answer (or the updated message) as it stands now; Gone when there was none."""
        found = self._now() or self.first
        if found is None:
            raise Gone(self.message_id)
        return found

    @property
    def ephemeral(self) -> bool:
        """Whether only the person sees the answer."""
        return self.message["ephemeral_for"] is not None

    @property
    def text(self) -> str:
        """All text of the answer."""
        return reading.text(self.message)


class Person:
    """One of the people at Discord's client; channel names are those of the `server` they look at."""

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

    def at(self, server: Server | str) -> "Person":
        """The same person, looking at another server."""
        return Person(self.world, self.desk, self.user, self.world.server(server))

    # --- acting

    async def command(self, path: str | Sequence[str], channel: str | Json = "general", **options: Any) -> Reply:
        """Send a slash command; options by name, people as Person, id or name, files as bytes."""
        return await self.run(path.split() if isinstance(path, str) else path, channel, options)

    async def run(self, path: Sequence[str], channel: str | Json, options: Json) -> Reply:
        """The same with the options in a dict, for names that are no Python names."""
        steps, place = list(path), self._enter(channel)
        data = command_checks.command(self.world, self.id, place, steps, self._options(place, steps, options))
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
        steps, place = list(path), self._enter(channel)
        given = self._options(place, steps, options)
        data, kind = command_checks.complete(self.world, self.id, place, steps, given, focused)
        answer = await self.desk.ask(AUTOCOMPLETE, self.id, place, data, option_type=kind)
        return [(choice["name"], choice["value"]) for choice in answer.choices]

    async def press(self, message: Json | Reply, button: str, values: Sequence[Any] | None = None) -> Reply:
        """Press a button by label or custom_id, or choose `values` in a select by placeholder or custom_id."""
        known = message.message if isinstance(message, Reply) else message
        place = self._enter(known["channel_id"])
        current = client_checks.find_message(self.world, self.id, place, known["id"])
        chosen = None if values is None else [one.id if isinstance(one, Person) else str(one) for one in values]
        data = client_checks.press(self.world, current, self._custom_id(current, button), chosen)
        client_checks.choose(self.world, self.id, current, data)
        answer = await self.desk.ask(COMPONENT, self.id, place, data, message=current)
        return await self.seen(answer)

    async def submit(self, modal: Json | Reply | None, values: Json | None = None) -> Reply:
        """Send a modal off; values by custom_id or label, the rest as it was filled in."""
        shown = modal.modal if isinstance(modal, Reply) else modal
        known = self.world.modals.get(str((shown or {}).get("id")))
        if known is None or known["user"] != self.id:
            raise client_checks.Refused("This form is not open any more.")
        place = self._enter(known["channel_id"])
        given = {key: one.id if isinstance(one, Person) else one for key, one in (values or {}).items()}
        data = client_checks.submit(self.world, known, given)
        target = known["target"]
        message = self.world.messages.get(target[0], {}).get(target[1]) if target else None
        answer = await self.desk.ask(SUBMIT, self.id, place, data, message=message, trigger=known["trigger"])
        self.world.modals.pop(known["id"], None)
        return await self.seen(answer)

    def dismiss(self, modal: str) -> None:
        """Close a modal; the bot hears nothing."""
        if self.world.modals.get(modal, {}).get("user") == self.id:
            del self.world.modals[modal]

    def dismiss_message(self, message_id: str) -> None:
        """Remove an ephemeral message from one's own view."""
        for channel in self.world.messages.values():
            if message_id in channel and channel[message_id]["ephemeral_for"] == self.id:
                return self.world.remove_message(channel[message_id])
        return None

    def say(self, text: str, channel: str | Json = "general") -> Json:
        """Write an ordinary message; ApiError if the person may not, 20016 if the channel is slow and they were too
        fast."""
        place = self.world.channel_named(channel, self.server)
        threads.expect_sender(self.world, place, self.id)
        threads.before_posting(self.world, place, self.id)
        message = posts.create(self.world, place["id"], self.id, Draft({"content": text}))
        threads.after_posting(self.world, message)
        return message

    def start_private_thread(self, name: str, channel: str | Json = "general", *others: "Person") -> Json:
        """Start a private thread in a channel, with others in it."""
        parent = self.world.channel_named(channel, self.server)
        thread = threads.private(self.world, parent, self.id, {"name": name})
        for one in others:
            threads.join(self.world, thread, one.id)
        return thread

    def add_bot(self, thread: str | Json) -> None:
        """Add the bot to a private thread, or another, as a mention of it does."""
        threads.join(self.world, self.world.channel_named(thread, self.server), self.world.me)

    def close_mailbox(self, closed: bool = True) -> None:
        """Take no direct messages any more, or again."""
        direct_messages.close(self.world, self.id, closed)

    # --- looking

    def mail(self) -> list[Json]:
        """The direct messages with the bot, oldest first."""
        return [one for channel in direct_messages.of(self.world, self.id) for one in self.messages(channel)]

    def messages(self, channel: str | Json = "general") -> list[Json]:
        """The messages of a channel as this person sees them, oldest first."""
        place = self.world.channel_named(channel, self.server)
        if not self.world.may(self.id, place["id"], "view_channel"):
            return []
        return [present(one, "", SHOWN) for one in self.world.visible(place["id"], self.id)]

    def see(self, channel: str | Json = "general") -> Json:
        """The latest message of a channel as this person sees it; IndexError when it is empty."""
        return self.messages(channel)[-1]

    def told(self) -> list[Json]:
        """The messages that notified this person, oldest first, as {user, message, channel}."""
        return [one for one in self.world.notified if one["user"] == self.id]

    # --- helpers

    def _enter(self, channel: str | Json) -> str:
        try:
            place = self.world.channel_named(channel, self.server)
        except KeyError as error:
            raise client_checks.Refused(str(error.args[0])) from None
        return client_checks.enter(self.world, self.id, place["id"])["id"]

    def _options(self, place: str, steps: list[str], options: Json) -> Json:
        """Options with people turned into ids, whether given as Person, name or id."""
        _, chain = command_checks.find_command(self.world, self.id, place, steps)
        kinds = {one["name"]: one["type"] for one in items(chain[-1], "options")}
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

    def _custom_id(self, message: Json, button: str) -> str:
        for one in walk(message["components"]):
            names = (one.get("custom_id"), one.get("label"), one.get("placeholder"))
            if one["type"] in (BUTTON, *SELECTS) and one.get("custom_id") and button in names:
                return one["custom_id"]
        return button

    async def seen(self, answer: Answer) -> Reply:
        """An answer as somebody sees it who looks on for a moment: an edit after an acknowledgement is an update."""
        reply = self._reply(answer)
        return self._reply(replace(answer, kind=interactions.UPDATE)) if await self.desk.follows(answer) else reply

    def _reply(self, answer: Answer) -> Reply:
        return Reply(self.world, KINDS[answer.kind], answer.channel_id, answer.message_id, answer.modal)
