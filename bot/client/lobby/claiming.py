"""When somebody's time has run out: those who wait claim the match, which asks first, or give more time.

The buttons stand under the board, for each seat that ran out; whether they still mean anything is decided by the match
as it stands when they are pressed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.custom_ids import ButtonId
from bot.client.moves.confirm import expect_same
from bot.client.text import clock_text
from bot.client.views import views
from bot.client.views.replies import answered
from bot.core.match.loaded_match import Seated, person
from bot.core.match.stored import MatchRow
from bot.core.values.seats import Seat
from bot.service.rules import claims

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

VERBS = re.compile("(claim|claimed|give)([1-8])")
"""Of buttons: to be asked about a claim, to mean it, to give time; and the seat that ran out of it."""


async def pressed(client: GraphPaper, interaction: Interaction, button: ButtonId) -> bool:
    """Do what a button about somebody's time says; False where it says something else."""
    found = VERBS.fullmatch(button.verb)
    if not found:
        return False
    verb, seat = found[1], int(found[2])
    if verb == "claimed":
        await _claimed(client, interaction, button, seat)
    elif verb == "claim":
        await claim(interaction, await client.umpire.load(button.match), seat)
    else:
        await give(client, interaction, await client.umpire.load(button.match), seat)
    return True


def wanted(row: MatchRow) -> bool:
    """Whether somebody ran out of time in a match."""
    return any(player.lapse is not None for player in row.players)


async def claim(interaction: Interaction, seated: Seated, seat: Seat | None = None) -> None:
    """Ask somebody who would claim a match whether they mean it; where no seat is named, about who ran out first."""
    user = user_of(interaction)
    change, player = claims.claiming(seated, user, seat), claims.expect_late(seated, seat)
    sentence = clock_text.claiming(seated, player, ends=change.ends is not None)
    yes, no = (f"claimed{player.seat}", "Claim"), ("stay", "Wait on")
    view = views.question(seated, seated.seat_of(user), sentence, yes, no)
    await interaction.response.send_message(view=view, ephemeral=True)


async def _claimed(client: GraphPaper, interaction: Interaction, button: ButtonId, seat: Seat) -> None:
    await expect_same(client, interaction, button)
    done = await client.timer.deadlines.claim(act_of(interaction), button.match, user_of(interaction), seat)
    ended = done.after.row.state != "live"
    out = "You claimed the match" if ended else f"{person(done.after.user_at(seat))} is out, and the match goes on"
    await answered(client, interaction, done, out)


async def give(client: GraphPaper, interaction: Interaction, seated: Seated, seat: Seat | None = None) -> None:
    """Give more time to a seat that ran out of it; where none is named, to who did so first."""
    claims.giving(seated, user_of(interaction), seat)
    player = claims.expect_late(seated, seat)
    done = await client.timer.deadlines.give(act_of(interaction), seated.id, user_of(interaction), player.seat)
    await answered(client, interaction, done, f"You gave {person(player.user)} 3 more days")
