"""An empty database at the program's schema for tests to copy, migrated once in a process."""

from __future__ import annotations

import asyncio
import tempfile
from functools import cache
from pathlib import Path

from data.upkeep.upgrade import migrate


@cache
def empty_database() -> bytes:
    """The content of its file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        asyncio.run(migrate(f"sqlite:///{file}"))
        return file.read_bytes()
