"""Polygons In Permutation Grid: who places when, what is cut out, and whole matches against a second referee."""

from __future__ import annotations

import math
import random
from itertools import combinations, permutations, product

import pytest

from bot.games.position import Illegal, MoveError
from bot.play.match import Match
from bot.play.records import describe_position
from cogs.polygons_permutation_grid import GAME
from cogs.polygons_permutation_grid.picture import find_clearest_spot
from cogs.polygons_permutation_grid.polygons import (
    Polygon,
    cross_segments,
    enclose_polygons,
    find_polygons,
    list_segments,
)
from cogs.polygons_permutation_grid.rules import PermutationGrid
from rendering.shapes import SEAT_INKS, Disc, Line, Path, Ring, Shape, Spot
from tests.contract.sentences import without_example
from tests.games.referees.polygons_permutation_grid import Referee, cut
from tests.support.sampled import sampled


def played(moves: str, size: int = 4, rounds: int = 2) -> Match:
    """A match after these moves, each of the seat to move."""
    match = Match.start(GAME, {"size": size, "rounds": rounds}, 2)
    for move in moves.split():
        match = match.play(match.turn[0], move)
    return match


def board(match: Match) -> PermutationGrid:
    assert isinstance(match.position, PermutationGrid)
    return match.position


def columns(drawing: str) -> tuple[int, ...]:
    """The column of the dot in each row of a drawing."""
    return tuple(row.index("o") for row in drawing.split())


def named(polygon: Polygon) -> str:
    """The corners of a polygon: as intersections, or as fractions where segments cross."""
    return " ".join(
        f"{chr(97 + int(x))}{y + 1}" if x.denominator == y.denominator == 1 else f"({x + 1},{y + 1})"
        for x, y in polygon
    )


def shuffled(lot: random.Random, size: int) -> tuple[int, ...]:
    """A permutation, often with a run of consecutive numbers: segments that coincide or go on straight."""
    drawn = lot.sample(range(size), size)
    first, last = sorted(lot.sample(range(size + 1), 2))
    if lot.random() < 0.5:
        drawn[first:last] = sorted(drawn[first:last], reverse=lot.random() < 0.5)
    return tuple(drawn)


# Polygons.


DRAWN: tuple[tuple[str, list[str]], ...] = (
    # a1-b2 and c4-d3 coincide; a1-b2 only pokes out.
    ("o... .o.. ...o ..o.", ["b2 d3 c4"]),
    # A square with its diagonals, which cross between four dots.
    (
        ".o.. ...o o... ..o.",
        ["a3 (5/2,5/2) c4", "a3 b1 (5/2,5/2)", "b1 d2 (5/2,5/2)", "(5/2,5/2) d2 c4"],
    ),
    # b2 lies on the side from a3 to c1.
    ("..o. .o.. o... ...o", ["a3 c1 d4"]),
    # All on one line.
    ("o... .o.. ..o. ...o", []),
    ("...o ..o. .o.. o...", []),
    # c3 lies on the side that two triangles share.
    ("....o .o... ..o.. ...o. o....", ["a5 b2 d4", "b2 e1 d4"]),
)


@pytest.mark.parametrize(("drawing", "corners"), DRAWN)
def test_polygons_by_their_corners(drawing: str, corners: list[str]) -> None:
    assert sorted(map(named, find_polygons(columns(drawing)))) == sorted(corners)


def test_segments_that_coincide_count_once() -> None:
    assert list_segments(columns("o... .o.. ...o ..o.")) == (
        ((0, 0), (1, 1)),
        ((1, 1), (2, 3)),
        ((1, 1), (3, 2)),
        ((2, 3), (3, 2)),
    )


@sampled("size", [4, 5])
def test_all_permutations_agree_with_the_second_referee(size: int) -> None:
    for drawn in permutations(range(size)):
        dots = [(column, row) for row, column in enumerate(drawn)]
        assert sorted(map(len, find_polygons(drawn))) == cut(dots), drawn


@pytest.mark.parametrize("seed", range(6))
def test_large_permutations_agree_with_the_second_referee(seed: int) -> None:
    lot = random.Random(seed)
    drawn = shuffled(lot, lot.randint(6, 14))
    dots = [(column, row) for row, column in enumerate(drawn)]
    assert sorted(map(len, find_polygons(drawn))) == cut(dots), drawn


