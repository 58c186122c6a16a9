"""The games to choose from: each with its picture beside it, and below them the one select that begins a match.

Discord shows at most ten pictures and forty components in a message, so the games come in several; the select stands
below the last.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import ui

from bot.client import challenges, rulebook, views
from bot.client.ids import PageId
from bot.client.interaction import Interaction, client_of
from bot.client.views import Control, Drawing
from bot.core.catalogue import example, offered
from bot.core.game import Game
from bot.core.match import Match
from bot.core.moves import SELECT_LIMIT

BEGIN = PageId("begin")
PICK = "Open a table of …"
HEAD = (
    f"### Games of {Game.INVENTOR}\n"
    "-# Moves and minutes are those of a usual match at one table; here it may take as long as you like."
)
OF_ONE_MESSAGE = 10
"""As many games as a message has room for, with a picture each."""
LABEL_LIMIT = 100


async def show(interaction: Interaction) -> None:
    """Show every game to the asker alone, in as many messages as the pictures need."""
    games = tuple(offered().values())
    parts = [games[at : at + OF_ONE_MESSAGE] for at in range(0, len(games), OF_ONE_MESSAGE)]
    for index, part in enumerate(parts):
        drawings = await _drawn(interaction, part)
        view, files = page(part, drawings, first=index == 0, select=games if index == len(parts) - 1 else ())
        if index == 0:
            await interaction.response.send_message(view=view, files=files, ephemeral=True)
        else:
            await interaction.followup.send(view=view, files=files, ephemeral=True)


async def _drawn(interaction: Interaction, games: Sequence[Game]) -> dict[str, tuple[Match, Drawing]]:
    renderer = client_of(interaction).renderer
    shown = [match for game in games if (match := example(game))]
    drawings = await asyncio.gather(*(renderer.draw(match.game, match.position) for match in shown))
    return {match.game.key: (match, drawing) for match, drawing in zip(shown, drawings, strict=True)}


def page(
    games: Sequence[Game], drawings: Mapping[str, tuple[Match, Drawing]], *, first: bool, select: Sequence[Game]
) -> tuple[ui.LayoutView, list[discord.File]]:
    """One message of the list, and its files."""
    items: list[ui.Item[Any]] = [ui.TextDisplay(HEAD)] if first else []
    files: list[discord.File] = []
    for game in games:
        text = ui.TextDisplay[Any](rulebook.entry(game))
        if game.key not in drawings:
            items.append(text)
            continue
        match, drawing = drawings[game.key]
        name, alt = f"{game.key}.png", views.alt(drawing.pictures[0], str(match.position))
        files.append(discord.File(io.BytesIO(drawing.pngs[0]), name, description=alt))
        items.append(ui.Section(text, accessory=ui.Thumbnail[Any](f"attachment://{name}", description=alt)))
    if select:
        items.append(views.row_of(Control(BEGIN, PICK, options=options(select))))
    return views.framed(views.ACCENTS[0], *items), files


def options(games: Sequence[Game]) -> list[discord.SelectOption]:
    """The games as a select lists them."""
    return [
        discord.SelectOption(
            label=game.title[:LABEL_LIMIT], value=game.key, description=rulebook.facts(game)[:LABEL_LIMIT]
        )
        for game in games[:SELECT_LIMIT]
    ]


async def begin(interaction: Interaction) -> None:
    """Open a table of the game that was chosen, with its usual options."""
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    (chosen,) = data.get("values") or ("",)
    await challenges.make(interaction, challenges.named_game(str(chosen)), {})
