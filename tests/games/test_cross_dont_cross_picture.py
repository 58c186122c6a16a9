"""The pictures of Cross, Don't Cross: every intersection has its number somewhere, and what comes next is said."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

import pytest

from bot.play.match import Match
from cogs.cross_dont_cross import GAME
from cogs.cross_dont_cross.picture import pictures
from cogs.cross_dont_cross.rules import CrossDontCross
from cogs.cross_dont_cross.scene import UNIT, Dot, View, arrange_labels, spread_angles, whole_circle
from rendering.shapes import Box, Chip, Disc, Line, Picture, Shape, Text
from tests.contract.drawing import touching
from tests.support.counted_calls import CountedCalls

CROWDED = ("0-37", "15-41", "32-170", "20-200")
"""Three of them pass each other by less than a billionth of the radius."""


def played(seed: int, chords: int, plies: int | None, step: int = 1, rounds: int = 2) -> CrossDontCross:
    """A random position after so many plies; the end of the match if none are given."""
    lots, match = random.Random(seed), Match.start(GAME, {"chords": chords, "rounds": rounds}, 2)
    while match.turn and (plies is None or len(match.record) < plies):
        (seat,) = match.turn
        position = match.position
        if position.open_to(seat):
            start, end = sorted(lots.sample(range(0, 360, step), 2))
            if f"{start}-{end}" not in str(position).rpartition("round")[2]:
                match = match.play(seat, f"{start}-{end}")
        else:
            match = match.play(seat, lots.choice(list(position.moves(seat))))
    assert isinstance(match.position, CrossDontCross)
    return match.position


def after(*moves: tuple[int, str], chords: int = 4) -> CrossDontCross:
    match = Match.start(GAME, {"chords": chords}, 2)
    for seat, text in moves:
        match = match.enter(seat, text)
    assert isinstance(match.position, CrossDontCross)
    return match.position


def crowded() -> CrossDontCross:
    position, lots = after(*((1, chord) for chord in CROWDED)), random.Random(2)
    for _ in range(12):
        position = position.play(2, lots.choice(list(position.moves(2))))
    return position


def every(*drawn: Picture) -> Iterator[Shape]:
    return (shape for picture in drawn for shape in (*picture.base, *picture.shapes))


def texts(*drawn: Picture) -> list[str]:
    return [shape.text for shape in every(*drawn) if isinstance(shape, Text)]


POSITIONS: dict[str, Callable[[], CrossDontCross]] = {
    "start": lambda: played(1, 4, 0),
    "chords": lambda: played(1, 6, 5),
    "middle": lambda: played(3, 4, 12),
    "round degrees": lambda: played(3, 4, 14, 30),
    "late": lambda: played(3, 6, 45),
    "crowded": crowded,
    "second round": lambda: played(8, 2, 9),
    "end": lambda: played(5, 4, None, 15),
    "long end": lambda: played(3, 6, None, 10, 6),
    "small end": lambda: played(2, 2, None),
}


@cache
def made(name: str) -> CrossDontCross:
    """One of these positions."""
    return POSITIONS[name]()


@pytest.mark.parametrize("name", POSITIONS)
def test_every_intersection_is_numbered(name: str) -> None:
    position = made(name)
    drawn = pictures(position)
    boards = [picture for picture in drawn if f"-{position.round}" in picture.name]
    numbers = {text for text in texts(*boards) if text.isdigit()}
    assert {str(place + 1) for place in range(len(position.current_drawing.points))} <= numbers


@pytest.mark.parametrize("name", POSITIONS)
def test_numbers_hide_no_numbers(name: str) -> None:
    for picture in pictures(made(name)):
        grounds = [(box.left, box.top, box.left + box.width, box.top + box.height) for box in numbered(picture)]
        slack = 6 * picture.squares_per_point
        overlaps = [
            (a, b)
            for a, b in combinations(grounds, 2)
            if min(a[2], b[2]) - max(a[0], b[0]) > slack and min(a[3], b[3]) - max(a[1], b[1]) > slack
        ]
        assert not overlaps


def numbered(picture: Picture) -> list[Box]:
    """The grounds of numbers and letters: each is followed by its text."""
    pairs = zip(picture.shapes, picture.shapes[1:], strict=False)
    return [box for box, text in pairs if isinstance(box, Box) and isinstance(text, Text) and text.anchor == "middle"]


def test_what_comes_next_is_said() -> None:
    star = ((1, "0-180"), (1, "90-270"), (1, "45-135"))
    assert "Next: chord 1 of 3" in texts(*pictures(after(chords=3)))
    assert "Next: chord 3 of 3" in texts(*pictures(after(*star[:2], chords=3)))
    assert {"Next: segment 1, cross nothing", "12 are legal"} & set(texts(*pictures(after(*star, chords=3))))
    second = texts(*pictures(after(*star, (2, "1-6"), chords=3)))
    assert {"Next: segment 2, cross exactly one", "6 are legal"} <= set(second)


def test_numbers_that_can_be_used_stand_on_the_tint_of_the_offence() -> None:
    position = after((1, "0-180"), (1, "90-270"), (1, "45-135"), (2, "1-6"), chords=3)
    (board,) = pictures(position)
    middles = [shape for shape in board.shapes if isinstance(shape, Text) and shape.anchor == "middle"]
    grounds = {text.text: text.on for text in middles}
    tinted = {number for number, ground in grounds.items() if ground == "tint2"}
    assert tinted == {end for move in position.moves(2) for end in move.split("-")} == set("124568")


def test_the_last_line_and_its_new_intersections_lie_on_gold() -> None:
    position = after((1, "0-90"), (1, "180-270"), (2, "1-3"), (2, "2-4"), chords=2)
    (board,) = pictures(position)
    (band,) = [shape for shape in board.shapes if isinstance(shape, Line) and shape.ink == "gold"]
    assert (band.x1, band.y1, band.x2, band.y2) == pytest.approx((2, 1, 0, 1))
    (halo,) = [shape for shape in board.shapes if isinstance(shape, Disc) and shape.ink == "gold"]
    assert (halo.x, halo.y) == pytest.approx((1, 1))


def test_lines_have_the_inks_of_who_drew_them() -> None:
    position = after((1, "0-90"), (1, "180-270"), (2, "1-3"), (2, "2-4"), chords=2)
    (board,) = pictures(position)
    lines = [shape for shape in board.shapes if isinstance(shape, Line) and shape.ink in ("seat1", "seat2")]
    weights = {
        ink: {round(line.weight / board.squares_per_point, 3) for line in lines if line.ink == ink}
        for ink in ("seat1", "seat2")
    }
    assert [line.ink for line in lines] == ["seat1"] * 2 + ["seat2"] * 2 + ["seat1", "seat2"]
    assert weights == {"seat1": {6}, "seat2": {3}}


def test_when_a_round_is_over_it_is_shown_beside_the_new_one() -> None:
    position = after((1, "0-180"), (1, "90-270"), (2, "1-4"), chords=2)
    new, old = pictures(position)
    assert (new.name, old.name) == ("cross-dont-cross-2", "cross-dont-cross-1")
    assert {"Orange drew 1 segment", "no legal segment left"} <= set(texts(old))
    assert len(pictures(position.play(2, "0-180"))) == 1


def test_all_rounds_stand_side_by_side_at_the_end() -> None:
    first, *_ = pictures(made("long end"))
    counts = [len(drawing.segments) for drawing in made("long end").drawings]
    assert [text for text in texts(first) if text.startswith("round")] == [
        f"round {which}: {count}" for which, count in enumerate(counts, 1)
    ]
    chips = [shape.seat for shape in first.shapes if isinstance(shape, Chip)]
    assert chips == [2, 1, 2, 1, 2, 1, 1, 2]


def test_withdrawing_is_said() -> None:
    position = after((1, "0-180"), (1, "90-270"), (2, "resign"), chords=2)
    rounds, board = pictures(position)
    assert all("Orange is out in round 1 of 2" in picture.alt for picture in (rounds, board))
    assert "Orange is out" in texts(board)


# Lenses.


def test_a_lens_tells_apart_what_is_a_billion_times_smaller() -> None:
    points = made("crowded").current_drawing.points
    top = whole_circle(points, 380, 128)
    lenses = [top, *top.iter_all()]
    assert sorted(each for lens in lenses for each in lens.clear) == list(range(len(points)))
    assert max(lens.view.magnification for lens in lenses) > 1e9 * top.view.magnification
    for lens in lenses:
        spots = [lens.view.spot(points[each]) for each in lens.clear if not isinstance(points[each].origin, int)]
        assert all(math.dist(a, b) > 10 for a, b in combinations(spots, 2))


def test_a_lens_shows_lines_where_they_are() -> None:
    drawing = made("crowded").current_drawing
    for lens in whole_circle(drawing.points, 380, 128).iter_all():
        for a, b in drawing.lines:
            ends = [drawing.points[end] for end in (a, b)]
            stretch = lens.view.visible_stretch(ends[0], ends[1])
            for end in ends:
                if lens.view.holds(end):
                    assert stretch and min(math.dist(lens.view.spot(end), spot) for spot in stretch) < 0.6
            assert stretch is None or max(math.hypot(*spot) for spot in stretch) < 128.01


def test_a_lens_near_the_circle_shows_it() -> None:
    x, y = UNIT * 3 // 5, UNIT * 4 // 5
    arc = View(x, y, UNIT // 100, 100).visible_circle()
    assert arc[8] == pytest.approx((0, 0), abs=1e-6) and all(math.hypot(*spot) < 101 for spot in arc)
    assert (
        View(0, 0, UNIT // 100, 100).visible_circle() == View(x // 2, y // 2, UNIT // 100, 100).visible_circle() == ()
    )


# Labels.


def test_numbers_stand_clear_of_dots_and_of_each_other() -> None:
    lots = random.Random(4)
    dots = [Dot((lots.uniform(-150, 150), lots.uniform(-150, 150)), 5, "12", (18, 12)) for _ in range(25)]
    labels = arrange_labels(dots, [], 300)
    assert len(labels) == len(dots)
    for a, b in combinations(labels, 2):
        assert abs(a.spot[0] - b.spot[0]) > 30 or abs(a.spot[1] - b.spot[1]) > 18
    for label in labels:
        assert all(abs(label.spot[0] - dot.spot[0]) > 14 or abs(label.spot[1] - dot.spot[1]) > 8 for dot in dots)


def test_where_lenses_are_stands_clear_of_degrees() -> None:
    chords = ("0-270", "135-150", "58-283", "144-358", "270-280", "17-62", "102-335")
    board, *lenses = pictures(after(*((1, chord) for chord in chords), chords=8))
    assert lenses and {"A to D: next picture", "150°"} <= set(texts(board))
    assert list(touching(board)) == []


def test_numbers_around_the_circle_are_spread() -> None:
    for angles in ([], [5.0], [0.0, 1.0, 359.0], [10.0, 11.0, 12.0, 13.0, 200.0], [358.0, 359.0, 0.0, 1.0, 2.0]):
        found = spread_angles(angles, 6)
        assert all(min((a - b) % 360, (b - a) % 360) > 5.9 for a, b in combinations(found, 2))
        assert all(min((a - b) % 360, (b - a) % 360) < 16 for a, b in zip(angles, found, strict=True))
    assert spread_angles([0.0, 90.0, 180.0], 6) == [0.0, 90.0, 180.0]


# Speed.


def test_the_largest_round_is_played_and_described_in_few_calls() -> None:
    position = played(3, 6, 54)
    assert len(position.current_drawing.points) > 40
    move = next(position.moves(2))

    with CountedCalls() as counted:
        after = position.play(2, move)
        list(after.moves(after.turn[0]))
        pictures(after)
    assert counted.calls < 300_000
