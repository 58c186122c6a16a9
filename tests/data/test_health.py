"""What `health` says of the database and its volume, of a bot that may be stopped, of Discord that may be away."""

from __future__ import annotations

import re
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.store import Store, Transaction
from data.upkeep.health import Pulse, check_health
from tests.data.acts import begun, only_sqlite, played
from tests.data.raw import told

NOW = 1_800_000_000


async def said(url: str, sound: bool) -> str:
    """What health says, which is one sentence, at a moment."""
    report = await check_health(url, lambda: NOW)
    assert report.sound is sound, report
    (line,) = report.lines
    return line


async def heard(store: Store, alive: int, connected: int) -> None:
    """The bot's last beat."""
    await store.do(Transaction.set_note, "heartbeat", str(Pulse(alive, connected)))


async def test_a_bot_that_was_heard_a_moment_ago_is_well(store: Store, url: str) -> None:
    await heard(store, NOW - 20, NOW - 20)
    assert await said(url, True) == (
        "The database is readable and writable, and the bot is connected. Matches: none yet."
    )
    await played(store)
    await begun(store)
    assert await said(url, True) == (
        "The database is readable and writable, and the bot is connected. Matches: 1 finished, 1 live."
    )


BEATS = [
    (None, "no bot has used it yet"),
    ((0, 0), "the bot was stopped"),
    ((NOW - 260, NOW - 260), "the bot hasn't been heard from for 4 minutes"),
    ((NOW - 91, NOW - 91), "the bot hasn't been heard from for 91 seconds"),
    ((NOW - 3 * 86_400, NOW - 3 * 86_400), "the bot hasn't been heard from for 3 days"),
    ((NOW + 3_600, NOW + 3_600), "the bot hasn't been heard from for some time (the clock was set back meanwhile)"),
    ((NOW - 5, 0), "the bot is running, but hasn't been connected to Discord since it started"),
    ((NOW - 5, NOW - 7_300), "the bot is running, but hasn't been connected to Discord for 2 hours"),
]


@pytest.mark.parametrize(("beat", "why"), BEATS, ids=[why for _, why in BEATS])
async def test_what_ails_a_bot_is_said(store: Store, url: str, beat: tuple[int, int] | None, why: str) -> None:
    if beat:
        await heard(store, *beat)
    assert await said(url, False) == f"The database is readable and writable; {why}."


async def test_a_beat_that_cannot_be_read_is_none(store: Store, url: str) -> None:
    for beat in ("", "soon", "1 2 3", "-5 7"):
        await store.do(Transaction.set_note, "heartbeat", beat)
        assert "no bot has used it yet" in await said(url, False)


async def test_looking_leaves_no_trace(store: Store, url: str) -> None:
    await heard(store, NOW, NOW)
    for _ in range(3):
        await said(url, True)
    assert told(url, "SELECT name FROM key_values") == [("heartbeat",)]


@only_sqlite
async def test_looking_leaves_no_file(store: Store, url: str, file: Path) -> None:
    await heard(store, NOW, NOW)
    await said(url, True)
    assert {path.name for path in file.parent.iterdir()} <= {"matches.db", "matches.db-wal", "matches.db-shm"}


@only_sqlite
async def test_a_volume_without_room_is_not_well(store: Store, url: str) -> None:
    await heard(store, NOW, NOW)
    await said(url, True)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, limits[1]))
    try:
        assert (await said(url, False)).startswith("There is no room for ")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@only_sqlite
async def test_a_locked_database_is_not_well(
    store: Store, url: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await heard(store, NOW, NOW)
    monkeypatch.setattr("data.engine.driver.WAIT_SECONDS", 0.3)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await said(url, False) == "The database can't be written: another program holds a lock on it."


async def test_a_database_that_is_not_there_is_not_well(tmp_path: Path) -> None:
    absent = tmp_path / "absent.db"
    assert await said(f"sqlite:///{absent}", False) == (
        f"There is no database at {absent}. The first start makes one; if there was one, put it or a copy of it back."
    )
    assert not absent.exists()
    assert "or PostgreSQL, not mysql" in await said("mysql://there/it", False)


async def test_a_database_that_is_not_ready_is_not_well(url: str) -> None:
    told(url, "UPDATE alembic_version SET version_num = '9999'")
    assert re.search("written by a newer version of Graph Paper", await said(url, False))
