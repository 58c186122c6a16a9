"""A pad for a move that is played in no match: one that is tried again or tried out, or the daily puzzle.

Nothing is kept: what the move is about stands in the buttons, and the partial move in the message, as on every pad; so
it goes on after a restart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from discord import ui

from bot.client.interactions.context import Interaction
from bot.client.interactions.custom_ids import Tap
from bot.client.moves import pad_actions
from bot.client.runtime.thread_pool import Rank
from bot.client.views import edits, pad_view, views
from bot.client.views.pad_view import Ids
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control, Drawing
from bot.core.entry import pads as lines
from bot.core.entry.partial_move import PartialMove
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind
from bot.core.game.position import Position
from bot.core.match.loaded_match import Refusal
from bot.core.values.seats import Seat

Shown = tuple[ui.LayoutView, edits.Files]
ABREAST = 5
"""Buttons in a row (Discord's limit)."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A position in which a seat tries a move: what the pad says, what makes the custom_ids of its buttons, and what
    somebody is told whose button does not fit it.

    Where moves are tried out, `choices` are the kinds of move with their seats, a whole move is made at once, `below`
    are further buttons, and `paper` says whether nothing is to be seen that is worked out."""

    game: Game
    position: Position
    seat: Seat
    said: str
    ids: Ids
    outdated: str
    choices: tuple[tuple[Seat, MoveKind], ...] = ()
    below: tuple[Control, ...] = ()
    paper: bool = False

    def kinds(self) -> Sequence[tuple[Seat, MoveKind]]:
        """The kinds of move that can be tried, each with its seat."""
        own = ((self.seat, kind) for kind in self.game.moves if kind.when(self.position, self.seat))
        return self.choices or tuple(own)


class TrialPad:
    """Shows such pads and changes them tap by tap."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def page(self, it: Trial, kind: MoveKind | None = None) -> Shown:
        """The pad for a kind of move, or for the only kind; else the board, with a button for each kind."""
        able = [(seat, one) for seat, one in it.kinds() if kind in (None, one)]
        if len(able) == 1 and able[0][1].parts:
            begun = await self._renderer.run(partial(lines.begun, it.position, *able[0]), Rank.LOOK)
            return await self._pad(it, able[0][0], begun)
        drawing, text = await self._board(it), "" if it.paper else str(it.position)
        buttons = [Control(it.ids(Tap(one.name, 0, "pick")), one.label) for _, one in able]
        rows = [*(buttons[at : at + ABREAST] for at in range(0, len(buttons), ABREAST)), it.below]
        view = views.framed(
            views.ACCENTS[able[0][0] - 1],
            ui.TextDisplay[Any](it.said),
            *views.galleries(drawing.pictures, text),
            *(views.row_of(*row) for row in rows if row),
        )
        return view, drawing.files(text)

    async def tapped(self, interaction: Interaction, it: Trial, tap: Tap) -> str | None:
        """Answer a button of the pad, or the one that opens it; or return the line of a whole move that is to be tried,
        when nothing is answered yet."""
        seat, kind = next(((seat, kind) for seat, kind in it.kinds() if kind.name == tap.kind), (it.seat, None))
        if kind is None:
            raise Refusal(it.outdated)
        so_far = pad_view.read(kind, interaction.message.components) if interaction.message else None
        if not kind.parts:
            return kind.write({})
        if so_far is None:
            await turn_page(interaction, *await self.page(it, kind))
            return None
        stale = tap.step != pad_view.step(so_far)
        work = (lambda: so_far) if stale else pad_actions.changing(it.position, seat, so_far, tap)
        after = await self._renderer.run(work, Rank.LOOK)
        at_once = bool(it.choices) and after != so_far and tap.does != "back"
        if after.whole and not stale and (tap.does == "play" or at_once):
            return after.line
        same = pad_actions.marked(so_far) == pad_actions.marked(after)
        await turn_page(interaction, *await self._pad(it, seat, after, pad_actions.page_of(tap)), same)
        return None

    async def _pad(self, it: Trial, seat: Seat, so_far: PartialMove, page: int = 0) -> Shown:
        keyboard = await self._renderer.run(partial(lines.keyboard, it.position, seat, so_far), Rank.LOOK)
        drawing = await self._sketch(it, seat, pad_actions.marked(so_far))
        text = "" if it.paper else str(it.position)
        view = pad_view.view(
            so_far, keyboard, drawing.pictures, text, views.ACCENTS[seat - 1], it.ids,
            where=it.said, page=page, form=False, below=it.below,
        )  # fmt: skip
        return view, drawing.files(text)

    async def _board(self, it: Trial) -> Drawing:
        """The whole board; on paper that of each leg."""
        if not it.paper:
            return await self._renderer.draw(it.game, it.position, Rank.LOOK)
        of_legs = {kind.leg: (seat, kind) for seat, kind in it.kinds()}
        drawings = [await self._sketch(it, seat, PartialMove(kind)) for seat, kind in of_legs.values()]
        return sum(drawings, Drawing((), ()))

    async def _sketch(self, it: Trial, seat: Seat, so_far: PartialMove) -> Drawing:
        if it.paper:
            return await self._renderer.on_paper(it.game, it.position, seat, so_far)
        return await self._renderer.sketch(it.game, it.position, seat, so_far, Rank.LOOK)


async def turn_page(interaction: Interaction, view: ui.LayoutView, files: edits.Files, same: bool = False) -> None:
    """Show a page in place of the one before, `same` where its pictures stand there already; on a message that others
    see, as a new ephemeral message. A record that somebody has brought stays in its message."""
    if interaction.message and views.BROUGHT in edits.files_on(interaction.message.components):
        view.add_item(ui.File[Any](f"attachment://{views.BROUGHT}"))
    await edits.answer(interaction, view, files, keep=same)
