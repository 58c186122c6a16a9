"""The sandbox as one object: starts and stops the server, and offers tests its users, faults and log."""

import asyncio
import random
import ssl
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Self

from aiohttp import web

from bot.sandbox.errors import Json
from bot.sandbox.faults import FaultScript, Moderation
from bot.sandbox.gateway import Gateway, MembersRequest, ShardLimits
from bot.sandbox.interactions import ANSWER_SECONDS, Interactions
from bot.sandbox.page import ChatPage
from bot.sandbox.people import Person, Phones, PushNotification
from bot.sandbox.rest import RestApi, RouteLimits
from bot.sandbox.routes import ApiRoutes, make_router
from bot.sandbox.seed import SERVER_NAME
from bot.sandbox.world import NONCE_SECONDS, Server, World, WorldStorage

MOST_REQUEST_BYTES = 110 * 1024 * 1024
SECRET_BYTES = 32
"""How many random bytes a token has."""
SECURE_GATEWAY = "wss://gateway.discord.gg"
"""The gateway for TLS clients, which resolve Discord's own names to this machine."""


class Sandbox:
    """A stand-in for Discord on 127.0.0.1.

    folder: where the state is kept between runs (None: in memory). port: 0 picks a free one. token: the bot's token
    (None: a random one). clock: epoch seconds, chance: a random number generator for tokens (None: the machine's).
    tls: also serve https and wss, on `tls_port`.
    answer_seconds: the bot's time for an answer; Discord's is 3, a busy machine may need more.
    nonce_seconds: how long a nonce is remembered. servers: how many there are, "The Sandbox", "The Sandbox 2" …
    limits: refuse requests beyond Discord's rate limits, measured by the event loop's clock.
    strict: where Discord's documentation says nothing, behave as the strictest public report says; else as the most
    lenient one.
    phones: simulate users' phones; hundreds of users are faster without.
    """

    def __init__(
        self,
        folder: Path | None = None,
        port: int = 0,
        token: str | None = None,
        clock: Callable[[], float] | None = None,
        chance: random.Random | None = None,
        tls: ssl.SSLContext | None = None,
        allow_privileged_intents: bool = False,
        answer_seconds: float = ANSWER_SECONDS,
        nonce_seconds: float = NONCE_SECONDS,
        servers: int = 1,
        strict: bool = True,
        limits: bool = False,
        phones: bool = True,
    ) -> None:
        self.port = port
        self.tls_port = 0
        rng = chance or random.SystemRandom()
        self.world = World(clock or time.time, lambda: rng.randbytes(SECRET_BYTES).hex(), nonce_seconds, strict)
        self.token = token or f"sandbox.token.{self.world.secret()}"
        self.gateway = Gateway(self.world, self.token, lambda: self.base, allow_privileged_intents)
        self.interactions = Interactions(self.world, self.gateway.send_interaction, answer_seconds)
        self.faults = FaultScript(self.world, self.gateway)
        routes = ApiRoutes(self.world, self.interactions, self.gateway.sharding, lambda: self._advised_gateway)
        self.rest = RestApi(make_router(routes), self.faults, self.token, lambda: self.base, RouteLimits(limits))
        self.moderation = Moderation(self.world)
        self.phones = Phones(self.world) if phones else None
        self.page = ChatPage(self.world, self.interactions, self.gateway, self.phones, lambda: self.port)
        self.storage = WorldStorage(self.world, folder) if folder else None
        while len(self.world.servers) < servers:
            self.world.found_server(f"{SERVER_NAME} {len(self.world.servers) + 1}")
        self._tls = tls
        self._runner: web.AppRunner | None = None
        self._changed: dict[asyncio.Event, None] = {}
        self.world.listeners.append(self._wake)

    # --- addresses

    @property
    def base(self) -> str:
        """The base URL of the server, without a trailing slash."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_url(self) -> str:
        """The value for `discord.http.Route.BASE`."""
        return f"{self.base}/api/v10"

    @property
    def _advised_gateway(self) -> str:
        """The gateway URL that the API returns to the bot."""
        return SECURE_GATEWAY if self._tls else self.gateway_url

    @property
    def gateway_url(self) -> str:
        """The value for `discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY` (as a yarl.URL)."""
        return f"ws://127.0.0.1:{self.port}/gateway"

    @property
    def page_url(self) -> str:
        return f"{self.base}/"

    # --- running

    async def start(self) -> None:
        """Listen; sets `port` to the real one."""
        app = web.Application(client_max_size=MOST_REQUEST_BYTES)
        app.router.add_route("*", "/api/v10/{tail:.*}", self.rest.handle)
        app.router.add_get("/gateway", self.gateway.handle)
        self.page.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        self.port = await self._listen_on(None, self.port)
        if self._tls:
            self.tls_port = await self._listen_on(self._tls, 0)

    async def _listen_on(self, tls: ssl.SSLContext | None, port: int) -> int:
        assert self._runner is not None
        site = web.TCPSite(self._runner, "127.0.0.1", port, ssl_context=tls)
        await site.start()
        return int(self._runner.addresses[-1][1])

    async def stop(self) -> None:
        """Close every connection and save the state."""
        await self.page.close()
        await self.gateway.close(1001)
        if self._runner:
            await self._runner.cleanup()
            self._runner = None
        if self.storage:
            self.storage.save()

    @property
    def supervisor(self) -> Callable[[str], Awaitable[None]] | None:
        """Called by the page with "restart", "stop" or "start"; None when the bot is not supervised."""
        return self.page.supervisor

    @supervisor.setter
    def supervisor(self, supervisor: Callable[[str], Awaitable[None]] | None) -> None:
        self.page.supervisor = supervisor

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    # --- for tests

    @property
    def request_log(self) -> list[Any]:
        """The latest requests, oldest first: entries with method, route, path, body, status, answer."""
        return list(self.rest.log)

    @property
    def unknown_routes(self) -> list[str]:
        """Requests for which there was no route."""
        return self.rest.unknown

    @property
    def complaints(self) -> list[str]:
        """Mistakes that Discord accepts, such as files that no component shows."""
        return self.world.complaints

    def requests_of(self, method: str, route: str) -> list[Any]:
        return [one for one in self.rest.log if (one.method, one.route) == (method, route)]

    @property
    def asked_members(self) -> list[MembersRequest]:
        """The bot's requests for members by ID (Request Guild Members), answered or not."""
        return [*self.gateway.asked_members]

    @property
    def shard_limits(self) -> ShardLimits:
        """The rules for shards, and how often the bot broke them."""
        return self.gateway.sharding

    def server(self, name: str | None = None) -> Server:
        """A server by ID or name (None: the first)."""
        return self.world.server(name)

    def person(self, name: str, server: Server | str | None = None) -> Person:
        """A user by name, in a server (None: in the first)."""
        return Person(self.world, self.interactions, self.world.user_named(name), self.world.server(server))

    def channel(self, name: str | Json, server: Server | str | None = None) -> Json:
        """A channel or thread by its name in a server (None: in the first)."""
        return self.world.channel_named(name, server)

    def count_notifications(self, name: str) -> int:
        """How many messages have notified a user."""
        return len(self.person(name).list_notifications())

    def pushes_of(self, who: Person | str, *, silent: bool = False) -> list[PushNotification]:
        """The push notifications of a user, oldest first; `silent`: also those that were not shown."""
        if self.phones is None:
            return []
        phone = self.phones.phone_of(who.id if isinstance(who, Person) else self.world.user_named(who)["id"])
        return [*phone.came] if silent else phone.pushes

    async def wait_for(self, met: Callable[[World], Any], timeout: float = 30.0) -> Any:  # noqa: ASYNC109  a test's limit
        """Wait until `met(world)` is true, and return its value; raises TimeoutError."""
        changed = asyncio.Event()
        self._changed[changed] = None
        try:
            async with asyncio.timeout(timeout):
                while not (value := met(self.world)):
                    await changed.wait()
                    changed.clear()
                return value
        finally:
            del self._changed[changed]

    def _wake(self, event: str, data: Json) -> None:
        for changed in self._changed:
            changed.set()
