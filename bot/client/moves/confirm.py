"""What cannot be undone asks first: leaving a match for good, and calling it off.

The question is for one person alone and its buttons hold the match's version, so that an answer to a match that has
gone on since does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.custom_ids import ButtonId
from bot.client.text import match_text
from bot.client.views import views
from bot.client.views.replies import Act, answered
from bot.core.match.loaded_match import Seated, Sight, person, together
from bot.core.values.ids import MatchId, UserId
from bot.core.values.seats import Viewer
from bot.service.rules import proposal_kinds
from bot.service.rules.refusals import Stale, expect_live, expect_seat

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper


async def resign(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Ask somebody who would leave a match whether they mean it."""
    seat = expect_seat(seated, user_of(interaction))
    await _ask(interaction, seated, seat, match_text.resigning(seated, seat), ("resign", "Resign"))


async def call_off(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Ask for a match to be called off; whoever would end it with that is asked whether they mean it."""
    user, manager = user_of(interaction), interaction.permissions.manage_guild
    change, seat = proposal_kinds.aborting(seated, user, manager, client.umpire.clock()), seated.seat_of(user)
    if change.ends:
        await _ask(interaction, seated, seat, match_text.calling_off(seated, user), ("abort", "Call it off"))
    elif proposal_kinds.asks_to_abort(seated, user):
        sentence = f"You have asked for that already: match {seated.id} ends as soon as {_waiting(seated, user)} too."
        await _ask(interaction, seated, seat, sentence, ("playon", "Take it back"), ("stay", "Leave it so"))
    else:
        await _call_off(client, interaction, seated.id)


def _waiting(seated: Seated, user: UserId) -> str:
    """What a wish to call a match off waits for: "B agrees", "B and C agree"."""
    asked = [person(other) for other in proposal_kinds.asked_to_abort(seated, user)]
    return f"{together(asked)} {'agrees' if len(asked) == 1 else 'agree'}"


async def _call_off(client: GraphPaper, interaction: Interaction, match: MatchId) -> None:
    """Call a match off, or ask for that; others may have asked or thought again since, so what is said is as stored."""
    user, manager = user_of(interaction), interaction.permissions.manage_guild
    done = await client.umpire.abort(act_of(interaction), match, user, manager)
    asks = f"You ask to call match {match} off: it ends as soon as {_waiting(done.after, user)} with /match abort"
    await answered(client, interaction, done, "The match is called off" if done.after.row.state == "aborted" else asks)


async def _ask(
    interaction: Interaction, seated: Seated, seat: Viewer, sentence: str, yes: tuple[str, str],
    no: tuple[str, str] = ("stay", "Play on"),
) -> None:  # fmt: skip
    view = views.question(seated, seat, sentence, yes, no)
    await interaction.response.send_message(view=view, ephemeral=True)


async def confirmed(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """The answer to a question; the match must still stand as it did when it was asked."""
    await expect_same(client, interaction, button)
    await CONFIRMED[button.verb](client, interaction, button)


async def expect_same(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """Refuse an answer to a question where the match has gone on since, as far as whoever was asked may know."""
    seated = await client.umpire.load(button.match)
    expect_live(seated)
    seat = seated.seat_of(user_of(interaction)) if button.own else None
    if button.version != Sight.of(seated, seat).version:
        raise Stale(
            "The match went on since you were asked, and nothing was done: ask again if you still mean it.", seated
        )


async def _resigned(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    done = await client.umpire.resign(act_of(interaction), button.match, user_of(interaction))
    await answered(client, interaction, done, "You resigned")


async def _called_off(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    await _call_off(client, interaction, button.match)


async def _plays_on(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    done = await client.umpire.play_on(act_of(interaction), button.match, user_of(interaction))
    await answered(client, interaction, done, "You play on")


CONFIRMED: Mapping[str, Act] = {"resign": _resigned, "abort": _called_off, "playon": _plays_on}
