"""Clocks are read and chance is drawn in few places of the program: all others are handed theirs.

So a simulation that hands them its own decides when everything happens, and in which way. Here every module is searched
for what reads a clock of the machine, sleeps on a thread, or draws from the machine's chance.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "cogs", "data", "rendering")

MODULES = {"random", "secrets", "time", "uuid"}
"""A module that imports one of these has a clock or random numbers of its own."""
NAMES = {"urandom", "getrandom", "utcnow"}
"""What reads them in other modules, like `os.urandom` and `discord.utils.utcnow`."""
DATES, MOMENTS = {"datetime", "date"}, {"now", "today"}
"""What reads them in the module datetime."""
WORDS = MODULES | NAMES | {"datetime"}

ALLOWED = {
    "bot/host/machine.py": ({"random", "time"}, "hands them to the bot and to the commands of hosts"),
    "bot/sandbox/stand_in.py": ({"random", "time"}, "hands them to the sandbox, which knows nothing of the bot"),
    "bot/engine/search.py": ({"random"}, "draws from the question's own seed: equal questions have equal answers"),
}
"""Who reads them all the same: what, and why."""

PLANTED = {
    "import time": {"time"},
    "import time as clock": {"time"},
    "from time import monotonic": {"time"},
    "def later() -> None:\n    import secrets": {"secrets"},
    "from random import Random": {"random"},
    "import uuid": {"uuid"},
    "import os\nos.urandom(8)": {"os.urandom"},
    "from os import urandom": {"os.urandom"},
    "from datetime import UTC, datetime\ndatetime.now(UTC)": {"datetime.now"},
    "import datetime\ndatetime.datetime.utcnow()": {"datetime.datetime.utcnow"},
    "import datetime as dates\ndates.date.today()": {"dates.date.today"},
    "import discord\nmoment = discord.utils.utcnow": {"discord.utils.utcnow"},
    "from discord.utils import utcnow": {"discord.utils.utcnow"},
}
"""Breaches, and what is to be found of each."""

HARMLESS = (
    "from datetime import UTC, datetime, time\ndatetime.fromtimestamp(0, UTC)",
    "import asyncio\nasyncio.get_running_loop().time()",
    "def moved(now: int, lots: object) -> None: ...",
    "from bot.features.time import service",
)


def found(source: str) -> set[str]:
    """What a module reads of the machine's clocks and chance; one without any of the words is not parsed."""
    return set(_found(ast.parse(source))) if any(word in source for word in WORDS) else set()


def _found(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in MODULES)
            case ast.ImportFrom(module=str(module)) if module in MODULES:
                yield module
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{alias.name}" for alias in names if alias.name in NAMES)
            case ast.Attribute(value=owner, attr=name):
                of_dates = dotted(owner).rpartition(".")[2] in DATES
                if name in NAMES or (of_dates and name in MOMENTS):
                    yield f"{dotted(owner)}.{name}"
            case _:
                pass


def dotted(node: ast.expr) -> str:
    """A name with its dots; nothing for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{dotted(owner)}.{name}"
        case _:
            return ""


def test_clocks_are_read_and_chance_is_drawn_only_where_the_table_says() -> None:
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    read = {path.relative_to(ROOT).as_posix(): found(path.read_text()) for path in paths}
    assert len(read) > 300
    assert {path: what for path, what in read.items() if what} == {path: what for path, (what, _) in ALLOWED.items()}


@pytest.mark.parametrize("breach", PLANTED)
def test_a_breach_is_found(breach: str) -> None:
    assert found(breach) == PLANTED[breach]


@pytest.mark.parametrize("harmless", HARMLESS)
def test_what_is_handed_in_is_no_breach(harmless: str) -> None:
    assert found(harmless) == set()
