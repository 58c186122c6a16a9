"""The pads and the form on which premoves are prepared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import groupby
from typing import Any, Self

from discord import ui

from bot.features.board import words as board_words
from bot.features.board.ids import ActButton, GoOnButton
from bot.features.board.match_pictures import Renderer
from bot.features.pads import drafts
from bot.features.pads.keypad import Ids
from bot.features.pads.pad_loop import Pads, PadUse, always, format_match_line, turn_page
from bot.games.legs import Legs
from bot.games.moves import LINE, MoveKind
from bot.games.position import MoveError, Seat
from bot.games.wording import Plural, cut_text, join_words, shorten_text
from bot.platform import edits
from bot.platform import ui as platform_ui
from bot.platform.checks import Price
from bot.platform.custom_ids import FormId, PadId
from bot.platform.interactions import Interaction, data_of, key_of, user_of
from bot.platform.jobs import Rank
from bot.platform.routes import on
from bot.platform.ui import Control, Drawing
from bot.play import premoves
from bot.play.acts import NotYourTurn, StaleBoard
from bot.play.ids import InteractionId
from bot.play.loaded_match import LoadedMatch, MatchView, Refusal, mention_user
from bot.play.match import Match
from bot.play.partial_moves import WHOLE, PartialMove
from bot.play.premoves import DEEPEST, LONGEST, Line
from bot.play.record import Move
from bot.umpire.acts import PremoveService
from bot.umpire.umpire import Umpire

# A match as somebody imagines it, some moves further on, and those moves as they stand in a message.


IF, THEN = "if", "then"
PATH, BETWEEN = re.compile(f"^-# ((?:{IF}|{THEN}) .+)$", re.MULTILINE), " · "
"""The moves so far, as they stand in a message: the opponent's behind *if*, one's own behind *then*."""
LEADS_NOWHERE = "This pad is out of date. Use /match prepared to get a fresh one."
ENDS = "After that move the match is over, so there is nothing to answer."


@dataclass(frozen=True, slots=True)
class ImaginedLine:
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
        match, leg = seated.begun_match, next((seated.begun_match.leg_of(move) for move in path), None)
        try:
            for move in path:
                match = match.play(*move)
        except MoveError as fault:
            raise StaleBoard(premoves.MOVED_ON, seated) from fault
        position = match.position
        turn = [
            one
            for one in match.turn
            if not isinstance(position, Legs) or not leg or leg in position.list_waiting_legs(one)
        ]
        return cls(seated, seat, path, match, next((one for one in turn if path or one != seat), None))

    @property
    def kinds(self) -> list[MoveKind]:
        """The kinds of move that can be made next."""
        leg = next((self.match.leg_of(move) for move in self.path), None)
        kinds = (kind for kind in self.match.game.moves if not leg or kind.leg == leg)
        return [kind for kind in kinds if self.mover and kind.when(self.match.position, self.mover)]

    def find_kind(self, name: str) -> MoveKind:
        """The kind of move with a name, if one can be made next."""
        found = next((kind for kind in self.kinds if kind.name == name), None)
        if found is None:
            raise Refusal(LEADS_NOWHERE)
        return found

    def extend(self, line: str) -> Self:
        """One move further on; a refusal where it cannot be made, or leaves nothing to answer."""
        assert self.mover
        with self.seated.name_seats(self.seat):
            text = self.match.play(self.mover, line).record[-1].text
        then = self.of(self.seated, self.seat, (*self.path, Move(self.mover, text)))
        if then.mover is None and self.mover != self.seat:
            raise Refusal(ENDS)
        return then

    @property
    def can_go_on(self) -> bool:
        """Whether the line can become longer."""
        own = sum(move.seat == self.seat for move in self.path)
        return self.mover is not None and own < DEEPEST and len(self.path) < LONGEST - 1


def expect_current(seated: LoadedMatch, seat: Seat, seen: int, path: Line) -> ImaginedLine:
    """The match as somebody imagines it, if it has not gone on since they saw it."""
    if seated.begun_match.has_moved_on(seat, seat, seen, seated.begun_match.leg_of(path[0]) if path else None):
        raise StaleBoard(premoves.MOVED_ON, seated)
    ahead = ImaginedLine.of(seated, seat, path)
    if ahead.mover is None:
        raise NotYourTurn(ENDS if path else premoves.YOUR_TURN)
    return ahead


def count_seen_lines(ahead: ImaginedLine) -> int:
    """How many lines of the record the owner sees."""
    return MatchView.of(ahead.seated, ahead.seat).version


def parse_parts(match: Match, move: Move) -> PartialMove | None:
    """A move as its kind has it, by parts."""
    for kind in match.game.moves:
        if kind.when(match.position, move.seat) and (values := kind.parse(move.text)) is not None:
            parts = (values.get(part.name, "").replace("/", " ") for part in kind.parts)  # of a grid as on its pad
            return PartialMove(kind, tuple(" ".join(part.split()) for part in parts))
    return None


def format_path(ahead: ImaginedLine) -> str:
    """The moves so far as they stand in a message; empty before the first."""
    words = BETWEEN.join(f"{THEN if move.seat == ahead.seat else IF} {move.text}" for move in ahead.path)
    return f"-# {words}" if words else ""


def read_path(interaction: Interaction, seat: Seat) -> Line:
    """The moves that stand in the message on which somebody acts."""
    found = PATH.search("\n".join(collect_texts(interaction.message.components if interaction.message else ())))
    told = (move.partition(" ") for move in found[1].split(BETWEEN)) if found else ()
    return tuple(Move(seat if word == THEN else 3 - seat, text) for word, _, text in told)


def collect_texts(components: Sequence[Any]) -> list[str]:
    """All texts of a message."""
    each = ((getattr(one, "content", None), collect_texts(getattr(one, "children", ()))) for one in components)
    return [text for own, inner in each for text in (*([own] if own else []), *inner)]


# The form on which an answer is prepared by typing: a move of the opponent, and one's own, as one would write them.


THEIR_FIELD, YOUR_FIELD = "theirs", "yours"
"""The fields."""
TITLE, TITLE_OF_LEG = "If … then … · {game}", "If … then … · leg {leg}"
THEIRS_ASKED, YOURS_ASKED = "If your opponent plays this …", "… then you play this"
LEAVE_OUT = "Leave it empty to tap your answer instead."
LONGEST_TITLE = 45
"""Characters (Discord's limit)."""


def build_premove_form(ahead: ImaginedLine, kind: MoveKind | None, interaction: InteractionId) -> drafts.Form:
    """The form for what comes next, a move of some kind where that was chosen: the opponent's move and the answer to
    it, or the answer alone."""
    name, leg = (kind.name, kind.leg) if kind else ("", 0)
    title = TITLE_OF_LEG.format(leg=leg) if leg else TITLE.format(game=ahead.match.game.title)
    form_id = FormId(ahead.seated.id, count_seen_lines(ahead), "ifthen", name, interaction)
    made = drafts.Form(form_id, shorten_text(title, LONGEST_TITLE))
    assert ahead.mover
    example = kind or ahead.kinds[0]
    like = drafts.find_example(example, ahead.match.position, ahead.mover)
    like = cut_text(f"{example.head} {like}".strip(), drafts.LONGEST_PLACEHOLDER) if like else ""
    if ahead.mover != ahead.seat:
        made.add_item(_build_field(THEIR_FIELD, THEIRS_ASKED, like))
        made.add_item(_build_field(YOUR_FIELD, YOURS_ASKED, "", LEAVE_OUT))
    else:
        made.add_item(_build_field(YOUR_FIELD, YOURS_ASKED, like))
    return made


def _build_field(name: str, label: str, like: str, help: str = "") -> ui.Label[Any]:
    field = ui.TextInput[Any](
        custom_id=f"{name}:0", placeholder=like or None, max_length=drafts.SHORT, required=not help
    )
    return ui.Label(text=label, description=help or None, component=field)


def extend_line(ahead: ImaginedLine, line: str, kind: MoveKind | None = None) -> ImaginedLine:
    """The match after one more move, which somebody has typed on the form that was opened for a kind."""
    return ahead.extend(format_move(ahead, line, kind))


def format_move(ahead: ImaginedLine, line: str, kind: MoveKind | None) -> str:
    """A typed move as its kind writes it: the one that its first word names, or that was chosen, or the only one."""
    kinds = [one for one in ahead.kinds if kind is None or one.leg == kind.leg]
    words = re.findall("[a-z]+", line.lower())
    named = (one for one in kinds if words and words[0] in (*(one.single or one).names, (one.single or one).head))
    found = next(named, None) or kind or (kinds[0] if len(kinds) == 1 else None)
    return found.write({LINE: line}) if found else line


# The pads on which moves are prepared: the opponent's move, one's answer, and on; and the list of what is ready.


THEIRS, YOURS = "If {who} plays this …", "… then you play this."
READY = Plural(
    "**You prepared 1 line in match {match}.** Nobody else sees it before it's played.",
    "**You prepared {count} lines in match {match}.** Nobody else sees them before they're played.",
)
NOTHING = "You have no moves ready in match {match}."
HOW = "While {who} is to move, you can prepare your answers."
HALF = "Write both, a move that your opponent may make and your answer to it."
AGAIN = "{who} makes another move before you can answer."
GO_ON, GO_ON_WITH = "And then …", "{number}. And then …"
MARK = 12
"""Hexadecimal digits in the mark of a line."""
PAIR, NEXT_PAIR = "If {who} plays {theirs}, you play {yours}.", "If {who} then plays {theirs}, you play {yours}."


class PremovePads:
    """Shows what somebody has ready, and the pads on which they prepare more."""

    def __init__(self, umpire: Umpire, renderer: Renderer) -> None:
        self._umpire = umpire
        self._renderer = renderer
        self._prepared = PremoveService(umpire)
        self._pads = Pads(renderer)

    async def show(
        self, interaction: Interaction, seated: LoadedMatch, theirs: str | None = None, yours: str | None = None
    ) -> None:  # fmt: skip
        """Show somebody what they have ready in a match, with an answer that they have typed."""
        seat = premoves.expect_premovable(seated, user_of(interaction))
        if theirs is not None or yours is not None:
            if theirs is None or yours is None:
                raise Refusal(HALF)
            line = (Move(3 - seat, theirs), Move(seat, yours))
            seated = await self._prepared.add(seated.id, user_of(interaction), line)
        await edits.answer_anew(interaction, build_premove_list(ImaginedLine.of(seated, seat, ())))

    @on(ActButton, GoOnButton, words="ifthen unready")
    async def answer_button(self, interaction: Interaction, button: ActButton | GoOnButton) -> None:
        """Begin a line, go on with the one in the message, or give up all that is ready."""
        seated, user = await self._umpire.load(button.match), user_of(interaction)
        seat = premoves.expect_premovable(seated, user)
        if button.word == "unready":
            ahead = ImaginedLine.of(await self._prepared.clear(seated.id, user), seat, ())
            await edits.answer(interaction, build_premove_list(ahead))
            return
        path = ()
        if isinstance(button, GoOnButton):
            path = find_marked_line(premoves.find_premoves(seated, user).lines, button.mark) or read_path(
                interaction, seat
            )
        await self._ask(interaction, expect_current(seated, seat, button.version, path))

    @on(PadId, words="q", price=Price(0.5))
    async def answer_tap(self, interaction: Interaction, pad: PadId) -> None:
        """Answer a button of a pad: the next key, or the next move."""
        seated = await self._umpire.load(pad.match)
        seat = premoves.expect_premovable(seated, user_of(interaction))
        ahead = expect_current(seated, seat, pad.at, read_path(interaction, seat))
        await self._pads.answer_tap(interaction, self._make_use(interaction, ahead), pad.tap)

    @on(FormId, words="ifthen")
    async def answer_form(self, interaction: Interaction, form: FormId) -> None:
        """Take what somebody has typed: the opponent's move, the answer, or both. Where the answer can't be played, the
        move that it was for stays, and the pad asks for another answer."""
        seated = await self._umpire.load(form.match)
        seat = premoves.expect_premovable(seated, user_of(interaction))
        ahead = expect_current(seated, seat, form.version, read_path(interaction, seat))
        given, kind = drafts.parse_submission(data_of(interaction)), ahead.find_kind(form.kind) if form.kind else None
        yours, note = given.get(YOUR_FIELD, "").strip(), ""
        if ahead.mover != seat:
            theirs = given.get(THEIR_FIELD, "")
            ahead, kind = await self._renderer.run(partial(extend_line, ahead, theirs, kind), Rank.LOOK), None
        if yours and ahead.mover == seat:
            try:
                ahead = await self._renderer.run(partial(extend_line, ahead, yours, kind), Rank.LOOK)
            except MoveError as fault:
                note = str(fault)
        elif yours:
            note = AGAIN.format(who=mention_user(seated.user_at(3 - seat)))
        if yours and not note:
            await self._go_on(interaction, ahead)
        else:
            await self._ask(interaction, ahead, note=note)

    def _make_use(self, interaction: Interaction, ahead: ImaginedLine, note: str = "") -> PadUse:
        """The use that asks for the next move of a line, which can be typed instead."""
        assert ahead.mover

        async def add_move(_seat: Seat, move: PartialMove) -> None:
            await self._go_on(interaction, ahead.extend(move.line))

        def build_form(so_far: PartialMove | None) -> ui.Modal:
            return build_premove_form(ahead, so_far.kind if so_far else None, key_of(interaction))

        return PadUse(
            ahead.match.game, ahead.match.position, [(ahead.mover, kind) for kind in ahead.kinds],
            format_pad_heading(ahead, note), make_pad_ids(ahead), LEADS_NOWHERE, add_move,
            draw=partial(self._draw, ahead), draw_board=draw_nothing, plays_at_once=always, most_squares=WHOLE,
            form="beside", build_form=build_form,
        )  # fmt: skip

    async def _go_on(self, interaction: Interaction, ahead: ImaginedLine) -> None:
        """Go on behind a move: to the next pad, or where it is an answer, to the list that has it now."""
        if ahead.path[-1].seat != ahead.seat:
            await self._ask(interaction, ahead)
            return
        seated = await self._prepared.add(ahead.seated.id, user_of(interaction), ahead.path, count_seen_lines(ahead))
        view = build_premove_list(ImaginedLine.of(seated, ahead.seat, ahead.path))
        await edits.answer(interaction, view)

    async def _ask(self, interaction: Interaction, ahead: ImaginedLine, note: str = "") -> None:
        """Ask for the next move."""
        await turn_page(interaction, *await self._pads.build_page(self._make_use(interaction, ahead, note)))

    async def _draw(self, ahead: ImaginedLine, mover: Seat, so_far: PartialMove) -> Drawing:
        """The board as it stands, with what has been chosen since."""
        game, position = ahead.match.game, ahead.seated.begun_match.position
        if not ahead.path:
            return await self._renderer.sketch(game, position, mover, so_far)
        made = (parse_parts(ahead.match, move) for move in ahead.path)
        return await self._renderer.draw_imagined(game, position, (*(one for one in made if one), so_far))


async def draw_nothing() -> Drawing:
    """No board stands above the kinds of move."""
    return Drawing((), ())


def make_pad_ids(ahead: ImaginedLine) -> Ids:
    """The custom_ids of the pad for the next move."""
    return partial(PadId, "q", ahead.seated.id, count_seen_lines(ahead))


def format_pad_heading(ahead: ImaginedLine, note: str = "") -> str:
    """The line of a pad that says whose move is asked for, of which match, and the moves before it; and a note about
    what was typed."""
    own, who = ahead.mover == ahead.seat, mention_user(ahead.seated.user_at(3 - ahead.seat))
    asked = YOURS if own else THEIRS.format(who=who)
    # A phone has no room for the game's title beside the moves.
    where = f"match {ahead.seated.id}" if ahead.path else format_match_line(ahead.seated)
    return "\n".join(filter(None, (f"{asked} · {where}", note, format_path(ahead))))


def hash_line(line: Line) -> str:
    """What a button says of the line with which it goes on."""
    return blake2b(repr([*map(tuple, line)]).encode(), digest_size=MARK // 2).hexdigest()


def find_marked_line(lines: Iterable[Line], mark: str) -> Line:
    """The line with a mark, or the beginning of one; a refusal where it is not ready any more. Buttons of earlier
    versions have no mark: the line stood in the message once more."""
    found = (line[:many] for line in lines for many in range(1, len(line) + 1) if hash_line(line[:many]) == mark)
    line = next(found, ())
    if mark and not line:
        raise Refusal(LEADS_NOWHERE)
    return line


def describe_line(seated: LoadedMatch, line: Line, seat: Seat) -> str:
    """A line in sentences."""
    who, told = mention_user(seated.user_at(3 - seat)), list[str]()
    groups = [(mover, [*moves]) for mover, moves in groupby(line, key=lambda move: move.seat)]
    for theirs, yours in zip(groups[::2], groups[1::2], strict=False):
        said = [
            join_words([board_words.format_move(seated, move.text) for move in moves]) for _, moves in (theirs, yours)
        ]
        told.append((NEXT_PAIR if told else PAIR).format(who=who, theirs=said[0], yours=said[1]))
    return " ".join(told)


def build_premove_list(ahead: ImaginedLine) -> ui.LayoutView:
    """All that somebody has ready in a match, with the line that they have just made longer."""
    seated, seat, at = ahead.seated, ahead.seat, count_seen_lines(ahead)
    prepared, waits = premoves.find_premoves(seated, seated.user_at(seat)).lines, 3 - seat in seated.turn
    count = len(prepared)
    head = READY.fill_in(count, match=seated.id, count=count) if prepared else NOTHING.format(match=seated.id)
    note = premoves.explain_dropped(seated, seated.user_at(seat)) or HOW.format(
        who=mention_user(seated.user_at(3 - seat))
    )
    listed = [f"{number}. {describe_line(seated, line, seat)}" for number, line in enumerate(prepared, 1)]
    foot = f"-# {note}" if not prepared else ""
    text = board_words.format_list(head, listed, foot)
    which = next((at for at, line in enumerate(prepared, 1) if line[: len(ahead.path)] == ahead.path), 1)
    label = GO_ON if count == 1 else GO_ON_WITH.format(number=which)
    of, begin = (seated.id, at, True), "Another one" if prepared else "If … then …"
    buttons = [Control(GoOnButton(*of, hash_line(ahead.path)), label)] if ahead.path and ahead.can_go_on else []
    buttons += [Control(ActButton(*of, "ifthen"), begin)] if waits else []
    buttons += [Control(ActButton(*of, "unready"), "Clear all")] if prepared else []
    rows = [platform_ui.make_row(*buttons)] if buttons else []
    where = ui.TextDisplay[Any](f"-# {format_match_line(seated)}")
    return platform_ui.frame_view(platform_ui.ACCENTS[seat - 1], ui.TextDisplay[Any](text), where, *rows)
