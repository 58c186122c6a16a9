"""Finds mentions that tell nobody in what the bot has sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from bot.sandbox.rest import RequestLogEntry

MENTION = re.compile(r"<@!?([0-9]{15,20})>")
UNSEEN = {"custom_id", "value", "default_values"}
"""Fields that nobody reads."""


def shown(value: Any) -> Iterator[str]:
    """The texts of a message, a form or a list of suggestions that people read."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in cast(dict[str, Any], value).items():
            if key not in UNSEEN:
                yield from shown(one)
    elif isinstance(value, list):
        for one in cast(list[Any], value):
            yield from shown(one)


def allowed(body: Any) -> set[str]:
    """Whom a message tells, by their numbers."""
    message: dict[str, Any] = cast(dict[str, Any], body) if isinstance(body, dict) else {}
    inner: dict[str, Any] = message.get("data") or message
    mentions: dict[str, Any] = inner.get("allowed_mentions") or {}
    return {str(user) for user in mentions.get("users") or ()}


def untold(entries: Iterable[RequestLogEntry], me: str) -> list[str]:
    """Texts with a mention of a user, other than its author, whom the message itself does not notify."""
    found: list[str] = []
    for entry in entries:
        if entry.method in ("POST", "PATCH", "PUT") and entry.status < 300:
            told = {*allowed(entry.body), me}
            found += [text for text in shown(entry.body) if {*MENTION.findall(text)} - told]
    return found
