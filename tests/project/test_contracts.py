"""The walls between the rooms stand: each import that is planted across one breaks the contract that names it.

The contracts are import-linter's, in pyproject.toml. Here a copy of the program gets forbidden imports in every room,
and rooms that no contract has heard of, and must fail for each of them.
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

DOWN = "From the host down to the pencil, arrows run one way"
ROOMS = "Within each part, rooms lie in layers"
CIRCLES = "No circles"
GAMES = "No game knows another, no command another"
COMPUTES = "What computes reads no clock, draws no lots and reaches nothing outside"
DECIDES = "What decides never waits, draws or stores"
SANDBOX = "The sandbox knows nothing of the bot"
COMMANDS = "Commands ask the client, not the store"
DATABASE = "Only data/ speaks to the database"
PENCIL = "Only the painter knows how pictures are made"
METRICS = "Only two rooms know what metrics are written with"

PLANTED = {
    ("data.store", "bot.engine.levels"): DOWN,
    ("bot.features.pads.keypad", "bot.app.client"): ROOMS,
    ("bot.umpire.clocks", "random"): COMPUTES,
    ("bot.umpire.umpire", "aiohttp"): COMPUTES,
    ("bot.games.options", "shutil"): COMPUTES,
    ("bot.platform.checks", "bot.sandbox.world"): DOWN,
    ("cogs.matches", "data.store"): COMMANDS,
    ("cogs.games", "random"): COMMANDS,
    ("cogs.leaderboard", "secrets"): COMMANDS,
    ("cogs.away", "time"): COMMANDS,
    ("bot.play.match", "time"): COMPUTES,
    ("bot.play.rows", "asyncio"): DECIDES,
    ("bot.play.loaded_match", "data.store"): DOWN,
    ("bot.games.moves", "bot.play.match"): ROOMS,
    ("bot.games.game", "rendering.painter.paint"): DECIDES,
    ("bot.play.record", "bot.play.match"): CIRCLES,
    ("bot.games.position", "bot.play.loaded_match"): ROOMS,
    ("bot.play.acts", "datetime"): DECIDES,
    ("bot.play.acts", "bot.play.acts"): CIRCLES,
    ("bot.umpire.umpire", "bot.features.board.words"): DOWN,
    ("bot.umpire.umpire", "discord"): DOWN,
    ("bot.engine.search", "time"): COMPUTES,
    ("bot.engine.worker", "data.store"): DOWN,
    ("bot.features.board.words", "asyncio"): DECIDES,
    ("bot.features.board.words", "bot.platform.messages"): ROOMS,
    ("bot.settings", "discord"): DOWN,
    ("bot.sandbox.world", "bot.games.position"): SANDBOX,
    ("bot.sandbox.page", "discord"): SANDBOX,
    ("rendering.shapes", "random"): COMPUTES,
    ("rendering.boards", "bot.games.position"): DOWN,
    ("rendering.theme", "PIL"): PENCIL,
    ("cogs.flipping_bits.rules", "cogs.plexus.rules"): GAMES,
    ("cogs.games", "cogs.away"): GAMES,
    ("cogs.away", "bot.host.serving"): DOWN,
}
"""A module, what it must not import, and the contract that says so."""

NOWHERE = {"bot.host.serving": DOWN, "sqlalchemy": DATABASE, "PIL": PENCIL, "prometheus_client": METRICS}
"""What no room may import but its own, and the contract that says so."""
OWNERS = {("data", "sqlalchemy"), ("rendering.painter", "PIL"), ("bot.client.runtime", "prometheus_client")}

NEW_ROOMS = ("bot.core.weather", "bot.service.payments", "bot.client.speech", "data.leases")
"""Modules outside of all rooms, which have to find their place in the layers."""

WAYS = (
    "import {0}",
    "def _later() -> None:\n    import {0}",
    "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import {0}",
)
"""Imports wherever they stand are imports; each that is planted is planted in one of these ways."""


def file_of(root: Path, module: str) -> Path:
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def rooms() -> list[str]:
    """The rooms: folders of modules, but those of games and the host's."""
    found = [ROOT / "rendering", *(path for part in ("bot", "data", "rendering") for path in (ROOT / part).rglob("*"))]
    folders = [path for path in found if path.is_dir() and len(list(path.glob("*.py"))) > 1]
    names = (".".join(path.relative_to(ROOT).parts) for path in folders)
    return sorted(name for name in names if not name.startswith("bot.host") and "migrations" not in name)


def first_module(room: str) -> str:
    files = sorted(ROOT.joinpath(*room.split(".")).glob("[a-z]*.py"))
    return f"{room}.{files[0].stem}"


def breaches() -> dict[tuple[str, str], str]:
    """What is planted in every room: imports of what belongs to others."""
    return {
        (first_module(room), other): contract
        for room in rooms()
        for other, contract in NOWHERE.items()
        if not any(room.startswith(owner) and other == own for owner, own in OWNERS)
    }


EVERYWHERE = breaches()


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    wide = {**os.environ, "COLUMNS": "400"}
    return subprocess.run([sys.executable, "-c", LINT], cwd=root, env=wide, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What import-linter says of a copy with everything planted: by contract, the breaches of it."""
    root = tmp_path_factory.mktemp("house")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__", "*.jsonl"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for number, (module, imported) in enumerate((*PLANTED, *EVERYWHERE)):
        with file_of(root, module).open("a") as file:
            file.write("\n" + WAYS[number % len(WAYS)].format(imported) + "\n")
    for module in NEW_ROOMS:
        file_of(root, module).write_text("")
    said = lint(root).stdout
    found = re.split(r"^(.+)\n-{5,}\n", said.partition("Broken contracts")[2], flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


@pytest.mark.long
def test_the_walls_stand() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_an_import_across_a_wall_breaks_its_contract(broken: dict[str, str]) -> None:
    for (module, imported), contract in {**EVERYWHERE, **PLANTED}.items():
        line = rf"{re.escape(module)} -> {re.escape(imported)} \(l\.\d"
        if contract == CIRCLES:
            line = rf"No cycles are allowed in {re.escape(module.rpartition('.')[0])}\."
        assert re.search(line, broken.get(contract, "")), f"{module} imports {imported}: {contract}"


@pytest.mark.long
def test_a_module_outside_of_all_rooms_breaks_the_layers(broken: dict[str, str]) -> None:
    assert not [module for module in NEW_ROOMS if f"\n- {module}\n" not in broken.get(ROOMS, "")]


def test_every_contract_has_something_planted_against_it() -> None:
    names = re.findall(r'^name = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert set(names[1:]) <= {*PLANTED.values(), *EVERYWHERE.values()}
