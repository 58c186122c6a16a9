"""Which button and which form leads where. What is done there has modules of its own: `tables` before a match,
`tapping` and `moving` in it, `agreeing` on what players ask of each other, `confirmations` where something cannot be
undone, `responses` for what is only shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from bot.client.interactions.context import Interaction, user_of
from bot.client.interactions.custom_ids import ButtonId, FormId, ReplayId
from bot.client.lobby import claiming, lobby_actions, proposal_actions
from bot.client.moves import confirm, pad_actions, submit_move
from bot.client.study import hint_viewer, replay_viewer, review_viewer, sharing
from bot.client.views import views
from bot.client.views.replies import show_own_board, show_rules
from bot.core.match.loaded_match import Refusal
from bot.service.rules.refusals import expect_seat

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper


async def pressed(client: GraphPaper, interaction: Interaction, button: ButtonId) -> None:
    """A button under a challenge or a board; one that stands on a message that nobody knows of is closed."""
    if interaction.message and not interaction.message.flags.ephemeral:
        client.publisher.met(button.match, interaction.message)
    act = lobby_actions.LOBBY.get(button.verb)
    if act:
        await act(client, interaction, button)
    elif button.verb == "stay":
        await interaction.response.edit_message(view=views.notice("Nothing was changed."))
    elif button.verb in confirm.CONFIRMED:
        await confirm.confirmed(client, interaction, button)
    elif proposal_actions.known(button.verb):
        await proposal_actions.pressed(client, interaction, button)
    elif lobby_actions.REMATCH.fullmatch(button.verb):
        await lobby_actions.rematch(client, interaction, button)
    elif button.verb == "board":
        seated = await client.umpire.load(button.match)
        expect_seat(seated, user_of(interaction))
        own = interaction.message is not None and interaction.message.flags.ephemeral
        await show_own_board(client, interaction, seated, "Only you see this board.", edit=own)
    elif button.verb == "replay":
        await replay_viewer.begin(client, interaction, await client.umpire.load(button.match))
    elif button.verb == "review":
        await review_viewer.begin(client, interaction, await client.umpire.load(button.match))
    elif button.verb in hint_viewer.VERBS:
        await hint_viewer.pressed(client, interaction, button)
    elif button.verb == "rules":
        await show_rules(client, interaction, (await client.umpire.load(button.match)).game)
    elif not await claiming.pressed(client, interaction, button):
        seated = await client.umpire.load(button.match)
        if not await submit_move.mended(interaction, seated, button):
            await pad_actions.pressed(client, interaction, seated, button)


async def replayed(client: GraphPaper, interaction: Interaction, button: ReplayId) -> None:
    """A button under a replay, under the film that was made of it, or under a review."""
    if button.step in replay_viewer.STEPS:
        await replay_viewer.stepped(client, interaction, button)
    elif act := {**sharing.ACTS, **review_viewer.ACTS}.get(button.step):
        await act(client, interaction, await client.umpire.load(button.match))
    else:
        await not_ours()


async def submitted(client: GraphPaper, interaction: Interaction, form: FormId | None) -> None:
    """A form for a move, opened before or after the last restart."""
    if form is None:
        await not_ours()
    await submit_move.submitted(client, interaction, form)


async def not_ours() -> NoReturn:
    """A button or a form that no version of this program has made."""
    raise Refusal("That button or form leads nowhere any more: /match board shows the board with its buttons.")
