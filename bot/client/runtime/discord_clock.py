"""The time, by Discord's clock: every answer of Discord's is dated, and that is put above the clock of this machine.

A machine's clock may be days off for a while, and is then put right; a challenge that expired meanwhile would have
expired for good. So the machine's own is looked at once, at the start, before Discord has said anything. From then on
the time is counted by a clock that nobody sets, and moved just as far as what Discord says makes necessary.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp

MUCH = 60
"""So many seconds are not to be explained by an answer that took long."""

log = logging.getLogger(__name__)


def since_boot() -> float:
    """Seconds that nobody sets; on Linux those count in which the machine was asleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class Clock:
    """Epoch seconds. `wall` may be wrong and be set; `steady` counts seconds from anywhere, but may stand still."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = since_boot) -> None:
        self._steady = steady
        self._ahead = wall() - steady()

    def __call__(self) -> int:
        """The present moment."""
        return int(self._steady() + self._ahead)

    def heard(self, date: float, sent: float) -> None:
        """Discord has answered what was sent at a moment of the steady clock, and dated that, to the second before.

        It was dated between the sending and now, and nothing more is known: an answer that was long under way does not
        set the clock back.
        """
        earliest, latest = date - self._steady(), date + 1 - sent
        right = min(max(self._ahead, earliest), latest)
        if abs(right - self._ahead) > MUCH:
            log.info("The clock was %+d seconds off Discord's and goes by that.", self._ahead - right)
        self._ahead = right

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Hear of every answer that an HTTP client gets."""
        trace.on_request_start.append(self._asked)
        trace.on_request_end.append(self._answered)

    async def _asked(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceRequestStartParams
    ) -> None:
        request.sent = self._steady()

    async def _answered(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self.heard(parsedate_to_datetime(answer.response.headers["Date"]).timestamp(), request.sent)