@pytest.mark.parametrize("seed", range(15))
def test_regions_are_as_many_as_euler_says(seed: int) -> None:
    # Each crossing adds a vertex and two edges, and all is in one piece: V - E + F = 1 + C with C = 1.
    lot = random.Random(seed)
    drawn = shuffled(lot, lot.randint(4, 14))
    joined = list_segments(drawn)
    crossings = [spot for pair in combinations(joined, 2) if (spot := cross_segments(*pair))]
    assert len(set(crossings)) == len(crossings), "a crossing of three"
    vertices, edges = len(drawn) + len(crossings), len(joined) + 2 * len(crossings)
    assert vertices - edges + (len(find_polygons(drawn)) + 1) == 1 + 1


@pytest.mark.parametrize("seed", range(8))
def test_polygons_are_the_same_from_every_side(seed: int) -> None:
    lot = random.Random(seed)
    drawn = shuffled(lot, lot.randint(4, 10))
    sides = sorted(map(len, find_polygons(drawn)))
    mirrored = tuple(len(drawn) - 1 - column for column in drawn)
    turned = tuple(drawn.index(row) for row in range(len(drawn)))
    assert sides == sorted(map(len, find_polygons(mirrored))) == sorted(map(len, find_polygons(turned)))


# Turns and scores.


@pytest.mark.parametrize(("size", "order"), [(4, "1212 2121 1212 2121"), (5, "12121 21212 12121 21212")])
def test_seats_take_turns_and_change_roles_every_round(size: int, order: str) -> None:
    match = played("", size, 4)
    for seat in order.replace(" ", ""):
        assert match.turn == (int(seat),)
        match = match.play(int(seat), next(match.position.moves(int(seat))))
    assert match.is_over


def test_the_first_role_counts_triangles_and_the_second_all_others() -> None:
    one = "b1 d2 a3 c4"
    assert played(one).position.scores() == (4, 0)
    assert played(f"a1 b2 c3 d4 {one}").position.scores() == (0, 4)
    # b1 e2 d3 a4 c5: some with four sides.
    round_ = "b1 e2 d3 a4 c5"
    (triangles, others) = played(round_, 5).position.scores()
    assert (triangles, others) == played(f"a1 b2 c3 d4 e5 {round_}", 5).position.scores()[::-1] == (3, 1)


def test_a_running_score_counts_finished_rounds_only() -> None:
    moves = "b1 d2 a3 c4 b1 d2 a3 c4"
    scores = [played(moves[: 3 * plies]).position.scores() for plies in range(9)]
    assert scores == [(0, 0)] * 4 + [(4, 0)] * 4 + [(4, 4)]


def test_the_working_adds_up() -> None:
    assert played("b1 d2 a3").position.working() == ()
    assert played("b1 d2 a3 c4 a1").position.working() == (
        "round 1: 4 triangles for player 1 and 0 other shapes for player 2",
        "player 1: 4",
        "player 2: 0",
    )
    assert played("a1 b2 d3 c4 b1 d2 a3 c4").position.working() == (
        "round 1: 1 triangle for player 1 and 0 other shapes for player 2",
        "round 2: 4 triangles for player 2 and 0 other shapes for player 1",
        "player 1: 1 + 0 = 1",
        "player 2: 0 + 4 = 4",
    )


# Moves.


def test_legal_are_the_intersections_of_lines_without_a_dot() -> None:
    match = played("b2 d1")
    assert list(match.position.moves(1)) == ["a3", "c3", "a4", "c4"]
    assert list(match.position.moves(2)) == []
    assert len(list(played("a1 b2 c3 d4").position.moves(2))) == 16, "a new round has new lines"


REFUSED = (
    ("", "e1", "e1 is off the board. Its columns are a to d, its rows 1 to 4."),
    ("b2", "b2", "b2 already has a dot. Choose a place where two lines without a dot cross."),
    ("b2", "b4", "Column b already has its dot, b2. Choose a place where two lines without a dot cross."),
    ("b2", "c2", "Row 2 already has its dot, b2. Choose a place where two lines without a dot cross."),
    (
        "b2 d1",
        "b1",
        "Column b already has its dot, b2. Row 1 already has its dot, d1. "
        "Choose a place where two lines without a dot cross. Still free: a3, c3, a4 and c4.",
    ),
    (
        "b2 d1 a3",
        "a4",
        "Column a already has its dot, a3. Choose a place where two lines without a dot cross. Still free: c4.",
    ),
)


@pytest.mark.parametrize(("moves", "move", "sentence"), REFUSED)
def test_refusals_name_the_rule(moves: str, move: str, sentence: str) -> None:
    match = played(moves)
    with pytest.raises(MoveError) as refusal:
        match.play(match.turn[0], move)
    assert without_example(refusal.value) == sentence


def test_a_refused_row_of_two_digits_is_named_whole() -> None:
    match = played("b12", 14)
    with pytest.raises(Illegal, match="^Row 12 already has its dot, b12. "):
        match.play(2, "c12")


