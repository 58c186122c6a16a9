"""Which servers a process serves: Discord splits them into shards by their numbers, and a process has some of those.

    >>> share = Share.parse("4-7/16")
    >>> str(share), list(share.shards), share.holds(1_200_000_000_000_000_000)
    ('4-7/16', [4, 5, 6, 7], False)
    >>> WHOLE.holds(1_200_000_000_000_000_000)
    True

Source: Discord's documentation of its gateway, "Sharding": the shard of a server is (its number >> 22) % (all shards).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import gcd

TIME_BITS = 22
"""The lower bits of an id that are not its time."""
MOST = 4096
"""More shards than any bot has."""
WRITTEN = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?/([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class Share:
    """The shards `first` to `last`, counted from 0, of `count` in all."""

    first: int
    last: int
    count: int

    @property
    def shards(self) -> range:
        """The numbers of its shards."""
        return range(self.first, self.last + 1)

    @property
    def whole(self) -> bool:
        """Whether it is all there is."""
        return len(self.shards) == self.count

    @property
    def part(self) -> float:
        """How much of all there is it is, by shards."""
        return len(self.shards) / self.count

    def holds(self, guild: int) -> bool:
        """Whether a server belongs to it; so does a person, of whom the same is asked for what is of no server."""
        return (guild >> TIME_BITS) % self.count in self.shards

    @property
    def apart(self) -> tuple[Share, ...]:
        """Its shards, each by itself."""
        return tuple(Share(shard, shard, self.count) for shard in self.shards)

    def divided(self, count: int) -> tuple[Share, ...]:
        """Its servers as shards of a number that is a multiple of its own."""
        return tuple(Share(shard, shard, count) for shard in range(count) if shard % self.count in self.shards)

    def overlaps(self, other: Share) -> bool:
        """Whether there are servers that belong to both, also where the two count shards in different ways."""
        # Two remainders by two divisors are of one number where they agree by the greatest common divisor.
        step = gcd(self.count, other.count)
        ours = {shard % step for shard in self.shards}
        return any(shard % step in ours for shard in other.shards)

    def __str__(self) -> str:
        return f"{self.first}/{self.count}" if self.first == self.last else f"{self.first}-{self.last}/{self.count}"

    @classmethod
    def parse(cls, text: str) -> Share:
        """Read `5/16` or `4-7/16`; `ValueError` with a sentence where it is neither."""
        found = WRITTEN.fullmatch(text.strip())
        if not found:
            raise ValueError("write shards like 0-3/16, the first and the last of 16, or like 5/16")
        first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
        if not first <= last < count <= MOST:
            raise ValueError(
                f"of {count} shards the first is 0 and the last {count - 1}: {text.strip()} is not among them"
            )
        return cls(first, last, count)


WHOLE = Share(0, 0, 1)
"""All servers, in one process."""


def together(shards: Iterable[Share]) -> tuple[Share, ...]:
    """Shards of one number with those next to them.

    >>> [str(share) for share in together(Share(shard, shard, 16) for shard in (5, 1, 2, 3))]
    ['1-3/16', '5/16']
    """
    runs: list[Share] = []
    for one in sorted(shards, key=lambda share: (share.count, share.first)):
        if runs and runs[-1].count == one.count and runs[-1].last + 1 == one.first:
            one = Share(runs.pop().first, one.last, one.count)
        runs.append(one)
    return tuple(runs)
