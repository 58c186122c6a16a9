"""Until when clocks are known to have counted: a note a shard, and what they say of the servers of any other.

A shard is what Discord connects and cuts off, so a shard is what a note is about: which process serves it may change as
often as hosts like, and no clock notices. When the number of shards changes, a server's moment is the latest of all
notes whose shard it is or was. So nobody loses a second, and nobody is given time twice; a note of long ago says
nothing, since later ones are about the same servers, and is dropped as soon as they are about all of them.

    >>> notes = {"clocks 0/2": "100", "clocks 1/2": "900"}
    >>> [(str(share), since) for share, since in stood(read(notes), {Share(1, 1, 4): None}, 1000, 90)]
    [('1/4', 900)]
    >>> [(str(share), since) for share, since in stood(read(notes), {WHOLE: None}, 1000, 90)]
    [('0/2', 100), ('1/2', 900)]
    >>> stood(read(notes), {WHOLE: 950}, 1000, 90)
    []
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import lcm

from bot.core.values.shards import WHOLE, Share, together

NOTE = "clocks"
"""The note of the last moment at which clocks were known to count, where there is one shard; with its number behind it
where there are several."""

Moments = Mapping[Share, int]


def name(shard: Share) -> str:
    """The name of the note of a shard."""
    return NOTE if shard.count == 1 else f"{NOTE} {shard}"


def read(notes: Mapping[str, str]) -> Moments:
    """What is noted; what cannot be read is nothing."""
    found: dict[Share, int] = {}
    for called, value in notes.items():
        try:
            shard = WHOLE if called == NOTE else Share.parse(called.removeprefix(NOTE))
        except ValueError:
            continue
        if value.isdecimal():
            found[shard] = int(value)
    return found


def stood(moments: Moments, remembered: Mapping[Share, int | None], now: int, longest: int) -> list[tuple[Share, int]]:
    """Which servers of some shards have stood still until now for longer than what is no outage, and since when.

    `remembered` is what this process knows of its shards itself. What is noted for a moment from now on comes of
    another process that is a few seconds ahead, or of a clock that was set back since, and then says nothing.
    """
    noted = {shard: min(now, at) for shard, at in moments.items() if at <= now + longest}
    found: defaultdict[int, list[Share]] = defaultdict(list)
    for shard, known in remembered.items():
        mine = [at for at in (known, noted.get(shard)) if at is not None and at <= now]
        if mine and now - max(mine) <= longest:
            continue
        about = {other: at for other, at in noted.items() if other.overlaps(shard)}
        for part in shard.divided(lcm(shard.count, *(other.count for other in about))):
            since = max(
                [*mine, *(at for other, at in about.items() if part.first % other.count in other.shards)], default=now
            )
            if now - since > longest:
                found[since].append(part)
    return [(share, since) for since in sorted(found) for share in together(found[since])]


def superseded(moments: Moments, now: int) -> list[Share]:
    """The notes that say nothing any more: each of their servers has a later one of another number of shards."""
    counts = {shard.count for shard in moments}
    whole = lcm(*counts) if len(counts) > 1 else 0
    past = {shard: at if at <= now else 0 for shard, at in moments.items()}

    def later(shard: Share, part: Share) -> bool:
        return any(
            at > past[shard] and part.first % other.count in other.shards
            for other, at in past.items()
            if other.count != shard.count
        )

    return [shard for shard in moments if whole and all(later(shard, part) for part in shard.divided(whole))]
