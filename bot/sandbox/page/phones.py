"""What lies in people's pockets: a phone for each, which gets to know people, and rings for messages.

A phone rings for a message that mentions its person. For one that mentions nobody it rings too, since "All Messages" is
the usual setting of a small server; in a thread only for who is in it. A message that is silent rings nowhere, and no
edit does. What the lock screen shows is the `content` of the message as it was posted: of components it shows nothing.
"""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from bot.sandbox.page.acquaintances import Acquaintances, brought
from bot.sandbox.protocol.channel_routes import OWN_KINDS
from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.limits import LOADING, SILENT
from bot.sandbox.world.world import THREADS, World

CHANNEL_MENTION = re.compile(r"<#([0-9]{15,20})>")


class Push(NamedTuple):
    """What a lock screen shows of a message; `silent`: it shows nothing, and this is what it would have shown."""

    channel: str
    """The name of the channel or thread; in direct messages that of the app."""
    title: str
    text: str
    """The content, with names in place of mentions as far as this phone knows them."""
    silent: bool
    mentioned: bool
    """Whether the message tells this person, rather than everybody who is there."""
    author: str
    message: str


class Phone:
    """Somebody's phone: whom it has met, and what has come, oldest first."""

    def __init__(self, world: World, user: Json) -> None:
        self.world = world
        self.user = user
        self.known = Acquaintances(user)
        self.came: list[Push] = []
        for place in [*world.channels, *world.private]:
            if world.may(user["id"], place, "view_channel"):
                self.known.meet(one for message in world.visible(place, user["id"]) for one in brought(message))

    @property
    def pushes(self) -> list[Push]:
        """What it has rung for."""
        return [one for one in self.came if not one.silent]

    def sees(self, message: Json) -> bool:
        """Whether its person can read a message."""
        mine = message["ephemeral_for"] in (None, self.user["id"])
        return mine and self.world.may(self.user["id"], message["channel_id"], "view_channel")

    def take(self, message: Json) -> None:
        """Get to know those who come along with a message."""
        # Whether it may be read is asked last, since it takes longest.
        if any(one["id"] not in self.known.met for one in brought(message)) and self.sees(message):
            self.known.meet(brought(message))

    def ring(self, message: Json, mentioned: bool) -> Push:
        """Note what the lock screen shows of a message."""
        world, place = self.world, self.world.channel(message["channel_id"])
        author: str = message["author"]["global_name"] or message["author"]["username"]
        name = author if place["id"] in world.private else str(place["name"])
        title = name
        if place["id"] in world.channels:
            title = f"{'' if place['type'] in THREADS else '#'}{name}, {world.server_of(place['id']).name}"
        text = CHANNEL_MENTION.sub(self._place, self.known.read(message["content"]))
        silent = bool(message["flags"] & SILENT)
        self.came.append(Push(name, title, text, silent, mentioned, author, message["id"]))
        return self.came[-1]

    def _place(self, found: re.Match[str]) -> str:
        place = self.world.channels.get(found[1])
        return f"#{place['name']}" if place else "#unknown"


class Phones:
    """Everybody's phone, by the id of its person."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.phones: dict[str, Phone] = {}
        world.listeners.append(self.heard)

    def of(self, user_id: str) -> Phone:
        """Somebody's phone."""
        if user_id not in self.phones:
            self.phones[user_id] = Phone(self.world, self.world.users[user_id])
        return self.phones[user_id]

    def heard(self, event: str, data: Json) -> None:
        """Somebody has picked people, or a message was posted or changed."""
        if event == "PICKED":
            self.of(data["user"]).known.meet(data["users"])
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return
        for user in self.world.people():
            self.of(user["id"]).take(data)
        told = bool(data["mentions"]) or data["channel_id"] in self.world.private
        for user_id in rung(self.world, data) if event == "MESSAGE_CREATE" else ():
            push = self.of(user_id).ring(data, told)
            if not push.silent:
                self.world.tell("PUSH", {"user": user_id})


def rung(world: World, message: Json) -> Iterator[str]:
    """For whom a new message rings, or would if it was not silent."""
    place = world.channel(message["channel_id"])
    if message["ephemeral_for"] or message["flags"] & LOADING:
        return
    told: list[str] = [one["id"] for one in message["mentions"]]
    if place["id"] in world.private:
        told = [one["id"] for one in place["recipients"]]
    elif not told and message["type"] in OWN_KINDS:
        told = [*place["thread_members"]] if place["type"] in THREADS else [*world.server_of(place["id"]).members]
    elif message["type"] not in OWN_KINDS:  # Discord's own lines may have notified those whom they name before
        noted = takewhile(lambda one: one["message"] == message["id"], reversed(world.notified))
        told = [one["user"] for one in noted]
    for one in told:
        person = one != message["author"]["id"] and not world.users[one]["bot"]
        if person and world.may(one, place["id"], "view_channel"):
            yield one
