"""Tells who may learn of what happens in a channel: somebody who asks, or everybody who can see a post.

A post tells of another channel only where all who can see the post can see that channel too. Discord does not say which
roles people have, so all that they could have count. Rights are those of the moment: what is told later, after they
have changed, is decided anew. Of a channel that is gone, a private thread, and a thread that Discord has archived,
nothing is told elsewhere.

>>> read, staff, muted = 1, 2, 3
>>> everybody, members = Place(), Place(False, {read: True})
>>> all_see(everybody, members), all_see(members, everybody), all_see(members, members)
(False, True, True)
>>> all_see(members, Place(False, {staff: True})), all_see(members, Place(False, {read: True, staff: True}))
(False, True)
>>> all_see(members, Place(False, {read: True, muted: False})), all_see(everybody, Place(None, {muted: False}))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

import discord

from bot.core.values.ids import ChannelId

Parent = discord.abc.GuildChannel
NOBODY = 0
"""In place of somebody who is let in or shut out by name."""


class Place(NamedTuple):
    """Whom a channel lets in: everybody, roles, and people by name. None, like what is not named, leaves it to what the
    server grants: to everybody, or to some roles."""

    everybody: bool | None = None
    roles: Mapping[int, bool] = {}
    people: Mapping[int, bool] = {}
    granted: bool = True
    granting: Collection[int] = ()

    def shows(self, roles: Collection[int], person: int) -> bool:
        """Whether somebody sees it who has some roles, and perhaps is named."""
        if person in self.people:
            return self.people[person]
        if said := [self.roles[role] for role in roles if role in self.roles]:
            return any(said)
        if self.everybody is not None:
            return self.everybody
        return self.granted or any(role in self.granting for role in roles)


def all_see(post: Place, other: Place) -> bool:
    """Whether all who can see the place of a post can see another place too.

    Where somebody cannot, two of their roles are enough to show it: one that lets them see the post, and one that shuts
    them out of the other place. Roles and people of whom both places say the same are alike.
    """
    named = {*post.roles, *other.roles}
    alike = {
        (post.roles.get(role), other.roles.get(role), role in post.granting, role in other.granting): role
        for role in (*named, *_first(role for role in post.granting if role not in named))
    }
    people = {
        (post.people.get(person), other.people.get(person)): person for person in (NOBODY, *post.people, *other.people)
    }
    held = [roles for number in (0, 1, 2) for roles in combinations(alike.values(), number)]
    return not any(
        post.shows(roles, person) and not other.shows(roles, person) for roles in held for person in people.values()
    )


def _first(roles: Iterable[int]) -> tuple[int, ...]:
    return next(((role,) for role in roles), ())


def seen_by_all(guild: discord.Guild, post: ChannelId) -> frozenset[int]:
    """The channels and active threads of a server of which a post may tell: those that all who can see it can see."""
    home = parent_of(guild, post)
    if home is None:
        return frozenset((post,))
    place = _place(guild, home, "view_channel")
    seen = {one.id for one in guild.channels if all(all_see(place, _place(guild, one, it)) for it in _needed(one))}
    threads = {one.id for one in guild.threads if not one.is_private() and one.parent_id in seen}
    return frozenset((post, *seen, *threads))


def sees(guild: discord.Guild | None, user: discord.abc.User, channel: ChannelId) -> bool:
    """Whether somebody can see a channel, or a thread that is not private."""
    place = guild and guild.get_channel_or_thread(channel)
    if place is None or not isinstance(user, discord.Member):
        return False
    if isinstance(place, discord.Thread) and (place.is_private() or place.parent is None):
        return False
    return place.permissions_for(user).view_channel


def seen_by(guild: discord.Guild | None, user: discord.abc.User) -> frozenset[int]:
    """The channels and active threads that somebody can see, but for private threads."""
    places = (*guild.channels, *guild.threads) if guild else ()
    return frozenset(one.id for one in places if sees(guild, user, ChannelId(one.id)))


def parent_of(guild: discord.Guild, channel: ChannelId) -> Parent | None:
    """The channel whose rights hold in a place; None where Discord has not told of it."""
    place = guild.get_channel_or_thread(channel)
    return place.parent if isinstance(place, discord.Thread) else place


def _needed(channel: Parent) -> tuple[str, ...]:
    """What somebody must be allowed to see what is written in a channel."""
    voice = isinstance(channel, discord.VoiceChannel | discord.StageChannel)
    return ("view_channel", "connect") if voice else ("view_channel",)


def _place(guild: discord.Guild, channel: Parent, permission: str) -> Place:
    """Whom a channel lets in. Who may administer sees everything, and is left out; so are we."""
    may: Callable[[discord.Role], bool] = lambda role: getattr(role.permissions, permission)  # noqa: E731
    roles = {one.id: may(one) for one in guild.roles if not one.permissions.administrator}
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
    return Place(everybody, said, people, roles.get(guild.id, True), granting)
