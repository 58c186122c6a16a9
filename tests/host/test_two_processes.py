"""A bot and a command, or two bots, on one SQLite database: one of them writes, and the other says why it does not."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from sqlite3 import sqlite_version
from typing import Any, NamedTuple

import pytest

from bot.__main__ import main
from bot.host import serving
from data.upkeep import integrity
from data.upkeep.sole_writer import be_sole_writer

USED = (
    "The database at matches.db is used by process 12 on pi. Stop that first: only one process may write to a SQLite"
    " database of Graph Paper's.\n"
)


class Said(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


Host = Callable[..., Said]


@pytest.fixture
def host(tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Host:
    """Types commands about a database that is there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///matches.db")
    monkeypatch.setattr(serving, "LEAVES_WITHIN", 0.01)
    shutil.copy(empty, "matches.db")

    def typed(*words: str) -> Said:
        status = main(words)
        told = capsys.readouterr()
        return Said(status, told.out, told.err)

    return typed


@pytest.fixture
def bot(host: Host) -> Generator[None]:
    """A bot that writes to it."""
    loop = asyncio.new_event_loop()
    held = be_sole_writer("sqlite:///matches.db", "process 12 on pi")
    loop.run_until_complete(held.__aenter__())
    yield
    loop.run_until_complete(held.__aexit__(None, None, None))
    loop.close()


@pytest.fixture(params=[False, True], ids=["an older library", "a mended library"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the library bears two processes that write."""
    for module in ("data.upkeep.integrity", "data.upkeep.sole_writer"):
        monkeypatch.setattr(f"{module}.allows_two_writers", lambda: request.param)
    return request.param


@pytest.mark.usefixtures("bot")
def test_a_second_bot_stops(host: Host) -> None:
    said = host("run")
    assert (said.status, said.err.splitlines()[-1] + "\n") == (2, USED)


@pytest.mark.usefixtures("bot")
@pytest.mark.parametrize("words", [("migrate",), ("move-to", "sqlite:///other.db"), ("move-to", "--stay")])
def test_what_needs_the_bot_stopped_says_who_runs(host: Host, words: tuple[str, ...]) -> None:
    assert host(*words) == (2, "", USED)


@pytest.mark.usefixtures("bot")
def test_restoring_says_so_too(host: Host) -> None:
    assert host("backup", "copy.db").status == 0
    assert host("restore", "copy.db", "--force") == (2, "", USED)


@pytest.mark.usefixtures("bot")
def test_ratings_are_written_beside_a_bot_only_by_a_library_that_bears_it(host: Host, library: bool) -> None:
    said = host("check", "--ratings")
    if library:
        assert said.status == 0
        return
    assert said == (
        2,
        "",
        f"The database at matches.db is used by process 12 on pi, and SQLite {sqlite_version} can damage a database to"
        " which two processes write (mended in 3.51.3). Stop that first, or check without --ratings.\n",
    )


def test_ratings_are_written_where_no_bot_runs(host: Host, library: bool) -> None:
    assert host("check", "--ratings").status == 0
    assert library or not Path("matches.db-lock").exists()


@pytest.mark.usefixtures("bot")
def test_a_check_looks_at_a_copy_where_the_library_is_older(
    host: Host, library: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    before: Any = integrity.open_existing

    def opened(url: str) -> Any:
        looked.append(url)
        return before(url)

    monkeypatch.setattr(integrity, "open_existing", opened)
    said = host("check")
    assert said.status == 0 and said.out.startswith("0 matches, 0 of them replayed: no faults.\nChecked was ")
    assert (looked == ["sqlite:///matches.db"]) is library
    assert not [path.name for path in Path().iterdir() if path.name.startswith(".")], "the copy is gone"
