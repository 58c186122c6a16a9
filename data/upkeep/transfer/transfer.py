"""Moves a database to another one for `python -m bot move-to`: from SQLite to PostgreSQL, back, or file to file.

No bot runs meanwhile. All rows are copied into an empty database and compared; a move that was killed empties what it
had begun and starts over. Meanwhile both databases carry a note (`transfer_marks`), and a bot starts on neither. The
old one is noted as left for good before the other one's note is taken away, so at no moment a bot could start on both.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection, Table, exc, inspect, literal, select

from bot.core.game.mind import Lots
from bot.core.values.plural import Plural
from data.engine.address import address, file_of
from data.engine.database import Database, damage
from data.engine.database_errors import Unavailable, Unusable, reason
from data.engine.database_files import companions, remove
from data.engine.driver import HOSTS
from data.queries import match_numbers
from data.store import Reader, Transaction
from data.tables.schema import METADATA, key_values
from data.upkeep.backup import held
from data.upkeep.file_check import Refused, looks_ours
from data.upkeep.heartbeat import HEARTBEAT
from data.upkeep.integrity import opened, up_to_date
from data.upkeep.migrate import migrate
from data.upkeep.running import refuse_heard
from data.upkeep.schema_check import missing
from data.upkeep.transfer import transfer_rows
from data.upkeep.transfer.transfer_rows import TABLES, Content, Row
from data.upkeep.transfer_marks import LEFT, UNFINISHED, Left, Mark, said, when
from data.upkeep.typed_commands import HERE, command
from data.upkeep.worker_thread import Progress, quiet, stoppable

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
"""What is said of a move: of the bot's database, and of the sandbox's."""
MATCHES, ROWS = Plural("1 match", "{number} matches"), Plural("1 row", "{number} rows")


async def move(
    source: str,
    target: str,
    clock: Callable[[], float],
    lots: Lots,
    force: bool = False,
    progress: Progress = quiet,
) -> str:
    """Copy a database to one that is empty, or that this very move has begun to fill, and return what was done;
    `Refused`. `force`: although a bot was heard on it a moment ago."""
    now, number = int(clock()), f"{lots.getrandbits(64):016x}"
    await asyncio.to_thread(_refuse_used, source, target)
    with stoppable(progress) as told, _stopping():
        async with opened(source) as old:
            await old.read(partial(_refuse_unfit, force=force, now=now))
            arrived = await _arrived(target)
            left = await old.write(partial(_leave, arrived=arrived, new=Left(number, said(target), now, {})))
            if arrived:
                await _clear(target)
            await migrate(target, anew=True)
            mark = Mark(left.number, said(source), now)
            async with _database(target) as new:
                await new.write(partial(_begin, mark=mark))
                rows = await _copy(old, new, mark, told)
                await _compare(old, new, told)
                await old.write(partial(_leave_for_good, left=left))
                await new.write(partial(_erase, name=UNFINISHED))
                matches = await new.read(partial(transfer_rows.counted, table=transfer_rows.MATCHES))
    return MOVED[HERE.sandbox].format(
        matches=MATCHES.of(matches), rows=ROWS.of(rows), target=left.target, source=mark.source,
        stay=command("move-to", "--stay"),
    )  # fmt: skip


def _anew() -> str:
    return ANEW.format(drop=command("move-to", "URL", "--drop"))


async def drop(target: str) -> str:
    """Delete what has arrived of an unfinished move, and return a sentence; `Refused` where there is none."""
    with _stopping():
        async with opened(target) as database:
            if not await database.read(_mark):
                raise Refused(f"There is no unfinished move at {said(target)}. Nothing was dropped.")
        await _clear(target)
    return f"What had arrived at {said(target)} of an unfinished move was dropped."


async def stay(source: str) -> str:
    """Let the bot start again on a database that was left, and return a sentence; `Refused` where it was not."""
    async with opened(source) as database:
        gone = Left.parse(await database.read(lambda connection: Reader(connection).note(LEFT)))
        if not gone:
            raise Refused(f"{said(source)} wasn't moved anywhere: a bot can start on it.")
        await database.write(partial(_erase, name=LEFT))
    rest = "What was played there since isn't here." if gone.done else "What was copied there can be dropped."
    return f"The bot starts on {said(source)} again, and does without {gone.target}. {rest}"


# --- the database that is left


def _refuse_used(source: str, target: str) -> None:
    """Raise `Refused` where both are one database, or where a program has the file open that is to be left."""
    file, other = file_of(address(source)), file_of(address(target))
    if address(source) == address(target) or (
        file and other and file.exists() and other.exists() and file.samefile(other)
    ):
        raise Refused("That is the same database. Name another one to move to.")
    if other and not other.exists() and (left := companions(other)):
        raise Refused(f"There is no database at {other}, but {left[0].name} is left of one: name another file.")
    if file and looks_ours(file):
        with held(file):
            pass


def _refuse_unfit(connection: Connection, force: bool, now: int) -> None:
    """Raise what keeps a database from being moved as it is."""
    up_to_date(connection)
    if ill := [*missing(connection), *damage(connection)]:
        raise Refused(f"The database is damaged ({ill[0]}): {command('check')} says more. Nothing was moved.")
    if connection.dialect.name == "sqlite" or force:  # nobody has the file open
        return
    refuse_heard(connection, now)


def _pulses(connection: Connection) -> dict[str, str]:
    """The heartbeats of bots on a database."""
    return Reader(connection).notes(HEARTBEAT)


def _leave(connection: Connection, arrived: Mark | None, new: Left) -> Left:
    """Note that a database is being left; with the number that the move had before, where it starts over."""
    gone = Left.parse(Reader(connection).note(LEFT))
    if arrived and (not gone or gone.number != arrived.number):
        raise Refused(
            f"{new.target} holds an unfinished move from {arrived.source}, begun on {when(arrived.begun)}, and not from"
            f" this database as it is now: let that one finish, or {_anew()}."
        )
    if gone and gone.done and not arrived:
        raise Refused(
            f"This database was moved to {gone.target} already. To do so again, without what was played there"
            f" since, run {command('move-to', '--stay')} before."
        )
    left = replace(new, number=gone.number if gone and arrived else new.number, pulses=_pulses(connection))
    Transaction(connection).set_note(LEFT, str(left))
    return left


def _leave_for_good(connection: Connection, left: Left) -> None:
    """Note that everything has arrived at the other database."""
    if _pulses(connection) != left.pulses:
        raise Refused(f"A bot has used this database since the move began: stop it, {_anew()}.")
    if not Transaction(connection).replace_note(LEFT, str(left), str(replace(left, done=True))):
        raise Refused(f"This database is being moved elsewhere by now, or was told to stay: {_anew()}.")


# --- the database that is moved to


async def _arrived(target: str) -> Mark | None:
    """The mark of an unfinished move; `Refused` where anything else than such a move is in the database."""
    if (file := file_of(address(target))) and not file.exists():
        return None
    async with opened(target) as database:
        return await database.read(_refuse_filled)


def _refuse_filled(connection: Connection) -> Mark | None:
    there = set(inspect(connection).get_table_names())
    if others := there - {*METADATA.tables, "alembic_version"}:
        raise Refused(f"The database to move to holds other tables ({min(others)}). Name an empty one.")
    if mark := _mark(connection):
        return mark
    for name in sorted(there & {*METADATA.tables}):
        if connection.execute(select(literal(1)).select_from(METADATA.tables[name]).limit(1)).first():
            raise Refused(f"The database to move to is not empty ({name} has rows). Name an empty one.")
    return None


def _mark(connection: Connection) -> Mark | None:
    return Mark.parse(Reader(connection).note(UNFINISHED)) if inspect(connection).has_table("key_values") else None


def _begin(connection: Connection, mark: Mark) -> None:
    """Mark an empty database as unfinished."""
    if _refuse_filled(connection) or not Transaction(connection).replace_note(UNFINISHED, None, str(mark)):
        raise Refused(BESIDE)


async def _clear(target: str) -> None:
    """Delete everything in a database."""
    if file := file_of(address(target)):
        with held(file):
            remove(file)
        return
    async with _database(target) as database:
        await database.write(_drop_tables)


def _drop_tables(connection: Connection) -> None:
    METADATA.drop_all(connection)
    connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")


def _erase(connection: Connection, name: str) -> None:
    connection.execute(key_values.delete().where(key_values.c.name == name))


# --- the rows


async def _copy(old: Database, new: Database, mark: Mark, progress: Progress) -> int:
    """Copy all tables, and number new matches above all old ones; how many rows there are."""
    whole, done = await old.read(transfer_rows.whole), 0
    for table in TABLES:
        last = None
        # A batch is a transaction: a whole table would need all its rows in memory.
        while rows := await old.read(partial(transfer_rows.read, table=table, after=last)):
            await _put(new, table, rows, mark)
            last, done = transfer_rows.key_of(table, rows[-1]), done + len(rows)
            progress("rows copied", done, whole)
    number = await old.read(match_numbers.last_number)
    await new.write(partial(match_numbers.number_from, last=number))
    return whole


async def _put(new: Database, table: Table, rows: list[Row], mark: Mark) -> None:
    """Write some rows, if the database is still this move's."""

    def put(connection: Connection) -> None:
        if Reader(connection).note(UNFINISHED) != str(mark):
            raise Refused(BESIDE)
        transfer_rows.write(connection, table, rows)

    try:
        await new.write(put)
    except exc.DBAPIError as fault:
        ill = next(transfer_rows.unfit(table, rows), None)
        raise Refused(f"The move stopped: {ill or reason(fault)}. {command('check')} may say more. {AGAIN}") from fault


