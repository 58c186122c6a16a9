"""What hosts do to a whole database, by this machine's chance, and by its clock unless a test gives another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.host.machine import rng, wall_time
from data.upkeep import backups, transfer, upgrade
from data.upkeep.file_check import Progress, show_nothing


async def restore(file: Path, url: str, force: bool = False, clock: Callable[[], float] = wall_time) -> str:
    """Put a copy in place of a database."""
    return await backups.restore(file, url, clock, rng, force)


async def renew(url: str, clock: Callable[[], float] = wall_time) -> str:
    """Make a server's database fit to go on with."""
    return await upgrade.renew(url, clock, rng)


async def move(
    source: str,
    target: str,
    force: bool = False,
    clock: Callable[[], float] = wall_time,
    progress: Progress = show_nothing,
) -> str:
    """Copy a database to an empty one."""
    return await transfer.move_database(source, target, clock, rng, force, progress)
