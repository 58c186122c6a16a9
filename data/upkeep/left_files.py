"""Finds what lies beside a SQLite database and holds matches, too: what a restore replaced, half copies, other copies.

Whoever was forgotten is still in there, and it takes room until a host deletes it.
"""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from data.engine.database_files import COMPANIONS, companions
from data.upkeep.file_check import BESIDE, looks_ours

PART = ".part"


class LeftFile(NamedTuple):
    """A file that a host may want to delete: when it was last written to, as epoch seconds, and its bytes."""

    file: Path
    written: int
    bytes: int


def left_files(database: Path) -> list[LeftFile]:
    """What holds matches beside a database, the latest first; `OSError` where its folder can't be read."""
    with os.scandir(database.parent) as entries:
        files = [Path(entry) for entry in islice(entries, BESIDE) if entry.is_file(follow_symlinks=False)]
    found = [
        file
        for file in files
        if file.name != database.name and not file.name.endswith(COMPANIONS) and (is_half(file) or looks_ours(file))
    ]
    seen = [_seen(file) for file in found if not file.samefile(database)]
    return sorted(seen, key=lambda one: (-one.written, one.file.name))


def is_half(file: Path) -> bool:
    """Whether a file is a copy that was not finished."""
    return file.name.endswith(PART)


def _seen(file: Path) -> LeftFile:
    sizes = [one.stat().st_size for one in (file, *companions(file))]
    return LeftFile(file, int(file.stat().st_mtime), sum(sizes))
