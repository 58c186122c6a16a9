"""Ids of matches, people and servers; computer people; and which servers a process has."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from math import gcd
from typing import NewType

from bot.games.position import LEVELS

# Ids: each kind has a type of its own, so that a user id cannot be passed for a match id.


MatchId = NewType("MatchId", int)
UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
InteractionId = NewType("InteractionId", int)
NOWHERE = GuildId(0)
"""Stands for the server of what belongs to none, since it was begun in direct messages. Its column is empty."""
LeagueId = NewType("LeagueId", int)
"""The number of the interaction that founded the league: never given twice, also after a backup was put back."""


def make_act_id(kind: str, *about: int) -> InteractionId:
    """The idempotency key of an act without an interaction: a deadline, a reminder, a computer's move.

    It is made from what the act is about (match, ply, seat, moment), so that doing it again, after a restart or in
    another process, is recognised like the second delivery of an interaction. It is negative; Discord's ids are not.

    >>> make_act_id("out", 12, 3, 1_000_000) == make_act_id("out", 12, 3, 1_000_000) < 0
    True
    >>> make_act_id("out", 12, 3, 1_000_000) == make_act_id("out", 12, 3, 1_000_001)
    False
    """
    digest = blake2b(" ".join((kind, *map(str, about))).encode(), digest_size=8).digest()
    return InteractionId(-1 - (int.from_bytes(digest) >> 1))


# Which servers a process serves: Discord splits them into shards by their numbers, and a process has some of those.


TIME_BITS = 22
"""The lower bits of a Discord id, below its timestamp."""
MOST = 4096
"""More shards than any bot has."""
WRITTEN = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?/([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class ShardShare:
    """The shards `first` to `last`, counted from 0, of `count` in all."""

    first: int
    last: int
    count: int

    @property
    def shards(self) -> range:
        return range(self.first, self.last + 1)

    @property
    def is_whole(self) -> bool:
        return len(self.shards) == self.count

    @property
    def fraction(self) -> float:
        """Its part of all shards, from 0 to 1."""
        return len(self.shards) / self.count

    def holds(self, guild: int) -> bool:
        """Whether a server, or a user for what belongs to no server, is in this share."""
        return (guild >> TIME_BITS) % self.count in self.shards

    @property
    def single_shards(self) -> tuple[ShardShare, ...]:
        return tuple(ShardShare(shard, shard, self.count) for shard in self.shards)

    def split_into(self, count: int) -> tuple[ShardShare, ...]:
        """The same servers as shards of a larger number, a multiple of its own."""
        return tuple(ShardShare(shard, shard, count) for shard in range(count) if shard % self.count in self.shards)

    def overlaps(self, other: ShardShare) -> bool:
        """Whether any server is in both, also where the shard counts differ."""
        # Remainders by two divisors belong to one number if they agree modulo the greatest common divisor.
        step = gcd(self.count, other.count)
        ours = {shard % step for shard in self.shards}
        return any(shard % step in ours for shard in other.shards)

    def __str__(self) -> str:
        return f"{self.first}/{self.count}" if self.first == self.last else f"{self.first}-{self.last}/{self.count}"

    @classmethod
    def parse(cls, text: str) -> ShardShare:
        """Read `5/16` or `4-7/16`; else `ValueError` with a sentence."""
        found = WRITTEN.fullmatch(text.strip())
        if not found:
            raise ValueError("write shards like 0-3/16, the first and the last of 16, or like 5/16")
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if not first <= last < count <= MOST:
            raise ValueError(
                f"of {count} shards the first is 0 and the last {count - 1}: {text.strip()} is not among them"
            )
        return cls(first, last, count)


WHOLE = ShardShare(0, 0, 1)
"""All servers, in one process."""


def merge_shares(shards: Iterable[ShardShare]) -> tuple[ShardShare, ...]:
    """Shares with adjacent shards joined.

    >>> [str(share) for share in merge_shares(ShardShare(shard, shard, 16) for shard in (5, 1, 2, 3))]
    ['1-3/16', '5/16']
    """
    runs: list[ShardShare] = []
    for one in sorted(shards, key=lambda share: (share.count, share.first)):
        if runs and runs[-1].count == one.count and runs[-1].last + 1 == one.first:
            one = ShardShare(runs.pop().first, one.last, one.count)
        runs.append(one)
    return tuple(runs)


# The computer's users. Their ids are 10 × level + 1, 2, …, far below any on Discord.


"""How well the computer plays: beginners beat the first, and not the last."""
USUAL = 2
"""The level where none is named."""
STRENGTHS = (
    "a beginner beats it",
    "looks a little ahead",
    "punishes careless moves",
    "a real challenge",
    "hard to beat",
    "as strong as it gets",
)
"""Each level in a few words."""
NUMBERS = range(10, 100)
"""The ids of computers; no Discord user has one of them."""
UNNAMED = range(101, 109)
"""The ids of the players of an uploaded record, in order of seats: they have no users."""


def make_computer_user(level: int, number: int = 1) -> UserId:
    """The computer of a level; where several of one level play in a match, they are told apart by a number from 1."""
    assert level in LEVELS and 1 <= number <= 9
    return UserId(10 * level + number)


def make_unnamed_user(seat: int) -> UserId:
    """The player on a seat of an uploaded record."""
    return UserId(UNNAMED[seat - 1])


def is_computer(user: int) -> bool:
    """Whether an id is one of the computers'. Ids of Discord's are far larger."""
    return user in NUMBERS


def is_person(user: int) -> bool:
    """Whether an id is that of a user who can be named and notified: not a computer, and not forgotten."""
    return user > 0 and not is_computer(user)


def level_of(user: int) -> int:
    return user // 10


def name_computer(user: int) -> str:
    """A computer in a sentence, without a mention."""
    which = "the computer" if user % 10 == 1 else f"computer {user % 10}"
    return f"{which} (level {level_of(user)})"


FORMER = "former player"
"""A forgotten user in the name of a thread."""


def title_computer(user: int) -> str:
    """A computer in the name of a thread: "Computer, level 3"."""
    return f"Computer{'' if user % 10 == 1 else f' {user % 10}'}, level {level_of(user)}"


def describe_level(level: int) -> str:
    """A level as a choice: "1 · a beginner beats it"."""
    return f"{level} · {STRENGTHS[level - 1]}"


def choose_free_computer(level: int, taken: Collection[int]) -> UserId:
    return next(one for number in range(1, 10) if (one := make_computer_user(level, number)) not in taken)
