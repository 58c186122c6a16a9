"""The copy of the day while the bot serves; and what a host sees of copies."""

from __future__ import annotations

import logging
import math
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.host import serving
from bot.host.serving import DailyCopies
from bot.host.status import describe_backups
from bot.host.supervisor import Supervisor
from bot.platform.metrics import Metrics
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from data.upkeep.hindrance import HERE

NOW = 1_800_000_000
HOUR = 3600


@pytest.fixture
def url(empty: Path, folder: Path) -> str:
    """The address of a database."""
    return f"sqlite:///{shutil.copy(empty, folder / 'matches.db')}"


async def test_a_copy_is_made_and_its_age_and_size_are_told(url: str, folder: Path) -> None:
    metrics = Metrics()
    assert math.isnan(metrics.registry.get_sample_value("graphpaper_backup_timestamp_seconds") or 0), "copies are off"
    keeper = DailyCopies(url, folder / "backups", lambda: NOW, metrics)
    await keeper.tell()
    assert metrics.registry.get_sample_value("graphpaper_backup_timestamp_seconds") == 0, "never, which rings"
    await keeper.look()
    (made,) = (folder / "backups").iterdir()
    assert metrics.registry.get_sample_value("graphpaper_backup_timestamp_seconds") == NOW
    assert metrics.registry.get_sample_value("graphpaper_backup_bytes") == made.stat().st_size
    assert (
        describe_backups(url, folder / "backups", NOW + 5 * HOUR)
        == f"1, the newest 5 hours old, {made.stat().st_size >> 10}.0 KiB"
    )


async def test_one_that_fails_is_said_and_tried_again_in_an_hour(
    url: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    passed = [0.0]
    monkeypatch.setattr(serving, "loop_time", lambda: passed[0])
    keeper = DailyCopies(url, tmp_path / "usb", lambda: NOW, Metrics())
    sentence = (
        f"The copy of the day was not made. There is no folder {tmp_path}/usb for copies. Make it, mount it, or correct"
        " GRAPHPAPER_BACKUPS. It is tried again in an hour."
    )
    for minute in (0, 5, 59):
        passed[0] = minute * 60
        await keeper.look()
    assert [record.message for record in caplog.records if record.levelno == logging.ERROR] == [sentence]
    (tmp_path / "usb").mkdir()
    passed[0] = HOUR
    await keeper.look()
    assert len(list((tmp_path / "usb").iterdir())) == 1


def test_status_does_not_ask_for_copies_of_the_sandbox(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HERE, "sandbox", True)
    assert describe_backups(url, None, NOW) == "none, as of the sandbox none are made by themselves"


def test_status_says_whose_the_copies_are(url: str, folder: Path) -> None:
    assert describe_backups("postgresql://here/it", folder, NOW) == "yours to make, with pg_dump"
    assert describe_backups(url, None, NOW) == "none: set GRAPHPAPER_BACKUPS to a folder"
    assert describe_backups(url, folder, NOW) == "none yet in the folder of GRAPHPAPER_BACKUPS"


@pytest.mark.parametrize(
    ("container", "written", "folder"),
    [
        ("0", "", None),
        ("0", "/srv/copies", Path("/srv/copies")),
        ("0", "off", None),
        ("1", "", Path("/data/backups")),
        ("1", "OFF", None),
        ("1", "0", None),
        ("1", "/mnt/copies", Path("/mnt/copies")),
    ],
)
def test_a_container_keeps_copies_unless_they_are_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, container: str, written: str, folder: Path | None
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHPAPER_CONTAINER", container)
    monkeypatch.setenv("GRAPHPAPER_BACKUPS", written)
    assert Settings.read().backups == folder


def test_the_sandbox_puts_no_copies_among_the_real_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHPAPER_BACKUPS", "/srv/copies")
    for name, value in Supervisor(Sandbox(), Settings()).bot_environment().items():
        monkeypatch.setenv(name, value)
    assert Settings.read().backups is None


def test_a_backup_into_a_folder_has_a_dated_name(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bot.__main__ import main

    monkeypatch.chdir(folder)
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", url)
    monkeypatch.setattr("bot.host.commands.wall_time", lambda: NOW)
    Path("kept").mkdir()
    assert main(["backup", "kept"]) == 0
    assert [path.name for path in Path("kept").iterdir()] == ["graphpaper-2027-01-15-080000.db"]
    assert main(["backup", "kept"]) == 2, "within one second"
    capsys.readouterr()
    assert main(["check", "kept/graphpaper-2027-01-15-080000.db"]) == 0
    assert capsys.readouterr().out == (
        "0 matches, 0 of them replayed: no faults.\nkept/graphpaper-2027-01-15-080000.db can be restored.\n"
    )
    assert main(["check", "kept/graphpaper-2027-01-15-080000.db", "--ratings"]) == 2
    with closing(sqlite3.connect("kept/graphpaper-2027-01-15-080000.db")) as copy, copy:
        copy.execute("INSERT INTO deliveries VALUES (1, 99, 1)")
    capsys.readouterr()
    assert main(["check", "kept/graphpaper-2027-01-15-080000.db"]) == 1
    assert capsys.readouterr().out == (
        "kept/graphpaper-2027-01-15-080000.db can't be restored. It is damaged: a row of deliveries refers to"
        " nothing.\n"
    )
