"""Finds what people cannot read to its end: a mention of a user whose name did not come along, and whom they had not
met before. Their phones show `@unknown-user` there, or a number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.sandbox.components import TEXT, walk_components
from bot.sandbox.people import Person, find_people_in
from bot.sandbox.posts import USER_MENTION, mentioned_ids
from bot.sandbox.stand_in import Sandbox

Json = dict[str, Any]

NOT_SHOWN = ("custom_id", "value", "url", "proxy_url", "id")
"""What of a component nobody reads."""


class Unresolved(NamedTuple):
    """A mention that a user sees without a name."""

    message: str
    place: str
    """The name of the channel or thread."""
    whom: str
    line: str
    edited: bool
    """Whether an edit has brought it."""


class Readers:
    """Everybody who reads along, from now on. It is asked of each message and of each edit when it comes, by what their
    phone knows then; and of a user who has met nobody and reads that message alone."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self._found: dict[str | None, dict[tuple[str, str, str], Unresolved]] = {}
        # The phones hear of it first, and know those who come along with it.
        sandbox.world.listeners.append(self.heard)

    def unresolved(self, reader: Person | None = None) -> list[Unresolved]:
        """What a reader cannot resolve, in the order in which it came, each line once; None stands for a newcomer."""
        return [*self._found.get(reader.id if reader else None, {}).values()]

    def heard(self, event: str, message: Json) -> None:
        """A message was posted or changed."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or self.sandbox.phones is None:
            return
        edited, came = event == "MESSAGE_UPDATE", {one["id"] for one in find_people_in(message)}
        strange = {one for one in mentioned_ids(message) if one not in came}
        bare = [*labels(message)]
        if not strange and not bare:
            return
        for phone in [self.sandbox.phones.phone_of(user["id"]) for user in self.sandbox.world.people()]:
            unmet = strange - phone.known.met.keys()
            if (unmet or bare) and phone.can_read(message):
                self._note(phone.user["id"], message, unmet, edited)
        if not message["ephemeral_for"]:
            self._note(None, message, strange, edited)

    def _note(self, reader: str | None, message: Json, unmet: set[str], edited: bool) -> None:
        found = self._found.setdefault(reader, {})
        place = str(self.sandbox.world.channel(message["channel_id"]).get("name"))
        lines = [(whom, line) for line in texts(message) for whom in USER_MENTION.findall(line) if whom in unmet]
        lines += [(whom, label) for label in labels(message) for whom in USER_MENTION.findall(label)]
        for whom, line in lines:
            user = self.sandbox.world.users.get(whom, {})
            name = str(user.get("global_name") or user.get("username") or whom)
            found.setdefault((message["id"], whom, line), Unresolved(message["id"], place, name, line, edited))


def texts(message: Json) -> Iterator[str]:
    """The lines of a message in which mentions are shown as names."""
    parts = [one["content"] for one in walk_components(message["components"]) if one["type"] == TEXT]
    for part in (message["content"], *parts):
        yield from part.splitlines()


def labels(message: Json) -> Iterator[str]:
    """What else people read of a message, on buttons, in lists and of pictures, if a mention stands in it: it is never
    shown as a name."""
    for one in walk_components(message["components"]):
        bare = {key: value for key, value in one.items() if key not in ("components", "accessory", "component")}
        yield from (text for text in strings(bare if one["type"] != TEXT else {}) if USER_MENTION.search(text))


def strings(value: Any) -> Iterator[str]:
    """All texts in a JSON value that people read."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            yield from strings(one)
    elif isinstance(value, dict):
        for key, one in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield from () if key in NOT_SHOWN else strings(one)
