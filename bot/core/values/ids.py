"""Ids: numbers that name things, each kind a type of its own, so that a person is never taken for a match.

A match's id is the store's, the others are Discord's; a thread is a channel. Numbers from outside become ids where they
come in: in an interaction (`bot.client.interactions.context`), a custom_id (`bot.client.interactions.custom_ids`)
or a row of the database.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NewType

MatchId = NewType("MatchId", int)
UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
InteractionId = NewType("InteractionId", int)
LeagueId = NewType("LeagueId", int)
"""The number of the interaction that founded the league: never given twice, also after a backup was put back."""


def timed(kind: str, *about: int) -> InteractionId:
    """The idempotency key of an act without an interaction: a deadline, a reminder, a computer's move.

    It is made from what the act is about (match, ply, seat, moment), so that doing it again, after a restart or in
    another process, is recognised like the second delivery of an interaction. It is negative; Discord's ids are not.

    >>> timed("out", 12, 3, 1_000_000) == timed("out", 12, 3, 1_000_000) < 0
    True
    >>> timed("out", 12, 3, 1_000_000) == timed("out", 12, 3, 1_000_001)
    False
    """
    digest = blake2b(" ".join((kind, *map(str, about))).encode(), digest_size=8).digest()
    return InteractionId(-1 - (int.from_bytes(digest) >> 1))
