"""What a person sees of leagues: the message of each, the one that tells of its end, and the buttons on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.sandbox import people
from bot.sandbox.errors import Json

BUTTON = re.compile(r"p:league(join|leave|start|next):(\d+)")


def pressable(message: Json) -> dict[str, int]:
    """The buttons of a league on a message, by their labels, with the number of the league."""
    found = {one.label: BUTTON.fullmatch(one.custom_id or "") for one in people.list_buttons(message)}
    return {label: int(named[2]) for label, named in found.items() if named}


@dataclass
class SeenLeagues:
    """The messages on which something can be done about a league, kept up with what is posted and changed."""

    messages: dict[str, Json] = field(default_factory=dict[str, Json])

    def heard(self, event: str, message: Json) -> None:
        """A message was posted or changed."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or message.get("ephemeral_for"):
            return
        if pressable(message):
            self.messages[message["id"]] = message
        else:
            self.messages.pop(message["id"], None)

    def offers(self) -> Iterator[tuple[Json, str]]:
        """What can be pressed: a message and the label of a button."""
        yield from ((message, label) for message in self.messages.values() for label in pressable(message))
