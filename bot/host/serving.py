"""Assembles store, umpire and client and runs them, with daily backups, alive calls and the watchdog."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.app.client import GraphPaper
from bot.games.catalogue import load_games
from bot.host.exit_status import UNREACHED, Unreachable
from bot.host.machine import rng, this_machine
from bot.platform.machine import Machine, loop_time
from bot.platform.metrics import Metrics
from bot.platform.processes import describe_holder
from bot.platform.requests import LONGEST_LIMIT, DiscordClock
from bot.settings import Settings
from bot.umpire.umpire import Umpire
from data.engine.address import file_of, is_sqlite, parse_address
from data.engine.errors import Unavailable, Unusable
from data.store import Reader, Store, open_forgotten_list
from data.upkeep.backups import make_copy_before_migrating, make_daily_copy, read_standing
from data.upkeep.file_check import CommandRefused
from data.upkeep.health import check_health, format_address, refuse_left
from data.upkeep.hindrance import explain_no_copies
from data.upkeep.sole_writer import be_sole_writer
from data.upkeep.upgrade import find_missing_database, migrate, suggest_remedy

# Calls an address each minute while all is well: a dead man's switch, which alerts the host when the calls stop.


CALLED_EVERY = 60.0
"""Seconds between two health checks, the first after the bot has begun."""
WITHIN = 10.0
"""Timeout of a call, in seconds."""

CALLED = "GRAPHPAPER_ALIVE was called, and will be each minute while all is well."
ILL = "GRAPHPAPER_ALIVE isn't called: {}"
IN_VAIN = "GRAPHPAPER_ALIVE was called in vain: {}. It is tried again each minute."
UNFORESEEN = "GRAPHPAPER_ALIVE isn't called, for {}."

log = logging.getLogger(__name__)


class AliveCalls:
    """Calls one address for a bot that runs with some settings, while its process `leads`."""

    def __init__(self, settings: Settings, address: str, leads: Callable[[], bool], clock: Callable[[], float]) -> None:
        self.settings, self.address, self.leads, self.clock = settings, address, leads, clock
        self._said = ""

    async def keep(self) -> None:
        """Call `look` every `CALLED_EVERY` seconds, for ever."""
        while True:
            await asyncio.sleep(CALLED_EVERY)
            await self.look()

    async def look(self) -> None:
        """Call the address if all is well. A check that hangs blocks the call, so that the switch alerts the host."""
        if not self.leads():
            self._said = ""
            return
        try:
            report = await check_health(self.settings.database, self.clock, self.settings.share, for_all=True)
            sentence = await call_address(self.address) if report.sound else ILL.format(report.lines[0])
        except Exception as fault:
            sentence = UNFORESEEN.format(type(fault).__name__)
        self._tell(sentence)

    def _tell(self, sentence: str) -> None:
        """Log a sentence unless it equals the last one."""
        if sentence != self._said:
            log.log(logging.INFO if sentence == CALLED else logging.WARNING, "%s", sentence)
        self._said = sentence


async def call_address(address: str) -> str:
    """GET the address; a sentence about the answer."""
    try:
        limit = aiohttp.ClientTimeout(total=WITHIN)
        headers = {"User-Agent": "Graph Paper"}  # the switch need not know on which versions it runs
        async with aiohttp.ClientSession(timeout=limit, headers=headers) as session, session.get(address) as answer:
            return CALLED if answer.ok else IN_VAIN.format(f"it answered {answer.status}")
    except TimeoutError:
        return IN_VAIN.format(f"no answer came within {WITHIN:.0f} s")
    except (aiohttp.ClientError, OSError, ValueError) as fault:
        number = fault.errno if isinstance(fault, OSError) else None
        return IN_VAIN.format(os.strerror(number) if number and number > 0 else "it can't be reached")


# Has a copy of the database made every day while the bot serves, and reports how old the newest one is.


FIRST_LOOK, LOOKED_EVERY, AFTER_FAILURE = 60.0, 300.0, 3600.0
"""Seconds from the start to the first look, when the start is over; between two; and after a copy that failed."""


class DailyCopies:
    """Makes copies of one database in one folder."""

    def __init__(self, url: str, folder: Path, clock: Callable[[], float], metrics: Metrics) -> None:
        self.url, self.folder, self.clock, self.metrics = url, folder, clock, metrics
        self._next = loop_time()

    async def keep(self) -> None:
        """Make the daily copies, for ever; a folder that cannot be used is reported at once."""
        file = file_of(parse_address(self.url))
        if file and (why_not := await asyncio.to_thread(explain_no_copies, self.folder, file)):
            log.error("%s", why_not)
        await self.tell()
        await asyncio.sleep(FIRST_LOOK)
        while True:
            await self.look()
            await asyncio.sleep(LOOKED_EVERY)

    async def look(self) -> None:
        """Make today's copy if it is due."""
        if loop_time() < self._next:
            return
        try:
            if made := await make_daily_copy(self.url, self.folder, self.clock):
                log.info("The copy of the day is %s.", made)
        except (CommandRefused, OSError) as fault:
            self._next = loop_time() + AFTER_FAILURE
            log.error("The copy of the day was not made. %s It is tried again in an hour.", fault)
        except Exception:
            self._next = loop_time() + AFTER_FAILURE
            log.exception("The copy of the day was not made. It is tried again in an hour.")
        await self.tell()

    async def tell(self) -> None:
        """Update the metrics."""
        try:
            found = await asyncio.to_thread(read_standing, self.folder, self.clock())
        except OSError as fault:
            log.debug("The folder of copies cannot be read: %s", fault)
            return
        self.metrics.backup_at.set(found.newest)
        self.metrics.backup_bytes.set(found.bytes)


