"""The pads and the form on which premoves are prepared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from hashlib import blake2b
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from discord import ui

from bot.features.board import turn_words
from bot.features.board import words as board_words
from bot.features.board.ids import ActButton, GoOnButton
from bot.features.board.match_pictures import Renderer
from bot.features.pads import drafts
from bot.features.pads.keypad import PENCIL, Ids
from bot.features.pads.pad_loop import (
    Pads,
    PadUse,
    collect_texts,
    confirm_never,
    format_match_line,
    turn_page,
)
from bot.games.moves import LINE, MoveKind
from bot.games.position import MoveError, Seat
from bot.games.wording import Plural, cut_text, join_sentences, shorten_text
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
from bot.play.loaded_match import LoadedMatch, Refusal, mention_user
from bot.play.partial_moves import PartialMove, can_become
from bot.play.premoves import DEEPEST, LONGEST, Line
from bot.play.record import Move
from bot.play.replays import ImaginedLine, Replay
from bot.umpire.acts import PremoveService
from bot.umpire.umpire import Umpire

# The line that is prepared, and how its moves stand in a message.


IF, THEN = "if", "then"
BETWEEN = " · "
SUPPOSED = "Supposed: {moves}"
PATH = re.compile(
    rf"^(?:{SUPPOSED.format(moves='')}|-# (?:match [0-9]+{BETWEEN})?)((?:{IF}|{THEN}) .+?)(?:{BETWEEN}{PENCIL}.*)?$",
    re.MULTILINE,
)
"""The moves so far, as they stand in an alt text, on messages of earlier versions in small print: the opponent's behind
*if*, one's own behind *then*."""
LEADS_NOWHERE = "This pad is out of date. Use /match prepared to get a fresh one."
LEFT_OUT = "Moves that would end the {what} are left out: they leave nothing to answer."
ENDS = "After that move the match is over, so there is nothing to answer."
NOTHING_NOW = "There is no move of {who}'s now to which you could prepare an answer."


def imagine(loaded: LoadedMatch, owner: Seat, line: Line = ()) -> ImaginedLine:
    """A line from where the match stands; raises a refusal where it is illegal by now."""
    replay = Replay.of(loaded, owner)
    try:
        return ImaginedLine.of(replay, replay.line_count, line)
    except Refusal as fault:
        raise StaleBoard(premoves.MOVED_ON, loaded) from fault


def imagine_current(loaded: LoadedMatch, owner: Seat, seen: int, line: Line) -> ImaginedLine:
    """The same, if the match has not gone on since its owner saw it, and another move can follow."""
    if loaded.begun_match.has_moved_on(owner, owner, seen, loaded.begun_match.leg_of(line[0]) if line else None):
        raise StaleBoard(premoves.MOVED_ON, loaded)
    ahead = imagine(loaded, owner, line)
    if not has_next_move(ahead):
        if not line and 3 - owner in loaded.turn:
            raise Refusal(NOTHING_NOW.format(who=mention_user(loaded.user_at(3 - owner))))
        raise NotYourTurn(ENDS if line else premoves.YOUR_TURN)
    return ahead


def list_next_moves(ahead: ImaginedLine) -> list[tuple[Seat, MoveKind]]:
    """The kinds of move that can come next, each with its seat: at the beginning the opponent's, later those of the
    same leg."""
    leg = ahead.match.leg_of(ahead.line[0]) if ahead.line else None
    able = [(seat, kind) for seat, kind in ahead.list_choices() if ahead.line or seat != owner_of(ahead)]
    able = [(seat, kind) for seat, kind in able if kind.answered or seat == owner_of(ahead)]
    return [(seat, kind) for seat, kind in able if not leg or kind.leg == leg]


def find_next_seat(ahead: ImaginedLine) -> Seat | None:
    """The seat that makes the next move; None where the match or the leg is over."""
    return next((seat for seat, _ in list_next_moves(ahead)), None)


def can_go_on(ahead: ImaginedLine) -> bool:
    """Whether the line may become longer."""
    own = sum(move.seat == owner_of(ahead) for move in ahead.line)
    return has_next_move(ahead) and own < DEEPEST and len(ahead.line) < LONGEST - 1


def has_next_move(ahead: ImaginedLine) -> bool:
    """Whether a move can come next: one of one's own, or one that can be answered."""
    return bool(list_offered_moves(ahead))


