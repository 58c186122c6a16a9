"""When a match is shown: at once where people have acted, in turn where its board lags behind, later where that failed.

Each match has a turn of its own, which ends after `LONGEST_TURN` seconds at most, so a request that hangs holds up
nobody else's board. What people wait for begins at once. What lags behind shares some places, and of each channel one
match at a time is shown, since Discord limits requests by channel: whoever acts there waits for one board at most. A
match that cannot be shown is left alone for a while, and for twice as long each further time; all of this is forgotten
at a restart, which begins with everything that lags.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bot.client.http.throttle import Traffic
from bot.core.values.ids import ChannelId, MatchId
from data.engine.database_errors import Unavailable

LONGEST_TURN = 30.0
"""Seconds after which showing a match is given up for now. Discord may have taken what it did not answer: the next try
finds that by its nonce."""
LONGEST_PAUSE = 300.0
PLACES, PLACE_FOR = 12, 2.0
"""How many matches that lag behind are shown side by side, and the seconds after which one that is still not shown goes
on without a place: those whose requests hang leave room for the others."""
LINE_FOR = 8.0
"""Seconds more after which the next match of the same channel has its turn, though the one before is still not shown: a
channel that is limited may take some for a board, one that hangs takes for ever."""
LAST_TURNS = 2.5
"""Seconds that matches being shown are given when the bot stops."""
ENDED_WITHIN = 0.3
"""Seconds for what is broken off to end: discord.py may go on waiting for a rate limit."""

Show = Callable[[MatchId, bool], Awaitable[None]]
"""Shows a match; and posts its board again if somebody deleted it."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pause:
    """Until when a match is left alone, and for how long that is; `named`: Discord itself has said so."""

    until: float
    seconds: float
    named: bool = False


