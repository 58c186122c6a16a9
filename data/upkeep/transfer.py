"""Moves a database to another one with all its rows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    MetaData,
    Table,
    TypeDecorator,
    exc,
    func,
    insert,
    inspect,
    literal,
    select,
    tuple_,
)

from bot.games.mind import RandomSource
from bot.games.wording import Plural
from data.engine.address import file_of, find_companion_files, parse_address, remove_database
from data.engine.database import Database, find_damage
from data.engine.driver import HOSTS
from data.engine.errors import Unavailable, Unusable, explain_error
from data.store import Reader, Transaction
from data.tables.rows import METADATA
from data.tables.schema import key_values
from data.upkeep import upgrade
from data.upkeep.backups import hold_database
from data.upkeep.checks import find_fault, find_missing, name_row
from data.upkeep.file_check import CommandRefused, Progress, looks_ours, show_nothing, stop_on_cancel
from data.upkeep.health import HEARTBEAT, LEFT, UNFINISHED, LeftNote, MoveMark, format_address, format_moment
from data.upkeep.hindrance import HERE, format_command
from data.upkeep.integrity import open_existing, refuse_heard, refuse_outdated

# Rows of all tables with raw values, read and written in batches, in the order of their keys.


PLAIN = MetaData()
BATCH = 5_000
"""The rows in a batch: a few megabytes at most."""
OWN = ("moved", "moving", "heartbeat")
"""The prefixes of notes about a database itself, which are not copied."""
SHOWN = 30
"""The most characters of a value that are shown."""

Row = tuple[Any, ...]


def _plain_table(kept: Table) -> Table:
    columns: list[Column[Any]] = [
        Column(
            one.name, one.type.impl if isinstance(one.type, TypeDecorator) else one.type, primary_key=one.primary_key
        )
        for one in kept.columns
        if one.computed is None
    ]
    return Table(kept.name, PLAIN, *columns)


TABLES = tuple(_plain_table(kept) for kept in METADATA.sorted_tables)
MATCH_TABLE = next(table for table in TABLES if table.name == "matches")
"""All tables, none before one that it refers to."""


def _copied_conditions(table: Table) -> list[ColumnElement[bool]]:
    return [func.substr(table.c.name, 1, len(name)) != name for name in OWN] if table.name == "key_values" else []


def count_rows(connection: Connection, table: Table) -> int:
    """The number of rows of a table that are copied."""
    return connection.execute(select(func.count()).select_from(table).where(*_copied_conditions(table))).scalar_one()


def count_all_rows(connection: Connection) -> int:
    """The number of rows of all tables that are copied."""
    return sum(count_rows(connection, table) for table in TABLES)


def read_rows(connection: Connection, table: Table, after: Sequence[Any] | None, most: int = BATCH) -> list[Row]:
    """The next rows after a key, or the first ones (None)."""
    keys = [*table.primary_key]
    rows = select(*table.columns).where(*_copied_conditions(table)).order_by(*keys).limit(most)
    if after is not None:
        rows = rows.where(
            tuple_(*keys) > tuple_(*(literal(part, key.type) for part, key in zip(after, keys, strict=True)))
        )
    return [tuple(row) for row in connection.execute(rows)]


def key_of(table: Table, row: Row) -> Row:
    return tuple(value for column, value in zip(table.columns, row, strict=True) if column.primary_key)


def write_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    names = [column.name for column in table.columns]
    connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])


def find_unfit_values(table: Table, rows: Sequence[Row]) -> Iterator[str]:
    """Values that do not have their column's type, or that PostgreSQL cannot store, a line each."""
    kept = METADATA.tables[table.name]
    for row in rows:
        for column, value in zip(table.columns, row, strict=True):
            why = find_fault(kept.columns[column.name], value)
            if isinstance(value, str) and "\0" in value:
                why = "which contains a NUL, and PostgreSQL can't store that"
            if why:
                yield f"{name_row(kept, key_of(table, row))}: {column.name} is {repr(value)[:SHOWN]}, {why}"


