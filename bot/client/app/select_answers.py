"""Answers a select whose choice came to nothing, so that the same can be chosen again.

Discord's clients go on showing what was chosen in a select, and send the same choice no second time, until the message
changes. So a sentence beside the message does not do: on a message that one person alone sees, it stands above what is
stored, or where that cannot be read, above what the message showed. One that others see is edited from the store, and
the sentence is told to one person.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

import discord
from discord import ui

from bot.client.interactions.context import Interaction, data_of, is_ephemeral, is_select
from bot.client.interactions.custom_ids import ButtonId, PageId, component_id
from bot.client.interactions.errors import unanswerable
from bot.client.interactions.rate_limit import TooFast
from bot.client.views import edits, views
from bot.core.match.loaded_match import Refusal, UnknownMatch
from bot.core.values.ids import MatchId
from data.engine.database_errors import Unavailable

Stored = Callable[[Interaction, PageId], Awaitable[ui.LayoutView]]
"""Shows what a page has selects for, as it is stored."""

log = logging.getLogger(__name__)


class SelectAnswers:
    """Shows messages with selects again; `stored` has the pages that show what is stored, by their names, and `restore`
    edits the message of a challenge."""

    def __init__(self, stored: Mapping[str, Stored], restore: Callable[[MatchId], None]) -> None:
        self._stored = stored
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
        page = component_id(str(data_of(interaction).get("custom_id", "")))
        if not isinstance(page, PageId) or isinstance(fault, Unavailable | TimeoutError | TooFast):
            return None
        if (stored := self._stored.get(page.page)) is None:
            return None
        try:
            return await stored(interaction, page)
        except (Refusal, Unavailable):
            return None
        except Exception:
            log.exception("A message cannot be shown as it is stored.")
            return None

    def reset(self, interaction: Interaction, fault: BaseException) -> None:
        """Have a message that others see edited as it is stored, when the person has been told; unless it was refused
        as one of a match that is not here, whose number may be that of another by now."""
        chosen = component_id(str(data_of(interaction).get("custom_id", "")))
        seen_by_all = is_select(interaction) and not is_ephemeral(interaction)
        if seen_by_all and isinstance(chosen, ButtonId) and not isinstance(fault, UnknownMatch):
            self._restore(chosen.match)
