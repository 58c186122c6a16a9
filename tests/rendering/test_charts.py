"""Charts: each line where its numbers are, told apart without colour, even where lines cover each other."""

from __future__ import annotations

from itertools import combinations

import pytest

from rendering import pages as rendering_pages
from rendering.charts import (
    APART,
    END,
    MARK,
    RIGHT,
    SQUARE,
    TOP,
    WEIGHT,
    ChartLine,
    draw_chart,
    pack_sentences,
    spread_heights,
)
from rendering.pages import LegendEntry
from rendering.painter import paint
from rendering.shapes import SEAT_INKS, Chip, Disc, Line, Path, Picture, Text
from rendering.theme import palette_for


def drawn(*courses: tuple[int, ...], first: int = 0, base: int | None = 0) -> Picture:
    entries = [LegendEntry(seat, f"seat {seat}", "0") for seat in range(1, len(courses) + 1)]
    lines = [ChartLine(numbers, seat) for seat, numbers in enumerate(courses, 1)]
    return draw_chart("scores", "Scores.", lines, ["Said."], entries, first, base)


def way(picture: Picture, seat: int) -> Path:
    (path,) = [shape for shape in picture.shapes if isinstance(shape, Path) and shape.tag == f"line {seat}"]
    return path


def chips(picture: Picture) -> list[Chip]:
    return [shape for shape in picture.shapes if isinstance(shape, Chip) and shape.tag != rendering_pages.SEAT]


def numbers(picture: Picture) -> list[tuple[str, float]]:
    """The numbers at the left edge and where they stand."""
    return [(it.text, it.y) for it in picture.base if isinstance(it, Text) and it.anchor == "right"]


def test_a_line_runs_from_its_first_number_to_its_last() -> None:
    picture = drawn((0, 5, 20), (0, 10, 10))
    spots = way(picture, 1).spots
    assert dict(numbers(picture)).keys() == {"0", "5", "10", "15", "20"}
    assert spots[-1] == (RIGHT, TOP) and spots[1][1] == dict(numbers(picture))["5"]
    ten = dict(numbers(picture))["10"]
    assert [y for _, y in way(picture, 2).spots[1:]] == [ten, ten]


def test_numbers_stand_on_lines_of_the_paper() -> None:
    for picture in (drawn((0, 5, 20)), drawn((0, 3)), drawn((1, 40, 10**9, 3))):
        assert all(y % SQUARE == 0 for _, y in numbers(picture) if y)
        levels = [it.y1 for it in picture.base if isinstance(it, Line) and it.y1 == it.y2]
        assert all(y % SQUARE == 0 for y in levels)


def test_lines_that_lie_on_each_other_run_side_by_side() -> None:
    picture = drawn(*[(0, 0, seat) for seat in range(8)])
    starts = sorted(way(picture, seat).spots[0][1] for seat in range(1, 9))
    assert [round(other - one, 6) for one, other in zip(starts, starts[1:], strict=False)] == [WEIGHT] * 7
    assert way(picture, 1).spots[2][1] == dict(numbers(picture))["0"], "who is alone there stands where the number is"


@pytest.mark.parametrize("seats", [1, 2, 4, 7, 8])
@pytest.mark.parametrize("moves", [1, 2, 7, 300])
def test_every_line_carries_its_chip_on_its_way_and_at_its_end(seats: int, moves: int) -> None:
    picture = drawn(*[tuple(seat * step // 3 for step in range(moves + 1)) for seat in range(seats)])
    found = chips(picture)
    ends = [chip for chip in found if chip.size == END]
    assert [chip.seat for chip in ends] == [*range(1, seats + 1)]
    if moves >= 7:
        assert {chip.seat for chip in found if chip.size == MARK} == {*range(1, seats + 1)}
    for one, other in combinations(found, 2):
        far = max(abs(one.x - other.x), abs(one.y - other.y))
        assert far >= MARK, "chips do not cover each other"
    if seats == 8:
        assert paint.encode_png(picture)


def test_a_line_stops_where_its_seat_left() -> None:
    picture = drawn((0, 1, 2, 3, 4), (0, 5), (0, 5), (0,))
    last = way(picture, 2).spots[-1]
    (chip, other) = [chip for chip in chips(picture) if chip.seat in (2, 3) and chip.size == END]
    assert last[0] == way(picture, 1).spots[1][0] == chip.x
    assert abs(chip.y - other.y) > END, "both left at the same place"
    assert [chip.seat for chip in chips(picture) if chip.x == min(it.x for it in chips(picture))] == [4]


def test_eight_seats_make_do_with_sixteen_colours() -> None:
    picture = drawn(*[(0, seat) for seat in range(8)])
    used = {it.ink for it in picture.shapes if isinstance(it, Path)}
    assert used == set(SEAT_INKS)
    assert len(palette_for(frozenset(used | {"tint8"})).colours) <= 16


def test_a_line_of_no_seat_has_dots_while_there_are_few() -> None:
    few = draw_chart("rating", "Rating.", [ChartLine((1500, 1530, 1480))], first=4, base=None)
    assert len([it for it in few.shapes if isinstance(it, Disc)]) == 3
    assert {it.text for it in few.base if isinstance(it, Text)} >= {"4", "5", "6"}
    many = draw_chart("rating", "Rating.", [ChartLine(tuple(range(1500, 1600)))], base=None)
    assert not [it for it in many.shapes if isinstance(it, Disc)]


def test_sentences_stand_on_a_line_together_where_they_fit() -> None:
    long = "Something that takes as good as all of one line."
    assert pack_sentences(["Said.", "Short.", long, long, "So."]) == ["Said. Short.", long, f"{long} So."]


def test_ends_are_parted_and_stay_on_the_page() -> None:
    for heights in ([50, 50, 50], [0, 1, 2, 500], [500, 499, 498], [500] * 8, [10, 60, 61, 400]):
        laid = spread_heights(heights, APART, 0, 500)
        assert all(abs(one - other) >= APART - 1e-9 for one, other in combinations(laid, 2))
        assert all(-1e-9 <= height <= 500 for height in laid)
        order = sorted(range(len(heights)), key=lambda place: heights[place])
        assert [laid[place] for place in order] == sorted(laid)
    assert spread_heights([100, 300], APART, 0, 500) == [100, 300], "far from each other they stay where they are"
