"""Taps: what the buttons of a pad do, and the button for a move that opens one.

A pad is shown to one person alone. What is chosen so far stands in its message and nowhere else; the version in its
buttons says what that person saw, so a pad that the match has gone past is refused like every other surface.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.custom_ids import ButtonId, ComponentId, PadId, Tap
from bot.client.moves import submit_move
from bot.client.runtime.thread_pool import Rank
from bot.client.views import drafts, modals, pad_view, views
from bot.client.views.replies import show_own_board
from bot.core.entry import pads as lines
from bot.core.entry.pads import Half
from bot.core.game.moves import MoveKind
from bot.core.game.position import MoveError, Position
from bot.core.match.loaded_match import Refusal, Seated, Sight
from bot.core.values.seats import Seat
from bot.service.rules.refusals import NotYourTurn, Stale, expect_seat, to_move

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

MOVED_ON = "That board has moved on, and nothing was played: this is how it stands now."
LEADS_NOWHERE = "That pad leads nowhere any more: /match board shows the board with its buttons."
CHANGES: dict[str, Callable[[Position, Seat, Half, str], Half]] = {
    "pick": lines.pressed,
    "done": lambda position, seat, half, _: lines.finished(position, seat, half),
    "back": lambda position, seat, half, _: lines.back(position, seat, half),
}
"""What a tap does to the line, by its word; `type`, `page` and `play` leave it as it is."""


async def pressed(client: GraphPaper, interaction: Interaction, seated: Seated, button: ButtonId) -> None:
    """A button for a move: open its pad, or play a move that has no parts."""
    sure = button.verb.startswith(drafts.SURE)
    leg = leg_of(seated, button.verb.removeprefix(drafts.SURE))
    seat = _to_move(seated, interaction, button.version, leg, own=button.own)
    kind = submit_move.kind_of(seated, button.verb.removeprefix(drafts.SURE))
    if sure and (values := submit_move.drafts_of(interaction, kind)) is not None:
        await submit_move.played(client, interaction, seated, kind.write(values), button.version)
    elif kind.parts:
        position = _position(seated, seat, kind)
        half = await client.renderer.run(partial(lines.begun, position, seat, kind), Rank.LOOK)
        await show(client, interaction, seated, seat, half)
    else:
        await submit_move.entered(client, interaction, seated, kind, {}, seated.folded.version_for(seat))


async def tapped(client: GraphPaper, interaction: Interaction, pad: PadId) -> None:
    """A button of a pad. Whoever taps twice to play is told that it counts, and not that nothing was played."""
    try:
        await _tapped(client, interaction, pad)
    except Stale as fault:
        if pad.tap.does == "play" and (already := _played(fault.seated, interaction, pad)):
            raise Stale(f"You have played {already}: this is how it stands now.", fault.seated) from fault
        raise


async def _tapped(client: GraphPaper, interaction: Interaction, pad: PadId) -> None:
    seated = await client.umpire.load(pad.match)
    seat = _to_move(seated, interaction, pad.version, leg_of(seated, pad.tap.kind), own=True)
    kind, tap = submit_move.kind_of(seated, pad.tap.kind), pad.tap
    _position(seated, seat, kind)
    half = pad_view.read(kind, interaction.message.components) if interaction.message else None
    if half is None:
        raise Refusal(LEADS_NOWHERE)
    if tap.step != pad_view.step(half):
        await show(client, interaction, seated, seat, half, half)
    elif tap.does == "type":
        values = half.values if half.done or half.open else None
        await interaction.response.send_modal(modals.form(seated, kind, seat, act_of(interaction), values))
    elif tap.does == "play" and half.whole:
        await submit_move.entered(client, interaction, seated, kind, half.values, pad.version)
    else:
        await _changed(client, interaction, seated, seat, half, pad)


async def _changed(
    client: GraphPaper, interaction: Interaction, seated: Seated, seat: Seat, half: Half, pad: PadId
) -> None:
    """The line after a tap, or the board where there is none to go back to; a whole line is played at once by whoever
    wants no last step, or asked about."""
    tap, position = pad.tap, Sight.of(seated, seat).position
    change = CHANGES.get(tap.does)
    work = partial(change, position, seat, half, tap.key) if change else lambda: half
    after = await client.renderer.run(work, Rank.LOOK)
    back = tap.does == "back"
    whole = after.whole and after != half and not back
    # A final move asks a question of its own.
    if back and after == half:
        # Nothing was chosen, or nothing but what goes without saying.
        await show_own_board(client, interaction, seated, "Only you see this board.", edit=True)
    elif whole and (half.kind.final or not await client.umpire.confirms(user_of(interaction))):
        await submit_move.entered(client, interaction, seated, half.kind, after.values, pad.version)
    else:
        page = int(tap.key) if tap.does == "page" and tap.key.isdecimal() else 0
        await show(client, interaction, seated, seat, after, half, page)


async def show(
    client: GraphPaper, interaction: Interaction, seated: Seated, seat: Seat, half: Half, before: Half | None = None,
    page: int = 0,
) -> None:  # fmt: skip
    """Show a pad to whoever asked: in place of their own board or of the pad before, with a new picture where other
    squares are chosen; or, from the public board, as a message of its own."""
    sight = Sight.of(seated, seat)
    board = await client.renderer.run(partial(lines.keyboard, sight.position, seat, half), Rank.LOOK)
    drawing = await client.renderer.sketch(seated.game, sight.position, seat, marked(half))
    view = pad_view.view(
        half, board, drawing.pictures, str(sight.position), views.ACCENTS[seat - 1], ids_of(seated, seat),
        where=where(seated), page=page,
    )  # fmt: skip
    own = interaction.message is not None and interaction.message.flags.ephemeral
    if before and marked(before) == marked(half):
        await interaction.response.edit_message(view=view)
    elif own:
        await interaction.response.edit_message(view=view, attachments=drawing.files(str(sight.position)))
    else:
        files = drawing.files(str(sight.position))
        await interaction.response.send_message(view=view, files=files, ephemeral=True)


def where(seated: Seated) -> str:
    """Of which match a pad is, and for whose eyes."""
    return f"{seated.game.title} · match {seated.id} · only you see this"


def marked(half: Half) -> Half:
    """A half-written move without what shows in no picture: a column without its row, the first digits of a number."""
    return Half(half.kind, half.done, half.open.removesuffix(half.typed)) if not half.whole else half


def ids_of(seated: Seated, seat: Seat) -> pad_view.Ids:
    """The custom_ids of a seat's pad."""
    version = Sight.of(seated, seat).version

    def made(tap: Tap) -> ComponentId:
        return PadId(seated.id, version, tap)

    return made


