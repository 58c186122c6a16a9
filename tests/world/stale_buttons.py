"""Buttons that stand in a message no more, or never did: a client that lags presses them, and so does who cheats."""

from __future__ import annotations

import copy
import random
from collections import deque
from collections.abc import Coroutine
from typing import Any

from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json
from bot.sandbox.interactions import COMPONENT
from bot.sandbox.people import BotReply, Person

KEPT = 40
"""Messages that are kept as they were."""
UNWANTED = ("film", "show", "tell")


class Attic:
    """Public messages with buttons as they were when they were posted or changed."""

    def __init__(self) -> None:
        self._kept: deque[Json] = deque(maxlen=KEPT)

    def heard(self, event: str, message: Json) -> None:
        """A message was posted or changed."""
        public = event in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and not message.get("ephemeral_for")
        if public and any(button.custom_id for button in people.list_buttons(message)):
            self._kept.append(copy.deepcopy(message))

    def found(self, rng: random.Random) -> tuple[Json, str] | None:
        """A message, and a button that it has or had."""
        if not self._kept:
            return None
        message = rng.choice(self._kept)
        able = [one.custom_id for one in people.list_buttons(message) if one.custom_id and not one.options]
        able = [one for one in able if one.split(":")[-1] not in UNWANTED]
        return (message, rng.choice(able)) if able else None


def pressed(person: Person, message: Json, custom_id: str) -> Coroutine[Any, Any, BotReply]:
    """Press a button by its custom_id, if it is still there."""
    return person.press(message, custom_id)


async def forged(person: Person, message: Json, custom_id: str) -> BotReply:
    """Press a button that a message has no more, or never had."""
    world = person.world
    current = world.messages.get(message["channel_id"], {}).get(message["id"])
    if current is None or not world.has_permissions(person.id, message["channel_id"], "view_channel"):
        raise ClientRefusal("This message is gone, or not for you.")
    shown = copy.deepcopy(current)
    button = {"type": 2, "style": 1, "label": "Forged", "custom_id": custom_id, "id": 99}
    shown["components"].append({"type": 1, "id": 98, "components": [button]})
    data = {"custom_id": custom_id, "component_type": 2, "id": 99}
    answer = await person.desk.ask(COMPONENT, person.id, message["channel_id"], data, message=shown)
    return await person.wait_for_reply(answer)
