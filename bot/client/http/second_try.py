"""Sends a request once more, at once and on a new connection, where the first one was cut before an answer came.

Whether Discord has carried the request out nobody knows then. So it is repeated where a second time does no harm, and
what is refused because the first time counted is a success. discord.py 2.7.1 repeats only what macOS and Windows call
a reset connection (`tests/sandbox/test_library_faults.py`), aiohttp only what HTTP calls idempotent: neither answers
nor messages nor edits.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

import aiohttp
import discord
from discord.http import HTTPClient, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from yarl import URL

from bot.client.runtime.error_codes import Code, is_code

REPEATED_BY_DISCORD_PY = (54, 10054)
"""The numbers of a reset connection on macOS and on Windows."""
CALLBACK, FOLLOW_UP, MAILBOX, THREAD, MESSAGE = (
    "/callback",
    "/webhooks/",
    "/users/@me/channels",
    "/threads",
    "/messages",
)
"""Parts of the paths of what is posted: answers, further answers, channels of direct messages, threads and messages."""

log = logging.getLogger(__name__)


def install(http: HTTPClient) -> None:
    """Let all requests of a bot be sent a second time; its task calls this, and all that begin in it inherit it.

    discord.py sends answers to interactions by an adapter, and all else by its client.
    """
    first = http.request

    async def request(route: Route, *, files: Sequence[discord.File] | None = None, **about: Any) -> Any:
        async def again() -> Any:
            # aiohttp keeps connections by this name too, so that it finds none that may have been cut as well.
            return await first(route, files=files, server_hostname=URL(route.url).host, **about)

        return await _sent(
            route, first(route, files=files, **about), again, files, about.get("json"), about.get("form")
        )

    cast(Any, http).request = request
    async_context.set(SecondTry())


class SecondTry(AsyncWebhookAdapter):
    """Answers interactions, twice where the connection is cut."""

    async def request(self, route: Route, session: Any, *_: Any, **about: Any) -> Any:
        """Send one request."""
        send = super().request

        async def again() -> Any:
            return await send(route, cast(Any, Anew(session, URL(route.url).host)), **about)

        return await _sent(route, send(route, session, **about), again, about.get("files"))


class Anew:
    """The part of a session that the adapter uses; it takes no connection that was there before."""

    def __init__(self, session: aiohttp.ClientSession, host: str | None) -> None:
        self._session = session
        self._host = host

    def request(self, *given: Any, **about: Any) -> Any:
        """Send a request, as the session does."""
        return self._session.request(*given, server_hostname=self._host, **about)


async def _sent(
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
        if not (is_cut(fault) and may_repeat(route, body if body is not None else said_in(form))):
            raise
        log.debug("A %s is sent again: its connection was cut.", route.method)
    for file in files or ():
        file.reset()  # what was read of it is gone
    try:
        return await again()
    except discord.HTTPException as fault:
        if not is_code(fault, Code.ALREADY_ANSWERED):
            raise
        return {"interaction": {"id": route.webhook_id or 0}}  # the least that discord.py reads of an answer


def is_cut(fault: Exception) -> bool:
    """Whether a connection that stood was cut; it may be another kind of trouble, which a second try would meet too."""
    if isinstance(fault, aiohttp.ClientConnectorError):
        return False
    cut = aiohttp.ServerDisconnectedError, aiohttp.ClientPayloadError, aiohttp.ClientOSError, ConnectionError
    return isinstance(fault, cut) and getattr(fault, "errno", None) not in REPEATED_BY_DISCORD_PY


def may_repeat(route: Route, body: Any) -> bool:
    """Whether Discord does the same twice as once, or refuses the second time; not what aiohttp repeats by itself.

    It takes an answer once. A further answer would stand there twice, for its reader alone, and say the same. There is
    one channel with each person and one thread to each message; a message is made once for each nonce that is enforced.
    """
    if route.method != "POST":
        return route.method == "PATCH"
    path = route.path
    if path.endswith(THREAD):
        return MESSAGE in path
    if path.endswith(MESSAGE):
        return isinstance(body, dict) and cast(dict[str, Any], body).get("enforce_nonce") is True
    return path.endswith((CALLBACK, MAILBOX)) or path.startswith(FOLLOW_UP)


def said_in(form: Sequence[Mapping[str, Any]] | None) -> Any:
    """What a request with files says beside them."""
    said = next((part["value"] for part in form or () if part["name"] == "payload_json"), None)
    return said and json.loads(said)