class Schedule:
    """The turns of the matches."""

    def __init__(self, show: Show, traffic: Traffic, first_pause: float) -> None:
        self.show = show
        self.traffic = traffic
        self.first_pause = first_pause
        self.ending = False
        """Set when the bot stops: what is not shown by then is shown by the next one."""
        self._turns: dict[MatchId, asyncio.Task[None]] = {}
        self._asked: dict[MatchId, bool] = {}
        self._urgent: set[MatchId] = set()
        self._pauses: dict[MatchId, Pause] = {}
        self._places = asyncio.Semaphore(PLACES)
        self._lines: dict[ChannelId, asyncio.Task[None]] = {}
        self._beside: set[asyncio.Task[None]] = set()

    def ask(self, match: MatchId, restore: bool = False, quiet: bool = False) -> None:
        """Show a match at once: people have acted. What was amiss with it before is forgotten, but for what Discord
        has asked to wait for. Of an act that is `quiet` nobody is to learn: what was amiss is waited for as without it.
        """
        pause = self._pauses.get(match)
        if pause and quiet:
            return
        self._asked[match] = restore or self._asked.get(match, False)
        if not quiet:
            self._urgent.add(match)
        if not (pause and pause.named and self._resting(match)):
            self._pauses.pop(match, None)
            self._begin(match)

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something in a task of its own that holds up no match's turn; it sees to its failures itself."""
        if self.ending:
            work.close()
            return
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def turn(self, match: MatchId, within: float) -> None:
        """Wait for the turn of a match that is under way, so many seconds at most."""
        if turn := self._turns.get(match):
            await asyncio.wait((turn,), timeout=within)

    def again(self) -> None:
        """Try again what people have asked for and did not get, unless it is to be left alone for now."""
        for match in tuple(self._asked):
            if not self._resting(match):
                self._begin(match)

    def _resting(self, match: MatchId) -> bool:
        """Whether a match that could not be shown is to be left alone for now."""
        pause = self._pauses.get(match)
        return pause is not None and pause.until > time.monotonic()

    async def share(self, due: Iterable[tuple[MatchId, ChannelId]]) -> None:
        """Have matches shown that lag behind, those of one channel one after the other. Returns when all of these
        channels have begun; what is still in hand or resting is left to the next look."""
        lines: dict[ChannelId, list[MatchId]] = {}
        for match, channel in due:
            if channel not in self._lines and match not in self._turns and not self._resting(match):
                lines.setdefault(channel, []).append(match)
        for channel, matches in lines.items():
            await self._places.acquire()
            line = self._lines[channel] = asyncio.create_task(self._line(channel, matches))
            line.add_done_callback(lambda _, channel=channel: self._lines.pop(channel, None))

    async def settle(self) -> None:
        """Wait until everything that was begun has been tried."""
        while under_way := (*self._turns.values(), *self._lines.values(), *self._beside):
            await asyncio.wait(under_way)

    async def stop(self) -> None:
        """Let the matches being shown get there if that is a matter of moments, and break the others off."""
        for line in self._lines.values():
            line.cancel()
        try:
            async with asyncio.timeout(LAST_TURNS):
                await self.settle()
        except TimeoutError:
            log.info("%d matches are left to the next start.", len(self._turns))
        self.ending = True
        if left := (*self._turns.values(), *self._beside):
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=ENDED_WITHIN)

    def _begin(self, match: MatchId) -> asyncio.Task[None] | None:
        """The turn of a match, which is begun if it is not under way."""
        turn = self._turns.get(match)
        if self.ending or (turn and not turn.done()):
            return turn
        turn = self._turns[match] = asyncio.create_task(self._turn(match))
        turn.add_done_callback(lambda done: self._turns.get(match) is done and self._turns.pop(match))
        return turn

    async def _line(self, channel: ChannelId, matches: list[MatchId]) -> None:
        """Matches of one channel, one after the other; the place of the first has been taken."""
        for index, match in enumerate(matches):
            if index:
                await self._places.acquire()
            try:
                await self.traffic.room()
                if turn := self._begin(match):
                    await asyncio.wait((turn,), timeout=PLACE_FOR)
            finally:
                self._places.release()
            if turn:
                await asyncio.wait((turn,), timeout=LINE_FOR)

    async def _turn(self, match: MatchId) -> None:
        """Show a match, and again while it is asked for meanwhile."""
        while True:
            asked = self._asked.pop(match, None)
            self._urgent.discard(match)
            fault = await self._tried(match, bool(asked))
            again = match in (self._urgent if fault else self._asked)
            if fault is None:
                self._pauses.pop(match, None)
            else:
                self._rest(match, fault)
                self._keep(match, asked)
            if not again or isinstance(fault, discord.RateLimited):
                return

    def _keep(self, match: MatchId, asked: bool | None) -> None:
        """Know that people are still to get what they asked for; what was asked quietly meanwhile changes nothing."""
        if asked is not None:
            self._asked[match] = asked or self._asked.get(match, False)
        elif match not in self._urgent:
            self._asked.pop(match, None)

    async def _tried(self, match: MatchId, restore: bool) -> Exception | None:
        try:
            async with asyncio.timeout(LONGEST_TURN):
                await self.show(match, restore)
        except Exception as fault:
            return fault
        return None

    def _rest(self, match: MatchId, fault: Exception) -> None:
        """Leave a match alone that could not be shown: for as long as Discord says, else for longer each time."""
        before = self._pauses.get(match)
        if isinstance(fault, discord.RateLimited):
            seconds = fault.retry_after
        elif before and not before.named:
            seconds = min(before.seconds * 2, LONGEST_PAUSE)
        else:
            seconds = min(self.first_pause, LONGEST_PAUSE)
        self._pauses[match] = Pause(time.monotonic() + seconds, seconds, isinstance(fault, discord.RateLimited))
        why = reason(fault)
        text = "Match %d could not be shown and will be tried again in %g s: %s."
        log.warning(text, match, seconds, why or "nobody foresaw why", exc_info=None if why else fault)


def reason(fault: Exception) -> str | None:
    """What kept a match from being shown, in a few words; None for what nobody foresaw."""
    match fault:
        case discord.RateLimited():
            return "Discord asked for patience"
        case discord.HTTPException():
            return f"Discord answered {fault.status}, code {fault.code}"
        case TimeoutError():
            return f"Discord did not answer within {LONGEST_TURN:g} s"
        case aiohttp.ClientError() | OSError():
            return f"Discord could not be reached ({type(fault).__name__})"
        case Unavailable():
            return "the database cannot be used"
        case _:
            return None
