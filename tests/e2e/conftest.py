"""Fixtures of the stories: a harness with the bot in it, and a database made once and copied."""

import asyncio
import json
import re
import shutil
import warnings
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import yarl

from bot.features.pads.drafts import LONGEST_PLACEHOLDER
from bot.games.catalogue import load_games
from bot.games.wording import count_units
from bot.sandbox.stand_in import Sandbox
from tests.e2e.harness import Harness
from tests.simulation.life import Listener, noting, seconds_to_answer
from tests.support import pushes
from tests.support.command_tree import commands, make_known
from tests.support.discords_ways import STRICT
from tests.support.mentions import untold
from tests.support.openapi import SPEC, complaints, complaints_about

# discord.py imports audioop, which Python 3.11 and 3.12 call deprecated; imported once here, it is quiet afterwards.
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

FORGED = '"authorizing_integration_owners": {}'
SEATS = re.compile(r"(?<!“)\b([Ss]eat|[Pp]layer) [1-8]\b")
"""What nobody is called where people sit."""
PLACEHOLDERS = re.compile(r'"placeholder": "((?:[^"\\]|\\.)*)"')
NOBODY_SITS = (
    *{f"({game.inventor}, " for game in load_games().values()},
    *("imported record", "The record of match", "of the record can't be played"),
)
"""What says so of nobody: a rules page, a record from elsewhere, and what is said of a record's text."""


@pytest.fixture(scope="session")
def empty_database(empty: Path) -> Path:
    """A migrated database without matches; and all commands are made, which cannot be done within an event loop."""
    commands()
    return empty


@pytest.fixture
def reconcile() -> float:
    """Seconds between two looks for boards that lag behind: never, but where a test is about that."""
    return 3600.0


@pytest.fixture
def described() -> bool:
    """Whether all requests and answers are compared with Discord's description: that takes as long as a story does."""
    return True


@asynccontextmanager
async def opened(
    folder: Path,
    empty_database: Path,
    reconcile: float,
    servers: int = 1,
    shards: str | None = None,
    server: str | None = None,
    strict: bool = STRICT,
) -> AsyncGenerator[Harness]:
    """A harness whose bot is ready; checks at the end that no view is held. `shards`: which of several the bot serves.
    `server`: the address of its database, if that is no file. `strict`: how the sandbox behaves where Discord's
    behaviour is only reported."""
    file = Path(shutil.copy(empty_database, folder / "graphpaper.db"))
    addresses = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    asyncio.get_running_loop().set_task_factory(noting)
    listener = Listener()
    try:
        with listener.listening():
            async with Sandbox(answer_seconds=seconds_to_answer(), servers=servers, strict=strict) as sandbox:
                made = Harness(sandbox, file, listener, reconcile, shards, server)
                await make_known(sandbox, made.store)
                await made.life.begin()
                try:
                    yield made
                    await made.life.rest()
                    assert made.life.held() == [], "something that was sent is kept"
                finally:
                    await made.life.end()
                    await made.store.close()
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = addresses[0], yarl.URL(addresses[1])


@pytest.fixture
def server(kind: str, request: pytest.FixtureRequest) -> str | None:
    """The address of the harness's database where a server keeps it."""
    return request.getfixturevalue("address") if kind == "postgresql" else None


@pytest.fixture
def strict() -> bool:
    """How Discord behaves where that is only reported."""
    return STRICT


@pytest.fixture
async def harness(
    folder: Path, empty_database: Path, reconcile: float, described: bool, server: str | None, strict: bool
) -> AsyncGenerator[Harness]:
    """A harness whose bot is ready; at the end no view is held, its log is free of complaints, and everything sound."""
    async with opened(folder, empty_database, reconcile, server=server, strict=strict) as made:
        yield made
    assert made.complaints() == []
    assert made.sandbox.unknown_routes == []
    assert pushes.faults(made.sandbox.world, made.sandbox.request_log) == []
    wrong = (
        [entry for entry in made.sandbox.request_log if complaints_about(entry)] if described and SPEC.exists() else []
    )
    # What a test has forged came from no person's client, and the sandbox repeats it in its answers.
    assert complaints(entry for entry in wrong if FORGED not in json.dumps(entry.answer)) == []
    assert [
        one for text in told(made) for one in PLACEHOLDERS.findall(text) if count_units(one) > LONGEST_PLACEHOLDER
    ] == []
    assert [text for text in told(made) if SEATS.search(text)] == [], "people are called by their names"
    assert made.is_unnamed or untold(made.sandbox.request_log, made.sandbox.world.me) == [], "a mention tells somebody"
    await made.sound()


def told(harness: Harness) -> Iterator[str]:
    """Everything that the bot has sent to be read: messages, answers, forms and suggestions."""
    for entry in harness.sandbox.request_log:
        if entry.method in ("POST", "PATCH"):
            text = json.dumps(entry.body, ensure_ascii=False, default=str)
            if not any(known in text for known in NOBODY_SITS):
                yield text
