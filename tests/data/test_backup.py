"""Copies: taken while others write, put back only where they belong."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.backup import Refused, backup, restore
from data.check import check
from data.store import Reader, Store, Transaction
from tests.data.acts import GAME, begun, loaded, played, scribble


def files(folder: Path) -> list[str]:
    """The names of all files in a folder."""
    return sorted(path.name for path in folder.iterdir())


async def test_a_copy_taken_while_others_write_is_one_moment(store: Store, url: str, tmp_path: Path) -> None:
    match = await begun(store)
    stop = asyncio.Event()

    def one(tx: Transaction, ply: int) -> None:
        assert tx.update(match, 1 + ply, plies=ply)
        tx.append(match, ply, 1, "a1", 120)

    async def write() -> int:
        ply = 0
        while not stop.is_set():
            ply += 1
            await store.do(one, ply)
        return ply

    writing = asyncio.create_task(write())
    copies = [tmp_path / "copies" / f"{number}.db" for number in range(5)]
    (tmp_path / "copies").mkdir()
    said = [await backup(url, copy) for copy in copies]
    stop.set()
    assert await writing > len(copies)
    assert said[0] == f"The database was copied to {copies[0]} ({copies[0].stat().st_size} bytes)."
    assert files(tmp_path / "copies") == [copy.name for copy in copies]
    seen: list[int] = []
    for copy in copies:
        other = Store(f"sqlite:///{copy}")
        row = await loaded(other, match)
        assert row.plies == len(row.record) == row.version - 2
        seen.append(row.plies)
        await other.close()
    assert seen == sorted(seen) and seen[0] < seen[-1]


async def test_a_copy_put_back_is_the_database_it_was_taken_of(store: Store, url: str, tmp_path: Path) -> None:
    match = await played(store)
    row, board = await loaded(store, match), await store.ask(Reader.leaderboard, 1)
    copy = tmp_path / "copy.db"
    await backup(url, copy)
    await played(store, now=200)
    await store.close()
    target = tmp_path / "matches.db"
    assert await restore(copy, url, force=True) == f"The database at {target} is now the one from {copy}."
    assert files(tmp_path) == ["copy.db", "matches.db"]
    assert await loaded(store, match) == row
    assert await store.ask(Reader.load, match + 1) is None
    assert await store.ask(Reader.leaderboard, 1) == board
    assert (await check(url, {GAME.key: GAME})).sound


async def test_a_copy_can_be_put_where_nothing_is(store: Store, url: str, tmp_path: Path) -> None:
    match = await played(store)
    await backup(url, tmp_path / "copy.db")
    elsewhere = f"sqlite:///{tmp_path}/new/place/matches.db"
    await restore(tmp_path / "copy.db", elsewhere)
    other = Store(elsewhere)
    assert await loaded(other, match) == await loaded(store, match)
    await other.close()


async def test_a_copy_replaces_an_older_one(store: Store, url: str, tmp_path: Path) -> None:
    await backup(url, tmp_path / "copy.db")
    await played(store)
    await backup(url, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute("SELECT count(*) FROM moves").fetchone() == (4,)


async def refused(copy: Path, url: str, sentence: str, force: bool = True) -> None:
    """Restoring is refused with this sentence, and the database stays as it was."""
    store = Store(url)
    before = await loaded(store, 1)
    await store.close()
    with pytest.raises(Refused, match=re.escape(sentence)):
        await restore(copy, url, force)
    assert await loaded(store, 1) == before
    await store.close()
    assert not list(copy.parent.glob("*.part*"))


async def test_what_cannot_be_put_back_is_refused(store: Store, url: str, file: Path, tmp_path: Path) -> None:
    await played(store)
    await store.close()
    copy = tmp_path / "copy.db"
    await refused(copy, url, f"There is no file {copy}.")
    await backup(url, copy)
    await refused(copy, url, f"There is a database at {file}: give --force to replace it by {copy}.", force=False)
    await refused(file, url, f"{file} is the database itself: name a copy of it.")

    good = copy.read_bytes()
    scribble(copy, b"Dear diary, " * 1000)
    await refused(copy, url, f"{copy} cannot be copied: file is not a database.")
    scribble(copy, good[: len(good) // 2])
    await refused(copy, url, f"{copy} ")

    for change, sentence in (
        ("UPDATE alembic_version SET version_num = '9999'", "written by a newer version of Graph Paper"),
        ("DELETE FROM matches", f"{copy} was not copied. It is damaged: some of its rows refer to nothing."),
        ("DROP TABLE alembic_version", f"{copy} was not copied. It is not a database of Graph Paper."),
    ):
        scribble(copy, good)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute(change)
            connection.commit()
        await refused(copy, url, sentence)


async def test_a_database_in_use_is_not_replaced(store: Store, url: str, file: Path, tmp_path: Path) -> None:
    match = await played(store)
    copy = tmp_path / "copy.db"
    await backup(url, copy)
    later = await played(store, now=200)
    with pytest.raises(Refused, match=re.escape(f"The database at {file} is in use: stop the bot first.")):
        await restore(copy, url, force=True)
    assert (await loaded(store, match)).id < (await loaded(store, later)).id
    await store.close()
    await restore(copy, url, force=True)
    assert await store.ask(Reader.load, later) is None


async def test_a_database_beyond_reading_can_be_replaced(store: Store, url: str, file: Path, tmp_path: Path) -> None:
    match = await played(store)
    row = await loaded(store, match)
    await backup(url, tmp_path / "copy.db")
    await store.close()
    scribble(file, b"x" * 5000)
    scribble(file.with_name("matches.db-wal"), b"y" * 500)
    await restore(tmp_path / "copy.db", url, force=True)
    assert files(tmp_path) == ["copy.db", "matches.db"]
    assert await loaded(store, match) == row


async def test_what_is_left_of_a_deleted_database_does_not_get_into_the_copy(
    store: Store, url: str, file: Path, tmp_path: Path
) -> None:
    match = await played(store)
    row = await loaded(store, match)
    await backup(url, tmp_path / "copy.db")
    later = await played(store, now=200)
    log = file.with_name("matches.db-wal")
    left = log.read_bytes()
    await store.close()
    os.remove(file)
    scribble(log, left)
    await restore(tmp_path / "copy.db", url)
    assert files(tmp_path) == ["copy.db", "matches.db"]
    assert await loaded(store, match) == row
    assert await store.ask(Reader.load, later) is None
    assert (await check(url, {GAME.key: GAME})).sound


async def test_copies_that_make_no_sense_are_refused(url: str, file: Path, tmp_path: Path) -> None:
    for address, copy, sentence in (
        (url, file, f"{file} is the database itself: name another file."),
        (f"sqlite:///{tmp_path}/absent.db", tmp_path / "copy.db", f"There is no database at {tmp_path}/absent.db."),
        ("postgresql://here/it", tmp_path / "copy.db", "Only a SQLite database is copied here: for PostgreSQL use"),
    ):
        with pytest.raises(Refused, match=re.escape(sentence)):
            await backup(address, copy)
    assert files(tmp_path) == ["matches.db"]
