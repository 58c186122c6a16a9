"""Prepared statements find and write what SQLAlchemy would, without it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection, bindparam, exc, insert, select, update

from bot.play.rows import ServerSettings
from data.store import Store, Transaction
from data.tables.rows import METADATA
from data.tables.schema import matches, moves, players
from data.tables.statements import CompiledStatement
from tests.data.acts import begun, played


async def test_every_table_is_read_as_by_sqlalchemy(store: Store) -> None:
    await played(store)
    await store.do(Transaction.set_settings, 1, ServerSettings(channels=(), zone="Europe/Berlin"))

    def compared(connection: Connection) -> int:
        found = 0
        for table in METADATA.tables.values():
            rows = CompiledStatement(select(table)).read_rows(connection, {})
            assert rows == [tuple(row) for row in connection.execute(select(table))]
            assert [[type(value) for value in row] for row in rows] == [
                [type(value) for value in row] for row in connection.execute(select(table))
            ]
            found += len(rows)
        return found

    assert await store.database.read(compared) > 5


async def test_a_value_is_written_as_by_sqlalchemy(store: Store) -> None:
    match = await begun(store)
    change = CompiledStatement(
        update(matches).where(matches.c.id == bindparam("which")).values(turn=bindparam("to"), rated=bindparam("rates"))
    )
    score = CompiledStatement(
        update(players).where(players.c.match == bindparam("which")).values(score=bindparam("to"))
    )

    def written(connection: Connection) -> tuple[int, Any, list[Any]]:
        changed = change.write(connection, {"which": match, "to": (2, 1), "rates": False})
        score.write_each(connection, [{"which": match, "to": 10**30}])
        row = connection.execute(select(matches.c.turn, matches.c.rated).where(matches.c.id == match)).one()
        return changed, tuple(row), [*connection.execute(select(players.c.score)).scalars()]

    assert await store.database.write(written) == (1, ((2, 1), False), [10**30] * 2)


async def test_a_value_that_is_missing_is_an_error(store: Store) -> None:
    by_number = CompiledStatement(select(moves).where(moves.c.match == bindparam("which")))
    with pytest.raises(exc.SQLAlchemyError, match="which"):
        await store.database.read(lambda connection: by_number.read_rows(connection, {}))
    with pytest.raises(Exception, match="(?i)null"):
        await store.database.write(
            lambda connection: CompiledStatement(insert(moves)).write(connection, {"match": 1, "ply": 1})
        )
