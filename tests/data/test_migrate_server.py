"""Migrations of a database on a server: by one process at a time, whole or not at all, and to what SQLite comes to."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import asyncpg as driver  # pyright: ignore[reportMissingTypeStubs]  -- it has none
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text

from bot.games.catalogue import load_games
from data.engine.database import Database
from data.engine.errors import Forbidden
from data.engine.sql import LockSubject
from data.tables.rows import METADATA
from data.upkeep.hindrance import SCRIPTS, SchemaTooNew
from data.upkeep.integrity import check_database
from data.upkeep.upgrade import StrangeDatabase, migrate
from tests.data.raw import connected, tables, told
from tests.data.test_migrate import HEAD, MIGRATE
from tests.support.postgres import Postgres

asyncpg: Any = driver

STEP = '''"""A later step."""
import os
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{head}"


def upgrade():
    op.add_column("ratings", sa.Column("peak", sa.Double()))
    op.execute("UPDATE key_values SET value = 'changed'")
    {last}
'''


@pytest.fixture
def bare(postgres: Postgres) -> Generator[str]:
    """The address of a database without tables."""
    with postgres.database("template0") as url:
        yield url


@pytest.fixture
def ours(postgres: Postgres) -> Generator[str]:
    """The address of a database at the program's schema, with a note in it."""
    with postgres.database() as url:
        told(url, "INSERT INTO key_values (name, value) VALUES ('n', 'kept')")
        yield url


def until(folder: Path, revision: str) -> Path:
    """The program's migrations up to one of them."""
    scripts = Path(shutil.copytree(SCRIPTS, folder / f"until{revision}"))
    for step in (scripts / "versions").glob("0*.py"):
        if step.name[:4] > revision:
            step.unlink()
    return scripts


def later(folder: Path, last: str = "pass") -> Path:
    """The program's migrations and one more."""
    scripts = Path(shutil.copytree(SCRIPTS, folder / "migrations"))
    (scripts / "versions" / "later.py").write_text(STEP.format(head=HEAD, last=last))
    return scripts


def content(url: str) -> tuple[Any, ...]:
    """What a step of these tests would change."""
    asked = "SELECT column_name FROM information_schema.columns WHERE table_name = 'ratings' ORDER BY 1"
    return told(url, asked), told(url, "SELECT * FROM key_values"), told(url, "SELECT * FROM alembic_version")


@pytest.mark.parametrize("made", ["at once", "step by step"])
async def test_a_new_database_is_what_the_program_expects(bare: str, made: str, tmp_path: Path) -> None:
    """Steps from another folder are taken one by one, whatever they are."""
    scripts = SCRIPTS if made == "at once" else Path(shutil.copytree(SCRIPTS, tmp_path / "migrations"))
    assert await migrate(bare, scripts) == HEAD == await migrate(bare)
    database = Database(bare)

    def difference(connection: Connection) -> list[Any]:
        return compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), METADATA)

    assert await database.read(difference) == []
    await database.close()


async def test_indexes_made_at_once_are_those_of_the_steps(bare: str, tmp_path: Path) -> None:
    asked = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'alembic_version' ORDER BY 1"
    await migrate(bare)
    at_once = told(bare, asked)
    told(bare, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    await migrate(bare, Path(shutil.copytree(SCRIPTS, tmp_path / "migrations")))
    assert told(bare, asked) == at_once
    assert any(" WHERE " in definition for (definition,) in at_once)


async def test_of_several_that_are_started_at_once_one_migrates(bare: str) -> None:
    """They are all there before the first may begin."""
    looker = await asyncpg.connect(bare)
    await looker.execute(f"SELECT pg_advisory_lock({int(LockSubject.SCHEMA)}, 0)")
    starting = [asyncio.ensure_future(migrate(bare)) for _ in range(4)]
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"
    while await looker.fetchval(waiting) < len(starting):
        assert [one.result() for one in starting if one.done()] == []
    await looker.execute("SELECT pg_advisory_unlock_all()")
    assert await asyncio.gather(*starting) == [HEAD] * 4
    await looker.close()
    assert told(bare, "SELECT * FROM alembic_version") == [(HEAD,)]


async def test_a_step_that_fails_in_the_middle_is_undone(ours: str, tmp_path: Path) -> None:
    before = content(ours)
    with pytest.raises(ZeroDivisionError):
        await migrate(ours, later(tmp_path, "1 / 0"))
    assert content(ours) == before
    assert await migrate(ours) == HEAD


@pytest.mark.long
async def test_being_killed_in_the_middle_is_undone(ours: str, tmp_path: Path) -> None:
    before = content(ours)
    arguments = ("-c", MIGRATE, ours, str(later(tmp_path, "os._exit(9)")))
    migrating = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=Path(__file__).parents[2])
    assert await migrating.wait() == 9
    assert content(ours) == before
    assert await migrate(ours) == HEAD, "nobody holds it up"


