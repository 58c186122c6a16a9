"""What phones show of the bot's messages, and what is wrong with that: by all that it has posted, whatever it is.

A phone's notification shows the `content` with which a message was posted, and of a board none. So a message that
notifies a user begins with a line that says what happened, and one that notifies nobody is silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bot.sandbox.errors import Json
from bot.sandbox.rest import RequestLogEntry
from bot.sandbox.world import World

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
    """What a user's phone showed."""

    user: str
    text: str


class Post(NamedTuple):
    """A message as the bot sent it and Discord took it, and whether it went to one person directly."""

    body: Json
    direct: bool

    @property
    def told(self) -> list[str]:
        """Whom it tells."""
        allowed: Json = self.body.get("allowed_mentions") or {}
        return [str(user) for user in allowed.get("users") or ()]


def posted(world: World, log: Iterable[RequestLogEntry]) -> Iterator[Post]:
    """All posts and answers."""
    for entry in log:
        given: Any = entry.body
        body: Json = given or {}
        if entry.status >= 300:
            continue
        if (entry.method, entry.route) == POSTS:
            yield Post(body, entry.path.split("/")[2] in world.private)
        elif (entry.method, entry.route) == ANSWERS and body.get("type") == 4:
            yield Post(body["data"], False)
        elif (entry.method, entry.route) == FOLLOWING:
            yield Post(body, False)


EXPIRED = re.compile(r"expired, because .* within [0-9]+ days\.")
"""What may tell people without a sound, where one of them always sleeps."""


def wrong(post: Post) -> Iterator[str]:
    """What is wrong with a message as phones show it."""
    message, people = post.body, post.told
    flags, content = int(message.get("flags") or 0), str(message.get("content") or "")
    if flags & EPHEMERAL:
        return
    if not people:
        if not flags & SILENT:
            yield f"buzzes for nothing: {content or message}"
        return
    if flags & SILENT and not EXPIRED.search(content):
        yield f"notifies a user silently: {content}"
    line, _, rest = content.partition("\n")
    if not line:
        yield f"notifies a user by an empty push: {message}"
    elif len(PERSON.sub("@somebody", line)) > SHOWN or not line.endswith((".", "!", "?", ":")):
        yield f"is cut on a lock screen: {line}"
    if found := MARKUP.search(line):
        yield f"shows markup on a lock screen, {found[0]}: {line}"
    if strangers := set(PERSON.findall(line)) - {*people}:
        yield f"mentions {strangers}, who are not told: {line}"
    if left := [one for one in people if f"<@{one}>" not in content and not post.direct]:
        yield f"is to tell {left}, whom it does not mention: {line} {rest}"


def faults(world: World, log: Iterable[RequestLogEntry], strangers: bool = True) -> list[str]:
    """What is wrong with all that was posted; `strangers`: also that people are mentioned who are not told."""
    found = (one for post in posted(world, log) for one in wrong(post))
    return [one for one in found if strangers or not one.startswith("mentions ")]


def pushes(world: World, log: Iterable[RequestLogEntry]) -> list[Push]:
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
