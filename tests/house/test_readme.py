"""What README.md promises in figures and tables is what the program has."""

from __future__ import annotations

import re
from pathlib import Path

import discord
from discord.ext import commands

from bot.client.lobby.challenges import NEEDED_IN_THREAD
from bot.core.game.game import Game
from bot.core.library.catalogue import cog_modules, offered
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
ASKED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    create_public_threads=True,
    send_messages_in_threads=True,
    read_message_history=True,
)


def row(game: Game) -> str:
    """A game's line in the table of games."""
    low, high = game.seats[0], game.seats[-1]
    moves = (" ".join((f"/{game.key}", kind.name, *(part.name for part in kind.parts))) for kind in game.moves)
    players = str(low) if low == high else f"{low}–{high}"
    return f"| {game.title} | {game.year} | {players} | {' · '.join(f'`{move}`' for move in moves)} |"


def test_the_table_of_games_is_made_from_the_games() -> None:
    """A new game is a new folder and nothing else, so a missing row is no fault here; `make gallery` writes it."""
    made = {row(game) for game in offered().values()}
    written = set(re.findall(r"^\| .* \| [0-9]{4} \| .*$", README, re.MULTILINE))
    assert written and written <= made, f"README.md is not up to date: {written - made}"


def test_the_address_asks_for_exactly_the_permissions_that_are_explained() -> None:
    asked = re.search(r"permissions=(\d+)", README)
    assert asked and int(asked[1]) == ASKED.value
    explained = README.split("| permission | for |")[1].split("\n\n")[0]
    for name, wanted in ASKED:
        title = name.replace("_", " ").title().replace(" In ", " in ")
        title = {"Read Messages": "View Channels", "Create Public Threads": "Create Public Threads"}.get(title, title)
        assert (title in explained) == wanted, title


def test_what_a_challenge_needs_is_asked_for() -> None:
    assert all(getattr(ASKED, name) for name in NEEDED_IN_THREAD)


def test_every_setting_of_a_host_is_explained() -> None:
    inner = {"token", "container", "api", "gateway"}
    for name in Settings.model_fields.keys() - inner:
        assert f"`GRAPHPAPER_{name.upper()}`" in README
    assert "`DISCORD_TOKEN`" in README


def test_every_command_of_hosts_is_explained() -> None:
    from bot.__main__ import parser

    usage = parser().format_help()
    for command in ("backup", "restore", "renew", "check", "migrate", "health", "status", "replay"):
        assert command in usage and f"| `{command}" in README


async def test_every_command_of_the_house_is_explained() -> None:
    bot = commands.Bot(command_prefix="!", intents=discord.Intents.none())
    for module in cog_modules():
        await bot.load_extension(module)
    names = {command.name for command in bot.tree.get_commands()} - set(offered())
    await bot.close()
    assert {name for name in names if f"`/{name}" not in README} == set()
