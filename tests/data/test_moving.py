"""Moving to another database: everything arrives as it was, whatever stands there and whenever the move is killed."""

from __future__ import annotations

import asyncio
import re
import resource
import shutil
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import BigInteger, Boolean, Double, Integer, Text

from bot.games.catalogue import load_games
from data.engine.address import parse_address as parsed
from data.engine.errors import Unusable
from data.store import Store
from data.tables import rows
from data.upkeep import health as database_health
from data.upkeep import transfer
from data.upkeep.backups import backup
from data.upkeep.file_check import CommandRefused, Progress, show_nothing
from data.upkeep.health import STOPPED, Pulse, note_heartbeat
from data.upkeep.hindrance import SchemaTooOld, known_revisions
from data.upkeep.integrity import check_copy, check_database
from data.upkeep.transfer import TABLES, drop_unfinished, undo_leaving
from tests.support.postgres import Postgres
from tests.support.stocked_database import stock
from tests.support.upkeep import move

MATCHES = 12
ROWS = 23
"""So many rows each table gets at least, in batches of twenty."""
TEXTS = (
    "",
    "a",
    "Ä ß €",
    "𝄞🟧",
    "'\"\\",
    "%s %(a)s :b $1",
    "\x01\t\r\n\x7f",
    "null",
    "\u202e\ufeff\u0301",
    "x" * 9_000,
)
NUMBERS = (0, 1, -1, 2**31 - 1, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63))
DOUBLES = (0.0, -0.0, 0.1 + 0.2, 1e-300, -1.7976931348623157e307, 5e-324)


UNMARKED = ("before the other database is made", "before there is a mark", "when what had arrived is emptied")
"""When nothing is noted in the other database, which is empty."""


class Killed(BaseException):
    """What no program can put off."""


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of matches that were played, made once, in one file."""
    file = tmp_path_factory.mktemp("stocked") / "matches.db"
    asyncio.run(stock(file, MATCHES))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'matches'")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return file


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches are small, so that there are many."""
    monkeypatch.setattr("data.upkeep.transfer.read_rows.__defaults__", (20,))


@pytest.fixture
def source(stocked: Path, folder: Path) -> str:
    """The address of a database of matches that were played."""
    return f"sqlite:///{shutil.copy(stocked, folder / 'source.db')}"


@pytest.fixture
def there(postgres: Postgres) -> Generator[str]:
    """The address of an empty PostgreSQL database."""
    with postgres.database() as url:
        yield url


@pytest.fixture
def target(folder: Path) -> str:
    """The address of a SQLite database that is not there."""
    return f"sqlite:///{folder / 'target.db'}"


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def told(url: str, *statements: str) -> list[Any]:
    """Have a SQLite file do something, each statement for itself; what the last one found."""
    with closing(sqlite3.connect(file_of(url))) as connection, connection:
        return [connection.execute(statement).fetchall() for statement in statements][-1]


def dump(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in a SQLite file but what a move has noted, and of what kind it is."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    with closing(sqlite3.connect(file_of(url))) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({name})")]
            listed = ", ".join(f'"{column}", typeof("{column}")' for column in columns)
            found[name] = sorted(connection.execute(f"SELECT {listed} FROM {name}").fetchall(), key=repr)
    found["key_values"] = [
        row for row in found["key_values"] if row[0] not in (database_health.LEFT, database_health.UNFINISHED)
    ]
    return found


def scribbled(url: str) -> None:
    """Fill all tables with what their columns can hold at most, and what is odd of it."""
    rng = Random(11)
    with closing(sqlite3.connect(file_of(url))) as connection, connection:
        for table in TABLES:
            for number in range(ROWS):
                names = [column.name for column in table.columns]
                row = [value(column, number, rng) for column in table.columns]
                listed = ", ".join(f'"{name}"' for name in names)
                connection.execute(f"INSERT INTO {table.name} ({listed}) VALUES ({', '.join('?' * len(row))})", row)
        connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'matches'", (2**41,))


def value(column: Any, number: int, rng: Random) -> object:
    """Something for a column; another one for each number where the key must tell rows apart."""
    if column.name in ("id", "match", "league"):
        return 2**40 - number
    if column.primary_key or column.name == "seat":
        return f"{number} {rng.choice(TEXTS[:9])}" if isinstance(column.type, Text) else 2**31 - 1 - number
    if not column.primary_key and column.name in OPTIONAL and rng.random() < 0.4:
        return None
    if isinstance(column.type, Boolean):
        return rng.randrange(2)
    if isinstance(column.type, Double):
        return rng.choice(DOUBLES)
    if isinstance(column.type, Integer):
        return rng.choice(NUMBERS if isinstance(column.type, BigInteger) else NUMBERS[:5])
    return rng.choice(TEXTS)


