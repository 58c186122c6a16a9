"""What all commands of hosts share: which database they are about, and how they end."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from bot.host.advice import advise
from bot.host.commands.progress_bar import shown
from bot.host.exit_status import UNFIT, complain, ending
from bot.host.this_machine import process_name, since_boot
from bot.service.cluster.processes import named
from bot.settings import Settings
from data.engine.wrapped_errors import refused_statement
from data.upkeep.file_check import Refused
from data.upkeep.hindrance import hindrance
from data.upkeep.typed_commands import command, elsewhere
from data.upkeep.worker_thread import Progress

UNCHANGED = "Nothing was changed."
ODD = "The database isn't as this program left it ({why}): {check} says what is wrong with it."
INTERRUPTED = 130
"""The exit status of what somebody has broken off with Ctrl+C, as shells have it."""


def place(settings: Settings, given: Namespace) -> str:
    """The database of a command: the bot's, or with --sandbox that of the bot on the sandbox."""
    return settings.sandbox_database if given.sandbox else settings.database


def told(
    given: Namespace, work: Callable[[Settings, Progress], Coroutine[Any, Any, str]], broken: str = UNCHANGED
) -> int:
    """Do some work on the database and print its sentence, or the one for its error.

    When somebody presses Ctrl+C, `broken` says what has become of the database.
    """
    try:
        settings = Settings.read()
        advise(settings, given.sandbox)
        with shown(sys.stderr, since_boot) as progress:
            said = asyncio.run(work(settings, progress))
        print(said)
    except KeyboardInterrupt:
        return complain(f"Interrupted. {broken}", INTERRUPTED)
    except Refused as fault:
        return complain(str(fault), UNFIT)
    except Exception as fault:
        if why := refused_statement(fault):
            return complain(ODD.format(why=why, check=command("check")), UNFIT)
        if end := ending(fault):
            return complain(*end)
        if isinstance(fault, FileNotFoundError | ValueError):  # of a database that is not there, or of an address
            return complain(str(fault), UNFIT)
        if isinstance(fault, OSError):
            return complain(hindrance(fault, Path("a file"), elsewhere()), UNFIT)
        raise
    return 0


def this_command() -> str:
    """What others read that want to write meanwhile."""
    return named(process_name())
