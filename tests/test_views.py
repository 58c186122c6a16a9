"""The forms of moves: every field has a name of its own, and what is chosen comes back as a line of notation."""

from __future__ import annotations

from typing import Any

import pytest

from bot import views
from bot.catalogue import games
from bot.game import MoveKind, Part
from bot.match import Match


def dots(position: object) -> tuple[int, int]:
    return 3, 4


FROM, TO = Part("from", "square", "The dot it starts from", dots), Part("to", "square", "The dot it reaches", dots)
TURN = Part("turn", "word", "Left or right", lambda position: ("left", "right"))

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
    fields = views.fields(MoveKind("move", "Move.", "", parts), None)
    assert [field.text for field in fields] == labels
    # The first field of a part explains it.
    helps = [field.description for field in fields if field.description]
    assert helps == [part.help for part in parts]


async def test_two_squares_are_joined_to_a_line() -> None:
    kind = MoveKind("move", "Move.", "{from}-{to}", (FROM, TO))
    fields: list[Any] = views.fields(kind, None)
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
