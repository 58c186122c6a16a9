"""This machine's clocks and chance, the program's version, and how commands are typed here."""

from __future__ import annotations

import os
import random
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

from bot import VERSION
from bot.platform.machine import Machine
from bot.settings import Settings
from data.upkeep.hindrance import HERE

# Says which version of the program runs here: its number, and the commit of a checkout or the day of an image.


ROOT = Path(__file__).parents[2]
BUILT = "BUILT"
"""The file with the day on which a container's image was built; a checkout has none."""
WITHIN = 5.0
"""Seconds for git to answer."""


@cache
def version() -> str:
    """The version, like `0.1.0 (1a2b3c4d, 2026-11-28)`."""
    return version_in(ROOT)


def version_in(root: Path) -> str:
    """The same of the program in a folder."""
    origin = commit_of(root) or build_day_of(root)
    return f"{VERSION} ({origin})" if origin else VERSION


def commit_of(root: Path) -> str | None:
    """The commit that is checked out in a folder, and its day; None where that is no checkout, or there is no git."""
    if not (root / ".git").exists():  # the folder itself: a checkout around it may be anybody's
        return None
    # The bot's user is often not the one whose checkout this is, which git would refuse.
    asked = ["git", "-c", f"safe.directory={root}", "log", "-1", "--no-show-signature", "--format=%h, %cs"]
    mine = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    try:
        said = subprocess.run(asked, cwd=root, env=mine, capture_output=True, text=True, timeout=WITHIN, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip() or None


def build_day_of(root: Path) -> str | None:
    """The day on which an image was built that has the program in a folder."""
    try:
        day = (root / BUILT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return f"built {day}" if day else None


# Reads this machine's clocks and draws its chance, for the bot and for hosts' commands.


LONGEST = 40
"""Characters of a machine's name."""

lots = random.SystemRandom()


def wall_time() -> float:
    """Epoch seconds; they may be wrong, and be set."""
    return time.time()


def seconds_since_boot() -> float:
    """Seconds of a steady clock; on Linux they include those in which the machine was asleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


def process_name() -> str:
    """A name that no other process has: `<machine>:<number>:<lot>`.

    The machine and the number help a host to find the process. Containers give the same to all they start, so a lot is
    drawn at each start.
    """
    machine = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:LONGEST] or "unnamed"
    return f"{machine}:{os.getpid()}:{lots.getrandbits(32):08x}"


def this_machine() -> Machine:
    """The machine as a process that begins now is told of it."""
    return Machine(wall_time, seconds_since_boot, process_name(), os.cpu_count() or 1, version())


# Tells the sentences of a process how its commands are typed here, and which database they are about.


IN_CONTAINER = "docker compose run --rm bot"
"""What a host types outside of it."""


def set_advice(settings: Settings, sandbox: bool) -> None:
    """Have all sentences from now on advise what is about the bot's database, or about the sandbox's."""
    HERE.program, HERE.sandbox = program_call(settings.container), sandbox


def program_call(container: bool) -> str:
    """How the program is called from the current folder."""
    if container:
        return IN_CONTAINER
    python = sys.executable
    if shutil.which("python") == python:
        return "python -m bot"
    if Path(python).is_relative_to(Path.cwd()):
        python = str(Path(python).relative_to(Path.cwd()))
    return f"{shlex.quote(python)} -m bot"
