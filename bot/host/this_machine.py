"""Reads this machine's clocks and draws its chance, for the bot and for hosts' commands.

No other module of the bot does so: all others are handed what they use, so that a simulation can hand them something
else. `tests/house/test_time_and_chance.py` holds them to that.
"""

from __future__ import annotations

import os
import random
import re
import socket
import sys
import time

from bot.client.runtime.machine import Machine
from bot.host.version import version

LONGEST = 40
"""Characters of a machine's name."""

lots = random.SystemRandom()


def wall() -> float:
    """Epoch seconds; they may be wrong, and be set."""
    return time.time()


def since_boot() -> float:
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
    return Machine(wall, since_boot, process_name(), os.cpu_count() or 1, version())
