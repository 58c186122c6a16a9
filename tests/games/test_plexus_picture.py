"""The pictures of Plexus: what is drawn, by whom, what may be drawn from now, and where the points were made."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cogs.plexus.picture import pictures
from cogs.plexus.rules import Plexus, PlexusOptions, Point
from rendering.pages import seat_colour
from rendering.shapes import Box, Chip, Disc, Line, Path, Picture, Text
from tests.support.sampled import sampled

SIZES = range(3, 16, 2)
TO_THE_POINT = "b2-b3 b3-a3 b2-a2 b2-c2 b3-c3"
"""On 3×3 dots, to the point of blue: orange has no midpoint to start from."""
TO_THE_LAST_DOT = "b2-b3 b1-a1 a1-a2 b3-a3 b2-c2 b1-c1 c2-c3"
"""On 3×3 dots, to the end: orange reaches the last dot with a first half-move."""

Spot = tuple[float, float]


def after(moves: str, size: int = 3) -> Plexus:
    """The position after these moves, each of the seat to move."""
    position = Plexus.start(PlexusOptions(size=size), 2)
    for move in moves.split():
        position = position.play(position.turn[0], move)
    return position


def played(size: int, share: float, seed: int = 1) -> Plexus:
    """A random position with this share of the dots reached, in which a seat that can score does."""
    lot, position = random.Random(seed), Plexus.start(PlexusOptions(size=size), 2)
    while position.turn and len(position.segments) < share * size**2:
        moves = list(position.moves(position.turn[0]))
        lot.shuffle(moves)
        tried = [position.play(position.turn[0], move) for move in moves[: 40 if share == 1 else 1]]
        position = max(tried, key=lambda it: len(it.points)) if position.kind is None else tried[0]
    return position


def spot(name: str) -> Spot:
    return ord(name[0]) - 97 + 0.5, int(name[1:]) - 0.5


def spots(names: str) -> set[Spot]:
    return {spot(name) for name in names.split()}


def on_board(position: Plexus) -> tuple[Picture, list[object]]:
    """The board and the shapes on it, without its key and what is below."""
    board = pictures(position)[0]
    return board, [shape for shape in board.shapes if getattr(shape, "y", getattr(shape, "y1", 0)) < position.size]


def discs(shapes: list[object], ink: str) -> list[Disc]:
    return [shape for shape in shapes if isinstance(shape, Disc) and shape.ink == ink]


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


def test_endpoints_are_rings_and_midpoints_discs_and_all_dots_specks() -> None:
    board, shapes = on_board(after("b2-b3"))
    holes = {(disc.x, disc.y) for disc in discs(shapes, "paper")}
    inked = {(disc.x, disc.y): disc.radius for disc in discs(shapes, "ink")}
    assert holes == spots("b1 b3") and set(inked) == spots("b1 b2 b3")
    assert inked[spot("b2")] < inked[spot("b1")] == inked[spot("b3")]
    specks = [shape for shape in board.base if isinstance(shape, Disc)]
    assert len(specks) == 9 and max(speck.radius for speck in specks) < inked[spot("b2")] / 2


def test_dots_from_which_nothing_can_start_fade_until_the_match_is_over() -> None:
    position = after(TO_THE_POINT)
    _, shapes = on_board(position)
    assert {(disc.x, disc.y) for disc in discs(shapes, "faded")} == spots("b2 b3 a3 c3")
    assert {(disc.x, disc.y) for disc in discs(shapes, "ink")} == spots("b1 a2 c2")
    _, shapes = on_board(position.withdraw(1))
    assert not discs(shapes, "faded") and len(discs(shapes, "ink")) == 7


def test_each_seat_draws_in_its_own_way() -> None:
    _, shapes = on_board(after("b2-b3 b3-a3 b2-a2"))
    lines = [shape for shape in shapes if isinstance(shape, Line)]
    assert [line.ink for line in lines] == ["ink", "seat1", "seat2", "paper", "seat2", "gold"]
    given, plain, double, gap, _, gilded = lines
    assert given.weight < plain.weight < double.weight and gap.weight < double.weight / 2
    assert {(given.x1, given.y1), (given.x2, given.y2)} == spots("b2 b1")
    assert {(plain.x1, plain.y1), (plain.x2, plain.y2)} == spots("b2 b3")
    assert {(double.x1, double.y1), (double.x2, double.y2)} == spots("b3 a3")
    # The gap ends where the lines beside it do.
    assert gap.x1 - gap.weight / 2 == pytest.approx(double.x2 - double.weight / 2)
    assert gap.x2 + gap.weight / 2 == pytest.approx(double.x1 + double.weight / 2)
    assert gilded.on == "paper" and gap.y1 == gap.y2 == double.y1


GOLD: tuple[tuple[str, list[str]], ...] = (
    ("", []),
    ("b2-b3", ["b2 b3"]),
    ("b2-b3 b3-a3", ["b2 b3 a3"]),
    ("b2-b3 b1-a1", ["b2 b3", "b1 a1"]),
    ("b2-b3 b3-a3 b2-a2", ["b2 a2"]),
    ("b2-b3 b3-a3 b2-a2 b2-c2", ["a2 b2 c2"]),
    (TO_THE_POINT, ["b3 c3"]),
    (f"{TO_THE_POINT} b1-a1", ["b1 a1"]),
    (f"{TO_THE_POINT} b1-a1 c2-c1", ["b1 a1", "c2 c1"]),
    (TO_THE_LAST_DOT, ["c2 c3"]),
)


@pytest.mark.parametrize(("moves", "ways"), GOLD)
def test_the_latest_full_move_is_on_gold(moves: str, ways: list[str]) -> None:
    _, shapes = on_board(after(moves))
    paths = [path.spots for path in shapes if isinstance(path, Path) and path.ink == "gold"]
    assert paths == [tuple(map(spot, way.split())) for way in ways]


SOURCES = (
    ("", "tint1", "b1 b2"),
    ("b2-b3", "tint2", "b1 b3"),
    ("b2-b3 b3-a3", "tint2", "b1 b2 b3 a3"),
    ("b2-b3 b3-a3 b2-a2", "tint1", "b2 b3"),
    (TO_THE_POINT, "tint2", "b1 a2 c2"),
    (TO_THE_LAST_DOT, "tint1", ""),
)


@pytest.mark.parametrize(("moves", "tint", "names"), SOURCES)
def test_dots_that_may_be_drawn_from_stand_on_the_tint_of_the_seat_to_move(moves: str, tint: str, names: str) -> None:
    position = after(moves)
    _, shapes = on_board(position)
    assert {(disc.x, disc.y) for disc in discs(shapes, tint)} == spots(names)
    assert not discs(shapes, "tint1" if tint == "tint2" else "tint2")
    assert {move.partition("-")[0] for seat in position.turn for move in position.moves(seat)} == set(names.split())


def test_a_chip_sits_on_a_segment_that_scored() -> None:
    for moves, seat, place in ((TO_THE_POINT, 1, (2, 2.5)), (TO_THE_LAST_DOT, 2, (2.5, 2))):
        position = after(moves)
        _, shapes = on_board(position)
        assert [(chip.x, chip.y, chip.seat) for chip in shapes if isinstance(chip, Chip)] == [(*place, seat)]
    _, shapes = on_board(after(TO_THE_POINT.rpartition(" ")[0]))
    assert not [chip for chip in shapes if isinstance(chip, Chip)]


DOTS = ("endpoint: one segment", "midpoint: two or three segments")
LINES = ("blue's", "orange's")
SAID = (
    (
        "",
        "Blue begins pair 1",
        [*DOTS, "may start here", *LINES, "blue begins", "0", "orange", "0"],
    ),
    (
        "b2-b3 b3-a3 b2-a2",
        "Pair 2. Blue follows from a midpoint",
        [*DOTS, "must start here", *LINES, "blue follows", "0", "orange", "0"],
    ),
    (
        TO_THE_POINT,
        "Blue scored. Orange begins pair 4",
        [*DOTS, "may start here", *LINES, "point", "blue", "1", "orange begins", "0"],
    ),
    (
        TO_THE_LAST_DOT,
        "Finished after 4 pairs of turns",
        [
            *("Points by pair, and what the other lacked", "4: c2-c3, no free dot"),
            *(*DOTS, *LINES, "point", "blue", "0", "orange", "1"),
        ],
    ),
    (
        f"{TO_THE_POINT} b1-a1 c2-c1",
        "Finished after 4 pairs of turns",
        [
            *("Points by pair, and what the other lacked", "3: b3-c3, no midpoint"),
            *(*DOTS, *LINES, "point", "blue", "1", "orange", "0"),
        ],
    ),
)


@pytest.mark.parametrize(("moves", "progress", "words"), SAID)
def test_what_is_said(moves: str, progress: str, words: list[str]) -> None:
    (board,) = pictures(after(moves))
    assert f"3 by 3. {progress}." in board.alt
    assert [shape.text for shape in board.shapes if isinstance(shape, Text)] == words
    assert board.alt.startswith(f"Plexus. 3 by 3. {progress}. Blue has ")


def test_a_point_is_told_right_after_it_was_scored_and_not_later() -> None:
    told: list[tuple[int, bool]] = []
    for seed in range(12):
        lot, position = random.Random(seed), after("", 5)
        while len(position.segments) < 23:
            before, seat = len(position.points), position.turn[0]
            moves = [position.play(seat, move) for move in position.moves(seat)]
            position = max(lot.sample(moves, len(moves)), key=lambda it: len(it.points))
            scored = len(position.points) > before
            assert (f"{seat_colour(seat).capitalize()} scored." in pictures(position)[0].alt) == scored
            told.append((len(position.points), scored))
    assert any(scored for _, scored in told) and any(points and not scored for points, scored in told)


def test_the_key_shows_the_kind_that_must_be_followed() -> None:
    for moves, rings in (("b2-b3", 2), ("b2-b3 b3-a3 b2-a2", 1), ("", 1)):
        board = pictures(after(moves))[0]
        key = [shape for shape in board.shapes if isinstance(shape, Disc) and shape.y > 3]
        assert [disc.ink for disc in key].count("paper") == rings
        assert len([disc for disc in key if disc.ink.startswith("tint")]) == 1


def test_the_winner_is_on_gold_also_when_the_other_is_out() -> None:
    for position, winner in ((after(TO_THE_LAST_DOT), 2), (after(TO_THE_POINT).withdraw(1), 2)):
        (board,) = pictures(position)
        (gold,) = [shape for shape in board.shapes if isinstance(shape, Box) and shape.fill == "gold"]
        middle = (board.extent[0] + board.extent[2]) / 2
        assert (gold.left > middle) == (winner == 2)
    assert "3 by 3. Blue is out in pair 4" in pictures(after(TO_THE_POINT).withdraw(1))[0].alt


def crowded(points: int) -> Plexus:
    """A finished match in which, as if, so many segments had scored."""
    position = played(15, 1)
    many = tuple(Point(1 + at % 2, 10 + at, ("endpoint", "midpoint")[at % 3 % 2], 10 + 2 * at) for at in range(points))
    return replace(position, points=many)


@sampled(("points", "pages"), [(12, 0), (13, 1), (63, 2)])
def test_more_points_than_fit_below_the_board_have_pages(points: int, pages: int) -> None:
    position = crowded(points)
    board, *lists = drawn = pictures(position)
    assert len(lists) == pages
    tags = {shape.tag for shape in board.shapes}
    assert tags >= set(position.working()), "the chips on the segments"
    listed = [shape.tag for picture in drawn for shape in picture.shapes if isinstance(shape, Text) and shape.tag]
    assert listed == list(position.working())
