"""Plexus: who draws when, from what, who scores, and whole matches against a second referee."""

from __future__ import annotations

import random

import pytest

from bot.games.options import BadOptions
from bot.games.position import Illegal, MoveError, Unreadable
from bot.play.match import Match
from bot.play.records import describe_position
from cogs.plexus import GAME
from cogs.plexus.rules import Plexus
from tests.contract.sentences import without_example
from tests.games.referees.plexus import Referee

TO_THE_POINT = ((1, "b2-b3"), (2, "b3-a3"), (2, "b2-a2"), (1, "b2-c2"), (1, "b3-c3"))
"""On 3×3 dots, to where player 2 has no midpoint to start from."""


def played(size: int, *moves: tuple[int, str]) -> Match:
    match = Match.start(GAME, {"size": size}, 2)
    for seat, text in moves:
        match = match.enter(seat, text)
    return match


def board(match: Match) -> Plexus:
    assert isinstance(match.position, Plexus)
    return match.position


def test_seats_draw_one_two_two_one() -> None:
    assert [seat for seat, _ in TO_THE_POINT] == [1, 2, 2, 1, 1]
    match = played(3)
    for seat, text in TO_THE_POINT:
        assert match.turn == (seat,)
        match = match.play(seat, text)


def test_the_second_without_the_same_kind_loses_its_half_move_and_begins_the_next() -> None:
    before, after = played(3, *TO_THE_POINT[:-1]), played(3, *TO_THE_POINT)
    assert (before.position.scores(), before.turn, board(before).full_move) == ((0, 0), (1,), 3)
    assert (after.position.scores(), after.turn, board(after).full_move) == ((1, 0), (2,), 4)
    assert set(after.position.moves(2)) == {"b1-a1", "b1-c1", "a2-a1", "c2-c1"}


def test_the_second_half_move_ends_the_match_without_a_point() -> None:
    match = played(3, *TO_THE_POINT, (2, "b1-a1"), (1, "c2-c1"))
    assert (match.turn, match.position.scores(), match.position.ranks()) == ((), (1, 0), (1, 2))
    assert match.position.working() == (
        "pair 3: player 1 started from a midpoint, and player 2 could not: 1 point for player 1",
    )


def test_the_first_half_move_to_the_last_dot_scores_and_ends_the_match() -> None:
    ways = (1, "b2-b3"), (2, "b1-a1"), (2, "a1-a2"), (1, "b3-a3"), (1, "b2-c2"), (2, "b1-c1")
    before = played(3, *ways)
    assert (before.position.scores(), before.turn) == ((0, 0), (2,))
    after = before.play(2, "c2-c3")
    assert (after.turn, after.position.scores(), after.position.ranks()) == ((), (0, 1), (2, 1))
    assert after.position.working() == (
        "pair 4: player 2 took the last dot, so player 1 could not answer: 1 point for player 2",
    )


def test_a_kind_is_what_the_dot_is_at_that_moment() -> None:
    match = played(3, (1, "b2-b3"))
    with pytest.raises(Illegal, match="b2 has 2 segments, so it is a midpoint. Player 1 started from an endpoint"):
        match.play(2, "b2-a2")
    # When seat 1 may follow from a midpoint, b2 will do.
    assert match.play(2, "b3-a3").play(2, "b3-c3").play(1, "b2-a2").turn == (1,)


REFUSED = (
    ("b2-b1", "b1 already has a segment. Draw to a dot that has none."),
    ("a2-b2", "a2 has no segment yet. Start from a dot that has one. b2 has one, so write it first."),
    ("a1-a2", "a1 has no segment yet. Start from a dot that has one."),
    ("a3-b2", "a3 has no segment yet. Start from a dot that has one."),
    ("b2-c3", "c3 isn't next to b2. A segment goes one dot left, right, up or down."),
    ("b2-b2", "b2 isn't next to b2. A segment goes one dot left, right, up or down."),
    ("b2-d2", "d2 is off the board. Its columns are a to c, its rows 1 to 3."),
)


@pytest.mark.parametrize(("move", "sentence"), REFUSED)
def test_refusals_name_the_rule(move: str, sentence: str) -> None:
    with pytest.raises(MoveError) as refusal:
        played(3).play(1, move)
    assert without_example(refusal.value) == sentence


