"""The commands of the whole bot, without a connection or a store behind them, for tests and for docs/commands.md."""

from __future__ import annotations

from unittest.mock import Mock

from discord import app_commands

from bot.client.app.client import GraphPaper
from bot.core.library.catalogue import cog_modules
from bot.host.this_machine import this_machine
from bot.settings import Settings


async def command_tree() -> app_commands.CommandTree[GraphPaper]:
    """The tree that the bot gives to Discord. Nothing can be called in it."""
    bot = GraphPaper(Settings(), Mock(), this_machine())
    for module in cog_modules():
        await bot.load_extension(module)
    bot.renderer.close()
    return bot.tree
