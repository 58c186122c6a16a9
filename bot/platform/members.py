"""Who is in a server, who can see a channel, and who has left."""

from __future__ import annotations

import asyncio
import math
from bisect import bisect_left
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import discord

from bot.platform.error_codes import Code, is_code
from bot.platform.machine import in_background, loop_time
from bot.platform.names import MemberName, disambiguate_names
from bot.play.ids import ChannelId, GuildId, UserId, is_person

# Tells who may read about a channel: the user who asks, or everyone who can see a post.


Parent = discord.abc.GuildChannel
NOBODY = 0
"""The id that stands for a user whom no overwrite names."""


class ChannelAccess(NamedTuple):
    """A channel's overwrites: for everyone, for roles, and for users. None, like a role that is not listed, leaves it
    to the server's permissions."""

    everybody: bool | None = None
    roles: Mapping[int, bool] = {}
    people: Mapping[int, bool] = {}
    granted: bool = True
    granting: Collection[int] = ()

    def is_visible_to(self, roles: Collection[int], person: int) -> bool:
        """Whether a user with these roles sees the channel; `person` may be named by an overwrite."""
        if person in self.people:
            return self.people[person]
        if said := [self.roles[role] for role in roles if role in self.roles]:
            return any(said)
        if self.everybody is not None:
            return self.everybody
        return self.granted or any(role in self.granting for role in roles)


def all_see(post: ChannelAccess, other: ChannelAccess) -> bool:
    """Whether all users who can see the channel of a post can see another channel too.

    If one cannot, two of their roles are enough to show it: one that lets them see the post, and one that hides the
    other channel. Roles and users with the same overwrite in both channels are alike.
    """
    named = {*post.roles, *other.roles}
    alike = {
        (post.roles.get(role), other.roles.get(role), role in post.granting, role in other.granting): role
        for role in (*named, *islice((role for role in post.granting if role not in named), 1))
    }
    people = {
        (post.people.get(person), other.people.get(person)): person for person in (NOBODY, *post.people, *other.people)
    }
    held = [roles for number in (0, 1, 2) for roles in combinations(alike.values(), number)]
    return not any(
        post.is_visible_to(roles, person) and not other.is_visible_to(roles, person)
        for roles in held
        for person in people.values()
    )


def find_equally_visible(guild: discord.Guild, post: ChannelId) -> frozenset[int]:
    """The channels and active threads that a post may mention: those visible to all who can see the post."""
    home = find_parent(guild, post)
    if home is None:
        return frozenset((post,))
    place = _read_access(guild, home, "view_channel")
    seen = {
        one.id
        for one in guild.channels
        if all(all_see(place, _read_access(guild, one, it)) for it in _required_permissions(one))
    }
    threads = {one.id for one in guild.threads if not one.is_private() and one.parent_id in seen}
    return frozenset((post, *seen, *threads))


def can_see(guild: discord.Guild | None, user: discord.abc.User, channel: ChannelId) -> bool:
    """Whether a user can see a channel, or a thread that is not private."""
    place = guild and guild.get_channel_or_thread(channel)
    if place is None or not isinstance(user, discord.Member):
        return False
    if isinstance(place, discord.Thread) and (place.is_private() or place.parent is None):
        return False
    return place.permissions_for(user).view_channel


def find_visible_channels(guild: discord.Guild | None, user: discord.abc.User) -> frozenset[int]:
    """The channels and active threads that a user can see, except private threads."""
    places = (*guild.channels, *guild.threads) if guild else ()
    return frozenset(one.id for one in places if can_see(guild, user, ChannelId(one.id)))


def find_parent(guild: discord.Guild, channel: ChannelId) -> Parent | None:
    """The channel whose permissions apply in a place; None where Discord has not sent it."""
    place = guild.get_channel_or_thread(channel)
    return place.parent if isinstance(place, discord.Thread) else place


def _required_permissions(channel: Parent) -> tuple[str, ...]:
    """The permissions needed to read what is written in a channel."""
    voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    return ("view_channel", "connect") if voice else ("view_channel",)


