"""The pad: opened, tapped and finished, for moves that are played and for those that are not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.features.board import replies
from bot.features.board.ids import ActButton, stamp
from bot.features.board.match_pictures import Renderer
from bot.features.board.replies import Replies
from bot.features.pads import drafts, handlers, keypad
from bot.features.pads.handlers import MoveSubmitter
from bot.features.pads.keypad import Ids
from bot.games.game import Game
from bot.games.legs import Legs
from bot.games.moves import MoveKind
from bot.games.position import MoveError, Position, Seat
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import USUAL, Price
from bot.platform.custom_ids import CustomId, MatchButton, PadId, Tap
from bot.platform.error_codes import Code, is_code
from bot.platform.interactions import Interaction, key_of, user_of
from bot.platform.jobs import Rank
from bot.platform.routes import on, price_by_tap
from bot.platform.ui import Control, Drawing
from bot.play import partial_moves as lines
from bot.play import premoves
from bot.play.acts import NotYourTurn, StaleBoard, expect_seat, mention_movers
from bot.play.ids import UserId
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal, mention_user
from bot.play.partial_moves import PartialMove
from bot.umpire.umpire import Umpire

# Answers the buttons of a pad, and the button for a move that opens one.


MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was played."
LEADS_NOWHERE = "This pad is out of date. Use /match board to get a fresh one."
CHANGES: dict[str, Callable[[Position, Seat, PartialMove, str], PartialMove]] = {
    "pick": lines.press_key,
    "done": lambda position, seat, so_far, _: lines.finish_part(position, seat, so_far),
    "play": lambda position, seat, so_far, _: lines.finish_part(position, seat, so_far),
    "clear": lambda position, seat, so_far, _: lines.clear_items(position, seat, so_far),
}
"""What a tap does to the partial move, by its word, beside *Back*; `type` and `page` leave it as it is."""


class PadActions:
    """Opens pads, changes them tap by tap, and plays what was tapped together."""

    def __init__(self, umpire: Umpire, replies: Replies, renderer: Renderer, submit: MoveSubmitter) -> None:
        self._umpire = umpire
        self._replies = replies
        self._renderer = renderer
        self._submit = submit
        self.gone_back: Callable[[Interaction, LoadedMatch], Awaitable[bool]] = keep_board
        """Asked where somebody goes back from the first step of a pad: whether something else than the board is shown
        for that."""

    @on(MatchButton)
    async def answer_button(self, interaction: Interaction, button: MatchButton) -> None:
        """Answer the button for a move: mend a draft, play a move that has no parts, or open the pad."""
        seated = await self._umpire.load(button.match)
        if await handlers.reopen_draft(interaction, seated, button):
            return
        verb = choose_waiting_leg(seated, user_of(interaction), button.verb)
        seat = _expect_turn(seated, interaction, button.version, leg_of(seated, verb), own=button.own)
        kind = handlers.find_kind(seated, verb)
        if button.sure and (values := handlers.read_draft(interaction, kind)) is not None:
            await self._submit.play_move(interaction, seated, kind.write(values), button.version)
        elif kind.parts:
            position = _expect_position(seated, seat, kind)
            so_far = await self._renderer.run(partial(lines.begin_partial_move, position, seat, kind), Rank.LOOK)
            await self._show(interaction, seated, seat, so_far)
        else:
            await self._submit.enter_move(interaction, seated, kind, {}, seated.begun_match.version_for(seat))

    async def open_first_pad(self, interaction: Interaction, seated: LoadedMatch) -> None:
        """Open the pad for the first move of a quick game, in a message of its own: what has led to a match is older
        than the match, and nothing so old is taken for its message."""
        seat = expect_seat(seated, user_of(interaction))
        position = MatchView.of(seated, seat).position
        kind = next(kind for kind in seated.game.moves if kind.parts and kind.when(position, seat))
        so_far = await self._renderer.run(partial(lines.begin_partial_move, position, seat, kind), Rank.LOOK)
        await self._show(interaction, seated, seat, so_far, first=True, anew=True)

    @on(PadId, words="k", price=price_by_tap(play=USUAL, other=Price(0.5)))
    async def answer_tap(self, interaction: Interaction, pad: PadId) -> None:
        """Answer a button of a pad; after a second tap on Play the board says that the move counts."""
        try:
            await self._answer_tap(interaction, pad)
        except StaleBoard as fault:
            if pad.tap.does == "play" and (already := _find_played_move(fault.seated, interaction, pad)):
                if replies.is_board_enough(interaction, fault.seated):
                    return await self._replies.take_away_pad(interaction)
                raise StaleBoard(f"You have already played {already}. Here is the board now.", fault.seated) from fault
            raise

    async def _answer_tap(self, interaction: Interaction, pad: PadId) -> None:
        seated = await self._umpire.load(pad.match)
        seat = _expect_turn(seated, interaction, pad.at, leg_of(seated, pad.tap.kind), own=True)
        kind, tap = handlers.find_kind(seated, pad.tap.kind), pad.tap
        _expect_position(seated, seat, kind)
        so_far = keypad.read_partial_move(kind, interaction.message.components) if interaction.message else None
        if so_far is None:
            raise Refusal(LEADS_NOWHERE)
        if tap.step != keypad.measure_step(so_far):
            await self._show(interaction, seated, seat, so_far, so_far)
        elif tap.does == "type":
            values = so_far.values if so_far.done or so_far.open else None
            await interaction.response.send_modal(drafts.build_form(seated, kind, seat, key_of(interaction), values))
        else:
            await self._apply_change(interaction, seated, seat, so_far, pad)

    async def _apply_change(
        self, interaction: Interaction, seated: LoadedMatch, seat: Seat, so_far: PartialMove, pad: PadId
    ) -> None:
        """Play what *Play* has made whole; else show the pad after a tap, or the board where nothing is left to go back
        to. A whole move is played at once where the person wants no last step; a final one asks a question of its own.
        """
        tap, position = pad.tap, MatchView.of(seated, seat).position
        after = await self._renderer.run(make_change(position, seat, so_far, tap), Rank.LOOK)
        back = tap.does == "back"
        whole, plays = after.is_whole and after != so_far and not back, after.is_whole and tap.does == "play"
        if back and after == so_far:
            if is_first_pad(interaction) and await self.gone_back(interaction, seated):
                return
            await self._replies.show_own_board(interaction, seated, "Only you see this board.", edit=True)
        elif plays or whole and (so_far.kind.final or not await self._umpire.wants_confirmation(user_of(interaction))):
            await self._submit.enter_move(interaction, seated, so_far.kind, after.values, pad.at)
        else:
            await self._show(interaction, seated, seat, after, so_far, page_of(tap))

    async def _show(
        self, interaction: Interaction, seated: LoadedMatch, seat: Seat, so_far: PartialMove,
        before: PartialMove | None = None, page: int = 0, first: bool = False, anew: bool = False,
    ) -> None:  # fmt: skip
        """Show a pad: in place of the own board or of the pad `before`, with a new picture where other squares are
        chosen; or, from the public board or `anew`, as an ephemeral message. The `first` one of a quick game says what
        the game is about, and leads to its rules."""
        sight = MatchView.of(seated, seat)
        board = await self._renderer.run(partial(lines.list_keys, sight.position, seat, so_far), Rank.LOOK)
        drawing = await self._renderer.sketch(seated.game, sight.position, seat, keep_visible_parts(so_far))
        first = first or is_first_pad(interaction)
        about = f"{format_match_line(seated)}{describe_lost_premoves(seated, user_of(interaction))}"
        view = keypad.build_pad(
            so_far, board, drawing.pictures, str(sight.position), platform_ui.ACCENTS[seat - 1], make_pad_ids(seated, seat),
            where=f"{seated.game.goal}\n-# {about}" if first else about, page=page,
            below=[Control(ActButton(*stamp(sight), "rules"), "Rules")] if first else (),
        )  # fmt: skip
        files = drawing.make_files(str(sight.position))
        if anew:
            await edits.answer_anew(interaction, view, files)
        elif before and keep_visible_parts(before) == keep_visible_parts(so_far):
            await _edit_keeping_picture(interaction, view, files)
        else:
            await edits.answer(interaction, view, files)


def is_first_pad(interaction: Interaction) -> bool:
    """Whether somebody has used the first pad of a quick game: no other leads to the rules."""
    shown = interaction.message.components if interaction.message else []
    return keypad.is_pad(shown) and any(button.verb == "rules" for button in platform_ui.find_buttons(shown))


async def keep_board(_interaction: Interaction, _seated: LoadedMatch) -> bool:
    """Every match stays as it is where nobody else is asked."""
    return False


async def _edit_keeping_picture(interaction: Interaction, view: ui.LayoutView, files: edits.Files) -> None:
    """Change a pad whose picture stays. Where another tap's answer has taken the pad away, that is well."""
    try:
        await edits.answer(interaction, view, files, keep=True)
    except discord.HTTPException as fault:
        if not is_code(fault, Code.UNKNOWN_MESSAGE):
            raise
        if not interaction.response.is_done():
            await interaction.response.defer()


