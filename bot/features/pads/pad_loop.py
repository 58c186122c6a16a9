"""Pads: the loop that answers their buttons in each of their uses, and the use that plays a move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import aiohttp
import discord
from discord import ui

from bot.features.board import match_pictures, replies, turn_words
from bot.features.board.match_pictures import Renderer
from bot.features.board.replies import Replies
from bot.features.board.words import format_mention
from bot.features.challenges import onboarding
from bot.features.challenges.service import describe_invitation
from bot.features.pads import drafts, handlers, keypad
from bot.features.pads.handlers import MoveSubmitter
from bot.features.pads.keypad import Ids
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.legs import Legs
from bot.games.moves import MoveKind
from bot.games.position import MoveError, Position, Seat
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import USUAL, Price
from bot.platform.custom_ids import MatchButton, PadId, Tap
from bot.platform.error_codes import Code, is_code
from bot.platform.interactions import Interaction, is_private, key_of, user_of
from bot.platform.jobs import Rank
from bot.platform.routes import on, price_by_tap
from bot.platform.ui import Control, Drawing
from bot.play import challenges, premoves
from bot.play import partial_moves as lines
from bot.play.acts import NotYourTurn, StaleBoard, expect_seat, mention_movers
from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal, mention_user
from bot.play.partial_moves import Key, Keyboard, PartialMove
from bot.umpire.umpire import Umpire

Shown = tuple[ui.LayoutView, edits.Files]

WHAT_OTHER, WHAT_THEN = "**What does {who} play?**", "**what do you play?**"
"""The questions above the kinds of move of a line that is supposed."""


async def confirm_always(_kind: MoveKind) -> bool:
    """Let a whole move be shown first, and finished by *Play*."""
    return True


async def confirm_never(_kind: MoveKind) -> bool:
    """Let a move be finished by the tap that makes it whole."""
    return False


@dataclass(frozen=True, slots=True)
class PadUse:
    """What a pad is used for: the position, which kinds of move can be chosen there by which seat, the lines about it,
    its buttons, and what a finished move does."""

    game: Game
    position: Position
    choices: Sequence[tuple[Seat, MoveKind]]
    where: str
    make_id: Ids
    outdated: str
    """The refusal of a button for a kind of move that is not among the choices."""
    finish: Callable[[Seat, PartialMove], Awaitable[None]]
    lead: str = ""
    """The line above the question: what a prepared answer is for, or what the game of a first pad is about."""
    supposed: str = ""
    """The sentence that the question ends, with the moves that the next one is supposed to follow."""
    who: str = ""
    """The other player whose move is asked for."""
    path: str = ""
    """The moves of the condition in notation, for the alt text that they are read from."""
    alt: str = ""
    """The position as text, for those who cannot see the pictures."""
    draw: Callable[[Seat, PartialMove], Awaitable[Drawing]] | None = None
    """Draws a partial move on other pictures than those of the position."""
    draw_board: Callable[[], Awaitable[Drawing]] | None = None
    """Draws other pictures above a choice of several kinds of move."""
    confirms: Callable[[MoveKind], Awaitable[bool]] = confirm_always
    keeps: Callable[[PartialMove], bool] | None = None
    """Whether a key is offered that leads to a partial move; without it all are."""
    foresees: bool = True
    """Whether the last step shows what the move would do."""
    name_seat: Callable[[Seat], str] = turn_words.SIGNS.__getitem__
    """Names the other players in what the move would do."""
    build_form: Callable[[PartialMove | None], ui.Modal] | None = None
    """Builds the form that goes on from a partial move, or from a choice of several kinds; without it there is no such
    button."""
    leave: Callable[[], Awaitable[None]] | None = None
    """What *Back* does where nothing is chosen; without it there is no such button."""
    below: Sequence[Control] = ()
    """Further buttons beside *Back*."""
    last_row: Sequence[Control] = ()
    """Buttons below the frame."""


def list_choices(game: Game, position: Position, seat: Seat) -> list[tuple[Seat, MoveKind]]:
    """The kinds of move that a seat can make in a position."""
    return [(seat, kind) for kind in game.moves if kind.when(position, seat)]


class Pads:
    """Shows pads and changes them tap by tap."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    async def build_page(self, use: PadUse, kind: MoveKind | None = None) -> Shown:
        """The pad for a kind of move, or for the only kind; else the board, with a button for each kind."""
        able = [(seat, one) for seat, one in use.choices if kind in (None, one)]
        seat, first = able[0]
        if len(able) == 1 and first.parts:
            begun = await self._renderer.run(partial(lines.begin_partial_move, use.position, seat, first), Rank.LOOK)
            return await self._build_pad(use, seat, begun)
        draw_board = use.draw_board or partial(self._renderer.draw, use.game, use.position, Rank.LOOK)
        drawing = await draw_board()
        return build_choice(use, able, drawing), drawing.make_files(use.alt)

    async def answer_tap(self, interaction: Interaction, use: PadUse, tap: Tap) -> None:
        """Answer a button of a pad, or the one that opens it: change the partial move in the message, then show it or
        finish it."""
        seat, kind = next((one for one in use.choices if one[1].name == tap.kind), (0, None))
        if kind is None:
            raise Refusal(use.outdated)
        so_far = read_partial_move(interaction, kind)
        if tap.does == "type" and use.build_form:
            await interaction.response.send_modal(use.build_form(so_far))
        elif so_far is None and tap.does == "back" and use.leave:
            await use.leave()
        elif so_far is None and kind.parts:
            await turn_page(interaction, *await self.build_page(use, kind))
        elif so_far is None:
            await use.finish(seat, PartialMove(kind))
        else:
            if tap.step != keypad.measure_step(so_far):
                tap = replace(tap, does="page", key="0")  # It was made for another partial move, and changes nothing.
            await self._apply_tap(interaction, use, seat, so_far, tap)

    async def _apply_tap(
        self, interaction: Interaction, use: PadUse, seat: Seat, so_far: PartialMove, tap: Tap
    ) -> None:  # fmt: skip
        after = await self._renderer.run(partial(change_move, use, seat, so_far, tap), Rank.LOOK)
        back, changed = tap.does == "back", after != so_far
        if len(use.choices) > 1 and back and not changed:
            await turn_page(interaction, *await self.build_page(use))
        elif use.leave and back and not changed:
            await use.leave()
        elif after.is_whole and (tap.does == "play" or (changed and not back and not await use.confirms(after.kind))):
            await use.finish(seat, after)
        else:
            page = int(tap.key) if tap.does == "page" and tap.key.isdecimal() else 0
            same = keep_visible_parts(so_far) == keep_visible_parts(after)
            await turn_page(interaction, *await self._build_pad(use, seat, after, page), same)

    async def _build_pad(self, use: PadUse, seat: Seat, so_far: PartialMove, page: int = 0) -> Shown:
        keys = partial(lines.list_keys, use.position, seat, so_far)
        keyboard = await self._renderer.run(keys, Rank.LOOK)
        if use.keeps:
            keeps = partial(keep_keys, use.position, seat, so_far, use.keeps)
            keyboard = await self._renderer.run(partial(keeps, keyboard), Rank.LOOK)
        foresee = partial(foresee_move, use.game, use.position, seat, so_far, use.name_seat)
        foreseen = await self._renderer.run(foresee, Rank.LOOK) if use.foresees else None
        alt, effect = use.alt, ""
        if foreseen:
            drawing = await self._renderer.draw_foreseen(use.game, use.position, foreseen.after, seat, so_far)
            alt, effect = str(foreseen.after), foreseen.effect
        else:
            draw = use.draw or partial(self._renderer.sketch, use.game, use.position)
            drawing = await draw(seat, keep_visible_parts(so_far))
        below = (*use.below, Control(platform_ui.GameButton("rules", use.game.key), "Rules"))
        view = keypad.build_pad(
            so_far, keyboard, drawing.pictures, alt, platform_ui.ACCENTS[seat - 1], use.make_id, where=use.where,
            lead=use.lead, supposed=use.supposed, who=use.who, path=use.path, effect=effect, page=page,
            form=use.build_form is not None, leaves=use.leave is not None or len(use.choices) > 1, below=below,
        )  # fmt: skip
        if use.last_row:
            view.add_item(platform_ui.make_row(*use.last_row))
        return view, drawing.make_files(alt)


