"""A server on SimCord with the bot and its people."""

import asyncio
import shutil
import warnings
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

# discord.py imports audioop, which Python 3.11 and 3.12 call deprecated; imported once here, it is quiet afterwards.
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from tests.simcord.stand_in import Stage

from tests.simulation.life import Listener, noting


@pytest.fixture
async def stage(folder: Path, empty: Path) -> AsyncGenerator[Stage]:
    """SimCord with the bot on it, ready; at the end it has not complained."""
    file = Path(shutil.copy(empty, folder / "graphpaper.db"))
    asyncio.get_running_loop().set_task_factory(noting)
    listener = Listener()
    with listener.listening():
        made = Stage(f"sqlite:///{file}")
        try:
            await made.start()
            yield made
            await made.life.rest()
            assert made.life.held() == [], "something that was sent is kept"
        finally:
            await made.shutdown()
    assert [record.getMessage() for record in listener.complaints] == []
