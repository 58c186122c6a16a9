"""The commands of the whole bot, without a connection or a store behind them: for tests, for docs/commands.md, and for
stories that begin with a Discord that knows them.
"""

from __future__ import annotations

import asyncio
from functools import cache
from importlib import import_module
from itertools import count
from typing import Any
from unittest.mock import Mock

from discord import app_commands

from bot.app.client import GraphPaper, build_payload, digest_key, hash_commands
from bot.games.catalogue import list_cog_modules
from bot.host.machine import this_machine
from bot.sandbox.commands import overwrite_commands
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from data.store import Store, Transaction

FIRST_ID = 10**17


async def command_tree() -> app_commands.CommandTree[GraphPaper]:
    """The tree that the bot gives to Discord. Nothing can be called in it."""
    bot = GraphPaper(Settings(), Mock(), this_machine())
    for module in list_cog_modules():
        await import_module(module).setup(bot)
    bot.renderer.close()
    return bot.tree


@cache
def commands() -> list[dict[str, Any]]:
    """What Discord is told of all commands, made once; not within an event loop."""
    return build_payload(asyncio.run(command_tree()))


@cache
def digest() -> str:
    """By what the store knows them."""
    return hash_commands(commands())


@cache
def known(application: str) -> tuple[dict[str, Any], ...]:
    """How Discord keeps them."""
    ids = count(FIRST_ID)
    return tuple(overwrite_commands([], commands(), application, None, lambda: str(next(ids))))


async def make_known(sandbox: Sandbox, store: Store) -> None:
    """Let a stand-in for Discord know all commands, and the store know that it does: to register them takes as long as
    a short story. `commands` was called before."""
    world = sandbox.world
    world.commands = [*known(world.me)]
    await store.do(Transaction.set_note, digest_key(int(world.me)), digest())