OPTIONAL = {column.name for table in rows.METADATA.sorted_tables for column in table.columns if column.nullable} - {
    column.name for table in rows.METADATA.sorted_tables for column in table.columns if not column.nullable
}


async def refused(url: str) -> str:
    """Why no bot starts on a database; nothing if one does."""
    store = Store(url)
    try:
        await store.ask(database_health.refuse_left)
    except Unusable as fault:
        return str(fault)
    finally:
        await store.close()
    return ""


async def test_whatever_stands_in_any_table_goes_there_and_back_unharmed(file: Path, there: str, target: str) -> None:
    url = f"sqlite:///{file}"
    scribbled(url)
    before = dump(url)
    assert all(len(before[table.name]) == ROWS for table in TABLES)
    await move(url, there)
    await move(there, target)
    assert dump(target) == before
    assert told(target, "SELECT seq FROM sqlite_sequence") == [(2**41,)]


# --- killed


def moments() -> Iterator[tuple[str, Callable[[pytest.MonkeyPatch], Progress]]]:
    """Where a move is killed: what is left out is when a progress is told, which is after every commit."""

    def instead(name: str) -> Callable[[pytest.MonkeyPatch], Progress]:
        def patched(patch: pytest.MonkeyPatch) -> Progress:
            def killed(*_args: object, **_kwargs: object) -> None:
                raise Killed

            patch.setattr(name, killed)
            return show_nothing

        return patched

    def at(what: str, times: int) -> Callable[[pytest.MonkeyPatch], Progress]:
        def patched(_patch: pytest.MonkeyPatch) -> Progress:
            seen: list[int] = []

            def told(said: str, done: int, _whole: int) -> None:
                if said == what:
                    seen.append(done)
                if len(seen) == times:
                    raise Killed

            return told

        return patched

    yield "before the other database is made", instead("data.upkeep.upgrade.migrate")
    yield "before there is a mark", instead("data.upkeep.transfer._mark_unfinished")
    yield "before the first rows", instead("data.upkeep.transfer.write_rows")
    yield "after the first rows", at("rows copied", 1)
    yield "in the middle of a batch", written_then_killed
    yield "before what had arrived is emptied", instead("data.upkeep.transfer._clear_database")
    yield "when what had arrived is emptied", instead("data.upkeep.upgrade.migrate")
    yield "in the middle of a table", at("rows copied", 4)
    yield "when all rows are there", instead("data.upkeep.upgrade.number_from")
    yield "while they are compared", at("rows compared", 5)
    yield "before the old one is left for good", instead("data.upkeep.transfer._note_left_for_good")
    yield "between the two databases", instead("data.upkeep.transfer._erase_note")


def written_then_killed(patch: pytest.MonkeyPatch) -> Progress:
    """Killed after a batch was written, before its commit."""
    write = transfer.write_rows

    def killed(*args: Any) -> None:
        write(*args)
        raise Killed

    patch.setattr(transfer, "write_rows", killed)
    return show_nothing


async def killed_everywhere(source: str, target: str, monkeypatch: pytest.MonkeyPatch, every: int = 1) -> None:
    """Move, killed at every moment one after another, or every few; meanwhile no bot starts on either."""
    for name, moment in islice(moments(), 0, None, every):
        with monkeypatch.context() as patch:
            progress = moment(patch)
            with pytest.raises(Killed):
                await move(source, target, progress=progress)
        assert "move-to" in await refused(source), name
        if name not in UNMARKED:
            assert "is not finished" in await refused(target), name
    assert "All rows were compared" in await move(source, target)
    assert "were moved to" in await refused(source)
    assert not await refused(target)


