"""What games are picked from: a picture of each, drawn once, and the options of a select."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import discord

from bot.client.runtime.thread_pool import Rank
from bot.client.text import rules_text
from bot.client.views import views
from bot.client.views.renderer import Renderer
from bot.core.game.game import Game
from bot.core.game.moves import SELECT_LIMIT
from bot.core.library.catalogue import example, offered

LABEL_LIMIT = 100

log = logging.getLogger(__name__)


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


def options(games: Sequence[Game]) -> list[discord.SelectOption]:
    """The games as a select lists them."""
    return [
        discord.SelectOption(
            label=game.title[:LABEL_LIMIT], value=game.key, description=rules_text.facts(game)[:LABEL_LIMIT]
        )
        for game in games[:SELECT_LIMIT]
    ]
