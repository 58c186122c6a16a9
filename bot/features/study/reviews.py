"""Reviews of matches that are over, and second tries of their costly moves."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Hashable, Sequence
from functools import partial
from typing import Annotated, Any, TypeVar

from discord import ui

from bot.engine.levels import SearchQuestion, Thought
from bot.features.board import words as board_words
from bot.features.board.ids import ActButton
from bot.features.board.match_pictures import Renderer, paint_pictures
from bot.features.computer.service import EnginePool
from bot.features.pads.pad_loop import Pads, PadUse, format_match_line, list_choices, turn_page
from bot.features.study import words
from bot.features.study.films import ALONE
from bot.features.study.posts import (
    EVERYBODY,
    PublicPost,
    PublicPosts,
    defer_answer,
    ignore_late_answer,
    may_be_shown,
    wait_patiently,
)
from bot.features.study.replays import STEP, MistakeButton, ReplayButton, ReplayViewer
from bot.games.position import Seat
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.custom_ids import CustomId, Match, Tap
from bot.platform.interactions import Interaction, is_outside, user_of
from bot.platform.jobs import Asker, JobPriority, Rank, SingleFlight, WaitEstimate, wait_for_result
from bot.platform.machine import loop_time
from bot.platform.routes import on, on_match, price_by_tap
from bot.platform.ui import OVER, Control, Drawing
from bot.play import reviews, rows
from bot.play.ids import UserId
from bot.play.loaded_match import LoadedMatch, Refusal, mention_user
from bot.play.partial_moves import PartialMove
from bot.play.records import IMPORTED
from bot.play.reviews import TRIES, Mistake, RetryVerdict, legs_of
from bot.play.rows import CostlyMove
from data.store import Reader, Store, Transaction

T = TypeVar("T")
Found = tuple[rows.Review, ...]
"""The reviews of a match: one, or one of each leg."""
USUAL = 20.0
"""The estimate for a review before one was measured, in seconds."""
WITHIN = 780.0
"""The time limit of a review, in seconds; Discord takes an answer for a quarter of an hour."""
MOST_WAITING, MOST_EACH = 20, 2
"""The most reviews under way at a time, and the most for which one user waits."""
IMPATIENT = "Two reviews are already on their way to you. Ask again when they are there."
CROWDED = "I am reviewing many matches right now. Try again in a few minutes."
TOO_LONG = "I was too busy to review this match. Try again in a while."


class Reviews:
    """Computes reviews, each once for all who wait for it, and stores them."""

    def __init__(self, engine_pool: EnginePool, renderer: Renderer, store: Store) -> None:
        self._engine_pool = engine_pool
        self._renderer = renderer
        self._store = store
        self._under_way: dict[Hashable, SingleFlight[Found]] = {}
        self._askers: list[UserId] = []
        self._needed = USUAL

    async def find_review(self, loaded: LoadedMatch, asker: UserId) -> Found:
        """The review of a match that is over; raises a `Refusal` where too many users wait for one."""
        about = loaded.id or (loaded.game.key, loaded.begun_match.options, loaded.row.record)
        found = self._under_way.get(about)
        if found is None and loaded.id != IMPORTED:
            if kept := await self._store.ask(Reader.load_review, loaded.id, reviews.version_of(loaded.game)):
                return rows.parse_reviews(kept)
            found = self._under_way.get(about)
        if self._askers.count(asker) >= MOST_EACH:
            raise Refusal(IMPATIENT)
        if found is None:
            if len(self._under_way) >= MOST_WAITING:
                raise Refusal(CROWDED)
            found = SingleFlight(asyncio.create_task(self._find_and_keep(loaded, asker)), Rank.IDLE)
            self._under_way[about] = found
        self._askers.append(asker)
        try:
            return await wait_for_result(about, found, self._under_way)
        finally:
            self._askers.remove(asker)

    def estimate_wait(self, asker: UserId) -> WaitEstimate | None:
        """How long a user waits whose reviews take turns with those of others; None without others."""
        others = set(self._askers) - {asker}
        return WaitEstimate(len(others), self._needed * (1 + len(others))) if others else None

    async def _find_and_keep(self, loaded: LoadedMatch, asker: UserId) -> Found:
        begun, match = loop_time(), loaded.begun_match
        found = await self._run_questions(
            reviews.review_match(match, loaded.id, loaded.row.imported_plies), loaded, asker
        )
        if loaded.id == IMPORTED:
            self._needed = (self._needed + loop_time() - begun) / 2
            return found
        judging = reviews.judge_match(match, loaded.id, loaded.row.imported_plies, reviews.seats_of(loaded))
        lost = await self._run_questions(judging, loaded, asker)
        self._needed = (self._needed + loop_time() - begun) / 2
        version, written = reviews.version_of(loaded.game), rows.format_reviews(found)
        await self._store.do(Transaction.keep_review, loaded.id, version, written, lost)
        return found

    async def _run_questions(
        self, work: Generator[SearchQuestion, Thought, T], loaded: LoadedMatch, asker: UserId
    ) -> T:
        """The result of some work that asks the engine questions."""
        thought: Thought | None = None
        while True:
            next_one = await self._renderer.run(partial(advance, work, thought), Rank.IDLE)
            if not isinstance(next_one, SearchQuestion):
                return next_one
            thought = await self._engine_pool.think(next_one, JobPriority.REVIEW, Asker(loaded.row.guild, asker))

    def close(self) -> None:
        """Cancel the reviews that are under way."""
        for found in self._under_way.values():
            found.making.cancel()


def advance(work: Generator[SearchQuestion, Thought, T], thought: Thought | None) -> SearchQuestion | T:
    """The next question of some work, or its result."""
    try:
        return next(work) if thought is None else work.send(thought)
    except StopIteration as stop:
        return stop.value


class ReviewViewer:
    def __init__(self, reviews: Reviews, renderer: Renderer, replays: ReplayViewer, posts: PublicPosts) -> None:
        self._reviews = reviews
        self._renderer = renderer
        self._replays = replays
        self._posts = posts

    @on(ReplayButton, words="review", price=Price(8))
    async def answer_button(self, interaction: Interaction, button: ReplayButton) -> None:
        """Review the match whose replay is shown in the message."""
        await self.begin(interaction, await self._replays.load(interaction, button.match, thinking=True))

    @on_match(ActButton, words="review", price=Price(8))
    async def begin(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show a review in an ephemeral message."""
        self._replays.expect_replay(interaction, loaded)
        reviews.expect_reviewable(loaded)
        if not interaction.response.is_done():
            await interaction.response.defer(ephemeral=True, thinking=True)
        asker = user_of(interaction)
        making = self._make_review(loaded, asker)
        review, drawing = await wait_patiently(
            interaction, making, lambda: self._reviews.estimate_wait(asker), "Your review comes in about {time}."
        )
        count = len(loaded.begun_match.record)
        again = (
            [Control(MistakeButton(loaded.id, count), words.TRY_AGAIN)]
            if loaded.id != IMPORTED and any(one.costly for one in review)
            else []
        )
        all_see = (
            [Control(ReplayButton(loaded.id, count, "tell"), EVERYBODY)]
            if loaded.id != IMPORTED and may_be_shown(loaded) and not is_outside(interaction)
            else []
        )
        view = build_review_view(
            loaded, review, drawing, [platform_ui.make_row(*again, *all_see)] if again or all_see else []
        )
        with ignore_late_answer():
            await edits.answer(interaction, view, drawing.make_files(""))

    @on(ReplayButton, words="tell", price=Price(4))
    async def share(self, interaction: Interaction, button: ReplayButton) -> None:
        """Post a review in the channel of the match."""
        loaded = await self._replays.load_kept(interaction, button.match)
        self._replays.expect_replay(interaction, loaded)
        reviews.expect_reviewable(loaded)
        if not may_be_shown(loaded):
            raise Refusal(ALONE)

        async def make() -> PublicPost:
            review, drawing = await self._make_review(loaded, user_of(interaction))
            return PublicPost(partial(build_review_view, loaded, review, drawing), drawing.make_files(""))

        await self._posts.show(interaction, loaded, make)

    async def _make_review(self, loaded: LoadedMatch, asker: UserId) -> tuple[Found, Drawing]:
        try:
            async with asyncio.timeout(WITHIN):
                review = await self._reviews.find_review(loaded, asker)
        except TimeoutError:
            raise Refusal(TOO_LONG) from None
        match = loaded.begun_match
        drawing = await self._renderer.run(lambda: paint_pictures(words.make_charts(match, review)), Rank.LOOK)
        return review, drawing