def list_answered_moves(ahead: ImaginedLine, seat: Seat, kind: MoveKind) -> tuple[Sequence[str], bool]:
    """The moves of a kind that leave something to answer, and whether all do."""
    moves = list(premoves.iterate_moves(ahead.match, seat, kind))
    found = [move for move in moves if premoves.leaves_an_answer(ahead.match, seat, move)]
    return found, len(found) == len(moves)


def list_offered_moves(ahead: ImaginedLine) -> list[tuple[Seat, MoveKind]]:
    """The kinds of move that can come next, of the opponent's those with a move that leaves something to answer."""
    able = list_next_moves(ahead)
    if not able or able[0][0] == owner_of(ahead):
        return able
    return [
        (seat, kind)
        for seat, kind in able
        if any(
            premoves.leaves_an_answer(ahead.match, seat, move)
            for move in premoves.iterate_moves(ahead.match, seat, kind)
        )
    ]


def describe_left_out(ahead: ImaginedLine) -> str:
    """Says that moves of the opponent's are not offered which end the match or the leg; empty where all are."""
    able = list_next_moves(ahead)
    if able[0][0] == owner_of(ahead) or all(list_answered_moves(ahead, seat, kind)[1] for seat, kind in able):
        return ""
    return LEFT_OUT.format(what="leg" if able[0][1].leg else "match")


def make_filter(ahead: ImaginedLine) -> Callable[[PartialMove], bool] | None:
    """Tells which partial moves of the opponent's can become one that leaves something to answer."""
    able = list_next_moves(ahead)
    if not able or able[0][0] == owner_of(ahead):
        return None
    match = ahead.match
    list_answered = cache(partial(list_answered_moves, ahead))

    def is_kept(so_far: PartialMove) -> bool:
        seat = able[0][0]
        found, all_of_them = list_answered(seat, so_far.kind)
        if all_of_them or any(can_become(so_far, move) for move in found):
            return True
        return so_far.is_whole and premoves.leaves_an_answer(match, seat, match.position.read(seat, so_far.line))

    return is_kept


def extend_line(ahead: ImaginedLine, text: str) -> ImaginedLine:
    """The line with one more move; raises a refusal where it is illegal, or leaves nothing to answer."""
    seat, owner = list_next_moves(ahead)[0][0], owner_of(ahead)
    with ahead.loaded.name_seats(owner):
        then = ahead.add_move(seat, text)
    if seat != owner and not list_next_moves(then):
        raise Refusal(ENDS)
    return then


def owner_of(ahead: ImaginedLine) -> Seat:
    """The seat of the player who prepares the line."""
    assert ahead.replay.viewer
    return ahead.replay.viewer


def format_path(ahead: ImaginedLine) -> str:
    """The moves so far as they stand in a message; empty before the first."""
    return BETWEEN.join(f"{THEN if move.seat == owner_of(ahead) else IF} {move.text}" for move in ahead.line)


def read_path(interaction: Interaction, owner: Seat) -> Line:
    """The moves in the message whose button was pressed."""
    found = PATH.search("\n".join(collect_texts(interaction.message.components if interaction.message else ())))
    moves = (move.partition(" ") for move in found[1].split(BETWEEN)) if found else ()
    return tuple(Move(owner if word == THEN else 3 - owner, text) for word, _, text in moves)


# The form on which a move of the opponent and the answer are typed.


THEIR_FIELD, YOUR_FIELD = "theirs", "yours"
TITLE, TITLE_OF_LEG = "If … then … · {game}", "If … then … · leg {leg}"
THEIRS_ASKED, YOURS_ASKED = "If your opponent plays this …", "… then you play this"
LEAVE_OUT = "Leave it empty to tap your answer instead."
LONGEST_TITLE = 45
"""Characters (Discord's limit)."""


def build_premove_form(ahead: ImaginedLine, kind: MoveKind | None, interaction: InteractionId) -> drafts.Form:
    """The form for the next move, of the kind that was chosen: the opponent's with the answer to it, or the answer
    alone."""
    name, leg = (kind.name, kind.leg) if kind else ("", 0)
    title = TITLE_OF_LEG.format(leg=leg) if leg else TITLE.format(game=ahead.match.game.title)
    form_id = FormId(ahead.loaded.id, ahead.at, "ifthen", name, interaction)
    made = drafts.Form(form_id, shorten_text(title, LONGEST_TITLE))
    seat, first = list_next_moves(ahead)[0]
    example = kind or first
    like = drafts.find_example(example, ahead.match.position, seat)
    like = cut_text(f"{example.head} {like}".strip(), drafts.LONGEST_PLACEHOLDER) if like else ""
    if seat != owner_of(ahead):
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


