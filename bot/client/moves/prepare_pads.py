"""The pads on which moves are prepared: the opponent's move, one's answer, and on; and the list of what is ready.

All of it is shown to one person alone, and nothing is kept before an answer is chosen: the moves so far stand in the
message. The board is shown as it is, with the squares of those moves framed, never as it would be after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from hashlib import blake2b
from itertools import groupby
from typing import Any

from discord import ui

from bot.client.interactions.context import Interaction, act_of, data_of, user_of
from bot.client.interactions.custom_ids import FormId, PadId, Tap
from bot.client.interactions.rate_limit import Price
from bot.client.interactions.routes import on
from bot.client.moves import pad_actions, prepare_form
from bot.client.moves.ahead import LEADS_NOWHERE, Ahead, expect_current, parts_of, read, version, written
from bot.client.runtime.thread_pool import Rank
from bot.client.text import match_text
from bot.client.views import edits, match_views, modals, pad_view, views
from bot.client.views.match_ids import ActButton, GoOnButton
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control, Drawing
from bot.core.entry import pads as lines
from bot.core.entry.keyboards import WHOLE, Keyboard
from bot.core.entry.partial_move import PartialMove
from bot.core.entry.prepared import Line
from bot.core.game.moves import MoveKind
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import LoadedMatch, Refusal, person
from bot.core.match.record import Move
from bot.core.values.plural import Plural, together
from bot.core.values.seats import Seat
from bot.service.umpire import exchanges
from bot.service.umpire.prepared_moves import PreparedMoves
from bot.service.umpire.umpire import Umpire

THEIRS, YOURS = "If {who} plays this …", "… then you play this."
READY = Plural(
    "**You prepared 1 line in match {match}.** Nobody else sees it before it's played.",
    "**You prepared {count} lines in match {match}.** Nobody else sees them before they're played.",
)
NOTHING = "You have no moves ready in match {match}."
HOW = "While {who} is to move, you can prepare your answers."
HALF = "Write both, a move that your opponent may make and your answer to it."
AGAIN = "{who} makes another move before you can answer."
TYPE_IT = "Type it"
GO_ON, GO_ON_WITH = "And then …", "{number}. And then …"
MARK = 12
"""Hexadecimal digits in the mark of a line."""
PAIR, NEXT_PAIR = "If {who} plays {theirs}, you play {yours}.", "If {who} then plays {theirs}, you play {yours}."


class PreparePads:
    """Shows what somebody has ready, and the pads on which they prepare more."""

    def __init__(self, umpire: Umpire, renderer: Renderer) -> None:
        self._umpire = umpire
        self._renderer = renderer
        self._prepared = PreparedMoves(umpire)

    async def show(
        self, interaction: Interaction, seated: LoadedMatch, theirs: str | None = None, yours: str | None = None
    ) -> None:  # fmt: skip
        """Show somebody what they have ready in a match, with an answer that they have typed."""
        seat = exchanges.expect_preparable(seated, user_of(interaction))
        if theirs is not None or yours is not None:
            if theirs is None or yours is None:
                raise Refusal(HALF)
            line = (Move(3 - seat, theirs), Move(seat, yours))
            seated = await self._prepared.add(seated.id, user_of(interaction), line)
        await edits.answer_anew(interaction, ready(Ahead.of(seated, seat, ())))

    @on(ActButton, GoOnButton, words="ifthen unready")
    async def pressed(self, interaction: Interaction, button: ActButton | GoOnButton) -> None:
        """Begin a line, go on with the one in the message, or give up all that is ready."""
        seated, user = await self._umpire.load(button.match), user_of(interaction)
        seat = exchanges.expect_preparable(seated, user)
        if button.word == "unready":
            ahead = Ahead.of(await self._prepared.clear(seated.id, user), seat, ())
            await edits.answer(interaction, ready(ahead))
            return
        path = ()
        if isinstance(button, GoOnButton):
            path = marked(exchanges.of(seated, user).lines, button.mark) or read(interaction, seat)
        await self._ask(interaction, expect_current(seated, seat, button.version, path))

    @on(PadId, words="q", price=Price(0.5))
    async def tapped(self, interaction: Interaction, pad: PadId) -> None:
        """Answer a button of a pad: the next key, or the next move."""
        seated = await self._umpire.load(pad.match)
        seat = exchanges.expect_preparable(seated, user_of(interaction))
        ahead = expect_current(seated, seat, pad.at, read(interaction, seat))
        kind, tap = ahead.kind(pad.tap.kind), pad.tap
        so_far = pad_view.read(kind, interaction.message.components) if interaction.message else None
        if tap.does == "type":
            chosen = kind if so_far else None
            await interaction.response.send_modal(prepare_form.form(ahead, chosen, act_of(interaction)))
        elif not kind.parts:
            await self._on(interaction, ahead.after(kind.write({})))
        elif so_far is None:
            await self._ask(interaction, ahead, kind)
        else:
            await self._changed(interaction, ahead, so_far, tap)

    @on(FormId, words="ifthen")
    async def submitted(self, interaction: Interaction, form: FormId) -> None:
        """Take what somebody has typed: the opponent's move, the answer, or both. Where the answer can't be played, the
        move that it was for stays, and the pad asks for another answer."""
        seated = await self._umpire.load(form.match)
        seat = exchanges.expect_preparable(seated, user_of(interaction))
        ahead = expect_current(seated, seat, form.version, read(interaction, seat))
        given, kind = modals.submitted(data_of(interaction)), ahead.kind(form.kind) if form.kind else None
        yours, note = given.get(prepare_form.YOURS, "").strip(), ""
        if ahead.mover != seat:
            theirs = given.get(prepare_form.THEIRS, "")
            ahead, kind = await self._renderer.run(partial(prepare_form.after, ahead, theirs, kind), Rank.LOOK), None
        if yours and ahead.mover == seat:
            try:
                ahead = await self._renderer.run(partial(prepare_form.after, ahead, yours, kind), Rank.LOOK)
            except MoveError as fault:
                note = str(fault)
        elif yours:
            note = AGAIN.format(who=person(seated.user_at(3 - seat)))
        if yours and not note:
            await self._on(interaction, ahead)
        else:
            await self._ask(interaction, ahead, note=note)

    async def _changed(self, interaction: Interaction, ahead: Ahead, so_far: PartialMove, tap: Tap) -> None:
        assert ahead.mover
        stale = tap.step != pad_view.step(so_far)
        work = pad_actions.changing(ahead.match.position, ahead.mover, so_far, tap, WHOLE)
        after = so_far if stale else await self._renderer.run(work, Rank.LOOK)
        if after.whole and not stale and (tap.does == "play" or after != so_far and tap.does != "back"):
            await self._on(interaction, ahead.after(after.line))
        else:
            await self._show(interaction, ahead, after, pad_actions.page_of(tap))

    async def _on(self, interaction: Interaction, ahead: Ahead) -> None:
        """Go on behind a move: to the next pad, or where it is an answer, to the list that has it now."""
        if ahead.path[-1].seat != ahead.seat:
            await self._ask(interaction, ahead)
            return
        seated = await self._prepared.add(ahead.seated.id, user_of(interaction), ahead.path, version(ahead))
        view = ready(Ahead.of(seated, ahead.seat, ahead.path))
        await edits.answer(interaction, view)

    async def _ask(
        self, interaction: Interaction, ahead: Ahead, kind: MoveKind | None = None, note: str = ""
    ) -> None:  # fmt: skip
        """Ask for the next move: by its pad, or where there are several kinds, first for the kind."""
        able = [kind] if kind else ahead.kinds
        if len(able) == 1 and able[0].parts:
            assert ahead.mover
            begun = partial(lines.begun, ahead.match.position, ahead.mover, able[0])
            await self._show(interaction, ahead, await self._renderer.run(begun, Rank.LOOK), note=note)
            return
        buttons = [Control(id_of(ahead, Tap(one.name, 0, "pick")), one.label) for one in able]
        # Of two legs it would have to be said in which the move is made.
        buttons += [] if able[0].leg else [typing(ahead, able[0])]
        rows = [views.row_of(*buttons[at : at + match_views.ABREAST]) for at in range(0, len(buttons), 5)]
        view = views.framed(accent(ahead), ui.TextDisplay[Any](headed(ahead, note)), *rows)
        await edits.answer(interaction, view, [])

    async def _show(
        self, interaction: Interaction, ahead: Ahead, so_far: PartialMove, page: int = 0, note: str = ""
    ) -> None:  # fmt: skip
        assert ahead.mover
        position = ahead.match.position
        keyboard = await self._renderer.run(partial(lines.keyboard, position, ahead.mover, so_far, WHOLE), Rank.LOOK)
        drawing = await self._drawn(ahead, so_far)
        view = pad(ahead, so_far, keyboard, drawing, page, note)
        await edits.answer(interaction, view, drawing.files(""))

    async def _drawn(self, ahead: Ahead, so_far: PartialMove) -> Drawing:
        """The board as it stands, with what has been chosen since."""
        game, position, marked = ahead.match.game, ahead.seated.folded.position, pad_actions.marked(so_far)
        if not ahead.path:
            assert ahead.mover
            return await self._renderer.sketch(game, position, ahead.mover, marked)
        made = (parts_of(ahead.match, move) for move in ahead.path)
        return await self._renderer.imagined(game, position, (*(one for one in made if one), marked))


def id_of(ahead: Ahead, tap: Tap) -> PadId:
    """The custom_id of a button of the pad."""
    return PadId("q", ahead.seated.id, version(ahead), tap)


def pad(
    ahead: Ahead, so_far: PartialMove, keyboard: Keyboard, drawing: Drawing, page: int = 0, note: str = ""
) -> ui.LayoutView:  # fmt: skip
    """A pad for the next move, with a button for those who would rather type."""
    beside = None if keyboard.plays else typing(ahead, so_far.kind, pad_view.step(so_far))
    return pad_view.view(
        so_far, keyboard, drawing.pictures, "", accent(ahead), partial(id_of, ahead),
        where=headed(ahead, note), page=page, form=False, beside=beside,
    )  # fmt: skip


def typing(ahead: Ahead, kind: MoveKind, step: int = 0) -> Control:
    """The button that opens the form."""
    return Control(id_of(ahead, Tap(kind.name, step, "type")), TYPE_IT)


def accent(ahead: Ahead) -> int:
    """The colour of who makes the next move."""
    return views.ACCENTS[(ahead.mover or ahead.seat) - 1]


def headed(ahead: Ahead, note: str = "") -> str:
    """The line of a pad that says whose move is asked for, of which match, and the moves before it; and a note about
    what was typed."""
    own, who = ahead.mover == ahead.seat, person(ahead.seated.user_at(3 - ahead.seat))
    asked = YOURS if own else THEIRS.format(who=who)
    # A phone has no room for the game's title beside the moves.
    where = f"match {ahead.seated.id}" if ahead.path else pad_actions.where(ahead.seated)
    return "\n".join(filter(None, (f"{asked} · {where}", note, written(ahead))))


def mark_of(line: Line) -> str:
    """What a button says of the line with which it goes on."""
    return blake2b(repr([*map(tuple, line)]).encode(), digest_size=MARK // 2).hexdigest()


def marked(lines: Iterable[Line], mark: str) -> Line:
    """The line with a mark, or the beginning of one; a refusal where it is not ready any more. Buttons of earlier
    versions have no mark: the line stood in the message once more."""
    found = (line[:many] for line in lines for many in range(1, len(line) + 1) if mark_of(line[:many]) == mark)
    line = next(found, ())
    if mark and not line:
        raise Refusal(LEADS_NOWHERE)
    return line


def sentences(seated: LoadedMatch, line: Line, seat: Seat) -> str:
    """A line in sentences."""
    who, told = person(seated.user_at(3 - seat)), list[str]()
    groups = [(mover, [*moves]) for mover, moves in groupby(line, key=lambda move: move.seat)]
    for theirs, yours in zip(groups[::2], groups[1::2], strict=False):
        said = [together([match_text.move(seated, move.text) for move in moves]) for _, moves in (theirs, yours)]
        told.append((NEXT_PAIR if told else PAIR).format(who=who, theirs=said[0], yours=said[1]))
    return " ".join(told)


def ready(ahead: Ahead) -> ui.LayoutView:
    """All that somebody has ready in a match, with the line that they have just made longer."""
    seated, seat, at = ahead.seated, ahead.seat, version(ahead)
    prepared, waits = exchanges.of(seated, seated.user_at(seat)).lines, 3 - seat in seated.turn
    count = len(prepared)
    head = READY.of(count, match=seated.id, count=count) if prepared else NOTHING.format(match=seated.id)
    note = exchanges.told(seated, seated.user_at(seat)) or HOW.format(who=person(seated.user_at(3 - seat)))
    listed = [f"{number}. {sentences(seated, line, seat)}" for number, line in enumerate(prepared, 1)]
    foot = f"-# {note}" if not prepared else ""
    text = match_text.listed(head, listed, foot)
    which = next((at for at, line in enumerate(prepared, 1) if line[: len(ahead.path)] == ahead.path), 1)
    label = GO_ON if count == 1 else GO_ON_WITH.format(number=which)
    of, begin = (seated.id, at, True), "Another one" if prepared else "If … then …"
    buttons = [Control(GoOnButton(*of, mark_of(ahead.path)), label)] if ahead.path and ahead.goes_on else []
    buttons += [Control(ActButton(*of, "ifthen"), begin)] if waits else []
    buttons += [Control(ActButton(*of, "unready"), "Clear all")] if prepared else []
    rows = [views.row_of(*buttons)] if buttons else []
    where = ui.TextDisplay[Any](f"-# {pad_actions.where(seated)}")
    return views.framed(views.ACCENTS[seat - 1], ui.TextDisplay[Any](text), where, *rows)