async def test_a_later_schema_is_not_touched(ours: str, tmp_path: Path) -> None:
    await migrate(ours, later(tmp_path))
    before = content(ours)
    with pytest.raises(SchemaTooNew, match="written by a newer version of Graph Paper"):
        await migrate(ours)
    assert content(ours) == before


async def test_a_strangers_database_is_not_touched(bare: str) -> None:
    told(bare, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StrangeDatabase, match="another program's tables. Give Graph Paper its own database"):
        await migrate(bare)
    assert tables(bare) == ["recipes"]


async def test_a_user_who_may_not_make_tables_is_told_what_they_need(bare: str) -> None:
    (name,) = re.findall(r"/(test_\w+)\?", bare)
    guest = f"guest_of_{name}"
    told(bare, f"CREATE ROLE {guest} LOGIN", "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    try:
        with pytest.raises(Forbidden, match="has to make that user the database's owner"):
            await migrate(bare.replace("postgres:@", f"{guest}:@"))
        assert tables(bare) == []
    finally:
        told(bare, f"DROP ROLE {guest}")


def inserted(connection: Connection, table: str, rows: list[Mapping[str, object]]) -> None:
    """Some rows more in a table, whatever its columns are at this step."""
    for row in rows:
        names, places = ", ".join(f'"{name}"' for name in row), ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({places})"), row)


def match(number: int, state: str, **changes: object) -> dict[str, object]:
    """A match as the first schema has it."""
    over = state == "finished"
    return {
        "id": number, "guild": 1, "channel": 1, "game": "binary-primes", "game_version": 1, "options": '{"size": 3}',
        "seats": 2, "seating": "lot", "rated": True, "host": 11, "state": state, "version": 5, "plies": 4 * over,
        "turn": "[1]" if state == "live" else "[]", "created": 0, "expires": 9, "started": 0,
        "ended": 7_800_000 + number if over else None, "shown_version": 4, "shown_plies": 0, "published": False,
        **changes,
    }  # fmt: skip


def seat(of: int, number: int, **changes: object) -> dict[str, object]:
    """A player as the first schema has them."""
    known = {"match": of, "user": 10 + number, "joined": number, "seat": number, "invited": False, "consent": False}
    return {**known, **changes}


RATING = {"guild": 1, "mu": 25.0, "sigma": 8.0, "played": 2, "won": 1, "drawn": 0, "lost": 1}
ROWS: dict[str, dict[str, list[Mapping[str, object]]]] = {
    "0001": {
        "matches": [match(1, "open"), match(2, "live"), match(3, "finished"), match(4, "finished", shown_version=5)],
        "players": [
            *(seat(1, number, seat=None, invited=number == 2) for number in (1, 2)),
            *(seat(2, number) for number in (1, 2)),
            *(seat(of, number, rank=1 + (of + number) % 2, score="7") for of in (3, 4) for number in (1, 2)),
        ],
        "moves": [
            {"match": of, "ply": ply, "seat": 2 - ply % 2, "text": move, "at": 5}
            for of in (3, 4)
            for ply, move in enumerate(("a1", "b1", "c1", "a2"), 1)
        ],
        "deliveries": [{"interaction": 2**62, "match": 2, "at": 5}],
        "ratings": [{**RATING, "game": game, "user": user} for game in ("", "binary-primes") for user in (11, 12)],
    },
    "0002": {"settings": [{"guild": 1, "channels": "[5]", "threads": False}]},
    "0003": {"players": [seat(2, 3, seat=None, due=6)], "settings": [{"guild": 2, "channels": "[]", "threads": True}]},
}
"""A history: what was written at each schema. A player who comes into a match late has no seat in it yet."""


async def kept(url: str, folder: Path) -> dict[str, list[str]]:
    """All rows of a database that was at every schema, and was written to at each."""
    for revision, rows in ROWS.items():
        assert await migrate(url, until(folder, revision), anew=True) == revision
        with connected(url) as connection:
            for table, lines in rows.items():
                inserted(connection, table, lines)
    assert await migrate(url) == HEAD
    database = Database(url)
    found = await database.read(
        lambda connection: {
            table.name: sorted(repr(tuple(row)) for row in connection.execute(table.select()))
            for table in METADATA.sorted_tables
        }
    )
    await database.close()
    return found


async def test_the_same_history_leaves_the_same_rows_on_both(bare: str, tmp_path: Path) -> None:
    file = await kept(f"sqlite:///{tmp_path / 'matches.db'}", tmp_path / "file")
    server = await kept(bare, tmp_path / "server")
    assert server == file
    assert len(file["ratings"]) == 8, "of all time, and of the season"
    report = await check_database(bare, load_games())
    assert all("the database" not in line for line in report.lines), report.lines
