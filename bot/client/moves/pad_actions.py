"""Answers the buttons of a pad, and the button for a move that opens one.

A pad is shown to one person alone. The partial move stands in its message and nowhere else. The version in its
buttons says what that person saw, so a pad that the match has gone past is refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import discord
from discord import ui

from bot.client.interactions.context import Interaction, act_of, user_of
from bot.client.interactions.custom_ids import CustomId, MatchButton, PadId, Tap
from bot.client.interactions.rate_limit import USUAL, Price
from bot.client.interactions.routes import by_tap, on
from bot.client.moves import submit_move
from bot.client.moves.submit_move import SubmitMove
from bot.client.runtime.error_codes import Code, is_code
from bot.client.runtime.thread_pool import Rank
from bot.client.views import edits, modals, pad_view, replies, views
from bot.client.views.match_ids import ActButton, stamp
from bot.client.views.renderer import Renderer
from bot.client.views.replies import Replies
from bot.client.views.views import Control
from bot.core.entry import pads as lines
from bot.core.entry.partial_move import PartialMove
from bot.core.game.legs import Legs
from bot.core.game.moves import MoveKind
from bot.core.game.position import MoveError, Position
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight, person
from bot.core.values.ids import UserId
from bot.core.values.seats import Seat
from bot.service.rules.refusals import NotYourTurn, Stale, expect_seat, to_move
from bot.service.umpire import exchanges
from bot.service.umpire.umpire import Umpire

MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was played."
LEADS_NOWHERE = "This pad is out of date. Use /match board to get a fresh one."
CHANGES: dict[str, Callable[[Position, Seat, PartialMove, str], PartialMove]] = {
    "pick": lines.pressed,
    "done": lambda position, seat, so_far, _: lines.finished(position, seat, so_far),
    "play": lambda position, seat, so_far, _: lines.finished(position, seat, so_far),
    "clear": lambda position, seat, so_far, _: lines.cleared(position, seat, so_far),
}
"""What a tap does to the partial move, by its word, beside *Back*; `type` and `page` leave it as it is."""


class PadActions:
    """Opens pads, changes them tap by tap, and plays what was tapped together."""

    def __init__(self, umpire: Umpire, replies: Replies, renderer: Renderer, submit: SubmitMove) -> None:
        self._umpire = umpire
        self._replies = replies
        self._renderer = renderer
        self._submit = submit
        self.gone_back: Callable[[Interaction, LoadedMatch], Awaitable[bool]] = stays
        """Asked where somebody goes back from the first step of a pad: whether something else than the board is shown
        for that."""

    @on(MatchButton)
    async def pressed(self, interaction: Interaction, button: MatchButton) -> None:
        """Answer the button for a move: mend a draft, play a move that has no parts, or open the pad."""
        seated = await self._umpire.load(button.match)
        if await submit_move.mended(interaction, seated, button):
            return
        verb = in_waiting_leg(seated, user_of(interaction), button.verb)
        seat = _to_move(seated, interaction, button.version, leg_of(seated, verb), own=button.own)
        kind = submit_move.kind_of(seated, verb)
        if button.sure and (values := submit_move.drafts_of(interaction, kind)) is not None:
            await self._submit.played(interaction, seated, kind.write(values), button.version)
        elif kind.parts:
            position = _position(seated, seat, kind)
            so_far = await self._renderer.run(partial(lines.begun, position, seat, kind), Rank.LOOK)
            await self._show(interaction, seated, seat, so_far)
        else:
            await self._submit.entered(interaction, seated, kind, {}, seated.folded.version_for(seat))

    async def opened(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Open the pad for the first move of a quick game, in a message of its own: what has led to a match is older
        than the match, and nothing so old is taken for its message."""
        seat = expect_seat(seated, user_of(interaction))
        position = Sight.of(seated, seat).position
        kind = next(kind for kind in seated.game.moves if kind.parts and kind.when(position, seat))
        so_far = await self._renderer.run(partial(lines.begun, position, seat, kind), Rank.LOOK)
        await self._show(interaction, seated, seat, so_far, first=True, anew=True)

    @on(PadId, words="k", price=by_tap(play=USUAL, other=Price(0.5)))
    async def tapped(self, interaction: Interaction, pad: PadId) -> None:
        """Answer a button of a pad; after a second tap on Play the board says that the move counts."""
        try:
            await self._tapped(interaction, pad)
        except Stale as fault:
            if pad.tap.does == "play" and (already := _played(fault.seated, interaction, pad)):
                if replies.follows(interaction, fault.seated):
                    return await self._replies.taken_away(interaction)
                raise Stale(f"You have already played {already}. Here is the board now.", fault.seated) from fault
            raise

    async def _tapped(self, interaction: Interaction, pad: PadId) -> None:
        seated = await self._umpire.load(pad.match)
        seat = _to_move(seated, interaction, pad.at, leg_of(seated, pad.tap.kind), own=True)
        kind, tap = submit_move.kind_of(seated, pad.tap.kind), pad.tap
        _position(seated, seat, kind)
        so_far = pad_view.read(kind, interaction.message.components) if interaction.message else None
        if so_far is None:
            raise Refusal(LEADS_NOWHERE)
        if tap.step != pad_view.step(so_far):
            await self._show(interaction, seated, seat, so_far, so_far)
        elif tap.does == "type":
            values = so_far.values if so_far.done or so_far.open else None
            await interaction.response.send_modal(modals.form(seated, kind, seat, act_of(interaction), values))
        else:
            await self._changed(interaction, seated, seat, so_far, pad)

    async def _changed(
        self, interaction: Interaction, seated: LoadedMatch, seat: Seat, so_far: PartialMove, pad: PadId
    ) -> None:
        """Play what *Play* has made whole; else show the pad after a tap, or the board where nothing is left to go back
        to. A whole move is played at once where the person wants no last step; a final one asks a question of its own.
        """
        tap, position = pad.tap, Sight.of(seated, seat).position
        after = await self._renderer.run(changing(position, seat, so_far, tap), Rank.LOOK)
        back = tap.does == "back"
        whole, plays = after.whole and after != so_far and not back, after.whole and tap.does == "play"
        if back and after == so_far:
            if is_first(interaction) and await self.gone_back(interaction, seated):
                return
            await self._replies.own_board(interaction, seated, "Only you see this board.", edit=True)
        elif plays or whole and (so_far.kind.final or not await self._umpire.confirms(user_of(interaction))):
            await self._submit.entered(interaction, seated, so_far.kind, after.values, pad.at)
        else:
            await self._show(interaction, seated, seat, after, so_far, page_of(tap))

    async def _show(
        self, interaction: Interaction, seated: LoadedMatch, seat: Seat, so_far: PartialMove,
        before: PartialMove | None = None, page: int = 0, first: bool = False, anew: bool = False,
    ) -> None:  # fmt: skip
        """Show a pad: in place of the own board or of the pad `before`, with a new picture where other squares are
        chosen; or, from the public board or `anew`, as an ephemeral message. The `first` one of a quick game says what
        the game is about, and leads to its rules."""
        sight = Sight.of(seated, seat)
        board = await self._renderer.run(partial(lines.keyboard, sight.position, seat, so_far), Rank.LOOK)
        drawing = await self._renderer.sketch(seated.game, sight.position, seat, marked(so_far))
        first = first or is_first(interaction)
        about = f"{where(seated)}{note_of(seated, user_of(interaction))}"
        view = pad_view.view(
            so_far, board, drawing.pictures, str(sight.position), views.ACCENTS[seat - 1], ids_of(seated, seat),
            where=f"{seated.game.goal}\n-# {about}" if first else about, page=page,
            below=[Control(ActButton(*stamp(sight), "rules"), "Rules")] if first else (),
        )  # fmt: skip
        files = drawing.files(str(sight.position))
        if anew:
            await edits.answer_anew(interaction, view, files)
        elif before and marked(before) == marked(so_far):
            await _with_its_picture(interaction, view, files)
        else:
            await edits.answer(interaction, view, files)


