"""Paces and clocks: arithmetic in whole seconds, held to counting second by second."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.play.clocks import APART, DAY, PACES, BadPace, Pace, TurnClock, add_counted_seconds, count_seconds, merge_rests

MOMENTS = st.integers(0, 60)
RESTS = st.lists(st.tuples(MOMENTS, MOMENTS), max_size=5).map(merge_rests)


@pytest.mark.parametrize(
    ("key", "said", "first", "following"),
    [
        ("none", "no clock", None, 0),
        ("1", "1 day for each move", DAY, DAY),
        ("14", "14 days for each move", 14 * DAY, 14 * DAY),
        ("bank", "10 days, and 1 more with each move", 10 * DAY, 3 * DAY),
    ],
)
def test_a_pace_knows_its_notation_and_its_times(key: str, said: str, first: int | None, following: int) -> None:
    pace = Pace.parse(key)
    assert (pace.key, str(pace), pace.first_allotment, pace.compute_next_allotment(2 * DAY)) == (
        key,
        said,
        first,
        following,
    )


def test_a_bank_holds_ten_days_at_most() -> None:
    assert PACES["bank"].compute_next_allotment(9 * DAY + 5) == 10 * DAY


def test_what_is_no_pace_is_refused() -> None:
    with pytest.raises(BadPace, match="There is no such pace. Choose none, 1, 2, 3, 5, 7, 14 or bank."):
        Pace.parse("4")


@given(MOMENTS, MOMENTS, RESTS)
def test_what_rests_is_not_counted(start: int, end: int, rests: tuple[tuple[int, int], ...]) -> None:
    resting = {second for begin, until in rests for second in range(begin, until)}
    assert count_seconds(start, end, rests) == sum(second not in resting for second in range(start, end))


@given(MOMENTS, st.integers(1, 40), RESTS)
def test_a_deadline_is_when_all_is_counted(start: int, seconds: int, rests: tuple[tuple[int, int], ...]) -> None:
    deadline = add_counted_seconds(start, seconds, rests)
    assert count_seconds(start, deadline, rests) == seconds
    assert count_seconds(start, deadline - 1, rests) == seconds - 1


@given(MOMENTS, st.integers(1, 40), RESTS, MOMENTS, MOMENTS)
def test_an_outage_costs_nothing(
    start: int, left: int, rests: tuple[tuple[int, int], ...], begin: int, end: int
) -> None:
    clock = TurnClock.make_full(left).start(start, rests)
    if start > end or begin >= end:
        return
    given = clock.give_back(begin, end, rests)
    assert given.left_at(end, rests) == clock.left_at(max(begin, start), rests)
    assert given.deadline == add_counted_seconds(end, given.left, rests)


def test_a_stopped_clock_goes_on_with_what_it_had() -> None:
    clock = TurnClock.make_full(DAY).start(1000).stop(1000 + 600)
    assert (clock.left, clock.deadline, clock.find_next_reminder(0)) == (DAY - 600, None, None)
    assert clock.start(5000).deadline == 5000 + DAY - 600
    assert clock.start(5000).stop(5000 + 2 * DAY).left == 0


@pytest.mark.parametrize(
    ("allotted", "marks"),
    [
        (DAY, (DAY // 2,)),
        (2 * DAY, (DAY,)),
        (3 * DAY, (3 * DAY // 2, DAY)),
        (14 * DAY, (7 * DAY, DAY)),
        (3 * 3600, (3 * 1800,)),
        (2 * DAY - 3600, (DAY,)),
    ],
)
def test_who_is_to_move_is_reminded_at_half_the_time_and_a_day_before_the_end(
    allotted: int, marks: tuple[int, ...]
) -> None:
    clock = TurnClock.make_full(allotted).start(0)
    assert clock.reminder_marks == marks
    assert [clock.find_next_reminder(nth) for nth in range(3)] == [*(allotted - mark for mark in marks), None, None][:3]
    assert all(one - other >= APART for one, other in zip(marks, marks[1:], strict=False))
    assert clock.count_due_reminders(allotted - marks[0] - 1) == 0
    assert clock.count_due_reminders(allotted) == len(marks)
