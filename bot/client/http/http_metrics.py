"""Every request to Discord as it is measured: by its route, without any number or token in it, and by what came of it.

An answer to an interaction is also timed here, from the moment when somebody acted, since discord.py tells nobody when
Discord has taken it.
"""

from __future__ import annotations

import time
from types import SimpleNamespace

import aiohttp

from bot.client.interactions.counting import answering
from bot.client.runtime.metrics import Measures

SECRET = ("interactions", "webhooks")
"""What is followed by a number and a token."""
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ROUTES = frozenset(
    {
        "/applications/@me",
        "/applications/{}/commands",
        "/applications/{}/guilds/{}/commands",
        "/channels/{}",
        "/channels/{}/messages",
        "/channels/{}/messages/{}",
        "/channels/{}/messages/{}/threads",
        "/channels/{}/thread-members/@me",
        "/channels/{}/threads",
        "/gateway",
        "/gateway/bot",
        "/guilds/{}",
        "/guilds/{}/channels",
        "/guilds/{}/members/{}",
        "/guilds/{}/threads/active",
        "/interactions/{}/{}/callback",
        "/oauth2/applications/@me",
        "/users/@me",
        "/users/@me/channels",
        "/users/{}",
        "/webhooks/{}/{}",
        "/webhooks/{}/{}/messages/@original",
        "/webhooks/{}/{}/messages/{}",
    }
)
"""The routes that are known by name; whatever else there may be is one more."""
CALLBACK = "/interactions/{}/{}/callback"
STATUSES = frozenset({101, 200, 201, 204, 400, 401, 403, 404, 429, 500, 502, 503, 504})
TWICE = b"40060"
"""The code with which Discord refuses an answer where it has one."""


def template(path: str) -> str:
    """The route of a path, in which what is a number or a token is {}; `other` where it is not one of those known.

    >>> template("/api/v10/channels/1234567890123456789/messages/1234567890123456790")
    '/channels/{}/messages/{}'
    >>> template("/api/v10/interactions/1234567890123456789/aW50ZXJhY3Rpb24/callback")
    '/interactions/{}/{}/callback'
    """
    parts = path.split("/")[1:]
    if parts[:1] == ["api"]:
        parts = parts[2:]
    hidden = ["{}" if part.isdigit() else part for part in parts]
    if len(hidden) > 2 and hidden[0] in SECRET:
        hidden[1:3] = ["{}", "{}"]
    route = "/" + "/".join(hidden)
    return route if route in ROUTES else "other"


def status_of(status: int) -> str:
    """The status of an answer, or its hundred where it is a rare one."""
    return str(status) if status in STATUSES else f"{status // 100 % 10}xx"


class Requests:
    """Measures every request of an HTTP client."""

    def __init__(self, measures: Measures) -> None:
        self.measures = measures

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Hear of every request; after whatever keeps requests waiting."""
        trace.on_request_start.append(self._begun)
        trace.on_request_end.append(self._ended)
        trace.on_request_exception.append(self._failed)
        trace.on_response_chunk_received.append(self._read)

    def _count(self, method: str, path: str, status: str) -> str:
        route = template(path)
        self.measures.requests.labels(method if method in VERBS else "other", route, status).inc()
        return route

    async def _begun(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceRequestStartParams
    ) -> None:
        request.begun = time.monotonic()

    async def _ended(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        now, status = time.monotonic(), answer.response.status
        route = self._count(answer.method, answer.url.path, status_of(status))
        self.measures.request_seconds.observe(now - request.begun)
        request.refused = status == 400
        if status == 429:
            scope = answer.response.headers.get("X-RateLimit-Scope", "")
            self.measures.limit(scope)
        elif (act := answering.get()) and route == CALLBACK and status < 300:
            self.measures.answered(act.kind, act.seconds())

    async def _failed(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, fault: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self._count(fault.method, fault.url.path, "none")

    async def _read(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, part: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        if getattr(request, "refused", False) and TWICE in part.chunk:
            self.measures.twice.inc()
