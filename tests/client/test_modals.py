"""The forms of moves: every field has its own name, and the filled form comes back as a line of notation."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from discord import TextStyle, ui

from bot.features.pads import drafts
from bot.games import legs
from bot.games.catalogue import load_games, read_recorded_matches
from bot.games.moves import LINE, MoveKind, Part
from bot.games.wording import count_units
from bot.play.match import Match

POSITION = Match.start(load_games()["plexus"], {}, 2).position
"""Any will do for parts that ask nothing of it."""


def dots(position: object) -> tuple[int, int]:
    return 3, 4


def field(kind: MoveKind, values: dict[str, str] | None = None) -> Any:
    return drafts.make_field(kind, POSITION, 1, values or {}).component


@pytest.mark.parametrize("game", load_games().values(), ids=lambda game: game.key)
async def test_every_form_is_one_line_with_a_legal_move_for_an_example(game: Any) -> None:
    match = Match.start(game, {}, game.seats[0])
    seat = match.turn[0]
    for kind in (kind for kind in game.moves if kind.parts and kind.when(match.position, seat)):
        label = drafts.make_field(kind, match.position, seat, {})
        line: Any = label.component
        assert isinstance(line, ui.TextInput) and line.placeholder and label.description == kind.help
        sent = {"components": [{"component": {"custom_id": line.custom_id, "value": line.placeholder}}]}
        assert match.play(seat, kind.write(drafts.parse_submission(sent)))


async def test_phones_show_every_example_whole() -> None:
    """In all forms of all recorded matches, at some moments; stories look at what stands on selects."""
    found: dict[str, int] = {}
    for game, row in ((one, row) for one in load_games().values() for row in read_recorded_matches(one)):
        match: Any = Match.start(game, row["options"], row["seats"])
        for number, (seat, move) in enumerate(row["moves"]):
            for kind in (one for one in game.moves if one.parts and number % 13 == 0 and match.turn):
                if kind.when(match.position, match.turn[0]):
                    line: Any = drafts.make_field(kind, match.position, match.turn[0], {}).component
                    found[game.key] = max(found.get(game.key, 0), count_units(line.placeholder or ""))
            match = match.enter(seat, move)
    assert found.keys() == load_games().keys() and max(found.values()) <= drafts.LONGEST_PLACEHOLDER, found


def test_placeholders_are_made_in_few_places() -> None:
    made = {
        path.name
        for path in (one for folder in ("bot/features", "bot/platform", "cogs") for one in Path(folder).rglob("*.py"))
        if "placeholder=" in path.read_text("utf-8")
    }
    assert made == {"ui.py", "drafts.py", "premove_pads.py"}


async def test_a_line_takes_a_move_as_people_write_it() -> None:
    split = next(kind for kind in load_games()["combining-dividing"].moves if kind.name == "split")
    for typed in ("3 2 5", "split 3 2 5", "Split: 3, 2, 5", "3 split 2 5"):
        assert "split" in split.write({LINE: typed}).lower() and split.write({LINE: typed}).lower().count("split") == 1
    move = legs.make_two_legged(load_games()["sum-of-products"]).moves[1]
    assert {move.write({LINE: typed}) for typed in ("2 in c4", "2: 2 in c4")} == {"2: 2 in c4"}


START = Part("start", "square", "Where to begin", dots)
LONG = Part("squares", "square", "Squares in order", dots, items=lambda position: (1, 100))
SHORT = Part("numbers", "whole", "Numbers in order", lambda position: (1, 9), items=lambda position: (1, 5))
LINES = Part("grid", "text", "A line for each row", lambda position: (1, 28))
CURVE = Part("curve", "whole", "The curve", lambda position: (1, 3))


async def test_a_long_line_gets_a_field_of_several_lines() -> None:
    styles = [field(MoveKind("walk", "Walk.", "", (part,))).style for part in (LONG, SHORT, LINES)]
    assert styles == [TextStyle.paragraph, TextStyle.short, TextStyle.paragraph]


async def test_a_form_can_be_opened_with_what_was_written() -> None:
    kind = MoveKind("fill", "Fill.", "fill {curve} {start} {squares}", (CURVE, START, LONG))
    assert field(kind, kind.parse("fill 2 b4 c1 c2")).default == "2 b4 c1 c2"
    assert field(kind, {LINE: "2: b4 c1"}).default == "2: b4 c1"
    assert field(kind).default is None


async def test_a_draft_holds_every_part_however_it_was_written() -> None:
    walk = MoveKind("walk", "Walk.", "{squares}", (LONG,))
    fill = MoveKind("fill", "Fill.", "fill {curve} {squares}", (CURVE, LONG))
    written = {"curve": "2", "squares": "c1  c`2`\nc3: ?"}
    assert drafts.format_block(fill, written) == "```\nCurve: 2\nSquares: c1 c2 c3: ?\n```"
    assert drafts.parse(fill, "```\ncurve: 2\nsquares: c1\n```") == {"curve": "2", "squares": "c1"}, "an older one"
    assert drafts.parse(fill, drafts.format_block(fill, written)) == {"curve": "2", "squares": "c1 c2 c3: ?"}
    assert drafts.parse(fill, drafts.format_block(fill, {"curve": "1"})) == {"curve": "1", "squares": ""}
    assert drafts.parse(walk, drafts.format_block(walk, {"squares": "a1\nb2"})) == {"squares": "a1\nb2"}
    assert drafts.parse(fill, drafts.format_block(fill, {LINE: "2: c1"})) == {LINE: "2: c1"}
    assert drafts.parse(fill, "```\na1\nb1\n```") is None


async def test_only_a_message_with_a_draft_has_one() -> None:
    walk = MoveKind("walk", "Walk.", "{squares}", (LONG,))
    there = [SimpleNamespace(content="No."), SimpleNamespace(children=[SimpleNamespace(content="```\na1\nb2\n```")])]
    assert (drafts.read(walk, there), drafts.read(walk, there[:1])) == ({"squares": "a1\nb2"}, None)
