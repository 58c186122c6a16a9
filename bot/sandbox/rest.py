"""The REST API: requests, rate limits, faults, responses."""

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

from bot.sandbox.components import MOST_REQUEST_BYTES
from bot.sandbox.errors import ApiError, is_object
from bot.sandbox.faults import Fault, FaultScript
from bot.sandbox.posts import MessageDraft, copy_for_clients

# Discord's rate limits: how many requests each route allows in which time, as its headers say.


MESSAGES, CHANNEL = "/channels/{channel_id}/messages", "/channels/{channel_id}"
USUAL = (200, 1.0)
"""The limit of a route without a known one: (requests, seconds)."""
KNOWN: dict[tuple[str, str], tuple[int, float]] = {
    ("POST", MESSAGES): (5, 5.0),
    ("PATCH", f"{MESSAGES}/{{message_id}}"): (5, 5.0),
    ("PATCH", CHANNEL): (5, 15.0),
}
EVERYWHERE = (50, 1.0)
"""The global limit, which does not apply to answers to interactions: (requests, seconds)."""
RENAMES = (2, 600.0)
"""The limit on changes of a channel's name, and of its topic, which no header shows: (requests, seconds)."""
KEPT = 2000


@dataclass
class LimitWindow:
    """The requests of one bucket since the window began."""

    most: int
    seconds: float
    started: float
    used: int = 0

    def seconds_left(self, now: float) -> float:
        """Seconds until the window ends."""
        return max(0.0, self.started + self.seconds - now)


def bucket_name(method: str, route: str, path: str) -> str:
    """The bucket of a request: its route in one channel or server, or with one interaction token."""
    parts = path.split("/")
    return f"{method} {route} {'/'.join(parts[: 4 if parts[1] == 'webhooks' else 3])}"


@dataclass
class RouteLimits:
    """All buckets; `on`: whether requests beyond the limits are refused."""

    on: bool = False
    windows: dict[str, LimitWindow] = field(default_factory=dict[str, LimitWindow])
    renames: dict[tuple[str, str], deque[float]] = field(default_factory=dict[tuple[str, str], deque[float]])

    def charge_request(self, method: str, route: str, path: str, body: Any, now: float) -> tuple[float, bool]:
        """Count a request; the seconds to wait (0: none), and whether the global limit is the cause."""
        most, seconds = KNOWN.get((method, route), USUAL) if self.on else USUAL
        wait = self._count_request(bucket_name(method, route, path), most, seconds, now)
        if not self.on:
            return 0.0, False
        if not path.startswith(("/interactions/", "/webhooks/")) and (
            all_of := self._count_request("", *EVERYWHERE, now)
        ):
            return all_of, True
        if (method, route) == ("PATCH", CHANNEL) and not wait:
            wait = self._count_rename(path, body, now)
        return wait, False

    def _count_request(self, name: str, most: int, seconds: float, now: float) -> float:
        window = self.windows.get(name)
        if window is None or not window.seconds_left(now):
            if len(self.windows) > KEPT:
                self.windows = {key: one for key, one in self.windows.items() if one.seconds_left(now)}
            window = self.windows[name] = LimitWindow(most, seconds, now)
        window.used += 1
        return window.seconds_left(now) if window.used > most else 0.0

    def _count_rename(self, path: str, body: Any, now: float) -> float:
        most, seconds = RENAMES
        for key in ("name", "topic"):
            if not is_object(body) or key not in body:
                continue
            times = self.renames.setdefault((path, key), deque(maxlen=most))
            if len(times) == most and now - times[0] < seconds:
                return times[0] + seconds - now
            times.append(now)
        return 0.0

    def limit_headers(self, method: str, route: str, path: str, now: float, epoch: float) -> dict[str, str]:
        """The rate limit headers of a response; without limits one request is always left."""
        window = self.windows.get(bucket_name(method, route, path)) or LimitWindow(*USUAL, now)
        left = window.seconds_left(now) if self.on else 1.0
        return {
            "X-RateLimit-Limit": str(window.most),
            "X-RateLimit-Remaining": str(max(0 if self.on else 1, window.most - window.used)),
            "X-RateLimit-Reset": f"{epoch + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": f"{method}{route}".translate(str.maketrans("", "", "/{}@_")).lower(),
        }


# Reading a request, finding its route, scripted faults, responding as Discord does.


log = logging.getLogger(__name__)

MOST_REQUESTS = 5000
"""How many requests the log keeps."""
NO_GOODBYE = struct.pack("ii", 1, 0)
"""The value of SO_LINGER with which closing a socket sends RST."""


@dataclass
class RestCall:
    """One request, as the route handlers get it."""

    method: str
    route: str
    params: dict[str, str]
    query: dict[str, str]
    draft: MessageDraft = field(default_factory=lambda: MessageDraft({}))
    body: Any = None


@dataclass
class RequestLogEntry:
    """One entry of the log: the request and its response."""

    method: str
    route: str
    path: str
    body: Any
    status: int
    answer: Any


Handler = Callable[[RestCall], Any]
Row = tuple[str, str, Handler]


class RestRouter:
    """Finds the handler of a path; routes are written as in Discord's documentation, such as /users/{user_id}."""

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


async def read_body(request: web.Request) -> tuple[Any, dict[int, tuple[str, bytes]]]:
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


def cut_connection(transport: asyncio.Transport, reset: bool) -> None:
    """Close a connection without a response; with `reset` by RST if it is a socket."""
    if reset and (wire := transport.get_extra_info("socket")):
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_GOODBYE)
    transport.abort()


