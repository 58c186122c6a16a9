"""Fixtures of the stories: a house with the bot in it, and a database made once and copied."""

import asyncio
import json
import shutil
import tempfile
import warnings
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import yarl

# discord.py imports audioop, which Python 3.11 and 3.12 call deprecated; imported once here, it is quiet afterwards.
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

from bot.sandbox import Sandbox
from data.migrate import migrate
from tests.described import SPEC, complaints
from tests.e2e.house import House
from tests.e2e.life import ROOM, Listener, noting

FORGED = '"authorizing_integration_owners": {}'

MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database without matches."""
    file = tmp_path_factory.mktemp("empty") / "graphpaper.db"
    asyncio.run(migrate(f"sqlite:///{file}"))
    return file


@pytest.fixture
def reconcile() -> float:
    """Seconds between two looks for boards that lag behind: never, but where a test is about that."""
    return 3600.0


@pytest.fixture
def folder(tmp_path: Path) -> Generator[Path]:
    """Where the database is: in memory if there is such a folder, since a busy disk keeps people waiting for a write
    as long as the bot waits at most."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.fixture
async def house(folder: Path, empty_database: Path, reconcile: float) -> AsyncGenerator[House]:
    """A house whose bot is ready; at the end its log must be free of complaints, and everything sound."""
    file = Path(shutil.copy(empty_database, folder / "graphpaper.db"))
    addresses = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    asyncio.get_running_loop().set_task_factory(noting)
    listener = Listener()
    try:
        with listener.listening():
            async with Sandbox(answer_seconds=ROOM) as sandbox:
                made = House(sandbox, file, listener, reconcile)
                await made.life.begin()
                yield made
                await made.life.end()
                await made.store.close()
            assert made.complaints() == []
            assert sandbox.unknown_routes == []
            # What a test has forged came from no person's client, and the sandbox repeats it in its answers.
            honest = [entry for entry in sandbox.log if FORGED not in json.dumps(entry.answer)]
            assert not SPEC.exists() or complaints(honest) == []
            await made.sound()
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = addresses[0], yarl.URL(addresses[1])
