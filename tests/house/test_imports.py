"""What must run where Discord, Pillow and a database are missing, and what a game's own modules may import.

The walls between the layers are import-linter's contracts (in pyproject.toml, tried in test_walls.py). Here is what its
patterns cannot say: the exact list for games, and that importing what computes really pulls in nothing else.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

ALLOWED = {
    *(
        f"bot.core.{name}"
        for name in ("edges", "game", "grids", "mind", "moves", "notation", "options", "playouts", "primes", "seats")
    ),
    *("sympy", "sympy.ntheory"),
    *(f"rendering.{name}" for name in ("boards", "frames", "legend", "lettering", "margins", "pages", "shapes")),
}
"""What the modules of a game import beside the standard library and each other; its cog.py alone may import more."""

IMPURE = {"asyncio", "concurrent", "contextvars", "datetime", "io", "logging", "os", "pathlib", "random", "secrets"} | {
    *("selectors", "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid")
}
"""Parts of the standard library that wait, read a clock, draw lots or reach outside the program."""

BLOCKED = ("discord", "aiohttp", "PIL", "sqlalchemy", "alembic", "aiosqlite", "openskill", "pydantic_settings")

GAMES = sorted(path for path in (ROOT / "cogs").iterdir() if (path / "__init__.py").exists())
PURE = [path for game in GAMES for path in sorted(game.rglob("*.py")) if path.name != "cog.py"]
COMPUTES = [
    *sorted((ROOT / "bot" / "core").glob("*.py")),
    *(ROOT / "bot" / "service" / f"{name}.py" for name in ("seated", "refusals", "decisions")),
    *(ROOT / "bot" / "client" / f"{name}.py" for name in ("ids", "rulebook", "sketches", "texts", "turns")),
    *PURE,
]

IMPORT_WITHOUT = """
import importlib, sys
for name in {blocked}:
    sys.modules[name] = None  # importing it is an ImportError
for name in {names}:
    importlib.import_module(name)
    print(name)
"""


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def short(path: Path) -> str:
    return "/".join(path.parts[-2:])


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, anywhere in it; `from a import b` counts as a.b where that is a module."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, "imports are absolute here"
            for alias in node.names:
                inner = ROOT.joinpath(*node.module.split("."), alias.name)
                yield f"{node.module}.{alias.name}" if inner.with_suffix(".py").exists() else node.module


def may_import(path: Path, module: str) -> bool:
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return top not in IMPURE
    return module in ALLOWED or module == f"cogs.{path.parent.name}" or module.startswith(f"cogs.{path.parent.name}.")


@pytest.mark.parametrize("path", PURE, ids=short)
def test_a_game_imports_only_what_games_share(path: Path) -> None:
    assert [module for module in imported(path) if not may_import(path, module)] == []


@pytest.mark.parametrize("path", COMPUTES, ids=short)
def test_what_computes_never_waits(path: Path) -> None:
    asynchronous = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
    assert [node.lineno for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, asynchronous)] == []


def test_what_computes_works_without_discord_pillow_and_a_database() -> None:
    names = [name_of(path) for path in COMPUTES]
    program = IMPORT_WITHOUT.format(blocked=BLOCKED, names=names)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == names, done.stderr