def build_review_view(
    loaded: LoadedMatch, review: Found, drawing: Drawing, below: Sequence[ui.Item[Any]] = ()
) -> ui.LayoutView:
    """A review as a message: the players and the result, the picture, the costly moves."""
    people = " – ".join(mention_user(player.user) for player in loaded.players)
    head = f"{board_words.format_headline(loaded)} · review\n{people} · {board_words.describe_lasting_result(loaded)}"
    link = "" if loaded.id == IMPORTED else f"\n-# {loaded.link}"
    foot = f"{words.describe_costly_moves(loaded, review)}{link}"
    return platform_ui.frame_view(
        OVER, ui.TextDisplay(head), *platform_ui.make_galleries(drawing.pictures, ""), ui.TextDisplay(foot), *below
    )


# A second try of a costly move: on a pad at that position, three times, then the answer.


FLAWLESS = "No single move of this match stands out as a costly mistake, so there is nothing to try again."
LEADS_NOWHERE = "This button is out of date. Use /match review to get a fresh one."


class RetryId(CustomId, template="a:{match}:{leg}:{number}:{left}:{tap}"):
    """A button of the pad: a finished match, the leg (1 where there is only one), the number of the move in it, and the
    tries that are left."""

    match: Match
    leg: Annotated[int, "[12]"]
    number: Annotated[int, "[0-9]{1,6}"]
    left: Annotated[int, "[1-3]"]
    tap: Tap


