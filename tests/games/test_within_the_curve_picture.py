"""The pictures of Within The Curve: what a player, a spectator and everybody at the end gets to see, legibly."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

from bot.games.notation import Square, parse_squares
from bot.games.position import Viewer
from bot.play.match import Match
from cogs.within_the_curve import GAME
from cogs.within_the_curve.drawing import find_edges
from cogs.within_the_curve.picture import pictures, sketch
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import Curve
from rendering.painter import paint
from rendering.shapes import Box, Chip, Disc, Path, Picture, Ring, Text

TALL, SMALL = "curve a1 c1 c4 a4", "curve d4 d6 f6 f4"
"""Around b2 and b3, and around e5."""
HOOK = "a1 i1 i4 g4 g3 c3 c7 g7 g5 i5 i9 a9"
"""Its squares shut d4 to f6 off from the outside, which are outside all the same."""
SNAKE = (
    "a16 a1 b1 b14 c14 c1 d1 d14 e14 e1 f1 f14 g14 g1 h1 h14 i14 i1 j1 j14 k14 k1 l1 l14 m14 m1 n1 n14 o14 o1 p1 p16"
)
"""As long as can be: 242 squares."""
WORK = ("number 1 b1 cw", "fill 1 b3 b2", "number 2 d4 cw", "fill 2 e5")


def played(size: int, seats: int, *moves: tuple[int, str]) -> Match:
    match = Match.start(GAME, {"size": size}, seats)
    for seat, text in moves:
        match = match.enter(seat, text)
    return match


def seen(match: Match, viewer: Viewer) -> tuple[Picture, ...]:
    position = match.position.seen_by(viewer)
    assert isinstance(position, WithinTheCurve)
    return pictures(position)


def copies(match: Match, viewer: int) -> list[Picture]:
    """A player's copies as pads show them."""
    position = match.position.seen_by(viewer)
    assert isinstance(position, WithinTheCurve)
    return [
        page for which in range(1, match.seats + 1) for page in sketch(position, viewer, "fill", {"curve": str(which)})
    ]


def working(*moves: tuple[int, str]) -> Match:
    return played(6, 2, (1, TALL), (2, SMALL), *moves)


def ended(*others: tuple[int, str]) -> Match:
    """Seat 1 writes 2 and 1, orange writes 1 and 1."""
    lesser = [(2, text.replace("b3 b2", "b2")) for text in WORK]
    return working(*((1, text) for text in (*WORK, "done")), *lesser, *(others or ((2, "done"),)))


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


def at(x: float, y: float) -> str:
    """The square of a page with one grid in which a spot lies."""
    return str(Square(int(x), int(y)))


def grounds(picture: Picture, ink: str, size: int) -> set[str]:
    """The squares whose ground has this ink."""
    boxes = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == ink]
    return {at(box.left + 0.5, box.top + 0.5) for box in boxes if box.top < size}


def rings(picture: Picture, size: int) -> set[str]:
    return {at(shape.x, shape.y) for shape in picture.shapes if isinstance(shape, Ring) and shape.y < size}


def numbers(picture: Picture, size: int) -> dict[str, str]:
    """What is written in each square of a page with one grid."""
    found = [shape for shape in picture.shapes if isinstance(shape, Text) and 0 < shape.y < size and shape.x > 0]
    return {at(text.x, text.y): text.text for text in found}


# Drawing.


def test_before_it_is_drawn_a_curve_is_explained() -> None:
    (page,) = seen(played(6, 3, (3, SMALL)), 1)
    assert "6 by 6. Draw your curve" in page.alt
    assert "b2 e2 e3 d3 d5 b5 at the right;" in texts(page)
    assert texts(page)[-6:] == ["blue", "is drawing", "orange", "is drawing", "green", "has drawn"]
    (path,) = [shape for shape in page.shapes if isinstance(shape, Path) and not shape.tag]
    assert len(path.spots) == 12 and path.spots[0][1] > 6


def test_ones_own_curve_is_shown_with_its_corners() -> None:
    (page,) = seen(played(6, 2, (1, TALL)), 1)
    assert "your curve has 10 squares and 2 inside" in texts(page)
    corners = [at(shape.x, shape.y) for shape in page.shapes if isinstance(shape, Disc)]
    assert corners == ["a1", "c1", "c4", "a4"]
    assert page.alt.endswith("It has its corners at a1 c1 c4 a4.")
    assert "6 by 6. Your curve is drawn, others are drawing" in page.alt and texts(page)[-1] == "is drawing"


def test_who_left_is_told_so() -> None:
    (page,) = seen(played(6, 3, (1, "resign")), 1)
    assert "6 by 6. You have left" in page.alt
    (page,) = seen(played(6, 3, (1, TALL), (1, "resign")), 1)
    assert "6 by 6. You have left" in page.alt
    first, *_ = seen(played(6, 3, (1, TALL), (2, TALL), (3, TALL), (1, "resign")), 1)
    assert "6 by 6. Curve 1, yours. Not numbered" in first.alt and not rings(first, 6)