class RestApi:
    """The API under /api/v10."""

    def __init__(
        self, router: RestRouter, faults: FaultScript, token: str, base: Callable[[], str], limits: RouteLimits
    ) -> None:
        self.router = router
        self.faults = faults
        self.token = token
        self.base = base
        self.log: deque[RequestLogEntry] = deque(maxlen=MOST_REQUESTS)
        self.unknown: list[str] = []
        self.limits = limits

    async def handle(self, request: web.Request) -> web.StreamResponse:
        path = "/" + request.match_info["tail"]
        found = self.router.find(request.method, path)
        if found is None:
            return self._answer_unknown_route(request.method, path)
        route, params, handler = found
        try:
            body, files = await read_body(request)
        except ApiError as error:
            return self._answer(RequestLogEntry(request.method, route, path, None, error.status, error.body()))
        except ValueError:
            return self._answer(RequestLogEntry(request.method, route, path, None, 400, ApiError(50109).body()))
        object_body = body if is_object(body) else {}
        call = RestCall(request.method, route, params, dict(request.query), MessageDraft(object_body, files), body)
        fault = self.faults.next_fault(request.method, route, params.get("channel_id"))
        if fault:
            return await self._answer_with_fault(fault, request, call, path, handler)
        wait, everywhere = self.limits.charge_request(request.method, route, path, body, self._loop_time())
        if wait:
            return self._refuse_for(call, path, wait, "global" if everywhere else "user")
        return self._answer(self._run_handler(request, call, path, handler))

    def _answer_unknown_route(self, method: str, path: str) -> web.Response:
        self.unknown.append(f"{method} {path}")
        log.error("the sandbox does not know the route %s %s", method, path)
        return self._answer(RequestLogEntry(method, "", path, None, 404, {"message": "404: Not Found", "code": 0}))

    def _run_handler(self, request: web.Request, call: RestCall, path: str, handler: Handler) -> RequestLogEntry:
        """Run the handler; an ApiError becomes the response."""
        open_to_all = call.route.startswith(("/webhooks/", "/interactions/"))
        try:
            if not open_to_all and request.headers.get("Authorization") != f"Bot {self.token}":
                raise ApiError(0)
            answer = copy_for_clients(handler(call), self.base())
            status = 204 if answer is None else 200
            if call.method == "POST" and call.route.endswith("/threads"):
                status = 201
        except ApiError as error:
            log.info("%s %s: %s", call.method, path, error)
            status, answer = error.status, error.body()
        except (KeyError, TypeError, ValueError, AttributeError):
            # A body of the wrong shape; on a 500 discord.py would retry for half a minute.
            log.exception("%s %s: the sandbox cannot make sense of the body", call.method, path)
            status, answer = 400, ApiError(50035).body()
        return RequestLogEntry(call.method, call.route, path, call.body, status, answer)

    def _answer(self, entry: RequestLogEntry) -> web.Response:
        self.log.append(entry)
        headers = {"Via": "1.1 sandbox"}
        if entry.route:
            now, epoch = self._loop_time(), self.faults.world.clock()
            headers |= self.limits.limit_headers(entry.method, entry.route, entry.path, now, epoch)
        if entry.status == 204:
            return web.Response(status=204, headers=headers)
        # Exactly this content type: discord.py compares the whole header.
        headers["Content-Type"] = "application/json"
        return web.Response(status=entry.status, body=json.dumps(entry.answer).encode(), headers=headers)

    def _loop_time(self) -> float:
        return asyncio.get_running_loop().time()

    async def _answer_with_fault(
        self, fault: Fault, request: web.Request, call: RestCall, path: str, handler: Handler
    ) -> web.StreamResponse:
        if fault.limits:
            return self._refuse_for(call, path, fault.seconds_to_wait(self._loop_time()), fault.scope, fault.code)
        done: RequestLogEntry | None = None
        for _ in range(fault.applied):
            done = self._run_handler(request, call, path, handler)
        await asyncio.sleep(fault.seconds)
        left = request.transport is None or request.transport.is_closing()
        if left and fault.seconds and not done and not fault.late:
            # The client has disconnected while its request was waiting.
            return web.Response(status=499)
        if fault.drop:
            self.log.append(RequestLogEntry(call.method, call.route, path, call.body, 0, None))
            if request.transport:
                cut_connection(request.transport, fault.reset)
            return web.Response(status=500)
        if fault.status is None:
            return self._answer(done or self._run_handler(request, call, path, handler))
        answer = {"message": f"{fault.status}: scripted", "code": fault.code}
        return self._answer(RequestLogEntry(call.method, call.route, path, call.body, fault.status, answer))

    def _refuse_for(self, call: RestCall, path: str, seconds: float, scope: str, code: int = 0) -> web.Response:
        """A 429 response with `seconds` to wait; `scope` is whose limit it is: `user`, `global` or `shared`."""
        wait = round(seconds, 3)
        about = {"retry_after": wait, "global": scope == "global", "code": code}
        whose = "The resource is" if scope == "shared" else "You are"
        answer = {"message": f"{whose} being rate limited.", **about}
        response = self._answer(RequestLogEntry(call.method, call.route, path, call.body, 429, answer))
        response.headers["Retry-After"] = str(max(1, round(wait)))
        response.headers["X-RateLimit-Scope"] = scope
        if scope == "global":
            response.headers["X-RateLimit-Global"] = "true"
        return response
