"""What a game's own modules may import, and what must run where Discord, Pillow and a database are missing.

Import-linter's contracts are in pyproject.toml, tried in test_contracts.py. Here is what its patterns cannot say: the
exact list for games, that importing what computes really pulls in nothing else, and that modules import in no circle.
`make check` runs this file too.
"""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

SHARED = {f"bot.games.{path.stem}" for path in (ROOT / "bot" / "games").glob("[a-z]*.py")} - {"bot.games.catalogue"}
LIBRARIES = {"sympy", "sympy.ntheory"}
"""What the modules of a game import beside the standard library, each other and the pencil."""

PENCIL = "rendering."
"""What a game draws with; that a picture does not reach the painter shows where Pillow is missing."""

COMMANDS = {"bot.app.game_commands"}
"""What a game's cog.py makes its commands with."""

UNDRAWN = ("rules.py", "mind.py")
"""The modules of a game that do not draw, nor does anything that they import."""

IMPURE = {"asyncio", "concurrent", "contextvars", "datetime", "io", "logging", "os", "pathlib", "random", "secrets"} | {
    *("selectors", "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid")
}
"""Parts of the standard library that wait, read a clock, draw lots or reach outside the program."""

BLOCKED = ("discord", "aiohttp", "PIL", "sqlalchemy", "alembic", "aiosqlite", "openskill")

GAMES = sorted(path for path in (ROOT / "cogs").iterdir() if (path / "__init__.py").exists())
MODULES = [path for game in GAMES for path in sorted(game.rglob("*.py"))]
PURE = [path for path in MODULES if path.name != "cog.py"]
COMPUTES = [*(path for part in ("games", "play") for path in sorted((ROOT / "bot" / part).rglob("*.py"))), *PURE]

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


def file_of(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def short(path: Path) -> str:
    return "/".join(path.parts[-2:])


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules that a file imports, anywhere in it; `from a import b` counts as a.b where that is a module."""
    return tuple(_imported(ast.parse(path.read_text())))


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, "imports are absolute here"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if file_of(inner).exists() else node.module


def own(path: Path) -> str:
    return f"cogs.{path.parent.name}"


def may_import(path: Path, module: str) -> bool:
    """The front page is for the cog alone, and the cog for nobody."""
    top = module.partition(".")[0]
    if path.name == "cog.py":
        return module in COMMANDS | {own(path)}
    if top in sys.stdlib_module_names:
        return top not in IMPURE
    inside = module.startswith(f"{own(path)}.") and not module.endswith(".cog")
    return inside or module in SHARED | LIBRARIES or module.startswith(PENCIL)


def reached(path: Path, seen: set[str]) -> set[str]:
    """The modules that a module of a game imports, and those of its folder that these import, and so on."""
    for module in imported(path):
        if module not in seen:
            seen.add(module)
            if module.startswith(f"{own(path)}."):
                reached(file_of(module), seen)
    return seen


def test_a_game_imports_only_what_games_share() -> None:
    assert [
        (short(path), module) for path in MODULES for module in imported(path) if not may_import(path, module)
    ] == []


def test_rules_and_minds_do_not_draw() -> None:
    for path in (game / name for game in GAMES for name in UNDRAWN if (game / name).exists()):
        above = {f"{own(path)}.{name}" for name in ("picture", "mind") if f"{name}.py" != path.name}
        found = reached(path, set())
        assert not {module for module in found if module in above or module.startswith(PENCIL)}, short(path)


def test_what_computes_never_waits() -> None:
    asynchronous = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
    for path in COMPUTES:
        waits = [node.lineno for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, asynchronous)]
        assert not waits, short(path)


def test_what_computes_works_without_discord_pillow_and_a_database() -> None:
    names = [name_of(path) for path in COMPUTES]
    program = IMPORT_WITHOUT.format(blocked=BLOCKED, names=names)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.split() == names, done.stderr


def test_no_module_imports_itself_over_others() -> None:
    paths = (path for part in ("bot", "cogs", "data", "rendering") for path in (ROOT / part).rglob("*.py"))
    graph = {name_of(path): {*imported(path)} for path in paths if not path.match("cogs/*/__init__.py")}
    graph["bot.games.catalogue"] = set()  # it looks for games in cogs/ when asked to
    assert [*graphlib.TopologicalSorter(graph).static_order()]


def test_no_game_is_named_outside_of_its_folder() -> None:
    """A new game is one folder more: no table of the program lists the games."""
    keys = {path.name.replace("_", "-") for path in GAMES}
    texts = [path.read_text() for room in ("bot", "data", "rendering") for path in (ROOT / room).rglob("*.py")]
    trees = [ast.parse(text) for text in texts if any(f'"{key}"' in text for key in keys)]
    found = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert [value for value in found if value in keys] == []
