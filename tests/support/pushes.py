"""What phones show of the bot's messages, and what is wrong with that: by all that it has posted, whatever it is.

A phone's notification shows the `content` with which a message was posted, and of a board none. So whatever tells
somebody begins with a line that says what happened; and whatever tells nobody makes no sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bot.sandbox.protocol.rest import Entry
from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.world import World

POSTS = "POST", "/channels/{channel_id}/messages"
ANSWERS = "POST", "/interactions/{interaction_id}/{interaction_token}/callback"
FOLLOWING = "POST", "/webhooks/{webhook_id}/{webhook_token}"
SILENT, EPHEMERAL = 1 << 12, 1 << 6
SHOWN = 150
"""Characters that a lock screen shows for sure."""
PERSON = re.compile("<@([0-9]+)>")
NAME = re.compile("\u2068[^\u2069]*\u2069")
MARKUP = re.compile(r"\*\*|__|~~|\|\||`|^-# |^#+ |<t:", re.MULTILINE)
FACT = re.compile(r"\w*[0-9]\w*")
"""A number, a square, a score."""


class Push(NamedTuple):
    """What somebody's phone showed."""

    user: str
    text: str


def posted(log: Iterable[Entry]) -> Iterator[Json]:
    """All messages that others can see, as the bot sent them and Discord took them: posts, and answers for everybody."""
    for entry in log:
        body = entry.body if isinstance(entry.body, dict) else {}
        if entry.status >= 300:
            continue
        if (entry.method, entry.route) == POSTS:
            yield body
        elif (entry.method, entry.route) == ANSWERS and body.get("type") == 4:
            yield body["data"]
        elif (entry.method, entry.route) == FOLLOWING:
            yield body


def told(message: Json) -> list[str]:
    """Whom a message tells."""
    return [str(user) for user in (message.get("allowed_mentions") or {}).get("users") or ()]


def direct(message: Json, channels: Iterable[str]) -> bool:
    """Whether a message went to one person alone."""
    return bool(channels) and message.get("channel_id") in channels


def wrong(message: Json) -> Iterator[str]:
    """What is wrong with a message as phones show it."""
    people, flags, content = told(message), int(message.get("flags") or 0), str(message.get("content") or "")
    if flags & EPHEMERAL:
        return
    if not people:
        if not flags & SILENT:
            yield f"buzzes for nothing: {content or message}"
        return
    if flags & SILENT:
        yield f"tells somebody in silence: {content}"
    line, _, rest = content.partition("\n")
    if not line:
        yield f"tells somebody by an empty push: {message}"
    elif len(NAME.sub("", line)) > SHOWN or not line.endswith((".", "!", "?", ":")):
        yield f"is cut on a lock screen: {line}"
    if found := MARKUP.search(line):
        yield f"shows markup on a lock screen, {found[0]}: {line}"
    if strangers := set(PERSON.findall(line)) - {*people}:
        yield f"mentions {strangers}, who are not told: {line}"
    if left := [one for one in people if f"<@{one}>" not in content]:
        yield f"is to tell {left}, whom it does not mention: {line} {rest}"


def faults(log: Iterable[Entry], strangers: bool = True) -> list[str]:
    """What is wrong with all that was posted; `strangers`: also that people are mentioned who are not told."""
    found = (one for message in posted(log) for one in wrong(message))
    return [one for one in found if strangers or not one.startswith("mentions ")]


def pushes(world: World, log: Iterable[Entry]) -> list[Push]:
    """What everybody's phone showed, in order."""
    made = {entry.answer["id"]: entry.body for entry in log if (entry.method, entry.route) == POSTS and entry.answer}
    names = {user["id"]: str(user.get("global_name") or user["username"]) for user in world.users.values()}

    def read(text: str) -> str:
        return PERSON.sub(lambda found: f"@{names[found[1]]}", text).translate({0x2068: None, 0x2069: None})

    bodies = [(one["user"], made.get(one["message"], {})) for one in world.notified]
    return [Push(names[user], read(str(body.get("content") or "").split("\n")[0])) for user, body in bodies]


def unshown(line: str, board: str) -> set[str]:
    """The numbers, squares and names of a line that the board below it does not show."""
    facts = {*FACT.findall(NAME.sub("", PERSON.sub("", line)))} | {*NAME.findall(line)}
    return {fact for fact in facts if fact not in board}
