"""A pad as a message: the board, and a button for everything that can come next.

What has been chosen is marked on the board, and stands as it is written on paper at the end of the board's alt text. It
is read from there, so a pad outlives a restart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import discord
from discord import ui

from bot.games.moves import WHAT, MoveKind
from bot.platform.custom_ids import CustomId, Does, Tap
from bot.platform.ui import ABREAST, Control, HasAltText, frame_view, make_galleries, make_row
from bot.play.loaded_match import Refusal
from bot.play.partial_moves import Key, Keyboard, PartialMove, count_across

Ids = Callable[[Tap], CustomId]
"""Makes the custom_id of a tap's button."""
Row = Sequence[Key]
"""Keys side by side."""
MANY_ACROSS = 5
"""Keys in a row where those that a phone shows side by side make more rows than a message can hold."""
MOST_COMPONENTS = 40
"""Discord's limit for a message."""
AROUND, LEAFING = 3, 2
"""Components beside pictures, buttons and the rows of keys: the frame, a text and a row; and the buttons to other
keys."""
CHOSEN = "Chosen: {move}"
IN_ALT = re.compile(rf"^{CHOSEN.format(move='(.+)')}$", re.MULTILINE)
"""The partial move in an alt text."""
LONGEST_IN_ALT = 600
"""Characters of an alt text for what is chosen and what it is supposed to follow; more stands in the message."""
SMALL, PENCIL = "-# ", "✏️ "
WRITTEN = re.compile(rf"(?:^-# | · ){PENCIL}(.+)$", re.MULTILINE)
"""The partial move in small print, where it is long or nothing is drawn, and on pads of earlier versions: behind the
line about the match, or in a line of its own."""
LINES, BESIDE = "\n", " · "
"""The separators of a move's parts in the text of a partial move, and on pads of earlier versions."""
BLOCK = re.compile(r"```yaml\n(.*)\n```", re.DOTALL)
"""The partial move on pads of earlier versions."""
TYPE_IT, DONE = "Type it", "Done"
PLAY, PLAYS_ONLY = "{verb} **{move}**?", "The only choice here: **{move}**."
IN_LEG, IN_BOLD = "Leg {leg}: {question}", "**{question}**"
GO_ON, PREPARE_IT = "Go on", "Prepare it"
ITS_COLUMN, ITS_ROW = "{what} Tap its column.", "{what} Tap its row."
LONGEST_LABEL, LONGEST_TEXT = 20, 4_000
"""What a phone shows beside *Back*; and Discord's limit for all texts of a message."""
PRIMARY, SECONDARY, SUCCESS = (
    discord.ButtonStyle.primary,
    discord.ButtonStyle.secondary,
    discord.ButtonStyle.success,
)


def format_partial_move(so_far: PartialMove) -> str:
    """A partial move as it stands in the message."""
    return f"{SMALL}{PENCIL}{so_far.notation}"


def read_partial_move(kind: MoveKind, components: Sequence[Any]) -> PartialMove | None:
    """The partial move on a message of ours; None on other messages."""
    for text in iterate_texts(components):
        if written := IN_ALT.search(text) or WRITTEN.search(text):
            so_far = PartialMove.read_notation(kind, written[1])
        elif block := BLOCK.fullmatch(text):
            so_far = PartialMove.parse(kind, block[1].replace(BESIDE, LINES))
        else:
            continue
        if so_far is not None:
            return so_far
    return None


def is_pad(components: Sequence[Any]) -> bool:
    """Whether a message shows a partial move."""
    forms = IN_ALT, WRITTEN, BLOCK
    return any(form.search(text) for text in iterate_texts(components) for form in forms)


def iterate_texts(components: Sequence[Any]) -> Iterator[str]:
    """All texts of a message, with the alt texts of its pictures."""
    for component in components:
        yield getattr(component, "content", None) or ""
        yield from (item.description or "" for item in getattr(component, "items", ()))
        yield from iterate_texts(getattr(component, "children", ()))


def measure_step(so_far: PartialMove) -> int:
    """The length of the partial move in notation: a button that was made for another length does nothing."""
    return len(str(so_far))


def build_pad(
    so_far: PartialMove,
    board: Keyboard,
    pictures: Sequence[HasAltText],
    text: str,
    accent: int,
    ids: Ids,
    *,
    where: str,
    lead: str = "",
    supposed: str = "",
    who: str = "",
    path: str = "",
    effect: str = "",
    page: int = 0,
    form: bool = True,
    leaves: bool = True,
    below: Sequence[Control] = (),
) -> ui.LayoutView:
    """A pad: the question, where it is asked, the board with the partial move, the keys, and below them the other
    buttons.

    `lead`: the line above the question. `supposed`: the sentence that it ends, which begins with a condition. `who`:
    the other player of whom it asks. `path`: what the condition is in notation. `effect`: what a whole move does.
    `form`: whether there is a button that opens the form; a whole move has none. `leaves`: whether *Back* leads away
    from the pad where nothing is chosen yet. `below`: further buttons beside *Back*.
    """
    says = GO_ON if who else PREPARE_IT if supposed else ""
    others = [*_make_final_buttons(so_far, board, ids, says), *_make_edit_buttons(so_far, board, ids, leaves)]
    # A whole move need not be typed, and a phone is too narrow for a third button beside a long *Play*.
    others += [_make_button(so_far, ids, "type", TYPE_IT)] if form and not board.plays else []
    pages = split_pages(board, MOST_COMPONENTS - AROUND - len(pictures) - len(others) - len(below))
    page = min(page, len(pages) - 1)
    rows = [make_row(*(_make_key(so_far, key, ids) for key in keys)) for keys in pages[page]]
    others += [*_make_page_buttons(so_far, ids, page, len(pages), bool(board.others)), *below]
    last = [make_row(*others[at : at + ABREAST]) for at in range(0, len(others), ABREAST)]
    said = lead, format_question(so_far, board, who, supposed), effect, f"{SMALL}{where}" if where else ""
    foot, shown = "\n".join(filter(None, (path, CHOSEN.format(move=so_far.notation)))), bool(pictures)
    if not shown or len(foot) > LONGEST_IN_ALT:
        said, foot = (*said, f"{SMALL}{path}" if path else "", format_partial_move(so_far)), ""
    head = "\n".join(filter(None, said))
    if len(head) > LONGEST_TEXT:
        raise Refusal("This move is too long for the buttons. Type it instead.")
    return frame_view(accent, ui.TextDisplay[Any](head), *make_galleries(pictures, text, foot), *rows, *last)