def make_change(
    position: Position, seat: Seat, so_far: PartialMove, tap: Tap, whole: int = 0
) -> Callable[[], PartialMove]:  # fmt: skip
    """The partial move after a tap, on a pad that offers so many squares `whole`; computed in a thread."""
    if tap.does == "back":
        return partial(lines.step_back, position, seat, so_far, whole)
    change = CHANGES.get(tap.does)
    return partial(change, position, seat, so_far, tap.key) if change else lambda: so_far


def page_of(tap: Tap) -> int:
    """The page of the pad's buttons that a tap turns to."""
    return int(tap.key) if tap.does == "page" and tap.key.isdecimal() else 0


def format_match_line(seated: LoadedMatch) -> str:
    """The line of a pad that says of which match it is."""
    return f"{seated.game.title} · match {seated.id}"


def describe_lost_premoves(seated: LoadedMatch, user: UserId) -> str:
    """A line that says why somebody's prepared moves are gone; empty for all others."""
    told = premoves.explain_dropped(seated, user)
    return f"\n-# {told}" if told else ""


def keep_visible_parts(so_far: PartialMove) -> PartialMove:
    """A partial move without what no picture shows: a column without its row, the first digits of a number."""
    return (
        PartialMove(so_far.kind, so_far.done, so_far.open.removesuffix(so_far.typed_text))
        if not so_far.is_whole
        else so_far
    )


