"""The pictures of Polygons In Permutation Grid: free lines, sure segments, and every polygon in its seat's tint."""

from __future__ import annotations

import math
import random

import pytest

from cogs.polygons_permutation_grid.picture import find_clearest_spot, find_polygons, pictures
from cogs.polygons_permutation_grid.rules import PermutationGrid, PermutationGridOptions
from rendering.painter import brushes
from rendering.shapes import Box, Chip, Disc, Line, Path, Picture, Ring, Shape, Text, text_width

ROUND = "b1 d2 a3 c4"
"""On 4×4 lines, a square with its diagonals: four triangles."""

Spot = tuple[float, float]


def after(moves: str, size: int = 4, rounds: int = 2) -> PermutationGrid:
    """The position after these moves, each of the seat to move."""
    position = PermutationGrid.start(PermutationGridOptions(size=size, rounds=rounds), 2)
    for move in moves.split():
        position = position.play(position.turn[0], move)
    return position


def played(size: int, rounds: int, plies: int, seed: int = 1) -> PermutationGrid:
    """A random position after so many moves."""
    lot, position = random.Random(seed), after("", size, rounds)
    for _ in range(plies):
        position = position.play(position.turn[0], lot.choice([*position.moves(position.turn[0])]))
    return position


def spot(name: str) -> Spot:
    return ord(name[0]) - 96.5, int(name[1:]) - 0.5


def spots(names: str) -> set[Spot]:
    return {spot(name) for name in names.split()}


def on_board(picture: Picture, size: int = 4) -> list[Shape]:
    """The shapes on the board, without what is below."""
    return [shape for shape in picture.shapes if getattr(shape, "y", getattr(shape, "y1", 0)) < size]


def lines(picture: Picture, ink: str) -> set[tuple[Spot, Spot]]:
    found = [shape for shape in on_board(picture) if isinstance(shape, Line) and shape.ink == ink]
    return {((line.x1, line.y1), (line.x2, line.y2)) for line in found}


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def discs(picture: Picture, ink: str) -> set[Spot]:
    return {(shape.x, shape.y) for shape in on_board(picture) if isinstance(shape, Disc) and shape.ink == ink}


def test_only_lines_without_a_dot_are_drawn() -> None:
    (board,) = pictures(after("b2 d1"))
    upright = {start[0] for start, end in lines(board, "faded") if start[0] == end[0]}
    level = {start[1] for start, end in lines(board, "faded") if start[1] == end[1]}
    assert (upright, level) == ({0.5, 2.5}, {2.5, 3.5})
    inks = {text.text: text.ink for text in on_board(board) if isinstance(text, Text) and text.y < 4}
    assert "".join(name for name in inks if inks[name] == "ink") == "ac34"
    assert "".join(name for name in inks if inks[name] == "faded") == "1b2d"


@pytest.mark.parametrize(("moves", "tint"), [("b2 d1", "tint1"), ("b2", "tint2"), (f"{ROUND} b2", "tint1")])
def test_free_intersections_stand_on_the_tint_of_the_seat_to_move(moves: str, tint: str) -> None:
    position = after(moves)
    (seat,) = position.turn
    assert discs(pictures(position)[0], tint) == spots(" ".join(position.moves(seat)))
    assert not discs(pictures(position)[0], "tint2" if tint == "tint1" else "tint1")
    assert not discs(pictures(position.withdraw(1))[0], tint)


SURE: tuple[tuple[str, list[tuple[str, str]]], ...] = (
    ("b2 d3", [("b2", "d3")]),
    ("b2 d4", []),
    ("b2 c4", [("b2", "c4")]),
    ("b2 c3", [("b2", "c3")]),
    ("a1 d3 b2", [("a1", "b2"), ("b2", "d3")]),
    ("c1 a3 b4", [("a3", "b4"), ("b4", "c1")]),
)


@pytest.mark.parametrize(("moves", "drawn"), SURE)
def test_segments_between_neighbouring_lines_are_drawn_at_once(moves: str, drawn: list[tuple[str, str]]) -> None:
    (board,) = pictures(after(moves))
    assert lines(board, "ink") == {(spot(start), spot(end)) for start, end in drawn}


@pytest.mark.parametrize("plies", range(6))
def test_sure_segments_stay(plies: int) -> None:
    (board,), (_, page) = pictures(played(6, 2, plies)), pictures(played(6, 2, 6))
    assert lines(board, "ink") <= lines(page, "ink")


def test_dots_are_pieces_of_their_seats_and_the_last_is_on_gold() -> None:
    (board,) = pictures(after("b2 d3 a1"))
    chips = [shape for shape in on_board(board) if isinstance(shape, Chip)]
    assert [(chip.x, chip.y, chip.seat, chip.on) for chip in chips] == [
        (*spot("b2"), 1, "paper"), (*spot("d3"), 2, "paper"), (*spot("a1"), 1, "gold")
    ]  # fmt: skip
    assert discs(board, "gold") == spots("a1")
    fresh, page = pictures(after(ROUND))
    assert (discs(fresh, "gold"), discs(page, "gold")) == (set(), spots("c4"))
    (board,) = pictures(after(f"{ROUND} a1"))
    assert discs(board, "gold") == spots("a1")


def polygons_on(picture: Picture) -> list[Path]:
    return [shape for shape in picture.shapes if isinstance(shape, Path) and shape.ink is None]