def test_a_refusal_of_the_other_kind_names_the_dots_that_may_be_drawn_from() -> None:
    match = played(3, (1, "b2-b3"), (2, "b3-a3"), (2, "b2-a2"))
    with pytest.raises(Illegal) as refusal:
        match.play(1, "b1-a1")
    assert without_example(refusal.value) == (
        "b1 has 1 segment, so it is an endpoint. Player 2 started from a midpoint, so you must too. "
        "You may start from b2 or b3."
    )


@pytest.mark.parametrize("text", ["b2", "b02-b3", "b2-b3-b4", "b2--b3", "b2-z9", "", "b2→b3", "draw b2-b3"])
def test_other_forms_are_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        played(3).position.read(1, text)


def test_from_and_to_are_not_interchangeable() -> None:
    assert played(3).position.read(1, "b3-b2") == "b3-b2"
    with pytest.raises(Illegal):
        played(3).play(1, "b3-b2")


SUGGESTED: tuple[tuple[str, dict[str, str]], ...] = (
    # Seat 1 follows from a midpoint: b2 or b3.
    ("", {"b2-c2": "midpoint", "b3-c3": "midpoint"}),
    ("b", {"b2-c2": "midpoint", "b3-c3": "midpoint"}),
    ("B 3", {"b3-c3": "midpoint"}),
    ("a", {}),
    ("b2-", {"b2-c2": "right of b2"}),
    ("B2- C", {"b2-c2": "right of b2"}),
    ("b2-b", {}),
    ("-", {"b2-c2": "right of b2", "b3-c3": "right of b3"}),
    ("-c3", {"b3-c3": "right of b3"}),
)


@pytest.mark.parametrize(("typed", "offered"), SUGGESTED)
def test_suggestions_tell_what_the_dot_is_and_then_where_the_segment_leads(typed: str, offered: dict[str, str]) -> None:
    position = played(3, *TO_THE_POINT[:3]).position
    assert dict(position.suggest(1, typed)) == offered
    assert list(position.suggest(2, typed)) == []


def test_suggestions_name_all_four_sides() -> None:
    assert dict(played(5).position.suggest(1, "c3-")) == {
        "c3-b3": "left of c3", "c3-d3": "right of c3", "c3-c4": "below c3"
    }  # fmt: skip
    assert dict(played(5).position.suggest(1, "c2-c")) == {"c2-c1": "above c2"}


def test_the_latest_segments_are_those_of_a_turn() -> None:
    counts = [len(board(played(3, *TO_THE_POINT[:plies])).latest) for plies in range(6)]
    assert counts == [0, 1, 1, 2, 1, 2]
    whole = board(played(3, *TO_THE_POINT, (2, "b1-a1"), (1, "c2-c1")))
    assert [segment.seat for segment in whole.latest] == [1]
    (point,) = whole.points
    assert (whole.scoring_segment(point).seat, whole.lacking_kind(point)) == (1, "midpoint")


@pytest.mark.parametrize("size", [2, 4, 16, 17, 1])
def test_sizes_out_of_bounds_are_refused(size: int) -> None:
    with pytest.raises(
        BadOptions,
        match="an odd number from 3 to 15, not .* leaves a middle dot, where the first segment starts.$",
    ):
        Match.start(GAME, {"size": size}, 2)


def test_the_text_board_shows_kinds_and_segments() -> None:
    assert str(played(3, *TO_THE_POINT).position) == "\n".join(
        ["  a b c", "1 . o .", "    |", "2 o-+-o", "    |", "3 o-+-o"]
    )


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_agree_with_the_second_referee(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((3, 3, 5, 5, 7))
    match, referee = played(size), Referee(size)
    while referee.to_move:
        (seat,) = referee.to_move
        seen = describe_position(match, legal=True)
        assert (seen["to_move"], seen["scores"]) == ([seat], [*referee.points.values()])
        assert seen["legal"] == {str(seat): referee.legal}
        move = rng.choice(referee.legal)
        match = match.play(seat, move)
        referee.move(move)
    assert match.is_over and match.position.scores() == tuple(referee.points.values())
    assert sum(match.position.scores()) % 2 == 1
