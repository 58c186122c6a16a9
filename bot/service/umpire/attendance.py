"""Who is at which board: whoever pressed or typed something where it stands in the last minutes.

The computer's answers ring for nobody who is there, and once for whoever has left. It is known in memory alone: after a
restart a phone may ring once more.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from bot.core.values.ids import ChannelId, UserId

STAYS = 300
"""Seconds for which somebody who has pressed something is taken to be there still."""
REMEMBERED = 10_000
"""Of so many people in places it is remembered."""


class Visit(NamedTuple):
    """When somebody was last seen in a place, and whether an answer has rung for them since."""

    at: int
    rung: bool = False


class Attendance:
    """Remembers who was where."""

    def __init__(self) -> None:
        self._visits: OrderedDict[tuple[ChannelId, UserId], Visit] = OrderedDict()

    def seen(self, place: ChannelId, user: UserId, now: int) -> None:
        """Note that somebody has done something in a place."""
        self._note(place, user, Visit(now))

    def rung(self, place: ChannelId, user: UserId, now: int) -> None:
        """Note that an answer has rung for somebody."""
        self._note(place, user, Visit(self._visits.get((place, user), Visit(now)).at, rung=True))

    def rings(self, place: ChannelId, user: UserId, now: int) -> bool:
        """Whether an answer is to ring for somebody: they have left, and none has rung since."""
        visit = self._visits.get((place, user))
        return visit is None or not (visit.rung or 0 <= now - visit.at <= STAYS)

    def _note(self, place: ChannelId, user: UserId, visit: Visit) -> None:
        self._visits[place, user] = visit
        self._visits.move_to_end((place, user))
        if len(self._visits) > REMEMBERED:
            self._visits.popitem(last=False)