def find_kind(ahead: ImaginedLine, name: str) -> MoveKind:
    """The kind of move with a name, if one can be made next."""
    found = next((kind for _, kind in list_next_moves(ahead) if kind.name == name), None)
    if found is None:
        raise Refusal(LEADS_NOWHERE)
    return found


def add_typed_move(ahead: ImaginedLine, line: str, kind: MoveKind | None = None) -> ImaginedLine:
    """The line with a move typed on the form that was opened for a kind."""
    return extend_line(ahead, format_move(ahead, line, kind))


def format_move(ahead: ImaginedLine, line: str, kind: MoveKind | None) -> str:
    """A typed move as its kind writes it: the kind that its first word names, or that was chosen, or the only one."""
    kinds = [one for _, one in list_next_moves(ahead) if kind is None or one.leg == kind.leg]
    words = re.findall("[a-z]+", line.lower())
    named = (one for one in kinds if words and words[0] in (*(one.single or one).names, (one.single or one).head))
    found = next(named, None) or kind or (kinds[0] if len(kinds) == 1 else None)
    return found.write({LINE: line}) if found else line


# The pads on which moves are prepared, and the list of what is ready.


WHAT_FOR = "Prepare an answer. It's played at once if {who} makes the move that you choose now."
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
"""Hexadecimal digits of a line's mark in a button."""
PAIR, NEXT_PAIR = "If {who} plays {theirs}, you play {yours}.", "If {who} then plays {theirs}, you play {yours}."
ANSWER, NEXT_ANSWER = "If {who} plays {theirs}, {question}", "If {who} then plays {theirs}, {question}"
"""The question for an answer, to the first move of a line and to a later one."""
ON, NEXT_ON = (
    "If {who} plays {theirs} and you play {yours}, {question}",
    "If {who} then plays {theirs} and you play {yours}, {question}",
)
"""The same where one's own move is followed by another one of one's own."""
THEIRS_ON, NEXT_THEIRS_ON = (
    "If {who} plays {theirs}, {who} moves again. Your answer comes after that.",
    "If {who} then plays {theirs}, {who} moves again. Your answer comes after that.",
)
"""What is said where the opponent makes another move before the answer."""


