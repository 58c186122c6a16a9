"""The forms of moves: every field has a name of its own, and what is chosen comes back as a line of notation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from discord import TextStyle, ui

from bot.client import views
from bot.core.catalogue import games
from bot.core.match import Match
from bot.core.moves import MoveKind, Part

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
    fields = views.fields(MoveKind("move", "Move.", "", parts), POSITION)
    assert [field.text for field in fields] == labels
    # The first field of a part explains it.
    helps = [field.description for field in fields if field.description]
    assert helps == [part.help for part in parts]


async def test_two_squares_are_joined_to_a_line() -> None:
    kind = MoveKind("move", "Move.", "{from}-{to}", (FROM, TO))
    fields: list[Any] = views.fields(kind, POSITION)
    chosen = ["c", "4", "b", "1"]
    sent = [
        {"component": {"custom_id": field.component.custom_id, "values": [value]}}
        for field, value in zip(fields, chosen, strict=True)
    ]
    for field, value in zip(fields, chosen, strict=True):
        assert value in [option.value for option in field.component.options]
    assert kind.write(views.submitted({"components": sent})) == "c4-b1"


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.key)
async def test_every_form_has_at_most_five_fields_each_named_differently(game: Any) -> None:
    match = Match.start(game, {}, game.seats[0])
    for kind in game.moves:
        names = [field.text for field in views.fields(kind, match.position)]
        assert len(names) <= 5 and len(set(names)) == len(names)


START = Part("start", "square", "Where to begin", dots)
LINE = Part("squares", "square", "Squares in order", dots, items=lambda position: (1, 100))
SHORT = Part("numbers", "text", "Numbers in order", lambda position: (1, 80))
CURVE = Part("curve", "whole", "The curve", lambda position: (1, 3))


async def test_a_long_line_gets_a_field_of_several_lines() -> None:
    styles = [views.fields(MoveKind("walk", "Walk.", "", (part,)), POSITION)[0].component for part in (LINE, SHORT)]
    assert [getattr(field, "style", None) for field in styles] == [TextStyle.paragraph, TextStyle.short]


async def test_a_form_can_be_opened_with_what_was_written() -> None:
    kind = MoveKind("fill", "Fill.", "fill {curve} {start} {squares}", (CURVE, START, LINE))
    fields = views.fields(kind, POSITION, kind.parse("fill 2 b4 c1 c2") or {})
    assert [chosen(field.component) for field in fields] == ["2", "b", "4", "c1 c2"]
    assert [chosen(field.component) for field in views.fields(kind, POSITION)] == ["", "", "", ""]


def chosen(field: Any) -> str:
    """What a field of a form holds when it opens."""
    if isinstance(field, ui.TextInput):
        return field.default or ""
    return "".join(option.label for option in field.options if option.default)


async def test_what_was_written_is_handed_back_where_it_took_writing() -> None:
    fill = MoveKind("fill", "Fill.", "fill {curve} {squares}", (CURVE, LINE))
    turn = MoveKind("turn", "Turn.", "{turn}", (TURN,))
    assert views.returnable(fill, POSITION, "fill 2 c1 c2\nc3")
    assert not views.returnable(fill, POSITION, "fill 2 c1 `c2`")
    assert not views.returnable(fill, POSITION, "fill 2 " + "c" * 401)
    assert not views.returnable(fill, POSITION, "undo 2")
    assert not views.returnable(turn, POSITION, "left")
    # Only a message that hands something back has anything to be found.
    there = [SimpleNamespace(content="No."), SimpleNamespace(children=[SimpleNamespace(content="```\na1\nb2\n```")])]
    assert (views.written_on(there), views.written_on(there[:1]), views.written_on([])) == ("a1\nb2", "", "")


async def test_each_picture_is_as_wide_as_the_message() -> None:
    game = games()["binary-primes"]
    pictures = game.pictures(Match.start(game, {}, 2).position) * 3
    shown = views.galleries(pictures, "")
    assert [[item.media.url for item in gallery.items] for gallery in shown] == [
        [f"attachment://board-{number}.png"] for number in (1, 2, 3)
    ]
