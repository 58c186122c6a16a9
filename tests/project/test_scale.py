"""What docs/scale.md tells people to run is there to be run."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.__main__ import parser

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "scale.md").read_text()
GROUPS = re.search(r"^GROUPS: .*?{(.*?)^}", (HOME / "tests/bench/__main__.py").read_text(), re.DOTALL | re.MULTILINE)
TARGETS = re.findall(r"^([a-z]+):", (HOME / "Makefile").read_text(), re.MULTILINE)


def test_its_modules_and_groups_can_be_run() -> None:
    modules = set(re.findall(r"python -m (tests[\w.]*)", PAGE))
    assert modules >= {"tests.bench", "tests.fleet"}
    assert all(find_spec(f"{module}.__main__") for module in modules)
    groups = {one for named in re.findall(r"--only ([\w,]+)", PAGE) for one in named.split(",")}
    assert GROUPS and groups <= set(re.findall(r'"(\w+)"', GROUPS[1]))
    assert groups >= {"stores", "costs", "many", "load"}


def test_its_targets_are_in_the_makefile() -> None:
    assert set(re.findall(r"`make (\w+)", PAGE)) <= set(TARGETS)


@pytest.mark.parametrize("line", sorted(set(re.findall(r"`python -m bot ([a-z-]+(?: --?[\w-]+)*)", PAGE))))
def test_its_commands_are_the_bots(line: str) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args([*line.split(), "--help"])
    assert ended.value.code == 0
