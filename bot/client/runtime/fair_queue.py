"""A queue in which nobody who asks for much makes others wait: for the searches of the computer, and for films.

Of one person one thing is done at a time. Servers take turns, and in a server its people do; what is cheap comes
before what is dear, but not for ever. Who waits holds nothing but a place in the queue, and gives it up when cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from bot.client.runtime.loop_time import loop_time
from bot.core.values.ids import GuildId, UserId

YIELDS = 4.0
"""What is dear lets pass what is cheaper for so many times as long as it takes itself, then no longer."""


class Order(IntEnum):
    """What of a person's comes first; reviews come after what anybody waits for in a match."""

    HINT = 0
    """What somebody asks about their own move."""
    MOVE = 1
    """The computer's own moves."""
    REVIEW = 2
    """What is found out about a match that is over."""


class Asker(NamedTuple):
    """For whom something is done, and in which server."""

    guild: GuildId
    user: UserId


NOBODY = Asker(GuildId(0), UserId(0))
"""For whom something is done that no person has asked for."""


class Wait(NamedTuple):
    """How many other people are before somebody, and about how many seconds it takes until it is their turn."""

    others: int
    seconds: float


@dataclass(eq=False, slots=True)
class Place:
    """A place in the queue; `cost` is about how many seconds the work takes, `turn` is set when it may begin,
    and `about` is what it is asked for by."""

    asker: Asker
    order: Order
    cost: float
    since: float
    turn: asyncio.Future[None]
    about: Hashable = None


class FairQueue:
    """Lets so many work at a time."""

    def __init__(self, room: Callable[[], int]) -> None:
        self._room = room
        self._waiting: list[Place] = []
        self._working: list[Place] = []
        self._left: dict[UserId, float] = {}
        """When the last work of a person ended; what they wait for does not count as waiting before that."""
        self._served: dict[GuildId, float] = {}
        """When the last work for a server began or ended."""

    @asynccontextmanager
    async def turn(self, asker: Asker, *, cost: float = 0.0, about: Hashable = None) -> AsyncGenerator[None]:
        """Work in this block when it is somebody's turn."""
        place = await self.enter(asker, Order.MOVE, cost, about)
        try:
            yield
        finally:
            self.leave(place)

    async def enter(self, asker: Asker, order: Order, cost: float, about: Hashable = None) -> Place:
        """Wait until it is somebody's turn; they `leave` when their work is over."""
        place = Place(asker, order, cost, loop_time(), asyncio.get_running_loop().create_future(), about)
        self._waiting.append(place)
        self._next()
        try:
            await place.turn
        except asyncio.CancelledError:
            if place in self._working:
                self.leave(place)
            else:
                self._waiting.remove(place)
            raise
        return place

    def leave(self, place: Place) -> None:
        """Give up a turn: the work is over."""
        self._working.remove(place)
        self._left[place.asker.user] = self._served[place.asker.guild] = loop_time()
        self._next()

    def wait(self, about: Hashable) -> Wait | None:
        """How long something waits, or None where it does not wait."""
        mine = next((place for place in self._waiting if place.about == about), None)
        if mine is None:
            return None
        before = [*self._working, *self._before(mine)]
        others = {place.asker.user for place in before} - {mine.asker.user}
        return Wait(len(others), sum(place.cost for place in before) / max(1, self._room()))

    def _before(self, mine: Place) -> Iterator[Place]:
        """What is done before something that waits, as it looks now: of each other person one thing, which may be under
        way, of their own all that comes first."""
        seen = {place.asker.user for place in self._working}
        for place in sorted(self._waiting, key=self._within):
            if place is mine or (place.order is Order.REVIEW and mine.order is not Order.REVIEW):
                continue
            user = place.asker.user
            if user == mine.asker.user:
                if self._own(place) < self._own(mine):
                    yield place
            elif user not in seen and self._within(place) <= self._within(mine):
                seen.add(user)
                yield place

    def _next(self) -> None:
        """Let those begin for whom there is room."""
        while len(self._working) < self._room() and (place := self._first()):
            self._waiting.remove(place)
            self._working.append(place)
            self._served[place.asker.guild] = loop_time()
            place.turn.set_result(None)
        if not self._waiting:
            # Whoever comes from now on has waited for less long than this.
            self._left.clear()
            self._served.clear()

    def _first(self) -> Place | None:
        """Whose turn it is: of the server that has waited longest, the person who has."""
        busy = {place.asker.user for place in self._working}
        free = [place for place in self._waiting if place.asker.user not in busy and not place.turn.done()]
        own: dict[Asker, Place] = {}
        for place in sorted(free, key=self._own):
            own.setdefault(place.asker, place)
        heads: dict[GuildId, Place] = {}
        for place in sorted(own.values(), key=self._within):
            heads.setdefault(place.asker.guild, place)
        return min(heads.values(), key=self._among, default=None)

    def _own(self, place: Place) -> tuple[Order, float, float]:
        """The order among what one person waits for."""
        return place.order, lets_pass(place), place.since

    def _within(self, place: Place) -> tuple[bool, float]:
        """The order among the people of a server."""
        since = max(place.since, self._left.get(place.asker.user, 0.0))
        return place.order is Order.REVIEW, since + lets_pass(place)

    def _among(self, place: Place) -> tuple[bool, float]:
        """The order among servers."""
        since = max(place.since, self._served.get(place.asker.guild, 0.0))
        return place.order is Order.REVIEW, since + lets_pass(place)


def lets_pass(place: Place) -> float:
    """For how many seconds something lets pass what is cheaper. A hint lets nothing pass, since somebody sits and waits
    for it and has only one at a time; nor do the questions of a review, which are all parts of one work."""
    return YIELDS * place.cost if place.order is Order.MOVE else 0.0
