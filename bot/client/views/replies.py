"""How an interaction is answered: with a line, the board it was pressed on, one's own board, a page or a draft.

An act is committed before it is answered, so whatever becomes of the answer, the match is shown to everybody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import discord

from bot.client.interactions.context import Interaction, channel_of, user_of
from bot.client.interactions.custom_ids import ButtonId
from bot.client.runtime.thread_pool import Rank
from bot.client.views import drafts, pad_view, views
from bot.core.game.game import Game
from bot.core.game.legs import Leg, seat_in
from bot.core.game.two_legs import once
from bot.core.library.catalogue import rules_example
from bot.core.match.leg_records import records
from bot.core.match.loaded_match import Refusal, Seated, Sight
from bot.core.match.record import Move
from bot.core.values.computer_users import is_computer, level_of
from bot.core.values.ids import MatchId, UserId
from bot.service.rules.refusals import Returned, Stale
from bot.service.umpire.umpire import Done
from data.store import Transaction

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

Act = Callable[["GraphPaper", Interaction, ButtonId], Awaitable[None]]
"""What a button of a match does."""

steps = logging.getLogger("graphpaper.steps")


@asynccontextmanager
async def showing(
    client: GraphPaper, interaction: Interaction, match: MatchId, quiet: bool = False
) -> AsyncGenerator[None]:
    """Answer an act that is committed, while there is time, and have the match shown whatever becomes of the answer;
    `quiet` where nobody else is to learn that somebody has acted."""
    try:
        async with asyncio.timeout(client.settings.answer_within):
            yield
    finally:
        client.publisher.soon(match, quiet)


async def answered(client: GraphPaper, interaction: Interaction, done: Done, line: str) -> None:
    """Answer an act and have the match shown, whatever becomes of the answer."""
    if done.repeated:
        return
    async with showing(client, interaction, done.after.id, quiet=in_secret(done)):
        await _answer(client, interaction, done, line)
        steps.debug("answered %d", done.after.id)


async def _answer(client: GraphPaper, interaction: Interaction, done: Done, line: str) -> None:
    """On the public board, the answer takes the buttons off it; on an own board, or where there are secrets, it is
    the own board as it stands now; elsewhere it is a line with a link."""
    after, message = done.after, interaction.message
    own = message is not None and message.flags.ephemeral
    if after.row.parked and not in_secret(done):
        await unparked(client, interaction, after)
    elif message and pad_view.stands_on(message.components) and not after.game.secret:
        await interaction.response.edit_message(
            view=views.notice(f"{line}.{_elsewhere(interaction, after)}", *_second_thoughts(interaction, done)),
            attachments=[],
        )
    elif own or (after.game.secret and after.row.state == "live"):
        parked = f" The board could not be shown in its place: {after.row.parked}." if after.row.parked else ""
        await show_own_board(client, interaction, after, f"{line}.{parked}", edit=own, rank=Rank.MOVE)
    elif message and message.id == done.before.row.board_message:
        await _answer_on_board(client, interaction, done)
    else:
        # Who pressed a board that is not the match's any more is led to the one that is.
        link = f" {after.link}" if message else _elsewhere(interaction, after)
        await _in_a_line(interaction, f"{line}.{link}", _second_thoughts(interaction, done))


async def _in_a_line(interaction: Interaction, line: str, buttons: list[views.Control]) -> None:
    if interaction.response.is_done():
        # The answer was promised; what was done took a while.
        await interaction.followup.send(line, ephemeral=True)
    elif buttons:
        await interaction.response.send_message(view=views.notice(line, *buttons), ephemeral=True)
    else:
        await interaction.response.send_message(line, ephemeral=True)


def _second_thoughts(interaction: Interaction, done: Done) -> list[views.Control]:
    """The way to take back a move, for whoever has just made it."""
    seat, after = done.after.seat_of(user_of(interaction)), done.after
    moved = after.row.plies > done.before.row.plies and isinstance(after.row.record[-1], Move)
    return views.second_thoughts(after, seat) if seat and moved else []


def _elsewhere(interaction: Interaction, seated: Seated) -> str:
    """Where the match is, for whoever is not there."""
    return "" if channel_of(interaction) == seated.place else f" {seated.link}"


def in_secret(done: Done) -> bool:
    """Whether an act added a line to the record of which nobody else learns: then nothing may happen where all see it,
    not even that a board that could not be shown is tried again."""
    before, after = done.before, done.after
    return after.row.plies > before.row.plies and after.folded.version_for(None) == before.folded.version_for(None)


async def _answer_on_board(client: GraphPaper, interaction: Interaction, done: Done) -> None:
    """Take the buttons off a board that a new one follows; a board that is edited in place is left to the publisher."""
    before, after = done.before, done.after
    assert interaction.message
    if after.row.state == "live" and not after.untold:
        await interaction.response.defer()
        return
    view = await client.publisher.boards.closed_view(before, before.row.plies)
    await interaction.response.edit_message(view=view)
    client.publisher.boards.closed.add(interaction.message.id)


async def unparked(client: GraphPaper, interaction: Interaction, seated: Seated) -> None:
    """Explain why the board could not be shown, and have it tried again."""
    await client.umpire.store.do(Transaction.park, seated.id, None)
    text = f"That counts, but the board could not be shown: {seated.row.parked}. I try again now."
    await _in_a_line(interaction, text, [])


async def show_own_board(
    client: GraphPaper, interaction: Interaction, seated: Seated, text: str, edit: bool = False, rank: Rank = Rank.LOOK
) -> None:
    """Show somebody the match as they may see it, for their eyes only; in place of their own board, or as a new one."""
    sight = Sight.of(client.publisher.members.marked(seated), seated.seat_of(user_of(interaction)))
    drawing = await client.renderer.board(sight, rank)
    view = views.board(sight, drawing.pictures)
    view.add_item(discord.ui.TextDisplay(f"{text}\n-# {seated.link}"))
    files = drawing.files(str(sight.position))
    if edit:
        await interaction.response.edit_message(view=view, attachments=files)
    else:
        await interaction.response.send_message(view=view, files=files, ephemeral=True)


async def show_rules(client: GraphPaper, interaction: Interaction, game: Game) -> None:
    """Show the rules page of a game to the asker alone, with the board of its example as a picture."""
    game = once(game)
    example = await client.renderer.run(partial(rules_example, game), Rank.LOOK)
    if example is None:
        await interaction.response.send_message(view=views.rules(game, (), ""), ephemeral=True)
        return
    drawing, board = await client.renderer.draw(game, example.position, Rank.LOOK), str(example.position)
    view, files = views.rules(game, drawing.pictures, board), drawing.files(board)
    await interaction.response.send_message(view=view, files=files, ephemeral=True)


async def hand_back(interaction: Interaction, refusal: Returned, sentence: str) -> None:
    """Refuse a move with the way to mend it; what was written on a pad or a draft is handed back in its place."""
    view = drafts.refused(refusal.seated, refusal.seat, refusal.kind, refusal.values, sentence)
    shown = interaction.message.components if interaction.message else ()
    if drafts.read(refusal.kind, shown) is not None or pad_view.stands_on(shown):
        await interaction.response.edit_message(view=view, attachments=[])
    else:
        await interaction.response.send_message(view=view, ephemeral=True)


def stale_match(fault: BaseException) -> Seated | None:
    """The match behind a stale board, which is shown with the refusal."""
    return fault.seated if isinstance(fault, Stale) else None


def records_for(seated: Seated, user: UserId) -> list[dict[str, Any]]:
    """The record of a match as far as somebody may see it, and on which seats computers play, of which level; of two
    legs one each."""
    if seated.match is None:
        raise Refusal("This match has not begun: it has no record yet.")
    seen = [list(line) for line in Sight.of(seated, seated.seat_of(user)).record]
    whole: list[dict[str, Any]] = [*records(seated.match)]
    if seated.game.once is None:
        whole = [{**seated.match.to_json(), "moves": seen}]
    return [{**record, **_computers(seated, record.get("leg", 1))} for record in whole]


def _computers(seated: Seated, leg: Leg) -> dict[str, Any]:
    """On which seats of a leg computers play, and of which level."""
    found = [[seat_in(leg, one.seat or 0), level_of(one.user)] for one in seated.players if is_computer(one.user)]
    return {"computers": found} if found else {}
