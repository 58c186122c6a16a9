"""Shows all games, each with its picture, and below them the select that opens a table.

Discord shows at most ten pictures and forty components in a message, so the games come in several messages.
"""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.client.interactions.context import Interaction, values_of
from bot.client.interactions.custom_ids import PageId
from bot.client.lobby.challenges import Challenges, named_game
from bot.client.runtime.thread_pool import Rank
from bot.client.text import rules_text
from bot.client.views import views
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control
from bot.core.game.game import Game
from bot.core.game.moves import SELECT_LIMIT
from bot.core.library.catalogue import example, offered

BEGIN = PageId("begin")
PICK = "Open a table of …"
HEAD = (
    f"### Games of {Game.INVENTOR}\n"
    "-# Moves and minutes are those of a usual match at one table; here it may take as long as you like."
)
OF_ONE_MESSAGE = 10
"""How many games a message has room for."""
LABEL_LIMIT = 100

log = logging.getLogger(__name__)
SENT_AT_ONCE = 2
"""How many people are sent the pictures at a time: half a megabyte each."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The picture of a game in the list: its file as it is sent, and its alt text."""

    png: bytes
    alt: str


class Gallery:
    """The pictures of all games, drawn once and kept."""

    def __init__(self, renderer: Renderer) -> None:
        self.samples: Mapping[str, Sample] | None = None
        self._renderer = renderer
        self._drawing = asyncio.Lock()
        self.sending = asyncio.Semaphore(SENT_AT_ONCE)

    async def drawn(self) -> Mapping[str, Sample]:
        """The pictures, by the keys of the games that have one."""
        async with self._drawing:
            if self.samples is None:
                found = {game.key: await self._sample(game) for game in offered().values()}
                self.samples = {key: sample for key, sample in found.items() if sample}
        return self.samples

    async def _sample(self, game: Game) -> Sample | None:
        try:
            match = await self._renderer.run(partial(example, game), Rank.LOOK)
            if match:
                drawing = await self._renderer.draw(game, match.position, Rank.LOOK)
                return Sample(drawing.pngs[0], views.alt(drawing.pictures[0], str(match.position)))
        except Exception:
            log.exception("%s cannot be drawn.", game.title)
        return None


class GamePicker:
    """Shows all games and opens a table of the one that is chosen."""

    def __init__(self, gallery: Gallery, challenges: Challenges) -> None:
        self._gallery = gallery
        self._challenges = challenges

    async def show(self, interaction: Interaction) -> None:
        """Show every game to the asker alone, in as many messages as the pictures need.

        The answer is deferred where the pictures must be drawn first or others are being sent them.
        """
        gallery = self._gallery
        if gallery.samples is None or gallery.sending.locked():
            await interaction.response.defer(ephemeral=True)
        samples = gallery.samples or await gallery.drawn()
        games = tuple(offered().values())
        parts = [games[at : at + OF_ONE_MESSAGE] for at in range(0, len(games), OF_ONE_MESSAGE)]
        async with gallery.sending:
            for index, part in enumerate(parts):
                view, files = page(part, samples, first=index == 0, select=games if index == len(parts) - 1 else ())
                if interaction.response.is_done():
                    await interaction.followup.send(view=view, files=files, ephemeral=True)
                else:
                    await interaction.response.send_message(view=view, files=files, ephemeral=True)

    async def begin(self, interaction: Interaction, _page: PageId) -> None:
        """Open a table of the game that was chosen, with its usual options."""
        (chosen,) = values_of(interaction) or ("",)
        await self._challenges.make(interaction, named_game(str(chosen)), {})


def page(
    games: Sequence[Game], samples: Mapping[str, Sample], *, first: bool, select: Sequence[Game]
) -> tuple[ui.LayoutView, list[discord.File]]:
    """One message of the list, and its files."""
    items: list[ui.Item[Any]] = [ui.TextDisplay(HEAD)] if first else []
    files: list[discord.File] = []
    for game in games:
        text = ui.TextDisplay[Any](rules_text.entry(game))
        sample = samples.get(game.key)
        if sample is None:
            items.append(text)
            continue
        name = f"{game.key}.png"
        files.append(discord.File(io.BytesIO(sample.png), name, description=sample.alt))
        items.append(ui.Section(text, accessory=ui.Thumbnail[Any](f"attachment://{name}", description=sample.alt)))
    if select:
        items.append(views.row_of(Control(BEGIN, PICK, options=options(select))))
    return views.framed(views.ACCENTS[0], *items), files


def options(games: Sequence[Game]) -> list[discord.SelectOption]:
    """The games as a select lists them."""
    return [
        discord.SelectOption(
            label=game.title[:LABEL_LIMIT], value=game.key, description=rules_text.facts(game)[:LABEL_LIMIT]
        )
        for game in games[:SELECT_LIMIT]
    ]
