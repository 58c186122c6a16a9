"""What the documentation names exists: files, modules, commands, targets of make, and a line for every package."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "PRIVACY.md",
    *(f"docs/{one.name}" for one in (ROOT / "docs").glob("*.md")),
]
TOPS = "bot|cogs|data|rendering|tests|docs|typings"
LAYERED = ("bot", "bot/features", "data")
"""Packages whose folders have a line in the map of their own."""
MADE_HERE = {"data/match.db", "data/graphpaper.db", "data/sandbox"}
"""Files in a container's volume, which begin like folders of ours."""
NO_MODULES = {"data.db", "bot.umpire.rng", "bot.umpire.clock"}
"""A file, and what a cog finds at the bot that it is given."""


@cache
def text(page: str) -> str:
    """A page as it is written."""
    return (ROOT / page).read_text()


def is_there(dotted: str) -> bool:
    """Whether a dotted name is a module, a package, or something in one."""
    place = ROOT.joinpath(*dotted.split("."))
    if place.is_dir() or place.with_suffix(".py").is_file():
        return True
    module, _, name = dotted.rpartition(".")
    return ROOT.joinpath(*module.split(".")).with_suffix(".py").is_file() and hasattr(
        importlib.import_module(module), name
    )


def packages() -> list[str]:
    """Every folder with modules of ours, but for the games'."""
    inner = [f"{package}/{one.parent.name}" for package in LAYERED for one in (ROOT / package).glob("*/__init__.py")]
    tests = [f"tests/{one.name}" for one in (ROOT / "tests").iterdir() if any(one.glob("*.py"))]
    return sorted([*inner, *tests, "data", "rendering", "cogs"])


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    paths = re.findall(rf"(?<![\w./])(?:{TOPS})/[\w./-]*(?![\w./<-])", text(page))
    named = {one.rstrip("./") for one in paths} - MADE_HERE
    linked = set(re.findall(r"\]\(([^)#:]+)\)", text(page)))
    missing = {one for one in named if not (ROOT / one).exists()}
    missing |= {one for one in linked if not (ROOT / page).parent.joinpath(one).exists()}
    assert missing == set()


@pytest.mark.parametrize("page", PAGES)
def test_every_module_that_a_page_names_is_there(page: str) -> None:
    named = set(re.findall(r"(?<![\w./])(?:bot|cogs|data|rendering|tests)(?:\.\w+)+", text(page))) - NO_MODULES
    assert {one for one in named if not is_there(one)} == set()


@pytest.mark.parametrize("page", PAGES)
def test_every_name_that_a_page_gives_with_its_file_is_in_it(page: str) -> None:
    named = re.findall(r"`(\w+)` in\s+`([\w./]+\.py)`", text(page))
    assert [(name, file) for name, file in named if not re.search(rf"\b{name}\b", text(file))] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_target_that_a_page_names_is_in_the_makefile(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^    |&& )make ([a-z]+)", text(page), re.MULTILINE)) <= targets


def test_the_map_has_every_package() -> None:
    drawn = text("CONTRIBUTING.md").split("```")[1]
    named, above = set[str](), [""]
    for indent, name in re.findall(r"^( *)([a-z0-9]+)/ +\S", drawn, re.MULTILINE):
        above = [*above[: len(indent) // 2 + 1], f"{above[len(indent) // 2]}{name}/"]
        named.add(above[-1])
    assert [package for package in packages() if f"{package}/" not in named] == []
    assert [name for name in named if not (ROOT / name).is_dir()] == []


def test_the_index_of_decisions_names_each_in_order() -> None:
    index, *sections = text("docs/why.md").split("\n## ")
    lines = [" ".join(line.split()) for line in re.split(r"\n(?=- \[)", index)[1:]]
    written = {line[3 : line.index("]")]: line.split("): ", 1)[1].split(" · ") for line in lines}
    made = {one.partition("\n")[0]: re.findall(r"\n\n\*\*(.+?)[.,]?\*\*", one, re.DOTALL) for one in sections}
    assert written == {name: [" ".join(one.replace("`", "").split()) for one in found] for name, found in made.items()}
