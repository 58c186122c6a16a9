"""What the declared rows come to: the statements that make the tables, and what is said of people's data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import BigInteger, Boolean, Column, Double, Integer, MetaData, Table, Text, create_mock_engine

from bot.play.columns import Exported, Key, Person, Withheld
from bot.play.ids import UserId
from data.queries.privacy import OF_PERSON, SECTIONS
from data.store import Reader, Store, Transaction
from data.tables.rows import METADATA, ChosenOptions, OneOf, Seats, Words, find_notes
from tests.data.raw import connected
from tests.data.test_privacy import numbers

ANN = UserId(700001)
JOINED = {"players": "matches", "league_members": "leagues", "challenge_requests": "asks"}
"""Tables of which several columns are told in a way of their own, by where they stand in an export."""
SHARED = {"matches", "leagues", "pairings"}
"""Tables that name people, and are not about each of them: what is theirs in them stands in other sections."""
NOTES = {Person, Exported, Withheld}
PAGE = " ".join((Path(__file__).parents[2] / "PRIVACY.md").read_text().split())


def statements(address: str) -> str:
    """What makes all tables and indexes in an empty database."""
    said = list[str]()

    def note(statement: Any, *_: object, **__: object) -> None:
        said.append(str(statement.compile(dialect=engine.dialect)).strip() + ";\n")

    engine = create_mock_engine(address, note)
    METADATA.create_all(engine, checkfirst=False)
    return "\n".join(sorted(said, key=lambda one: one if one.startswith("CREATE INDEX") else ""))


@pytest.mark.parametrize("address", ["sqlite://", "postgresql+asyncpg://"])
def test_the_tables_are_made_as_they_always_were(address: str) -> None:
    """A change of a table comes with a migration; then this file is written anew."""
    golden = Path(__file__).with_name(f"tables.{address.partition('+')[0].partition(':')[0]}.sql")
    made = statements(address)
    assert made == golden.read_text(), f"{golden.name} is not what the rows say: CONTRIBUTING.md, “Adding a column”"


def test_every_number_of_a_person_is_declared_as_one() -> None:
    for kept in METADATA.sorted_tables:
        kinds: dict[str, str] = kept.info["row"].__annotations__ if "row" in kept.info else {}
        for name in kinds.keys() & kept.c.keys():
            assert ("UserId" in kinds[name]) == (Person in kept.c[name].info), str(kept.c[name])


def find_undeclared(*tables: Table) -> list[str]:
    """What is kept about people in some tables without a word on whether they get it."""
    about = [kept for kept in tables if any(Person in one.info for one in kept.primary_key)]
    columns = [one for kept in about for one in kept.c if not one.info.get(Key, Key()).references]
    others = [kept for kept in tables if kept not in about and kept.name not in SHARED]
    stray = [kept.name for kept in others if any(Person in one.info for one in kept.c)]
    return [
        *(f"{one} is neither Exported nor Withheld" for one in columns if not one.info.keys() & NOTES),
        *(f"{name} names people outside of its key: put them into it, or say in SHARED why not" for name in stray),
    ]


def find_unsaid(page: str, *tables: Table) -> list[str]:
    """What people get of some tables without that the page on privacy speaks of it."""
    return [
        f"PRIVACY.md lacks “{said.words}”, for {one}"
        for one, said in find_notes(Exported, *tables)
        if said.words not in page
    ]


def find_left_out(exported: dict[str, Any]) -> list[str]:
    """The columns that are declared as exported, and not in an export."""
    found = {name: {key for row in rows for key in row} for name, rows in exported.items() if name != "user"}
    names = [(one, one.table.name) for one, _ in find_notes(Exported)]
    return [str(one) for one, name in names if one.name not in found[JOINED.get(name, SECTIONS.get(name, name))]]


def test_of_every_column_about_a_person_it_is_said_whether_they_get_it() -> None:
    assert OF_PERSON and find_undeclared(*METADATA.sorted_tables) == []


def test_the_page_on_privacy_says_what_is_kept() -> None:
    assert find_unsaid(PAGE, *METADATA.sorted_tables) == []


def test_a_column_that_nobody_is_told_of_is_found() -> None:
    """Planted: a table about people with a column of which nothing is said and one that is not on the page; and one
    that names people beside its key."""
    owner: Any = Column("user", BigInteger, primary_key=True, info={Person: Person(owns=True)})
    moods = Table(
        "moods",
        MetaData(),
        owner,
        Column("mood", Integer),
        Column("why", Text, info={Exported: Exported("your moods")}),
    )
    letters = Table(
        "letters", MetaData(), Column("id", Integer, primary_key=True), Column("to", Integer, info={Person: Person()})
    )
    assert find_undeclared(moods, letters) == [
        "moods.mood is neither Exported nor Withheld",
        "letters names people outside of its key: put them into it, or say in SHARED why not",
    ]
    assert find_unsaid(PAGE, moods) == ["PRIVACY.md lacks “your moods”, for moods.why"]
    lacking, there = (
        find_unsaid(page, *METADATA.sorted_tables) for page in (PAGE.replace("how many hints you used", ""), PAGE)
    )
    assert [one for one in lacking if one not in there] == [
        "PRIVACY.md lacks “how many hints you used”, for players.hints"
    ]


def a_value(column: Column[Any]) -> Any:
    """Something that the column may hold."""
    if Person in column.info:
        return ANN
    if isinstance(column.type, OneOf):
        return column.type.known[0]
    plain: dict[type, Any] = {Boolean: False, Double: 1.5, Seats: (1,), ChosenOptions: {}, Words: ("a", "b")}
    known = next((value for kind, value in plain.items() if isinstance(column.type, kind)), None)
    return known if known is not None else 1 if column.type.python_type is int else "1"


async def test_whoever_is_in_every_table_gets_all_that_is_told_of_them_and_is_in_none_afterwards(
    store: Store, url: str
) -> None:
    """The export is made from the declarations: here it is compared with them, over rows that the tables really had."""
    with connected(url) as connection:
        for kept in METADATA.sorted_tables:
            given = [one for one in kept.c if not one.computed and (not one.nullable or Person in one.info)]
            connection.execute(kept.insert(), {one.name: a_value(one) for one in given})
    exported = await store.ask(Reader.export_person, ANN)
    assert find_left_out(exported) == []
    without = [{name: value for name, value in row.items() if name != "streak"} for row in exported["ratings"]]
    assert find_left_out({**exported, "ratings": without}) == ["ratings.streak"], "planted"
    assert await store.ask(Reader.list_people) == {ANN}
    await store.do(Transaction.forget_person, ANN)
    assert ANN not in numbers(url) and await store.ask(Reader.list_people) == frozenset()
