"""The form for prepared answers: what is typed there is a move of the kind that it names, or that was chosen."""

from __future__ import annotations

import pytest

from bot.client.interactions.custom_ids import FormId
from bot.client.moves import prepare_form
from bot.client.moves.ahead import Ahead
from bot.core.game.two_legs import in_legs
from bot.core.library.catalogue import games
from bot.core.match.loaded_match import Refusal
from bot.core.match.match import Match
from bot.core.values.ids import InteractionId
from tests.contract.playing import records
from tests.support.loaded_matches import begun


def combining() -> Ahead:
    """The middle of a match in which numbers are split and added, as who is not to move imagines it."""
    game = games()["combining-dividing"]
    row = next(row for row in records(game) if any(str(move).startswith("split") for _, move in row["moves"]))
    match = Match.start(game, row.get("options", {}), row["seats"])
    for seat, move in row["moves"]:
        if str(move).startswith("split"):
            break
        match = match.play(seat, move)
    return Ahead.of(begun(match), 3 - match.turn[0], ())


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
    kind = ahead.kind(chosen) if chosen else None
    assert prepare_form.written(ahead, typed, kind) == written


def test_a_line_is_a_move_of_the_leg_for_which_the_form_was_opened() -> None:
    match = Match.start(in_legs(games()["binary-primes"]), {"size": 3}, 2).play(1, "1: a1")
    ahead = Ahead.of(begun(match), 1, ())
    first, second = (kind for kind in ahead.match.game.moves if kind.leg)
    assert prepare_form.written(ahead, "c3", first) == "1: c3"
    assert prepare_form.written(ahead, "fill c3", second) == "2: fill c3"


def test_a_form_opens_for_what_comes_next_with_a_move_for_an_example() -> None:
    ahead = combining()
    for kind in ahead.kinds:
        made = prepare_form.form(ahead, kind, InteractionId(7))
        fields = [item["component"] for item in made.to_dict()["components"]]
        assert [field["custom_id"] for field in fields] == ["theirs:0", "yours:0"]
        example, form = str(fields[0]["placeholder"]), FormId.parse(str(made.custom_id))
        assert prepare_form.after(ahead, example, kind).path and example.startswith(kind.head)
        assert form and (form.purpose, ahead.kind(form.kind)) == ("ifthen", kind)
        assert len(made.title) <= prepare_form.LONGEST_TITLE


def test_a_form_for_a_kind_of_move_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(Refusal, match="out of date"):
        combining().kind("append")
