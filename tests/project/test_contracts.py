"""The import contracts hold, and each import that is planted against one breaks the contract that names it.

The contracts are import-linter's, in pyproject.toml. Here a copy of the program gets forbidden imports in every package
and must fail for each of them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "cogs", "data", "rendering")
LINT = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True, no_logo=True))"

LAYERS = "Imports go from the host down to the pictures"
CYCLES = "No import cycles"
OWN = "A feature's handlers and views are its own"
PURE = "Games, matches, the engine and pictures read no clock, draw no lots and reach nothing outside"
GAMES = "No game knows another, no command another"
SANDBOX = "The sandbox knows nothing of the bot"
DATABASE = "Only data speaks to the database"
PAINTER = "Only the painter loads Pillow"

PLANTED = {
    ("data.store", "bot.umpire.umpire"): LAYERS,
    ("data.store", "bot.platform.messages"): LAYERS,
    ("bot.platform.messages", "bot.features.board.words"): LAYERS,
    ("bot.platform.checks", "bot.sandbox.world"): LAYERS,
    ("bot.umpire.umpire", "bot.features.board.words"): LAYERS,
    ("bot.umpire.umpire", "discord"): LAYERS,
    ("bot.features.pads.keypad", "bot.app.client"): LAYERS,
    ("bot.play.loaded_match", "data.store"): LAYERS,
    ("bot.games.moves", "bot.play.match"): LAYERS,
    ("bot.games.position", "bot.engine.levels"): LAYERS,
    ("bot.settings", "discord"): LAYERS,
    ("rendering.boards", "bot.games.position"): LAYERS,
    ("cogs.away", "bot.host.serving"): LAYERS,
    ("bot.play.record", "bot.play.match"): CYCLES,
    ("bot.features.board.turn_words", "bot.features.board.views"): CYCLES,
    ("bot.features.leagues.words", "bot.features.board.views"): OWN,
    ("bot.features.study.reviews", "bot.features.challenges.handlers"): OWN,
    ("bot.platform.edits", "bot.features.agreements.handlers"): OWN,
    ("bot.games.options", "shutil"): PURE,
    ("bot.games.game", "asyncio"): PURE,
    ("bot.play.match", "time"): PURE,
    ("bot.play.acts", "random"): PURE,
    ("bot.play.rows", "discord"): PURE,
    ("bot.engine.search", "time"): PURE,
    ("rendering.shapes", "random"): PURE,
    ("bot.sandbox.world", "bot.games.position"): SANDBOX,
    ("bot.sandbox.page", "discord"): SANDBOX,
    ("rendering.theme", "PIL"): PAINTER,
    ("cogs.flipping_bits.rules", "cogs.plexus.rules"): GAMES,
    ("cogs.games", "cogs.away"): GAMES,
}
"""A module, what it must not import, and the contract that says so."""

NOWHERE = {"bot.host.serving": LAYERS, "sqlalchemy": DATABASE, "PIL": PAINTER}
"""What no package may import but its own, and the contract that says so."""
OWNERS = {("data", "sqlalchemy"), ("rendering.painter", "PIL")}

WAYS = (
    "import {0}",
    "def _later() -> None:\n    import {0}",
    "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import {0}",
)
"""Imports wherever they stand are imports; each that is planted is planted in one of these ways."""


def file_of(root: Path, module: str) -> Path:
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def packages() -> list[str]:
    """The folders of modules, but those of games and the host's."""
    found = [ROOT / "rendering", *(path for part in ("bot", "data", "rendering") for path in (ROOT / part).rglob("*"))]
    folders = [path for path in found if path.is_dir() and len(list(path.glob("*.py"))) > 1]
    names = (".".join(path.relative_to(ROOT).parts) for path in folders)
    return sorted(name for name in names if not name.startswith("bot.host") and "migrations" not in name)


def first_module(package: str) -> str:
    files = sorted(ROOT.joinpath(*package.split(".")).glob("[a-z]*.py"))
    return f"{package}.{files[0].stem}"


def breaches() -> dict[tuple[str, str], str]:
    """What is planted in every package: imports of what belongs to others."""
    return {
        (first_module(package), other): contract
        for package in packages()
        for other, contract in NOWHERE.items()
        if not any(package.startswith(owner) and other == own for owner, own in OWNERS)
    }


EVERYWHERE = breaches()


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    wide = {**os.environ, "COLUMNS": "400"}
    return subprocess.run([sys.executable, "-c", LINT], cwd=root, env=wide, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What import-linter says of a copy with everything planted: by contract, the breaches of it."""
    root = tmp_path_factory.mktemp("planted")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__", "*.jsonl"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for number, (module, imported) in enumerate((*PLANTED, *EVERYWHERE)):
        with file_of(root, module).open("a") as file:
            file.write("\n" + WAYS[number % len(WAYS)].format(imported) + "\n")
    said = lint(root).stdout
    found = re.split(r"^(.+)\n-{5,}\n", said.partition("Broken contracts")[2], flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


@pytest.mark.long
def test_the_contracts_hold() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_planted_import_breaks_its_contract(broken: dict[str, str]) -> None:
    for (module, imported), contract in {**EVERYWHERE, **PLANTED}.items():
        line = rf"{re.escape(module)} -> {re.escape(imported)} \(l\.\d"
        if contract == CYCLES:
            line = rf"No cycles are allowed in {re.escape(module.rpartition('.')[0])}\."
        assert re.search(line, broken.get(contract, "")), f"{module} imports {imported}: {contract}"


def test_every_contract_has_something_planted_against_it() -> None:
    names = re.findall(r'^name = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert set(names[1:]) == {*PLANTED.values(), *EVERYWHERE.values()}
