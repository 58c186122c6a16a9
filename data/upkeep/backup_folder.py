"""Keeps copies of a SQLite database in a folder: one a day at a quiet hour, one before each migration, seven of each.

A copy's name says when it was made and why. Nothing else in the folder is ever touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from data.engine.address import address, file_of
from data.engine.database_errors import Unusable
from data.engine.database_files import make_folder, remove
from data.upkeep.backup import copied, published
from data.upkeep.file_check import Refused, looking, tables
from data.upkeep.hindrance import ANOTHER_FOLDER, hindrance, no_copies
from data.upkeep.revisions import known
from data.upkeep.worker_thread import Progress, beside, quiet

KEPT = 7
"""How many copies of a kind are kept: a migration that fails again and again takes no daily one away."""
QUIET_HOUR = 4
"""The hour of the day, in UTC, from which on a day's copy is made."""
DAILY, BEFORE = "daily", "before"
WRITTEN = "%Y-%m-%d-%H%M%S"
NAME = re.compile(r"graphpaper-(?P<at>\d{4}-\d\d-\d\d-\d{6})-(?P<why>daily|before-\w+)\.db(?P<part>\.part\S*)?")
NOT_MIGRATED = (
    "The database was not brought to schema {step}, since no copy of it could be made before. {why} Or set"
    " GRAPHPAPER_BACKUPS to off, to do without."
)
REVISION = "SELECT version_num FROM alembic_version"


class Copy(NamedTuple):
    """A copy that was made by itself: when, as epoch seconds, and why."""

    at: int
    why: str
    file: Path


class Standing(NamedTuple):
    """How many copies there are; when the newest was made, as epoch seconds, and its bytes; 0 where there is none."""

    copies: int
    newest: int
    bytes: int


def dated(folder: Path, now: float, why: str = "") -> Path:
    """The file for a copy that is made at a moment."""
    moment = datetime.fromtimestamp(now, UTC).strftime(WRITTEN)
    return folder / (f"graphpaper-{moment}-{why}.db" if why else f"graphpaper-{moment}.db")


def copies(folder: Path) -> list[Copy]:
    """All copies in a folder that were made by themselves, the earliest first."""
    found: list[Copy] = []
    for file in folder.glob("graphpaper-*.db"):
        if (read := NAME.fullmatch(file.name)) and (at := _moment(read["at"])) is not None:
            found.append(Copy(at, read["why"], file))
    return sorted(found)


def standing(folder: Path, now: float) -> Standing:
    """How the copies in a folder are; those with a date that is still to come say nothing of the newest."""
    found = [copy for copy in copies(folder) if copy.at <= now]
    newest = found[-1] if found else None
    return Standing(len(found), newest.at if newest else 0, newest.file.stat().st_size if newest else 0)


def due(folder: Path, now: float) -> bool:
    """Whether the copy of the day is still to be made, also where its hour was missed."""
    return _day(now) not in {_day(copy.at) for copy in copies(folder) if copy.why == DAILY}


async def copy_of_the_day(
    url: str, folder: Path, clock: Callable[[], float], progress: Progress = quiet
) -> Path | None:
    """Make the copy of the day if it is due, and delete those that are too many; `Refused`, `OSError`."""
    if not due(folder, now := clock()):
        return None
    return await beside(partial(_kept, url, folder, now, DAILY), progress)


async def copy_before_migrating(
    url: str, folder: Path | None, clock: Callable[[], float], progress: Progress = quiet
) -> Path | None:
    """Make a copy of a database whose schema is to change, if there is a folder for it, and delete those that are too
    many; `Unusable` where none can be made."""
    file = file_of(address(url))
    if folder is None or file is None or not (step := _step(file)):
        return None
    try:
        return await beside(partial(_kept, url, folder, clock(), f"{BEFORE}-{step}"), progress)
    except Refused as fault:
        raise Unusable(NOT_MIGRATED.format(step=step, why=fault)) from fault


def _step(file: Path) -> str | None:
    """The schema to which a database is to be brought from an earlier one; None if there is nothing to do."""
    if not file.is_file() or not file.stat().st_size:
        return None
    with looking(file) as connection, closing(connection.cursor()) as asked:
        row = asked.execute(REVISION).fetchone() if "alembic_version" in tables(connection) else None
    head = known()[-1]
    return head if row and row[0] in known() and row[0] != head else None


def _kept(url: str, folder: Path, now: float, why: str, progress: Progress) -> Path:
    try:
        return _made(url, folder, now, why, progress)
    except OSError as fault:
        raise Refused(hindrance(fault, folder, ANOTHER_FOLDER)) from fault


def _made(url: str, folder: Path, now: float, why: str, progress: Progress) -> Path:
    source = file_of(address(url))
    if source is None:
        raise Refused("Copies are made of SQLite databases only.")
    if why_not := no_copies(folder, source):
        raise Refused(why_not)
    make_folder(folder)
    for left in folder.glob("graphpaper-*.part*"):
        if (read := NAME.fullmatch(left.name)) and read["part"]:  # of a process that was killed
            remove(left)
    target = dated(folder, now, why)
    copy, _ = copied(source, target, progress, ANOTHER_FOLDER)
    published(copy, target)
    _thin_out(folder, target, now)
    return target


def _thin_out(folder: Path, made: Path, now: float) -> None:
    """Delete all but the newest copies of the kind that was made; what has a date to come counts as the oldest."""
    kind = made.name.split("-")[-1] == f"{DAILY}.db"
    same = [copy for copy in copies(folder) if (copy.why == DAILY) == kind and copy.file != made]
    same.sort(key=lambda copy: (copy.at <= now, copy.at), reverse=True)
    for copy in same[KEPT - 1 :]:
        remove(copy.file)


def _day(moment: float) -> date:
    return (datetime.fromtimestamp(moment, UTC) - timedelta(hours=QUIET_HOUR)).date()


def _moment(text: str) -> int | None:
    try:
        return int(datetime.strptime(text, WRITTEN).replace(tzinfo=UTC).timestamp())
    except ValueError:
        return None
