"""Finds the review of a match that is over, and shows it to the person who asks or to everybody.

A review is found once and kept (single-flight): others who ask meanwhile wait for the same search, which comes after
the computer's moves and hints, and takes turns with those of other people. Nothing is kept before it is whole; after a
restart the search begins anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Hashable, Sequence
from functools import partial
from typing import Any, TypeVar

from discord import ui

from bot.client.background.engine_pool import EnginePool
from bot.client.interactions.context import Interaction, user_of
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on, on_match
from bot.client.runtime.fair_queue import Asker, Order, Wait
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.single_flight import SingleFlight, awaited
from bot.client.runtime.thread_pool import Rank
from bot.client.study.film_viewer import ALONE
from bot.client.study.patience import patiently
from bot.client.study.public_posts import EVERYBODY, Post, PublicPosts, forgotten, may_be_shown
from bot.client.study.replay_viewer import MistakeButton, ReplayButton, ReplayViewer
from bot.client.text import match_text, review_text
from bot.client.views import edits, match_views, views
from bot.client.views.match_ids import ActButton
from bot.client.views.renderer import Renderer, painted
from bot.client.views.views import OVER, Control, Drawing
from bot.core.library.imports import IMPORTED
from bot.core.match import stored_review
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.values.ids import UserId
from bot.search.thoughts import Question, Thought
from bot.service.analysis import points_lost, reviews
from data.store import Reader, Store, Transaction

T = TypeVar("T")
Found = tuple[stored_review.Review, ...]
"""What was found in a match: one review, or one of each leg."""
USUAL = 20.0
"""Seconds that a review is taken to need before one has been found."""
WITHIN = 780.0
"""Seconds in which a review is found; Discord takes an answer for a quarter of an hour."""
MOST_WAITING, MOST_EACH = 20, 2
"""How many reviews are found or waited for at a time, and for how many of them one person waits."""
IMPATIENT = "Two reviews are already on their way to you. Ask again when they are there."
CROWDED = "I am reviewing many matches right now. Try again in a few minutes."
TOO_LONG = "I was too busy to review this match. Try again in a while."


class Reviews:
    """Finds reviews, each once for all who wait for it, and keeps them in the store."""

    def __init__(self, engine_pool: EnginePool, renderer: Renderer, store: Store) -> None:
        self._engine_pool = engine_pool
        self._renderer = renderer
        self._store = store
        self._under_way: dict[Hashable, SingleFlight[Found]] = {}
        self._askers: list[UserId] = []
        self._needed = USUAL

    async def of(self, seated: LoadedMatch, asker: UserId) -> Found:
        """The review of a match that is over; a `Refusal` where too many wait for one."""
        about = seated.id or (seated.game.key, seated.folded.options, seated.row.record)
        found = self._under_way.get(about)
        if found is None and seated.id != IMPORTED:
            if kept := await self._store.ask(Reader.review, seated.id, reviews.version_of(seated.game)):
                return stored_review.read(kept)
            found = self._under_way.get(about)
        if self._askers.count(asker) >= MOST_EACH:
            raise Refusal(IMPATIENT)
        if found is None:
            if len(self._under_way) >= MOST_WAITING:
                raise Refusal(CROWDED)
            found = SingleFlight(asyncio.create_task(self._found(seated, asker)), Rank.IDLE)
            self._under_way[about] = found
        self._askers.append(asker)
        try:
            return await awaited(about, found, self._under_way)
        finally:
            self._askers.remove(asker)

    def wait(self, asker: UserId) -> Wait | None:
        """For how long somebody waits whose reviews take turns with those of others; None where there are none."""
        others = set(self._askers) - {asker}
        return Wait(len(others), self._needed * (1 + len(others))) if others else None

    async def _found(self, seated: LoadedMatch, asker: UserId) -> Found:
        begun, match = loop_time(), seated.folded
        found = await self._worked(reviews.reviewing(match, seated.id, seated.row.imported_plies), seated, asker)
        if seated.id == IMPORTED:
            self._needed = (self._needed + loop_time() - begun) / 2
            return found
        judging = points_lost.judging(match, seated.id, seated.row.imported_plies, points_lost.seats_of(seated))
        lost = await self._worked(judging, seated, asker)
        self._needed = (self._needed + loop_time() - begun) / 2
        version, written = reviews.version_of(seated.game), stored_review.written(found)
        await self._store.do(Transaction.keep_review, seated.id, version, written, lost)
        return found

    async def _worked(self, work: Generator[Question, Thought, T], seated: LoadedMatch, asker: UserId) -> T:
        """What comes of some work that asks questions."""
        thought: Thought | None = None
        while True:
            next_one = await self._renderer.run(partial(advanced, work, thought), Rank.IDLE)
            if not isinstance(next_one, Question):
                return next_one
            thought = await self._engine_pool.think(next_one, Order.REVIEW, Asker(seated.row.guild, asker))

    def close(self) -> None:
        """Give up all that is being found."""
        for found in self._under_way.values():
            found.making.cancel()


def advanced(work: Generator[Question, Thought, T], thought: Thought | None) -> Question | T:
    """The next question of some work, or what comes of it at its end."""
    try:
        return next(work) if thought is None else work.send(thought)
    except StopIteration as stop:
        return stop.value


class ReviewViewer:
    """Shows reviews."""

    def __init__(self, reviews: Reviews, renderer: Renderer, replays: ReplayViewer, posts: PublicPosts) -> None:
        self._reviews = reviews
        self._renderer = renderer
        self._replays = replays
        self._posts = posts

    @on(ReplayButton, words="review", price=Price(8))
    async def pressed(self, interaction: Interaction, button: ReplayButton) -> None:
        """Review what is shown in the message."""
        await self.begin(interaction, await self._replays.load(interaction, button.match, thinking=True))

    @on_match(ActButton, words="review", price=Price(8))
    async def begin(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show a review to the person who asks, in an ephemeral message."""
        self._replays.replay_for(interaction, seated)
        reviews.expect_reviewable(seated)
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=True, thinking=True)
        asker = user_of(interaction)
        making = self._made(seated, asker)
        review, drawing = await patiently(
            interaction, making, lambda: self._reviews.wait(asker), "Your review comes in about {time}."
        )
        count = len(seated.folded.record)
        again = (
            [Control(MistakeButton(seated.id, count), match_views.TRY_AGAIN)]
            if seated.id != IMPORTED and any(one.costly for one in review)
            else []
        )
        all_see = (
            [Control(ReplayButton(seated.id, count, "tell"), EVERYBODY)]
            if seated.id != IMPORTED and may_be_shown(seated)
            else []
        )
        view = shown(seated, review, drawing, [views.row_of(*again, *all_see)] if again or all_see else [])
        with forgotten():
            await edits.answer(interaction, view, drawing.files(""))

    @on(ReplayButton, words="tell", price=Price(4))
    async def share(self, interaction: Interaction, button: ReplayButton) -> None:
        """Post a review for everybody."""
        seated = await self._replays.load_kept(interaction, button.match)
        self._replays.replay_for(interaction, seated)
        reviews.expect_reviewable(seated)
        if not may_be_shown(seated):
            raise Refusal(ALONE)

        async def make() -> Post:
            review, drawing = await self._made(seated, user_of(interaction))
            return Post(partial(shown, seated, review, drawing), drawing.files(""))

        await self._posts.show(interaction, seated, make)

    async def _made(self, seated: LoadedMatch, asker: UserId) -> tuple[Found, Drawing]:
        """A review and its picture."""
        try:
            async with asyncio.timeout(WITHIN):
                review = await self._reviews.of(seated, asker)
        except TimeoutError:
            raise Refusal(TOO_LONG) from None
        match = seated.folded
        drawing = await self._renderer.run(lambda: painted(review_text.pictures(match, review)), Rank.LOOK)
        return review, drawing


def shown(seated: LoadedMatch, review: Found, drawing: Drawing, below: Sequence[ui.Item[Any]] = ()) -> ui.LayoutView:
    """A review as a message: who played and who won, the picture, the costly moves."""
    people = " – ".join(person(player.user) for player in seated.players)
    head = f"{match_text.headline(seated)} · review\n{people} · {match_text.result(seated)}"
    link = "" if seated.id == IMPORTED else f"\n-# {seated.link}"
    foot = f"{review_text.lines(seated, review)}{link}"
    return views.framed(
        OVER, ui.TextDisplay(head), *views.galleries(drawing.pictures, ""), ui.TextDisplay(foot), *below
    )
