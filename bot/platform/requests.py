"""Requests to Discord: its clock, throttling and metrics, and a retry after a cut connection."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from yarl import URL

from bot.platform.error_codes import Code, is_code
from bot.platform.interactions import answering
from bot.platform.machine import in_background, loop_time
from bot.platform.metrics import Metrics

# Tells the time by Discord's clock, read from the dates of its answers, because the machine's clock may be wrong.


MUCH = 60
"""Seconds of correction that a slow answer cannot explain; more is logged."""

log = logging.getLogger(__name__)


class DiscordClock:
    """Epoch seconds. `wall_time` may be wrong and be set; `steady` counts seconds from an arbitrary start, but may
    stand still."""

    def __init__(self, wall_time: Callable[[], float], steady: Callable[[], float]) -> None:
        self._steady = steady
        self._ahead = wall_time() - steady()

    def __call__(self) -> int:
        return int(self._steady() + self._ahead)

    def correct_by(self, date: float, sent: float) -> None:
        """Correct the clock by the `date` of an answer, in whole seconds; `sent` is when the request left, steady.

        Discord dated it between the sending and now: a slow answer does not set the clock back.
        """
        earliest, latest = date - self._steady(), date + 1 - sent
        right = min(max(self._ahead, earliest), latest)
        if abs(right - self._ahead) > MUCH:
            log.info("The clock was %+d seconds off Discord's and goes by that.", self._ahead - right)
        self._ahead = right

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Register with an HTTP client."""
        trace.on_request_start.append(self._on_request_start)
        trace.on_request_end.append(self._on_request_end)

    async def _on_request_start(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceRequestStartParams
    ) -> None:
        request.sent = self._steady()

    async def _on_request_end(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self.correct_by(parsedate_to_datetime(answer.response.headers["Date"]).timestamp(), request.sent)


# Follows every request to Discord: background requests are throttled, and all requests are measured.


IN_BACKGROUND = 40
"""The number of requests of all processes in the last second that delays work in the background. Discord's limit is
50."""
UNLIMITED = ("/interactions/", "/webhooks/")
LONGEST_LIMIT = 330.0
"""Seconds that discord.py waits for a limit, at most; for longer ones it raises `discord.RateLimited`.

It accepts no less than 30. But it refuses *every* request of a bucket whose window ends later than that, also while the
bucket has requests left: so this is more than five minutes, the longest window known.
"""
GRACE = 1.0
"""Seconds after a limit on all requests in which discord.py lifts it by itself."""
CALLBACK_PATH = re.compile(r"/interactions/\d+/[^/]+/callback$")
ALREADY_ANSWERED = str(int(Code.ALREADY_ANSWERED)).encode()
"""The code with which Discord refuses a second answer."""


class Throttle:
    """Counts the requests of the last second, and delays those in the background. Its `trace` goes to the HTTP client,
    which calls it before each request. `part` is the share of all servers that this process serves."""

    def __init__(self, part: float = 1.0) -> None:
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._on_request_start)
        self.capacity = max(1, int(IN_BACKGROUND * part))
        self._begins: deque[float] = deque(maxlen=self.capacity)
        self.trace.on_request_end.append(self._on_request_end)
        self._all_from = 0.0

    async def _on_request_start(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, asked: aiohttp.TraceRequestStartParams
    ) -> None:
        if any(part in asked.url.path for part in UNLIMITED):
            return
        if in_background.get():
            await self.wait_for_capacity()
        self._begins.append(loop_time())

    async def _on_request_end(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, told: aiohttp.TraceRequestEndParams
    ) -> None:
        if "X-RateLimit-Global" in told.response.headers:
            seconds = told.response.headers.get("Retry-After", "")
            self._all_from = loop_time() + (int(seconds) if seconds.isdecimal() else 0)

    async def wait_for_capacity(self) -> None:
        """Wait until background work may send a request."""
        while len(self._begins) == self.capacity:
            wait = self._begins[0] + 1 - loop_time()
            if wait <= 0:
                return
            await asyncio.sleep(wait)

    def unblock(self, http: HTTPClient) -> None:
        """Lift a limit on all requests that is over.

        discord.py leaves that to the request that hit the limit. If that one is cancelled, no other would ever be sent
        again.
        """
        lifted: asyncio.Event = http._global_over  # pyright: ignore[reportPrivateUsage]  -- there is no other way
        if not lifted.is_set() and loop_time() > self._all_from + GRACE:
            lifted.set()