def _read_access(guild: discord.Guild, channel: Parent, permission: str) -> ChannelAccess:
    """The overwrites of a channel for one permission. Administrators see everything, and are left out; so is the
    bot."""
    roles: dict[int, bool] = {
        one.id: getattr(one.permissions, permission) for one in guild.roles if not one.permissions.administrator
    }
    everybody, said, people = None, dict[int, bool](), dict[int, bool]()
    for target, overwrite in channel.overwrites.items():
        allowed: bool | None = getattr(overwrite, permission)
        if allowed is None:
            continue
        if target.id == guild.id:
            everybody = allowed
        elif target.id in roles:
            said[target.id] = allowed
        elif target.id != guild.me.id and not guild.get_role(target.id):
            people[target.id] = allowed
    granting = frozenset(one for one, grants in roles.items() if grants and one != guild.id)
    return ChannelAccess(everybody, said, people, roles.get(guild.id, True), granting)


# Caches who is in a server and under which name, in memory alone.


REMEMBERED_FOR = 3600.0
"""Seconds after which Discord is asked again."""
REMEMBERED = 20_000
ASK_WITHIN = 5.0
"""Seconds that an answer may take."""
IN_VAIN_FOR = 5.0
"""Seconds in which no caller waits again for an answer that did not come in time."""
SEEN_FOR = 60.0
"""Seconds for which a member counts as present where a message is about to ping them."""
AT_ONCE = 100
"""How many members one request may ask about (Discord's limit)."""
ASKED_A_MINUTE = 90
"""How often a shard is asked per minute; it may send 120 messages, heartbeats among them (Discord's limit)."""
MINUTE = 60.0
SILENCES, SILENT_FOR = 3, 600.0
"""After this number of unanswered requests in a row no more are sent for that number of seconds."""

Member = tuple[GuildId, UserId]


class MemberState(NamedTuple):
    """Whether a user was in a server, when that was learned, and their name, if known."""

    here: bool
    at: float
    called: MemberName | None


class MemberQuery(NamedTuple):
    """The users to ask about in a server, and the task that asks in its turn."""

    users: set[UserId]
    task: asyncio.Task[None]


