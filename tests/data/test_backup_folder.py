"""Copies that are made by themselves: one a day, one before each migration, seven of each, and nothing else touched."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.engine.errors import Unusable
from data.store import Store
from data.upkeep import backups as upkeep_backups
from data.upkeep import file_check
from data.upkeep.backups import make_copy_before_migrating, make_daily_copy, read_standing
from data.upkeep.file_check import CommandRefused
from data.upkeep.hindrance import SCRIPTS, known_revisions
from data.upkeep.upgrade import migrate
from tests.data.acts import played

DAY = 86_400
HEAD = known_revisions()[-1]


def at(text: str) -> float:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def clock(text: str, days: int = 0) -> Callable[[], float]:
    """A clock that stands at a moment, or some days later."""
    return lambda: at(text) + days * DAY


@pytest.fixture
def url(sqlite: str) -> str:
    """The address of an empty database that is a file: of nothing else is this about."""
    return sqlite


@pytest.fixture
def backups(folder: Path) -> Path:
    """The folder for copies."""
    (folder / "backups").mkdir()
    return folder / "backups"


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


async def test_there_is_one_a_day_from_four_in_the_morning_on(store: Store, url: str, backups: Path) -> None:
    await played(store)
    made = [
        await make_daily_copy(url, backups, clock(moment))
        for moment in (
            "2026-11-28T15:00",
            "2026-11-28T23:59",
            "2026-11-29T03:59",
            "2026-11-29T04:00",
            "2026-11-30T03:00",
        )
    ]
    assert [copy and copy.name for copy in made] == [
        "graphpaper-2026-11-28-150000-daily.db", None, None, "graphpaper-2026-11-29-040000-daily.db", None,
    ]  # fmt: skip
    assert made[3] and made[3].stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(made[3])) as copy:
        assert copy.execute("SELECT count(*) FROM moves").fetchone() == (4,)
    found = read_standing(backups, at("2026-11-29T05:00"))
    assert found == (2, at("2026-11-29T04:00"), made[3].stat().st_size)


async def test_the_newest_seven_are_kept_and_nothing_else_is_touched(url: str, backups: Path) -> None:
    kept = ["graphpaper-2020-01-01-000000.db", "graphpaper-yesterday-daily.db", "holiday.jpg", "match.db"]
    for name in kept:
        (backups / name).write_text("precious")
    for day in range(9):
        await make_daily_copy(url, backups, clock("2026-11-01T04:00", day))
    assert names(backups) == [
        kept[0], *(f"graphpaper-2026-11-0{day}-040000-daily.db" for day in range(3, 10)), *kept[1:]
    ]  # fmt: skip
    assert all((backups / name).read_text() == "precious" for name in kept)


async def test_a_clock_that_was_far_ahead_once_keeps_no_new_copy_away(url: str, backups: Path) -> None:
    for day in range(7):
        await make_daily_copy(url, backups, clock("2099-01-01T04:00", day))
    for day in range(8):
        assert await make_daily_copy(url, backups, clock("2026-11-01T04:00", day))
    assert [name[11:15] for name in names(backups)] == ["2026"] * 7
    assert read_standing(backups, at("2026-11-09T04:00")).newest == at("2026-11-08T04:00")


def old(folder: Path, revision: str = "0013") -> str:
    """The address of a database as an earlier version left it."""
    scripts = Path(shutil.copytree(SCRIPTS, folder / "old"))
    for step in (scripts / "versions").glob("0*.py"):
        if step.name[:4] > revision:
            step.unlink()
    return str(scripts)


async def test_before_a_migration_there_is_a_copy_of_what_is_changed(url: str, backups: Path, folder: Path) -> None:
    earlier = f"sqlite:///{folder}/earlier.db"
    await migrate(earlier, Path(old(folder)), anew=True)
    made = await make_copy_before_migrating(earlier, backups, clock("2026-11-28T15:00"))
    assert made and made.name == f"graphpaper-2026-11-28-150000-before-{HEAD}.db"
    with closing(sqlite3.connect(made)) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0013",)
    await migrate(earlier)
    for there in (earlier, url, f"sqlite:///{folder}/nowhere.db", "postgresql://here/it"):
        assert await make_copy_before_migrating(there, backups, clock("2026-11-28T16:00")) is None
    assert await make_copy_before_migrating(earlier, None, clock("2026-11-28T16:00")) is None


async def test_a_migration_that_fails_again_and_again_takes_no_daily_copy_away(
    url: str, backups: Path, folder: Path
) -> None:
    earlier = f"sqlite:///{folder}/earlier.db"
    await migrate(earlier, Path(old(folder)), anew=True)
    await make_daily_copy(url, backups, clock("2026-11-01T04:00"))
    for second in range(10, 20):
        await make_copy_before_migrating(earlier, backups, clock(f"2026-11-28T15:00:{second}"))
    assert [name.rpartition("-")[2] for name in names(backups)] == ["daily.db", *[f"{HEAD}.db"] * 7]


async def test_without_a_copy_nothing_is_migrated(folder: Path) -> None:
    earlier = f"sqlite:///{folder}/earlier.db"
    await migrate(earlier, Path(old(folder)), anew=True)
    sentence = (
        f"The database was not brought to schema {HEAD}, since no copy of it could be made before. There is no folder"
        " /nowhere/backups for copies. Make it, mount it, or correct GRAPHPAPER_BACKUPS. Or set GRAPHPAPER_BACKUPS to"
        " off, to do without."
    )
    with pytest.raises(Unusable, match=re.escape(sentence)):
        await make_copy_before_migrating(earlier, Path("/nowhere/backups"), clock("2026-11-28T15:00"))


async def test_a_folder_beside_the_database_is_made_and_another_may_be_unmounted(
    url: str, folder: Path, tmp_path: Path
) -> None:
    assert await make_daily_copy(url, folder / "backups", clock("2026-11-28T15:00"))
    assert (folder / "backups").stat().st_mode & 0o777 == 0o700
    with pytest.raises(CommandRefused, match=re.escape(f"There is no folder {tmp_path}/usb for copies.")):
        await make_daily_copy(url, tmp_path / "usb", clock("2026-11-28T15:00"))


async def test_what_a_killed_process_left_is_cleared_away(url: str, backups: Path) -> None:
    for name in ("-daily.db.part", "-daily.db.part-journal"):
        (backups / f"graphpaper-2026-11-27-040000{name}").write_bytes(bytes(100))
    (backups / "graphpaper-2026-11-27-040000.db.part").write_bytes(bytes(100))
    await make_daily_copy(url, backups, clock("2026-11-28T15:00"))
    assert names(backups) == ["graphpaper-2026-11-27-040000.db.part", "graphpaper-2026-11-28-150000-daily.db"]


async def test_a_copy_that_arrives_damaged_is_none(
    store: Store, url: str, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written is read again from its file."""
    await played(store)
    before = upkeep_backups.copy_pages

    def damaged(source: Path, copy: Path, progress: file_check.Progress) -> str:
        before(source, copy, progress)
        content = copy.read_bytes()
        copy.write_bytes(content[:8192] + bytes(len(content) - 8192))
        return ""

    monkeypatch.setattr("data.upkeep.backups.copy_pages", damaged)
    with pytest.raises(CommandRefused, match="was not copied. It (is damaged: |isn't a database, or is damaged )"):
        await make_daily_copy(url, backups, clock("2026-11-28T15:00"))
    assert names(backups) == []
