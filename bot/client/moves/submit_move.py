"""Plays the moves that come from pads, forms and commands.

A move that nobody can undo is confirmed first; a refused move with a long line is handed back as a draft.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.client.interactions.context import Interaction, act_of, data_of, user_of
from bot.client.interactions.custom_ids import FormId, MatchButton
from bot.client.interactions.routes import on
from bot.client.runtime.thread_pool import Rank
from bot.client.text import turn_text
from bot.client.views import drafts, edits, modals, views
from bot.client.views.renderer import Renderer
from bot.client.views.replies import Replies
from bot.core.game.moves import LINE, MoveKind
from bot.core.game.position import MoveError, Position
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight
from bot.core.match.match import Match
from bot.core.values.seats import Seat
from bot.service.rules.refusals import Returned, Stale, expect_seat
from bot.service.umpire.umpire import Umpire

MOVED_ON = "The match moved on while you were writing. Check the board, then send it again if it still fits."
STILL_ASKING = "You are still asking to call the match off."
LOST = "That board shows moves that were lost. Here is the board now; nothing was played."


async def mended(interaction: Interaction, seated: LoadedMatch, button: MatchButton) -> bool:
    """Open the form with what a draft holds, even where the match has gone on: nothing is played yet. False where the
    button is not that of a draft."""
    kinds = (kind for kind in seated.game.moves if kind.name == button.verb and kind.parts)
    kind = None if button.sure else next(kinds, None)
    values = drafts_of(interaction, kind) if kind else None
    seat = seated.seat_of(user_of(interaction))
    if kind is None or values is None or seat not in seated.turn:
        return False
    await interaction.response.send_modal(modals.form(seated, kind, seat, act_of(interaction), values))
    return True


def drafts_of(interaction: Interaction, kind: MoveKind) -> dict[str, str] | None:
    """The draft on the message whose button was pressed, None where there is none; empty for a move without parts."""
    if not kind.parts:
        return {}
    return drafts.read(kind, interaction.message.components) if interaction.message else None


class SubmitMove:
    """Plays what somebody has entered."""

    def __init__(self, umpire: Umpire, replies: Replies, renderer: Renderer) -> None:
        self._umpire = umpire
        self._replies = replies
        self._renderer = renderer

    @on(FormId, words="")
    async def submitted(self, interaction: Interaction, form: FormId) -> None:
        """Play the move that somebody wrote in a form."""
        seated = await self._umpire.load(form.match)
        kind, given = kind_of(seated, form.kind), modals.submitted(data_of(interaction))
        one = {part.name: given.get(part.name, "") for part in kind.parts}
        await self.entered(interaction, seated, kind, given if LINE in given else one, form.version, by_form=True)

    async def entered(
        self, interaction: Interaction, seated: LoadedMatch, kind: MoveKind, values: Mapping[str, str],
        seen: int | None = None, by_form: bool = False,
    ) -> None:  # fmt: skip
        """Play a move, ask first where nobody can undo it, or raise `Returned` to hand it back as a draft. `seen`: the
        version of the match on the surface where it was entered."""
        text = kind.write(values)
        try:
            if not (kind.final and await self._asked(interaction, seated, kind, values, seen)):
                await self.played(interaction, seated, text, seen)
        except (MoveError, Stale) as fault:
            seated = await self._umpire.load(seated.id)
            seat = seated.seat_of(user_of(interaction))
            lengthy = any(part.is_line for part in kind.parts)
            if seat not in seated.turn or not (lengthy or (by_form and isinstance(fault, MoveError))):
                raise
            if not kind.when(Sight.of(seated, seat).position, seat) or not drafts.fits(kind, values):
                raise
            raise Returned(MOVED_ON if isinstance(fault, Stale) else str(fault), seated, seat, kind, values) from fault

    async def played(self, interaction: Interaction, seated: LoadedMatch, text: str, seen: int | None = None) -> None:
        """Play a move in a match that was just read, answer, and show the board."""
        user = user_of(interaction)
        done = await self._umpire.move(act_of(interaction), seated.id, user, text, seen, start=seated)
        record, at = done.after.folded.record, min(done.before.row.plies, done.after.row.plies - 1)
        told = [turn_text.own_move(done.after, record[at].text)] if record else []
        told += turn_text.answered(done.after, at + 1)
        told += [STILL_ASKING] if done.after.asks_to_abort(user) else []
        await self._replies.answered(interaction, done, " ".join(told))

    async def _asked(
        self, interaction: Interaction, seated: LoadedMatch, kind: MoveKind, values: Mapping[str, str], seen: int | None
    ) -> bool:
        """Ask before a move that nobody can undo, with what it would look like; a move that the rules refuse raises
        instead. False where it is not the asker's turn."""
        seat = expect_seat(seated, user_of(interaction))
        if seat not in seated.turn:
            return False
        if seen is not None and seen > seated.folded.version_for(seat):
            raise Stale(LOST, seated)  # a backup was put back
        text = kind.write(values)
        with seated.naming(seat):
            seated.folded.play(seat, text)
        position = imagined(seated, seat, text) if kind.parts else None
        drawing = await self._renderer.draw(seated.game, position, Rank.LOOK) if position else None
        shown = views.galleries(drawing.pictures, str(position)) if drawing else []
        files = drawing.files(str(position)) if drawing else []
        view = drafts.asked(seated, seat, kind, values, shown)
        await edits.answer(interaction, view, files)
        return True


def imagined(seated: LoadedMatch, seat: Seat, text: str) -> Position | None:
    """The board with this move alone, as the first of a match, so that nothing that others hide is in it; None where
    the move cannot come first."""
    folded = seated.folded
    try:
        match = Match.start(seated.game, folded.options.record(), folded.seats).play(seat, text)
    except MoveError:
        return None
    return match.position.seen_by(seat)


def kind_of(seated: LoadedMatch, name: str) -> MoveKind:
    """The kind of move that a button or a form names."""
    kind = next((kind for kind in seated.game.moves if kind.name == name), None)
    if kind is None:
        raise Refusal(f"{seated.game.title} has no move called {name}. Use the buttons under the board.")
    return kind