class MemberCache:
    """Remembers who was in a server when Discord was last asked, who was not, and their names."""

    def __init__(self, client: discord.Client, clock: Callable[[], float] = loop_time) -> None:
        self.client = client
        self.clock = clock
        self.changed: Callable[[GuildId, UserId], None] = lambda _guild, _user: None
        """Called when a user turns out to have left a server, or to be back."""
        self._known: OrderedDict[Member, MemberState] = OrderedDict()
        self._next: dict[GuildId, MemberQuery] = {}
        """The next request about a server, sent once the one before is answered; more users may be added to it."""
        self._turns: dict[GuildId, asyncio.Lock] = {}
        self._asked: dict[int, deque[float]] = {}
        """When each shard was last asked."""
        self._silences, self._silent_until = 0, -math.inf
        self._in_vain: dict[Member, float] = {}
        """When a caller last waited in vain for an answer about a user."""
        self._asking = set[asyncio.Task[None]]()

    # --- what is known

    def note_member(self, guild: GuildId, user: UserId, called: MemberName, here: bool = True) -> None:
        """Note that a user was seen in a server under a name; or is named there and not `here`."""
        self._note((guild, user), MemberState(here, self.clock(), called))

    def forget(self, user: UserId) -> None:
        """Drop what is known of a user, in every server."""
        for member in [member for member in self._known if member[1] == user]:
            del self._known[member]

    def find_known_departed(self, guild: GuildId, users: Iterable[UserId]) -> frozenset[UserId]:
        """Which of these users are known to have left a server."""
        heard = {user: self._known.get((guild, user)) for user in users}
        return frozenset(user for user, known in heard.items() if known and not known.here)

    def is_here(self, guild: GuildId, user: UserId) -> bool | None:
        """Whether a user is in a server, as last known; None where it is not known."""
        heard = self._known.get((guild, user))
        return heard.here if heard else None

    def find_stale(self, guild: GuildId, users: Iterable[UserId], *, freshly: bool = False) -> list[UserId]:
        """The users of whom nothing was learned lately; `freshly`: within the last minute."""
        return [user for user in dict.fromkeys(users) if is_person(user) and self._is_stale((guild, user), freshly)]

    def list_names(self, guild: GuildId, users: Iterable[UserId]) -> dict[UserId, str]:
        """The users' names in a message, where known."""
        heard = {user: self._known.get((guild, user)) for user in users}
        return disambiguate_names(
            {user: one.called for user, one in heard.items() if one and (one.called or not one.here)}
        )

    def get_called(self, guild: GuildId, user: UserId) -> MemberName | None:
        """The name of a user, also after they have left; None where it is not known."""
        heard = self._known.get((guild, user))
        return heard.called if heard else None

    # --- what is asked

    async def learn(
        self, guild: GuildId, users: Iterable[UserId], within: float = ASK_WITHIN, *, freshly: bool = False
    ) -> None:
        """Ask Discord about the users of whom nothing was learned lately, and wait some seconds; not for those for whom
        a caller has just waited in vain, so that a message that asks twice waits once."""
        since = self.clock() - IN_VAIN_FOR
        self._in_vain = {member: at for member, at in self._in_vain.items() if at > since}
        asked = [user for user in self.find_stale(guild, users, freshly=freshly) if (guild, user) not in self._in_vain]
        if question := self._enqueue_query(guild, asked):
            begun = self.clock()
            await asyncio.wait({question.task}, timeout=within)
            known = {user: self._known.get((guild, user)) for user in asked}
            missed = [user for user, heard in known.items() if heard is None or heard.at < begun]
            self._in_vain |= dict.fromkeys(((guild, user) for user in missed), self.clock())

    def prefetch(self, guild: GuildId, users: Iterable[UserId]) -> None:
        """Ask Discord about users who are going to be named, without waiting."""
        self._enqueue_query(guild, self.find_stale(guild, users))

    async def find_departed(
        self, guild: GuildId, users: Iterable[UserId], within: float = ASK_WITHIN, *, freshly: bool = False
    ) -> frozenset[UserId]:
        """Which of these users have left a server. Where Discord cannot be asked, those of whom nothing is known count
        as present."""
        people = tuple(users)
        await self.learn(guild, people, within, freshly=freshly)
        return self.find_known_departed(guild, people)

    async def has_surely_left(self, guild: GuildId, user: UserId, within: float) -> bool:
        """Whether a user has left a server, confirmed by Discord if the cache says so. It uses a REST request, which is
        answered even when gateway requests are not."""
        if not (self.find_known_departed(guild, (user,)) or self._is_stale((guild, user))):
            return False
        in_background.set(True)
        return await self._has_left_now(guild, user, within)

    async def is_member(self, guild: GuildId, user: UserId, within: float) -> bool:
        """Whether a user who acts from outside of a server is in it, as is the bot. Discord is asked once a minute, by
        a REST request: the server may be another process's. While it cannot be asked, the last that is known counts,
        and those of whom nothing is known are members."""
        if self._is_stale((guild, user), freshly=True):
            try:
                async with asyncio.timeout(within):
                    found = await self.client.http.get_member(guild, user)
            except Exception as fault:  # any other failure of the request says nothing about the user
                if is_code(fault, Code.UNKNOWN_MEMBER, Code.UNKNOWN_USER, Code.UNKNOWN_GUILD, Code.NO_ACCESS):
                    self._note_departure((guild, user))
            else:
                name = found.get("nick") or found["user"].get("global_name") or found["user"]["username"]
                self.note_member(guild, user, MemberName(name, found["user"]["username"]))
        return self.is_here(guild, user) is not False

    async def find_departed_now(self, guild: GuildId, users: Iterable[UserId], within: float) -> frozenset[UserId]:
        """Which of a few users have left a server, as Discord says now, whatever is cached: they may have acted and
        left."""
        people = [user for user in users if is_person(user)]
        left = await asyncio.gather(*(self._has_left_now(guild, user, within) for user in people))
        return frozenset(user for user, is_gone in zip(people, left, strict=True) if is_gone)

    async def _has_left_now(self, guild: GuildId, user: UserId, within: float) -> bool:
        found = self.client.get_guild(guild)
        if found is None or found.unavailable:
            return False
        try:
            async with asyncio.timeout(within):
                self.note_member(guild, user, MemberName.of(await found.fetch_member(user)))
        except Exception as fault:  # any other failure of the request says nothing about the user
            if not is_code(fault, Code.UNKNOWN_MEMBER, Code.UNKNOWN_USER):
                return False
            self._note_departure((guild, user))
            return True
        return False

    def _enqueue_query(self, guild: GuildId, users: Sequence[UserId]) -> MemberQuery | None:
        """The next request about a server, with these users in it; None where there are none, or it cannot be asked."""
        found = self.client.get_guild(guild)
        if not users or found is None or found.unavailable or self.clock() < self._silent_until:
            return None
        if guild not in self._next:
            task = asyncio.create_task(self._run_query(found))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
            self._next[guild] = MemberQuery(set(), task)
        self._next[guild].users.update(users)
        return self._next[guild]

    async def _run_query(self, guild: discord.Guild) -> None:
        about = GuildId(guild.id)
        async with self._turns.setdefault(about, asyncio.Lock()):
            await asyncio.sleep(self._reserve_slot(guild.shard_id))
            users = sorted(self.find_stale(about, self._next.pop(about).users, freshly=True))
            for at in range(0, len(users), AT_ONCE):
                if at:
                    await asyncio.sleep(self._reserve_slot(guild.shard_id))
                await self._query_members(guild, users[at : at + AT_ONCE])
        if about not in self._next:
            self._turns.pop(about, None)

    def _reserve_slot(self, shard: int) -> float:
        """Seconds until a shard may be asked once more; this counts as asking it."""
        asked, now = self._asked.setdefault(shard, deque(maxlen=ASKED_A_MINUTE)), self.clock()
        at = max(now, asked[0] + MINUTE) if len(asked) == ASKED_A_MINUTE else now
        asked.append(at)
        return at - now

    async def _query_members(self, guild: discord.Guild, users: Sequence[UserId]) -> None:
        """Ask about some users at once, and note of each whether they are there."""
        try:
            async with asyncio.timeout(ASK_WITHIN):
                there = await guild.query_members(user_ids=[*users], limit=AT_ONCE, cache=False)
        except TimeoutError:
            self._silences += 1
            if self._silences >= SILENCES:
                self._silences, self._silent_until = 0, self.clock() + SILENT_FOR
            return
        except Exception:  # any other failure of the request says nothing about the users
            return
        self._silences = 0
        for member in there:
            self.note_member(GuildId(guild.id), UserId(member.id), MemberName.of(member))
        for user in {*users} - {member.id for member in there}:
            self._note_departure((GuildId(guild.id), user))

    async def close(self) -> None:
        """Send no more requests."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)

    # --- what is remembered

    def _is_stale(self, member: Member, freshly: bool = False) -> bool:
        known = self._known.get(member)
        return known is None or self.clock() - known.at >= (SEEN_FOR if freshly else REMEMBERED_FOR)

    def _note_departure(self, member: Member) -> None:
        """Note that a user is not in a server any more; their name is kept as long as the entry."""
        known = self._known.get(member)
        self._note(member, MemberState(False, self.clock(), known.called if known else None))

    def _note(self, member: Member, heard: MemberState) -> None:
        before = self._known.get(member)
        self._known[member] = heard
        self._known.move_to_end(member)
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        if heard.here is not (before is None or before.here):
            self.changed(*member)


# Leaves users who have left the server out of lists, and closes the ranks.


class HasUser(Protocol):
    """A row of a list that belongs to a user."""

    @property
    def user(self) -> UserId: ...


class HasPlace(HasUser, Protocol):
    """A row with a place, or None below all places; a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def place(self) -> int | None:
        """Counted from 1."""
        ...


