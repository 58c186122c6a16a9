"""Fixtures for every test: in which time it runs, where databases are, and discord.py's own addresses put back after
each file."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

MEMORY = Path("/dev/shm")
ORDER = {
    "simulation": -4, "stories": -4, "e2e": -3, "contract": -2, "core": -1, "client": -1, "service": -1, "host": -1,
    "games": 1, "rendering": 2,
}  # fmt: skip
"""Which folders of tests come before or after the others: those of the longest files come first."""
SIMULATED = {"e2e", "stories", "service", "sandbox", "client", "simcord"}
"""The folders whose tests run in simulated time (`tests.simulation`), but for those marked `sockets` and those whose
database is on a server."""
SEED = int(os.environ.get("GRAPHPAPER_SEED", "1"))
"""What decides the order of tasks in simulated time."""
RUNNING = pytest.StashKey[pytest.Item]()
DISCORD = {
    ("discord.http", "Route", "BASE"): "https://discord.com/api/v10",
    ("discord.gateway", "DiscordWebSocket", "DEFAULT_GATEWAY"): "wss://gateway.discord.gg/",
}


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Look for no garbage while tests are collected: there is next to none. And write no log that nobody has asked for:
    pytest writes out every line, with its traceback, into a file that keeps nothing."""
    gc.disable()
    logs: Any = config.pluginmanager.get_plugin("logging-plugin")
    if logs and logs.log_file_handler.baseFilename == os.devnull:
        logs.log_file_handler.close()
        logs.log_file_handler = logging.NullHandler()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where workers share the tests, long files come first, so that all workers end at about the same time."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: ORDER.get(topic(item), 0))


def pytest_collection_finish() -> None:
    """Look for garbage no more among what all tests share, modules and the tests themselves, and seldom: to look as
    often as Python does takes an eighth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()
    if "data.engine.database" in sys.modules:
        importlib.import_module("tests.support.database_caches").share()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember the test for which an event loop is made next."""
    item.config.stash[RUNNING] = item


def pytest_asyncio_loop_factories(config: pytest.Config) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """One kind of loop to ask for, which is made as the test needs it."""
    return {"loop": partial(loop_of, config)}


def loop_of(config: pytest.Config) -> asyncio.AbstractEventLoop:
    """An event loop of simulated or of real time."""
    item = config.stash[RUNNING]
    if real(item):
        return asyncio.new_event_loop()
    made: asyncio.AbstractEventLoop = importlib.import_module("tests.simulation.machine").simulated_loop(SEED)
    return made


def topic(item: pytest.Item) -> str:
    """The folder of tests/ that a test is in."""
    return item.path.relative_to(Path(__file__).parent).parts[0]


def real(item: pytest.Item) -> bool:
    """Whether a test runs in real time: it is about sockets, processes or a server, or its database is on one."""
    chosen: Any = getattr(item, "callspec", None)
    given: dict[str, Any] = chosen.params if chosen else {}
    kind: str | None = given.get("kind", os.environ.get("GRAPHPAPER_TESTED_ON"))
    return topic(item) not in SIMULATED or item.get_closest_marker("sockets") is not None or kind == "postgresql"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print with a failure the seed that shows it again."""
    report = yield
    if report.failed and not real(item):
        report.sections.append(("Seed", f"GRAPHPAPER_SEED={SEED} shows it again."))
    return report


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    """Where a database is: in memory if there is such a folder, since a busy disk keeps people waiting for a write
    as long as the bot waits at most."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.fixture
def kind() -> str:
    """The kind of database of a service test that does not ask for both (`tests.support.postgres.on_both`)."""
    return os.environ.get("GRAPHPAPER_TESTED_ON", "sqlite")


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database in a file."""
    file = tmp_path_factory.mktemp("empty") / "graphpaper.db"
    file.write_bytes(importlib.import_module("tests.support.empty_database").empty_database())
    return file


@pytest.fixture
def address(kind: str, request: pytest.FixtureRequest, folder: Path) -> Generator[str]:
    """The address of an empty database of that kind. A server is waited for in real time, and long: a busy machine is
    no fault of it."""
    if kind == "sqlite":
        yield f"sqlite:///{shutil.copy(request.getfixturevalue('empty'), folder / 'graphpaper.db')}"
        return
    with (
        importlib.import_module("tests.support.postgres").server().database() as url,
        pytest.MonkeyPatch.context() as it,
    ):
        it.setattr("data.engine.driver.WAIT_SECONDS", 30.0)
        yield url


@pytest.fixture(autouse=True, scope="module")
def discords_own_addresses() -> Generator[None]:
    """Put back what a file of tests has changed; one that never loads discord.py need not load it for this."""
    yield
    for (module, owner, name), address in DISCORD.items():
        if module in sys.modules:
            kept: Any = getattr(sys.modules[module], owner)
            setattr(kept, name, type(getattr(kept, name))(address))
