"""One process writes to a SQLite database at a time, and whoever waits for it learns who that is."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from data.upkeep import sole_writer
from data.upkeep.sole_writer import Occupied, allows_two_writers, be_sole_writer, lock_file_of

ROOT = Path(__file__).parents[2]
HOLDS = """
import asyncio, sys
from data.upkeep.sole_writer import be_sole_writer

async def hold():
    async with be_sole_writer(sys.argv[1], "process 12 on pi"):
        print("held", flush=True)
        await asyncio.sleep(600)

asyncio.run(hold())
"""


@pytest.fixture
def url(sqlite: str) -> str:
    """The address of an empty database that is a file: of nothing else is this about."""
    return sqlite


async def test_the_second_is_told_who_the_first_is(url: str, file: Path, folder: Path) -> None:
    sentence = (
        f"The database at {file} is used by process 12 on pi. Stop that first: only one process may write to a SQLite"
        " database of Graph Paper's."
    )
    async with be_sole_writer(url, "process 12 on pi"):
        with pytest.raises(Occupied, match=re.escape(sentence)):
            async with be_sole_writer(url, "another"):
                pass
    async with be_sole_writer(url, "another"):
        pass
    assert os.listdir(folder) == ["matches.db"], "nothing is left beside it"


async def test_who_reaches_it_by_a_link_finds_the_same_lock(url: str, file: Path, folder: Path) -> None:
    (folder / "link.db").symlink_to(file)
    async with be_sole_writer(url, "process 12 on pi"):
        with pytest.raises(Occupied):
            async with be_sole_writer(f"sqlite:///{folder}/link.db", "another"):
                pass


async def test_one_that_is_stopping_is_waited_for(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sole_writer, "LOOK_SECONDS", 0.01)
    first = be_sole_writer(url, "process 12 on pi")
    await first.__aenter__()

    async def second() -> None:
        async with be_sole_writer(url, "another", patience=60):
            pass

    waiting = asyncio.create_task(second())
    await asyncio.sleep(0)
    assert not waiting.done()
    await first.__aexit__(None, None, None)
    await waiting


async def test_a_process_that_is_killed_holds_nothing_any_more(url: str, file: Path) -> None:
    holding = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDS, url, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert holding.stdout and await holding.stdout.readline() == b"held\n"
    with pytest.raises(Occupied):
        async with be_sole_writer(url, "another"):
            pass
    holding.send_signal(signal.SIGKILL)
    await holding.wait()
    assert lock_file_of(file).exists()
    async with be_sole_writer(url, "another"):
        pass
    assert not lock_file_of(file).exists()


async def test_what_stands_in_the_file_is_not_believed_whatever_it_is(url: str, file: Path) -> None:
    async with be_sole_writer(url, "process\n12"):
        lock_file_of(file).write_text("Graph Paper\n\x1b[31m")
        with pytest.raises(Occupied, match="is used by another process. Stop"):
            async with be_sole_writer(url, "another"):
                pass


async def test_a_folder_that_is_not_there_is_made_only_for_who_begins(folder: Path) -> None:
    url = f"sqlite:///{folder}/new/matches.db"
    async with be_sole_writer(url, "a command"):
        assert not (folder / "new").exists()
    async with be_sole_writer(url, "a bot", begin=True):
        assert os.listdir(folder / "new") == ["matches.db-lock"]


async def test_a_server_has_its_own_ways() -> None:
    async with be_sole_writer("postgresql://here/it", "one"), be_sole_writer("postgresql://here/it", "another"):
        pass


@pytest.mark.parametrize(
    ("version", "well"),
    [
        ((3, 40, 1), False), ((3, 44, 5), False), ((3, 44, 6), True), ((3, 45, 0), False), ((3, 46, 1), False),
        ((3, 50, 6), False), ((3, 50, 7), True), ((3, 51, 2), False), ((3, 51, 3), True), ((3, 53, 0), True),
        ((4, 0, 0), True),
    ],
)  # fmt: skip
def test_versions_that_bear_two_who_write_are_known(version: tuple[int, ...], well: bool) -> None:
    assert allows_two_writers(version) is well
