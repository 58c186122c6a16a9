"""The schema: what the migrations make is what the program expects, and a migration happens whole or not at all."""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from bot.play.ids import ChannelId
from bot.play.rows import Preferences, ServerSettings
from data.engine.database import Database
from data.store import Reader, Store
from data.tables.rows import METADATA
from data.upkeep import file_check
from data.upkeep.file_check import prepare
from data.upkeep.hindrance import SCRIPTS, SchemaTooNew, known_revisions
from data.upkeep.upgrade import BrokenReferences, migrate
from tests.data.acts import BROKEN_RULE, loaded, played, transaction

HEAD = known_revisions()[-1]

STEP = '''"""A later step."""
import os
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{head}"


def upgrade():
    op.add_column("ratings", sa.Column("peak", sa.Double()))
    with op.batch_alter_table("matches", recreate="always") as batch:
        batch.add_column(sa.Column("season", sa.Integer(), server_default="1", nullable=False))
    {last}
'''


MATCH = {
    "guild": 1, "channel": 1, "game": "plexus", "game_version": 1, "options": "{}", "seats": 2, "seating": "lot",
    "rated": 1, "host": 11, "version": 5, "plies": 0, "turn": "[1]", "created": 0, "shown_version": 5,
    "shown_plies": 0, "published": 0,
}  # fmt: skip
PLAYER = {"joined": 1, "invited": 0, "consent": 0}
"""What the first schema asks of every row."""


async def at_schema(revision: str, folder: Path) -> Path:
    """An empty database as it was at an earlier schema."""
    scripts, file = Path(shutil.copytree(SCRIPTS, folder / "old")), folder / "matches.db"
    for step in (scripts / "versions").glob("0*.py"):
        if step.name[:4] > revision:
            step.unlink()
    assert await migrate(f"sqlite:///{file}", scripts) == revision
    return file


@pytest.fixture
def url(sqlite: str) -> str:
    """The address of an empty database that is a file: of nothing else is this about."""
    return sqlite


def later(folder: Path, last: str = "pass") -> Path:
    """The program's migrations and one more, which makes the table of matches anew and then does something."""
    scripts = Path(shutil.copytree(SCRIPTS, folder / "migrations"))
    (scripts / "versions" / "later.py").write_text(STEP.format(head=HEAD, last=last))
    return scripts


def content(file: Path) -> tuple[list[tuple[Any, ...]], ...]:
    """The schema and all rows of the tables that matter here."""
    with closing(sqlite3.connect(file)) as connection:
        asked = ("SELECT sql FROM sqlite_master ORDER BY name", *(f"SELECT * FROM {name}" for name in TABLES))
        return tuple(connection.execute(question).fetchall() for question in asked)


TABLES = ("matches", "players", "moves", "ratings", "alembic_version")


async def test_a_new_database_is_made_with_its_folder(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/some/where/matches.db"
    assert await migrate(url) == HEAD
    assert await migrate(url) == HEAD
    store = Store(url)
    await played(store)
    await store.close()


@pytest.mark.parametrize("made", ["at once", "step by step"])
async def test_a_new_database_is_what_the_program_expects(made: str, tmp_path: Path) -> None:
    """Steps from another folder are taken one by one, whatever they are."""
    url = f"sqlite:///{tmp_path / 'made.db'}"
    scripts = SCRIPTS if made == "at once" else Path(shutil.copytree(SCRIPTS, tmp_path / "migrations"))
    assert await migrate(url, scripts) == HEAD

    def difference(connection: Connection) -> Sequence[object]:
        options = {"compare_type": True, "compare_server_default": True}
        return compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)

    database = Database(url)
    assert await database.read(difference) == []
    await database.close()


async def test_indexes_made_at_once_are_those_of_the_steps(tmp_path: Path) -> None:
    found: list[list[tuple[str, str]]] = []
    for scripts in (SCRIPTS, Path(shutil.copytree(SCRIPTS, tmp_path / "migrations"))):
        file = tmp_path / str(len(found)) / "made.db"
        await migrate(f"sqlite:///{file}", scripts)
        with closing(sqlite3.connect(file)) as connection:
            asked = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
            found.append(connection.execute(asked).fetchall())
    assert found[0] == found[1]