def split_pages(board: Keyboard, room: int) -> list[list[Row]]:
    """The keys row by row, on the pages that they need where a message has `room` for that many components."""
    others = [_split(board.others, count_across(board.others))] if board.others else []
    if board.grid:
        able = {key.token: key for key in board.keys}
        shape = [able.get(square) or Key(square, is_open=False) for square in board.grid]
        rows = _split(shape, board.across)
        if sum(1 + len(row) for row in rows) <= room - len(others):
            return [rows, *others]
    for across in count_across(board.keys), MANY_ACROSS:
        rows = _split(board.keys, across)
        if sum(1 + len(row) for row in rows) <= room - len(others):
            return [rows, *others]
    rows, most = _split(board.keys, MANY_ACROSS), (room - LEAFING) // (1 + MANY_ACROSS)
    return [*(rows[at : at + most] for at in range(0, len(rows), most)), *others]


def _split(keys: Sequence[Key], across: int) -> list[Row]:
    return [keys[at : at + across] for at in range(0, len(keys), across)]


def format_question(so_far: PartialMove, board: Keyboard, who: str = "", supposed: str = "") -> str:
    """The question that says what to tap next: to the player who moves, or about a player `who` moves; behind a
    condition it is the rest of the sentence."""
    leg = 0 if supposed else so_far.kind.leg
    if so_far.is_whole:
        words = PLAYS_ONLY if who else PLAY
        verb = f"{board.verb} {so_far.kind.thing}".strip()
        question = words.format(verb=verb, move=board.plays)
    else:
        question = _word_question(so_far, board, who)
    if leg or supposed:
        question = question[0].lower() + question[1:]
    question = IN_LEG.format(leg=leg, question=question) if leg else question
    question = question if so_far.is_whole else IN_BOLD.format(question=question)
    return supposed.format(question=question) if supposed else question


def _word_question(so_far: PartialMove, board: Keyboard, who: str) -> str:
    part, asks = so_far.current_part, board.asks
    if who:
        what = (asks.other or part.asks_other or WHAT.other).format(who=who)
    else:
        # The help also says how to type a value.
        what = asks.own or part.asks or part.help.partition(", like")[0]
    if part.kind == "square" and board.keys and len(board.keys[0].token) == 1:
        return (ITS_COLUMN, ITS_ROW)[bool(so_far.typed_text)].format(what=what)
    return what


def _make_key(so_far: PartialMove, key: Key, ids: Ids) -> Control:
    part = so_far.current_part
    column = so_far.typed_text if part.kind == "square" else ""
    label = key.label or f"{column}{part.name_word(key.token)}"
    label += " ⇄" if key.swaps_with else ""
    style = SUCCESS if key.is_selected else SECONDARY
    return _make_button(so_far, ids, "pick", label, style, key.sign, key.is_open)


def _make_final_buttons(so_far: PartialMove, board: Keyboard, ids: Ids, says: str) -> list[Control]:
    if board.plays:
        said = board.plays if len(board.plays) <= LONGEST_LABEL else "it"
        return [_make_button(so_far, ids, "play", says or f"{board.verb} {said}", PRIMARY)]
    return [_make_button(so_far, ids, "done", so_far.current_part.ends or DONE, PRIMARY)] if board.done else []


def _make_edit_buttons(so_far: PartialMove, board: Keyboard, ids: Ids, leaves: bool) -> list[Control]:
    back = [_make_button(so_far, ids, "back", "Back")] if leaves or so_far.done or so_far.open else []
    return [*back, *([_make_button(so_far, ids, "clear", "Clear")] if board.clears else [])]


def _make_page_buttons(so_far: PartialMove, ids: Ids, page: int, pages: int, others: bool) -> list[Control]:
    """Buttons to other keys: from the common ones to all others and back, or by page."""
    if others and pages == 2:
        return [_make_button(so_far, ids, "page", so_far.current_part.page_labels[page], key=str(1 - page))]
    return [
        _make_button(so_far, ids, "page", f"Page {to + 1}", key=str(to))
        for to in (page - 1, page + 1)
        if 0 <= to < pages
    ]


def _make_button(
    so_far: PartialMove, ids: Ids, does: Does, label: str,
    style: discord.ButtonStyle = SECONDARY, key: str = "", able: bool = True,
) -> Control:  # fmt: skip
    return Control(ids(Tap(so_far.kind.name, measure_step(so_far), does, key)), label, style, able=able)
