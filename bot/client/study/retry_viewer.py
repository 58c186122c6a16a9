"""Lets people try a costly move of a finished match again: on a pad at that position, three times, then the answer.

Nothing is kept. The match, the move and the tries that are left stand in the buttons, and the partial move in the
message, as on every pad; so it goes on after a restart. What everybody may review, everybody may try.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.client.background.engine_pool import EnginePool
from bot.client.interactions.context import Interaction, is_ephemeral, user_of
from bot.client.interactions.custom_ids import SECOND_TRY, ReplayId, RetryId, Tap
from bot.client.moves import pad_actions
from bot.client.runtime.fair_queue import Asker, Order
from bot.client.runtime.thread_pool import Rank
from bot.client.study.lesson_viewer import turn_page
from bot.client.study.patience import patiently
from bot.client.study.public_posts import forgotten
from bot.client.study.replay_viewer import ReplayViewer
from bot.client.study.review_viewer import Reviews
from bot.client.text import match_text, review_text
from bot.client.views import match_views, pad_view, views
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control
from bot.core.entry import pads as lines
from bot.core.entry.partial_move import PartialMove
from bot.core.game.moves import MoveKind
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.match.stored_review import CostlyMove
from bot.service.analysis import reviews, second_tries
from bot.service.analysis.reviews import legs_of
from bot.service.analysis.second_tries import TRIES, Mistake, Verdict

STEP = re.compile(f"{SECOND_TRY}(?P<leg>[12])(?P<left>[1-{TRIES}])")
"""What a button does that leads to a certain move: of this leg, with so many tries left."""
FLAWLESS = "Nobody made a costly mistake in this match, so there is nothing to try again."
LEADS_NOWHERE = "This button is out of date. Use /match review to get a fresh one."


class RetryViewer:
    """Shows the pads on which moves are tried again, and what the tries come to."""

    def __init__(self, found: Reviews, engine_pool: EnginePool, renderer: Renderer, replays: ReplayViewer) -> None:
        self._reviews = found
        self._engine_pool = engine_pool
        self._renderer = renderer
        self._replays = replays

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
        view, files = await self._page(interaction, seated, it, TRIES)
        with forgotten():
            await interaction.edit_original_response(view=view, attachments=files)

    async def pressed(self, interaction: Interaction, seated: LoadedMatch, button: ReplayId) -> None:
        """Show the move that a button names, for another try."""
        turned = STEP.fullmatch(button.step)
        if turned is None:
            raise Refusal(LEADS_NOWHERE)
        self._expect(interaction, seated)
        it = await self._mistake(seated, int(turned["leg"]), button.at)
        await turn_page(interaction, *await self._page(interaction, seated, it, int(turned["left"])))

    async def tapped(self, interaction: Interaction, seated: LoadedMatch, button: RetryId) -> None:
        """Answer a button of the pad, or the one that opens it."""
        self._expect(interaction, seated)
        it = await self._mistake(seated, button.leg, button.number)
        kind, tap = expect_kind(seated, it, button.tap.kind), button.tap
        so_far = pad_view.read(kind, interaction.message.components) if interaction.message else None
        if not kind.parts:
            await self._judge(interaction, seated, it, kind.write({}), button.left)
        elif so_far is None:
            await turn_page(interaction, *await self._page(interaction, seated, it, button.left, kind))
        else:
            stale = tap.step != pad_view.step(so_far)
            work = (lambda: so_far) if stale else pad_actions.changing(it.step.before, it.step.seat, so_far, tap)
            after = await self._renderer.run(work, Rank.LOOK)
            if tap.does == "play" and after.whole and not stale:
                await self._judge(interaction, seated, it, after.line, button.left)
            else:
                same = pad_actions.marked(so_far) == pad_actions.marked(after)
                pad = await self._pad(interaction, seated, it, button.left, after, pad_actions.page_of(tap))
                await turn_page(interaction, *pad, same)

    def _expect(self, interaction: Interaction, seated: LoadedMatch) -> None:
        self._replays.replay_for(interaction, seated)
        reviews.expect_reviewable(seated)

    async def _mistake(self, seated: LoadedMatch, leg: int, number: int) -> Mistake:
        found = await self._renderer.run(partial(second_tries.mistake, seated, leg, number), Rank.LOOK)
        if found is None:
            raise Refusal(LEADS_NOWHERE)
        return found

    async def _page(
        self, interaction: Interaction, seated: LoadedMatch, it: Mistake, left: int, kind: MoveKind | None = None
    ) -> tuple[ui.LayoutView, list[discord.File]]:
        """The pad for a kind of move, or for the only kind; else the board, with a button for each kind."""
        able = [kind] if kind else kinds(seated, it)
        position, seat = it.step.before, it.step.seat
        if len(able) == 1 and able[0].parts:
            begun = await self._renderer.run(partial(lines.begun, position, seat, able[0]), Rank.LOOK)
            return await self._pad(interaction, seated, it, left, begun)
        drawing = await self._renderer.draw(legs_of(seated.folded)[0].game, position, Rank.LOOK)
        buttons = [
            Control(RetryId(seated.id, it.leg, it.step.number, left, Tap(one.name, 0, "pick")), one.label)
            for one in able
        ]
        view = views.framed(
            views.ACCENTS[it.step.seat - 1],
            ui.TextDisplay[Any](headed(interaction, seated, it)),
            *views.galleries(drawing.pictures, str(position)),
            views.row_of(*buttons),
        )
        return view, drawing.files(str(position))

    async def _pad(
        self, interaction: Interaction, seated: LoadedMatch, it: Mistake, left: int, so_far: PartialMove, page: int = 0
    ) -> tuple[ui.LayoutView, list[discord.File]]:
        position, seat = it.step.before, it.step.seat
        keyboard = await self._renderer.run(partial(lines.keyboard, position, seat, so_far), Rank.LOOK)
        marked = pad_actions.marked(so_far)
        drawing = await self._renderer.sketch(legs_of(seated.folded)[0].game, position, seat, marked, Rank.LOOK)
        view = pad_view.view(
            so_far, keyboard, drawing.pictures, str(position), views.ACCENTS[it.step.seat - 1],
            lambda tap: RetryId(seated.id, it.leg, it.step.number, left, tap),
            where=headed(interaction, seated, it), page=page, form=False,
        )  # fmt: skip
        return view, drawing.files(str(position))

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
            await interaction.edit_original_response(view=view, attachments=files)

    async def _told(
        self, seated: LoadedMatch, it: Mistake, costly: CostlyMove, verdict: Verdict, left: int
    ) -> tuple[ui.LayoutView, list[discord.File]]:
        """The board after a try, what it comes to, and the way to the next."""
        game, position = legs_of(seated.folded)[0].game, it.step.before.play(it.step.seat, verdict.move)
        drawing = await self._renderer.draw(game, position, Rank.LOOK)
        text = review_text.tried(game, costly, verdict, left)
        trial = Control(ReplayId(seated.id, it.step.number, f"{SECOND_TRY}{it.leg}{left}"), match_views.TRY_AGAIN)
        again = [] if verdict.solves or not left else [views.row_of(trial)]
        view = views.framed(
            views.ACCENTS[it.step.seat - 1],
            ui.TextDisplay[Any](match_text.headline(seated)),
            *views.galleries(drawing.pictures, str(position)),
            ui.TextDisplay[Any](text),
            *again,
        )
        return view, drawing.files(str(position))


def kinds(seated: LoadedMatch, it: Mistake) -> list[MoveKind]:
    """The kinds of move that could be made in place of a move."""
    game = legs_of(seated.folded)[0].game
    return [kind for kind in game.moves if kind.when(it.step.before, it.step.seat)]


def expect_kind(seated: LoadedMatch, it: Mistake, name: str) -> MoveKind:
    """The kind of move with a name, if one could be made."""
    kind = next((kind for kind in kinds(seated, it) if kind.name == name), None)
    if kind is None:
        raise Refusal(LEADS_NOWHERE)
    return kind


def headed(interaction: Interaction, seated: LoadedMatch, it: Mistake) -> str:
    """The line that says of which match the pad is, and what is to be done."""
    task = review_text.task(seated, it, seated.seat_of(user_of(interaction)))
    return f"{task}\n-# {seated.game.title} · match {seated.id} · only you see this"