class TableContent(NamedTuple):
    """The number of rows of a table, and a checksum that does not depend on their order."""

    rows: int
    sum: int


def read_content(connection: Connection, table: Table, progress: Callable[[int], None]) -> TableContent:
    """The content of a table, as far as it is copied; `progress` is called with the number of rows of each batch."""
    after, rows, total = None, 0, 0
    while found := read_rows(connection, table, after):
        # Databases order texts differently, so the sum must not depend on an order.
        total += sum(int.from_bytes(blake2b(repr(row).encode(), digest_size=16).digest()) for row in found)
        rows, after = rows + len(found), key_of(table, found[-1])
        progress(len(found))
    return TableContent(rows, total % 2**128)


# The move for `python -m bot move-to`: between SQLite and PostgreSQL, or from file to file.


AGAIN = "Fix that, then run the same command again: it starts over."
BESIDE = "Another move-to is running there, or its data was dropped meanwhile."
ANEW = "drop what was copied with {drop}, and start again"
MOVED = (
    "{matches} and {rows} in all were moved to {target}. All rows were compared.\nNow set GRAPHPAPER_DATABASE to the"
    " address that you gave, and start the bot. No bot starts on {source} any more: keep it until you are content with"
    " the new one, then delete it. To undo the move, set GRAPHPAPER_DATABASE to {source} again, and run {stay}.",
    "{matches} and {rows} in all were moved to {target}. All rows were compared.\nThe sandbox runs on no other database"
    " than {source}, and no bot starts on that any more. To undo the move, run {stay}.",
)
"""The sentences about a move: of the bot's database, and of the sandbox's."""
MATCHES, ROWS = Plural("1 match", "{number} matches"), Plural("1 row", "{number} rows")


async def move_database(
    source: str,
    target: str,
    clock: Callable[[], float],
    rng: RandomSource,
    force: bool = False,
    progress: Progress = show_nothing,
) -> str:
    """Copy a database to one that is empty, or an unfinished target of the same move, and return what was done; raises
    `CommandRefused`. `force`: although a bot's heartbeat is recent."""
    now, number = int(clock()), f"{rng.getrandbits(64):016x}"
    await asyncio.to_thread(_refuse_used, source, target)
    with stop_on_cancel(progress) as told, _explain_stop():
        async with open_existing(source) as old:
            await old.read(partial(_refuse_unfit, force=force, now=now))
            arrived = await _find_unfinished(target)
            left = await old.write(
                partial(_note_leaving, arrived=arrived, new=LeftNote(number, format_address(target), now, {}))
            )
            if arrived:
                await _clear_database(target)
            await upgrade.migrate(target, anew=True)
            mark = MoveMark(left.number, format_address(source), now)
            async with _open_database(target) as new:
                await new.write(partial(_mark_unfinished, mark=mark))
                rows = await _copy_tables(old, new, mark, told)
                await _compare_tables(old, new, told)
                await old.write(partial(_note_left_for_good, left=left))
                await new.write(partial(_erase_note, name=UNFINISHED))
                matches = await new.read(partial(count_rows, table=MATCH_TABLE))
    return MOVED[HERE.sandbox].format(
        matches=MATCHES.fill_in(matches), rows=ROWS.fill_in(rows), target=left.target, source=mark.source,
        stay=format_command("move-to", "--stay"),
    )  # fmt: skip


def _advise_new_move() -> str:
    return ANEW.format(drop=format_command("move-to", "URL", "--drop"))


async def drop_unfinished(target: str) -> str:
    """Delete the target of an unfinished move, and return a sentence; raises `CommandRefused` without one."""
    with _explain_stop():
        async with open_existing(target) as database:
            if not await database.read(_read_mark):
                raise CommandRefused(f"There is no unfinished move at {format_address(target)}. Nothing was dropped.")
        await _clear_database(target)
    return f"What had arrived at {format_address(target)} of an unfinished move was dropped."


