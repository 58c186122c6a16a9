"""Makes the form in which a seat enters a move of some kind, and reads the submission.

It is one line, which takes a move as people write it: with several parts all of them, in their order. Submissions are
answered from their custom_id alone, so that a form opened before a restart still counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, islice
from typing import Any

import discord
from discord import ui

from bot.client.interactions.custom_ids import FormId
from bot.core.game.moves import LINE, MoveKind
from bot.core.game.position import Position
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.values.ids import InteractionId
from bot.core.values.seats import Seat
from bot.core.values.text_lengths import cut, units

LONGEST_PLACEHOLDER = 58
"""Discord takes more, but phones show no more of it, in forms and on selects."""
SHORT, LONGEST, LOOKED_AT = 100, 4000, 500
"""A text field for more characters than the first has several lines, and none takes more than the second; and at how
many moves is looked for an example."""


class Form(ui.Modal):
    """A form for a move. discord.py neither keeps it nor calls it: the client answers from its custom_id, also where it
    was opened before a restart.
    """

    def __init__(self, form: FormId, title: str) -> None:
        super().__init__(title=title[:45], custom_id=str(form), timeout=None)

    def is_finished(self) -> bool:
        """Say that nobody waits for it, so that it is not kept."""
        return True


def form(
    seated: LoadedMatch,
    kind: MoveKind,
    seat: Seat,
    interaction: InteractionId,
    written: Mapping[str, str] | None = None,
) -> Form:
    """The form in which a seat enters a move of some kind, or edits what it has `written`."""
    sight = Sight.of(seated, seat)
    title = f"Leg {kind.leg}: {seated.game.title}" if kind.leg else f"{seated.game.title}: {kind.name}"
    made = Form(FormId(seated.id, sight.version, "", kind.name, interaction), title)
    values = {part.name: part.begin(sight.position, seat) for part in kind.parts} if written is None else written
    made.add_item(field(kind, sight.position, seat, values))
    return made


def field(kind: MoveKind, position: Position, seat: Seat, values: Mapping[str, str]) -> ui.Label[Any]:
    """The line of a form, with a move for an example that can be made now."""
    only = kind.parts[0].name if len(kind.parts) == 1 else LINE
    limit = min(LONGEST, sum(part.longest(position) + 1 for part in kind.parts))
    lengthy = limit > SHORT or any(part.kind == "text" for part in kind.parts)
    begun = values.get(LINE) or " ".join(value for part in kind.parts if (value := values.get(part.name, "")))
    like = example(kind, position, seat)
    line = ui.TextInput[Any](
        custom_id=f"{only}:0",
        style=discord.TextStyle.paragraph if lengthy else discord.TextStyle.short,
        default=begun[:limit] or None,
        placeholder=like or None,
        max_length=limit,
    )
    heading = kind.parts[0].heading if only != LINE else kind.name.capitalize()
    return ui.Label(text=heading[:45], description=kind.help[:100], component=line)


def example(kind: MoveKind, position: Position, seat: Seat) -> str:
    """A legal move of a kind, as it can be typed, if possible one that phones show whole; empty where none is found
    soon."""
    moves = (move for move, _ in position.suggest(seat, "")) if position.open_to(seat) else position.moves(seat)
    tried = chain([position.example(seat)], islice(moves, LOOKED_AT))
    found = (move.removeprefix(kind.head).strip() for move in tried if kind.parse(move) is not None)
    first = next(found, "")
    short = next((move for move in chain((first,), found) if units(move) <= LONGEST_PLACEHOLDER), first)
    return cut(short, LONGEST_PLACEHOLDER)


def submitted(data: Mapping[str, Any]) -> dict[str, str]:
    """The parts of a move from a submitted form: the values of the fields of one part, joined in order."""
    values: dict[str, str] = {}
    for label in data.get("components", ()):
        field: Mapping[str, Any] = label.get("component", {})
        name, _, _ = str(field.get("custom_id", "")).partition(":")
        chosen = field["values"] if "values" in field else [field.get("value", "")]
        values[name] = values.get(name, "") + "".join(str(value) for value in chosen)
    return values
