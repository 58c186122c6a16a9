"""docs/commands.md is what `make commands` makes of the bot's commands."""

from __future__ import annotations

import re

from bot.games.catalogue import load_offered_games
from tests.project.commands import PAGE, command_row, game_row, harness_commands

WRITTEN = PAGE.read_text().splitlines()
GAME = r"\| .* \| [0-9]{4} \| .* \|"


def test_the_table_of_games_is_made_from_the_games() -> None:
    """A new game is a new folder and nothing else, so a missing row is no fault here; `make commands` writes it."""
    written = {line for line in WRITTEN if re.fullmatch(GAME, line)}
    made = {game_row(game) for game in load_offered_games().values()}
    assert written and written <= made, f"run `make commands`: {written - made}"


async def test_every_command_of_the_harness_is_there_as_it_is() -> None:
    written = {line for line in WRITTEN if line.startswith("| `/")}
    made = {command_row(command) for command in await harness_commands()}
    assert written == made, f"run `make commands`: {written ^ made}"