async def undo_leaving(source: str) -> str:
    """Let the bot start again on the source of a move, and return a sentence; raises `CommandRefused` for any other."""
    async with open_existing(source) as database:
        gone = LeftNote.parse(await database.read(lambda connection: Reader(connection).read_note(LEFT)))
        if not gone:
            raise CommandRefused(f"{format_address(source)} wasn't moved anywhere: a bot can start on it.")
        await database.write(partial(_erase_note, name=LEFT))
    rest = "What was played there since isn't here." if gone.done else "What was copied there can be dropped."
    return f"The bot starts on {format_address(source)} again, and does without {gone.target}. {rest}"


# --- the source


def _refuse_used(source: str, target: str) -> None:
    """Raise `CommandRefused` if both are the same database, or if another process has the source's file open."""
    file, other = file_of(parse_address(source)), file_of(parse_address(target))
    if parse_address(source) == parse_address(target) or (
        file and other and file.exists() and other.exists() and file.samefile(other)
    ):
        raise CommandRefused("That is the same database. Name another one to move to.")
    if other and not other.exists() and (left := find_companion_files(other)):
        raise CommandRefused(f"There is no database at {other}, but {left[0].name} is left of one: name another file.")
    if file and looks_ours(file):
        with hold_database(file):
            pass


def _refuse_unfit(connection: Connection, force: bool, now: int) -> None:
    """Raise the error of a database that cannot be moved as it is."""
    refuse_outdated(connection)
    if ill := [*find_missing(connection), *find_damage(connection)]:
        raise CommandRefused(
            f"The database is damaged ({ill[0]}): {format_command('check')} says more. Nothing was moved."
        )
    if connection.dialect.name == "sqlite" or force:  # no process has the file open
        return
    refuse_heard(connection, now)


def _read_pulses(connection: Connection) -> dict[str, str]:
    """The heartbeats in a database."""
    return Reader(connection).read_notes(HEARTBEAT)


def _note_leaving(connection: Connection, arrived: MoveMark | None, new: LeftNote) -> LeftNote:
    """Store the note in the source; with the earlier number, if the move is resumed."""
    gone = LeftNote.parse(Reader(connection).read_note(LEFT))
    if arrived and (not gone or gone.number != arrived.number):
        raise CommandRefused(
            f"{new.target} holds an unfinished move from {arrived.source}, begun on {format_moment(arrived.begun)}, and"
            f" not from this database as it is now: let that one finish, or {_advise_new_move()}."
        )
    if gone and gone.done and not arrived:
        raise CommandRefused(
            f"This database was moved to {gone.target} already. To do so again, without what was played there"
            f" since, run {format_command('move-to', '--stay')} before."
        )
    left = replace(new, number=gone.number if gone and arrived else new.number, pulses=_read_pulses(connection))
    Transaction(connection).set_note(LEFT, str(left))
    return left


def _note_left_for_good(connection: Connection, left: LeftNote) -> None:
    """Mark the move as finished in the source."""
    if _read_pulses(connection) != left.pulses:
        raise CommandRefused(f"A bot has used this database since the move began: stop it, {_advise_new_move()}.")
    if not Transaction(connection).replace_note(LEFT, str(left), str(replace(left, done=True))):
        raise CommandRefused(
            f"This database is being moved elsewhere by now, or was told to stay: {_advise_new_move()}."
        )


# --- the target


async def _find_unfinished(target: str) -> MoveMark | None:
    """The mark of an unfinished move; raises `CommandRefused` if the database holds anything else."""
    if (file := file_of(parse_address(target))) and not file.exists():
        return None
    async with open_existing(target) as database:
        return await database.read(_refuse_filled)


def _refuse_filled(connection: Connection) -> MoveMark | None:
    there = set(inspect(connection).get_table_names())
    if others := there - {*METADATA.tables, "alembic_version"}:
        raise CommandRefused(f"The database to move to holds other tables ({min(others)}). Name an empty one.")
    if mark := _read_mark(connection):
        return mark
    for name in sorted(there & {*METADATA.tables}):
        if connection.execute(select(literal(1)).select_from(METADATA.tables[name]).limit(1)).first():
            raise CommandRefused(f"The database to move to is not empty ({name} has rows). Name an empty one.")
    return None