class PremovePads:
    """Shows a user's premoves, and the pads on which more are prepared."""

    def __init__(self, umpire: Umpire, renderer: Renderer) -> None:
        self._umpire = umpire
        self._renderer = renderer
        self._prepared = PremoveService(umpire)
        self._pads = Pads(renderer)

    async def show(
        self, interaction: Interaction, loaded: LoadedMatch, theirs: str | None = None, yours: str | None = None
    ) -> None:  # fmt: skip
        """Show a user's premoves in a match, with an answer that was typed."""
        seat = premoves.expect_premovable(loaded, user_of(interaction))
        if theirs is not None or yours is not None:
            if theirs is None or yours is None:
                raise Refusal(HALF)
            line = (Move(3 - seat, theirs), Move(seat, yours))
            loaded = await self._prepared.add(loaded.id, user_of(interaction), line)
        await edits.answer_anew(interaction, build_premove_list(imagine(loaded, seat)))

    @on(ActButton, GoOnButton, words="ifthen unready")
    async def answer_button(self, interaction: Interaction, button: ActButton | GoOnButton) -> None:
        """Begin a line, go on with the one in the message, or clear all premoves."""
        loaded, user = await self._umpire.load(button.match), user_of(interaction)
        seat = premoves.expect_premovable(loaded, user)
        if button.word == "unready":
            ahead = imagine(await self._prepared.clear(loaded.id, user), seat)
            await edits.answer(interaction, build_premove_list(ahead))
            return
        path = ()
        if isinstance(button, GoOnButton):
            path = find_marked_line(premoves.find_premoves(loaded, user).lines, button.mark) or read_path(
                interaction, seat
            )
        await self._ask(interaction, imagine_current(loaded, seat, button.version, path))

    @on(PadId, words="q", price=Price(0.5))
    async def answer_tap(self, interaction: Interaction, pad: PadId) -> None:
        """Answer a button of a pad."""
        loaded = await self._umpire.load(pad.match)
        seat = premoves.expect_premovable(loaded, user_of(interaction))
        ahead = imagine_current(loaded, seat, pad.at, read_path(interaction, seat))
        await self._pads.answer_tap(interaction, self._make_use(interaction, ahead), pad.tap)

    @on(FormId, words="ifthen")
    async def answer_form(self, interaction: Interaction, form: FormId) -> None:
        """Add what was typed: the opponent's move, the answer, or both. Where the answer is illegal, the move that it
        was for stays, and the pad asks for another answer."""
        loaded = await self._umpire.load(form.match)
        seat = premoves.expect_premovable(loaded, user_of(interaction))
        ahead = imagine_current(loaded, seat, form.version, read_path(interaction, seat))
        given, kind = drafts.parse_submission(data_of(interaction)), find_kind(ahead, form.kind) if form.kind else None
        yours, note = given.get(YOUR_FIELD, "").strip(), ""
        if find_next_seat(ahead) != seat:
            theirs = given.get(THEIR_FIELD, "")
            ahead, kind = await self._renderer.run(partial(add_typed_move, ahead, theirs, kind), Rank.LOOK), None
        if yours and find_next_seat(ahead) == seat:
            try:
                ahead = await self._renderer.run(partial(add_typed_move, ahead, yours, kind), Rank.LOOK)
            except MoveError as fault:
                note = str(fault)
        elif yours:
            note = AGAIN.format(who=mention_user(loaded.user_at(3 - seat)))
        if yours and not note:
            await self._go_on(interaction, ahead)
        else:
            await self._ask(interaction, ahead, note=note)

    def _make_use(self, interaction: Interaction, ahead: ImaginedLine, note: str = "") -> PadUse:
        """The use that asks for the next move of a line."""

        async def add_move(_seat: Seat, move: PartialMove) -> None:
            await self._go_on(interaction, extend_line(ahead, move.line))

        def build_form(so_far: PartialMove | None) -> ui.Modal:
            return build_premove_form(ahead, so_far.kind if so_far else None, key_of(interaction))

        return PadUse(
            ahead.match.game, ahead.match.position, list_offered_moves(ahead),
            format_pad_heading(ahead, note), make_pad_ids(ahead), LEADS_NOWHERE, add_move,
            **describe_step(ahead)._asdict(), keeps=make_filter(ahead),
            leave=partial(self._step_back, interaction, ahead) if ahead.line else None,
            draw=partial(self._draw, ahead), draw_board=partial(self._draw_board, ahead), confirms=confirm_never,
            build_form=build_form,
        )  # fmt: skip

    async def _go_on(self, interaction: Interaction, ahead: ImaginedLine) -> None:
        """Show the next pad behind a move of the opponent's; store the line behind an answer, and show the list."""
        if ahead.line[-1].seat != owner_of(ahead):
            await self._ask(interaction, ahead)
            return
        loaded = await self._prepared.add(ahead.loaded.id, user_of(interaction), ahead.line, ahead.at)
        await edits.answer(interaction, build_premove_list(imagine(loaded, owner_of(ahead), ahead.line)))

    async def _step_back(self, interaction: Interaction, ahead: ImaginedLine) -> None:
        """Ask again for the last move of the line."""
        await self._ask(interaction, ahead.remove_last_move())

    async def _ask(self, interaction: Interaction, ahead: ImaginedLine, note: str = "") -> None:
        left_out = await self._renderer.run(partial(describe_left_out, ahead), Rank.LOOK)
        use = self._make_use(interaction, ahead, "\n-# ".join(filter(None, (note, left_out))))
        await turn_page(interaction, *await self._pads.build_page(use))

    async def _draw(self, ahead: ImaginedLine, mover: Seat, so_far: PartialMove) -> Drawing:
        """The board as it would be after the moves of the line, with the next one marked."""
        return await self._renderer.sketch(ahead.match.game, ahead.foreseen_match.position, mover, so_far)

    async def _draw_board(self, ahead: ImaginedLine) -> Drawing:
        """The same above the kinds of the next move, in one leg of two."""
        drawn = {kind.leg: (seat, PartialMove(kind)) for seat, kind in reversed(list_next_moves(ahead))}
        return sum([await self._draw(ahead, *drawn[leg]) for leg in sorted(drawn)], Drawing((), ()))


def make_pad_ids(ahead: ImaginedLine) -> Ids:
    """The custom_ids of the pad for the next move."""
    return partial(PadId, "q", ahead.loaded.id, ahead.at)


def format_pad_heading(ahead: ImaginedLine, note: str = "") -> str:
    """The line of a pad that says which match it is of; and a note about what was typed."""
    placed = format_match_line(ahead.loaded)
    return "\n-# ".join((note, placed)) if note else placed


class Step(NamedTuple):
    """What a pad says of a line: what comes before its question, and of whom it asks."""

    lead: str
    supposed: str
    who: str
    path: str


