"""A short drill: the bot is killed while people play, and nothing is lost or doubled; and what a run prints at its end.

The long one has a command of its own, `make drill`; `make nightly` runs one on PostgreSQL too.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.drill.verdict import Faults, told

KILLS = 2


async def test_nothing_is_lost_or_doubled_however_often_the_bot_dies() -> None:
    asked = ["--kills", str(KILLS), "--tables", "1"]
    drill = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.drill", *asked, stdout=PIPE, stderr=PIPE)
    said, complained = await drill.communicate()
    assert drill.returncode == 0, complained.decode()[-2000:]
    report = json.loads(said)
    assert report["kills"] >= KILLS
    assert [report[name] for name in ("lost", "torn", "twice", "boards_twice", "untold")] == [0] * 5


def test_a_run_that_found_something_says_what_and_keeps_its_files(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    faults, folder = Faults(), tmp_path / "run"
    folder.mkdir()
    faults.note("lost", ["match 1: a1"])
    faults.note("torn", [])
    assert told(faults.counted(), faults, folder, keep=False, history=["2 s: a kill"]) == 1 and folder.is_dir()
    said = capfd.readouterr()
    assert json.loads(said.out) == {"lost": 1, "torn": 0}
    assert said.err == f"lost: match 1: a1\n2 s: a kill\nWhat it wrote is in {folder}.\n"
    assert told({}, Faults(), folder, keep=False) == 0 and not folder.exists()
    assert capfd.readouterr() == ("{}\n", "")