def test_the_usual_match_has_two_rounds_of_ten_dots() -> None:
    assert Match.start(GAME, {}, 2).options.to_record() == {"size": 10, "rounds": 2}


def test_the_text_board_shows_what_is_free_and_who_placed_what() -> None:
    assert str(played("b2 d1").position).split("\n") == [
        *("round 1 of 2", "  a b c d", "1       O", "2   #", "3 .   .", "4 .   .")
    ]


@sampled(("size", "rounds", "seed"), [*product((4, 5, 7), (2, 4), (1, 2, 3)), (10, 2, 1)], few=6)
def test_whole_matches_agree_with_the_second_referee(size: int, rounds: int, seed: int) -> None:
    lot = random.Random(seed)
    match, referee = played("", size, rounds), Referee(size, rounds)
    while referee.to_move:
        (seat,) = referee.to_move
        seen = describe_position(match, legal=True)
        assert (seen["to_move"], seen["scores"]) == ([seat], referee.scores)
        assert seen["legal"] == {str(seat): referee.legal}
        move = lot.choice(referee.legal)
        match = match.play(seat, move)
        referee.move(move)
    assert match.is_over and list(match.position.scores()) == referee.scores


# What its pictures show of any match; the rest stands in tests/games/golden.


def played_at_random(plies: int, seed: int = 1) -> Match:
    """A match on 9 by 9 lines after so many random moves."""
    rng, match = random.Random(seed), played("", 9)
    for _ in range(plies):
        match = match.play(match.turn[0], rng.choice([*match.position.moves(match.turn[0])]))
    return match


def drawn(plies: int, seed: int = 1) -> list[tuple[Shape, ...]]:
    """The shapes of the pictures of such a match."""
    return [picture.shapes for picture in GAME.pictures(board(played_at_random(plies, seed)))]


def winding(corners: tuple[Spot, ...], at: Spot) -> bool:
    """Whether a spot is inside, by the angles under which it sees the sides."""
    angles = [math.atan2(y - at[1], x - at[0]) for x, y in corners]
    around = sum(math.remainder(b - a, math.tau) for a, b in zip(angles, (*angles[1:], angles[0]), strict=True))
    return abs(around) > math.pi


@pytest.mark.parametrize("seed", range(4))
def test_the_mark_of_a_polygon_is_inside_it(seed: int) -> None:
    for shapes in drawn(18, seed)[1:]:
        paths = [shape for shape in shapes if isinstance(shape, Path) and shape.ink is None]
        marks = [shape for shape in shapes if isinstance(shape, Disc | Ring) and shape.y < 9 and shape.ink in SEAT_INKS]
        assert paths and all(winding(path.spots, (mark.x, mark.y)) for path, mark in zip(paths, marks, strict=True))


@pytest.mark.parametrize("plies", range(9))
def test_sure_segments_stay(plies: int) -> None:
    def segments(shapes: tuple[Shape, ...]) -> set[tuple[float, ...]]:
        lines = [shape for shape in shapes if isinstance(shape, Line) and shape.ink == "ink" and shape.y1 < 9]
        return {(line.x1, line.y1, line.x2, line.y2) for line in lines}

    assert segments(drawn(plies)[0]) <= segments(drawn(9)[1])


def test_the_end_of_a_segment_within_a_shape_is_no_side() -> None:
    triangle = (((0, 0), (4, 1)), ((0, 0), (1, 4)), ((1, 4), (4, 1)))
    (alone,), (poked,) = enclose_polygons(triangle), enclose_polygons((*triangle, ((0, 0), (2, 2))))
    assert len(alone) == 3 and poked == alone


def test_a_round_that_is_over_has_a_picture_until_the_next_has_a_dot() -> None:
    match = played_at_random(9)
    fact, counted = board(match).explain(1), len(find_polygons(board(match).columns_in_round(1)))
    assert sum(shape.tag == fact and isinstance(shape, Path) for shape in drawn(9)[1]) == counted + 2
    assert len(drawn(10)) == 1


def test_the_roomiest_spot_is_the_middle_of_a_square_and_off_the_notch_of_an_arrow() -> None:
    at, room = find_clearest_spot(((0, 0), (2, 0), (2, 2), (0, 2)))
    assert at == pytest.approx((1, 1)) and room == pytest.approx(1)
    arrow = ((0.0, 0.0), (4.0, 1.0), (0.0, 2.0), (3.0, 1.0))
    at, room = find_clearest_spot(arrow)
    assert room > 0 and winding(arrow, at)
