"""The inventor's own examples, which lie beside the project in ../shared and are no part of it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from bot.core.catalogue import games
from bot.core.replay import replay
from tests.skips import ROOT, SHARED

CASES, FURTHER = SHARED / "check_cases.py", SHARED / "new-cases.jsonl"


@pytest.mark.skipif(not CASES.exists(), reason="the inventor's examples are not here: they are in ../shared")
def test_the_inventors_examples_hold() -> None:
    done = subprocess.run([sys.executable, CASES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not FURTHER.exists(), reason="the inventor's examples are not here: they are in ../shared")
def test_an_example_of_each_later_rule_holds() -> None:
    rows = [json.loads(line) for line in FURTHER.read_text().splitlines()]
    wanted = ("game", "options", "seats", "moves")
    records, out = [{name: row[name] for name in wanted} for row in rows], io.StringIO()
    source = io.BytesIO("\n".join(map(json.dumps, records)).encode())
    assert replay(games(), source, out, every=False, legal=False) == 0
    answers: list[dict[str, Any]] = [json.loads(line) for line in out.getvalue().splitlines()]
    for row, answer in zip(rows, answers, strict=True):
        assert {name: answer[name] for name in row["expect"]} == row["expect"], row["note"]
