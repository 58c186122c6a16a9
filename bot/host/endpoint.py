"""Where Prometheus asks what is measured: one page, /metrics, on the address that the host chose, and nothing else.

It is served within the bot's event loop, a few askers at a time. Where its port is taken the bot goes on without it.
"""

from __future__ import annotations

import asyncio
import logging

from aiohttp import web
from prometheus_client import GCCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder

from bot.client.runtime.metrics import Measures
from bot.host.gauges import Gauges
from bot.settings import Address

PATH = "/metrics"
AT_ONCE = 4
"""So many askers are served at a time; there is one Prometheus, or two."""
STOP_WITHIN = 0.5
"""Seconds for askers to be served when the bot stops."""

log = logging.getLogger(__name__)


class Endpoint:
    """Serves what is measured."""

    def __init__(self, measures: Measures, gauges: Gauges) -> None:
        self.measures = measures
        self.gauges = gauges
        self._asking = 0
        ProcessCollector(registry=measures.registry)
        GCCollector(registry=measures.registry)
        app = web.Application(client_max_size=1024)
        app.router.add_get(PATH, self._told, allow_head=False)
        self._runner = web.AppRunner(app, access_log=None, keepalive_timeout=75, shutdown_timeout=STOP_WITHIN)

    async def open(self, place: Address) -> str | None:
        """Begin to serve, and give the address of the page; None, and a line in the log, where that cannot be."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, place.host, place.port)
        try:
            await site.start()
        except OSError as fault:
            why = (fault.strerror or str(fault)).rstrip(".")
            log.error("Nobody can ask what is measured: %s cannot be listened at (%s). The bot goes on.", place, why)
            await self.close()
            return None
        port: int = self._runner.addresses[0][1]
        page = f"http://{place._replace(port=port)}{PATH}"
        log.info("What is measured is told at %s", page)
        return page

    async def _told(self, request: web.Request) -> web.Response:
        if self._asking >= AT_ONCE:
            raise web.HTTPServiceUnavailable(text="Too many ask at once: try again in a moment.\n")
        self._asking += 1
        try:
            await self.gauges.read()
            encode, kind = choose_encoder(request.headers.get("Accept", ""))
            body = await asyncio.to_thread(encode, self.measures.registry)
        finally:
            self._asking -= 1
        return web.Response(body=body, headers={"Content-Type": kind})

    async def close(self) -> None:
        """Serve nobody any more."""
        self.gauges.close()
        await self._runner.cleanup()
