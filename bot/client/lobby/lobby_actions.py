"""What people do under a challenge or at an open table, and the rematch under a board that is done."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.client.interactions.context import (
    Interaction,
    act_of,
    expect_computer,
    level_of,
    user_of,
    values_of,
)
from bot.client.interactions.custom_ids import ButtonId
from bot.client.views import views
from bot.client.views.replies import Act, showing
from bot.core.values.ids import MessageId
from bot.service.rules import computer_levels, computer_seats
from bot.service.umpire.umpire import Done
from data.store import Transaction

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

steps = logging.getLogger("graphpaper.steps")


async def accept(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Accept a challenge, or sit down at an open table."""
    lobby = MessageId(interaction.message.id) if interaction.message else None
    done = await client.umpire.accept(act_of(interaction), button.match, user_of(interaction), lobby)
    await _answered(client, interaction, done)


async def leave(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Get up from an open table."""
    done = await client.umpire.leave(act_of(interaction), button.match, user_of(interaction))
    await _answered(client, interaction, done)


async def decline(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Decline a challenge."""
    done = await client.umpire.decline(act_of(interaction), button.match, user_of(interaction))
    await _answered(client, interaction, done)


async def cancel(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Take a challenge back."""
    manager = interaction.permissions.manage_guild
    done = await client.umpire.cancel(act_of(interaction), button.match, user_of(interaction), manager)
    await _answered(client, interaction, done)


async def begin(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Begin with those who have sat down."""
    done = await client.umpire.begin(act_of(interaction), button.match, user_of(interaction))
    await _answered(client, interaction, done)


async def computer(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Have a computer sit down on a free seat, or all of them get up again."""
    user, chosen = user_of(interaction), values_of(interaction)
    if chosen == [views.UP]:
        done = await client.umpire.act(
            act_of(interaction), button.match, user, lambda seated: computer_seats.rising(seated, user)
        )
        return await _answered(client, interaction, done)
    expect_computer(client)
    level = level_of(chosen)
    done = await client.umpire.act(
        act_of(interaction), button.match, user, lambda seated: computer_seats.seating(seated, user, level)
    )
    return await _answered(client, interaction, done)


REMATCH = re.compile("rematch([1-6]?)")
"""The verb of a rematch, and the level of the computer in it where that is to be another."""


async def rematch(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Ask for the same match again with the seats passed on, or agree to it; with a number behind the verb, against the
    computer of that level."""
    found = REMATCH.fullmatch(button.verb)
    level = int(found[1]) if found and found[1] else None
    if computer_levels.level((await client.umpire.load(button.match)).row):
        expect_computer(client)
    seated = await client.umpire.rematch(act_of(interaction), button.match, user_of(interaction), level)
    async with showing(client, interaction, seated.id):
        line = (
            f"The rematch is on, match {seated.id}" if seated.match else "The rematch begins when all have agreed to it"
        )
        await interaction.response.send_message(f"{line}: {seated.link}", ephemeral=True)


async def _answered(client: GraphPaper, interaction: Interaction, done: Done) -> None:
    if done.repeated:
        return
    if done.after.row.parked:
        # Whatever closed the channel to us then, it is tried again now.
        await client.umpire.store.do(Transaction.park, done.after.id, None)
    async with showing(client, interaction, done.after.id):
        await interaction.response.edit_message(view=await client.publisher.lobbies.view(done.after))
        steps.debug("answered %d", done.after.id)


LOBBY: Mapping[str, Act] = {
    "accept": accept,
    "join": accept,
    "leave": leave,
    "decline": decline,
    "begin": begin,
    "cancel": cancel,
    "computer": computer,
}