class RetryViewer:
    """Shows the pads on which moves are tried again, and the verdicts on the tries."""

    def __init__(self, found: Reviews, engine_pool: EnginePool, renderer: Renderer, replays: ReplayViewer) -> None:
        self._reviews = found
        self._engine_pool = engine_pool
        self._renderer = renderer
        self._replays = replays
        self._pads = Pads(renderer)

    @on_match(ActButton, words="again", price=Price(8))
    async def begin(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show the costliest mistake of the user, or of all players where the user is none, in a message of its own."""
        self._expect_reviewable(interaction, loaded)
        await interaction.response.defer(ephemeral=True, thinking=True)
        asker = user_of(interaction)
        making = self._reviews.find_review(loaded, asker)
        found = await wait_patiently(interaction, making, lambda: self._reviews.estimate_wait(asker), "It comes")
        worst = reviews.find_costliest(found, loaded.seat_of(asker))
        if worst is None:
            raise Refusal(FLAWLESS)
        it = await self._expect_mistake(loaded, worst[0], worst[1].number)
        view, files = await self._pads.build_page(self._make_use(interaction, loaded, it, TRIES))
        with ignore_late_answer():
            await edits.answer(interaction, view, files)

    @on(MistakeButton, price=lambda button: STEP if button.leg else Price(8))
    async def answer_button(self, interaction: Interaction, button: MistakeButton) -> None:
        """Show the pad for another try of the move that a button names; or of the costliest mistake."""
        loaded = await self._replays.load_kept(interaction, button.match)
        if not button.leg:
            return await self.begin(interaction, loaded)
        self._expect_reviewable(interaction, loaded)
        it = await self._expect_mistake(loaded, button.leg, button.at)
        use = self._make_use(interaction, loaded, it, button.left)
        return await turn_page(interaction, *await self._pads.build_page(use))

    @on(RetryId, price=price_by_tap(play=Price(3), other=STEP))
    async def answer_tap(self, interaction: Interaction, button: RetryId) -> None:
        """Answer a button of the pad."""
        loaded = await self._replays.load_kept(interaction, button.match)
        self._expect_reviewable(interaction, loaded)
        it = await self._expect_mistake(loaded, button.leg, button.number)
        await self._pads.answer_tap(interaction, self._make_use(interaction, loaded, it, button.left), button.tap)

    def _expect_reviewable(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        self._replays.expect_replay(interaction, loaded)
        reviews.expect_reviewable(loaded)

    async def _expect_mistake(self, loaded: LoadedMatch, leg: int, number: int) -> Mistake:
        found = await self._renderer.run(partial(reviews.find_mistake, loaded, leg, number), Rank.LOOK)
        if found is None:
            raise Refusal(LEADS_NOWHERE)
        return found

    def _make_use(self, interaction: Interaction, loaded: LoadedMatch, it: Mistake, left: int) -> PadUse:
        """The use that tries another move in place of a mistake, with `left` tries left."""
        step, game = it.step, legs_of(loaded.begun_match)[0].game
        task = words.describe_task(loaded, it, loaded.seat_of(user_of(interaction)))
        return PadUse(
            game, step.before, list_choices(game, step.before, step.seat), f"{task}\n-# {format_match_line(loaded)}",
            partial(RetryId, loaded.id, it.leg, step.number, left), LEADS_NOWHERE,
            partial(self._judge, interaction, loaded, it, left), alt=str(step.before),
        )  # fmt: skip

    async def _judge(
        self, interaction: Interaction, loaded: LoadedMatch, it: Mistake, left: int, _seat: Seat, tried: PartialMove
    ) -> None:  # fmt: skip
        """Search a try, as long as a hint may take, and show the verdict."""
        await defer_answer(interaction)
        asker = user_of(interaction)
        found = await self._reviews.find_review(loaded, asker)
        costly = reviews.costly_move(found, it.leg, it.step.number)
        if costly is None:
            raise Refusal(LEADS_NOWHERE)
        move = it.step.before.read(it.step.seat, tried.line)
        asked = await self._renderer.run(partial(reviews.make_retry_question, loaded, it, move), Rank.LOOK)
        order = Asker(loaded.row.guild, asker)
        thought = await self._engine_pool.think(asked, JobPriority.HINT, order) if asked else None
        verdict = reviews.judge_retry(loaded, it, costly, move, thought)
        view, files = await self._build_result(loaded, it, costly, verdict, left - 1)
        with ignore_late_answer():
            await edits.answer(interaction, view, files)

    async def _build_result(
        self, loaded: LoadedMatch, it: Mistake, costly: CostlyMove, verdict: RetryVerdict, left: int
    ) -> tuple[ui.LayoutView, edits.Files]:
        """The board after a try, the verdict, and the button for the next try."""
        game, position = legs_of(loaded.begun_match)[0].game, it.step.before.play(it.step.seat, verdict.move)
        drawing = await self._renderer.draw(game, position, Rank.LOOK)
        in_words = words.word_verdict(game, it.step, position, verdict)
        text = words.describe_try(game, words.word_costly_move(game, it.step, costly), in_words, left)
        trial = Control(MistakeButton(loaded.id, it.step.number, it.leg, left), words.TRY_AGAIN)
        again = [] if verdict.solves or not left else [platform_ui.make_row(trial)]
        view = platform_ui.frame_view(
            platform_ui.ACCENTS[it.step.seat - 1],
            ui.TextDisplay[Any](board_words.format_headline(loaded)),
            *platform_ui.make_galleries(drawing.pictures, str(position)),
            ui.TextDisplay[Any](text),
            *again,
        )
        return view, drawing.make_files(str(position))
