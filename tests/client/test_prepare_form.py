"""The form for prepared answers: what is typed there is a move of the kind that it names, or that was chosen."""

from __future__ import annotations

import pytest

from bot.features.pads import premove_pads
from bot.games.catalogue import load_games
from bot.games.legs import make_two_legged
from bot.platform.custom_ids import FormId
from bot.play.ids import InteractionId
from bot.play.loaded_match import Refusal
from bot.play.match import Match
from bot.play.replays import ImaginedLine
from tests.contract.playing import records
from tests.support.loaded_matches import begun


def combining() -> ImaginedLine:
    """The middle of a match in which numbers are split and added, as who is not to move imagines it."""
    game = load_games()["combining-dividing"]
    row = next(row for row in records(game) if any(str(move).startswith("split") for _, move in row["moves"]))
    match = Match.start(game, row.get("options", {}), row["seats"])
    for seat, move in row["moves"]:
        if str(move).startswith("split"):
            break
        match = match.play(seat, move)
    return premove_pads.imagine(begun(match), 3 - match.turn[0])


@pytest.mark.parametrize(
    ("chosen", "typed", "written"),
    [
        ("split", "3 5 2", "split 3 5 2"),
        ("split", "split 3 5 2", "split 3 5 2"),
        ("split", "Add 2", "Add 2"),
        ("add", "2", "add 2"),
        ("", "add 2", "add 2"),
        ("", "2", "2"),
    ],
)
def test_a_line_is_a_move_of_the_kind_that_was_chosen_unless_it_names_another(
    chosen: str, typed: str, written: str
) -> None:
    ahead = combining()
    kind = premove_pads.find_kind(ahead, chosen) if chosen else None
    assert premove_pads.format_move(ahead, typed, kind) == written


def test_a_line_is_a_move_of_the_leg_for_which_the_form_was_opened() -> None:
    match = Match.start(make_two_legged(load_games()["binary-primes"]), {"size": 3}, 2).play(1, "1: a1")
    ahead = premove_pads.imagine(begun(match), 1)
    first, second = (kind for kind in ahead.match.game.moves if kind.leg)
    assert premove_pads.format_move(ahead, "c3", first) == "1: c3"
    assert premove_pads.format_move(ahead, "fill c3", second) == "2: fill c3"


def test_a_form_opens_for_what_comes_next_with_a_move_for_an_example() -> None:
    ahead = combining()
    for _, kind in premove_pads.list_next_moves(ahead):
        made = premove_pads.build_premove_form(ahead, kind, InteractionId(7))
        fields = [item["component"] for item in made.to_dict()["components"]]
        assert [field["custom_id"] for field in fields] == ["theirs:0", "yours:0"]
        example, form = str(fields[0]["placeholder"]), FormId.parse(str(made.custom_id))
        assert premove_pads.add_typed_move(ahead, example, kind).line and example.startswith(kind.head)
        assert form and (form.purpose, premove_pads.find_kind(ahead, form.kind)) == ("ifthen", kind)
        assert len(made.title) <= premove_pads.LONGEST_TITLE


def test_a_form_for_a_kind_of_move_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(Refusal, match="out of date"):
        premove_pads.find_kind(combining(), "append")