def _read_mark(connection: Connection) -> MoveMark | None:
    return (
        MoveMark.parse(Reader(connection).read_note(UNFINISHED))
        if inspect(connection).has_table("key_values")
        else None
    )


def _mark_unfinished(connection: Connection, mark: MoveMark) -> None:
    """Mark an empty database as unfinished."""
    if _refuse_filled(connection) or not Transaction(connection).replace_note(UNFINISHED, None, str(mark)):
        raise CommandRefused(BESIDE)


async def _clear_database(target: str) -> None:
    """Delete everything in a database."""
    if file := file_of(parse_address(target)):
        with hold_database(file):
            remove_database(file)
        return
    async with _open_database(target) as database:
        await database.write(_drop_tables)


def _drop_tables(connection: Connection) -> None:
    METADATA.drop_all(connection)
    connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")


def _erase_note(connection: Connection, name: str) -> None:
    connection.execute(key_values.delete().where(key_values.c.name == name))


# --- the rows


async def _copy_tables(old: Database, new: Database, mark: MoveMark, progress: Progress) -> int:
    """Copy all tables, and number new matches above all old ones; returns the number of rows."""
    whole, done = await old.read(count_all_rows), 0
    for table in TABLES:
        last = None
        # A transaction a batch: a whole table would need all its rows in memory.
        while rows := await old.read(partial(read_rows, table=table, after=last)):
            await _put_rows(new, table, rows, mark)
            last, done = key_of(table, rows[-1]), done + len(rows)
            progress("rows copied", done, whole)
    number = await old.read(upgrade.last_number)
    await new.write(partial(upgrade.number_from, last=number))
    return whole


async def _put_rows(new: Database, table: Table, rows: list[Row], mark: MoveMark) -> None:
    """Write some rows, if the target is still marked for this move."""

    def put(connection: Connection) -> None:
        if Reader(connection).read_note(UNFINISHED) != str(mark):
            raise CommandRefused(BESIDE)
        write_rows(connection, table, rows)

    try:
        await new.write(put)
    except exc.DBAPIError as fault:
        ill = next(find_unfit_values(table, rows), None)
        raise CommandRefused(
            f"The move stopped: {ill or explain_error(fault)}. {format_command('check')} may say more. {AGAIN}"
        ) from fault


async def _compare_tables(old: Database, new: Database, progress: Progress) -> None:
    """Raise `CommandRefused` for the first table whose rows differ between the databases."""
    whole, seen = 2 * await old.read(count_all_rows), 0

    def count_compared(rows: int) -> None:
        nonlocal seen
        seen += rows
        progress("rows compared", seen, whole)

    def read_table(connection: Connection, table: Table) -> TableContent:
        return read_content(connection, table, count_compared)

    for table in TABLES:
        here, there = await old.read(partial(read_table, table=table)), await new.read(partial(read_table, table=table))
        if here != there:
            here_rows = ROWS.fill_in(here.rows)
            rows = f"{here_rows} here, and {there.rows} there"
            found = rows if here.rows != there.rows else f"{here_rows}, but different ones"
            raise CommandRefused(f"Not everything arrived unchanged ({table.name}: {found}): {_advise_new_move()}.")


@asynccontextmanager
async def _open_database(url: str) -> AsyncGenerator[Database]:
    database = Database(url, limits=HOSTS)
    try:
        yield database
    finally:
        await database.close()


@contextmanager
def _explain_stop() -> Generator[None]:
    """Raise `CommandRefused` with the cause, and that the move can be run again."""
    try:
        yield
    except Unusable:
        raise
    except (Unavailable, exc.DBAPIError) as fault:
        raise CommandRefused(f"The move stopped: {explain_error(fault)}. {AGAIN}") from fault
