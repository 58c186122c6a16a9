"""More rows in one go than a statement takes parameters: 32,767 on a server, and here on SQLite a few hundred."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest
from sqlalchemy import Connection, event, insert, literal, select, true

from bot.play.ids import UserId
from bot.play.rows import Absence
from data.engine.sqlite import SqliteDriver
from data.store import Reader, Store, Transaction
from data.tables.schema import matches, players
from tests.data.acts import begun, loaded

pytestmark = pytest.mark.long
PARAMETERS = 500
"""How many SQLite takes here; as it comes, it takes more than a server."""
GUILD, ANN, BEA = 1, 1, 2


@pytest.fixture
def many(store: Store) -> int:
    """More than a statement takes."""
    driver = store.database.driver
    if not isinstance(driver, SqliteDriver):
        return 33_000

    def limited(connection: sqlite3.Connection, _record: object) -> None:
        connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, PARAMETERS)

    event.listen(driver.engine, "connect", limited)
    return 2 * PARAMETERS


def copied(connection: Connection, match: int, many: int) -> None:
    """Copy a match, with its players, so often."""
    numbers = select(literal(1).label("number")).cte("numbers", recursive=True)
    numbers = numbers.union_all(select(numbers.c.number + 1).where(numbers.c.number < many - 1))
    fields = [column.name for column in matches.c if column.name not in ("id", "board_message")]
    copies = select(
        matches.c.id + numbers.c.number,
        numbers.c.number,
        *(matches.c[name] for name in fields),
    ).select_from(matches.join(numbers, true()))
    copies = copies.where(matches.c.id == match)
    connection.execute(insert(matches).from_select(["id", "board_message", *fields], copies))
    fields = [column.name for column in players.c if column.name != "match"]
    people = select(players.c.match + numbers.c.number, *(players.c[name] for name in fields))
    people = people.select_from(players.join(numbers, true()))
    connection.execute(insert(players).from_select(["match", *fields], people.where(players.c.match == match)))


async def test_one_person_in_very_many_matches_with_clocks(store: Store, many: int) -> None:
    first = await begun(store, (ANN, BEA))
    await store.do(lambda tx: tx.set_player(first, ANN, allotted=100, seconds_left=100, since=100, deadline=200))
    await store.database.write(lambda connection: copied(connection, first, many))

    rows = await store.ask(Reader.live_of, GUILD, ANN)
    assert len(rows) == many
    assert all(len(row.players) == 2 for row in rows)
    last, others = rows[-1].id, [row.id for row in rows[1:]]
    assert await store.ask(Reader.find_matches_run_out, 1000, 5, others) == (first,)

    running = await store.ask(Reader.find_running_clocks)
    moved = [(one.match, replace(one.player, deadline=300)) for one in running[-1000:]]
    await store.for_long_work.do(Transaction.put_clocks, moved)
    assert [player.deadline for player in (await loaded(store, last)).players] == [300, None]

    await store.for_long_work.do(Transaction.redraw_messages, others, 100)
    assert len(await store.ask(Reader.find_pending_edits, 1000, 2 * many)) == len(others)


async def test_very_many_people_who_are_asked_and_away(store: Store, many: int) -> None:
    everybody = [UserId(number) for number in range(1, many + 1)]
    await store.do(Transaction.add_absence, GUILD, BEA, Absence(100, 200))
    assert await store.ask(Reader.find_absent_people, GUILD, everybody, 150) == {BEA: 200}
    assert await store.ask(Reader.absences, GUILD, everybody, 150) == {BEA: (Absence(100, 200),)}
    match = await begun(store, (ANN, BEA))
    await store.do(Transaction.drop_challenge_requests, match, everybody)
    assert await store.ask(Reader.find_challenge_requests, GUILD, everybody, 0, 1000) == ()
