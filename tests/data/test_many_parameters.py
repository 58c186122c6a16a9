"""More rows in one go than a server takes parameters in one statement, which are 32,767."""

from __future__ import annotations

from sqlalchemy import Connection, insert, literal, select, true

from bot.core.match.stored import Away
from bot.core.values.ids import UserId
from data.store import Reader, Store, Transaction
from data.tables.schema import matches, players
from tests.data.acts import begun, loaded

MANY = 33_000
GUILD, ANN, BEA = 1, 1, 2


def copied(connection: Connection, match: int) -> None:
    """Copy a match, with its players, so often."""
    numbers = select(literal(1).label("number")).cte("numbers", recursive=True)
    numbers = numbers.union_all(select(numbers.c.number + 1).where(numbers.c.number < MANY - 1))
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


async def test_one_person_in_very_many_matches_with_clocks(store: Store) -> None:
    first = await begun(store, (ANN, BEA))
    clock = {"left": 100, "since": 100, "deadline": 200, "remind": None}
    await store.do(lambda tx: tx.seat(first, ANN, allotted=100, left=100, since=100, deadline=200))
    await store.database.write(lambda connection: copied(connection, first))

    rows = await store.ask(Reader.live_of, GUILD, ANN)
    assert len(rows) == MANY
    assert all(len(row.players) == 2 for row in rows)
    last, others = rows[-1].id, [row.id for row in rows[1:]]
    assert await store.ask(Reader.run_out, 1000, 5, others) == (first,)

    running = await store.ask(Reader.running)
    moved = [(one.match, one.player.user, {**clock, "deadline": 300}) for one in running[-1000:]]
    await store.unhurried.do(Transaction.put_clocks, moved)
    assert [player.deadline for player in (await loaded(store, last)).players] == [300, None]

    await store.unhurried.do(Transaction.redraw, others, 100)
    assert len(await store.ask(Reader.left_over, 1000, 2 * MANY)) == len(others)


async def test_very_many_people_who_are_asked_and_away(store: Store) -> None:
    everybody = [UserId(number) for number in range(1, MANY + 1)]
    await store.do(Transaction.keep_away, GUILD, BEA, Away(100, 200))
    assert await store.ask(Reader.absent, GUILD, everybody, 150) == {BEA: 200}
    assert await store.ask(Reader.absences, GUILD, everybody, 150) == {BEA: (Away(100, 200),)}
    match = await begun(store, (ANN, BEA))
    await store.do(Transaction.unask, match, everybody)
    assert await store.ask(Reader.asks, GUILD, everybody, 0, 1000) == ()
    assert not any((await store.ask(Reader.places, GUILD, everybody)).values())
