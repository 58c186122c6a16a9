"""The inventor's own examples, which lie beside the project in ../shared and are no part of it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.core.library.catalogue import games
from bot.core.library.replay import replay
from tests.support.skips import ROOT, SHARED

SCRIPT, CASES, FURTHER = SHARED / "check_cases.py", SHARED / "cases", SHARED / "new-cases.jsonl"
WANTED = ("game", "options", "seats", "moves")
ABSENT = "the inventor's examples are not here: they are in ../shared"

Row = dict[str, Any]


def read(file: Path) -> list[Row]:
    """The examples in a file, each with what is expected of it."""
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


def expect(rows: list[Row]) -> None:
    """Replay some examples as `python -m bot replay` does, and compare what comes of them."""
    records = [{name: row[name] for name in WANTED if name in row} for row in rows]
    source, out = io.BytesIO("\n".join(map(json.dumps, records)).encode()), io.StringIO()
    assert replay(games(), source, out, every=False, legal=False) == 0
    answers: list[Row] = [json.loads(line) for line in out.getvalue().splitlines()]
    for row, answer in zip(rows, answers, strict=True):
        assert {name: answer.get(name) for name in row["expect"]} == row["expect"], (row["game"], row.get("note"))


@pytest.mark.skipif(not CASES.is_dir(), reason=ABSENT)
def test_the_inventors_examples_hold() -> None:
    """All are replayed here: a process for each game's takes longer than all examples together."""
    files = sorted(CASES.glob("*.jsonl"))
    assert {file.stem for file in files} <= set(games()) and files
    expect([row for file in files for row in read(file)])


@pytest.mark.skipif(not SCRIPT.exists(), reason=ABSENT)
def test_the_inventors_own_check_says_so() -> None:
    asked = [sys.executable, SCRIPT, "plexus", "sums-grid"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "all cases of 2 games hold\n", done.stdout + done.stderr


@pytest.mark.skipif(not FURTHER.exists(), reason=ABSENT)
def test_an_example_of_each_later_rule_holds() -> None:
    expect(read(FURTHER))