def is_first(interaction: Interaction) -> bool:
    """Whether somebody has used the first pad of a quick game: no other leads to the rules."""
    shown = interaction.message.components if interaction.message else []
    return pad_view.stands_on(shown) and any(button.verb == "rules" for button in views.buttons_on(shown))


async def stays(_interaction: Interaction, _seated: LoadedMatch) -> bool:
    """Every match stays as it is where nobody else is asked."""
    return False


async def _with_its_picture(interaction: Interaction, view: ui.LayoutView, files: edits.Files) -> None:
    """Change a pad whose picture stays. Where another tap's answer has taken the pad away, that is well."""
    try:
        await edits.answer(interaction, view, files, keep=True)
    except discord.HTTPException as fault:
        if not is_code(fault, Code.UNKNOWN_MESSAGE):
            raise
        if not interaction.response.is_done():
            await interaction.response.defer()


def changing(
    position: Position, seat: Seat, so_far: PartialMove, tap: Tap, whole: int = 0
) -> Callable[[], PartialMove]:  # fmt: skip
    """The partial move after a tap, on a pad that offers so many squares `whole`; computed in a thread."""
    if tap.does == "back":
        return partial(lines.back, position, seat, so_far, whole)
    change = CHANGES.get(tap.does)
    return partial(change, position, seat, so_far, tap.key) if change else lambda: so_far


