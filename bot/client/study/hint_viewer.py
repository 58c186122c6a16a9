"""Hints for whoever is to move, by command and by button: about where the best move is, then which it is.

Only the asker sees them. A hint is found first, then counted in the match, then shown: whoever asks again at the same
moment, after a restart too, is shown the same and counted once for each step.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from discord import ui

from bot.client.background.engine_pool import Order
from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.custom_ids import ButtonId
from bot.client.runtime.thread_pool import Rank
from bot.client.views import views
from bot.client.views.views import Control
from bot.core.match.loaded_match import Refusal, Seated, Sight
from bot.core.match.stored import MatchRow
from bot.core.values.ids import InteractionId, UserId
from bot.core.values.seats import Seat
from bot.search.thoughts import Thought
from bot.service.analysis import hints
from bot.service.analysis.hints import Stage
from bot.service.rules.refusals import Closed
from data.store import Transaction

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

VERBS = {"hint", "which"}
QUICKLY = 1.2
"""Seconds for a hint before the asker is told that it takes longer; the answer is due soon after."""
IMPATIENT = "You wait for a hint already: ask again when it is there."
GONE_ON = "The match has gone on since that hint: /match hint looks at it as it stands now."

steps = logging.getLogger("graphpaper.steps")


class Askers:
    """Who waits for a hint: of one person one is thought about at a time."""

    def __init__(self) -> None:
        self._waiting: dict[UserId, InteractionId] = {}

    def repeats(self, user: UserId, act: InteractionId) -> bool:
        """Whether this very act is delivered again while it is at work; its answer is under way."""
        return self._waiting.get(user) == act

    @contextmanager
    def one(self, user: UserId, act: InteractionId) -> Generator[None]:
        """Wait for a hint, or the refusal where somebody does so already."""
        if user in self._waiting:
            raise Refusal(IMPATIENT)
        self._waiting[user] = act
        try:
            yield
        finally:
            del self._waiting[user]


def wanted(row: MatchRow) -> bool:
    """Of which of several matches a hint is meant: those that have any."""
    return row.state == "live" and hints.are_given(row)


async def pressed(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """A button that asks for a hint; the second one only about the match as it stood at the first."""
    seated = await client.umpire.load(button.match)
    if button.verb == "hint":
        await asked(client, interaction, seated)
        return
    seat = hints.expect_hint(seated, user_of(interaction))
    if Sight.of(seated, seat).version != button.version:
        raise Closed(GONE_ON)
    await asked(client, interaction, seated, "which")


async def asked(client: GraphPaper, interaction: Interaction, seated: Seated, stage: Stage = "where") -> None:
    """Give somebody a hint up to a stage, or what they were given before."""
    user, act = user_of(interaction), act_of(interaction)
    seat = hints.expect_hint(seated, user)
    if client.askers.repeats(user, act):
        return
    edits = stage == "which" and interaction.message is not None and interaction.message.flags.ephemeral
    with client.askers.one(user, act):
        thought = await _thought(client, interaction, seated, seat, edits)
        where = await _where(client, seated, seat, thought)
        shown, count = await client.umpire.store.do(given, seated, seat, user, stage, client.umpire.clock())
    steps.debug("hinted %d", seated.id)
    view = told(seated, seat, shown, where, thought, count)
    if interaction.response.is_done():
        await interaction.edit_original_response(view=view)
    elif edits:
        await interaction.response.edit_message(view=view)
    else:
        await interaction.response.send_message(view=view, ephemeral=True)


async def _thought(client: GraphPaper, interaction: Interaction, seated: Seated, seat: Seat, edits: bool) -> Thought:
    """What the computer would play; where that takes long, Discord hears that it does."""
    finding = asyncio.ensure_future(client.searchers.think(hints.question(seated, seat), Order.HINT))
    try:
        await asyncio.wait([finding], timeout=QUICKLY)
        if not finding.done():
            await (interaction.response.defer() if edits else interaction.response.defer(ephemeral=True, thinking=True))
        return await finding
    finally:
        finding.cancel()


async def _where(client: GraphPaper, seated: Seated, seat: Seat, thought: Thought) -> str:
    scene = hints.scene_of(seated, seat)
    work = partial(hints.where, scene.game, scene.position, scene.seat, thought.move)
    return scene.lead + await client.renderer.run(work, Rank.LOOK)


def given(tx: Transaction, seated: Seated, seat: Seat, user: UserId, stage: Stage, now: int) -> tuple[Stage, int]:
    """Count what somebody is given now and was not before; and return how far they are, and how many hints they have
    used."""
    tx.go_alone(seated.row.guild)
    row = tx.row(seated.id)
    if row is None or row.state != "live" or seat not in row.turn or row.seat_of(user) != seat:
        raise Closed(GONE_ON)
    acts = {each: hints.act(seated, seat, each) for each in hints.STAGES}
    for each in hints.STAGES[: hints.STAGES.index(stage) + 1]:
        tx.count_hint(acts[each], seated.id, user, now)
    player = tx.row(seated.id)
    used = next(one.hints for one in player.players if one.user == user) if player else 0
    return "which" if tx.seen(acts["which"]) else "where", used


def told(seated: Seated, seat: Seat, stage: Stage, where: str, thought: Thought, used: int) -> ui.LayoutView:
    """A hint as its asker sees it, and the way to the next."""
    said = [f"💡 {where}"]
    if stage == "which":
        said.append(hints.which(hints.scene_of(seated, seat).game, seated.row.seats, thought))
    own = f"{used} hint{'s' if used > 1 else ''}"
    said.append(f"-# Only you see this. You have used {own} here, as everybody can see when the match is over.")
    version = Sight.of(seated, seat).version
    further = [Control(ButtonId(seated.id, version, "which", own=True), "Which move?")] if stage == "where" else []
    return views.notice("\n".join(said), *further)
