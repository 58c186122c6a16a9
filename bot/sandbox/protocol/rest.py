"""The HTTP side: reading a request, finding its route, scripted faults, answering as Discord does.

`api_routes` says what the routes do; this module is only the way in and out. Every request is kept in a bounded log.
"""

import asyncio
import json
import logging
import socket
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from bot.sandbox.protocol.fault_kinds import Fault
from bot.sandbox.protocol.fault_script import Faults
from bot.sandbox.protocol.route_limits import RouteLimits
from bot.sandbox.world.api_errors import ApiError, is_object
from bot.sandbox.world.limits import MOST_REQUEST_BYTES
from bot.sandbox.world.posts import Draft, present

log = logging.getLogger(__name__)

MOST_REQUESTS = 5000
"""How many requests are kept."""
NO_GOODBYE = struct.pack("ii", 1, 0)
"""A socket with this option is reset when it is closed."""


@dataclass
class Call:
    """One request, as the routes see it."""

    method: str
    route: str
    params: dict[str, str]
    query: dict[str, str]
    draft: Draft = field(default_factory=lambda: Draft({}))
    body: Any = None


@dataclass
class Entry:
    """One line of the log: what was asked and what was answered."""

    method: str
    route: str
    path: str
    body: Any
    status: int
    answer: Any


Handler = Callable[[Call], Any]
Row = tuple[str, str, Handler]


class Router:
    """Finds the handler of a path; routes are written as in Discord's documentation."""

    def __init__(self) -> None:
        self.routes: dict[tuple[str, int], list[tuple[str, list[str], Handler]]] = {}

    def add(self, method: str, route: str, handler: Handler) -> None:
        """Register a handler; a fixed segment must be added before a parameter in the same place."""
        parts = route.strip("/").split("/")
        self.routes.setdefault((method, len(parts)), []).append((route, parts, handler))

    def find(self, method: str, path: str) -> tuple[str, dict[str, str], Handler] | None:
        """Route, parameters and handler for a path, or None."""
        given = path.strip("/").split("/")
        for route, parts, handler in self.routes.get((method, len(given)), []):
            params = {part.strip("{}"): value for part, value in zip(parts, given, strict=True) if part[0] == "{"}
            if all(part[0] == "{" or part == value for part, value in zip(parts, given, strict=True)):
                return route, params, handler
        return None


async def read(request: web.Request) -> tuple[Any, dict[int, tuple[str, bytes]]]:
    """The JSON body of a request and its files by number, whether sent plain or as a form; 40005 if it is too large."""
    if (request.content_length or 0) > MOST_REQUEST_BYTES:
        await request.read()
        raise ApiError(40005)
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        return (json.loads(raw) if raw else {}), {}
    body: Any = {}
    files: dict[int, tuple[str, bytes]] = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise ValueError("nested forms are not allowed")
        data = bytes(await part.read())
        name = part.name or ""
        if name == "payload_json":
            body = json.loads(data)
        elif name.startswith("files[") and name[6:-1].isdigit():
            files[int(name[6:-1])] = (part.filename or "file", data)
        else:
            raise ValueError(f"unexpected form field {name!r}")
    return body, files


def cut(transport: asyncio.Transport, reset: bool) -> None:
    """Close a connection without a word; by a `reset` where it is one of sockets."""
    if reset and (wire := transport.get_extra_info("socket")):
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_GOODBYE)
    transport.abort()


