"""Moving to another database: all rows, while no bot runs, and looked at again; from SQLite to PostgreSQL, or back.

Every batch of rows is one transaction there, together with the mark of how far it came (`transfer_marks`): a move that
was killed at any moment goes on where it was, and nothing arrives twice. That the old database was left is written down
for good before the mark is taken away, so that at no moment a bot could start on both.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from sqlalchemy import Connection, Table, exc, inspect, literal, select

from bot.core.game.game import Game
from data.engine.database import Database, address, damage, file_of
from data.engine.database_errors import Unavailable, Unusable, reason
from data.engine.sqlite_driver import HOSTS
from data.tables.schema import METADATA
from data.upkeep import comparing, copying, transfer_marks
from data.upkeep.backup import Refused, held
from data.upkeep.copying import TABLES, Row
from data.upkeep.database_files import companions, remove
from data.upkeep.health import UNHEARD_SECONDS, Pulse, ago
from data.upkeep.integrity import opened, up_to_date
from data.upkeep.migrate import SchemaError, migrate
from data.upkeep.schema_check import misshapen
from data.upkeep.transfer_marks import (
    LEFT,
    UNFINISHED,
    Left,
    Mark,
    said,
    when,
)
from data.upkeep.worker_thread import Progress, quiet, stoppable

AGAIN = "What has arrived stays there: once that is put right, the same command goes on."
BESIDE = "Another move-to is at work there, or what had arrived was dropped meanwhile."
ANEW = "drop what has arrived with `python -m bot move-to URL --drop`, and begin anew"


@dataclass(frozen=True, slots=True)
class Way:
    """Both databases, open, by their addresses as they are told; and who is told how far it is."""

    old: Database
    new: Database
    here: str
    there: str
    progress: Progress


async def move(
    source: str,
    target: str,
    games: Mapping[str, Game],
    force: bool = False,
    clock: Callable[[], float] = time.time,
    progress: Progress = quiet,
) -> str:
    """Copy a database to one that is empty, or that a part of this very move has arrived at, and return what was done;
    `Refused`. `force`: though a bot was heard on it a moment ago."""
    now = int(clock())
    await asyncio.to_thread(_refuse_used, source, target)
    with stoppable(progress) as told, _named():
        async with opened(source) as old:
            await old.read(partial(_refuse_unfit, force=force, now=now))
            arrived = await _arrived(target)
            begun = await _begun(old, arrived, target, now)
            if not arrived:
                await migrate(target, anew=True)
            async with _database(target) as new:
                way = Way(old, new, said(source), said(target), told)
                mark = await new.write(partial(_taken, begun=begun, way=way))
                rows = await _copied(way, mark)
                return await _ended(way, games, begun, rows)


async def drop(target: str) -> str:
    """Delete what has arrived of an unfinished move, and return a sentence; `Refused` where there is none."""
    async with opened(target) as database:
        with _named():
            if not await database.read(_marked):
                raise Refused(f"No unfinished move is at {said(target)}: nothing was dropped.")
            if not (file := file_of(address(target))):
                await database.write(_emptied)
    if file:
        with held(file):
            remove(file)
    return f"What had arrived at {said(target)} of an unfinished move was dropped."


async def stay(source: str) -> str:
    """Let the bot start again on a database that was left, and return a sentence; `Refused` where it was not."""
    async with opened(source) as database:
        gone = await database.read(transfer_marks.left)
        if not gone:
            raise Refused(f"{said(source)} was not left for another database: a bot starts on it.")
        await database.write(partial(transfer_marks.erase, name=LEFT))
    rest = "What was played there since is not here." if gone.done else "What has arrived there can be dropped."
    return f"The bot starts on {said(source)} again, and does without {gone.target}. {rest}"


def _refuse_used(source: str, target: str) -> None:
    """Raise `Refused` where both are one database, or where somebody has the file open that is to be left."""
    file, other = file_of(address(source)), file_of(address(target))
    if address(source) == address(target) or (
        file and other and file.exists() and other.exists() and file.samefile(other)
    ):
        raise Refused("The database is there already: name another one to move to.")
    if other and not other.exists() and (left := companions(other)):
        raise Refused(f"There is no database at {other}, but {left[0].name} is left of one: name another file.")
    if file and file.exists():
        with held(file):
            pass


def _refuse_unfit(connection: Connection, force: bool, now: int) -> None:
    """Raise what keeps a database from being moved as it is."""
    up_to_date(connection)
    if ill := [*misshapen(connection)[0], *damage(connection)]:
        raise Refused(f"The database is damaged ({ill[0]}): `python -m bot check` says more. Nothing was moved.")
    if connection.dialect.name == "sqlite" or force:  # nobody has the file open
        return
    heard = [pulse.alive for text in transfer_marks.pulses(connection).values() if (pulse := Pulse.parse(text))]
    if heard and abs(now - max(heard)) <= UNHEARD_SECONDS:
        raise Refused(
            f"A bot was heard on this database {ago(now - max(heard))} ago: stop it first. If it is stopped already,"
            f" wait until it has not been heard for {UNHEARD_SECONDS} seconds, or give --force."
        )


async def _begun(old: Database, mark: Mark | None, target: str, now: int) -> Left:
    """What stands in the database that is left, from the first step of a move on: that of an earlier time where a part
    of it has arrived, else a new one."""
    gone, heard = await old.read(transfer_marks.left), await old.read(transfer_marks.pulses)
    if not mark:
        if gone and gone.done:
            raise Refused(
                f"This database was moved to {gone.target} already. To do so again, without what was played there"
                " since, run `python -m bot move-to --stay` before."
            )
        gone = Left(secrets.token_hex(8), said(target), now, heard)
        await old.write(partial(transfer_marks.leave, note=gone))
    elif not gone or gone.number != mark.number:
        raise Refused(
            f"{said(target)} holds an unfinished move from {mark.source}, begun on {when(mark.begun)}, and not from"
            f" this database as it is now: let that one go on, or {ANEW}."
        )
    _refuse_heard(gone, heard)
    return gone


def _refuse_heard(gone: Left, heard: Mapping[str, str]) -> None:
    if gone.pulses != heard:
        raise Refused(f"A bot has run on this database since the move began: stop it, {ANEW}.")


async def _arrived(target: str) -> Mark | None:
    """What an unfinished move has noted where it goes to; `Refused` if anything else is there."""
    if (file := file_of(address(target))) and not file.exists():
        return None
    async with opened(target) as database:
        return await database.read(_found)


def _marked(connection: Connection) -> Mark | None:
    return transfer_marks.mark(connection) if inspect(connection).has_table("notes") else None


def _found(connection: Connection) -> Mark | None:
    there = set(inspect(connection).get_table_names())
    if others := there - {*METADATA.tables, "alembic_version"}:
        raise Refused(f"The database to move to holds other tables ({min(others)}): name an empty one.")
    mark = _marked(connection)
    if not mark:
        _refuse_filled(connection, there)
    return mark


def _refuse_filled(connection: Connection, there: set[str]) -> None:
    for name in sorted(there & {*METADATA.tables}):
        if connection.execute(select(literal(1)).select_from(METADATA.tables[name]).limit(1)).first():
            raise Refused(f"The database to move to is not empty ({name} has rows): name an empty one.")


def _taken(connection: Connection, begun: Left, way: Way) -> Mark:
    """The mark of this move, written where there is nothing yet."""
    try:
        up_to_date(connection)
    except SchemaError:
        raise Refused(f"What has arrived was begun by another version of Graph Paper: {ANEW}.") from None
    if mark := transfer_marks.mark(connection):
        if mark.number != begun.number:
            raise Refused(BESIDE)
        return mark
    _refuse_filled(connection, {*METADATA.tables})
    mark = Mark(begun.number, way.here, begun.begun)
    transfer_marks.replace(connection, UNFINISHED, None, mark)
    return mark


async def _copied(way: Way, mark: Mark) -> int:
    """Copy what has not arrived yet, and number new matches above all old ones; how many rows there are."""
    whole, done = await way.old.read(copying.whole), await way.new.read(copying.whole)
    for place, table in islice(enumerate(TABLES), mark.table, None):
        key = mark.key if place == mark.table else None
        while rows := await way.old.read(partial(copying.read, table=table, after=key)):
            key = [*copying.key_of(table, rows[-1])]
            mark = await _put(way, table, rows, mark, replace(mark, table=place, key=key))
            done += len(rows)
            way.progress("rows copied", done, whole)
    last = await way.old.read(copying.last_number)
    await way.new.write(partial(copying.number_from, last=last))
    return whole


async def _put(way: Way, table: Table, rows: list[Row], before: Mark, after: Mark) -> Mark:
    """Write some rows together with the mark that they have arrived."""

    def put(connection: Connection) -> None:
        if not transfer_marks.replace(connection, UNFINISHED, before, after):
            raise Refused(BESIDE)
        copying.write(connection, table, rows)

    try:
        await way.new.write(put)
    except exc.DBAPIError as fault:
        ill = next(copying.unfit(table, rows), None)
        raise Refused(
            f"The move stopped: {ill or reason(fault)}. `python -m bot check` may say more. {AGAIN}"
        ) from fault
    return after


async def _ended(way: Way, games: Mapping[str, Game], begun: Left, rows: int) -> str:
    """Compare both, and write down that the move is finished."""
    if found := await comparing.unlike(way.old, way.new, way.progress):
        raise Refused(f"Not everything has arrived as it was ({found}): {ANEW}.")
    count, faulty, others = await comparing.replayed(way.old, way.new, games, begun.number, way.progress)
    if others:
        raise Refused(f"Match {others[0]} is not the same there: {ANEW}.")
    await way.old.write(partial(_left_for_good, begun=begun))
    await way.new.write(partial(transfer_marks.erase, name=UNFINISHED))
    matches = await way.new.read(partial(copying.counted, table=copying.MATCHES))
    ill = f" In {len(faulty)} of these something is wrong, here as there: `check` says what." if faulty else ""
    return (
        f"{matches} matches, {rows} rows in all, were moved to {way.there}. All rows were compared, and {count} matches"
        f" replayed there.{ill}\nNow set GRAPHPAPER_DATABASE to the address that you gave, and start the bot. No bot"
        f" starts on {way.here} any more (`python -m bot move-to --stay` undoes that): keep it until you are content"
        " with the new one, then delete it."
    )


def _left_for_good(connection: Connection, begun: Left) -> None:
    _refuse_heard(begun, transfer_marks.pulses(connection))
    if not transfer_marks.replace(connection, LEFT, begun, replace(begun, done=True)) and not begun.done:
        raise Refused(f"This database was begun to be moved elsewhere, or is to stay, by now: {ANEW}.")


def _emptied(connection: Connection) -> None:
    METADATA.drop_all(connection)
    connection.exec_driver_sql("DROP TABLE alembic_version")


@asynccontextmanager
async def _database(url: str) -> AsyncGenerator[Database]:
    database = Database(url, patience=HOSTS)
    try:
        yield database
    finally:
        await database.close()


@contextmanager
def _named() -> Generator[None]:
    """Say of whatever is in the way that the move goes on once it is out of it."""
    try:
        yield
    except Unusable:
        raise
    except Unavailable as fault:
        raise Refused(f"The move stopped: {reason(fault)}. {AGAIN}") from fault
    except exc.DBAPIError as fault:
        raise Refused(f"The move stopped: {reason(fault)}. {AGAIN}") from fault