def build_choice(use: PadUse, able: Sequence[tuple[Seat, MoveKind]], drawing: Drawing) -> ui.LayoutView:
    """The board with a button for each of several kinds of move."""
    seat, first = able[0]
    buttons = [Control(use.make_id(Tap(one.name, 0, "pick")), one.label) for _, one in able]
    # Of two legs it would have to be said in which the move is made.
    if use.build_form and not first.leg:
        buttons.append(Control(use.make_id(Tap(first.name, 0, "type")), keypad.TYPE_IT))
    asked = WHAT_OTHER.format(who=use.who) if use.who else use.supposed.format(question=WHAT_THEN)
    asked = asked if use.who or use.supposed else ""
    back = [Control(use.make_id(Tap(first.name, 0, "back")), "Back")] if use.leave else []
    abreast, below = platform_ui.ABREAST, [*back, *use.below]
    rows = [*(buttons[at : at + abreast] for at in range(0, len(buttons), abreast)), below]
    return platform_ui.frame_view(
        platform_ui.ACCENTS[seat - 1],
        ui.TextDisplay[Any]("\n".join(filter(None, (use.lead, asked, use.where)))),
        *platform_ui.make_galleries(drawing.pictures, use.alt, use.path),
        *(platform_ui.make_row(*row) for row in rows if row),
    )


