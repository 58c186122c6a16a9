"""This machine's clocks and random numbers, the program's version, and how commands are typed here."""

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

# The program's version: its number, and the commit of a checkout or the build day of an image.


ROOT = Path(__file__).parents[2]
BUILT = "BUILT"
"""The file with the build day of a container image; a checkout has none."""
WITHIN = 5.0
"""Seconds for git to answer."""


@cache
def version() -> str:
    """The version, like `0.1.0 (1a2b3c4d, 2026-11-28)`."""
    return version_in(ROOT)


def version_in(root: Path) -> str:
    """The version of the program in a folder."""
    origin = commit_of(root) or build_day_of(root)
    return f"{VERSION} ({origin})" if origin else VERSION


def commit_of(root: Path) -> str | None:
    """The commit that is checked out in a folder, and its day; None without a checkout or without git."""
    if not (root / ".git").exists():  # git would also find an unrelated checkout around the folder
        return None
    # The bot often runs as another user than the owner of the checkout, which git would refuse.
    asked = ["git", "-c", f"safe.directory={root}", "log", "-1", "--no-show-signature", "--format=%h, %cs"]
    mine = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    try:
        said = subprocess.run(asked, cwd=root, env=mine, capture_output=True, text=True, timeout=WITHIN, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return said.stdout.strip() or None


def build_day_of(root: Path) -> str | None:
    """The build day of the image that has the program in a folder; None where it is no image."""
    try:
        day = (root / BUILT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return f"built {day}" if day else None


# This machine's clocks and random numbers.


LONGEST = 40
"""The most characters of a machine's name."""

rng = random.SystemRandom()


def wall_time() -> float:
    """Epoch seconds; the clock may be wrong, and may be set."""
    return time.time()


def seconds_since_boot() -> float:
    """Seconds of a monotonic clock; on Linux they include those in which the machine was suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


def process_name() -> str:
    """A unique name of this process: `<machine>:<pid>:<random>`.

    The machine and the pid help a host to find the process. All containers may have the same, hence the random part.
    """
    machine = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:LONGEST] or "unnamed"
    return f"{machine}:{os.getpid()}:{rng.getrandbits(32):08x}"


def this_machine() -> Machine:
    """The clocks, random numbers and name for a process that starts now."""
    return Machine(wall_time, seconds_since_boot, process_name(), os.cpu_count() or 1, version())


# How commands are typed here, and for which database, as advice in sentences for hosts.


IN_CONTAINER = "docker compose run --rm bot"
"""What a host types outside of the container."""


def set_advice(settings: Settings, sandbox: bool) -> None:
    """Let all advice from now on name the bot's database, or the sandbox's."""
    HERE.program, HERE.sandbox = program_call(settings.container), sandbox


def program_call(container: bool) -> str:
    """The command line that calls the program from the current folder."""
    if container:
        return IN_CONTAINER
    python = sys.executable
    if shutil.which("python") == python:
        return "python -m bot"
    if Path(python).is_relative_to(Path.cwd()):
        python = str(Path(python).relative_to(Path.cwd()))
    return f"{shlex.quote(python)} -m bot"
