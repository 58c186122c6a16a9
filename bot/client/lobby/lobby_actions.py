"""Answers the buttons under a challenge or an open table, and the one for a rematch."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable

from discord import ui

from bot.client.interactions.context import Interaction, act_of, level_of, user_of, values_of
from bot.client.interactions.custom_ids import ButtonId
from bot.client.lobby.challenges import Challenges
from bot.client.views import edits, match_views
from bot.client.views.replies import Replies
from bot.core.match.loaded_match import LoadedMatch
from bot.core.values.ids import InteractionId, MatchId, MessageId, UserId
from bot.service.rules import computer_levels, computer_seats
from bot.service.umpire.umpire import Done, Umpire

REMATCH = re.compile("rematch([1-6]?)")
"""The verb of a rematch; the number is another level of the computer."""

Draws = Callable[[LoadedMatch], Awaitable[ui.LayoutView]]
"""Draws the lobby of a challenge."""
REMATCH_BEGUN = "The rematch has started. It's match {match}: {link}"
REMATCH_ASKED = "The rematch starts as soon as everybody agrees: {link}"
Unparks = Callable[[MatchId], Awaitable[None]]
"""Lets a match be shown again after Discord has refused it."""

steps = logging.getLogger("graphpaper.steps")


class LobbyActions:
    """What people do at a table before a match begins."""

    def __init__(self, umpire: Umpire, challenges: Challenges, replies: Replies, lobby: Draws, unpark: Unparks) -> None:
        self._umpire = umpire
        self._challenges = challenges
        self._replies = replies
        self._lobby = lobby
        self._unpark = unpark

    async def accept(self, interaction: Interaction, button: ButtonId) -> None:
        """Accept a challenge, or sit down at an open table."""
        lobby = MessageId(interaction.message.id) if interaction.message else None
        done = await self._umpire.accept(act_of(interaction), button.match, user_of(interaction), lobby)
        await self._answered(interaction, done)

    async def leave(self, interaction: Interaction, button: ButtonId) -> None:
        """Get up from an open table."""
        await self._answered(interaction, await self._umpire.leave(*_about(interaction, button)))

    async def decline(self, interaction: Interaction, button: ButtonId) -> None:
        """Decline a challenge."""
        await self._answered(interaction, await self._umpire.decline(*_about(interaction, button)))

    async def cancel(self, interaction: Interaction, button: ButtonId) -> None:
        """Take a challenge back."""
        manager = interaction.permissions.manage_guild
        await self._answered(interaction, await self._umpire.cancel(*_about(interaction, button), manager))

    async def begin(self, interaction: Interaction, button: ButtonId) -> None:
        """Begin with the people who have sat down."""
        await self._answered(interaction, await self._umpire.begin(*_about(interaction, button)))

    async def computer(self, interaction: Interaction, button: ButtonId) -> None:
        """Let a computer sit down on a free seat, or all computers get up again."""
        user, chosen = user_of(interaction), values_of(interaction)
        if chosen == [match_views.UP]:
            done = await self._umpire.act(
                *_about(interaction, button), lambda seated: computer_seats.rising(seated, user)
            )
        else:
            self._challenges.expect_computer()
            level = level_of(chosen)
            done = await self._umpire.act(
                *_about(interaction, button), lambda seated: computer_seats.seating(seated, user, level)
            )
        await self._answered(interaction, done)

    async def rematch(self, interaction: Interaction, button: ButtonId) -> None:
        """Ask for the same match again with the seats passed on, or agree to it; perhaps at another level of the
        computer."""
        found = REMATCH.fullmatch(button.verb)
        level = int(found[1]) if found and found[1] else None
        if computer_levels.level((await self._umpire.load(button.match)).row):
            self._challenges.expect_computer()
        seated = await self._umpire.rematch(*_about(interaction, button), level)
        told = REMATCH_BEGUN if seated.match else REMATCH_ASKED
        async with self._replies.showing(seated.id):
            await edits.answer_anew(interaction, told.format(match=seated.id, link=seated.link))

    async def _answered(self, interaction: Interaction, done: Done) -> None:
        """Show the lobby as it stands now."""
        if done.repeated:
            return
        if done.after.row.parked:
            await self._unpark(done.after.id)
        async with self._replies.showing(done.after.id):
            await edits.answer(interaction, await self._lobby(done.after))
            steps.debug("answered %d", done.after.id)


def _about(interaction: Interaction, button: ButtonId) -> tuple[InteractionId, MatchId, UserId]:
    return act_of(interaction), button.match, user_of(interaction)
