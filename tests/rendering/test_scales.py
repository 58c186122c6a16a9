"""Edges: round numbers at equal distances, for numbers of any size, in the right order and never off the edge."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.charts import MOST_STEPS, Scale, is_crowded, make_scale, round_up
from rendering.shapes import group_digits

HUGE = 10**100
SCORES = st.lists(st.integers(-HUGE, HUGE) | st.integers(-40, 4000) | st.integers(0, 10**12), min_size=1, max_size=12)


def labels(edge: Scale) -> list[str]:
    return [tick.label for tick in edge.ticks]


@given(SCORES)
def test_every_number_stands_on_the_edge_in_its_order(numbers: list[int]) -> None:
    edge = make_scale(numbers)
    places = [edge.position_of(number) for number in sorted(numbers)]
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    assert all(one <= other + 1e-12 for one, other in pairwise(places))


@given(SCORES)
def test_ticks_are_few_and_at_equal_distances(numbers: list[int]) -> None:
    places = [tick.at for tick in make_scale(numbers).ticks]
    assert 2 <= len(places) <= MOST_STEPS + 1
    assert (places[0], places[-1]) == (0, 1)
    gaps = [other - one for one, other in pairwise(places)]
    assert max(gaps) - min(gaps) < 1e-9
    assert len(set(labels(make_scale(numbers)))) == len(places)


@given(SCORES)
def test_a_tick_stands_where_its_number_does(numbers: list[int]) -> None:
    edge = make_scale(numbers)
    if edge.remark.startswith("The numbers"):
        return  # zeros were left away
    for label, at in edge.ticks:
        base, _, power = label.replace(" ", "").partition("^")
        number = (-1 if base.startswith("−") else 1) * 10 ** int(power) if power else int(base.replace("−", "-"))
        assert edge.position_of(number) == pytest.approx(at)


def test_lines_are_equal_steps_where_that_shows_the_scores() -> None:
    assert labels(make_scale([3, 17])) == ["0", "5", "10", "15", "20"]
    assert labels(make_scale([0, 0])) == ["0", "1"], "scores that stayed at nought"
    assert labels(make_scale([-3, 12])) == ["−5", "0", "5", "10", "15"]
    assert labels(make_scale([1480, 1533], base=None)) == ["1 480", "1 500", "1 520", "1 540"]
    assert make_scale([3, 17]).remark == ""


def test_long_numbers_are_written_without_their_zeros_and_that_is_said() -> None:
    edge = make_scale([52_586_509, 30_000_000])
    assert (labels(edge), edge.remark) == (["0", "20", "40", "60"], "The numbers are in millions.")
    assert make_scale([5 * 10**18, 3 * 10**18]).remark == "The numbers are in units of 10^18."


def test_lines_are_equal_factors_where_scores_would_lie_on_the_lowest_line() -> None:
    edge = make_scale([1, 9, 80, 700, 6000, 50_000])
    assert (labels(edge)[:3], edge.remark) == (["1", "10", "100"], "Each line is ten times the one below it.")
    long = make_scale([8, 343, 532_875_860_165_503])
    assert labels(long) == ["1", "10^3", "10^6", "10^9", "10^12", "10^15"]
    assert long.remark == "Each line is a thousand times the one below it."
    assert not is_crowded([100, 200, 90_000, 80_000, 70_000])


def test_nought_and_less_have_lines_of_their_own() -> None:
    edge = make_scale([0, 1, 2, 3, 5000])
    assert labels(edge) == ["0", "1", "10", "100", "1 000", "10 000"]
    assert edge.remark == "Each line is ten times the one below it, but for 1 above 0."
    below = make_scale([-5, 1, 2, 0, 3, 10**9])
    assert labels(below) == ["−10^3", "−1", "0", "1", "10^3", "10^6", "10^9"]
    assert "on the way from 0" in below.remark


@pytest.mark.parametrize("least", [1, 2, 3, 6, 11, 99, 501, 10**30 + 1])
def test_steps_are_round(least: int) -> None:
    step = round_up(least)
    assert least <= step < 2.5 * least + 1
    assert group_digits(step).replace(" ", "").rstrip("0") in {"1", "2", "5"}
