"""Answers a select whose choice came to nothing, so that the same can be chosen again.

Discord's clients go on showing what was chosen in a select, and send the same choice no second time, until the message
changes. So a sentence beside the message does not do: on a message that one person alone sees, it stands above what is
stored, or where that cannot be read, above what the message showed. One that others see is edited from the store, and
the sentence is told to one person.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import discord
from discord import ui

from bot.client.interactions.context import Interaction, is_ephemeral, is_select, used_of
from bot.client.interactions.custom_ids import OfMatch
from bot.client.interactions.errors import unanswerable
from bot.client.interactions.rate_limit import TooFast
from bot.client.interactions.routes import Routes
from bot.client.views import edits, views
from bot.core.match.loaded_match import Refusal, UnknownMatch
from bot.core.values.ids import MatchId
from data.engine.database_errors import Unavailable

log = logging.getLogger(__name__)


class SelectAnswers:
    """Shows messages with selects again; the routes have what shows them as they are stored, and `restore` edits the
    message of a challenge."""

    def __init__(self, routes: Routes, restore: Callable[[MatchId], None]) -> None:
        self._routes = routes
        self._restore = restore

    async def refused(self, interaction: Interaction, fault: BaseException, sentence: str) -> bool:
        """Show the message with the sentence above it; False where that does not do, and the sentence is still to be
        told: nothing is chosen there, others see it, it has changed with the answer, or Discord does not take it."""
        message, answered = interaction.message, interaction.response.type
        changes = answered in (None, discord.InteractionResponseType.deferred_message_update)
        if message is None or not (is_select(interaction) and is_ephemeral(interaction) and changes):
            return False
        stored = await self._as_stored(interaction, fault)
        shown = stored.to_components() if stored else views.sent(message)
        refused = views.with_refusal(shown, sentence, interaction.id)
        try:
            await edits.answer(interaction, refused, keep=True)
        except (discord.HTTPException, discord.RateLimited) as late:
            if unanswerable(late):
                raise
            return False
        return True

    async def _as_stored(self, interaction: Interaction, fault: BaseException) -> ui.LayoutView | None:
        """What the store says now; None where the message shows nothing of it, or the store is not to be asked: it
        cannot be, or there is no time, or somebody asks for too much."""
        used = used_of(interaction)
        stored = None if used is None else self._routes.stored.get((type(used), used.word))
        if stored is None or isinstance(fault, Unavailable | TimeoutError | TooFast):
            return None
        try:
            return await stored(interaction, used)
        except (Refusal, Unavailable):
            return None
        except Exception:
            log.exception("A message cannot be shown as it is stored.")
            return None

    def reset(self, interaction: Interaction, fault: BaseException) -> None:
        """Have a message that others see edited as it is stored, when the person has been told; unless it was refused
        as one of a match that is not here, whose number may be that of another by now."""
        chosen = used_of(interaction)
        seen_by_all = is_select(interaction) and not is_ephemeral(interaction)
        if seen_by_all and isinstance(chosen, OfMatch) and not isinstance(fault, UnknownMatch):
            self._restore(chosen.match)
