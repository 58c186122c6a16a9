"""Says which version of the program runs here: its number, and the commit of a checkout or the day of an image.

The number alone changes rarely, and a host wants to see whether an update has arrived.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from bot import VERSION

ROOT = Path(__file__).parents[2]
BUILT = "BUILT"
"""The file with the day on which a container's image was built; a checkout has none."""
WITHIN = 5.0
"""Seconds for git to answer."""


@cache
def version() -> str:
    """The version, like `0.1.0 (1a2b3c4d, 2026-11-28)`."""
    return told(ROOT)


def told(root: Path) -> str:
    """The same of the program in a folder."""
    origin = commit(root) or built(root)
    return f"{VERSION} ({origin})" if origin else VERSION


def commit(root: Path) -> str | None:
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


def built(root: Path) -> str | None:
    """The day on which an image was built that has the program in a folder."""
    try:
        day = (root / BUILT).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    return f"built {day}" if day else None
