"""Answers interactions: with a line, the board that was pressed, the user's own board, a rules page or a draft.

An act is committed before it is answered, so the match is shown to all whatever the outcome of the answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Protocol

import aiohttp
from discord import HTTPException, RateLimited, ui

from bot.features.board import views
from bot.features.board.ids import ActButton
from bot.features.board.match_pictures import Renderer
from bot.features.pads import drafts, keypad
from bot.features.time import words as time_words
from bot.games.game import Game
from bot.games.legs import get_single_game
from bot.games.wording import join_sentences
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.interactions import Interaction, channel_of, is_private, user_of
from bot.platform.jobs import Rank
from bot.platform.routes import on_match
from bot.play import premoves, proposals
from bot.play.acts import ReturnedMove, StaleBoard, expect_seat
from bot.play.ids import MatchId, MessageId
from bot.play.lessons import load_rules_example
from bot.play.loaded_match import LoadedMatch, MatchView
from bot.play.record import Move
from bot.play.rows import MatchRow
from bot.umpire.umpire import ActResult, Umpire

LOOK = Price(2, looks=True)

steps = logging.getLogger("graphpaper.steps")


class Publishing(Protocol):
    """The part of the publisher that answers use."""

    def request_publish(self, match: MatchId, quiet: bool = False) -> None:
        """Show a match as soon as possible; no sooner for a `quiet` act where showing it has failed."""

    async def unpark(self, match: MatchId) -> None:
        """Let a match be shown again after Discord has refused its board."""

    def is_lost(self, row: MatchRow) -> bool:
        """Whether the channel of a match was deleted."""
        ...

    async def build_closed_view(self, loaded: LoadedMatch) -> tuple[ui.LayoutView, edits.Draw]:
        """The board of a match without its buttons, and the function that draws its pictures where they cannot be
        kept."""
        ...

    def note_closed(self, message: MessageId) -> None:
        """Remember that a board has no buttons any more."""


class Replies:
    """Answers the interactions of all features; an answer to a committed act has `within` seconds."""

    def __init__(self, umpire: Umpire, publisher: Publishing, renderer: Renderer, within: float) -> None:
        self._umpire = umpire
        self._publisher = publisher
        self._renderer = renderer
        self._within = within
        self._going = set[asyncio.Task[Any]]()
        """Removals of answers, and boards being drawn; an event loop keeps no strong references to its tasks."""

    @asynccontextmanager
    async def publish_afterwards(self, match: MatchId, quiet: bool = False) -> AsyncGenerator[None]:
        """Give the answer in this block its time, then have the match shown whatever the outcome; `quiet` where no
        other user may learn of the act."""
        try:
            async with asyncio.timeout(self._within):
                yield
        finally:
            self._publisher.request_publish(match, quiet)

    async def answer_act(self, interaction: Interaction, done: ActResult, line: str) -> None:
        """Answer an act and have the match shown; a repeated delivery has its answer already."""
        if done.repeated:
            return
        async with self.publish_afterwards(done.after.id, quiet=is_secret_act(done)):
            self._draw_ahead(done.after)
            await self._answer(interaction, done, line)
            steps.debug("answered %d", done.after.id)

    def _draw_ahead(self, after: LoadedMatch) -> None:
        """Start to draw the public board while the answer is sent: it is posted next."""
        if after.match:
            drawing = asyncio.create_task(self._renderer.draw_board(MatchView.of(after, None)))
            self._going.add(drawing)
            drawing.add_done_callback(self._on_drawn_ahead)

    def _on_drawn_ahead(self, drawing: asyncio.Task[platform_ui.Drawing]) -> None:
        self._going.discard(drawing)
        # The post of the board meets the same error, and logs it.
        _ = drawing.cancelled() or drawing.exception()

    async def _answer(self, interaction: Interaction, done: ActResult, line: str) -> None:
        """Choose the answer: on the public board it removes the buttons; on an own board, or in a game with secrets, it
        is the current own board; a pad is removed where the board follows; elsewhere it is a line with a link, which
        replaces an ephemeral question."""
        after, message, own = done.after, interaction.message, is_private(interaction)
        if after.row.publish_error and not is_secret_act(done):
            await self._unpark(interaction, done, line)
        elif message and keypad.is_pad(message.components) and not after.game.secret:
            if is_board_enough(interaction, after) and _has_moved(done):
                await self.take_away_pad(interaction)
            else:
                told = platform_ui.build_notice(f"{line}{_format_link_elsewhere(interaction, after)}")
                await edits.answer(interaction, told)
        elif message and own and not after.game.secret and not platform_ui.has_pictures(message.components):
            await self._replace_message(interaction, after, line)
        elif own or (after.game.secret and after.row.state == "live"):
            parked = (
                time_words.explain_kept_back(after, self._publisher.is_lost(after.row))
                if after.row.publish_error
                else ""
            )
            await self.show_own_board(
                interaction, after, join_sentences(line, parked), own, Rank.MOVE, answers=_has_moved(done)
            )
        elif message and message.id == done.before.row.board_message:
            await self._answer_on_board(interaction, done, MessageId(message.id))
        else:
            # The board that was pressed is not the match's any more: the link leads to the current one.
            link = f" {after.link}" if message else _format_link_elsewhere(interaction, after)
            deferred = interaction.response.is_done()
            await edits.answer_anew(interaction, f"{line}{link}")
            if not message and not deferred and is_board_enough(interaction, after) and _has_moved(done):
                self._remove_answer_soon(interaction)

    async def _replace_message(self, interaction: Interaction, after: LoadedMatch, line: str) -> None:
        """Replace the message that was used by a line, or send it as a new message where the answer was deferred; with
        the button to withdraw the user's own proposal."""
        user, proposal = user_of(interaction), proposals.open_proposal(after)
        seat = after.seat_of(user)
        asks = proposal.seat == seat if proposal else after.asks_to_abort(user)
        own = MatchView.of(after, seat) if asks else None
        place = "" if channel_of(interaction) == after.play_channel else f"\n-# {after.link}"
        view = platform_ui.build_notice(f"{line}{place}", *(views.make_proposal_buttons(own) if own else ()))
        if interaction.response.is_done():
            await edits.answer_anew(interaction, view)
        else:
            await edits.answer(interaction, view)

    async def take_away_pad(self, interaction: Interaction) -> None:
        """Answer a pad whose move is played by deleting it: the board says the rest."""
        await interaction.response.defer()
        self._remove_answer_soon(interaction)

    def _remove_answer_soon(self, interaction: Interaction) -> None:
        """Delete an answer, since a board follows that says the same. Discord requires an answer to a command, and a
        line about the move stays true where it cannot be deleted."""
        going = asyncio.create_task(_delete_answer(interaction))
        self._going.add(going)
        going.add_done_callback(self._going.discard)

    async def _unpark(self, interaction: Interaction, done: ActResult, line: str) -> None:
        """Answer with what was done and why it is not visible there, and retry to show it."""
        await self._publisher.unpark(done.after.id)
        await edits.answer_anew(
            interaction,
            time_words.describe_answer(done.after, line, _has_moved(done), self._publisher.is_lost(done.after.row)),
        )

    async def _answer_on_board(self, interaction: Interaction, done: ActResult, board: MessageId) -> None:
        """Take the buttons off a board that a new one follows; the publisher edits a board that stays."""
        if done.after.row.state == "live" and not done.after.users_to_ping:
            await interaction.response.defer()
            return
        view, draw = await self._publisher.build_closed_view(done.before)
        await edits.answer_for_all(interaction, view, draw, keep=True)
        self._publisher.note_closed(board)

    @on_match(ActButton, words="board", price=LOOK)
    async def show_board(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show a player their own board, also of a match that is over."""
        if loaded.row.state == "live" or not loaded.has(user_of(interaction)):
            expect_seat(loaded, user_of(interaction))
        message = interaction.message
        edit = is_private(interaction) and message is not None and platform_ui.has_pictures(message.components)
        await self.show_own_board(interaction, loaded, "Only you see this board.", edit=edit)

    @on_match(ActButton, words="more")
    async def show_more(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show what players can ask of the others, what spectators can do, and what else there is at the end."""
        user, watched = user_of(interaction), not loaded.game.secret and loaded.row.state == "live"
        if loaded.row.state == "finished":
            view = views.build_more_at_end(loaded, user)
        else:
            view = views.build_more(loaded, None if watched and not loaded.has(user) else expect_seat(loaded, user))
        await edits.answer_anew(interaction, view)

    @on_match(ActButton, words="rules", price=LOOK)
    async def show_match_rules(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        await self.show_rules(interaction, loaded.game)

    async def show_own_board(
        self, interaction: Interaction, loaded: LoadedMatch, text: str, edit: bool = False, rank: Rank = Rank.LOOK,
        answers: bool = False,
    ) -> None:  # fmt: skip
        """Show a match as the user may see it, in an ephemeral message: a new one, or by `edit` the one that was used;
        where it `answers` a move, the text names it."""
        user, loaded = user_of(interaction), await self._umpire.add_league(loaded)
        sight = MatchView.of(loaded, loaded.seat_of(user))
        drawing = await self._renderer.draw_board(sight, rank)
        verbs = ("",) if loaded.has(user) else views.list_spectator_verbs(loaded, user)
        view = views.build_board(sight, drawing.pictures, answers=answers, verbs=verbs)
        told = "\n".join(filter(None, (text, premoves.explain_dropped(loaded, user))))
        view.add_item(ui.TextDisplay(f"{told}\n-# {loaded.link}"))
        files = drawing.make_files(str(sight.position))
        if edit:
            await edits.answer(interaction, view, files)
        else:
            await edits.answer_anew(interaction, view, files)

    async def show_details(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show all that explains the end of a match, in an ephemeral message."""
        sight = MatchView.of(loaded, loaded.seat_of(user_of(interaction)))
        drawing = await self._renderer.draw_details(sight)
        view, files = views.build_details(sight, drawing.pictures), drawing.make_files(str(sight.position))
        await edits.answer_anew(interaction, view, files)

    async def show_rules(self, interaction: Interaction, game: Game) -> None:
        """Show the rules page of a game, with the board of its example, in an ephemeral message."""
        game = get_single_game(game)
        example = await self._renderer.run(partial(load_rules_example, game), Rank.LOOK)
        drawing = (
            (await self._renderer.draw(game, example, Rank.LOOK)).pick_one(1)
            if example
            else platform_ui.Drawing((), ())
        )
        view, files = views.build_rules(game, drawing.pictures, str(example)), drawing.make_files(str(example))
        await edits.answer_anew(interaction, view, files)

    async def show_further_rules(self, interaction: Interaction, game: Game) -> None:
        """Show the further rules below the rules page."""
        await edits.answer_anew(interaction, views.build_further_rules(get_single_game(game)))


async def _delete_answer(interaction: Interaction) -> None:
    """Delete an answer. Errors are ignored, as one that stays does no harm: it may be deleted already, Discord
    unreachable, or the bot about to stop, when aiohttp raises a RuntimeError about a closed session."""
    with suppress(HTTPException, RateLimited, aiohttp.ClientError, OSError, TimeoutError, RuntimeError):
        await interaction.delete_original_response()


def is_board_enough(interaction: Interaction, loaded: LoadedMatch) -> bool:
    """Whether the board that follows a move says everything in the channel of the interaction."""
    return not loaded.game.secret and channel_of(interaction) == loaded.play_channel


def _has_moved(done: ActResult) -> bool:
    after = done.after
    return after.row.plies > done.before.row.plies and isinstance(after.row.record[-1], Move)


def _format_link_elsewhere(interaction: Interaction, loaded: LoadedMatch) -> str:
    """A link to the match for a user in another channel."""
    return "" if channel_of(interaction) == loaded.play_channel else f" {loaded.link}"


def is_secret_act(done: ActResult) -> bool:
    """Whether an act added a line to the record that is hidden from all others. Nothing may then change where others
    see it, not even a retry of a board that could not be shown."""
    before, after = done.before, done.after
    return after.row.plies > before.row.plies and after.begun_match.version_for(None) == before.begun_match.version_for(
        None
    )


async def hand_back(interaction: Interaction, refusal: ReturnedMove, sentence: str) -> None:
    """Refuse a move and return its text, to be corrected: in place of its pad or draft, or as a new message."""
    view = drafts.build_refused_draft(refusal.loaded, refusal.seat, refusal.kind, refusal.values, sentence)
    shown = interaction.message.components if interaction.message else ()
    if drafts.read(refusal.kind, shown) is not None or keypad.is_pad(shown):
        await edits.answer(interaction, view)
    else:
        await edits.answer_anew(interaction, view)


def find_stale_match(fault: BaseException) -> LoadedMatch | None:
    """The match behind a stale board, to be shown with the refusal; None for other errors."""
    return fault.loaded if isinstance(fault, StaleBoard) else None
