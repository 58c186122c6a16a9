"""What players ask of each other: the commands and buttons to ask, to agree, to refuse, and to think again.

A button carries what it answers (`proposals.mark_of`), so that nobody agrees to another wish than stood beside it.
Whoever would end the match with their word is asked first whether they mean it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from bot.client.interactions.context import Interaction, act_of, client_of, user_of
from bot.client.interactions.custom_ids import ButtonId
from bot.client.text import proposal_text
from bot.client.views import views
from bot.client.views.replies import answered
from bot.core.match.loaded_match import Seated
from bot.core.match.proposal import Kind
from bot.core.match.stored import MatchRow
from bot.core.values.seats import Seat
from bot.service.rules import computer_levels, computer_seats, proposals
from bot.service.umpire.consent import Consent
from bot.service.umpire.umpire import Done

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

ANSWER = re.compile("(agree|sure|refuse)([0-9a-f]{12})")
"""The verb of a button that answers a wish: agreeing, agreeing for sure, refusing; and which wish."""
ASKS: Mapping[str, Kind] = {"takeback": "takeback", "resume": "resume"}
"""What is asked for with a button, by its verb."""


def known(verb: str) -> bool:
    """Whether a button is one of these."""
    return verb in ASKS or ANSWER.fullmatch(verb) is not None


async def pressed(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """A button that asks for something, or answers."""
    seated = await client.umpire.load(button.match)
    # Where it matters how a board stood, nothing is secret: all who look count the same lines.
    seen, answer = button.version, ANSWER.fullmatch(button.verb)
    if answer is None:
        kind = ASKS[button.verb]
        done = await Consent(client.umpire).propose(act_of(interaction), seated.id, user_of(interaction), kind, seen)
        await asked(client, interaction, done, kind)
    elif answer[1] == "refuse":
        await _refuse(client, interaction, seated, answer[2], seen)
    else:
        await _agree(client, interaction, seated, answer[2], seen, sure=answer[1] == "sure")


def wanted(kind: Kind) -> Callable[[MatchRow], bool]:
    """Of which of several matches a command is meant: where that is asked, and to go on, where the match is paused."""

    def is_meant(row: MatchRow) -> bool:
        asked = row.proposal is not None and row.proposal.startswith(kind)
        return asked or (kind == "resume" and row.paused is not None)

    return is_meant


async def ordered(interaction: Interaction, seated: Seated, kind: Kind) -> None:
    """A command: ask all others for something; or, where that is asked already, answer or think again."""
    client, user = client_of(interaction), user_of(interaction)
    wish = proposals.open_proposal(seated)
    if wish and wish.kind == kind and wish.seat == seated.seat_of(user):
        await think_again(interaction, seated, wish.seat)
        return
    if wish and wish.kind == kind and await _ends(client, interaction, seated):
        return
    if kind == "draw" and not wish and computer_levels.level(seated.row):
        await _draw(client, interaction, seated)
        return
    done = await Consent(client.umpire).propose(act_of(interaction), seated.id, user, kind)
    await asked(client, interaction, done, kind)


async def _draw(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Offer a draw where computers play: they take a while to think about it, and the answer is promised for then."""
    user = user_of(interaction)
    computer_seats.asked(seated, user, client.umpire.clock())
    await interaction.response.defer(ephemeral=True, thinking=True)
    done = await Consent(client.umpire).draw(act_of(interaction), seated.id, user, client.searchers.think)
    if done.after.row.state == "live" and proposals.open_proposal(done.after) is None:
        await answered(client, interaction, done, proposal_text.declined(done.after))
    else:
        await asked(client, interaction, done, "draw")


async def think_again(interaction: Interaction, seated: Seated, seat: Seat) -> None:
    """Whoever asks for the same twice may mean to ask no more."""
    sentence = f"You have asked for that already: it is done as soon as {proposal_text.waiting(seated)}."
    again = (f"refuse{proposals.mark_of(seated)}", "Withdraw it")
    view = views.question(seated, seat, sentence, again, ("stay", "Leave it so"))
    await interaction.response.send_message(view=view, ephemeral=True)


async def asked(client: GraphPaper, interaction: Interaction, done: Done, kind: Kind) -> None:
    """Say what became of a wish: it is put to the others, or done where another had asked, or nobody is to be asked."""
    wish = proposals.open_proposal(done.after)
    if wish is None:
        line = proposal_text.DONE[kind]
    elif wish.seat == done.after.seat_of(user_of(interaction)):
        line = proposal_text.asks(done.after, kind)
    else:
        line = f"You agree: it is done as soon as {proposal_text.waiting(done.after)}"
    await answered(client, interaction, done, line)


async def _agree(
    client: GraphPaper, interaction: Interaction, seated: Seated, mark: str, seen: int, sure: bool
) -> None:
    if not sure and mark == proposals.mark_of(seated) and await _ends(client, interaction, seated):
        return
    wish = proposals.open_proposal(seated)
    done = await Consent(client.umpire).agree(act_of(interaction), seated.id, user_of(interaction), mark, seen)
    if proposals.open_proposal(done.after):
        await answered(
            client, interaction, done, f"You agree: it is done as soon as {proposal_text.waiting(done.after)}"
        )
    else:
        await answered(client, interaction, done, proposal_text.DONE[wish.kind] if wish else "You agree")


async def _ends(client: GraphPaper, interaction: Interaction, seated: Seated) -> bool:
    """Ask whoever would end the match by agreeing whether they mean it."""
    user, wish = user_of(interaction), proposals.open_proposal(seated)
    if wish is None or wish.kind != "draw" or not proposals.agreeing(seated, user, client.umpire.clock()).ends:
        return False
    sentence = f"Agree to a draw? Match {seated.id} ends with that.\n-# {seated.game.title} · {seated.link}"
    yes = (f"sure{proposals.mark_of(seated)}", "Agree to a draw")
    view = views.question(seated, seated.seat_of(user), sentence, yes, ("stay", "Play on"))
    await interaction.response.send_message(view=view, ephemeral=True)
    return True


async def _refuse(client: GraphPaper, interaction: Interaction, seated: Seated, mark: str, seen: int) -> None:
    wish, user = proposals.open_proposal(seated), user_of(interaction)
    done = await Consent(client.umpire).refuse(act_of(interaction), seated.id, user, mark, seen)
    own = wish is not None and wish.seat == done.after.seat_of(user)
    await answered(client, interaction, done, "You withdrew your wish" if own else "You refused")
