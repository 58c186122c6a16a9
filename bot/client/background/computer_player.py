"""The computer moves: wherever it is to, at once after an act that makes it so, and at a look every few seconds.

Nothing of it is kept but in the store, so whatever becomes of this process the next one goes on. A match is thought
about by one task at a time; where that comes to nothing, the match is left alone for a while, and for twice as long
each further time, unless somebody acts in it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, replace
from typing import Protocol

from bot.client.background.engine_pool import Searchers
from bot.client.http.throttle import in_background
from bot.client.views.replies import in_secret
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import Refusal
from bot.core.values.ids import MatchId
from bot.service.analysis import engine_request
from bot.service.analysis.engine_request import Turn
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader

AT_A_LOOK = 200
"""How many matches in which a computer is to move are looked up at once."""
PLACES = 8
"""How many of those that a look has found are in hand side by side; there may be thousands after an outage."""
HANDS = 12
"""How many are in hand in all. With the pause that is so many moves a second: each is an act and a board, and people's
own acts are not to wait behind them, nor Discord's limit of requests to be used up."""
PAUSE = 1.0
"""Seconds that the computer takes at least, so that people see what they have done before it answers."""
FIRST_REST, LONGEST_REST = 60.0, 3600.0
"""Seconds for which a match is left alone in which the computer could not move."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Show(Protocol):
    """Shows a match soon; no sooner for an act that is `quiet`."""

    def __call__(self, match: MatchId, quiet: bool = False) -> None: ...


@dataclass(frozen=True, slots=True)
class Rest:
    """Until when a match is left alone, and for how long that is."""

    until: float
    seconds: float


class Playing:
    """Plays for the computers."""

    def __init__(self, umpire: Umpire, searchers: Searchers, show: Show) -> None:
        self.umpire = umpire
        self.searchers = searchers
        self.show = show
        self.umpire.computes = self.soon
        self._under_way: dict[MatchId, asyncio.Task[None]] = {}
        self._asked: set[MatchId] = set()
        self._rests: dict[MatchId, Rest] = {}
        self._places, self._hands = asyncio.Semaphore(PLACES), asyncio.Semaphore(HANDS)
        self._idle = False

    def soon(self, match: MatchId) -> None:
        """Somebody has acted in a match, and a computer is to move in it: that may not have been so before."""
        if rest := self._rests.get(match):
            self._rests[match] = replace(rest, until=0.0)
        self._asked.add(match)
        self._begin(match)

    async def look(self) -> None:
        """Look once through all matches in which a computer is to move; those that there is no place for have to wait
        here."""
        in_background.set(True)
        due = await self._due()
        if due and not self.searchers.many:
            self._say_idle(len(due))
            return
        self._rests = {match: rest for match, rest in self._rests.items() if match in due}
        for match in due:
            if match not in self._under_way and not self._resting(match):
                await self._places.acquire()
                task = self._begin(match)
                task.add_done_callback(lambda _: self._places.release())

    def _say_idle(self, waiting: int) -> None:
        if not self._idle:
            log.warning("The computer is to move in %d matches, and is switched off (GRAPHPAPER_SEARCHERS).", waiting)
        self._idle = True

    async def _due(self) -> list[MatchId]:
        found: list[MatchId] = []
        while some := await self.umpire.store.ask(Reader.thinking, AT_A_LOOK, found[-1] if found else 0):
            found += some
        return found

    def _resting(self, match: MatchId) -> bool:
        return match in self._rests and self._rests[match].until > time.monotonic()

    def _begin(self, match: MatchId) -> asyncio.Task[None]:
        """The task of a match, which is begun if it is not under way."""
        if match in self._under_way:
            return self._under_way[match]
        task = self._under_way[match] = asyncio.create_task(self._played(match))
        task.add_done_callback(lambda done: self._ended(match, done))
        return task

    def _ended(self, match: MatchId, task: asyncio.Task[None]) -> None:
        del self._under_way[match]
        if match in self._asked and not task.cancelled():
            self._begin(match)

    async def _played(self, match: MatchId) -> None:
        """Play one move in a match, if a computer is to move. The umpire asks for the next one, and other matches have
        their turns in between."""
        try:
            async with self._hands:
                if turn := await self._turn(match):
                    await self._move(turn)
            self._rests.pop(match, None)
        except Unavailable:
            log.warning("The computer waits in match %d: the database cannot be used.", match)
        except (Refusal, MoveError) as refusal:
            # The sentence is for people, and may tell what was played.
            self._rest(match, type(refusal).__name__)
        except Exception as fault:
            self._rest(match, type(fault).__name__, fault)

    async def _turn(self, match: MatchId) -> Turn | None:
        self._asked.discard(match)
        if not self.searchers.many:
            return None
        seated = await self.umpire.load(match)
        return engine_request.turn(seated) if self.umpire.store.share.holds(seated.row.guild) else None

    async def _move(self, turn: Turn) -> None:
        """Think and play, and have it shown; what is refused because the match has gone on is thought about anew."""
        match, before = turn.seated.id, turn.seated.row.version
        begun = time.monotonic()
        steps.debug("thinking %d", match)
        thought = await self.searchers.think(turn.question)
        await asyncio.sleep(begun + PAUSE - time.monotonic())
        steps.debug("thought %d", match)
        try:
            done = await self.umpire.move(turn.act, match, turn.user, thought.move, turn.seen, start=turn.seated)
        except (Refusal, MoveError):
            if (await self.umpire.load(match)).row.version == before:
                raise
            self._asked.add(match)
            return
        if done.after.row.version == before:
            raise Refusal("That act was noted already, and the match goes on without it.")
        self.show(match, quiet=in_secret(done))

    def _rest(self, match: MatchId, why: str, fault: Exception | None = None) -> None:
        """Leave a match alone for a while; that is said once."""
        before = self._rests.get(match)
        seconds = min(before.seconds * 2, LONGEST_REST) if before else FIRST_REST
        self._rests[match] = Rest(time.monotonic() + seconds, seconds)
        if before is None:
            log.warning("The computer cannot move in match %d (%s), which is left for now.", match, why, exc_info=fault)

    async def settle(self) -> None:
        """Wait until everything that was begun has been tried."""
        while self._under_way:
            await asyncio.wait(self._under_way.values())

    async def close(self) -> None:
        """Stop; who is in the middle of a move goes on with it after the next start."""
        self._asked.clear()
        for task in self._under_way.values():
            task.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way.values())