@dataclass(frozen=True, slots=True)
class RankedUser:
    """A user and their place."""

    user: UserId
    place: int | None


AnyListed = TypeVar("AnyListed", bound=HasUser)
AnyPlaced = TypeVar("AnyPlaced", bound=HasPlace)


async def fetch_departed(
    members: MemberCache, guild: GuildId, people: Iterable[UserId], within: float
) -> frozenset[UserId]:
    """Which users of a list are known to have left a server. Discord is asked in one request about the first of whom
    nothing was learned lately; the others of those count as present."""
    listed = [*people]
    await members.learn(guild, members.find_stale(guild, listed)[:AT_ONCE], within)
    return members.find_known_departed(guild, listed)


def exclude_departed(lines: Iterable[AnyListed], gone: Collection[UserId]) -> list[AnyListed]:
    """The rows of those who are still there, in order."""
    return [one for one in lines if one.user not in gone]


def close_ranks(lines: Sequence[AnyPlaced], gone: Collection[UserId]) -> tuple[AnyPlaced, ...]:
    """The rows of those who are still there, ranked among themselves. `lines` start with the first place."""
    kept = exclude_departed(lines, gone)
    before = sorted(one.place for one in kept if one.place)
    return tuple(replace(one, place=1 + bisect_left(before, one.place)) if one.place else one for one in kept)