@pytest.mark.parametrize("seed", range(4))
def test_polygons_are_in_the_tint_and_with_the_mark_of_the_seat_that_counts_them(seed: int) -> None:
    position = played(9, 2, 18, seed)
    for round, page in ((2, pictures(position)[0]), (1, pictures(position)[1])):
        marks = [shape for shape in on_board(page, 9) if isinstance(shape, Disc | Ring) and shape.ink != "gold"]
        paths = polygons_on(page)
        assert len(paths) == len(marks) == len(find_polygons(position.columns_in_round(round)))
        for path, mark in zip(paths, marks, strict=True):
            seat = round if len(path.spots) == 3 else 3 - round
            assert (path.fill, mark.on, mark.ink) == (f"tint{seat}", f"tint{seat}", f"seat{seat}")
            assert isinstance(mark, Disc) == (seat == 1)
            assert winding(path.spots, (mark.x, mark.y)), "the mark is not inside"


def winding(corners: tuple[Spot, ...], at: Spot) -> bool:
    """Whether a spot is inside, by the angles under which it sees the sides."""
    angles = [math.atan2(y - at[1], x - at[0]) for x, y in corners]
    around = sum(math.remainder(b - a, math.tau) for a, b in zip(angles, (*angles[1:], angles[0]), strict=True))
    return abs(around) > math.pi


def test_the_clearest_spot_is_the_middle_of_a_square_and_off_the_notch_of_an_arrow() -> None:
    at, clearance = find_clearest_spot(((0, 0), (2, 0), (2, 2), (0, 2)))
    assert at == pytest.approx((1, 1)) and clearance == pytest.approx(1)
    arrow = ((0.0, 0.0), (4.0, 1.0), (0.0, 2.0), (3.0, 1.0))
    at, clearance = find_clearest_spot(arrow)
    assert clearance > 0 and winding(arrow, at)


SAID = (
    ("", ["4 by 4. Round 1 of 2. Blue places dot 1 of 4"]),
    ("b1 d2 a3", ["4 by 4. Round 1 of 2. Orange places dot 4 of 4"]),
    (ROUND, ["4 by 4. Round 2 of 2. Orange places dot 1 of 4", "4 by 4. Round 1 of 2. Finished"]),
    (f"{ROUND} {ROUND}", ["4 by 4. Round 2 of 2. Finished", "4 by 4. Round 1 of 2. Finished"]),
)


@pytest.mark.parametrize(("moves", "subtitles"), SAID)
def test_what_the_pictures_are(moves: str, subtitles: list[str]) -> None:
    drawn = pictures(after(moves))
    assert all(said in picture.alt for said, picture in zip(subtitles, drawn, strict=True))


def test_a_round_is_shown_at_its_end_and_the_end_shows_them_all() -> None:
    names = [[picture.name[-1] for picture in pictures(played(4, 6, plies))] for plies in (3, 7, 12, 23, 24)]
    assert names == [["1"], ["2"], ["4", "3"], ["6"], ["6", "5", "4", "3", "2", "1"]]
    left = pictures(played(4, 6, 13).withdraw(2))
    assert [picture.name[-1] for picture in left] == ["4", "3", "2", "1"]
    assert "4 by 4. Round 4 of 6. Orange is out after 1 of 4 dots" in left[0].alt


def test_roles_and_scores_are_told_below() -> None:
    (board,) = pictures(after("a1"))
    assert texts(board)[8:] == [
        "triangles: blue", "four or more sides: orange", "free: neither line has a dot", "already sure to be drawn",
        "blue", "0", "orange", "0",
    ]  # fmt: skip
    board, page = pictures(after(ROUND))
    assert texts(board)[8:10] == ["triangles: orange", "four or more sides: blue"]
    assert texts(page) == ["4 triangles for blue", "0 others for orange", "blue", "4", "orange", "0"]
    last, first = pictures(after(f"{ROUND} {ROUND}"))
    assert texts(last)[2:] == ["blue: 4 + 0", "4", "orange: 0 + 4", "4"]
    assert texts(first)[2:] == ["blue", "4", "orange", "0"], "as it was after the round"


def winners(picture: Picture) -> int:
    return len([shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == "gold"])


def test_the_winner_is_on_gold_in_the_first_picture_alone() -> None:
    assert [winners(picture) for picture in pictures(after(f"{ROUND} a1 b2 c3 d4"))] == [1, 0]
    assert [winners(picture) for picture in pictures(after(f"{ROUND} {ROUND}"))] == [2, 0]
    assert [winners(picture) for picture in pictures(after(f"{ROUND} a1").withdraw(1))] == [1, 0]
    assert [winners(picture) for picture in pictures(after(ROUND))] == [0, 0]


def check_page(picture: Picture) -> None:
    left, top, right, bottom = picture.extent
    assert picture.pixel_size[1] <= 1.6 * picture.pixel_size[0]
    written = [shape for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]
    for shape in written:
        wide = text_width(shape.text, shape.size)
        start = shape.x - wide * {"left": 0, "middle": 0.5, "right": 1}[shape.anchor]
        assert left < start and start + wide < right and top < shape.y < bottom, shape
        assert shape.size * picture.pixels_per_square >= picture.pixel_size[0] / 40 - 0.1, shape
    assert not brushes.find_missing_glyphs("".join(shape.text for shape in written))
    below = sorted(
        (shape.y, shape.x, text_width(shape.text, shape.size)) for shape in written if shape.anchor == "left"
    )
    for (y, x, wide), (other, beside, _) in zip(below, below[1:], strict=False):
        assert y != other or x + wide < beside, "two texts overlap"
