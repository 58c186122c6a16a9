"""The command `run`, which retries a start while a network, Discord or a database is not up yet."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import signal
from argparse import Namespace
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

import discord

from bot.host.exit_status import EARLIEST, LATER, UNFIT, TooEarly, Unreachable, complain, explain_ending
from bot.host.logs import start_logging
from bot.host.machine import set_advice, version, wall_time
from bot.platform.machine import loop_time
from bot.settings import Settings
from data.engine.address import is_sqlite, parse_address
from data.engine.errors import Failing, Unavailable, Unusable
from data.upkeep.hindrance import explain_hindrance

# Retries at the start: a network, Discord, a database's server or the clock may not be ready yet.


PATIENCE = 300.0
"""Seconds for which a failed start is retried."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before the first retry, doubled before each further one up to the second value."""
AGAIN = "%s Trying again."

log = logging.getLogger(__name__)


async def serve_patiently(serve: Callable[[Settings], Awaitable[None]], settings: Settings) -> None:
    """Serve as soon as possible; raises the last error after `PATIENCE` seconds."""
    pause, until = FIRST_PAUSE, loop_time() + PATIENCE
    while True:
        try:
            refuse_early(settings)
            await serve(settings)
        except Exception as fault:
            end = explain_ending(fault) if is_transient(fault, settings) and loop_time() + pause <= until else None
            if end is None:
                raise
            log.warning(AGAIN, end[0].removesuffix(f" {LATER}"))
        else:
            return
        if not await sleep_unless_stopped(pause):
            return
        pause = min(2 * pause, LONGEST_PAUSE)


def refuse_early(settings: Settings) -> None:
    """Raise `TooEarly` where the clock shows a time before this program was written."""
    if not settings.is_sandboxed and (now := wall_time()) < EARLIEST:
        raise TooEarly(datetime.fromtimestamp(now, UTC))


def is_transient(fault: Exception, settings: Settings) -> bool:
    """Whether an error at a start may pass within minutes. Errors of a SQLite file do not: the host has to fix them."""
    if isinstance(fault, Unavailable):
        return not isinstance(fault, Unusable | Failing) and not is_sqlite(parse_address(settings.database))
    return isinstance(fault, TooEarly | Unreachable | discord.DiscordServerError | discord.GatewayNotFound)


async def sleep_unless_stopped(seconds: float) -> bool:
    """Sleep; False if the process was told to stop meanwhile."""
    loop = asyncio.get_running_loop()
    waiting = asyncio.create_task(asyncio.sleep(seconds))
    signals = signal.SIGTERM, signal.SIGINT
    for name in signals:
        loop.add_signal_handler(name, waiting.cancel)
    await asyncio.wait([waiting])
    for name in signals:
        loop.remove_signal_handler(name)
    return not waiting.cancelled()


# The command `run`: serves Discord, or the sandbox where there is no token.


NO_TOKEN = (
    "There is no DISCORD_TOKEN. Set it to the bot's token from Discord's developer portal, "
    "or add --sandbox to try the bot without Discord."
)
TAKEN = "Port {port} is taken. Set GRAPHPAPER_PORT to another one, or to 0 for any."
PRIVILEGED = (
    "Port {port} is for programs with special rights. Set GRAPHPAPER_PORT to one from 1024 on, or to 0 for any."
)
UNSTORED = "The sandbox can't be stored in {folder}. {why}"
ANOTHER = "set GRAPHPAPER_SANDBOX_FOLDER to a folder in which the bot may write"


def run(given: Namespace) -> int:
    """Serve Discord, or the sandbox where there is no token; a foreseen error is printed as a sentence."""
    try:
        return _run(given)
    except Exception as fault:
        if not (end := explain_ending(fault)):
            raise
        return complain(*end)


def _run(given: Namespace) -> int:
    settings = Settings.read()
    sandbox = given.sandbox or (settings.token is None and not settings.container)
    set_advice(settings, sandbox or (settings.is_sandboxed and settings.database == settings.sandbox_database))
    start_logging(settings)
    log.info("Graph Paper %s starts.", version())
    if not settings.is_sandboxed:  # the sandbox that started this process has printed them
        log.info("%s", settings.read_from)
        for remark in settings.remarks:
            log.warning("%s", remark)
    if sandbox:
        from bot.host.supervisor import serve_sandbox

        try:
            asyncio.run(serve_sandbox(settings))
        except OSError as fault:
            return complain(explain_sandbox_failure(fault, settings), UNFIT)
        return 0
    if settings.token is None:
        return complain(NO_TOKEN, UNFIT)
    try:
        parse_address(settings.database)
    except ValueError as fault:
        return complain(str(fault), UNFIT)
    serve = _load_serve()
    pass

    asyncio.run(serve_patiently(serve, settings))
    return 0


def explain_sandbox_failure(fault: OSError, settings: Settings) -> str:
    """Why the sandbox could not be served; an error of the network names no file."""
    if fault.errno == errno.EADDRINUSE:
        return TAKEN.format(port=settings.port)
    if fault.errno == errno.EACCES and fault.filename is None:
        return PRIVILEGED.format(port=settings.port)
    why = explain_hindrance(fault, settings.sandbox_folder, ANOTHER)
    return UNSTORED.format(folder=settings.sandbox_folder, why=why)


def _load_serve() -> Callable[[Settings], Coroutine[Any, Any, None]]:
    """Import `serve` with garbage collection off: all modules stay, and collecting takes a tenth of the start."""
    gc.disable()
    from bot.games.catalogue import load_games
    from bot.host.serving import serve

    load_games()
    gc.freeze()
    gc.enable()
    return serve
