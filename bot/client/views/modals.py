"""Makes the form in which a seat enters a move of some kind, and reads the submission.

A part with few values is a select, a square two of them, every other part a line of text. Submissions are answered from
their custom_id alone, so that a form opened before a restart still counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import ui

from bot.client.interactions.custom_ids import FormId
from bot.core.game.moves import MoveKind, Part
from bot.core.game.position import Position
from bot.core.match.loaded_match import LoadedMatch, Sight
from bot.core.values.ids import InteractionId
from bot.core.values.seats import Seat

SHORT = 100
"""A text field for more characters than this has several lines."""


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
    made = Form(FormId(seated.id, sight.version, kind.name, interaction), title)
    values = {part.name: part.begin(sight.position, seat) for part in kind.parts} if written is None else written
    for field in fields(kind, sight.position, values):
        made.add_item(field)
    return made


def fields(kind: MoveKind, position: Position, values: Mapping[str, str]) -> list[ui.Label[Any]]:
    """The fields of a form; where it asks for several squares, each field names its square."""
    several = sum(part.kind == "square" and not part.is_line for part in kind.parts) > 1
    return [field for part in kind.parts for field in fields_of(part, position, several, values.get(part.name, ""))]


def fields_of(part: Part, position: Position, several: bool, value: str = "") -> list[ui.Label[Any]]:
    """The fields for one part: a select for each of its lists, or a line of text."""
    lists = part.lists(position)
    if not lists:
        line = _line(part, position, value)
        return [ui.Label(text=part.name.capitalize()[:45], description=part.help[:100], component=line)]
    name = part.name.capitalize()
    square = (f"{name}: column", f"{name}: row") if several else ("Column", "Row")
    titles = square if len(lists) == 2 else (name,)
    chosen = (value[:1], value[1:]) if len(lists) == 2 else (value,)
    return [
        ui.Label(
            text=title[:45],
            description=part.help[:100] if index == 0 else None,
            component=ui.Select(
                custom_id=f"{part.name}:{index}",
                options=[discord.SelectOption(label=item, default=item == choice) for item in items],
                required=not part.optional,
                min_values=int(not part.optional),
            ),
        )
        for index, (title, items, choice) in enumerate(zip(titles, lists, chosen, strict=True))
    ]


def _line(part: Part, position: Position, value: str) -> ui.TextInput[Any]:
    limit = text_limit(part, position)
    return ui.TextInput(
        custom_id=f"{part.name}:0",
        style=discord.TextStyle.paragraph if limit > SHORT or part.kind == "text" else discord.TextStyle.short,
        default=value[:limit] or None,
        max_length=limit,
        required=not part.optional,
    )


def text_limit(part: Part, position: Position) -> int:
    """The most characters that a line of a form takes."""
    return part.longest(position) if part.is_line else SHORT


def submitted(data: Mapping[str, Any]) -> dict[str, str]:
    """The parts of a move from a submitted form: the values of the fields of one part, joined in order."""
    values: dict[str, str] = {}
    for label in data.get("components", ()):
        field: Mapping[str, Any] = label.get("component", {})
        name, _, _ = str(field.get("custom_id", "")).partition(":")
        chosen = field["values"] if "values" in field else [field.get("value", "")]
        values[name] = values.get(name, "") + "".join(str(value) for value in chosen)
    return values
