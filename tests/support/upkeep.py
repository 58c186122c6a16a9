"""What hosts do to a whole database, by this machine's chance, and by its clock unless a test gives another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.host.this_machine import lots, wall
from data.upkeep import backup, renumber
from data.upkeep.transfer import transfer
from data.upkeep.worker_thread import Progress, quiet


async def restore(file: Path, url: str, force: bool = False, clock: Callable[[], float] = wall) -> str:
    """Put a copy in place of a database."""
    return await backup.restore(file, url, clock, lots, force)


async def renew(url: str, clock: Callable[[], float] = wall) -> str:
    """Make a server's database fit to go on with."""
    return await renumber.renew(url, clock, lots)


async def move(
    source: str, target: str, force: bool = False, clock: Callable[[], float] = wall, progress: Progress = quiet
) -> str:
    """Copy a database to an empty one."""
    return await transfer.move(source, target, clock, lots, force, progress)
