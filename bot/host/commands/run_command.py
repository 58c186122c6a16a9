"""The command `run`: serves Discord, or the sandbox where there is no token.

It loads nothing that only other commands need, since people wait for a bot that starts.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
from argparse import Namespace
from collections.abc import Callable, Coroutine
from typing import Any

from bot.host.advice import advise
from bot.host.exit_status import UNFIT, complain, ending
from bot.host.logs import start_logging
from bot.host.version import version
from bot.settings import Settings
from data.engine.address import address
from data.upkeep.hindrance import hindrance

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

log = logging.getLogger(__name__)


def run(given: Namespace) -> int:
    """Serve Discord, or the sandbox where there is no token; an error that is foreseen becomes a sentence."""
    try:
        return _run(given)
    except Exception as fault:
        if not (end := ending(fault)):
            raise
        return complain(*end)


def _run(given: Namespace) -> int:
    settings = Settings.read()
    sandbox = given.sandbox or (settings.token is None and not settings.container)
    advise(settings, sandbox or (settings.sandboxed and settings.database == settings.sandbox_database))
    start_logging(settings)
    log.info("Graph Paper %s starts.", version())
    if not settings.sandboxed:  # where the sandbox has started this process, it has said them
        log.info("%s", settings.read_from)
        for remark in settings.remarks:
            log.warning("%s", remark)
    if sandbox:
        from bot.host.supervisor import serve_sandbox

        try:
            asyncio.run(serve_sandbox(settings))
        except OSError as fault:
            return complain(unserved(fault, settings), UNFIT)
        return 0
    if settings.token is None:
        return complain(NO_TOKEN, UNFIT)
    try:
        address(settings.database)
    except ValueError as fault:
        return complain(str(fault), UNFIT)
    serve = _loaded()
    from bot.host.patience import patiently

    asyncio.run(patiently(serve, settings))
    return 0


def unserved(fault: OSError, settings: Settings) -> str:
    """Why the sandbox could not be served; an error of the network names no file."""
    if fault.errno == errno.EADDRINUSE:
        return TAKEN.format(port=settings.port)
    if fault.errno == errno.EACCES and fault.filename is None:
        return PRIVILEGED.format(port=settings.port)
    why = hindrance(fault, settings.sandbox_folder, ANOTHER)
    return UNSTORED.format(folder=settings.sandbox_folder, why=why)


def _loaded() -> Callable[[Settings], Coroutine[Any, Any, None]]:
    """What serves people. No garbage is looked for while it is loaded: all of it stays, and going through it again and
    again is a tenth of the start."""
    gc.disable()
    from bot.core.library.catalogue import games
    from bot.host.serving import serve

    games()
    gc.freeze()
    gc.enable()
    return serve
