"""The state of the sandbox: servers, channels and messages, saved in a folder."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.sandbox import seed
from bot.sandbox.errors import ApiError, Json, parse_object

MILLISECOND = 1 << 22
"""The difference of snowflakes a millisecond apart; two such servers are in neighbouring shards."""


@dataclass(frozen=True)
class Server:
    """A server: its guild object, and its members by user id."""

    guild: Json
    members: dict[str, Json]

    def __repr__(self) -> str:
        return f"<Server {self.id} {self.name}>"

    @property
    def id(self) -> str:
        return self.guild["id"]

    @property
    def name(self) -> str:
        return self.guild["name"]

    def shard_among(self, count: int) -> int:
        """The id of the server's shard among `count` shards."""
        return shard_of(self.id, count)


def shard_of(guild_id: str | int, count: int) -> int:
    """The id of a server's shard among `count` shards."""
    return int(guild_id) // MILLISECOND % count


def free_server_number(first: int, taken: dict[str, Server], shard: tuple[int, int] | None) -> str:
    """A free ID for one more server; `shard`: (shard_id, num_shards) that it must belong to.

    Each server gets an ID as if created a millisecond before the last one, so that servers spread evenly over shards:
    the last ID of that millisecond, while all other objects take the first ones.
    """
    found = (first // MILLISECOND - len(taken) + 1) * MILLISECOND - 1
    while str(found) in taken or (shard and shard_of(found, shard[1]) != shard[0]):
        found -= MILLISECOND
    return str(found)


# The state: servers, users, channels, threads, messages, files and registered commands.


log = logging.getLogger(__name__)

Listener = Callable[[str, Json], None]

DISCORD_EPOCH_MS = 1_420_070_400_000
NONCE_SECONDS = 300.0
"""Seconds for which an enforced nonce is remembered; "a few minutes", according to Discord."""
TEXT, DIRECT, VOICE, ANNOUNCEMENT, FORUM = 0, 1, 2, 5, 15
ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD = 10, 11, 12
THREADS = (ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD)
# The attributes in the saved file beside the servers; all are plain JSON.
SAVED = (
    "users",
    "channels",
    "messages",
    "commands",
    "interactions",
    "modals",
    "notified",
    "nonces",
    "private",
    "closed",
    "installed",
)


class World:
    """All state; `clock` returns epoch seconds, `secret` a new random text, and `nonce_seconds` is how long nonces are
    remembered. `strict`: where Discord's behaviour is only reported, follow the strictest report; else the most lenient
    one."""

    def __init__(
        self,
        clock: Callable[[], float],
        secret: Callable[[], str],
        nonce_seconds: float = NONCE_SECONDS,
        strict: bool = True,
    ) -> None:
        self.clock = clock
        self.secret = secret
        self.nonce_seconds = nonce_seconds
        self.strict = strict
        self.listeners: list[Listener] = []
        self.files: MutableMapping[str, bytes] = {}
        self.last_id = 0
        self.servers: dict[str, Server] = {}
        self.users: dict[str, Json] = seed.make_users(self.new_id)
        self.channels: dict[str, Json] = {}
        self.messages: dict[str, dict[str, Json]] = {}
        self.commands: list[Json] = []
        self.interactions: dict[str, Json] = {}
        self.modals: dict[str, Json] = {}
        self.notified: list[Json] = []
        self.nonces: dict[str, list[Any]] = {}
        self.private: dict[str, Json] = {}
        """The channels of direct messages by id."""
        self.closed: list[str] = []
        """Ids of the users who refuse direct messages."""
        self.installed: list[str] = []
        """Ids of the users who have added the app to their account."""
        self.chosen: dict[tuple[str, str, str], list[str]] = {}
        """The values that a user has chosen in a select since it was posted, by user, message and custom_id."""
        self.harmful: list[str] = []
        """Links that are refused in thread names."""
        self.lost_files = 0.0
        """How many of the next edits do not find the files that they keep."""
        self.complaints: list[str] = []
        self.me = next(iter(self.users))
        self.found_server(seed.SERVER_NAME)

    # --- time and ids

    def new_id(self) -> str:
        """A new snowflake, greater than all before it."""
        stamp = (int(self.clock() * 1000) - DISCORD_EPOCH_MS) << 22
        self.last_id = max(self.last_id + 1, stamp)
        return str(self.last_id)

    def timestamp(self) -> str:
        """The current time in Discord's format."""
        return datetime.fromtimestamp(self.clock(), UTC).isoformat(timespec="microseconds")

    # --- listeners

    def tell(self, event: str, data: Json) -> None:
        """Notify every listener of an event, named as on the gateway where the gateway has it."""
        for listener in list(self.listeners):
            listener(event, data)

    def complain(self, text: str) -> None:
        """Note a mistake that Discord accepts."""
        log.warning("%s", text)
        self.complaints.append(text)

    # --- servers

    @property
    def home(self) -> Server:
        """The first server."""
        return next(iter(self.servers.values()))

    @property
    def home_guild(self) -> Json:
        """The first server's guild object."""
        return self.home.guild

    @property
    def home_members(self) -> dict[str, Json]:
        """The first server's members."""
        return self.home.members

    def server(self, which: Server | str | None = None) -> Server:
        """A server by its ID or name (None: the first); KeyError with the known names."""
        if isinstance(which, Server):
            return which
        for server in self.servers.values():
            if which in (None, server.id, server.name):
                return server
        raise KeyError(
            f"there is no server {which!r}; there are {', '.join(one.name for one in self.servers.values())}"
        )

    def server_of(self, channel_id: str) -> Server:
        return self.servers[self.channel(channel_id)["guild_id"]]

    def server_around(self, channel_id: str) -> Server | None:
        """The server of a channel; None for direct messages."""
        return None if channel_id in self.private else self.server_of(channel_id)

    def list_installs(self, user_id: str, channel_id: str) -> Json:
        """By which installations a user can use the app in a channel, as Discord names their owners: the server's (of
        direct messages "0"), and the user's own."""
        server = self.server_around(channel_id)
        shared = [one for one in self.servers.values() if {user_id, self.me} <= one.members.keys()]
        owner = "0" if server is None else server.id
        found = {"0": owner} if (server in shared if server else shared) else {}
        return found | ({"1": user_id} if user_id in self.installed else {})

    def channels_of(self, server: Server) -> list[Json]:
        """The channels and threads of a server, oldest first."""
        return [one for one in self.channels.values() if one["guild_id"] == server.id]

    def found_server(
        self,
        name: str,
        *,
        people: Iterable[str] | None = None,
        shard: tuple[int, int] | None = None,
        guild_id: int | None = None,
    ) -> Server:
        """Create one more server, which the bot joins at once.

        people: the names of its members, the owner first (None: everybody); unknown users are created.
        shard: (shard_id, num_shards) that it must belong to; guild_id: its ID, if that matters.
        """
        inside = (
            [one["id"] for one in self.people()]
            if people is None
            else [self.find_or_make_user(one)["id"] for one in people]
        )
        made = guild_id or (
            free_server_number(int(self.home.id), self.servers, shard) if self.servers else self.new_id()
        )
        guild, members, channels = seed.make_server(str(made), name, self.me, inside, self.new_id, self.timestamp())
        server = self.servers[str(made)] = Server(guild, members)
        self.channels |= channels
        self.messages |= {place: {} for place in channels}
        self.tell("SERVER", {"guild_id": server.id})
        return server

    def find_or_make_user(self, name: str) -> Json:
        """The user of this name, created if there is none."""
        try:
            return self.user_named(name)
        except KeyError:
            made = seed.make_user(self.new_id(), name)
            self.users[made["id"]] = made
            return made

    # --- lookups; a missing object is Discord's 404

    def channel(self, channel_id: str) -> Json:
        """A channel or thread, or a channel of direct messages."""
        found = self.channels.get(channel_id) or self.private.get(channel_id)
        if found is None:
            raise ApiError(10003)
        return found

    def message(self, channel_id: str, message_id: str) -> Json:
        """A message, ephemeral or not."""
        found = self.messages.get(channel_id, {}).get(message_id)
        if found is None:
            raise ApiError(10008)
        return found

    def member(self, user_id: str, server: Server | None = None) -> Json:
        members = self.server(server).members
        if user_id not in members:
            raise ApiError(10007)
        return {**members[user_id], "user": self.users[user_id]}

    def user_named(self, name: str) -> Json:
        """A user by id, global name or username (case-insensitive); KeyError with the known names."""
        for user in self.users.values():
            known = (user["id"], user["global_name"], user["username"])
            if name in known or name.casefold() == str(user["global_name"]).casefold():
                return user
        people = ", ".join(str(user["global_name"]) for user in self.people())
        raise KeyError(f"nobody is called {name!r}; there are {people}")

    def channel_named(self, name: str | int | Json, server: Server | str | None = None) -> Json:
        """A channel or thread by id, its JSON, or its name (with or without #) in a server."""
        if isinstance(name, dict):
            return self.channel(name["id"])
        key = str(name).removeprefix("#")
        if key in self.channels or key in self.private:
            return self.channel(key)
        where = self.server(server).id
        for channel in reversed(self.channels.values()):
            if channel["name"] == key and channel["guild_id"] == where:
                return channel
        raise KeyError(f"there is no channel {name!r}")

    def people(self) -> list[Json]:
        """The users who are not bots, in order of joining."""
        return [user for user in self.users.values() if not user.get("bot")]

    def visible_messages(self, channel_id: str, viewer: str) -> Iterator[Json]:
        """The messages of a channel that a user may see, oldest first, with their own ephemeral ones only."""
        for message in self.messages.get(channel_id, {}).values():
            if message["ephemeral_for"] in (None, viewer):
                yield message

    def is_age_restricted(self, channel_id: str) -> bool:
        """Whether a channel, or a thread's parent, is age-restricted."""
        channel = self.channel(channel_id)
        return bool(self.channels.get(str(channel.get("parent_id")), channel).get("nsfw"))

    def usable_emojis(self) -> set[str]:
        """The ids of the custom emojis that the bot may use: those of its servers."""
        mine = (one.guild for one in self.servers.values() if self.me in one.members)
        return {emoji["id"] for guild in mine for emoji in guild["emojis"]}

    # --- permissions

    def permissions(self, user_id: str, channel_id: str) -> int:
        """The permission bits of a member in a channel or thread; 0 for a user who is not a member. In direct messages
        both have all of `DIRECT`. A private thread has those of its channel, whether the user is in it or not.
        """
        if channel_id in self.private:
            known = (self.me, self.private[channel_id]["recipients"][0]["id"])
            return seed.bits_of(seed.DIRECT) if user_id in known else 0
        channel = self.channel(channel_id)
        server = self.servers[channel["guild_id"]]
        if user_id not in server.members:
            return 0
        holder = self.channels.get(str(channel["parent_id"]), channel) if channel["type"] in THREADS else channel
        roles: list[str] = server.members[user_id]["roles"]
        found = seed.compute_permissions(server.guild, user_id, roles, holder.get("permission_overwrites", []))
        if self.is_timed_out(user_id, server) and found != seed.ALL:
            found &= seed.bits_of(seed.TIMED_OUT)
        return found

    def is_timed_out(self, user_id: str, server: Server) -> bool:
        """Whether a member is in a timeout now; no event tells when it ends."""
        until: str | None = server.members[user_id]["communication_disabled_until"]
        return until is not None and datetime.fromisoformat(until).timestamp() > self.clock()

    def is_admitted(self, user_id: str, channel_id: str, held: int | None = None) -> bool:
        """Whether a user has access to a private thread, as its members and those who manage threads do, or to the chat
        of a voice channel, which needs Connect. That the bot has no access to private threads is only reported.
        `held`: the user's permissions, if known."""
        channel = self.channel(channel_id)
        opens = {PRIVATE_THREAD: "manage_threads", VOICE: "connect"}.get(channel["type"])
        if opens is None or (channel["type"] == PRIVATE_THREAD and user_id == self.me and not self.strict):
            return True
        held = self.permissions(user_id, channel_id) if held is None else held
        return user_id in channel.get("thread_members", ()) or opens in seed.names_of(held)

    def has_permissions(self, user_id: str, channel_id: str, *wanted: str) -> bool:
        """Whether a member has all the named permissions in a channel, and access to it."""
        need, held = seed.bits_of(wanted), self.permissions(user_id, channel_id)
        return held & need == need and self.is_admitted(user_id, channel_id, held)

    # --- changes

    def change_member(self, user_id: str, server: Server, **changes: Any) -> None:
        """Change keys of a member, such as `roles` or `communication_disabled_until`, and send the event."""
        server.members[user_id].update(changes)
        self.tell("GUILD_MEMBER_UPDATE", self.member(user_id, server) | {"guild_id": server.id})

    def add_channel(self, channel: Json, **extra: object) -> None:
        """Add a channel or thread and send the event."""
        self.channels[channel["id"]] = channel
        self.messages.setdefault(channel["id"], {})
        kind = "THREAD_CREATE" if channel["type"] in THREADS else "CHANNEL_CREATE"
        self.tell(kind, {**channel, **extra})

    def tell_channel_changed(self, channel: Json) -> None:
        """Send the update event of a channel or thread."""
        self.tell("THREAD_UPDATE" if channel["type"] in THREADS else "CHANNEL_UPDATE", channel)

    def remove_channel(self, channel_id: str) -> None:
        """Delete a thread, or a channel with its threads, and all messages in them."""
        for thread in [one for one in self.channels.values() if one.get("parent_id") == channel_id]:
            if thread["type"] in THREADS:
                self.remove_channel(thread["id"])
        channel = self.channels.pop(channel_id)
        self.messages.pop(channel_id, None)
        if channel["type"] not in THREADS:
            return self.tell("CHANNEL_DELETE", channel)
        starter = self.messages.get(str(channel["parent_id"]), {}).get(channel_id)
        if starter is not None:
            starter["flags"] &= ~32
            starter.pop("thread", None)
        return self.tell("THREAD_DELETE", {key: channel[key] for key in ("id", "guild_id", "parent_id", "type")})

    def remove_message(self, message: Json) -> None:
        """Delete a message; a thread started on it stays, as on Discord."""
        del self.messages[message["channel_id"]][message["id"]]
        self.reset_selects(message["id"])
        gone = {key: message[key] for key in ("id", "channel_id", "ephemeral_for")}
        self.tell("MESSAGE_DELETE", self.with_guild_id(gone))

    def reset_selects(self, message_id: str, kept: Collection[str] = ()) -> None:
        """Forget what users have chosen in a message's selects, except those whose custom_ids are `kept`."""
        for key in [one for one in self.chosen if one[1] == message_id and one[2] not in kept]:
            del self.chosen[key]

    def with_guild_id(self, message: Json) -> Json:
        """A message as it is in events: with the ID of its server, if it is in one."""
        place = message["channel_id"]
        return message if place in self.private else message | {"guild_id": self.server_of(place).id}

    # --- saving

    def dump(self) -> Json:
        """All state except the files' bytes, as JSON values."""
        servers = [{"guild": one.guild, "members": one.members} for one in self.servers.values()]
        kept = {name: getattr(self, name) for name in SAVED}
        return {"servers": servers} | kept | {"last_id": self.last_id, "me": self.me}

    def load(self, state: Json) -> None:
        """Restore what `dump` returned, or the state of an older sandbox with one server."""
        known = copy.deepcopy(state)
        old = [{"guild": known.pop("guild"), "members": known.pop("members")}] if "guild" in known else []
        servers: list[Json] = known.pop("servers", old)
        self.servers = {one["guild"]["id"]: Server(one["guild"], one["members"]) for one in servers}
        for name, value in known.items():
            setattr(self, name, value)
        for record in self.interactions.values():
            record.setdefault("guild_id", self.home.id)


# Saving the state in a folder, so that the sandbox can be killed at any moment and continue.


VERSION = 2
READABLE = (1, VERSION)
"""Version 1 is from before there were several servers."""
# Seconds between a change and its saving; more when writing is slow.
DELAY = 0.05
OTHER_VERSION = "{file} was written by another version of the sandbox: move it away to start anew."
NO_WORLD = "{file} isn't the world of a sandbox: move it away to start anew."


class UnreadableWorld(ValueError):
    """A saved file that this sandbox cannot load; the text says what to do."""


def _replace_file(path: Path, data: bytes) -> None:
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(data)
    os.replace(beside, path)


class AttachmentFiles(MutableMapping[str, bytes]):
    """The bytes of attachments by id, each a file in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __getitem__(self, key: str) -> bytes:
        try:
            return (self.folder / key).read_bytes()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, data: bytes) -> None:
        _replace_file(self.folder / key, data)

    def __delitem__(self, key: str) -> None:
        try:
            (self.folder / key).unlink()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        return (path.name for path in self.folder.iterdir() if path.suffix != ".new")

    def __len__(self) -> int:
        return sum(1 for _ in self)


class WorldStorage:
    """Loads a world from a folder and saves it there after every change."""

    def __init__(self, world: World, folder: Path) -> None:
        self.world = world
        self.path = folder / "world.json"
        self.delay = DELAY
        self.timer: asyncio.TimerHandle | None = None
        world.files = AttachmentFiles(folder / "attachments")
        if self.path.exists():
            self._load(self.path.read_bytes())
        world.listeners.append(self._schedule_save)

    def _load(self, written: bytes) -> None:
        try:
            state = parse_object(written)
        except ValueError as fault:
            raise UnreadableWorld(NO_WORLD.format(file=self.path)) from fault
        if state.pop("version", None) not in READABLE:
            raise UnreadableWorld(OTHER_VERSION.format(file=self.path))
        self.world.load(state)

    def _schedule_save(self, event: str, data: Json) -> None:
        if self.timer is None:
            try:
                loop = asyncio.get_running_loop()
            except RuntimeError:  # a change before the server runs
                self.save()
            else:
                self.timer = loop.call_later(self.delay, self._save_in, loop)

    def _save_in(self, loop: asyncio.AbstractEventLoop) -> None:
        started = loop.time()
        self.save()
        self.delay = max(DELAY, 10 * (loop.time() - started))

    def save(self) -> None:
        """Save the state now."""
        self.close()
        _replace_file(self.path, json.dumps(self.world.dump() | {"version": VERSION}).encode())

    def close(self) -> None:
        """Cancel a pending save."""
        if self.timer:
            self.timer.cancel()
            self.timer = None
