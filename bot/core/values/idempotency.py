"""The numbers of acts that come of no interaction: deadlines, reminders, whatever time brings about.

Such a number is made from what the act is about, so that doing it again, after a restart or by another process, is
recognised like the second delivery of an interaction. It is negative: Discord's numbers are not.
"""

from __future__ import annotations

from hashlib import blake2b

from bot.core.values.ids import InteractionId


def timed(kind: str, *about: int) -> InteractionId:
    """The number of an act of some kind about a match, its ply, a seat, a moment: the same for the same, for ever.

    >>> timed("out", 12, 3, 1_000_000) == timed("out", 12, 3, 1_000_000) < 0
    True
    >>> timed("out", 12, 3, 1_000_000) == timed("out", 12, 3, 1_000_001)
    False
    """
    digest = blake2b(" ".join((kind, *map(str, about))).encode(), digest_size=8).digest()
    return InteractionId(-1 - (int.from_bytes(digest) >> 1))
