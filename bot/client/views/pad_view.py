"""Shows a pad: the board, the partial move, and a button for everything that can come next.

The partial move stands in the message, as a block of text, and is read from there, so a pad outlives a restart. `Ids`
makes the custom_ids of its buttons: for a pad of a match, or for one of a lesson.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import ui

from bot.client.interactions.custom_ids import ComponentId, Tap
from bot.client.views.views import Control, Told, framed, galleries, row_of
from bot.core.entry.pads import Key, Keyboard
from bot.core.entry.partial_move import PartialMove
from bot.core.game.moves import MoveKind
from bot.core.match.loaded_match import Refusal

Ids = Callable[[Tap], ComponentId]
"""Makes the custom_id of a tap's button."""
ACROSS, DIGITS_ACROSS, MANY_ACROSS, MANY = 4, 3, 5, 16
"""Keys in a row: as many as a phone shows side by side, more where there are many; digits as on a telephone."""
DIGITS = frozenset("0123456789")
ROOM = 40
"""Components of a message (Discord's limit)."""
AROUND = 9
"""Components beside the keys' rows and the pictures: the frame, two texts, and a row of five buttons."""
BLOCK = re.compile(r"```yaml\n(.*)\n```", re.DOTALL)
LONGEST_LABEL, LONGEST_TEXT = 60, 4_000
"""The second is Discord's limit for all texts of a message."""
PRIMARY, SECONDARY, SUCCESS = (
    discord.ButtonStyle.primary,
    discord.ButtonStyle.secondary,
    discord.ButtonStyle.success,
)


def written(so_far: PartialMove) -> str:
    """A partial move as it stands in the message."""
    return f"```yaml\n{so_far}\n```"


def read(kind: MoveKind, components: Sequence[Any]) -> PartialMove | None:
    """The partial move on a message of ours; None on other messages."""
    for component in components:
        found = BLOCK.fullmatch(getattr(component, "content", None) or "")
        so_far = PartialMove.parse(kind, found[1]) if found else read(kind, getattr(component, "children", ()))
        if so_far is not None:
            return so_far
    return None


def stands_on(components: Sequence[Any]) -> bool:
    """Whether a message is a pad."""
    texts = (getattr(component, "content", None) or "" for component in components)
    return any(map(BLOCK.fullmatch, texts)) or any(stands_on(getattr(one, "children", ())) for one in components)


def step(so_far: PartialMove) -> int:
    """The length of the partial move: a button that was made for another length does nothing."""
    return len(str(so_far))


def view(
    so_far: PartialMove,
    board: Keyboard,
    pictures: Sequence[Told],
    text: str,
    accent: int,
    ids: Ids,
    *,
    where: str,
    page: int = 0,
    form: bool = True,
) -> ui.LayoutView:
    """A pad: the question, the board with the partial move, the line, the keys, and below them the other buttons.

    `form` is whether the line can be typed instead, and whether *Back* leads on to the board; a lesson has neither.
    """
    room = ROOM - AROUND - len(pictures)
    pages = [*_pages(board.keys, room), *_pages(board.others, room)] or [()]
    page = min(page, len(pages) - 1)
    across = _across(pages[page])
    keys = [_key(so_far, key, ids) for key in pages[page]]
    rows = [row_of(*keys[at : at + across]) for at in range(0, len(keys), across)]
    others = [
        *_ending(so_far, board, ids),
        *_changing(so_far, ids, form),
        *_leafing(so_far, ids, page, len(pages), bool(board.others)),
    ]
    head, line = f"{asked(so_far, board)}\n-# {where}", written(so_far)
    if len(head) + len(line) > LONGEST_TEXT:
        raise Refusal("This move is too long for the buttons. Type it instead.")
    shown_at = galleries(pictures, text)
    return framed(accent, ui.TextDisplay[Any](head), *shown_at, ui.TextDisplay(line), *rows, row_of(*others))


def _across(keys: Sequence[Key]) -> int:
    """How many keys stand in a row."""
    if any(key.token in DIGITS and not key.ends for key in keys):
        return DIGITS_ACROSS
    return MANY_ACROSS if len(keys) > MANY else ACROSS


def _pages(keys: Sequence[Key], room: int) -> list[Sequence[Key]]:
    """Keys by the pages that have room for them and for their rows."""
    across = _across(keys)
    size = room // (1 + across) * across
    return [keys[at : at + size] for at in range(0, len(keys), size)]


def asked(so_far: PartialMove, board: Keyboard) -> str:
    """The question that says what to tap next."""
    if so_far.whole:
        return f"Play **{board.asks or so_far.line}**?"
    # How it would be typed is of no use here.
    what, place = board.asks or so_far.part.help.partition(", like")[0], ""
    if so_far.part.kind == "square" and board.keys and len(board.keys[0].token) == 1:
        place = ": which row?" if so_far.typed else ": which column?"
    elif so_far.part.kind == "square" and board.asks:
        place = ": where?"
    leg = f"Leg {so_far.kind.leg}: " if so_far.kind.leg else ""
    return f"**{leg}{what}{place}**"


def _key(so_far: PartialMove, key: Key, ids: Ids) -> Control:
    label = (
        f"{so_far.typed}{key.token}" if so_far.part.kind == "square" and so_far.typed else so_far.part.call(key.token)
    )
    style = SUCCESS if key.on else SECONDARY
    return _button(so_far, ids, "pick", label, style, key.sign, able=key.able)


def _ending(so_far: PartialMove, board: Keyboard, ids: Ids) -> list[Control]:
    if so_far.whole:
        line = board.asks or so_far.line if len(so_far.line) <= LONGEST_LABEL else "it"
        return [_button(so_far, ids, "play", f"Play {line}", PRIMARY)]
    if board.done:
        return [_button(so_far, ids, "done", f"Done: {so_far.typed}" if so_far.typed else "Done", PRIMARY)]
    return []


def _changing(so_far: PartialMove, ids: Ids, form: bool) -> list[Control]:
    back = _button(so_far, ids, "back", "Back", able=form or bool(so_far.done or so_far.open))
    return [back, _button(so_far, ids, "type", "Type it")] if form else [back]


def _leafing(so_far: PartialMove, ids: Ids, page: int, pages: int, others: bool) -> list[Control]:
    """Buttons that lead to other keys: from those that are mostly used to digits and back, or by page."""
    if others and pages == 2:
        return [_button(so_far, ids, "page", ("Other", "Usual")[page], key=str(1 - page))]
    return [
        _button(so_far, ids, "page", f"Page {to + 1}", key=str(to)) for to in (page - 1, page + 1) if 0 <= to < pages
    ]


def _button(
    so_far: PartialMove, ids: Ids, does: str, label: str,
    style: discord.ButtonStyle = SECONDARY, key: str = "", *, able: bool = True,
) -> Control:  # fmt: skip
    return Control(ids(Tap(so_far.kind.name, step(so_far), does, key)), label, style, able=able)
