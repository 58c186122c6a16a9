"""The walls between the layers stand: whatever is planted across one of them breaks the contract that names it.

The contracts are import-linter's, in pyproject.toml. Here a copy of the program gets a forbidden import in every layer
and modules that no contract has heard of, and must fail for each of them.
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

COMPUTES = "What computes neither waits, reads a clock, draws lots, paints, stores nor knows Discord"
LAYERS = "From the host down to the core, nothing looks up"
STORE = "The store knows the core and nothing else of ours"
SEARCH = "The search only computes, and a worker loads nothing to wait, store, draw or talk with"
UNDRAWN = "Rules, records, decisions and the store do not draw"
SHAPES = "Pictures are drawn from shapes alone"
SANDBOX = "The sandbox is a stand-in for Discord and knows nothing of the bot"
DATABASE = "Only data/ speaks to the database"
PENCIL = "Only the painter with its brushes and files knows how pictures are made"
DISCORD = "Only the client, the host and the house's own commands know Discord"
CATALOGUE = "Only the catalogue looks into cogs/"
GAMES = "No game knows another"
PICTURES = "Rules know nothing of their picture, nor pictures of their commands"
FRONT = "Only a game's commands know its front page, and nobody knows its commands"
COMMANDS = "A game's commands are made from its table"
MEASURES = "Only three modules know what measures are written with"
HOST = "Commands ask the client, not the host"

PLANTED = {
    ("bot.core.game.options", "random"): COMPUTES,
    ("bot.core.match.match", "time"): COMPUTES,
    ("bot.core.match.stored", "sqlalchemy"): COMPUTES,
    ("bot.core.values.seats", "bot.core.match.loaded_match"): LAYERS,
    ("bot.core.game.notation", "rendering.boards"): UNDRAWN,
    ("bot.core.rating.ratings", "cogs.plexus"): CATALOGUE,
    ("bot.core.game.moves", "bot.core.match.match"): "The core in order",
    ("bot.service.rules.decisions", "discord"): COMPUTES,
    ("bot.service.rules.decisions", "random"): COMPUTES,
    ("bot.service.rules.decisions", "time"): COMPUTES,
    ("bot.service.rules.refusals", "datetime"): COMPUTES,
    ("bot.service.rules.refusals", "bot.service.rules.decisions"): "The service in order",
    ("bot.core.match.loaded_match", "data.reads"): COMPUTES,
    ("bot.core.match.loaded_match", "threading"): COMPUTES,
    ("bot.service.umpire.expiry", "discord"): DISCORD,
    ("bot.service.umpire.umpire", "discord"): DISCORD,
    ("bot.service.umpire.umpire", "bot.client.text.match_text"): LAYERS,
    ("bot.service.umpire.umpire", "rendering.shapes"): UNDRAWN,
    ("bot.search.uct", "time"): SEARCH,
    ("bot.search.worker", "sqlalchemy"): SEARCH,
    ("bot.search.thoughts", "bot.search.thinking"): "The search in order",
    ("bot.client.text.match_text", "data.schema"): COMPUTES,
    ("bot.client.text.match_text", "asyncio"): COMPUTES,
    ("bot.client.text.match_text", "bot.client.http.messages"): COMPUTES,  # which knows Discord
    ("bot.client.interactions.custom_ids", "bot.settings"): COMPUTES,
    ("bot.client.text.rules_text", "PIL"): COMPUTES,
    ("bot.client.text.turn_text", "discord"): COMPUTES,
    ("bot.client.views.views", "PIL"): PENCIL,
    ("bot.client.views.views", "bot.client.app.router"): "The client in order",
    ("bot.client.interactions.rate_limit", "sqlalchemy"): DATABASE,
    ("bot.host.serving", "aiosqlite"): DATABASE,
    ("bot.client.publisher.board_messages", "prometheus_client"): MEASURES,
    ("bot.client.interactions.resolve_match", "cogs.matches"): CATALOGUE,
    ("bot.client.publisher.publisher", "bot.host.serving"): LAYERS,
    ("bot.host.serving", "bot.host.hosting"): "The host in order",
    ("bot.settings", "discord"): DISCORD,
    ("bot.sandbox.world.world", "bot.core.values.seats"): SANDBOX,
    ("bot.sandbox.page.chat_page", "discord"): DISCORD,
    ("data.reads", "bot.core.match.loaded_match"): STORE,
    ("data.writes", "bot.settings"): STORE,
    ("data.engine", "discord"): DISCORD,
    ("data.schema", "data.engine"): "The store in order",
    ("data.standings", "rendering.shapes"): UNDRAWN,
    ("rendering.shapes", "random"): COMPUTES,
    ("rendering.marks", "time"): COMPUTES,
    ("rendering.theme", "PIL"): PENCIL,
    ("rendering.canvas", "isal"): PENCIL,
    ("rendering.boards", "bot.core.values.seats"): SHAPES,
    ("rendering.strokes", "rendering.paint"): "The pencil in order",
    ("cogs.plexus", "discord"): COMPUTES,
    ("cogs.plexus.rules", "random"): COMPUTES,
    ("cogs.plexus.rules", "rendering.boards"): UNDRAWN,
    ("cogs.binary_primes.mind", "random"): COMPUTES,
    ("cogs.binary_primes.mind", "rendering.boards"): UNDRAWN,
    ("cogs.binary_primes.mind", "cogs.binary_primes.picture"): PICTURES,
    ("cogs.plexus.picture", "datetime"): COMPUTES,
    ("cogs.plexus.picture", "rendering.paint"): COMPUTES,
    ("cogs.plexus.picture", "cogs.plexus"): FRONT,
    ("cogs.sums_grid.sums", "os"): COMPUTES,
    ("cogs.dream_math", "cogs.dream_math.cog"): FRONT,
    ("cogs.dream_math.rules", "cogs.dream_math.picture"): PICTURES,
    ("cogs.flipping_bits.rules", "cogs.plexus.rules"): GAMES,
    ("cogs.sums_grid.cog", "bot.service.umpire.umpire"): COMMANDS,
    ("cogs.sums_grid.cog", "discord"): COMMANDS,
    ("cogs.matches", "data.writes"): DATABASE,
    ("cogs.matches", "bot.sandbox.world.world"): HOST,
}
"""A module, what it must not import, and the contract that says so."""

WAYS = (
    "import {0}",
    "def _later() -> None:\n    import {0}",
    "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import {0}",
)
"""Imports wherever they stand are imports; each that is planted is planted in one of these ways."""

UNNAMED = {
    "bot.advice": LAYERS,
    "bot.search.luck": "The search in order",
    "bot.core.weather": "The core in order",
    "bot.service.payments": "The service in order",
    "bot.client.speech": "The client in order",
    "bot.host.doors": "The host in order",
    "data.leases": "The store in order",
    "rendering.stencils": "The pencil in order",
}
"""A module that is not there yet, and the contract in which it has to find its place."""


def file_of(root: Path, module: str) -> Path:
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


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
    for number, (module, imported) in enumerate(PLANTED):
        with file_of(root, module).open("a") as file:
            file.write("\n" + WAYS[number % len(WAYS)].format(imported) + "\n")
    for module in UNNAMED:
        file_of(root, module).write_text("")
    said = lint(root).stdout
    found = re.split(r"^(.+)\n-{5,}\n", said.partition("Broken contracts")[2], flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def test_the_walls_stand() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("module", "imported"), PLANTED)
def test_an_import_across_a_wall_breaks_its_contract(broken: dict[str, str], module: str, imported: str) -> None:
    breach = rf"^-\s+{re.escape(module)} -> {re.escape(imported)} \(l\.\d"
    assert re.search(breach, broken.get(PLANTED[module, imported], ""), re.MULTILINE)


@pytest.mark.parametrize("module", UNNAMED)
def test_a_module_that_no_contract_names_breaks_one(broken: dict[str, str], module: str) -> None:
    assert f"\n- {module}\n" in broken.get(UNNAMED[module], "")


def test_every_contract_has_something_planted_against_it(broken: dict[str, str]) -> None:
    names = re.findall(r'^name = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert [name for name in names[1:] if name not in {*PLANTED.values(), *UNNAMED.values()}] == []
