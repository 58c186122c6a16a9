"""Serves people: puts the store, the umpire and the client together, and runs them until the host stops the bot."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client.app.client import GraphPaper
from bot.client.http.request_traces import LONGEST_LIMIT
from bot.client.runtime.discord_clock import Clock
from bot.client.runtime.machine import Machine
from bot.core.library.catalogue import games
from bot.host.alive_calls import AliveCalls
from bot.host.daily_copies import DailyCopies
from bot.host.exit_status import UNREACHED, Unreachable
from bot.host.this_machine import lots, this_machine
from bot.host.watchdog import Watchdog, measure_lag
from bot.service.cluster.processes import named
from bot.service.umpire.umpire import Umpire
from bot.settings import Settings
from data.engine.address import address, is_sqlite
from data.engine.database_errors import Unavailable, Unusable
from data.store import Reader, Store
from data.store.forgotten_list import forgotten_list
from data.upkeep.absence import absent, remedy
from data.upkeep.backup_folder import copy_before_migrating
from data.upkeep.migrate import migrate
from data.upkeep.sole_writer import alone
from data.upkeep.transfer_marks import refuse_left, said

SANDBOX_READY_TIMEOUT = 0.05
"""Seconds to wait for more servers before the bot is ready: the sandbox has one, Discord sends many."""

SWITCH_EVERY = 0.0005
"""Seconds for which a thread that draws lets the event loop wait at each of its steps; Python's own are ten times as
many, and a move is some twenty steps."""
ANSWERS_WITHIN = 30.0
"""Seconds that Discord may take for an answer while the bot signs in."""
GREETS_WITHIN = 30.0
"""The same for a new connection until Discord greets on it; discord.py would wait for three minutes."""
OURS = {"match", "matches", "play"}
"""Commands that this program has always had, and no other has all of."""
LEAVES_WITHIN = 6.0
"""Seconds for which a start waits for another bot on the same file, which may be stopping."""
STOP_WITHIN = 4.5
"""Seconds to stop when the process is told to, even where something hangs: a look-up of a name, a disk, a drawing."""

STARTED = "Ready as %s. Version: %s. Database: %s, schema %s. Live matches: %s. Servers: %d."

log = logging.getLogger(__name__)


def point_at(settings: Settings) -> dict[str, Any]:
    """Send discord.py to the stand-in that the settings name, if any; give the client options that this needs."""
    if settings.api is None or settings.gateway is None:
        return {}
    Route.BASE = settings.api
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)
    return {"guild_ready_timeout": SANDBOX_READY_TIMEOUT}


async def opened_store(settings: Settings, kept: Path | None = None) -> tuple[Store, str]:
    """Bring the database's schema up to date, of which a copy may have been `kept`; give the store and the name of the
    schema. `Unusable` where the host has moved to another database."""
    schema = await migrate(settings.database, kept=kept)
    forgotten = forgotten_list(settings.database, settings.folder)
    store = Store(settings.database, settings.share, forgotten)
    try:
        await store.ask(refuse_left)
    except Unavailable:
        await store.close()
        raise
    return store, schema


async def refuse_to_begin_again(settings: Settings) -> None:
    """Raise `Unusable` where the database is missing and a bot with this token has played before.

    Discord keeps a bot's commands for as long as there is the bot, so it knows, whatever has happened to this machine.
    """
    gap = await absent(settings.database)
    if gap is None or not await has_played(settings):
        return
    if await absent(settings.database):  # or another process has begun it meanwhile, and told Discord of the commands
        raise Unusable(
            f"{gap}, but a bot with this token has played before: Discord has its commands. {remedy(settings.database)}"
        )


async def has_played(settings: Settings) -> bool:
    """Whether Discord knows our commands of the bot with this token; errors as of a sign-in."""
    assert settings.token
    point_at(settings)
    client = discord.Client(intents=discord.Intents(guilds=True), max_ratelimit_timeout=LONGEST_LIMIT)
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            await client.login(settings.token)
            known = await client.http.get_global_commands(client.application_id or 0)
    except UNREACHED as fault:
        raise unreachable(fault) from fault
    finally:
        await client.close()
    return {one["name"] for one in known} >= OURS


def stop(serving: asyncio.Task[None]) -> None:
    """Stop in good order, or by force after `STOP_WITHIN`: what is committed is kept, and the next start shows what is
    not shown yet."""
    serving.cancel()
    force = threading.Timer(STOP_WITHIN, os._exit, (0,))
    force.daemon = True
    force.start()


async def at_rest(client: GraphPaper) -> None:
    """When all is loaded, exempt it from garbage collection: going through it takes a tenth of a second."""
    await asyncio.wait([client.loops.tasks["warming_up"]])
    gc.freeze()


async def introduce(client: GraphPaper, schema: str) -> None:
    """Say in the log that people can play, and what runs here."""
    try:
        live = str((await client.umpire.store.ask(Reader.figures)).live)
    except Unavailable:
        live = "unknown"
    where = said(client.settings.database)
    log.info(STARTED, client.user, client.version, where, schema, live, len(client.guilds))


class SignIn:
    """Signs in, and waits for no answer for longer than `ANSWERS_WITHIN`: aiohttp would for five minutes.

    What Discord asks to be waited between two requests, and what the database takes, does not count.
    """

    def __init__(self, client: GraphPaper) -> None:
        self._client = client
        self._limit: asyncio.Timeout | None = None
        client.throttle.trace.on_request_start.append(self._asked)
        client.throttle.trace.on_request_end.append(self._answered)

    async def login(self, token: str) -> None:
        """Log in, or `TimeoutError`."""
        async with asyncio.timeout(None) as self._limit:
            try:
                await self._client.login(token)
            finally:
                self._limit = None

    async def _asked(self, *_about: Any) -> None:
        if self._limit:
            self._limit.reschedule(asyncio.get_running_loop().time() + ANSWERS_WITHIN)

    async def _answered(self, *_about: Any) -> None:
        if self._limit:
            self._limit.reschedule(None)


async def connected(client: GraphPaper, token: str) -> None:
    """Log in and stay connected, across outages; `Unreachable` where Discord cannot be reached at the start."""
    try:
        await SignIn(client).login(token)
        await client.connect()
    except UNREACHED as fault:
        raise unreachable(fault) from fault


def unreachable(fault: Exception) -> Unreachable:
    """What a request that did not reach Discord means at the start."""
    return Unreachable(str(fault) or "no answer came in time")


async def measured(client: GraphPaper, schema: str) -> None:
    """Serve the figures until the bot stops, if the host has named an address for them."""
    client.metrics.runs(client.version, schema, client.settings.share)
    if client.settings.metrics is None:
        return
    from bot.host.metrics_endpoint import Endpoint, StoredFigures, folders  # and with them a web server

    figures = StoredFigures(client.umpire, client.metrics, folders(client.settings))
    endpoint = Endpoint(client.metrics, figures)
    try:
        await endpoint.open(client.settings.metrics)
        await asyncio.Event().wait()
    finally:
        await endpoint.close()


async def copied_daily(client: GraphPaper) -> None:
    """Have a copy of a SQLite database made every day until the bot stops, if the host has a folder for them."""
    settings = client.settings
    if settings.backups and is_sqlite(address(settings.database)):
        await DailyCopies(settings.database, settings.backups, client.umpire.clock, client.metrics).keep()


async def told_alive(client: GraphPaper) -> None:
    """Have the host's dead man's switch called until the bot stops, if there is one."""
    settings = client.settings
    if settings.alive:
        await AliveCalls(settings, settings.alive, lambda: client.presence.leads, client.presence.clock).keep()


async def serve(settings: Settings) -> None:
    """Serve until the process is told to stop, as the only one that writes to a SQLite database."""
    sys.setswitchinterval(SWITCH_EVERY)
    await refuse_to_begin_again(settings)
    machine = this_machine()
    async with alone(settings.database, named(machine.name), LEAVES_WITHIN, begin=True):
        await serve_from(settings, machine)


async def serve_from(settings: Settings, machine: Machine) -> None:
    """Serve with a database that nobody else writes to, or that is on a server."""
    assert settings.token
    kept = await copy_before_migrating(settings.database, settings.backups, machine.wall)
    store, schema = await opened_store(settings, kept)
    umpire = Umpire(store, games(), Clock(machine.wall, machine.steady), lots)
    client = GraphPaper(settings, umpire, machine, shard_connect_timeout=GREETS_WITHIN, **point_at(settings))
    client.add_listener(partial(at_rest, client), "on_ready")
    client.add_listener(partial(introduce, client, schema), "on_ready")
    serving = asyncio.create_task(connected(client, settings.token))
    watchdog = Watchdog(settings.watchdog)
    client.presence.beaten = watchdog.beaten
    feeding = asyncio.create_task(measure_lag(client.metrics.lagged, watchdog.feed))
    measuring = asyncio.create_task(measured(client, schema))
    copying = asyncio.create_task(copied_daily(client))
    calling = asyncio.create_task(told_alive(client))
    watchdog.watch()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop, serving)
    try:
        await serving
    except asyncio.CancelledError:
        log.info("Stopping.")
    finally:
        watchdog.close()
        beside = (feeding, measuring, copying, calling)
        for task in beside:
            task.cancel()
        await asyncio.wait(beside)
        await client.close()
        await store.close()