def test_a_spectator_sees_who_has_drawn() -> None:
    (page,) = seen(played(6, 3, (1, TALL), (3, "timeout")), None)
    assert [text for text in texts(page) if len(text) > 6] == [
        "has drawn",
        "is drawing",
        "green, left",
        "left the match",
    ]
    assert [text for text in texts(page) if text in ("drawn", "?", "none")] == ["drawn", "?", "none"]
    assert not [shape for shape in page.shapes if isinstance(shape, Path) and not shape.tag]
    assert page.alt.endswith("Blue has drawn, orange is drawing and green left the match.")


# Curves.


def test_a_pocket_shut_off_by_squares_is_not_white() -> None:
    first, _ = copies(played(9, 2, (1, f"curve {HOOK}"), (2, TALL)), 1)
    white = grounds(first, "white", 9)
    assert len(white) == 22 and not white & {"d4", "e5", "f6"}
    assert grounds(first, "tint1", 9) == {str(Square.from_ordinal(each, 9)) for each in drawn(HOOK, 9).path}


def drawn(corners: str, size: int) -> Curve:
    return Curve.from_corners(parse_squares(corners, size, size), size)


def test_a_curve_has_walls_where_it_does_not_go() -> None:
    # Around the 3 by 4 squares and around the 1 by 2 inside.
    assert len(find_edges(drawn("a1 c1 c4 a4", 6))) == 14 + 6
    beside = find_edges(drawn("a1 c1 c4 d4 d1 f1 f6 a6", 6))
    # From c1 to c4 it runs beside itself, and turns at the fourth.
    assert [(False, 3, row) in beside for row in range(5)] == [True, True, True, False, False]


# A player's copies.


def test_a_copy_shows_where_the_next_number_may_go() -> None:
    first, second = copies(working((1, "number 1 b1 cw")), 1)
    around = ("b1", "c1", "c2", "c3", "c4", "b4", "a4", "a3", "a2", "a1")
    assert numbers(first, 6) == {square: str(number) for number, square in enumerate(around, 1)}
    assert grounds(first, "seat1", 6) == {"b1"}
    assert rings(first, 6) == {"b2", "b3"}
    assert "1 is next, in one of 2 squares" in texts(first)
    assert first.alt == "Within The Curve. 6 by 6. Curve 1, yours. 1 is next, in one of 2 squares. Free: b2 b3."
    assert "6 by 6. Curve 2, orange's. Choose where 1 goes on the curve" in second.alt and not rings(second, 6)
    assert [shape.ink for shape in second.shapes if isinstance(shape, Path) and not shape.tag] == ["seat2"]


def test_the_number_last_written_is_on_gold() -> None:
    first, _ = copies(working((1, "number 1 b1 cw"), (1, "fill 1 b3")), 1)
    assert numbers(first, 6)["b3"] == "1" and grounds(first, "gold", 6) == {"b3"}
    assert rings(first, 6) == {"b2"} and "2 is next, in one square" in texts(first)


def test_a_full_copy_says_what_counts() -> None:
    match = working((1, "number 1 b1 cw"), (1, "fill 1 b3 b2"))
    first, _ = copies(match, 1)
    assert "3 fits nowhere, so 2 counts" in texts(first) and not rings(first, 6)
    (board,) = seen(match, 1)
    assert "2 counts" in texts(board) and texts(board)[-4:] == ["blue", "2 + 0 = 2", "orange", "is working"]


def test_many_squares_are_ringed_and_not_named() -> None:
    first, _ = copies(played(12, 2, (1, "curve a1 l1 l12 a12"), (2, TALL), (1, "number 1 a1 cw")), 1)
    assert len(rings(first, 12)) == 100
    assert first.alt.endswith("1 is next, in one of 100 squares.")


def test_ones_own_board_shows_all_copies_on_a_page_with_what_is_next_and_the_names_of_squares() -> None:
    (board,) = seen(working((1, "number 1 b1 cw"), (1, "fill 1 b3")), 1)
    assert {"curve 1", "2 is next", "curve 2", "not numbered", "a", "d", "6"} <= set(texts(board))
    assert board.alt.endswith("Blue's copies. 2 is next in curve 1 and curve 2 is not numbered.")
    assert len([shape for shape in board.shapes if isinstance(shape, Ring)]) == 1


def test_a_curve_that_was_never_drawn_has_no_copy() -> None:
    (board,) = seen(played(6, 3, (2, "resign"), (1, TALL), (3, SMALL)), 1)
    assert [text for text in texts(board) if text.startswith("curve")] == ["curve 1", "curve 3"]


def test_a_spectator_sees_the_curves_and_who_works() -> None:
    (page,) = seen(working(*((1, text) for text in (*WORK, "done"))), None)
    assert seen(working(*((1, text.replace("b3 b2", "b2")) for text in (*WORK, "done"))), None) == (page,)
    assert texts(page) == ["blue", "orange", "blue", "is done", "orange", "is working"]
    assert len([shape for shape in page.shapes if isinstance(shape, Path) and not shape.tag]) == 2
    assert [shape.seat for shape in page.shapes if isinstance(shape, Chip)] == [1, 2, 1, 2]


