"""Tells the time by Discord's clock, read from the dates of its answers, because the machine's clock may be wrong.

A machine's clock may be days off and be put right later; a challenge that expired meanwhile would be lost. So the
machine's clock is read once, at the start. From then on a steady clock counts the seconds, and each answer of Discord
corrects it as little as its date requires.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp

MUCH = 60
"""Seconds of correction that a slow answer cannot explain; more is logged."""

log = logging.getLogger(__name__)


class Clock:
    """Epoch seconds. `wall` may be wrong and be set; `steady` counts seconds from anywhere, but may stand still."""

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._steady = steady
        self._ahead = wall() - steady()

    def __call__(self) -> int:
        """The present moment."""
        return int(self._steady() + self._ahead)

    def heard(self, date: float, sent: float) -> None:
        """Correct the clock by the `date` of an answer, in whole seconds; `sent` is when the request left, steady.

        Discord dated it between the sending and now: a slow answer does not set the clock back.
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
