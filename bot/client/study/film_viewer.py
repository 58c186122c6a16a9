"""Shows the moving picture of a match: to the person who asks, and to everybody once the match is over.

A film for everybody shows the view of a spectator, also when the person who posts it may see more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from discord import ui

from bot.client.interactions.context import Interaction, user_of
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on
from bot.client.study.patience import patiently
from bot.client.study.public_posts import EVERYBODY, Post, PublicPosts, forgotten, may_be_shown
from bot.client.study.replay_film import Film, Films
from bot.client.study.replay_viewer import ReplayButton, ReplayViewer
from bot.client.text import match_text
from bot.client.views import edits, views
from bot.client.views.edits import Upload
from bot.client.views.views import ALT_LIMIT, OVER, Control
from bot.core.match.loaded_match import Refusal, person
from bot.core.values.ids import UserId
from bot.core.values.plural import Plural
from bot.core.values.text_lengths import shortened
from bot.service.analysis.replay_steps import Replay

FILE = "replay.gif"
MOVES = Plural("{number} move", "{number} moves")
WITHIN = 720.0
"""Seconds in which a film is made; Discord takes an answer for a quarter of an hour."""
NOTHING = "Nothing has been played yet, so there is nothing to show."
TOO_LONG = "I was too busy to make the moving picture. Try again in a while."
TOO_LARGE = "The moving picture of this match is too large for Discord. Press Next to go through it move by move."
GOES_ON = "This match isn't over yet, so only you see its moving picture. You can show it to everybody afterwards."
ALONE = "You played this match alone. Use /match publish first, then press again."


class FilmViewer:
    """Answers the buttons for moving pictures."""

    def __init__(self, films: Films, replays: ReplayViewer, posts: PublicPosts) -> None:
        self._films = films
        self._replays = replays
        self._posts = posts

    @on(ReplayButton, words="film", price=Price(8))
    async def film(self, interaction: Interaction, button: ReplayButton) -> None:
        """Make the film of a match as the person may see it, in an ephemeral message."""
        seated = await self._replays.load_kept(interaction, button.match)
        replay = self._replays.replay_for(interaction, seated)
        if not replay.length:
            raise Refusal(NOTHING)
        await interaction.response.defer(ephemeral=True, thinking=True)
        making = self._made(replay, user_of(interaction))
        made = await patiently(
            interaction, making, lambda: self._films.turns.wait(replay.like), "Yours begins in about {time}."
        )
        row = views.row_of(Control(ReplayButton(seated.id, replay.length, "show"), EVERYBODY))
        view = shown(replay, made, [row] if may_be_shown(seated) else [])
        with forgotten():
            await edits.answer(interaction, view, [attachment(replay, made)])

    @on(ReplayButton, words="show", price=Price(4))
    async def show(self, interaction: Interaction, button: ReplayButton) -> None:
        """Post the film of a match that is over, as everybody may see it."""
        seated = await self._replays.load_kept(interaction, button.match)
        self._replays.replay_for(interaction, seated)
        if not may_be_shown(seated):
            raise Refusal(ALONE if seated.row.state == "finished" else GOES_ON)
        replay = Replay.of(seated, None)
        if not replay.length:
            raise Refusal(NOTHING)

        async def make() -> Post:
            made = await self._made(replay, user_of(interaction))
            return Post(partial(shown, replay, made), [attachment(replay, made)])

        await self._posts.show(interaction, seated, make)

    async def _made(self, replay: Replay, asker: UserId) -> Film:
        try:
            async with asyncio.timeout(WITHIN):
                made = await self._films.make(replay, asker)
        except TimeoutError:
            raise Refusal(TOO_LONG) from None
        if not made.data:
            raise Refusal(TOO_LARGE)
        return made


def shown(replay: Replay, made: Film, below: Sequence[ui.Item[Any]] = ()) -> ui.LayoutView:
    """A film as a message: who played, how it ended, and some items below."""
    seated, count = replay.seated, replay.length
    people = " – ".join(person(player.user) for player in seated.players)
    said = [f"{people} · {MOVES.of(count)}"]
    if not seated.turn:
        said.append(match_text.result(seated))
    said.append(f"-# {seated.link}")
    gallery: ui.MediaGallery[Any] = ui.MediaGallery(
        views.attached(FILE, f"{alt(replay, made)} {match_text.coloured(seated)}")
    )
    foot = "\n".join(part for part in said if part)
    return views.framed(OVER, ui.TextDisplay(match_text.headline(seated)), gallery, ui.TextDisplay(foot), *below)


def attachment(replay: Replay, made: Film) -> Upload:
    """The file of a film."""
    return Upload(made.data, FILE, alt(replay, made))


def alt(replay: Replay, made: Film) -> str:
    """A film in words: what it goes through and where it ends."""
    title, count = replay.seated.game.title, replay.length
    whole = f"A match of {title}, move by move, from the beginning to move {count}. At the end: {made.alt}"
    return shortened(whole, ALT_LIMIT // 2)