async def test_a_step_keeps_every_row(store: Store, url: str, file: Path, tmp_path: Path) -> None:
    match = await played(store)
    before = await loaded(store, match)
    _, _, players, moves, *_ = content(file)
    assert await migrate(url, later(tmp_path)) == "later"
    _, (row,), *rest = content(file)
    assert row[0] == match and row[-1] == 1
    assert rest[:2] == [players, moves]
    assert len(players) == 2 and len(moves) == len(before.record) == 4


async def test_a_step_is_told_and_a_start_without_one_is_not(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "data.upkeep.upgrade"):
        await migrate(url)
        await migrate(url)
        assert not caplog.messages
        await migrate(url, later(tmp_path))
    assert caplog.messages == [
        f"The database was brought from schema {HEAD} to schema later, which this version needs."
    ]


async def test_a_migration_is_told_with_where_the_copy_from_before_lies(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "data.upkeep.upgrade"):
        await migrate(url)
        await migrate(url, later(tmp_path), kept=Path("/srv/copies/matches.db"))
    assert caplog.messages == [
        f"The database was brought from schema {HEAD} to schema later, which this version needs. A copy from before is"
        " /srv/copies/matches.db."
    ]


async def test_clocks_that_run_keep_the_weekends_that_they_have(tmp_path: Path) -> None:
    """Ann's clock of the first match rests at weekends, Bea's does not; those of the second match stand still."""
    file = await at_schema("0004", tmp_path)
    with closing(sqlite3.connect(file)) as database, database:
        for match in (1, 2):
            inserted(database, "matches", {**MATCH, "id": match, "state": "live"})
            for user in (1, 2):
                since = 5 if match == 1 else None
                inserted(database, "players", {**PLAYER, "match": match, "user": user, "seat": user, "since": since})
        kept = "INSERT INTO preferences (user, confirm, zone, weekends) VALUES (?, 1, ?, ?)"
        database.executemany(kept, [(1, "Asia/Tokyo", False), (2, "Asia/Tokyo", True)])
    assert await migrate(f"sqlite:///{file}") == HEAD
    with closing(sqlite3.connect(file)) as database:
        found = database.execute("SELECT match, user, weekend FROM players ORDER BY match, user").fetchall()
    assert found == [(1, 1, "Asia/Tokyo"), (1, 2, None), (2, 1, None), (2, 2, None)]


async def test_a_step_that_fails_in_the_middle_is_undone(store: Store, url: str, file: Path, tmp_path: Path) -> None:
    await played(store)
    before = content(file)
    with pytest.raises(ZeroDivisionError):
        await migrate(url, later(tmp_path, "1 / 0"))
    assert content(file) == before
    assert await migrate(url) == HEAD


MIGRATE = """
import asyncio, sys
from pathlib import Path
from typing import Any
from data.upkeep.upgrade import migrate
asyncio.run(migrate(sys.argv[1], Path(sys.argv[2])))
"""


@pytest.mark.long
async def test_being_killed_in_the_middle_is_undone(store: Store, url: str, file: Path, tmp_path: Path) -> None:
    match = await played(store)
    row = await loaded(store, match)
    await store.close()
    before = content(file)
    scripts = later(tmp_path, "os._exit(9)")
    arguments = ("-c", MIGRATE, url, str(scripts))
    migrating = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=Path(__file__).parents[2])
    assert await migrating.wait() == 9
    assert content(file) == before
    assert await loaded(store, match) == row


async def test_a_step_that_loses_what_rows_refer_to_is_undone(
    store: Store, url: str, file: Path, tmp_path: Path
) -> None:
    await played(store)
    before = content(file)
    with pytest.raises(BrokenReferences, match=re.escape("it would have left 10 rows that refer to nothing.")):
        await migrate(url, later(tmp_path, 'op.execute("DELETE FROM matches")'))
    assert content(file) == before


