"""The forms of moves: every field has its own name, and the filled form comes back as a line of notation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from discord import TextStyle, ui

from bot.client.views import drafts, modals
from bot.core.game.moves import MoveKind, Part
from bot.core.library.catalogue import games
from bot.core.match.match import Match

POSITION = Match.start(games()["plexus"], {}, 2).position
"""Any will do for parts that ask nothing of it."""


def dots(position: object) -> tuple[int, int]:
    return 3, 4


FROM, TO = Part("from", "square", "The dot it starts from", dots), Part("to", "square", "The dot it reaches", dots)
TURN = Part("turn", "word", "Left or right", words=("left", "right"))

LABELS = (
    ((FROM,), ["Column", "Row"]),
    ((FROM, TURN), ["Column", "Row", "Turn"]),
    ((FROM, TO), ["From: column", "From: row", "To: column", "To: row"]),
    ((FROM, TO, TURN), ["From: column", "From: row", "To: column", "To: row", "Turn"]),
)


@pytest.mark.parametrize(("parts", "labels"), LABELS)
async def test_columns_and_rows_say_of_which_square_they_are_where_there_are_several(
    parts: tuple[Part, ...], labels: list[str]
) -> None:
    fields = modals.fields(MoveKind("move", "Move.", "", parts), POSITION, {})
    assert [field.text for field in fields] == labels
    # The first field of a part explains it.
    helps = [field.description for field in fields if field.description]
    assert helps == [part.help for part in parts]


async def test_two_squares_are_joined_to_a_line() -> None:
    kind = MoveKind("move", "Move.", "{from}-{to}", (FROM, TO))
    fields: list[Any] = modals.fields(kind, POSITION, {})
    chosen = ["c", "4", "b", "1"]
    sent = [
        {"component": {"custom_id": field.component.custom_id, "values": [value]}}
        for field, value in zip(fields, chosen, strict=True)
    ]
    for field, value in zip(fields, chosen, strict=True):
        assert value in [option.value for option in field.component.options]
    assert kind.write(modals.submitted({"components": sent})) == "c4-b1"


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
async def test_every_form_has_at_most_five_fields_each_named_differently(game: Any) -> None:
    match = Match.start(game, {}, game.seats[0])
    for kind in game.moves:
        names = [field.text for field in modals.fields(kind, match.position, {})]
        assert len(names) <= 5 and len(set(names)) == len(names)


START = Part("start", "square", "Where to begin", dots)
LINE = Part("squares", "square", "Squares in order", dots, items=lambda position: (1, 100))
SHORT = Part("numbers", "whole", "Numbers in order", lambda position: (1, 9), items=lambda position: (1, 5))
LINES = Part("grid", "text", "A line for each row", lambda position: (1, 28))
CURVE = Part("curve", "whole", "The curve", lambda position: (1, 3))


async def test_a_long_line_gets_a_field_of_several_lines() -> None:
    styles = [
        modals.fields(MoveKind("walk", "Walk.", "", (part,)), POSITION, {})[0].component
        for part in (LINE, SHORT, LINES)
    ]
    assert [getattr(field, "style", None) for field in styles] == [
        *(TextStyle.paragraph, TextStyle.short, TextStyle.paragraph)
    ]


async def test_a_form_can_be_opened_with_what_was_written() -> None:
    kind = MoveKind("fill", "Fill.", "fill {curve} {start} {squares}", (CURVE, START, LINE))
    fields = modals.fields(kind, POSITION, kind.parse("fill 2 b4 c1 c2") or {})
    assert [chosen(field.component) for field in fields] == ["2", "b", "4", "c1 c2"]
    assert [chosen(field.component) for field in modals.fields(kind, POSITION, {})] == ["", "", "", ""]


def chosen(field: Any) -> str:
    """What a field of a form holds when it opens."""
    if isinstance(field, ui.TextInput):
        return field.default or ""
    return "".join(option.label for option in field.options if option.default)


async def test_a_draft_holds_every_part_however_it_was_written() -> None:
    walk = MoveKind("walk", "Walk.", "{squares}", (LINE,))
    fill = MoveKind("fill", "Fill.", "fill {curve} {squares}", (CURVE, LINE))
    written = {"curve": "2", "squares": "c1  c`2`\nc3: ?"}
    assert drafts.block(fill, written) == "```\ncurve: 2\nsquares: c1 c2 c3: ?\n```"
    assert drafts.parse(fill, drafts.block(fill, written)) == {"curve": "2", "squares": "c1 c2 c3: ?"}
    assert drafts.parse(fill, drafts.block(fill, {"curve": "1"})) == {"curve": "1", "squares": ""}
    assert drafts.parse(walk, drafts.block(walk, {"squares": "a1\nb2"})) == {"squares": "a1\nb2"}
    assert drafts.parse(fill, "```\na1\n```") is None


async def test_only_a_message_with_a_draft_has_one() -> None:
    walk = MoveKind("walk", "Walk.", "{squares}", (LINE,))
    there = [SimpleNamespace(content="No."), SimpleNamespace(children=[SimpleNamespace(content="```\na1\nb2\n```")])]
    assert (drafts.read(walk, there), drafts.read(walk, there[:1])) == ({"squares": "a1\nb2"}, None)