# Ends a process that serves nobody any more, so that Docker or systemd starts another.


FEED = 0.5
"""Seconds between two signs of life of the event loop."""
LOOK = 1.0
"""Seconds between two checks by the watchdog's thread."""
STUCK = 3
"""The exit status of a process that its watchdog has ended."""
LAST_WORDS = 5.0
"""Seconds for writing the reason; whatever reads standard error may hang too."""
SILENT, APART = 180.0, 1800.0
"""Seconds of event loop time without a heartbeat, and without Discord, after which the process is ended."""

HELD_UP = "The event loop hasn't run for {:.0f} s, so nobody is served. This process ends so that it is restarted."
NO_HEARTBEAT = "There has been no heartbeat for {:.0f} s. This process ends so that it is restarted."
NO_DISCORD = "Discord hasn't been connected for {:.0f} s. This process ends so that it is restarted."


def end_process(sentence: str) -> None:
    """Write the reason and every thread's stack, and exit at once, without waiting for what hangs."""
    force = threading.Timer(LAST_WORDS, os._exit, (STUCK,))
    force.daemon = True
    force.start()
    # Not through the log: writing to it may be what blocks the loop.
    os.write(sys.stderr.fileno(), f"{sentence}\n".encode())
    faulthandler.dump_traceback(sys.stderr.fileno())
    os._exit(STUCK)


class Watchdog:
    """Ends the process when the event loop is blocked for `within` seconds, or heartbeats or Discord are missing
    long."""

    def __init__(self, within: float, end: Callable[[str], None] = end_process) -> None:
        self.within = within
        self.end = end
        self._fed = True
        self._missed = 0
        self._without_heartbeat = self._without_discord = 0.0
        self._over = threading.Event()

    # --- in the event loop

    def note_loop_ran(self, seconds: float) -> None:
        """Note that the loop runs, and for how many `seconds` it has run since the last call."""
        self._fed = True
        self._without_heartbeat += seconds
        self._without_discord += seconds
        if self._over.is_set():
            return
        if self._without_heartbeat > SILENT:
            self.end(NO_HEARTBEAT.format(self._without_heartbeat))
        elif self._without_discord > APART:
            self.end(NO_DISCORD.format(self._without_discord))

    def note_heartbeat(self, connected: bool) -> None:
        """Note a heartbeat, whether the database took it or not."""
        self._without_heartbeat = 0.0
        self._without_discord = 0.0 if connected else self._without_discord

    # --- in a thread

    def watch(self) -> None:
        """Start the thread, unless the host wants no watchdog."""
        if not self.within:
            self._over.set()
            return
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def _watch(self) -> None:
        while not self._over.wait(LOOK):
            self.look()

    def look(self) -> None:
        """Check whether the loop has run since the last check, and end the process if it has been blocked too long."""
        self._missed = 0 if self._fed else self._missed + 1
        self._fed = False
        if self._missed * LOOK >= self.within:
            self.end(HELD_UP.format(self._missed * LOOK))

    def close(self) -> None:
        """Stop the thread."""
        self._over.set()