def describe_step(ahead: ImaginedLine) -> Step:
    """What is said where the next move of a line is asked for, with the moves in the words of their kinds: "If Ann
    plays 9 at d2, where do you place 10?"."""
    loaded, owner, own = ahead.loaded, owner_of(ahead), find_next_seat(ahead) == owner_of(ahead)
    who, sentences = mention_user(loaded.user_at(3 - owner)), list[str]()
    made = list(zip(ahead.line, ahead.matches, strict=False))
    groups = [[*moves] for _, moves in groupby(made, key=lambda one: one[0].seat)]
    words = [
        board_words.join_by_leg(
            (board_words.find_leg(loaded, move.text), turn_words.word_move(loaded, move, before.position))
            for move, before in group
        )
        for group in groups
    ]
    for theirs, yours in zip_longest(words[::2], words[1::2]):
        is_last, later = len(sentences) == (len(words) - 1) // 2, bool(sentences)
        if yours is None:
            patterns = (ANSWER, NEXT_ANSWER) if own else (THEIRS_ON, NEXT_THEIRS_ON)
        else:
            patterns = (ON, NEXT_ON) if is_last and own else (PAIR, NEXT_PAIR)
        # The pad has the question.
        sentences.append(patterns[later].format(who=who, theirs=theirs, yours=yours, question="{question}"))
    path = SUPPOSED.format(moves=format_path(ahead)) if ahead.line else ""
    said = join_sentences(*sentences)
    return Step("", said, "", path) if own else Step(said or WHAT_FOR.format(who=who), "", who, path)


def hash_line(line: Line) -> str:
    """The mark by which a button names the line that it continues."""
    return blake2b(repr([*map(tuple, line)]).encode(), digest_size=MARK // 2).hexdigest()


def find_marked_line(lines: Iterable[Line], mark: str) -> Line:
    """The line with a mark, or the beginning of one; raises a refusal where it was dropped. Buttons of earlier versions
    have no mark, since the line stood in the message."""
    found = (line[:many] for line in lines for many in range(1, len(line) + 1) if hash_line(line[:many]) == mark)
    line = next(found, ())
    if mark and not line:
        raise Refusal(LEADS_NOWHERE)
    return line


def describe_line(loaded: LoadedMatch, line: Line, seat: Seat) -> str:
    """A line in sentences."""
    who, sentences = mention_user(loaded.user_at(3 - seat)), list[str]()
    groups = [(mover, [*moves]) for mover, moves in groupby(line, key=lambda move: move.seat)]
    for theirs, yours in zip(groups[::2], groups[1::2], strict=False):
        said = [board_words.format_moves(loaded, [move.text for move in made]) for _, made in (theirs, yours)]
        sentences.append((NEXT_PAIR if sentences else PAIR).format(who=who, theirs=said[0], yours=said[1]))
    return " ".join(sentences)


def build_premove_list(ahead: ImaginedLine) -> ui.LayoutView:
    """All premoves in a match, with a button that continues `ahead`, the line that was just added."""
    loaded, seat = ahead.loaded, owner_of(ahead)
    prepared, waits = premoves.find_premoves(loaded, loaded.user_at(seat)).lines, premoves.can_prepare(loaded, seat)
    count = len(prepared)
    head = READY.fill_in(count, match=loaded.id, count=count) if prepared else NOTHING.format(match=loaded.id)
    note = premoves.explain_dropped(loaded, loaded.user_at(seat)) or HOW.format(
        who=mention_user(loaded.user_at(3 - seat))
    )
    listed = [f"{number}. {describe_line(loaded, line, seat)}" for number, line in enumerate(prepared, 1)]
    foot = f"-# {note}" if not prepared else ""
    text = board_words.format_list(head, listed, foot)
    which = next((at for at, line in enumerate(prepared, 1) if line[: len(ahead.line)] == ahead.line), 1)
    label = GO_ON if count == 1 else GO_ON_WITH.format(number=which)
    of, begin = (loaded.id, ahead.at, True), "Another one" if prepared else "If … then …"
    buttons = [Control(GoOnButton(*of, hash_line(ahead.line)), label)] if ahead.line and can_go_on(ahead) else []
    buttons += [Control(ActButton(*of, "ifthen"), begin)] if waits else []
    buttons += [Control(ActButton(*of, "unready"), "Clear all")] if prepared else []
    rows = [platform_ui.make_row(*buttons)] if buttons else []
    where = ui.TextDisplay[Any](f"-# {format_match_line(loaded)}")
    return platform_ui.frame_view(platform_ui.ACCENTS[seat - 1], ui.TextDisplay[Any](text), where, *rows)