def _played(seated: Seated, interaction: Interaction, pad: PadId) -> str | None:
    """The move on a pad, if its seat has played that since the pad was shown."""
    seat, kind = expect_seat(seated, user_of(interaction)), submit_move.kind_of(seated, pad.tap.kind)
    half = pad_view.read(kind, interaction.message.components) if interaction.message else None
    if half is None or not half.whole:
        return None
    try:
        move = seated.folded.position.read(seat, half.line)
    except MoveError:
        return None
    return move if (seat, move) in seated.folded.shown(seat)[pad.version :] else None


def leg_of(seated: Seated, kind: str) -> int | None:
    """In which leg a kind of move is made, where there are two."""
    return next((one.leg for one in seated.game.moves if one.name == kind), None)


def _to_move(seated: Seated, interaction: Interaction, version: int, leg: int | None, *, own: bool) -> Seat:
    """The seat of whoever presses, if it may move, in that leg, on what was shown to it."""
    seat = expect_seat(seated, user_of(interaction))
    if seated.folded.has_moved_on(seat, seat if own else None, version, leg):
        raise Stale(MOVED_ON, seated)
    if seat not in seated.turn:
        raise NotYourTurn(f"It is not your turn: {to_move(seated)} is to move.")
    return seat


def _position(seated: Seated, seat: Seat, kind: MoveKind) -> Position:
    """What a seat sees where a move of some kind can be made now."""
    position = Sight.of(seated, seat).position
    if not kind.when(position, seat):
        raise Stale(MOVED_ON, seated)
    return position
