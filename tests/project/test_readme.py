"""What README.md and docs/hosting.md tell hosts is what the program has: permissions, settings, commands."""

from __future__ import annotations

import re
from pathlib import Path

import discord

from bot.__main__ import parser
from bot.features.challenges.service import INVITATION, NEEDED_IN_THREAD
from bot.games.catalogue import load_games
from bot.settings import READERS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
HOSTING = (ROOT / "docs/hosting.md").read_text()
SHORT = 120
"""README has fewer lines than this: what is longer is a page in docs/."""
ASKED = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    create_public_threads=True,
    send_messages_in_threads=True,
    read_message_history=True,
)


def test_the_address_asks_for_exactly_the_permissions_that_are_explained() -> None:
    asked = re.search(r"permissions=(\d+)", README)
    assert INVITATION.format(application="ID") in README, "what people are shown who want to play with friends"
    assert asked and int(asked[1]) == ASKED.value
    explained = HOSTING.split("| permission | for |")[1].split("\n\n")[0]
    for name, wanted in ASKED:
        title = name.replace("_", " ").title().replace(" In ", " in ")
        title = {"Read Messages": "View Channels", "Create Public Threads": "Create Public Threads"}.get(title, title)
        assert (title in explained) == wanted, title


def test_what_a_challenge_needs_is_asked_for() -> None:
    assert all(getattr(ASKED, name) for name in NEEDED_IN_THREAD)


def test_every_setting_of_a_host_is_explained() -> None:
    inner = {"token", "container", "api", "gateway"}
    for name in READERS.keys() - inner:
        assert f"| `GRAPHPAPER_{name.upper()}`" in HOSTING
    assert "| `DISCORD_TOKEN`" in HOSTING


def test_every_command_of_hosts_is_explained() -> None:
    named = set(re.findall(r"^    ([a-z][a-z-]*) ", parser().format_help(), re.MULTILINE)) - {"run"}
    assert named >= {"backup", "restore", "renew", "check", "migrate", "health", "status", "replay", "move-to"}
    for command in named:
        assert f"| `{command}" in HOSTING


def test_the_front_page_says_in_which_years_the_games_were_published() -> None:
    years = {game.year for game in load_games().values() if game.inventor in README}
    said = README.partition("*Games Conceived*")[2].partition(".")[0]
    assert {int(year) for year in re.findall("[0-9]{4}", said)} == {min(years), max(years)}


def test_the_front_page_is_short() -> None:
    assert len(README.splitlines()) < SHORT
