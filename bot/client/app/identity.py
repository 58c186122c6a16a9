"""What a process is called among others on the same database: its machine's name, its number there, and a lot.

The name and the number are for whoever looks for the process; containers give the same to all they start. The lot is
drawn at each start, so that no process is ever taken for another, nor for the one that it replaces.
"""

from __future__ import annotations

import os
import re
import secrets
import socket

LONGEST = 40
"""So many characters of a machine's name."""


def drawn() -> str:
    """A name that no other process has, without spaces: `<machine>:<number>:<lot>`."""
    machine = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:LONGEST] or "unnamed"
    return f"{machine}:{os.getpid()}:{secrets.token_hex(4)}"


def told(holder: str) -> str:
    """A process in words."""
    machine, _, rest = holder.partition(":")
    number = rest.partition(":")[0]
    return f"process {number} on {machine}" if machine and number else holder
