"""Every line with a command of ours that a page, a unit or a file for containers shows can be typed as it stands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.__main__ import parser

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").iterdir(), ROOT / "compose.yml", ROOT / "Dockerfile", ROOT / "Makefile"]
PROGRAM = re.compile(r"python3? -m bot(?![\w.])|docker compose run --rm (?:-\w+ )?bot(?= [a-z])")


def lines() -> Iterator[tuple[str, str]]:
    """What follows the program in each line, with the page that shows it; the rows of the table of commands, too."""
    for page in PAGES:
        if page.suffix not in ("", ".md", ".yml"):
            continue
        for line in page.read_text().splitlines():
            for found in PROGRAM.finditer(line):
                yield page.name, ended(line[found.end() :])
    table = (ROOT / "docs/hosting.md").read_text().split("| command | does |")[1].split("\n\n")[0]
    for row in re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE):
        yield "hosting.md", row
        command = row.split()[0]
        if command not in ("replay", "solve"):
            yield "hosting.md", f"{row} --sandbox"


def ended(rest: str) -> str:
    """A command without what stands behind it in its line."""
    return re.split(r"[`|;&)\"'#]| {2}|\.(?= |$)|, |: ", rest)[0].strip()


@pytest.mark.parametrize(("page", "line"), sorted(set(lines())))
def test_it_is_understood(page: str, line: str) -> None:
    words = shlex.split(line)
    try:
        parser().parse_args(words)
    except SystemExit:
        pytest.fail(f"{page}: {line}")


def test_there_are_such_lines() -> None:
    found = {page for page, _ in lines()}
    assert {"README.md", "hosting.md", "watching.md", "scale.md", "CONTRIBUTING.md", "compose.yml"} <= found
    assert any("--sandbox" in line for _, line in lines())
