"""Serving people: the store, the umpire and the client put together, on Discord or on the sandbox."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import signal
import sys
import time
from functools import partial
from typing import Any

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client.client import GraphPaper
from bot.core.catalogue import games
from bot.service.umpire import Umpire
from bot.settings import Settings
from data.migrate import migrate
from data.store import Store

SANDBOX_READY_TIMEOUT = 0.05
"""Seconds to wait for more servers before being ready: the sandbox has one, Discord sends many."""

log = logging.getLogger(__name__)


class WithoutToken(logging.Filter):
    """Keeps the bot's token out of every log line, whoever wrote it."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self.token = token

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, without the token."""
        text = record.getMessage()
        if self.token in text:
            record.msg, record.args = text.replace(self.token, "[token]"), ()
        return True


def start_logging(settings: Settings) -> None:
    """Log to standard error, which is what containers and terminals show."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S"))
    if settings.token:
        handler.addFilter(WithoutToken(settings.token.get_secret_value()))
    logging.getLogger("alembic").setLevel(logging.WARNING)
    # Voice libraries are none of our business, and their absence is no news.
    logging.getLogger("discord.client").addFilter(lambda record: "voice will NOT" not in record.getMessage())
    logging.basicConfig(level=settings.log.upper(), handlers=[handler], force=True)


def point_at(settings: Settings) -> dict[str, Any]:
    """Send discord.py to the stand-in that the settings name, if any; the client options that this needs."""
    if settings.api is None or settings.gateway is None:
        return {}
    Route.BASE = settings.api
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)
    return {"guild_ready_timeout": SANDBOX_READY_TIMEOUT}


async def opened_store(settings: Settings) -> Store:
    """The store, with its schema brought up to date."""
    await migrate(settings.database)
    return Store(settings.database)


def now() -> int:
    """The present moment in epoch seconds."""
    return int(time.time())


async def at_rest(client: GraphPaper) -> None:
    """When all is loaded, tell the garbage collector that it stays: going through it takes a tenth of a second."""
    await asyncio.wait([client.tasks["warming up"]])
    gc.freeze()


async def serve(settings: Settings) -> None:
    """Serve until the process is told to stop."""
    assert settings.token
    store = await opened_store(settings)
    umpire = Umpire(store, games(), now, random.SystemRandom())
    client = GraphPaper(settings, umpire, **point_at(settings))
    client.add_listener(partial(at_rest, client), "on_ready")
    serving = asyncio.create_task(client.start(settings.token.get_secret_value()))
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, serving.cancel)
    try:
        await serving
    except asyncio.CancelledError:
        log.info("Stopping.")
    finally:
        await client.close()
        await store.close()