# The end.


def test_the_end_shows_everybodys_copies_of_each_curve() -> None:
    one, two = seen(ended(), None)
    assert [one.name, two.name] == ["within-the-curve-all-1", "within-the-curve-all-2"]
    assert texts(one).count("is the largest inside") == 2 and texts(one)[-4:] == [
        "blue",
        "2 + 1 = 3",
        "orange",
        "1 + 1 = 2",
    ]
    assert {"1 at b1", "clockwise"} <= set(texts(one))
    gold = [shape for shape in one.shapes if isinstance(shape, Box) and shape.fill == "gold"]
    # The largest numbers, and the winner's total.
    assert [box.tag for box in gold[:2]] == [
        f"player {seat}, curve 1: largest number inside {3 - seat}" for seat in (1, 2)
    ]
    assert len(gold) == 3
    assert one.alt.endswith("Curve 1, drawn by blue. Blue wrote up to 2 and orange wrote up to 1.")


def test_at_the_end_a_player_has_large_copies_too() -> None:
    pages = seen(ended(), 2)
    assert [page.name for page in pages[2:]] == ["within-the-curve-1", "within-the-curve-2"]
    assert "1 counts" in texts(pages[2]) and not rings(pages[2], 6) and "1 + 1 = 2" in texts(pages[3])


def test_a_match_that_ends_early_shows_what_there_is() -> None:
    (page,) = seen(played(6, 2, (1, TALL), (2, "resign")), None)[:1]
    assert "none" in texts(page) and page.name == "within-the-curve-all-1"
    (page,) = seen(played(6, 2, (2, "resign")), None)
    assert "6 by 6. Finished before all curves were drawn" in page.alt
    assert {shape.tag for shape in page.shapes} >= {"player 1 is drawing", "player 2 left the match"}


@cache
def filled(size: int, seats: int, *curves: str) -> Match:
    """Every curve filled by everybody, at random."""
    lots = random.Random(size)
    match = played(size, seats, *((seat, f"curve {corners}") for seat, corners in enumerate(curves, 1)))
    for seat in range(1, seats + 1):
        while (moves := list(match.position.moves(seat))) != ["done"]:
            match = match.enter(seat, lots.choice(moves))
    return match


def over(match: Match) -> Match:
    """The match when everybody is done."""
    for seat in match.turn:
        match = match.enter(seat, "done")
    return match


ROUND = "a1 p1 p16 a16"


def test_where_squares_are_small_the_largest_number_is_legible_still() -> None:
    match = over(filled(16, 3, ROUND, SNAKE, HOOK))
    page = seen(match, None)[0]
    assert isinstance(match.position, WithinTheCurve)
    largest = [len(own[0].filled) for own in match.position.sheets]
    shown = [
        shape for shape in page.shapes if isinstance(shape, Text) and shape.on == "gold" and shape.anchor == "middle"
    ]
    assert [int(text.text) for text in shown] == largest and min(largest) > 99
    dots = [shape for shape in page.shapes if isinstance(shape, Disc)]
    # 1 to 9 fit into a square.
    assert len(dots) == sum(largest) - 3 * 10


def test_a_spectator_of_somebody_alone_sees_the_score_and_no_curve() -> None:
    match = played(6, 1, (1, TALL), *((1, text) for text in (*WORK[:2], "done")))
    (status,) = seen(match, None)
    assert "2" in texts(status) and status.alt.endswith("Blue is done: 2 is the largest number inside.")
    assert not [shape for shape in status.shapes if isinstance(shape, Path)]
    assert "2" in texts(seen(match, 1)[0]) and [shape for shape in seen(match, 1)[0].shapes if shape.tag]


def test_six_seats_fit_into_a_message() -> None:
    match = over(filled(6, 6, *["a1 c1 c3 a3"] * 6))
    for viewer in (None, 1, 6):
        drawn = seen(match, viewer)
        assert [picture.name for picture in drawn] == [f"within-the-curve-all-{which}" for which in range(1, 7)]


MOMENTS: dict[str, Callable[[], Match]] = {
    "all written": lambda: filled(16, 4, ROUND, SNAKE, HOOK, ROUND),
    "drawing of six": lambda: played(16, 6, (4, f"curve {SNAKE}"), (2, "resign"), (5, f"curve {ROUND}")),
    "numbering of six": lambda: played(7, 6, *((seat, SMALL) for seat in range(1, 7))),
    "end of six": lambda: over(filled(16, 6, *(ROUND, SNAKE, HOOK) * 2)),
    "one leaving at once": lambda: played(6, 1, (1, "resign")),
    "end of three": lambda: over(filled(6, 3, "a1 f1 f6 a6", "b2 e2 e5 b5", "a1 c1 c4 a4")),
}


@pytest.mark.long
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_moment_fits_into_a_message_and_into_sixteen_colours(moment: str) -> None:
    match = MOMENTS[moment]()
    for viewer in (None, match.seats):
        drawn = seen(match, viewer)
        assert len(drawn) <= 10 and all(paint.encode_png(picture) for picture in drawn)