def read_partial_move(interaction: Interaction, kind: MoveKind) -> PartialMove | None:
    """The partial move of a kind in the message whose button was pressed; None where there is none."""
    return keypad.read_partial_move(kind, interaction.message.components) if interaction.message else None


def change_move(use: PadUse, seat: Seat, so_far: PartialMove, tap: Tap) -> PartialMove:
    """The partial move after a tap."""
    match tap.does:
        case "pick":
            return lines.press_key(use.position, seat, so_far, tap.key)
        case "done" | "play":
            return lines.finish_part(use.position, seat, so_far)
        case "clear":
            return lines.clear_items(use.position, seat, so_far)
        case "back":
            return lines.step_back(use.position, seat, so_far)
        case "page" | "type":
            return so_far


def keep_keys(
    position: Position, seat: Seat, so_far: PartialMove, keeps: Callable[[PartialMove], bool], board: Keyboard
) -> Keyboard:
    """A keyboard without the keys that lead to partial moves which are not to be offered."""

    def is_kept(key: Key) -> bool:
        return keeps(lines.press_key(position, seat, so_far, key.sign))

    return replace(board, keys=tuple(filter(is_kept, board.keys)), others=tuple(filter(is_kept, board.others)))


class ForeseenMove(NamedTuple):
    """The position after a move that is not played yet, and what the move does."""

    after: Position
    effect: str


def foresee_move(
    game: Game, position: Position, seat: Seat, so_far: PartialMove,
    name: Callable[[Seat], str] = turn_words.SIGNS.__getitem__,
) -> ForeseenMove | None:  # fmt: skip
    """What a whole move would do; None where players shall find that out themselves."""
    after = match_pictures.foresee_position(position, seat, so_far)
    if after is None:
        return None
    return ForeseenMove(after, turn_words.describe_effect(game, seat, position, after, name))


def keep_visible_parts(so_far: PartialMove) -> PartialMove:
    """A partial move without what no picture shows: the range of a number, mostly."""
    if so_far.is_whole or match_pictures.is_column(so_far) or so_far.current_part.shows_range:
        return so_far
    return PartialMove(so_far.kind, so_far.done, so_far.open.removesuffix(so_far.typed_text))


async def turn_page(interaction: Interaction, view: ui.LayoutView, files: edits.Files, same: bool = False) -> None:
    """Show a page in place of the one before, `same` where its pictures stand there already; on a public message, as a
    new ephemeral one. An imported record stays in its message."""
    if interaction.message and platform_ui.BROUGHT in edits.read_files(interaction.message.components):
        view.add_item(ui.File[Any](f"attachment://{platform_ui.BROUGHT}"))
    try:
        await edits.answer(interaction, view, files, keep=same)
    except discord.HTTPException as fault:
        # The answer to another tap may have taken the pad away.
        if not (same and is_code(fault, Code.UNKNOWN_MESSAGE)):
            raise
        if not interaction.response.is_done():
            await interaction.response.defer()


# Moves that are played in a match.


MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was played."
LEADS_NOWHERE = "This pad is out of date. Use /match board to get a fresh one."


