"""Lets people try a costly move of a finished match again: on a pad at that position, three times, then the answer.

Nothing is kept. The match, the move and the tries that are left stand in the buttons, and the partial move in the
message, as on every pad; so it goes on after a restart. What everybody may review, everybody may try.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from discord import ui

from bot.client.background.engine_pool import EnginePool
from bot.client.interactions.context import Interaction, is_ephemeral, user_of
from bot.client.interactions.custom_ids import CustomId, Match, Tap
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import by_tap, on, on_match
from bot.client.moves.trial_pad import Trial, TrialPad, turn_page
from bot.client.runtime.fair_queue import Asker, Order
from bot.client.runtime.thread_pool import Rank
from bot.client.study.patience import patiently
from bot.client.study.public_posts import forgotten
from bot.client.study.replay_viewer import STEP, MistakeButton, ReplayViewer
from bot.client.study.review_viewer import Reviews
from bot.client.text import match_text, review_text
from bot.client.views import edits, match_views, views
from bot.client.views.match_ids import ActButton
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.stored_review import CostlyMove
from bot.service.analysis import reviews, second_tries
from bot.service.analysis.reviews import legs_of
from bot.service.analysis.second_tries import TRIES, Mistake, Verdict

FLAWLESS = "No single move of this match stands out as a costly mistake, so there is nothing to try again."
LEADS_NOWHERE = "This button is out of date. Use /match review to get a fresh one."


class RetryId(CustomId, template="a:{match}:{leg}:{number}:{left}:{tap}"):
    """A button of the pad: a finished match, the leg (1 where there is one), the number of the move in it, and how many
    tries are left."""

    match: Match
    leg: Annotated[int, "[12]"]
    number: Annotated[int, "[0-9]{1,6}"]
    left: Annotated[int, "[1-3]"]
    tap: Tap


class RetryViewer:
    """Shows the pads on which moves are tried again, and what the tries come to."""

    def __init__(self, found: Reviews, engine_pool: EnginePool, renderer: Renderer, replays: ReplayViewer) -> None:
        self._reviews = found
        self._engine_pool = engine_pool
        self._renderer = renderer
        self._replays = replays
        self._pad = TrialPad(renderer)

    @on_match(ActButton, words="again", price=Price(8))
    async def begin(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show the costliest mistake of the person who asks, or of all who played, in a message of its own."""
        self._expect(interaction, seated)
        await interaction.response.defer(ephemeral=True, thinking=True)
        asker = user_of(interaction)
        making = self._reviews.of(seated, asker)
        found = await patiently(interaction, making, lambda: self._reviews.wait(asker), "It comes")
        worst = second_tries.costliest(found, seated.seat_of(asker))
        if worst is None:
            raise Refusal(FLAWLESS)
        it = await self._mistake(seated, worst[0], worst[1].number)
        view, files = await self._pad.page(trial_of(interaction, seated, it, TRIES))
        with forgotten():
            await edits.answer(interaction, view, files)

    @on(MistakeButton, price=lambda button: STEP if button.leg else Price(8))
    async def pressed(self, interaction: Interaction, button: MistakeButton) -> None:
        """Show the move that a button names, for another try; or the costliest mistake."""
        seated = await self._replays.load_kept(interaction, button.match)
        if not button.leg:
            return await self.begin(interaction, seated)
        self._expect(interaction, seated)
        it = await self._mistake(seated, button.leg, button.at)
        trial = trial_of(interaction, seated, it, button.left)
        return await turn_page(interaction, *await self._pad.page(trial))

    @on(RetryId, price=by_tap(play=Price(3), other=STEP))
    async def tapped(self, interaction: Interaction, button: RetryId) -> None:
        """Answer a button of the pad, or the one that opens it; the computer thinks about a move."""
        seated = await self._replays.load_kept(interaction, button.match)
        self._expect(interaction, seated)
        it = await self._mistake(seated, button.leg, button.number)
        trial = trial_of(interaction, seated, it, button.left)
        line = await self._pad.tapped(interaction, trial, button.tap)
        if line is not None:
            await self._judge(interaction, seated, it, line, button.left)

    def _expect(self, interaction: Interaction, seated: LoadedMatch) -> None:
        self._replays.replay_for(interaction, seated)
        reviews.expect_reviewable(seated)

    async def _mistake(self, seated: LoadedMatch, leg: int, number: int) -> Mistake:
        found = await self._renderer.run(partial(second_tries.mistake, seated, leg, number), Rank.LOOK)
        if found is None:
            raise Refusal(LEADS_NOWHERE)
        return found

    async def _judge(self, interaction: Interaction, seated: LoadedMatch, it: Mistake, line: str, left: int) -> None:
        """Say what a try comes to; it is looked at as long as a hint may take."""
        private = is_ephemeral(interaction)
        await (interaction.response.defer() if private else interaction.response.defer(ephemeral=True, thinking=True))
        asker = user_of(interaction)
        found = await self._reviews.of(seated, asker)
        costly = second_tries.costly_move(found, it.leg, it.step.number)
        if costly is None:
            raise Refusal(LEADS_NOWHERE)
        move = it.step.before.read(it.step.seat, line)
        asked = await self._renderer.run(partial(second_tries.question, seated, it, move), Rank.LOOK)
        order = Asker(seated.row.guild, asker)
        thought = await self._engine_pool.think(asked, Order.HINT, order) if asked else None
        verdict = second_tries.verdict(seated, it, costly, move, thought)
        view, files = await self._told(seated, it, costly, verdict, left - 1)
        with forgotten():
            await edits.answer(interaction, view, files)

    async def _told(
        self, seated: LoadedMatch, it: Mistake, costly: CostlyMove, verdict: Verdict, left: int
    ) -> tuple[ui.LayoutView, edits.Files]:
        """The board after a try, what it comes to, and the way to the next."""
        game, position = legs_of(seated.folded)[0].game, it.step.before.play(it.step.seat, verdict.move)
        drawing = await self._renderer.draw(game, position, Rank.LOOK)
        told = review_text.verdict_worded(game, it.step, position, verdict)
        text = review_text.tried(game, review_text.worded(game, it.step, costly), told, left)
        trial = Control(MistakeButton(seated.id, it.step.number, it.leg, left), match_views.TRY_AGAIN)
        again = [] if verdict.solves or not left else [views.row_of(trial)]
        view = views.framed(
            views.ACCENTS[it.step.seat - 1],
            ui.TextDisplay[Any](match_text.headline(seated)),
            *views.galleries(drawing.pictures, str(position)),
            ui.TextDisplay[Any](text),
            *again,
        )
        return view, drawing.files(str(position))


def trial_of(interaction: Interaction, seated: LoadedMatch, it: Mistake, left: int) -> Trial:
    """What the pad is about, with so many tries left."""
    game, said = legs_of(seated.folded)[0].game, headed(interaction, seated, it)

    def ids(tap: Tap) -> RetryId:
        return RetryId(seated.id, it.leg, it.step.number, left, tap)

    return Trial(game, it.step.before, it.step.seat, said, ids, LEADS_NOWHERE)


def headed(interaction: Interaction, seated: LoadedMatch, it: Mistake) -> str:
    """The line that says of which match the pad is, and what is to be done."""
    task = review_text.task(seated, it, seated.seat_of(user_of(interaction)))
    return f"{task}\n-# {seated.game.title} · match {seated.id}"
