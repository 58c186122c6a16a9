"""Tells the sentences of a process how its commands are typed here, and which database they are about."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from bot.settings import Settings
from data.upkeep.typed_commands import HERE

IN_CONTAINER = "docker compose run --rm bot"
"""What a host types outside of it."""


def advise(settings: Settings, sandbox: bool) -> None:
    """Have all sentences from now on advise what is about the bot's database, or about the sandbox's."""
    HERE.program, HERE.sandbox = called(settings.container), sandbox


def called(container: bool) -> str:
    """How the program is called from the current folder."""
    if container:
        return IN_CONTAINER
    python = sys.executable
    if shutil.which("python") == python:
        return "python -m bot"
    if Path(python).is_relative_to(Path.cwd()):
        python = str(Path(python).relative_to(Path.cwd()))
    return f"{shlex.quote(python)} -m bot"
