"""The inventor's own examples, which lie beside the project in ../shared and are no part of it."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.games.catalogue import load_games
from bot.play.lessons import fold_record, load_rules_example
from bot.play.records import replay
from cogs.binary_primes.rules import BinaryPrimes
from tests.support.skips import ROOT, SHARED

SCRIPT, CASES, FURTHER = SHARED / "check_cases.py", SHARED / "cases", SHARED / "new-cases.jsonl"
RULES = SHARED / "GAMES.md"
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
    assert replay(load_games(), source, out, every=False, legal=False) == 0
    answers: list[Row] = [json.loads(line) for line in out.getvalue().splitlines()]
    for row, answer in zip(rows, answers, strict=True):
        assert {name: answer.get(name) for name in row["expect"]} == row["expect"], (row["game"], row.get("note"))


@pytest.mark.skipif(not CASES.is_dir(), reason=ABSENT)
def test_the_inventors_examples_hold() -> None:
    """All are replayed here: a process for each game's takes longer than all examples together."""
    files = sorted(CASES.glob("*.jsonl"))
    assert {file.stem for file in files} <= set(load_games()) and files
    expect([row for file in files for row in read(file)])


@pytest.mark.long
@pytest.mark.skipif(not SCRIPT.exists(), reason=ABSENT)
def test_the_inventors_own_check_says_so() -> None:
    asked = [sys.executable, SCRIPT, "plexus", "sums-grid"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "all cases of 2 games hold\n", done.stdout + done.stderr


@pytest.mark.skipif(not RULES.exists(), reason=ABSENT)
def test_rules_pages_have_his_titles() -> None:
    titles = dict(re.findall(r"^### [0-9]+\. `([a-z-]+)` — (.+) \([0-9]{4}\)$", RULES.read_text(), re.MULTILINE))
    said = {key: (game.rules or "").partition(f" ({game.inventor}, ")[0] for key, game in load_games().items()}
    plain = {key: re.sub(r"\s", "", title) for key, title in said.items()}
    assert plain == {key: re.sub(r"\s", "", title) for key, title in titles.items()}


@pytest.mark.skipif(not CASES.is_dir(), reason=ABSENT)
def test_rules_pages_show_his_examples() -> None:
    """All twelve; that of Binary Primes, on an even grid, is a board without a match."""
    his = [row for file in sorted(CASES.glob("*.jsonl")) for row in read(file) if row["note"].startswith("His ")]
    for key in {row["game"] for row in his}:
        shown = load_rules_example(load_games()[key])
        texts = [str(fold_record(load_games()[key], row).position) for row in his if row["game"] == key]
        assert shown and any(text.strip() in str(shown) for text in texts), key
    lines = json.loads((CASES / "binary-primes-lines.json").read_text())
    primes = load_rules_example(load_games()["binary-primes"])
    assert isinstance(primes, BinaryPrimes)
    assert [[*primes.line_scores(1)], [*primes.line_scores(2)]] == [lines["columns"], lines["rows"]]


@pytest.mark.skipif(not FURTHER.exists(), reason=ABSENT)
def test_an_example_of_each_later_rule_holds() -> None:
    expect(read(FURTHER))
