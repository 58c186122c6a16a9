"""A move of many matches, killed on the way: `python -m tests.data.move_many --matches 100000 --kills 3`.

The database is made from recorded matches and moved from SQLite to PostgreSQL and back, by the command that a host
types; its process is killed some times each way while it copies, at moments spread over the way, and typed again, which
starts over. In the end both files are compared, every row of every table, by SQLite itself.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import func, select

from data.engine.database import Database
from data.engine.errors import Unavailable
from data.tables.schema import moves
from data.upkeep.health import LEFT, UNFINISHED
from data.upkeep.transfer import TABLES
from tests.support.postgres import server
from tests.support.stocked_database import stock

LAST = select(func.max(moves.c.match))
"""The move is killed during this table, the longest of all."""
LOOK_SECONDS = 0.05
NOT_COPIED = f"WHERE name NOT IN ('{LEFT}', '{UNFINISHED}')"


def typed(source: str, target: str) -> subprocess.Popen[str]:
    """The command, running."""
    environment = {**os.environ, "GRAPHPAPER_DATABASE": source, "DISCORD_TOKEN": "no.such.token"}
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "move-to", target],
        env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


async def reached(target: str) -> int:
    """The match whose moves have arrived last; 0 before there are any."""
    database = Database(target)
    try:
        return await database.read(lambda connection: connection.execute(LAST).scalar()) or 0
    except (Unavailable, Exception):  # there is nothing yet that could be asked
        return 0
    finally:
        await database.close()


def killed(source: str, target: str, match: int) -> str:
    """Type the command, and kill it when it has come to a match; where it was when it died."""
    began, running = time.monotonic(), typed(source, target)
    while asyncio.run(reached(target)) < match:
        if running.poll() is not None:
            raise SystemExit(f"It ended before it could be killed: {running.communicate()[0]}")
        time.sleep(LOOK_SECONDS)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    last = asyncio.run(reached(target))
    return f"killed after {time.monotonic() - began:.1f} s, when the moves of match {last} had arrived"


def ended(source: str, target: str) -> str:
    """Type the command and let it end; what it says."""
    began, running = time.monotonic(), typed(source, target)
    said = running.communicate()[0]
    if running.returncode:
        raise SystemExit(said)
    return f"{said.rstrip()}\nended after {time.monotonic() - began:.1f} s"


def story(source: str, target: str, matches: int, kills: int) -> Iterator[str]:
    """A move with its kills, a line each."""
    for kill in range(1, kills + 1):
        yield killed(source, target, kill * matches // (kills + 1))
    yield ended(source, target)


def differences(one: Path, other: Path) -> Iterator[tuple[str, int, int]]:
    """Each table, how many rows it has, and how many are in one file alone."""
    with closing(sqlite3.connect(one)) as connection:
        connection.execute("ATTACH ? AS other", (str(other),))
        for table in TABLES:
            where = NOT_COPIED if table.name == "key_values" else ""
            here, there = (f"SELECT * FROM {base}.{table.name} {where}" for base in ("main", "other"))
            count = connection.execute(f"SELECT count(*) FROM ({here})").fetchone()[0]
            alone = [
                connection.execute(f"SELECT count(*) FROM (SELECT * FROM ({a}) EXCEPT SELECT * FROM ({b}))").fetchone()[
                    0
                ]
                for a, b in ((here, there), (there, here))
            ]
            yield table.name, count, sum(alone)


def told(folder: Path, matches: int, kills: int) -> int:
    """Go there and back, and print all of it; how many rows are not what they were."""
    one, other = folder / "one.db", folder / "other.db"
    began = time.monotonic()
    asyncio.run(stock(one, matches))
    print(f"{matches} matches were written in {time.monotonic() - began:.0f} s, {one.stat().st_size / 1e6:.0f} MB")
    with server().database() as url:
        for name, source, target in (
            ("SQLite to PostgreSQL", f"sqlite:///{one}", url),
            ("PostgreSQL to SQLite", url, f"sqlite:///{other}"),
        ):
            print(f"\n{name}:", flush=True)
            for line in story(source, target, matches, kills):
                print(line, flush=True)
    print("\nThere and back, compared with what was there at first:")
    off = 0
    for name, count, alone in differences(one, other):
        print(f"{name:12} {count:9} rows, {alone} of them not the same")
        off += alone
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
    print(
        f"most memory of a process that moved: {peak:.0f} MB; kills: {2 * kills}; lost, doubled or changed rows: {off}"
    )
    return off


def main() -> int:
    """The exit status: 1 when anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return int(told(Path(folder), given.matches, given.kills) > 0)


if __name__ == "__main__":
    sys.exit(main())