async def measure_lag(lagged: Callable[[float], None], feed: Callable[[float], None]) -> None:
    """For ever: report to `lagged` how late the event loop was, in seconds, and to `feed` how long it has run."""
    while True:
        due = loop_time() + FEED
        await asyncio.sleep(FEED)
        lagged(loop_time() - due)
        feed(FEED)


# Assembles the store, the umpire and the client, and runs them until the host stops the bot.


SANDBOX_READY_TIMEOUT = 0.05
"""Seconds to wait for more servers before the bot is ready: the sandbox has one, Discord sends many."""

SWITCH_EVERY = 0.0005
"""Seconds after which a drawing thread yields the GIL to the event loop (`sys.setswitchinterval`). Python's default is
ten times as long, and a move takes some twenty switches."""
ANSWERS_WITHIN = 30.0
"""Timeout of a request while the bot logs in, in seconds."""
GREETS_WITHIN = 30.0
"""Timeout of a new gateway connection until HELLO, in seconds; discord.py would wait for three minutes."""
OURS = {"match", "matches", "play"}
"""Commands of every version of this program, and together of no other bot."""
LEAVES_WITHIN = 6.0
"""Seconds for which a start waits for another bot on the same file, which may be shutting down."""
STOP_WITHIN = 4.5
"""Seconds after which a shutdown is forced, since a DNS query, a disk or a drawing may hang."""

STARTED = "Ready as %s. Version: %s. Database: %s, schema %s. Live matches: %s. Servers: %d."


def point_at(settings: Settings) -> dict[str, Any]:
    """Point discord.py at the stand-in that the settings name, if any; returns the client options for it."""
    if settings.api is None or settings.gateway is None:
        return {}
    Route.BASE = settings.api
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.gateway)
    return {"guild_ready_timeout": SANDBOX_READY_TIMEOUT}


async def open_store(settings: Settings, kept: Path | None = None) -> tuple[Store, str]:
    """Migrate the database, of which a copy may have been `kept`, and open it; the store and the schema's name.

    Raises `Unusable` where the host has moved to another database.
    """
    schema = await migrate(settings.database, kept=kept)
    forgotten = open_forgotten_list(settings.database, settings.database_folder)
    store = Store(settings.database, settings.share, forgotten)
    try:
        await store.ask(refuse_left)
    except Unavailable:
        await store.close()
        raise
    return store, schema


async def refuse_to_begin_again(settings: Settings) -> None:
    """Raise `Unusable` where the database is missing though a bot with this token has played before.

    Discord keeps a bot's commands as long as the bot exists, so they show it even on a new machine.
    """
    gap = await find_missing_database(settings.database)
    if gap is None or not await has_played(settings):
        return
    # Unless another process has created it meanwhile, and registered the commands.
    if await find_missing_database(settings.database):
        remedy = suggest_remedy(settings.database)
        raise Unusable(f"{gap}, but a bot with this token has played before: Discord has its commands. {remedy}")


async def has_played(settings: Settings) -> bool:
    """Whether our commands are registered for the bot with this token; raises what a login raises."""
    assert settings.token
    point_at(settings)
    client = discord.Client(intents=discord.Intents(guilds=True), max_ratelimit_timeout=LONGEST_LIMIT)
    try:
        async with asyncio.timeout(ANSWERS_WITHIN):
            await client.login(settings.token)
            known = await client.http.get_global_commands(client.application_id or 0)
    except UNREACHED as fault:
        raise explain_unreachable(fault) from fault
    finally:
        await client.close()
    return {one["name"] for one in known} >= OURS


def stop(serving: asyncio.Task[None]) -> None:
    """Shut down, by force after `STOP_WITHIN`: what is committed is kept, and the next start posts what is not posted
    yet."""
    serving.cancel()
    force = threading.Timer(STOP_WITHIN, os._exit, (0,))
    force.daemon = True
    force.start()


async def freeze_garbage(client: GraphPaper) -> None:
    """Exempt everything loaded so far from garbage collection, since each pass over it takes a tenth of a second."""
    await asyncio.wait([client.loops.tasks["warming_up"]])
    gc.freeze()


async def log_introduction(client: GraphPaper, schema: str) -> None:
    """Log that people can play, and which version on which schema."""
    try:
        live = str((await client.umpire.store.ask(Reader.read_figures)).live)
    except Unavailable:
        live = "unknown"
    where = format_address(client.settings.database)
    log.info(STARTED, client.user, client.version, where, schema, live, len(client.guilds))


