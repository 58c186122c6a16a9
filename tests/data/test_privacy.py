"""A person's data: all of it for them to have, and their number out of every table when they want to be forgotten."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.core.ids import ChannelId, UserId
from bot.core.rows import ServerSettings
from data.check import check
from data.store import Reader, Store, Transaction
from tests.data.acts import GAME, played


def numbers(file: Path) -> set[int]:
    """Every whole number in every table, and every one in a text."""
    found: set[int] = set()
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                found |= {value for value in row if isinstance(value, int)}
    return found


ANN, BEA, CEM = map(UserId, (700001, 700002, 700003))


async def test_a_person_gets_all_that_is_kept_about_them(store: Store) -> None:
    match = await played(store, (ANN, BEA))
    other = await played(store, (BEA, CEM))
    kept = await store.ask(Reader.exported, ANN)
    assert kept["user"] == ANN
    assert [row["id"] for row in kept["matches"]] == [match] and other not in kept["matches"]
    assert [(row["ply"], row["text"]) for row in kept["moves"]] == [(1, "a1"), (3, "c1")]
    assert {row["game"] for row in kept["ratings"]} == {"", "binary-primes"}


async def test_a_forgotten_number_is_in_no_table(store: Store, file: Path) -> None:
    match = await played(store, (ANN, BEA))
    await played(store, (BEA, ANN))
    assert ANN in numbers(file)
    await store.do(Transaction.forget, ANN)
    assert ANN not in numbers(file) and BEA in numbers(file)
    row = await store.ask(Reader.row, match)
    assert row and row.version > row.shown_version and row.seat_of(BEA) == 2
    assert await store.ask(Reader.exported, ANN) == {"user": ANN, "matches": [], "moves": [], "ratings": []}


async def test_ratings_of_the_others_can_still_be_computed(store: Store, url: str) -> None:
    for users in ((ANN, BEA), (BEA, CEM), (CEM, ANN)):
        await played(store, users)
    before = {one.user: one for one in await store.ask(Reader.leaderboard, 1)}
    await store.do(Transaction.forget, ANN)
    after = await store.ask(Reader.leaderboard, 1)
    assert {one.user for one in after} == {BEA, CEM}
    assert all(one.mu == before[one.user].mu for one in after)
    report = await check(url, {GAME.key: GAME})
    assert report.sound, report.lines


async def test_two_forgotten_people_of_one_match_stay_two(store: Store) -> None:
    match = await played(store, (ANN, BEA))
    await store.do(Transaction.forget, ANN)
    await store.do(Transaction.forget, BEA)
    row = await store.ask(Reader.row, match)
    assert row and [player.user for player in row.players] == [-1, -2]


async def test_settings_are_kept_for_each_server(store: Store) -> None:
    assert await store.ask(Reader.settings, 1) == ServerSettings()
    await store.do(Transaction.set_settings, 1, ServerSettings((ChannelId(10), ChannelId(11)), threads=False))
    await store.do(Transaction.set_settings, 1, ServerSettings((ChannelId(12),), threads=False))
    assert await store.ask(Reader.settings, 1) == ServerSettings((ChannelId(12),), threads=False)
    assert await store.ask(Reader.settings, 2) == ServerSettings()