def make_pad_ids(seated: LoadedMatch, seat: Seat) -> keypad.Ids:
    """The custom_ids of a seat's pad."""
    version = MatchView.of(seated, seat).version

    def made(tap: Tap) -> CustomId:
        return PadId("k", seated.id, version, tap)

    return made


def _find_played_move(seated: LoadedMatch, interaction: Interaction, pad: PadId) -> str | None:
    """The move on a pad if its seat has played it since the pad was shown; else None."""
    seat, kind = expect_seat(seated, user_of(interaction)), handlers.find_kind(seated, pad.tap.kind)
    so_far = keypad.read_partial_move(kind, interaction.message.components) if interaction.message else None
    ended = so_far if so_far is None or so_far.is_whole else so_far.end_part()
    if ended is None or not ended.is_whole:
        return None
    try:
        move = seated.begun_match.position.read(seat, ended.line)
    except MoveError:
        return None
    return move if (seat, move) in seated.begun_match.list_visible_entries(seat)[pad.at :] else None


def choose_waiting_leg(seated: LoadedMatch, user: UserId, name: str) -> str:
    """The name of a kind of move; of two legs in the first that waits for somebody, where the button names none."""
    kinds = [kind for kind in seated.game.moves if kind.single and kind.single.name == name]
    seat = seated.seat_of(user)
    if not kinds or seat not in seated.turn:
        return kinds[0].name if kinds else name
    position = MatchView.of(seated, seat).position
    able = [kind for kind in kinds if kind.when(position, seat)]
    return next((kind.name for kind in (*able, *kinds)), name)


def leg_of(seated: LoadedMatch, kind: str) -> int | None:
    """The leg of a kind of move in a match of two legs; else None."""
    return next((one.leg for one in seated.game.moves if one.name == kind), None)


def _expect_turn(seated: LoadedMatch, interaction: Interaction, version: int, leg: int | None, *, own: bool) -> Seat:
    """The seat of the person who presses, or a refusal where it may not move in that leg on the board it saw."""
    seat = expect_seat(seated, user_of(interaction))
    if seated.begun_match.has_moved_on(seat, seat if own else None, version, leg):
        raise StaleBoard(MOVED_ON, seated)
    if seat not in seated.turn:
        raise NotYourTurn(f"It isn't your turn. {mention_movers(seated)} is to move.")
    return seat


def _expect_position(seated: LoadedMatch, seat: Seat, kind: MoveKind) -> Position:
    """What a seat sees, or a refusal where no move of this kind can be made now."""
    position = MatchView.of(seated, seat).position
    if (
        isinstance(position, Legs)
        and position.get_position(kind.leg).turn
        and kind.leg not in position.list_waiting_legs(seat)
    ):
        raise NotYourTurn(f"Leg {kind.leg}: it is {mention_user(seated.user_at(3 - seat))}'s turn.")
    if not kind.when(position, seat):
        raise StaleBoard(MOVED_ON, seated)
    return position


# A pad for a move that is played in no match: one that is tried again or tried out, or the daily puzzle.


Shown = tuple[ui.LayoutView, edits.Files]
ABREAST = 5
"""Buttons in a row (Discord's limit)."""