class SignIn:
    """A login with a timeout of `ANSWERS_WITHIN` for each request; aiohttp's is five minutes.

    The pauses that rate limits ask for, and the time that the database takes, do not count.
    """

    def __init__(self, client: GraphPaper) -> None:
        self._client = client
        self._limit: asyncio.Timeout | None = None
        client.throttle.trace.on_request_start.append(self._start_limit)
        client.throttle.trace.on_request_end.append(self._end_limit)

    async def login(self, token: str) -> None:
        """Log in, or raise `TimeoutError`."""
        async with asyncio.timeout(None) as self._limit:
            try:
                await self._client.login(token)
            finally:
                self._limit = None

    async def _start_limit(self, *_about: Any) -> None:
        if self._limit:
            self._limit.reschedule(asyncio.get_running_loop().time() + ANSWERS_WITHIN)

    async def _end_limit(self, *_about: Any) -> None:
        if self._limit:
            self._limit.reschedule(None)


async def connect_client(client: GraphPaper, token: str) -> None:
    """Log in and stay connected across outages; raises `Unreachable` where Discord cannot be reached at the start."""
    try:
        await SignIn(client).login(token)
        await client.connect()
    except UNREACHED as fault:
        raise explain_unreachable(fault) from fault


def explain_unreachable(fault: Exception) -> Unreachable:
    """The error for a request that did not reach Discord at the start."""
    return Unreachable(str(fault) or "no answer came in time")


async def serve_metrics(client: GraphPaper, schema: str) -> None:
    """Serve the metrics until the bot stops, if the host has named an address for them."""
    client.metrics.note_build(client.version, schema, client.settings.share)
    if client.settings.metrics is None:
        return
    from bot.host.metrics_page import (
        MetricsEndpoint,
        StoredFigures,
        find_data_folders,  # imported here because it brings a web server along
    )

    figures = StoredFigures(client.umpire, client.metrics, find_data_folders(client.settings))
    endpoint = MetricsEndpoint(client.metrics, figures)
    try:
        await endpoint.start_serving(client.settings.metrics)
        await asyncio.Event().wait()
    finally:
        await endpoint.close()


async def keep_daily_copies(client: GraphPaper) -> None:
    """Make a copy of a SQLite database every day until the bot stops, if the host has a folder for them."""
    settings = client.settings
    if settings.backups and is_sqlite(parse_address(settings.database)):
        await DailyCopies(settings.database, settings.backups, client.umpire.clock, client.metrics).keep()


async def keep_alive_calls(client: GraphPaper) -> None:
    """Call the host's dead man's switch until the bot stops, if there is one."""
    settings = client.settings
    if settings.alive:
        await AliveCalls(settings, settings.alive, lambda: client.presence.leads, client.presence.clock).keep()


async def serve(settings: Settings) -> None:
    """Serve until the process is told to stop, holding the lock of a SQLite database."""
    sys.setswitchinterval(SWITCH_EVERY)
    await refuse_to_begin_again(settings)
    machine = this_machine()
    async with be_sole_writer(settings.database, describe_holder(machine.name), LEAVES_WITHIN, begin=True):
        await serve_from(settings, machine)


async def serve_from(settings: Settings, machine: Machine) -> None:
    """Serve with a SQLite database that is locked, or with one on a server."""
    assert settings.token
    kept = await make_copy_before_migrating(settings.database, settings.backups, machine.wall_time)
    store, schema = await open_store(settings, kept)
    umpire = Umpire(store, load_games(), DiscordClock(machine.wall_time, machine.steady), rng)
    client = GraphPaper(settings, umpire, machine, shard_connect_timeout=GREETS_WITHIN, **point_at(settings))
    client.add_listener(partial(freeze_garbage, client), "on_ready")
    client.add_listener(partial(log_introduction, client, schema), "on_ready")
    serving = asyncio.create_task(connect_client(client, settings.token))
    watchdog = Watchdog(settings.watchdog)
    client.presence.beaten = watchdog.note_heartbeat
    feeding = asyncio.create_task(measure_lag(client.metrics.observe_loop_lag, watchdog.note_loop_ran))
    measuring = asyncio.create_task(serve_metrics(client, schema))
    copying = asyncio.create_task(keep_daily_copies(client))
    calling = asyncio.create_task(keep_alive_calls(client))
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
