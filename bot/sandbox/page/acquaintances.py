"""Whom a phone can name: people whose objects came along with something that it was shown, and nobody else.

Discord sends a person's name along with what they write or do, and where a message tells them something. A mention by
itself is only a number.
"""

from collections.abc import Iterable, Iterator

from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.posts import USER_MENTION

UNKNOWN = "unknown-user"
"""What stands behind the @ of a mention of somebody whom a phone has not met."""


def brought(message: Json) -> Iterator[Json]:
    """The people whose objects come along with a message: who wrote it, whom it tells, who used the app for it."""
    yield message["author"]
    yield from message["mentions"]
    used = message.get("interaction_metadata")
    while used:
        yield used["user"]
        used = used.get("triggering_interaction_metadata")
    if answered := message.get("referenced_message"):
        yield from brought(answered)


class Acquaintances:
    """Those whom a phone has met, by id; its own person from the beginning."""

    def __init__(self, me: Json) -> None:
        self.met: dict[str, Json] = {me["id"]: me}

    def meet(self, users: Iterable[Json]) -> list[Json]:
        """Get to know some people; those of them who are new."""
        new = {user["id"]: user for user in users if user["id"] not in self.met}
        self.met |= new
        return [*new.values()]

    def read(self, text: str) -> str:
        """A text with names in place of mentions."""
        return USER_MENTION.sub(lambda found: f"@{self._name(found[1])}", text)

    def _name(self, user_id: str) -> str:
        user = self.met.get(user_id)
        return str(user["global_name"] or user["username"]) if user else UNKNOWN