class Rest:
    """The API under /api/v10."""

    def __init__(
        self, router: Router, faults: Faults, token: str, base: Callable[[], str], limits: RouteLimits
    ) -> None:
        self.router = router
        self.faults = faults
        self.token = token
        self.base = base
        self.log: deque[Entry] = deque(maxlen=MOST_REQUESTS)
        self.unknown: list[str] = []
        self.limits = limits

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        path = "/" + request.match_info["tail"]
        found = self.router.find(request.method, path)
        if found is None:
            return self._unknown(request.method, path)
        route, params, handler = found
        try:
            body, files = await read(request)
        except ApiError as error:
            return self._answer(Entry(request.method, route, path, None, error.status, error.body()))
        except ValueError:
            return self._answer(Entry(request.method, route, path, None, 400, ApiError(50109).body()))
        object_body = body if is_object(body) else {}
        call = Call(request.method, route, params, dict(request.query), Draft(object_body, files), body)
        fault = self.faults.take(request.method, route, params.get("channel_id"))
        if fault:
            return await self._with_fault(fault, request, call, path, handler)
        wait, everywhere = self.limits.charge(request.method, route, path, body, self._loop_time())
        if wait:
            return self._limit(call, path, wait, "global" if everywhere else "user")
        return self._answer(self._do(request, call, path, handler))

    def _unknown(self, method: str, path: str) -> web.Response:
        self.unknown.append(f"{method} {path}")
        log.error("the sandbox does not know the route %s %s", method, path)
        return self._answer(Entry(method, "", path, None, 404, {"message": "404: Not Found", "code": 0}))

    def _do(self, request: web.Request, call: Call, path: str, handler: Handler) -> Entry:
        """Run the handler; a refusal becomes the answer."""
        open_to_all = call.route.startswith(("/webhooks/", "/interactions/"))
        try:
            if not open_to_all and request.headers.get("Authorization") != f"Bot {self.token}":
                raise ApiError(0)
            answer = present(handler(call), self.base())
            status = 204 if answer is None else 200
            if call.method == "POST" and call.route.endswith("/threads"):
                status = 201
        except ApiError as error:
            log.info("%s %s: %s", call.method, path, error)
            status, answer = error.status, error.body()
        except (KeyError, TypeError, ValueError, AttributeError):
            # A body of the wrong shape; a 500 would make discord.py try again for half a minute.
            log.exception("%s %s: the sandbox cannot make sense of the body", call.method, path)
            status, answer = 400, ApiError(50035).body()
        return Entry(call.method, call.route, path, call.body, status, answer)

    def _answer(self, entry: Entry) -> web.Response:
        self.log.append(entry)
        headers = {"Via": "1.1 sandbox"}
        if entry.route:
            now, epoch = self._loop_time(), self.faults.world.clock()
            headers |= self.limits.headers(entry.method, entry.route, entry.path, now, epoch)
        if entry.status == 204:
            return web.Response(status=204, headers=headers)
        # Exactly this content type: discord.py compares the whole header.
        headers["Content-Type"] = "application/json"
        return web.Response(status=entry.status, body=json.dumps(entry.answer).encode(), headers=headers)

    def _loop_time(self) -> float:
        return asyncio.get_running_loop().time()

    async def _with_fault(
        self, fault: Fault, request: web.Request, call: Call, path: str, handler: Handler
    ) -> web.StreamResponse:
        if fault.limits:
            return self._limited(fault, call, path)
        done: Entry | None = None
        for _ in range(fault.applied):
            done = self._do(request, call, path, handler)
        await asyncio.sleep(fault.seconds)
        left = request.transport is None or request.transport.is_closing()
        if left and fault.seconds and not done and not fault.late:
            # The client is gone, and its waiting request with it.
            return web.Response(status=499)
        if fault.drop:
            self.log.append(Entry(call.method, call.route, path, call.body, 0, None))
            if request.transport:
                cut(request.transport, fault.reset)
            return web.Response(status=500)
        if fault.status is None:
            return self._answer(done or self._do(request, call, path, handler))
        answer = {"message": f"{fault.status}: scripted", "code": fault.code}
        return self._answer(Entry(call.method, call.route, path, call.body, fault.status, answer))

    def _limited(self, fault: Fault, call: Call, path: str) -> web.Response:
        return self._limit(call, path, fault.wait(self._loop_time()), fault.scope, fault.code)

    def _limit(self, call: Call, path: str, seconds: float, scope: str, code: int = 0) -> web.Response:
        """Refuse a request for so many seconds; the scope is whose limit it is: `user`, `global` or `shared`."""
        wait = round(seconds, 3)
        about = {"retry_after": wait, "global": scope == "global", "code": code}
        whose = "The resource is" if scope == "shared" else "You are"
        answer = {"message": f"{whose} being rate limited.", **about}
        response = self._answer(Entry(call.method, call.route, path, call.body, 429, answer))
        response.headers["Retry-After"] = str(max(1, round(wait)))
        response.headers["X-RateLimit-Scope"] = scope
        if scope == "global":
            response.headers["X-RateLimit-Global"] = "true"
        return response
