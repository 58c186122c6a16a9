"""Writes docs/commands.md from the commands themselves: `make commands`, or `python -m tests.project.commands`.

The page has a row for each game, from its table, and a row for each command of the harness, from the tree that the bot
gives to Discord. A test says when the page is out of date.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from discord import app_commands
from discord.ext import commands

from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.platform.checks import is_offered_in_messages
from tests.support.command_tree import command_tree

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"
TEMPLATE = """# Commands

<!-- Made by `make commands` from the games' tables and from the bot's own commands: do not edit it by hand. -->

## Games

| game | year | players | moves |
|---|---|---|---|
{games}

Every game also has `/<game> challenge`, which begins a match with the game's own options, and `/<game> rules`.

## Everything else

Options in brackets may be left out. What is marked ✉ works in the bot's direct messages, too.

| command | does |
|---|---|
{harness}
"""
MANAGERS = " For those who may manage the server."

Command = app_commands.Command[commands.Cog, ..., object]


def game_row(game: Game) -> str:
    """A game's line in the table of games."""
    low, high = game.seats[0], game.seats[-1]
    moves = (" ".join((f"/{game.key}", kind.name, *(part.name for part in kind.parts))) for kind in game.moves)
    players = str(low) if low == high else f"{low}–{high}"
    return f"| {game.title} | {game.year} | {players} | {' · '.join(f'`{move}`' for move in moves)} |"


def command_row(command: Command) -> str:
    """A command's line in the table of commands: how it is written, and what it does."""
    options = (one.display_name if one.required else f"[{one.display_name}]" for one in command.parameters)
    root = command.root_parent or command
    note = MANAGERS if root.default_permissions else " ✉" if is_offered_in_messages(command) else ""
    return f"| `/{' '.join((command.qualified_name, *options))}` | {command.description}{note} |"


async def harness_commands() -> list[Command]:
    """The commands that belong to no game, by name."""
    tree = await command_tree()
    every: list[Command] = [one for one in tree.walk_commands() if isinstance(one, app_commands.Command)]
    return sorted(
        (one for one in every if (one.root_parent or one).name not in load_offered_games()),
        key=lambda one: one.qualified_name,
    )


async def page() -> str:
    """The whole page, as it is now."""
    games = "\n".join(game_row(game) for game in load_offered_games().values())
    harness = "\n".join(command_row(command) for command in await harness_commands())
    return TEMPLATE.format(games=games, harness=harness)


def write() -> None:
    """Write the page."""
    PAGE.write_text(asyncio.run(page()))


if __name__ == "__main__":
    write()