async def test_a_later_schema_is_not_touched(url: str, file: Path, tmp_path: Path) -> None:
    await migrate(url, later(tmp_path))
    before = content(file)
    sentence = (
        "The database was written by a newer version of Graph Paper (its schema is later, this one knows up to "
        f"{HEAD}): use that version, or restore a backup made before it."
    )
    with pytest.raises(SchemaTooNew, match=re.escape(sentence)):
        await migrate(url)
    assert content(file) == before


async def test_two_who_start_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/matches.db"
    assert await asyncio.gather(*(asyncio.to_thread(asyncio.run, migrate(url)) for _ in range(3))) == [HEAD] * 3


@pytest.mark.parametrize("look", ["find_companion_files", "find_databases_beside"])
async def test_what_another_who_starts_at_this_moment_has_made_is_no_remainder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    """It is made between this program's two looks at the folder."""
    file, find = tmp_path / "matches.db", getattr(file_check, look)

    def meanwhile(path: Path) -> list[Path]:
        monkeypatch.undo()
        asyncio.run(migrate(f"sqlite:///{file}"))
        (tmp_path / "matches.db-wal").touch()
        return find(path)

    monkeypatch.setattr(file_check, look, meanwhile)
    await prepare(file)
    assert file.stat().st_size


async def test_rows_that_refer_to_nothing_are_refused_in_daily_life(store: Store) -> None:
    with pytest.raises(BROKEN_RULE, match="FOREIGN KEY"), transaction(store) as tx:
        tx.append(99, 1, 1, "a1", 5)


def inserted(database: sqlite3.Connection, table: str, row: Mapping[str, object]) -> None:
    """One row more in a table."""
    names, places = ", ".join(f'"{name}"' for name in row), ", ".join(f":{name}" for name in row)
    database.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", row)


async def test_what_was_set_and_played_before_there_were_clocks_goes_on_without(tmp_path: Path) -> None:
    """Settings and preferences are the usual ones where nobody could choose them, and no live match gets a clock."""
    file = await at_schema("0003", tmp_path)
    url = f"sqlite:///{file}"
    with closing(sqlite3.connect(file)) as database, database:
        inserted(database, "settings", {"guild": 1, "channels": "[5]", "threads": 0})
        inserted(database, "matches", {**MATCH, "id": 1, "state": "live", "started": 0})
        for seat in (1, 2):
            inserted(database, "players", {**PLAYER, "match": 1, "user": 10 + seat, "seat": seat, "due": 0})
    await migrate(url)
    store = Store(url)
    assert await store.ask(Reader.load_settings, 1) == ServerSettings((ChannelId(5),), threads=False)
    assert await store.ask(Reader.load_preferences, 11) == Preferences()
    row = await store.ask(Reader.load_row, 1)
    assert row and row.pace == "none"
    assert {
        (player.seconds_left, player.since, player.deadline, player.next_reminder_at) for player in row.players
    } == {(None,) * 4}
    assert await store.ask(Reader.find_returned_people, 0, 2**40) == ()
    await store.close()


async def test_whom_a_board_not_shown_yet_would_have_told_is_kept(tmp_path: Path) -> None:
    """A database of schema 0002 with an open challenge, a live match and a finished one, all of which lag behind."""
    file = await at_schema("0002", tmp_path)
    states = ((1, "open", "[]", 0), (2, "live", "[1, 3]", 4), (3, "finished", "[]", 4), (4, "live", "[2]", 5))
    with closing(sqlite3.connect(file)) as database, database:
        for match, state, turn, shown in states:
            row = {**MATCH, "id": match, "seats": 3, "state": state, "turn": turn, "shown_version": shown}
            inserted(database, "matches", row)
            for seat in (1, 2, 3):
                place = {"seat": None, "invited": seat > 1} if state == "open" else {"seat": seat, "invited": False}
                inserted(database, "players", {**PLAYER, "match": match, "user": 10 + seat, "joined": seat, **place})
    await migrate(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as database:
        due = database.execute(
            'SELECT "match", user, mention_version FROM players WHERE mention_version > 0 ORDER BY 1, 2'
        ).fetchall()
        renamed = database.execute("SELECT id FROM matches WHERE rename_pending").fetchall()
    assert due == [(1, 12, 5), (1, 13, 5), (2, 11, 5), (2, 13, 5)]
    assert renamed == [], "threads of matches that are over keep their names"
