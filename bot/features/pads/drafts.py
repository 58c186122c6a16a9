"""Drafts, the ephemeral messages with moves that were typed and not played yet; and the forms for moves."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import Any

import discord
from discord import ui

from bot.features.board.ids import ActButton, stamp
from bot.games.moves import LINE, MoveKind
from bot.games.position import Position, Seat
from bot.games.wording import count_units, cut_text
from bot.platform.custom_ids import FormId, MatchButton
from bot.platform.ui import OVER, Control, frame_view, make_row
from bot.play.ids import InteractionId
from bot.play.loaded_match import LoadedMatch, MatchView

LONGEST_DRAFT = 3000
"""Characters of a block; a message holds 4000 in all."""
BLOCK = re.compile(r"```\n(.*)\n```", re.DOTALL)


def format_block(kind: MoveKind, values: Mapping[str, str]) -> str:
    """A draft as a block of text: a line for each part behind its heading, or one line for all."""
    clean = {name: value.replace("`", "") for name, value in values.items()}
    if len(kind.parts) == 1 or LINE in values:
        return f"```\n{clean.get(LINE) or clean.get(kind.parts[0].name, '')}\n```"
    lines = (f"{part.heading}: {' '.join(clean.get(part.name, '').split())}" for part in kind.parts)
    return "```\n" + "\n".join(lines) + "\n```"


def fits_message(kind: MoveKind, values: Mapping[str, str]) -> bool:
    """Whether a message has space for a draft and a sentence."""
    return bool(kind.parts) and len(format_block(kind, values)) <= LONGEST_DRAFT


def parse(kind: MoveKind, text: str) -> dict[str, str] | None:
    """The parts from a block of text; None for other texts and for other kinds of move."""
    found = BLOCK.fullmatch(text)
    if not found:
        return None
    if len(kind.parts) == 1:
        return {kind.parts[0].name: found[1]}
    lines = [line.partition(": ") for line in found[1].split("\n")]
    names = {called: part.name for part in kind.parts for called in (part.name, part.heading)}
    values = {names.get(called, called): value for called, _, value in lines}
    if values.keys() == {part.name for part in kind.parts}:
        return values
    return {LINE: found[1]} if len(lines) == 1 else None


def read(kind: MoveKind, components: Sequence[Any]) -> dict[str, str] | None:
    """The draft on a message of ours; None on other messages."""
    for component in components:
        values = parse(kind, getattr(component, "content", None) or "")
        values = values if values is not None else read(kind, getattr(component, "children", ()))
        if values is not None:
            return values
    return None


def build_refused_draft(
    loaded: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str], sentence: str
) -> ui.LayoutView:
    """A refusal with what was written, and a button to edit it in a form."""
    return _build_draft(loaded, seat, kind, values, sentence, [_make_edit_button(loaded, seat, kind)])


def build_question(
    loaded: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str], shown: Sequence[ui.Item[Any]]
) -> ui.LayoutView:
    """The question before a move that cannot be undone, with its preview where there is one."""
    of = stamp(MatchView.of(loaded, seat))
    sure = Control(MatchButton(*of, True, kind.name), kind.label, discord.ButtonStyle.danger)
    back = _make_edit_button(loaded, seat, kind) if kind.parts else Control(ActButton(*of, "board"), "Back")
    return _build_draft(loaded, seat, kind, values, kind.final, [sure, back], shown)


def _build_draft(
    loaded: LoadedMatch, seat: Seat, kind: MoveKind, values: Mapping[str, str], sentence: str,
    buttons: Sequence[Control], shown: Sequence[ui.Item[Any]] = (),
) -> ui.LayoutView:  # fmt: skip
    written = [ui.TextDisplay[Any](format_block(kind, values))] if kind.parts else []
    where = f"-# Match {loaded.id} · {loaded.game.title}"
    return frame_view(OVER, ui.TextDisplay(f"{sentence}\n{where}"), *shown, *written, make_row(*buttons))


def _make_edit_button(loaded: LoadedMatch, seat: Seat, kind: MoveKind) -> Control:
    edit = MatchButton(*stamp(MatchView.of(loaded, seat)), False, kind.name)
    return Control(edit, "Edit", discord.ButtonStyle.primary)


# The form for a move.


LONGEST_PLACEHOLDER = 58
"""Characters that phones show of it, in forms and on selects; Discord takes more."""
SHORT, LONGEST, LOOKED_AT = 100, 4000, 500
"""Characters of a text field: above the first it has several lines, the second is Discord's limit; and the number of
moves that are searched for an example."""


class Form(ui.Modal):
    """A form for a move. discord.py neither keeps it nor calls it: the client answers from its custom_id, also where it
    was opened before a restart.
    """

    def __init__(self, form: FormId, title: str) -> None:
        super().__init__(title=title[:45], custom_id=str(form), timeout=None)

    def is_finished(self) -> bool:
        """Tell discord.py not to keep the form."""
        return True


def build_form(
    loaded: LoadedMatch,
    kind: MoveKind,
    seat: Seat,
    interaction: InteractionId,
    written: Mapping[str, str] | None = None,
) -> Form:
    """The form in which a seat enters a move of some kind, or edits the draft that it has `written`."""
    sight = MatchView.of(loaded, seat)
    title = f"Leg {kind.leg}: {loaded.game.title}" if kind.leg else f"{loaded.game.title}: {kind.name}"
    made = Form(FormId(loaded.id, sight.version, "", kind.name, interaction), title)
    values = {part.name: part.begin(sight.position, seat) for part in kind.parts} if written is None else written
    made.add_item(make_field(kind, sight.position, seat, values))
    return made


def make_field(kind: MoveKind, position: Position, seat: Seat, values: Mapping[str, str]) -> ui.Label[Any]:
    """The line of a form, with a legal move for an example."""
    only = kind.parts[0].name if len(kind.parts) == 1 else LINE
    limit = min(LONGEST, sum(part.compute_max_length(position) + 1 for part in kind.parts))
    lengthy = limit > SHORT or any(part.kind == "text" for part in kind.parts)
    begun = values.get(LINE) or " ".join(value for part in kind.parts if (value := values.get(part.name, "")))
    like = find_example(kind, position, seat)
    line = ui.TextInput[Any](
        custom_id=f"{only}:0",
        style=discord.TextStyle.paragraph if lengthy else discord.TextStyle.short,
        default=begun[:limit] or None,
        placeholder=like or None,
        max_length=limit,
    )
    heading = kind.parts[0].heading if only != LINE else kind.name.capitalize()
    return ui.Label(text=heading[:45], description=kind.help[:100], component=line)


def find_example(kind: MoveKind, position: Position, seat: Seat) -> str:
    """A legal move of a kind, as it can be typed, if possible one that phones show whole; empty where none of the first
    moves is of the kind."""
    moves = (move for move, _ in position.suggest(seat, "")) if position.open_to(seat) else position.moves(seat)
    tried = chain([position.find_example_move(seat)], islice(moves, LOOKED_AT))
    found = (move.removeprefix(kind.head).strip() for move in tried if kind.parse(move) is not None)
    first = next(found, "")
    short = next((move for move in chain((first,), found) if count_units(move) <= LONGEST_PLACEHOLDER), first)
    return cut_text(short, LONGEST_PLACEHOLDER)


def parse_submission(data: Mapping[str, Any]) -> dict[str, str]:
    """The parts of a move from a submitted form: the values of the fields of one part, joined in order."""
    values: dict[str, str] = {}
    for label in data.get("components", ()):
        field: Mapping[str, Any] = label.get("component", {})
        name, _, _ = str(field.get("custom_id", "")).partition(":")
        chosen = field["values"] if "values" in field else [field.get("value", "")]
        values[name] = values.get(name, "") + "".join(str(value) for value in chosen)
    return values
