"""Serves metrics to Prometheus: one page, /metrics, on the address that the host chose, and nothing else.

It runs in the bot's event loop and answers a few requests at a time. Connections are few and cut after a timeout, so
half-sent requests cannot exhaust them. Where its port is taken the bot goes on without it and retries until it is free,
since another process may just be stopping. The database is read every fifteen seconds at most.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from aiohttp import web
from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder

from bot.platform.machine import loop_time
from bot.platform.metrics import Metrics
from bot.settings import Address, Settings
from bot.umpire.umpire import Umpire
from data.engine.address import file_of, parse_address
from data.engine.errors import Unavailable
from data.store import Reader

PATH = "/metrics"
AT_ONCE = 4
"""Requests served at a time; one or two Prometheus servers are expected."""
CONNECTIONS, LONGEST = 32, 10.0
"""Connections at a time, and the seconds after which one is cut; Prometheus gives up after ten."""
STOP_WITHIN = 0.5
"""Seconds that requests under way may take when the bot stops."""
EVERY = 15.0
"""Seconds between two reads of the database."""
PATIENCE = 1.0
"""Seconds that a request waits for such a read; after that the next request has its figures."""
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 600.0
"""Seconds before listening on an address is retried, doubled each time."""
TAKEN = "The figures cannot be served: %s cannot be listened at (%s). The bot goes on, and tries again in %.0f s."

log = logging.getLogger(__name__)


class StoredFigures:
    """Sets the gauges of matches and boards from the database, and of the free disk space of `folders`."""

    def __init__(
        self,
        umpire: Umpire,
        metrics: Metrics,
        folders: Mapping[str, Path] | None = None,
        clock: Callable[[], float] = loop_time,
    ) -> None:
        self.store, self.now = umpire.store, umpire.clock
        self.metrics, self.folders = metrics, folders or {}
        self.clock = clock
        self.next = clock()
        self.looking: asyncio.Task[None] | None = None

    async def read(self) -> None:
        """Update the gauges if that is due, waiting at most `PATIENCE` seconds for a slow database."""
        if self.looking is None and self.clock() >= self.next:
            self.next = self.clock() + EVERY
            self.looking = asyncio.create_task(self._look())
        if self.looking:
            await asyncio.wait((self.looking,), timeout=PATIENCE)

    async def _look(self) -> None:
        metrics = self.metrics
        try:
            for name, free in (await asyncio.to_thread(free_bytes, self.folders)).items():
                metrics.disk_free.labels(name).set(free)
            found = await self.store.ask(Reader.read_figures)
            metrics.matches_live.set(found.live)
            metrics.boards_lagging.set(found.lagging)
            metrics.lag_seconds.set(max(0, self.now() - found.oldest) if found.oldest else 0)
            metrics.boards_parked.set(found.parked)
            metrics.thinking.set(found.thinking)
            sizes = self.store.database.file_sizes() if found.bytes is None else {"server": found.bytes}
            for part, size in sizes.items():
                metrics.bytes.labels(part).set(size)
        except Unavailable as fault:
            log.debug("The figures cannot be read now: %s", fault)
        except Exception:
            log.warning("The figures cannot be read.", exc_info=True)
        finally:
            self.looking = None

    def close(self) -> None:
        if self.looking:
            self.looking.cancel()


def find_data_folders(settings: Settings) -> dict[str, Path]:
    """The folders of the database and of its copies, if they are on this machine."""
    file = file_of(parse_address(settings.database))
    if file is None:
        return {}
    return {"database": file.parent, **({"copies": settings.backups} if settings.backups else {})}


def free_bytes(folders: Mapping[str, Path]) -> dict[str, int]:
    """Free bytes on the disk of each folder that exists."""
    found = dict[str, int]()
    for name, folder in folders.items():
        with suppress(OSError):
            found[name] = shutil.disk_usage(folder).free
    return found


class MetricsEndpoint:
    """The web server of the page."""

    def __init__(self, metrics: Metrics, stored: StoredFigures) -> None:
        self.metrics = metrics
        self.stored = stored
        self._asking = 0
        ProcessCollector(registry=metrics.registry)
        GCCollector(registry=metrics.registry)
        app = web.Application(client_max_size=1024)
        app.router.add_get(PATH, self._serve_page, allow_head=False)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=STOP_WITHIN)
        self._listening: asyncio.Server | None = None

    async def start_serving(self, place: Address) -> str:
        """Start serving, and return the URL of the page. A failure is logged and retried until it succeeds."""
        await self._runner.setup()
        pause = FIRST_PAUSE
        while isinstance(listening := await self._listening_at(place), str):
            log.error(TAKEN, place, listening, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        self._listening = listening
        port: int = listening.sockets[0].getsockname()[1]
        page = f"http://{place._replace(port=port)}{PATH}"
        log.info("What is measured is told at %s", page)
        return page

    async def _listening_at(self, place: Address) -> asyncio.Server | str:
        """A server listening on an address, or the reason why it cannot."""
        try:
            return await asyncio.get_running_loop().create_server(self._make_protocol, place.host, place.port)
        except OSError as fault:
            if fault.errno and fault.errno > 0:
                return os.strerror(fault.errno)
            return (fault.strerror or str(fault)).rstrip(".")  # the resolver's sentences have one
        except UnicodeError:
            return "no host is called so"

    def _make_protocol(self) -> asyncio.Protocol:
        """The protocol of a new connection, cut after `LONGEST` seconds."""
        server = self._runner.server
        if server is None or len(server.connections) >= CONNECTIONS:
            return SurplusConnection()
        serving = server()
        asyncio.get_running_loop().call_later(LONGEST, cut_connection, serving)
        return serving

    async def _serve_page(self, request: web.Request) -> web.Response:
        if self._asking >= AT_ONCE:
            raise web.HTTPServiceUnavailable(text="Too many requests at once: try again in a moment.\n")
        self._asking += 1
        try:
            await self.stored.read()
            encode, kind = page_encoder(request.headers.get("Accept", ""))
            body = await asyncio.to_thread(encode, self.metrics.registry)
        finally:
            self._asking -= 1
        return web.Response(body=body, headers={"Content-Type": kind, "Connection": "close"})

    async def close(self) -> None:
        self.stored.close()
        if self._listening:
            self._listening.close()
        await self._runner.cleanup()


class SurplusConnection(asyncio.Protocol):
    """A connection beyond the limit, closed at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            transport.abort()


def cut_connection(serving: web.RequestHandler) -> None:
    """Close a connection, whatever is under way on it."""
    if serving.transport is not None:
        serving.transport.abort()


def page_encoder(accept: str) -> tuple[Callable[[CollectorRegistry], bytes], str]:
    """The encoder and content type for an Accept header."""
    try:
        return choose_encoder(accept)
    except (TypeError, ValueError):  # the library compares versions that are not numbers
        return choose_encoder("")