class HttpMetrics:
    """Measures the requests of an HTTP client: how long each took, and with which status it was answered.

    An answer to an interaction is also timed from the moment when its user acted, since discord.py does not report when
    Discord has accepted it.
    """

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Register with an HTTP client, after the throttle, so that its delays are not measured."""
        trace.on_request_start.append(self._on_request_start)
        trace.on_request_end.append(self._on_request_end)
        trace.on_request_exception.append(self._on_request_exception)
        trace.on_response_chunk_received.append(self._on_response_chunk)

    async def _on_request_start(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceRequestStartParams
    ) -> None:
        request.begun = loop_time()

    async def _on_request_end(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        status = answer.response.status
        self.metrics.requests.labels(str(status)).inc()
        self.metrics.request_seconds.observe(loop_time() - request.begun)
        request.refused = status == 400
        if (act := answering.get()) and status < 300 and CALLBACK_PATH.search(answer.url.path):
            self.metrics.observe_answer(act.kind, act.seconds())

    async def _on_request_exception(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self.metrics.requests.labels("none").inc()

    async def _on_response_chunk(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, part: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        if getattr(request, "refused", False) and ALREADY_ANSWERED in part.chunk:
            self.metrics.already_answered.inc()


# Retries a request once, at once and on a new connection, where the first one was cut before an answer came.


REPEATED_BY_DISCORD_PY = (54, 10054)
"""The numbers of a reset connection on macOS and on Windows."""
CALLBACK, FOLLOW_UP, MAILBOX, THREAD, MESSAGE = (
    "/callback",
    "/webhooks/",
    "/users/@me/channels",
    "/threads",
    "/messages",
)
"""Parts of the paths of POST requests that are safe to repeat: answers, follow-ups, DM channels, threads and
messages."""


def install(http: HTTPClient) -> None:
    """Let all requests of a bot be retried; called in the bot's task, whose child tasks inherit it.

    discord.py sends answers to interactions through an adapter, and all else through its client.
    """
    first = http.request

    async def request(route: Route, *, files: Sequence[discord.File] | None = None, **about: Any) -> Any:
        async def again() -> Any:
            # aiohttp pools connections by this name too, so that it finds none that may have been cut as well.
            return await first(route, files=files, server_hostname=URL(route.url).host, **about)

        return await _send_with_retry(
            route, first(route, files=files, **about), again, files, about.get("json"), about.get("form")
        )

    cast(Any, http).request = request
    async_context.set(RetryingAdapter())


class RetryingAdapter(AsyncWebhookAdapter):
    """Answers interactions, with a retry where the connection is cut."""

    async def request(self, route: Route, session: Any, *_: Any, **about: Any) -> Any:
        send = super().request

        async def again() -> Any:
            return await send(route, cast(Any, FreshConnectionSession(session, URL(route.url).host)), **about)

        return await _send_with_retry(route, send(route, session, **about), again, about.get("files"))


class FreshConnectionSession:
    """The part of a session that the adapter uses; it reuses no connection."""

    def __init__(self, session: aiohttp.ClientSession, host: str | None) -> None:
        self._session = session
        self._host = host

    def request(self, *given: Any, **about: Any) -> Any:
        return self._session.request(*given, server_hostname=self._host, **about)


async def _send_with_retry(
    route: Route,
    first: Awaitable[Any],
    again: Callable[[], Awaitable[Any]],
    files: Sequence[discord.File] | None,
    body: Any = None,
    form: Sequence[Mapping[str, Any]] | None = None,
) -> Any:
    try:
        return await first
    except (aiohttp.ClientError, OSError) as fault:
        if not (is_cut(fault) and may_repeat(route, body if body is not None else parse_payload(form))):
            raise
        log.debug("A %s is sent again: its connection was cut.", route.method)
    for file in files or ():
        file.reset()  # the first attempt has read it
    try:
        return await again()
    except discord.HTTPException as fault:
        if not is_code(fault, Code.ALREADY_ANSWERED):
            raise
        return {"interaction": {"id": route.webhook_id or 0}}  # the least that discord.py reads of an answer


def is_cut(fault: Exception) -> bool:
    """Whether an established connection was cut; other errors would meet a retry too."""
    if isinstance(fault, aiohttp.ClientConnectorError):
        return False
    cut = aiohttp.ServerDisconnectedError, aiohttp.ClientPayloadError, aiohttp.ClientOSError, ConnectionError
    return isinstance(fault, cut) and getattr(fault, "errno", None) not in REPEATED_BY_DISCORD_PY


def may_repeat(route: Route, body: Any) -> bool:
    """Whether Discord does the same twice as once, or refuses the second time; not what aiohttp repeats by itself.

    It accepts an answer once. A duplicate follow-up is shown to its user alone, and says the same. There is
    one DM channel with each user and one thread for each message; a message is made once for each enforced nonce.
    """
    if route.method != "POST":
        return route.method == "PATCH"
    path = route.path
    if path.endswith(THREAD):
        return MESSAGE in path
    if path.endswith(MESSAGE):
        return isinstance(body, dict) and cast(dict[str, Any], body).get("enforce_nonce") is True
    return path.endswith((CALLBACK, MAILBOX)) or path.startswith(FOLLOW_UP)


def parse_payload(form: Sequence[Mapping[str, Any]] | None) -> Any:
    """The JSON part of a multipart request."""
    said = next((part["value"] for part in form or () if part["name"] == "payload_json"), None)
    return said and json.loads(said)
