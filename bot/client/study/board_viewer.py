"""Answers the buttons that show a match as it stands: one's own board, its details, its rules, what is seldom done."""

from __future__ import annotations

from bot.client.interactions.context import Interaction, is_ephemeral, user_of
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on_match
from bot.client.study.replay_viewer import ReplayViewer
from bot.client.views import edits, match_views
from bot.client.views.match_ids import ShowButton
from bot.client.views.replies import Replies
from bot.core.match.loaded_match import LoadedMatch
from bot.service.rules.refusals import expect_seat

LOOK = Price(2, looks=True)


class BoardViewer:
    """Shows a match to one person."""

    def __init__(self, replies: Replies, replays: ReplayViewer) -> None:
        self._replies = replies
        self._replays = replays

    @on_match(ShowButton, words="board", price=LOOK)
    async def show_board(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show somebody their own board."""
        expect_seat(seated, user_of(interaction))
        edit = is_ephemeral(interaction)
        await self._replies.own_board(interaction, seated, "Only you see this board.", edit=edit)

    @on_match(ShowButton, words="details", price=LOOK)
    async def show_details(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show all that explains the end of a match, to those who may see it."""
        await self._replies.details(interaction, self._replays.replay_for(interaction, seated).seated)

    @on_match(ShowButton, words="rules", price=LOOK)
    async def show_rules(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show the rules of the game."""
        await self._replies.rules(interaction, seated.game)

    @on_match(ShowButton, words="more")
    async def show_more(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Show what players can ask of the others, and what those who watch can do."""
        user, watched = user_of(interaction), not seated.game.secret and seated.row.state == "live"
        view = match_views.more(seated, None if watched and not seated.has(user) else expect_seat(seated, user))
        await edits.answer_anew(interaction, view)