def page_of(tap: Tap) -> int:
    """The page of the pad's buttons that a tap turns to."""
    return int(tap.key) if tap.does == "page" and tap.key.isdecimal() else 0


def where(seated: LoadedMatch) -> str:
    """The line of a pad that says of which match it is."""
    return f"{seated.game.title} · match {seated.id}"


def note_of(seated: LoadedMatch, user: UserId) -> str:
    """A line that says why somebody's prepared moves are gone; empty for all others."""
    told = exchanges.told(seated, user)
    return f"\n-# {told}" if told else ""


def marked(so_far: PartialMove) -> PartialMove:
    """A partial move without what no picture shows: a column without its row, the first digits of a number."""
    return PartialMove(so_far.kind, so_far.done, so_far.open.removesuffix(so_far.typed)) if not so_far.whole else so_far


def ids_of(seated: LoadedMatch, seat: Seat) -> pad_view.Ids:
    """The custom_ids of a seat's pad."""
    version = Sight.of(seated, seat).version

    def made(tap: Tap) -> CustomId:
        return PadId("k", seated.id, version, tap)

    return made


def _played(seated: LoadedMatch, interaction: Interaction, pad: PadId) -> str | None:
    """The move on a pad if its seat has played it since the pad was shown; else None."""
    seat, kind = expect_seat(seated, user_of(interaction)), submit_move.kind_of(seated, pad.tap.kind)
    so_far = pad_view.read(kind, interaction.message.components) if interaction.message else None
    ended = so_far if so_far is None or so_far.whole else so_far.ended()
    if ended is None or not ended.whole:
        return None
    try:
        move = seated.folded.position.read(seat, ended.line)
    except MoveError:
        return None
    return move if (seat, move) in seated.folded.shown(seat)[pad.at :] else None


def in_waiting_leg(seated: LoadedMatch, user: UserId, name: str) -> str:
    """The name of a kind of move; of two legs in the first that waits for somebody, where the button names none."""
    kinds = [kind for kind in seated.game.moves if kind.once and kind.once.name == name]
    seat = seated.seat_of(user)
    if not kinds or seat not in seated.turn:
        return kinds[0].name if kinds else name
    position = Sight.of(seated, seat).position
    able = [kind for kind in kinds if kind.when(position, seat)]
    return next((kind.name for kind in (*able, *kinds)), name)


def leg_of(seated: LoadedMatch, kind: str) -> int | None:
    """The leg of a kind of move in a match of two legs; else None."""
    return next((one.leg for one in seated.game.moves if one.name == kind), None)


def _to_move(seated: LoadedMatch, interaction: Interaction, version: int, leg: int | None, *, own: bool) -> Seat:
    """The seat of the person who presses, or a refusal where it may not move in that leg on the board it saw."""
    seat = expect_seat(seated, user_of(interaction))
    if seated.folded.has_moved_on(seat, seat if own else None, version, leg):
        raise Stale(MOVED_ON, seated)
    if seat not in seated.turn:
        raise NotYourTurn(f"It isn't your turn. {to_move(seated)} is to move.")
    return seat


def _position(seated: LoadedMatch, seat: Seat, kind: MoveKind) -> Position:
    """What a seat sees, or a refusal where no move of this kind can be made now."""
    position = Sight.of(seated, seat).position
    if isinstance(position, Legs) and position.leg(kind.leg).turn and kind.leg not in position.waiting(seat):
        raise NotYourTurn(f"Leg {kind.leg}: it is {person(seated.user_at(3 - seat))}'s turn.")
    if not kind.when(position, seat):
        raise Stale(MOVED_ON, seated)
    return position
