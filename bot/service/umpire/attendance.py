"""Tracks which users are present at which board: those who pressed or typed something in its channel in the last
minutes.

The computer's answers notify no user who is present, and those who have left once. This is kept in memory alone: after
a restart a user may be notified once more.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from bot.core.values.ids import ChannelId, UserId

STAYS = 300
"""Seconds after a press for which a user counts as present."""
REMEMBERED = 10_000
"""The most pairs of a channel and a user that are remembered."""


class Visit(NamedTuple):
    """When a user was last seen in a channel, and whether an answer has notified them since."""

    at: int
    rung: bool = False


class Attendance:
    """The last visits of users in channels, in memory: the oldest are dropped first."""

    def __init__(self) -> None:
        self._visits: OrderedDict[tuple[ChannelId, UserId], Visit] = OrderedDict()

    def seen(self, place: ChannelId, user: UserId, now: int) -> None:
        """Note that a user has done something in a channel."""
        self._note(place, user, Visit(now))

    def rung(self, place: ChannelId, user: UserId, now: int) -> None:
        """Note that an answer has notified a user."""
        self._note(place, user, Visit(self._visits.get((place, user), Visit(now)).at, rung=True))

    def rings(self, place: ChannelId, user: UserId, now: int) -> bool:
        """Whether an answer is to notify a user: they have left, and none has notified them since."""
        visit = self._visits.get((place, user))
        return visit is None or not (visit.rung or 0 <= now - visit.at <= STAYS)

    def _note(self, place: ChannelId, user: UserId, visit: Visit) -> None:
        self._visits[place, user] = visit
        self._visits.move_to_end((place, user))
        if len(self._visits) > REMEMBERED:
            self._visits.popitem(last=False)
