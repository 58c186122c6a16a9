"""The pads on which moves are prepared: the opponent's move, one's answer, and on; and the list of what is ready.

All of it is shown to one person alone, and nothing is kept before an answer is chosen: the moves so far stand in the
message. The board is shown as it is, with the squares of those moves framed, never as it would be after them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Self

import discord
from discord import ui

from bot.client.interactions.context import Interaction, is_ephemeral, user_of
from bot.client.interactions.custom_ids import ButtonId, PrepareId, Tap
from bot.client.moves import pad_actions
from bot.client.runtime.thread_pool import Rank
from bot.client.text import match_text
from bot.client.views import match_views, pad_view, views
from bot.client.views.renderer import Renderer
from bot.client.views.views import Control, Drawing
from bot.core.entry import pads as lines
from bot.core.entry.keyboards import WHOLE
from bot.core.entry.partial_move import PartialMove
from bot.core.entry.prepared import DEEPEST, LONGEST, Line
from bot.core.game.legs import Legs
from bot.core.game.moves import MoveKind
from bot.core.game.position import MoveError
from bot.core.match.loaded_match import LoadedMatch, Refusal, Sight, person
from bot.core.match.match import Match
from bot.core.match.record import Move
from bot.core.values.plural import Plural, together
from bot.core.values.seats import Seat
from bot.service.rules.refusals import NotYourTurn, Stale
from bot.service.umpire import exchanges
from bot.service.umpire.prepared_moves import PreparedMoves
from bot.service.umpire.umpire import Umpire

IF, THEN = "if", "then"
PATH = re.compile(r"```\n((?:(?:if|then) [^\n]+\n)+)```")
"""The moves so far, as they stand in a message: the opponent's behind *if*, one's own behind *then*."""
LEADS_NOWHERE = "This pad is out of date. Use /match prepared to get a fresh one."
ENDS = "After that move the match is over, so there is nothing to answer."
THEIRS, YOURS = "If {who} plays this …", "… then you play this."
READY = Plural(
    "**You have 1 line ready in match {match}.** Nobody else can see it.",
    "**You have {count} lines ready in match {match}.** Nobody else can see them.",
)
NOTHING = "You have no moves ready in match {match}."
HOW = "While {who} is to move, you can prepare your answers."
HALF = "Write both, a move that your opponent may make and your answer to it."
PAIR, NEXT_PAIR = "If {who} plays {theirs}, you play {yours}.", "If {who} then plays {theirs}, you play {yours}."


@dataclass(frozen=True, slots=True)
class Ahead:
    """A match as somebody imagines it: their seat, the moves from where it stands, the match after them, and who is to
    move then; nobody where the match or the leg is over."""

    seated: LoadedMatch
    seat: Seat
    path: Line
    match: Match
    mover: Seat | None

    @classmethod
    def of(cls, seated: LoadedMatch, seat: Seat, path: Line) -> Self:
        """The match after some moves; a refusal where they cannot be made."""
        match, leg = seated.folded, next((seated.folded.leg_of(move) for move in path), None)
        try:
            for move in path:
                match = match.play(*move)
        except MoveError as fault:
            raise Stale(exchanges.MOVED_ON, seated) from fault
        position = match.position
        turn = [one for one in match.turn if not isinstance(position, Legs) or not leg or leg in position.waiting(one)]
        return cls(seated, seat, path, match, next((one for one in turn if path or one != seat), None))

    @property
    def kinds(self) -> list[MoveKind]:
        """The kinds of move that can be made next."""
        leg = next((self.match.leg_of(move) for move in self.path), None)
        kinds = (kind for kind in self.match.game.moves if not leg or kind.leg == leg)
        return [kind for kind in kinds if self.mover and kind.when(self.match.position, self.mover)]

    def kind(self, name: str) -> MoveKind:
        """The kind of move with a name, if one can be made next."""
        found = next((kind for kind in self.kinds if kind.name == name), None)
        if found is None:
            raise Refusal(LEADS_NOWHERE)
        return found

    @property
    def goes_on(self) -> bool:
        """Whether the line can become longer."""
        own = sum(move.seat == self.seat for move in self.path)
        return self.mover is not None and own < DEEPEST and len(self.path) < LONGEST - 1


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
        await interaction.response.send_message(view=ready(Ahead.of(seated, seat, ())), ephemeral=True)

    async def pressed(self, interaction: Interaction, button: ButtonId) -> None:
        """Begin a line, go on with the one in the message, or give up all that is ready."""
        seated, user = await self._umpire.load(button.match), user_of(interaction)
        seat = exchanges.expect_preparable(seated, user)
        if button.verb == match_views.UNREADY:
            ahead = Ahead.of(await self._prepared.clear(seated.id, user), seat, ())
            await interaction.response.edit_message(view=ready(ahead), attachments=[])
            return
        path = read(interaction, seat) if button.verb == match_views.AND_THEN else ()
        await self._ask(interaction, expect_current(seated, seat, button.version, path))

    async def tapped(self, interaction: Interaction, pad: PrepareId) -> None:
        """Answer a button of a pad: the next key, or the next move."""
        seated = await self._umpire.load(pad.match)
        seat = exchanges.expect_preparable(seated, user_of(interaction))
        ahead = expect_current(seated, seat, pad.version, read(interaction, seat))
        kind, tap = ahead.kind(pad.tap.kind), pad.tap
        so_far = pad_view.read(kind, interaction.message.components) if interaction.message else None
        if not kind.parts:
            await self._chosen(interaction, ahead, kind.write({}))
        elif so_far is None:
            await self._ask(interaction, ahead, kind)
        else:
            await self._changed(interaction, ahead, so_far, tap)

    async def _changed(self, interaction: Interaction, ahead: Ahead, so_far: PartialMove, tap: Tap) -> None:
        assert ahead.mover
        stale = tap.step != pad_view.step(so_far)
        work = pad_actions.changing(ahead.match.position, ahead.mover, so_far, tap, WHOLE)
        after = so_far if stale else await self._renderer.run(work, Rank.LOOK)
        if after.whole and not stale and (tap.does == "play" or after != so_far and tap.does != "back"):
            await self._chosen(interaction, ahead, after.line)
        else:
            await self._show(interaction, ahead, after, pad_actions.page_of(tap))

    async def _chosen(self, interaction: Interaction, ahead: Ahead, text: str) -> None:
        """Go on behind a move: to the next pad, or where it is an answer, to the list that has it now."""
        assert ahead.mover
        move = Move(ahead.mover, ahead.match.position.read(ahead.mover, text))
        after = Ahead.of(ahead.seated, ahead.seat, (*ahead.path, move))
        if move.seat == ahead.seat:
            user = user_of(interaction)
            seated = await self._prepared.add(ahead.seated.id, user, after.path, version(ahead))
            view = ready(Ahead.of(seated, ahead.seat, after.path))
            await interaction.response.edit_message(view=view, attachments=[])
        elif after.mover is None:
            raise Refusal(ENDS)
        else:
            await self._ask(interaction, after)

    async def _ask(self, interaction: Interaction, ahead: Ahead, kind: MoveKind | None = None) -> None:
        """Ask for the next move: by its pad, or where there are several kinds, first for the kind."""
        able = [kind] if kind else ahead.kinds
        if len(able) == 1 and able[0].parts:
            assert ahead.mover
            begun = partial(lines.begun, ahead.match.position, ahead.mover, able[0])
            await self._show(interaction, ahead, await self._renderer.run(begun, Rank.LOOK))
            return
        buttons = [Control(id_of(ahead, Tap(one.name, 0, "pick")), one.label) for one in able]
        rows = [views.row_of(*buttons[at : at + match_views.ABREAST]) for at in range(0, len(buttons), 5)]
        view = views.framed(accent(ahead), ui.TextDisplay[Any](headed(ahead)), *rows)
        await answer(interaction, view, [])

    async def _show(self, interaction: Interaction, ahead: Ahead, so_far: PartialMove, page: int = 0) -> None:
        assert ahead.mover
        position = ahead.match.position
        keyboard = await self._renderer.run(partial(lines.keyboard, position, ahead.mover, so_far, WHOLE), Rank.LOOK)
        drawing = await self._drawn(ahead, so_far)
        view = pad_view.view(
            so_far, keyboard, drawing.pictures, "", accent(ahead), partial(id_of, ahead),
            where=headed(ahead), page=page, form=False,
        )  # fmt: skip
        await answer(interaction, view, drawing.files(""))

    async def _drawn(self, ahead: Ahead, so_far: PartialMove) -> Drawing:
        """The board as it stands, with what has been chosen since."""
        game, position, marked = ahead.match.game, ahead.seated.folded.position, pad_actions.marked(so_far)
        if not ahead.path:
            assert ahead.mover
            return await self._renderer.sketch(game, position, ahead.mover, marked)
        made = (parts_of(ahead.match, move) for move in ahead.path)
        return await self._renderer.imagined(game, position, (*(one for one in made if one), marked))


def expect_current(seated: LoadedMatch, seat: Seat, seen: int, path: Line) -> Ahead:
    """The match as somebody imagines it, if it has not gone on since they saw it."""
    if seated.folded.has_moved_on(seat, seat, seen, seated.folded.leg_of(path[0]) if path else None):
        raise Stale(exchanges.MOVED_ON, seated)
    ahead = Ahead.of(seated, seat, path)
    if ahead.mover is None:
        raise NotYourTurn(ENDS if path else exchanges.YOUR_TURN)
    return ahead


def version(ahead: Ahead) -> int:
    """How many lines of the record the owner sees."""
    return Sight.of(ahead.seated, ahead.seat).version


def id_of(ahead: Ahead, tap: Tap) -> PrepareId:
    """The custom_id of a button of the pad."""
    return PrepareId(ahead.seated.id, version(ahead), tap)


def accent(ahead: Ahead) -> int:
    """The colour of who makes the next move."""
    return views.ACCENTS[(ahead.mover or ahead.seat) - 1]


def parts_of(match: Match, move: Move) -> PartialMove | None:
    """A move as its kind has it, by parts."""
    for kind in match.game.moves:
        if kind.when(match.position, move.seat) and (values := kind.parse(move.text)) is not None:
            parts = (values.get(part.name, "").replace("/", " ") for part in kind.parts)  # of a grid as on its pad
            return PartialMove(kind, tuple(" ".join(part.split()) for part in parts))
    return None


def written(ahead: Ahead) -> str:
    """The moves so far as they stand in a message; empty before the first."""
    words = "".join(f"{THEN if move.seat == ahead.seat else IF} {move.text}\n" for move in ahead.path)
    return f"```\n{words}```" if words else ""


def read(interaction: Interaction, seat: Seat) -> Line:
    """The moves that stand in the message on which somebody acts."""
    found = PATH.search("\n".join(texts(interaction.message.components if interaction.message else ())))
    told = (line.partition(" ") for line in found[1].splitlines()) if found else ()
    return tuple(Move(seat if word == THEN else 3 - seat, text) for word, _, text in told)


def texts(components: Sequence[Any]) -> list[str]:
    """All texts of a message."""
    each = ((getattr(one, "content", None), texts(getattr(one, "children", ()))) for one in components)
    return [text for own, inner in each for text in (*([own] if own else []), *inner)]


def headed(ahead: Ahead) -> str:
    """The line of a pad that says whose move is asked for, of which match, and the moves before it."""
    own, who = ahead.mover == ahead.seat, person(ahead.seated.user_at(3 - ahead.seat))
    asked = YOURS if own else THEIRS.format(who=who)
    return "\n".join(filter(None, (f"{asked} · {pad_actions.where(ahead.seated)}", written(ahead))))


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
    path = [ui.TextDisplay[Any](written(ahead))] if ahead.path else []
    on = [(match_views.AND_THEN, "And then …")] if ahead.path and ahead.goes_on else []
    more = [(match_views.IF_THEN, "Another one" if prepared else "If … then …")] if waits else []
    clear = [(match_views.UNREADY, "Clear all")] if prepared else []
    buttons = [Control(ButtonId(seated.id, at, verb, own=True), label) for verb, label in (*on, *more, *clear)]
    rows = [views.row_of(*buttons)] if buttons else []
    where = ui.TextDisplay[Any](f"-# {pad_actions.where(seated)}")
    return views.framed(views.ACCENTS[seat - 1], ui.TextDisplay[Any](text), *path, where, *rows)


async def answer(interaction: Interaction, view: ui.LayoutView, files: Sequence[discord.File]) -> None:
    """Show a pad in place of the message on which somebody acted, if nobody else sees that."""
    if is_ephemeral(interaction):
        await interaction.response.edit_message(view=view, attachments=[*files])
    else:
        await interaction.response.send_message(view=view, files=[*files], ephemeral=True)
