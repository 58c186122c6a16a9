"""Hints for players whose turn it is: roughly where the best move is, then which it is.

Hints are ephemeral. A hint is computed, then counted in the match, then shown, then noted as shown: a player who asks
again on the same turn, after a restart too, gets the next one, and each counts once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress

from discord import ui

from bot.engine.levels import Thought
from bot.features.board.ids import ActButton, stamp
from bot.features.board.match_pictures import Renderer
from bot.features.computer.service import EnginePool
from bot.features.study.posts import wait_patiently
from bot.games.position import Seat
from bot.games.wording import Plural
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.interactions import Interaction, is_private, key_of, user_of
from bot.platform.jobs import Asker, JobPriority, Rank
from bot.platform.routes import on
from bot.platform.ui import Control
from bot.play import hints
from bot.play.acts import NotPossibleNow
from bot.play.hints import Stage
from bot.play.ids import InteractionId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal
from bot.play.rows import MatchRow
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Transaction

QUICKLY = 1.2
"""Seconds after which the answer is deferred; Discord takes one for three."""
IMPATIENT = "Your hint is on its way."
USED = Plural(
    "{number} hint used. Everybody sees this at the end.",
    "{number} hints used. Everybody sees this at the end.",
)
GONE_ON = "The match moved on after that hint. Use /match hint for a new one."

steps = logging.getLogger("graphpaper.steps")


class Askers:
    """The users who wait for a hint, each for one at a time."""

    def __init__(self) -> None:
        self._waiting: dict[UserId, InteractionId] = {}

    def is_repeated(self, user: UserId, act: InteractionId) -> bool:
        """Whether Discord delivers this interaction again while its hint is computed."""
        return self._waiting.get(user) == act

    @contextmanager
    def hold_request(self, user: UserId, act: InteractionId) -> Generator[None]:
        """Wait for a hint in this block; raises a `Refusal` where the user waits for one already."""
        if user in self._waiting:
            raise Refusal(IMPATIENT)
        self._waiting[user] = act
        try:
            yield
        finally:
            del self._waiting[user]


def has_hints(row: MatchRow) -> bool:
    """Whether players of a match may ask for hints."""
    return row.state == "live" and row.gives_hints


class HintViewer:
    def __init__(self, umpire: Umpire, engine_pool: EnginePool, renderer: Renderer) -> None:
        self._umpire = umpire
        self._engine_pool = engine_pool
        self._renderer = renderer
        self._askers = Askers()

    @on(ActButton, words="hint which", price=lambda button: Price(3 if button.verb == "hint" else 2))
    async def answer_button(self, interaction: Interaction, button: ActButton) -> None:
        """Give a hint; the second one only while the match is as at the first."""
        loaded = await self._umpire.load(button.match)
        if button.verb == "hint":
            await self.give(interaction, loaded)
            return
        seat = hints.expect_hint(loaded, user_of(interaction))
        if MatchView.of(loaded, seat).version != button.version:
            raise NotPossibleNow(GONE_ON)
        await self.give(interaction, loaded, "which")

    async def give(self, interaction: Interaction, loaded: LoadedMatch, stage: Stage = "where") -> None:
        """Give a hint up to a stage, or further where the user has seen that already."""
        user, act = user_of(interaction), key_of(interaction)
        seat = hints.expect_hint(loaded, user)
        if self._askers.is_repeated(user, act):
            return
        further = stage == "which" and is_private(interaction)
        with self._askers.hold_request(user, act):
            thought = await self._think(interaction, loaded, seat, further)
            where, which = await self._describe_hint(loaded, seat, thought)
            now = self._umpire.clock()
            # Without a hint about the place, only the move is counted.
            stages: Sequence[Stage] = hints.STAGES if where else ("which",)
            shown, count = await self._umpire.store.do(count_hints, loaded, seat, user, stage, now, act, stages)
            steps.debug("hinted %d", loaded.id)
            view = build_hint_view(loaded, seat, shown, where, which, count)
            if interaction.response.is_done() or further:
                await edits.answer(interaction, view)
            else:
                await edits.answer_anew(interaction, view)
            with suppress(Unavailable):  # The next press gives the same hint once more.
                await self._umpire.store.do(
                    Transaction.mark_acted, hints.make_first_hint_act(loaded, seat), loaded.id, now
                )

    async def _think(self, interaction: Interaction, loaded: LoadedMatch, seat: Seat, further: bool) -> Thought:
        """The engine's best move; the answer is deferred where that takes long."""
        question, asker = hints.make_hint_question(loaded, seat), Asker(loaded.row.guild, user_of(interaction))
        finding = asyncio.ensure_future(self._engine_pool.think(question, JobPriority.HINT, asker))
        try:
            await asyncio.wait([finding], timeout=QUICKLY)
            if not finding.done():
                response = interaction.response
                await (response.defer() if further else response.defer(ephemeral=True, thinking=True))
            if further:
                return await finding  # The first step of the hint is shown until then.
            waits = self._engine_pool.queue.estimate_wait
            return await wait_patiently(
                interaction, finding, lambda: waits(question), "Your hint comes in about {time}."
            )
        finally:
            finding.cancel()

    async def _describe_hint(self, loaded: LoadedMatch, seat: Seat, thought: Thought) -> tuple[str, str]:
        """The sentences of both steps of a hint."""
        scene = hints.scene_of(loaded, seat)

        def describe() -> tuple[str, str]:
            where = hints.describe_place(scene.game, scene.position, scene.seat, thought.move)
            return scene.name_leg(where), hints.describe_best_move(scene, thought)

        return await self._renderer.run(describe, Rank.LOOK)


def count_hints(
    tx: Transaction, loaded: LoadedMatch, seat: Seat, user: UserId, stage: Stage, now: int, by: InteractionId,
    stages: Sequence[Stage] = hints.STAGES,
) -> tuple[Stage, int]:  # fmt: skip
    """Count the steps in `stages` that a user gets for the first time; return the stage they have reached, and the
    number of hints they used. After the first step a user gets the second, unless the same press is delivered again."""
    tx.lock_guild(loaded.row.guild)
    row = tx.load_row(loaded.id)
    if row is None or row.state != "live" or seat not in row.turn or row.seat_of(user) != seat:
        raise NotPossibleNow(GONE_ON)
    if tx.mark_acted(by, loaded.id, now) and tx.find_match_acted_on(hints.make_first_hint_act(loaded, seat)):
        stage = "which"
    stage = stage if stage in stages else stages[-1]
    acts = {each: hints.make_hint_act(loaded, seat, each) for each in hints.STAGES}
    for each in stages[: stages.index(stage) + 1]:
        tx.count_hint(acts[each], loaded.id, user, now)
    player = tx.load_row(loaded.id)
    used = next(one.hints for one in player.players if one.user == user) if player else 0
    return "which" if tx.find_match_acted_on(acts["which"]) else "where", used


def build_hint_view(loaded: LoadedMatch, seat: Seat, stage: Stage, where: str, which: str, used: int) -> ui.LayoutView:
    hint = [where, *([which] if stage == "which" else [])]
    said = [f"💡 {one}" if at == 0 else one for at, one in enumerate(filter(None, hint))]
    said.append(f"-# {USED.fill_in(used)}")
    button = ActButton(*stamp(MatchView.of(loaded, seat)), "which")
    further = [Control(button, "Which move?")] if stage == "where" else []
    return platform_ui.build_notice("\n".join(said), *further)
