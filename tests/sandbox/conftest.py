"""Fixtures: a running sandbox, the real discord.py client connected to it, and a bare HTTP client beside it."""

import warnings
from collections.abc import AsyncIterator

import aiohttp
import pytest

from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from tests.sandbox.minibot import Api, MiniBot, connected
from tests.support.waiting import PATIENCE

# discord.py imports audioop, which Python 3.11 and 3.12 call deprecated; imported once here, it is quiet afterwards.
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from tests.sandbox.minibot import Api, MiniBot, connected


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(answer_seconds=PATIENCE) as running:  # a busy machine is no fault of the bot
        yield running


@pytest.fixture
async def bot(sandbox: Sandbox) -> AsyncIterator[MiniBot]:
    async with connected(sandbox) as client:
        yield client
    assert sandbox.unknown_routes == []


@pytest.fixture
async def api(sandbox: Sandbox) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(session, sandbox)


@pytest.fixture
def ann(sandbox: Sandbox) -> Person:
    return sandbox.person("Ann")


@pytest.fixture
def bea(sandbox: Sandbox) -> Person:
    return sandbox.person("Bea")