@pytest.mark.long
async def test_a_move_killed_at_any_moment_ends_with_everything_there_once(
    source: str, there: str, target: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(source)
    await killed_everywhere(source, there, monkeypatch)
    name = there.rpartition("/")[2].partition("?")[0]
    assert (await postgres.tell("SELECT nextval('matches_id_seq')", database=name))[0][0] == 5001
    await killed_everywhere(there, target, monkeypatch, every=4)
    assert dump(target) == {**before, "sqlite_sequence": [("matches", "text", 5001, "integer")]}
    assert (await check_database(target, load_games())).sound


# --- refused


async def why(source: str, target: str, **options: Any) -> str:
    """Why a move is refused."""
    with pytest.raises(CommandRefused) as refusal:
        await move(source, target, **options)
    return str(refusal.value)


async def test_nothing_is_moved_to_where_something_is(source: str, target: str, folder: Path) -> None:
    shutil.copy(file_of(source), file_of(target))
    assert "not empty" in await why(source, target)
    told(target, "DROP TABLE key_values", "CREATE TABLE accounts (id INTEGER)")
    assert "other tables (accounts)" in await why(source, target)
    with pytest.raises(Unusable, match="another program"):
        other = folder / "other.db"
        told(f"sqlite:///{other}", "CREATE TABLE accounts (id INTEGER)")
        await move(source, f"sqlite:///{other}")
    assert "same database" in await why(source, source)
    (folder / "lost.db-wal").touch()
    assert "left of one" in await why(source, f"sqlite:///{folder / 'lost.db'}")
    assert not await refused(source), "a bot may start where nothing was moved"


async def test_nothing_is_moved_from_where_a_bot_runs(source: str, there: str, target: str, postgres: Postgres) -> None:
    with closing(sqlite3.connect(file_of(source))) as bot:
        bot.execute("PRAGMA journal_mode = WAL")
        bot.execute("SELECT * FROM matches LIMIT 1").fetchall()
        assert "in use" in await why(source, target)
    assert not file_of(target).exists()
    name = there.rpartition("/")[2].partition("?")[0]
    beat = "INSERT INTO key_values VALUES ('heartbeat 0-3/16', '1000 1000')"
    await postgres.tell(beat, database=name)
    assert "heard on this database 20 seconds ago" in await why(there, target, clock=lambda: 1020)
    await move(there, target, force=True, clock=lambda: 1020)
    assert told(target, "SELECT count(*) FROM key_values") == [(0,)]


async def test_a_bot_that_was_stopped_in_good_order_is_not_waited_for(there: str, target: str) -> None:
    store = Store(there)
    for pulse in (Pulse(1000, 1000), STOPPED):
        await store.do(note_heartbeat, pulse)
        if not pulse.was_stopped:
            assert "stop it first" in await why(there, target, clock=lambda: 1001)
    await store.close()
    await move(there, target, clock=lambda: 1001)
    assert told(target, "SELECT count(*) FROM key_values") == [(0,)]


async def test_an_older_schema_and_a_damaged_file_are_refused(source: str, target: str) -> None:
    told(source, "UPDATE alembic_version SET version_num = '0003'")
    with pytest.raises(SchemaTooOld, match="migrate"):
        await move(source, target)
    told(
        source,
        f"UPDATE alembic_version SET version_num = '{known_revisions()[-1]}'",
        "DELETE FROM matches WHERE id = 3",
    )
    assert "is damaged" in await why(source, target)
    assert not file_of(target).exists() and not await refused(source)


async def test_what_postgresql_does_not_keep_is_named(source: str, there: str) -> None:
    told(source, "UPDATE moves SET text = 'a' || char(0) WHERE \"match\" = 9 AND ply = 2")
    said = await why(source, there)
    assert "match 9, ply 2: text is 'a\\x00', which contains a NUL" in said
    told(source, "UPDATE moves SET text = 'resign' WHERE \"match\" = 9 AND ply = 2")
    await move(source, there)
    assert not (await check_database(there, load_games())).sound, "what is wrong arrives as it was"


def killing(_what: str, _done: int, _whole: int) -> None:
    raise Killed


async def test_who_checks_or_copies_what_was_left_reads_where_it_went(source: str, target: str, folder: Path) -> None:
    await begun(source, target)
    assert (
        f" been on the move to {database_health.format_address(target)} since "
        in (await check_database(source, load_games())).lines[-1]
    )
    assert " is not finished: run " in (await check_database(target, load_games())).lines[-1]
    await move(source, target)
    report = await check_database(source, load_games())
    left = f"The matches of this database were moved to {database_health.format_address(target)} (begun on "
    assert report.lines[-1].startswith(left)
    assert report.sound, "it is as it was left"
    copied = (await backup(source, folder / "copy.db")).partition(" bytes). ")[2]
    assert copied == report.lines[-1]
    tried = (await check_copy(folder / "copy.db", load_games())).lines
    assert tried[-2:] == (copied, f"{folder}/copy.db can be restored.")
    await undo_leaving(source)
    assert not any("moved to" in line for line in (await check_database(source, load_games())).lines)
    assert (await backup(source, folder / "later.db")).endswith(" bytes).")


async def begun(source: str, target: str) -> None:
    """A move that was killed after its first batch."""
    with pytest.raises(Killed):
        await move(source, target, progress=killing)


async def test_an_unfinished_move_is_started_over_by_nobody_else_and_can_be_dropped(
    source: str, target: str, stocked: Path, folder: Path
) -> None:
    await begun(source, target)
    other = f"sqlite:///{shutil.copy(stocked, folder / 'other.db')}"
    assert "unfinished move from" in await why(other, target)
    assert "dropped" in await drop_unfinished(target)
    assert not file_of(target).exists()
    await move(source, target)
    with pytest.raises(CommandRefused, match="There is no unfinished move"):
        await drop_unfinished(target)
    assert "not empty" in await why(source, target)
    assert "was moved to" in await why(source, f"sqlite:///{folder / 'third.db'}")


@pytest.mark.long
async def test_a_host_may_stay_and_move_later(source: str, target: str) -> None:
    await begun(source, target)
    await undo_leaving(source)
    assert not await refused(source)
    with pytest.raises(CommandRefused, match="wasn't moved anywhere"):
        await undo_leaving(source)
    assert "unfinished move" in await why(source, target), "the bot may have played on meanwhile"
    await drop_unfinished(target)
    await move(source, target)
    assert "starts on" in await undo_leaving(source)
    assert not await refused(source)


async def test_a_bot_that_runs_all_the_same_is_noticed(source: str, target: str) -> None:
    def beating(what: str, _done: int, _whole: int) -> None:
        if what == "rows copied":
            told(source, "INSERT OR REPLACE INTO key_values VALUES ('heartbeat', '5 5')")

    assert "A bot has used this database since the move began" in await why(source, target, progress=beating)
    assert "is not finished" in await refused(target)


@pytest.mark.long
async def test_what_was_played_between_a_kill_and_the_next_run_arrives_too(source: str, target: str) -> None:
    await begun(source, target)
    told(
        source,
        "INSERT INTO key_values VALUES ('later', 'a word')",
        "INSERT INTO key_values VALUES ('heartbeat', '5 5')",
    )
    await move(source, target)
    assert told(target, "SELECT value FROM key_values WHERE name = 'later'") == [("a word",)]


@pytest.mark.long
async def test_what_an_earlier_version_has_begun_is_started_over(source: str, target: str) -> None:
    """Its notes say how far the rows of a table had come."""
    await begun(source, target)
    noted = "SET value = json_set(value, '$.table', 3, '$.key', json('[7, 2]')) WHERE name = 'moving'"
    told(target, f"UPDATE key_values {noted}", "DELETE FROM sqlite_sequence")
    await move(source, target)
    assert dump(target) == dump(source)


async def test_a_full_disk_is_told_and_the_move_starts_over_once_there_is_room(source: str, target: str) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def filling(_what: str, _done: int, _whole: int) -> None:
        journal = file_of(target).with_name(file_of(target).name + "-wal")
        resource.setrlimit(resource.RLIMIT_FSIZE, (journal.stat().st_size, limits[1]))

    try:
        said = await why(source, target, progress=filling)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert re.match("The move stopped: .*(full|I/O).*run the same command again", said), said
    await move(source, target)


async def test_what_does_not_arrive_as_it_was_is_noticed(source: str, target: str) -> None:
    def tampered(what: str, _done: int, _whole: int) -> None:
        if what == "rows compared":
            told(target, 'UPDATE players SET joined = joined + 7 WHERE "match" = 10')

    with pytest.raises(CommandRefused, match="players: .* but different ones"):
        await move(source, target, progress=tampered)
    assert "is not finished" in await refused(target)


@pytest.mark.long
async def test_no_sentence_has_the_password(source: str, there: str) -> None:
    lost = "postgresql://ann:hush@127.0.0.1:1/matches?password=hush"
    assert "hush" not in await why(source, lost)
    known = there.replace("postgres:@", "postgres:hush@")
    with pytest.raises(Killed):
        await move(source, known, progress=killing)
    assert "hush" not in await refused(source) + await refused(known) + await drop_unfinished(known)
    assert "hush" not in await move(source, known) + str(told(source, "SELECT value FROM key_values"))


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://ann:hush@db:5433/matches?password=hush", "postgresql://ann:…@db:5433/matches"),
        ("postgres://ann@db/matches?sslmode=require&passfile=/hush", "postgresql://ann@db/matches?sslmode=require"),
        ("postgresql://a%40b:hush@[::1]:5433/my%20matches", "postgresql://a%40b:…@[::1]:5433/my%20matches"),
        ("postgresql://ann@one:1,two:2/matches", "postgresql://ann@/matches?host=one:1,two:2"),
        ("postgresql:///matches?host=/run/postgresql", "postgresql:///matches?host=/run/postgresql"),
        ("sqlite:////data/graph%20paper%3F.db", "sqlite:////data/graph%20paper%3F.db"),
    ],
)
def test_addresses_are_told_as_they_are_written_without_passwords(address: str, told: str) -> None:
    assert database_health.format_address(address) == told
    assert "hush" not in told
    assert replace(parsed(told), password=None) == replace(
        parsed(address), password=None, query={k: v for k, v in parsed(address).query.items() if "pass" not in k}
    )


def test_a_file_is_told_so_that_it_is_found_from_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert database_health.format_address("sqlite:///var/graphpaper.db") == f"sqlite:///{tmp_path}/var/graphpaper.db"
