"""Leaves people who have left the server out of lists, and closes the ranks: the one place that says how.

A list is read with more lines than it shows. Discord is asked about its people at once, those who are known to have
left are left out, and a place is one more than the number of those who remain and were ahead; equals go on sharing one.
Nothing of that is stored: whoever comes back, or acts again, has their line with everything in it.

>>> ann, bea, cem = Ranked(UserId(7), 1), Ranked(UserId(8), 1), Ranked(UserId(9), 3)
>>> [(one.user, one.place) for one in closed([ann, bea, cem], {UserId(7)})]
[(8, 1), (9, 2)]
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, TypeVar

from bot.client.people.members import AT_ONCE, Members
from bot.core.values.ids import GuildId, UserId


class Listed(Protocol):
    """A line of a list: somebody's."""

    @property
    def user(self) -> UserId:
        """Whose line it is."""
        ...


class Placed(Listed, Protocol):
    """A line with a place, or None below all places; a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def place(self) -> int | None:
        """The place, from 1."""
        ...


@dataclass(frozen=True, slots=True)
class Ranked:
    """Somebody and their place."""

    user: UserId
    place: int | None


AnyListed = TypeVar("AnyListed", bound=Listed)
AnyPlaced = TypeVar("AnyPlaced", bound=Placed)


async def absent(members: Members, guild: GuildId, people: Iterable[UserId], within: float) -> frozenset[UserId]:
    """Who of the people of a list is known to have left a server. Discord is asked in one request about the first of
    whom it has not told lately; nobody counts as gone of whom it has said nothing."""
    listed = [*people]
    await members.learn(guild, members.unheard(guild, listed)[:AT_ONCE], within)
    return members.known(guild, listed)


def remaining(lines: Iterable[AnyListed], gone: Collection[UserId]) -> list[AnyListed]:
    """The lines of those who are still there, in order."""
    return [one for one in lines if one.user not in gone]


def closed(lines: Sequence[AnyPlaced], gone: Collection[UserId]) -> tuple[AnyPlaced, ...]:
    """The same with their places among themselves. `lines` begin with the first place."""
    kept = remaining(lines, gone)
    before = sorted(one.place for one in kept if one.place)
    return tuple(replace(one, place=1 + bisect_left(before, one.place)) if one.place else one for one in kept)
