"""The form on which an answer is prepared by typing: a move of the opponent, and one's own, as one would write them.

It takes both at once where the pad has none of them yet, so that every answer is a few taps away, however many keys a
move has. What it was opened for stands in its custom_id, and the moves before in the message below it.
"""

from __future__ import annotations

import re
from typing import Any

from discord import ui

from bot.client.interactions.custom_ids import FormId
from bot.client.moves.ahead import Ahead, version
from bot.client.views import modals
from bot.core.game.moves import LINE, MoveKind
from bot.core.values.ids import InteractionId
from bot.core.values.text_lengths import cut, shortened

THEIRS, YOURS = "theirs", "yours"
"""The fields."""
TITLE, TITLE_OF_LEG = "If … then … · {game}", "If … then … · leg {leg}"
THEIRS_ASKED, YOURS_ASKED = "If your opponent plays this …", "… then you play this"
LEAVE_OUT = "Leave it empty to tap your answer instead."
LONGEST_TITLE = 45
"""Characters (Discord's limit)."""


def form(ahead: Ahead, kind: MoveKind | None, interaction: InteractionId) -> modals.Form:
    """The form for what comes next, a move of some kind where that was chosen: the opponent's move and the answer to
    it, or the answer alone."""
    name, leg = (kind.name, kind.leg) if kind else ("", 0)
    title = TITLE_OF_LEG.format(leg=leg) if leg else TITLE.format(game=ahead.match.game.title)
    form_id = FormId(ahead.seated.id, version(ahead), "ifthen", name, interaction)
    made = modals.Form(form_id, shortened(title, LONGEST_TITLE))
    assert ahead.mover
    example = kind or ahead.kinds[0]
    like = modals.example(example, ahead.match.position, ahead.mover)
    like = cut(f"{example.head} {like}".strip(), modals.LONGEST_PLACEHOLDER) if like else ""
    if ahead.mover != ahead.seat:
        made.add_item(_line(THEIRS, THEIRS_ASKED, like))
        made.add_item(_line(YOURS, YOURS_ASKED, "", LEAVE_OUT))
    else:
        made.add_item(_line(YOURS, YOURS_ASKED, like))
    return made


def _line(name: str, label: str, like: str, help: str = "") -> ui.Label[Any]:
    field = ui.TextInput[Any](
        custom_id=f"{name}:0", placeholder=like or None, max_length=modals.SHORT, required=not help
    )
    return ui.Label(text=label, description=help or None, component=field)


def after(ahead: Ahead, line: str, kind: MoveKind | None = None) -> Ahead:
    """The match after one more move, which somebody has typed on the form that was opened for a kind."""
    return ahead.after(written(ahead, line, kind))


def written(ahead: Ahead, line: str, kind: MoveKind | None) -> str:
    """A typed move as its kind writes it: the one that its first word names, or that was chosen, or the only one."""
    kinds = [one for one in ahead.kinds if kind is None or one.leg == kind.leg]
    words = re.findall("[a-z]+", line.lower())
    named = (one for one in kinds if words and words[0] in (*(one.once or one).names, (one.once or one).head))
    found = next(named, None) or kind or (kinds[0] if len(kinds) == 1 else None)
    return found.write({LINE: line}) if found else line
