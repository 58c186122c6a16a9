"""Scenes of Cross, Don't Cross: what can be chosen is numbered, lenses tell apart what is near, labels stand clear."""

from __future__ import annotations

import math
import random
from functools import cache
from itertools import combinations

import pytest

from bot.play.match import Match
from cogs.cross_dont_cross import GAME
from cogs.cross_dont_cross.picture import pictures
from cogs.cross_dont_cross.rules import CrossDontCross
from cogs.cross_dont_cross.scene import UNIT, Dot, View, arrange_labels, spread_angles, whole_circle
from rendering.shapes import Text
from tests.support.counted_calls import CountedCalls

CROWDED = ("0-37", "15-41", "32-170", "20-200")
"""Three of them pass each other by less than a billionth of the radius."""


@cache
def played(plies: int, chords: tuple[str, ...] = ()) -> CrossDontCross:
    """A round of these chords, or of six drawn by lot, after so many plies."""
    rng = random.Random(3)
    match = Match.start(GAME, {"chords": len(chords) or 6}, 2)
    for ply in range(plies):
        position = match.position
        if position.open_to(1):
            chord = chords[ply] if chords else "-".join(map(str, sorted(rng.sample(range(360), 2))))
            match = match.play(1, chord)
        else:
            match = match.play(2, rng.choice(list(position.moves(2))))
    assert isinstance(match.position, CrossDontCross)
    return match.position


@pytest.mark.parametrize(("plies", "chords"), [(7, ()), (12, ()), (45, ()), (16, CROWDED)])
def test_every_end_of_a_legal_segment_is_numbered(plies: int, chords: tuple[str, ...]) -> None:
    position = played(plies, chords)
    drawing = position.current_drawing
    written = {shape.text for picture in pictures(position) for shape in picture.shapes if isinstance(shape, Text)}
    ends = {end + 1 for segment in drawing.legal_segments() for end in segment}
    assert ends and set(map(str, ends)) <= written
    told = {*ends, *(end + 1 for end in (*drawing.lines[-1], *drawing.ends.values()))}
    assert not {str(place) for place in range(1, len(drawing.points) + 1) if place not in told} & written


def test_without_a_segment_to_draw_what_stands_alone_is_numbered() -> None:
    position = played(5)
    (board,) = pictures(position)
    written = {shape.text for shape in board.shapes if isinstance(shape, Text)}
    assert {str(place + 1) for place in position.current_drawing.ends.values()} <= written


def test_a_lens_tells_apart_what_is_a_billion_times_smaller() -> None:
    points = played(16, CROWDED).current_drawing.points
    top = whole_circle(points, 380, 128)
    lenses = [top, *top.iter_all()]
    assert sorted(each for lens in lenses for each in lens.clear) == list(range(len(points)))
    assert max(lens.view.magnification for lens in lenses) > 1e9 * top.view.magnification
    for lens in lenses:
        spots = [lens.view.spot(points[each]) for each in lens.clear if not isinstance(points[each].origin, int)]
        assert all(math.dist(a, b) > 10 for a, b in combinations(spots, 2))


def test_a_lens_shows_lines_where_they_are() -> None:
    drawing = played(16, CROWDED).current_drawing
    for lens in whole_circle(drawing.points, 380, 128).iter_all():
        for a, b in drawing.lines:
            ends = [drawing.points[end] for end in (a, b)]
            stretch = lens.view.visible_stretch(ends[0], ends[1])
            for end in filter(lens.view.holds, ends):
                assert stretch and min(math.dist(lens.view.spot(end), spot) for spot in stretch) < 0.6
            assert stretch is None or max(math.hypot(*spot) for spot in stretch) < 128.01


def test_a_lens_near_the_circle_shows_it() -> None:
    x, y = UNIT * 3 // 5, UNIT * 4 // 5
    arc = View(x, y, UNIT // 100, 100).visible_circle()
    assert arc[8] == pytest.approx((0, 0), abs=1e-6) and all(math.hypot(*spot) < 101 for spot in arc)
    inside = (View(0, 0, UNIT // 100, 100), View(x // 2, y // 2, UNIT // 100, 100))
    assert not any(view.visible_circle() for view in inside)


def test_numbers_stand_clear_of_dots_and_of_each_other() -> None:
    rng = random.Random(4)
    dots = [Dot((rng.uniform(-150, 150), rng.uniform(-150, 150)), 5, "12", (18, 12)) for _ in range(25)]
    labels = arrange_labels(dots, [], 300)
    assert len(labels) == len(dots)
    for a, b in combinations(labels, 2):
        assert abs(a.spot[0] - b.spot[0]) > 30 or abs(a.spot[1] - b.spot[1]) > 18
    for label in labels:
        assert all(abs(label.spot[0] - dot.spot[0]) > 14 or abs(label.spot[1] - dot.spot[1]) > 8 for dot in dots)


def test_numbers_around_the_circle_are_spread() -> None:
    for angles in ([], [5.0], [0.0, 1.0, 359.0], [10.0, 11.0, 12.0, 13.0, 200.0], [358.0, 359.0, 0.0, 1.0, 2.0]):
        found = spread_angles(angles, 6)
        assert all(min((a - b) % 360, (b - a) % 360) > 5.9 for a, b in combinations(found, 2))
        assert all(min((a - b) % 360, (b - a) % 360) < 16 for a, b in zip(angles, found, strict=True))
    assert spread_angles([0.0, 90.0, 180.0], 6) == [0.0, 90.0, 180.0]


def test_the_largest_round_is_played_and_described_in_few_calls() -> None:
    position = played(54)
    assert len(position.current_drawing.points) > 40
    move = next(position.moves(2))
    with CountedCalls() as counted:
        after = position.play(2, move)
        list(after.moves(after.turn[0]))
        pictures(after)
    assert counted.calls < 300_000
