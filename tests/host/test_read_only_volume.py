"""A database in a folder that cannot be written: it is copied and checked, and what may be missing is said.

The commands run in a child process that is nobody, since a folder is closed to nobody who is root.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main

NOBODY = 65534
Host = Callable[..., tuple[int, str]]


@pytest.fixture
def volume(empty: Path, folder: Path) -> Generator[Path]:
    """The folder of a database of which a part is still beside the file, as where a bot was killed."""
    volume = folder / "volume"
    volume.mkdir()
    file = Path(shutil.copy(empty, volume / "matches.db"))
    folder.chmod(0o755)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("INSERT INTO key_values VALUES ('late', 'written last')")
        left = file.with_name("matches.db-wal").read_bytes()
        before = file.read_bytes()
    file.write_bytes(before)
    file.with_name("matches.db-wal").write_bytes(left)
    for path in volume.iterdir():
        path.chmod(0o444)
    volume.chmod(0o555)
    yield volume
    volume.chmod(0o755)


@pytest.fixture
def nobody(volume: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """Types commands as somebody who may only read there; what they print, and their status."""
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    mine = folder / "mine"
    mine.mkdir(mode=0o777)
    mine.chmod(0o777)
    monkeypatch.setenv("TMPDIR", str(mine))
    monkeypatch.setattr("tempfile.tempdir", str(mine))
    monkeypatch.chdir(mine)
    shutil.copy(volume / "matches.db", "loaded.db")
    Path("loaded.db").chmod(0o600)
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///loaded.db")
    for words in (["backup", "of_loaded.db"], ["check", "of_loaded.db"], ["check"]):  # all is loaded while it can be
        assert main(words) == 0
    monkeypatch.setenv("GRAPHPAPER_DATABASE", f"sqlite:///{volume}/matches.db")

    def typed(*words: str) -> tuple[int, str]:
        printed = folder / "printed"
        if not (child := os.fork()):
            status = 99
            try:
                sys.stdout = sys.stderr = printed.open("w")
                if os.geteuid() == 0:
                    os.setgroups([])
                    os.setresgid(NOBODY, NOBODY, NOBODY)
                    os.setresuid(NOBODY, NOBODY, NOBODY)
                status = main(words)
                sys.stdout.flush()
            finally:
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(ended), printed.read_text()

    return typed


UNREAD = (
    "Its folder can't be written, so matches.db-wal beside it was not read along: what was written last may be missing"
    " from the copy."
)


def test_it_is_copied_and_what_may_be_missing_is_said(nobody: Host, volume: Path) -> None:
    before = {path.name: path.read_bytes() for path in volume.iterdir()}
    status, said = nobody("backup", "copy.db")
    assert (status, said) == (
        0,
        f"The database was copied to copy.db ({Path('copy.db').stat().st_size} bytes). {UNREAD}\n",
    )
    with closing(sqlite3.connect("copy.db")) as copy:
        assert copy.execute("SELECT count(*) FROM key_values").fetchone() == (0,)
    assert {path.name: path.read_bytes() for path in volume.iterdir()} == before


def test_it_is_checked(nobody: Host, volume: Path) -> None:
    before = {path.name: path.read_bytes() for path in volume.iterdir()}
    faultless = "0 matches, 0 of them replayed: no faults."
    status, said = nobody("check")
    assert status == 0 and said.startswith(
        f"{faultless}\n{UNREAD}\nChecked was sqlite:///{volume}/matches.db. Settings: "
    )
    verdict = f"{volume}/matches.db can be restored."
    assert nobody("check", f"{volume}/matches.db") == (0, f"{faultless}\n{UNREAD}\n{verdict}\n")
    assert {path.name: path.read_bytes() for path in volume.iterdir()} == before


def test_where_nothing_is_left_beside_it_nothing_is_missing(nobody: Host, volume: Path) -> None:
    volume.chmod(0o755)
    (volume / "matches.db-wal").unlink()
    volume.chmod(0o555)
    status, said = nobody("check")
    assert status == 0 and said.startswith("0 matches, 0 of them replayed: no faults.\nChecked was ")
    assert UNREAD not in nobody("backup", "copy.db")[1]