async def _compare(old: Database, new: Database, progress: Progress) -> None:
    """Raise `Refused` for the first table that does not hold the same rows in both databases."""
    whole, seen = 2 * await old.read(transfer_rows.whole), 0

    def looked(rows: int) -> None:
        nonlocal seen
        seen += rows
        progress("rows compared", seen, whole)

    def summed(connection: Connection, table: Table) -> Content:
        return transfer_rows.content(connection, table, looked)

    for table in TABLES:
        here, there = await old.read(partial(summed, table=table)), await new.read(partial(summed, table=table))
        if here != there:
            here_rows = ROWS.of(here.rows)
            rows = f"{here_rows} here, and {there.rows} there"
            found = rows if here.rows != there.rows else f"{here_rows}, but different ones"
            raise Refused(f"Not everything arrived unchanged ({table.name}: {found}): {_anew()}.")


@asynccontextmanager
async def _database(url: str) -> AsyncGenerator[Database]:
    database = Database(url, limits=HOSTS)
    try:
        yield database
    finally:
        await database.close()


@contextmanager
def _stopping() -> Generator[None]:
    """Raise `Refused` with what was in the way, and that the move can be run again."""
    try:
        yield
    except Unusable:
        raise
    except (Unavailable, exc.DBAPIError) as fault:
        raise Refused(f"The move stopped: {reason(fault)}. {AGAIN}") from fault