class MovePads:
    """Opens the pads of a match, and plays the moves that are chosen on them."""

    def __init__(self, umpire: Umpire, replies: Replies, renderer: Renderer, submit: MoveSubmitter) -> None:
        self._umpire = umpire
        self._replies = replies
        self._renderer = renderer
        self._submit = submit
        self._pads = Pads(renderer)
        self._begun: dict[MatchId, Interaction] = {}
        """By whose interaction the user's own message above the first pad of a quick game can be edited."""

    @on(MatchButton)
    async def answer_button(self, interaction: Interaction, button: MatchButton) -> None:
        """Answer the button for a move: mend a draft, play a move that has no parts, or open the pad."""
        loaded = await self._umpire.load(button.match)
        if await handlers.reopen_draft(interaction, loaded, button):
            return
        verb = choose_waiting_leg(loaded, user_of(interaction), button.verb)
        seat = _expect_turn(loaded, interaction, button.version, leg_of(loaded, verb), own=button.own)
        kind = handlers.find_kind(loaded, verb)
        if button.sure and (values := handlers.read_draft(interaction, kind)) is not None:
            await self._submit.play_move(interaction, loaded, kind.write(values), button.version)
        elif kind.parts:
            _expect_kind(loaded, seat, kind)
            use = self._make_use(interaction, loaded, seat, kind)
            await turn_page(interaction, *await self._pads.build_page(use))
        else:
            await self._submit.enter_move(interaction, loaded, kind, {}, loaded.begun_match.version_for(seat))

    async def open_first_pad(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Open the pad for the first move of a quick game, in a message of its own: no message that is older than the
        match is taken for one of its messages."""
        seat = expect_seat(loaded, user_of(interaction))
        choices = list_choices(loaded.game, MatchView.of(loaded, seat).position, seat)
        kind = next(kind for _, kind in choices if kind.parts)
        view, files = await self._pads.build_page(self._make_use(interaction, loaded, seat, kind, first=True))
        if is_private(interaction):
            self._begun = {match: one for match, one in self._begun.items() if not one.is_expired()}
            self._begun[loaded.id] = interaction
        await edits.answer_anew(interaction, view, files)

    @on(PadId, words="k", price=price_by_tap(play=USUAL, other=Price(0.5)))
    async def answer_tap(self, interaction: Interaction, pad: PadId) -> None:
        """Answer a button of a pad; a second tap on *Play* is answered like the first."""
        try:
            loaded = await self._umpire.load(pad.match)
            seat = _expect_turn(loaded, interaction, pad.at, leg_of(loaded, pad.tap.kind), own=True)
            kind = handlers.find_kind(loaded, pad.tap.kind)
            _expect_kind(loaded, seat, kind)
            if read_partial_move(interaction, kind) is None:
                raise Refusal(LEADS_NOWHERE)
            await self._pads.answer_tap(interaction, self._make_use(interaction, loaded, seat, kind, pad.at), pad.tap)
        except StaleBoard as fault:
            if pad.tap.does == "play" and (already := _find_played_move(fault.loaded, interaction, pad)):
                if replies.is_board_enough(interaction, fault.loaded):
                    return await self._replies.take_away_pad(interaction)
                raise StaleBoard(f"You have already played {already}. Here is the board now.", fault.loaded) from fault
            raise

    def _make_use(
        self, interaction: Interaction, loaded: LoadedMatch, seat: Seat, kind: MoveKind, seen: int | None = None,
        first: bool = False,
    ) -> PadUse:  # fmt: skip
        """The use that plays a move in the match, as its seat has `seen` it. The `first` pad of a quick game says what
        the game is about."""
        sight, user = MatchView.of(loaded, seat), user_of(interaction)
        first = first or is_first_pad(interaction, loaded.game)
        about = f"{format_match_line(loaded)}{describe_lost_premoves(loaded, user)}"

        async def play(_seat: Seat, move: PartialMove) -> None:
            await self._submit.enter_move(interaction, loaded, kind, move.values, seen)

        async def confirm(kind: MoveKind) -> bool:
            # A final move asks a question of its own.
            return not kind.final and await self._umpire.wants_confirmation(user)

        def build_form(so_far: PartialMove | None) -> ui.Modal:
            values = so_far.values if so_far and (so_far.done or so_far.open) else None
            return drafts.build_form(loaded, kind, seat, key_of(interaction), values)

        return PadUse(
            loaded.game, sight.position, ((seat, kind),), about,
            make_pad_ids(loaded, seat), LEADS_NOWHERE, play, lead=loaded.game.goal if first else "",
            alt=str(sight.position), confirms=confirm, name_seat=partial(format_mention, loaded), build_form=build_form,
            leave=partial(self._go_back, interaction, loaded),
        )  # fmt: skip

    async def _go_back(self, interaction: Interaction, loaded: LoadedMatch) -> None:
        """Show the board; or call a quick game off from whose first pad its player goes back, and show the games."""
        user = user_of(interaction)
        if not is_first_pad(interaction, loaded.game) or not challenges.is_untouched(loaded.row, user):
            await self._replies.show_own_board(interaction, loaded, "Only you see this board.", edit=True)
            return
        done = await self._umpire.act(key_of(interaction), loaded.id, user, challenges.take_away)
        async with self._replies.publish_afterwards(done.after.id):
            invite = describe_invitation(interaction)
            listed = onboarding.build_first_games(tuple(load_offered_games().values()), gone=loaded.game, invite=invite)
            await edits.answer(interaction, listed, [])
        if above := self._begun.pop(loaded.id, None):
            with suppress(discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError):
                await edits.answer(above, onboarding.build_quick_result(done.after), [])


def is_first_pad(interaction: Interaction, game: Game) -> bool:
    """Whether the message is the first pad of a quick game: no other says what the game is about."""
    shown = interaction.message.components if interaction.message else []
    return keypad.is_pad(shown) and any(game.goal in text for text in collect_texts(shown))


def collect_texts(components: Sequence[Any]) -> list[str]:
    """All texts of a message."""
    return [text for text in keypad.iterate_texts(components) if text]


def format_match_line(loaded: LoadedMatch) -> str:
    """The line of a pad that names its match."""
    return f"{loaded.game.title} · match {loaded.id}"


def describe_lost_premoves(loaded: LoadedMatch, user: UserId) -> str:
    """A line that says why a user's premoves were dropped; empty for all others."""
    reason = premoves.explain_dropped(loaded, user)
    return f"\n-# {reason}" if reason else ""


def make_pad_ids(loaded: LoadedMatch, seat: Seat) -> Ids:
    """The custom_ids of a seat's pad."""
    return partial(PadId, "k", loaded.id, MatchView.of(loaded, seat).version)


def _find_played_move(loaded: LoadedMatch, interaction: Interaction, pad: PadId) -> str | None:
    """The move on a pad if its seat has played it since the pad was shown; else None."""
    seat, kind = expect_seat(loaded, user_of(interaction)), handlers.find_kind(loaded, pad.tap.kind)
    so_far = read_partial_move(interaction, kind)
    ended = so_far if so_far is None or so_far.is_whole else so_far.end_part()
    if ended is None or not ended.is_whole:
        return None
    try:
        move = loaded.begun_match.position.read(seat, ended.line)
    except MoveError:
        return None
    return move if (seat, move) in loaded.begun_match.list_visible_entries(seat)[pad.at :] else None


def choose_waiting_leg(loaded: LoadedMatch, user: UserId, name: str) -> str:
    """The name of a kind of move; of two legs in that which has waited longest for the user, where the button names
    none."""
    kinds = [kind for kind in loaded.game.moves if kind.single and kind.single.name == name]
    seat = loaded.seat_of(user)
    if not kinds or seat not in loaded.turn:
        return kinds[0].name if kinds else name
    position = MatchView.of(loaded, seat).position
    legs = loaded.begun_match.order_waiting_legs(seat)
    able = [kind for leg in legs for kind in kinds if kind.leg == leg and kind.when(position, seat)]
    return next((kind.name for kind in (*able, *kinds)), name)


def leg_of(loaded: LoadedMatch, kind: str) -> int | None:
    """The leg of a kind of move in a match of two legs; else None."""
    return next((one.leg for one in loaded.game.moves if one.name == kind), None)


def _expect_turn(loaded: LoadedMatch, interaction: Interaction, version: int, leg: int | None, *, own: bool) -> Seat:
    """The seat of the user; raises a refusal where it may not move in that leg on the board it saw."""
    seat = expect_seat(loaded, user_of(interaction))
    if loaded.begun_match.has_moved_on(seat, seat if own else None, version, leg):
        raise StaleBoard(MOVED_ON, loaded)
    if seat not in loaded.turn:
        raise NotYourTurn(f"It's {mention_movers(loaded)}'s turn.")
    return seat


def _expect_kind(loaded: LoadedMatch, seat: Seat, kind: MoveKind) -> None:
    """Refuse a kind of move of which none can be made now."""
    position = MatchView.of(loaded, seat).position
    if (
        isinstance(position, Legs)
        and position.get_position(kind.leg).turn
        and kind.leg not in position.list_waiting_legs(seat)
    ):
        raise NotYourTurn(f"Leg {kind.leg}: it is {mention_user(loaded.user_at(3 - seat))}'s turn.")
    if not kind.when(position, seat):
        raise StaleBoard(MOVED_ON, loaded)
