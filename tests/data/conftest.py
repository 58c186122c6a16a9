"""Fixtures: an empty database and a store on it; each test runs on SQLite and on PostgreSQL.

A test that is about SQLite's files alone says so: `only_sqlite` before it, or in its module a fixture `url` that asks
for `sqlite`.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest

from data.engine.database import Database
from data.store import Store
from tests.support.postgres import Postgres, server

QUERIES = {"test_moments.py", "test_privacy.py", "test_ratings.py"}
"""Files about what queries find: `make test` asks a database in a file, `make long` one on a server too."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave the twins of those files to `make long`."""
    if item.path.name in QUERIES and "[postgresql" in item.name:
        item.add_marker(pytest.mark.long)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers and writers wait long for the database: a busy machine is no fault of it."""
    monkeypatch.setattr("data.engine.driver.WAIT_SECONDS", 20.0)


@pytest.fixture
def file(empty: Path, folder: Path) -> Path:
    """The file of an empty database."""
    return Path(shutil.copy(empty, folder / "matches.db"))


@pytest.fixture
def sqlite(file: Path) -> str:
    """The address of an empty database that is a file."""
    return f"sqlite:///{file}"


@pytest.fixture(scope="session")
def postgres() -> Postgres:
    """A PostgreSQL server."""
    return server()


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest) -> Generator[str]:
    """The address of an empty database of either kind: for what both promise."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite")
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    with postgres.database() as url:
        yield url


@pytest.fixture
def url(either: str) -> str:
    """The address of the empty database."""
    return either


@pytest.fixture
async def database(url: str) -> AsyncGenerator[Database]:
    """The connection to an empty database."""
    database = Database(url)
    yield database
    await database.close()


@pytest.fixture
async def store(url: str) -> AsyncGenerator[Store]:
    """A store on an empty database."""
    store = Store(url)
    yield store
    await store.close()