@dataclass(frozen=True, slots=True)
class PadContext:
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

    def list_kinds(self) -> Sequence[tuple[Seat, MoveKind]]:
        """The kinds of move that can be tried, each with its seat."""
        own = ((self.seat, kind) for kind in self.game.moves if kind.when(self.position, self.seat))
        return self.choices or tuple(own)


class TrialPad:
    """Shows such pads and changes them tap by tap."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def build_page(self, it: PadContext, kind: MoveKind | None = None) -> Shown:
        """The pad for a kind of move, or for the only kind; else the board, with a button for each kind."""
        able = [(seat, one) for seat, one in it.list_kinds() if kind in (None, one)]
        if len(able) == 1 and able[0][1].parts:
            begun = await self._renderer.run(partial(lines.begin_partial_move, it.position, *able[0]), Rank.LOOK)
            return await self._build_pad(it, able[0][0], begun)
        drawing, text = await self._draw_board(it), "" if it.paper else str(it.position)
        buttons = [Control(it.ids(Tap(one.name, 0, "pick")), one.label) for _, one in able]
        rows = [*(buttons[at : at + ABREAST] for at in range(0, len(buttons), ABREAST)), it.below]
        view = platform_ui.frame_view(
            platform_ui.ACCENTS[able[0][0] - 1],
            ui.TextDisplay[Any](it.said),
            *platform_ui.make_galleries(drawing.pictures, text),
            *(platform_ui.make_row(*row) for row in rows if row),
        )
        return view, drawing.make_files(text)

    async def answer_tap(self, interaction: Interaction, it: PadContext, tap: Tap) -> str | None:
        """Answer a button of the pad, or the one that opens it; or return the line of a whole move that is to be tried,
        when nothing is answered yet."""
        seat, kind = next(((seat, kind) for seat, kind in it.list_kinds() if kind.name == tap.kind), (it.seat, None))
        if kind is None:
            raise Refusal(it.outdated)
        so_far = keypad.read_partial_move(kind, interaction.message.components) if interaction.message else None
        if not kind.parts:
            return kind.write({})
        if so_far is None:
            await turn_page(interaction, *await self.build_page(it, kind))
            return None
        stale = tap.step != keypad.measure_step(so_far)
        work = (lambda: so_far) if stale else make_change(it.position, seat, so_far, tap)
        after = await self._renderer.run(work, Rank.LOOK)
        at_once = bool(it.choices) and after != so_far and tap.does != "back"
        if after.is_whole and not stale and (tap.does == "play" or at_once):
            return after.line
        same = keep_visible_parts(so_far) == keep_visible_parts(after)
        await turn_page(interaction, *await self._build_pad(it, seat, after, page_of(tap)), same)
        return None

    async def _build_pad(self, it: PadContext, seat: Seat, so_far: PartialMove, page: int = 0) -> Shown:
        keyboard = await self._renderer.run(partial(lines.list_keys, it.position, seat, so_far), Rank.LOOK)
        drawing = await self._sketch(it, seat, keep_visible_parts(so_far))
        text = "" if it.paper else str(it.position)
        view = keypad.build_pad(
            so_far, keyboard, drawing.pictures, text, platform_ui.ACCENTS[seat - 1], it.ids,
            where=it.said, page=page, form=False, below=it.below,
        )  # fmt: skip
        return view, drawing.make_files(text)

    async def _draw_board(self, it: PadContext) -> Drawing:
        """The whole board; on paper that of each leg."""
        if not it.paper:
            return await self._renderer.draw(it.game, it.position, Rank.LOOK)
        of_legs = {kind.leg: (seat, kind) for seat, kind in it.list_kinds()}
        drawings = [await self._sketch(it, seat, PartialMove(kind)) for seat, kind in of_legs.values()]
        return sum(drawings, Drawing((), ()))

    async def _sketch(self, it: PadContext, seat: Seat, so_far: PartialMove) -> Drawing:
        if it.paper:
            return await self._renderer.draw_on_paper(it.game, it.position, seat, so_far)
        return await self._renderer.sketch(it.game, it.position, seat, so_far, Rank.LOOK)


async def turn_page(interaction: Interaction, view: ui.LayoutView, files: edits.Files, same: bool = False) -> None:
    """Show a page in place of the one before, `same` where its pictures stand there already; on a message that others
    see, as a new ephemeral message. A record that somebody has brought stays in its message."""
    if interaction.message and platform_ui.BROUGHT in edits.read_files(interaction.message.components):
        view.add_item(ui.File[Any](f"attachment://{platform_ui.BROUGHT}"))
    await edits.answer(interaction, view, files, keep=same)
