"""Measures every request to Discord: how long it took, and with which status it was answered.

An answer to an interaction is also timed from the moment when somebody acted, since discord.py tells nobody when
Discord has taken it.
"""

from __future__ import annotations

import re
import time
from types import SimpleNamespace

import aiohttp

from bot.client.interactions.response_deadline import answering
from bot.client.runtime.metrics import Metrics

CALLBACK = re.compile(r"/interactions/\d+/[^/]+/callback$")
ALREADY_ANSWERED = b"40060"
"""The code with which Discord refuses an answer where it has one."""


class HttpMetrics:
    """Measures the requests of an HTTP client."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Hear of every request; after what keeps requests waiting."""
        trace.on_request_start.append(self._begun)
        trace.on_request_end.append(self._ended)
        trace.on_request_exception.append(self._failed)
        trace.on_response_chunk_received.append(self._read)

    async def _begun(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceRequestStartParams
    ) -> None:
        request.begun = time.monotonic()

    async def _ended(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        status = answer.response.status
        self.metrics.requests.labels(str(status)).inc()
        self.metrics.request_seconds.observe(time.monotonic() - request.begun)
        request.refused = status == 400
        if (act := answering.get()) and status < 300 and CALLBACK.search(answer.url.path):
            self.metrics.answered(act.kind, act.seconds())

    async def _failed(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self.metrics.requests.labels("none").inc()

    async def _read(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, part: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        if getattr(request, "refused", False) and ALREADY_ANSWERED in part.chunk:
            self.metrics.already_answered.inc()
