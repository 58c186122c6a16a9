"""How long people may be away, whatever they do; what they read is told in tests/stories."""

from __future__ import annotations

import random

import pytest

from bot.play import calendars
from bot.play.calendars import IN_A_ROW, IN_A_YEAR, YEAR, AbsenceRefused, format_days, make_absence
from bot.play.clocks import DAY, HOUR
from bot.play.rows import Absence

NOW = 1_800_000_000


def ago(begin: float, end: float) -> Absence:
    """An absence, by days before now."""
    return Absence(int(NOW - begin * DAY), int(NOW - end * DAY))


def day(number: float) -> tuple[int, int]:
    """A day that begins so many days from now."""
    return int(NOW + number * DAY), int(NOW + (number + 1) * DAY) - 1


def test_thirty_days_of_a_year_and_then_those_that_come_free() -> None:
    past = [ago(300, 286), ago(200, 190)]
    left = calendars.compute_allowance(past, NOW)
    assert (left.free, left.year) == (6 * DAY, NOW + 6 * DAY)
    full = [*past, ago(100, 94)]
    with pytest.raises(AbsenceRefused, match="^You have used all 30 days"):
        make_absence(full, day(0), NOW)
    assert make_absence([*full[1:], ago(370, 356)], day(12), NOW), "days of a year ago come free while somebody is away"


def test_extending_counts_and_shortening_gives_back() -> None:
    current = Absence(NOW - 2 * DAY, NOW + 10 * DAY)
    assert make_absence([current], day(11.5), NOW) == Absence(NOW - 2 * DAY, NOW + 12 * DAY)
    assert make_absence([current], day(1), NOW) == Absence(NOW - 2 * DAY, NOW + 2 * DAY - 1)
    back = Absence(current.begins, NOW)
    assert calendars.compute_allowance([back], NOW).free == 28 * DAY
    assert calendars.compute_allowance([back], NOW).row == NOW + 12 * DAY


def test_however_somebody_comes_and_goes_no_year_has_more_than_thirty_days_and_no_row_more_than_fourteen() -> None:
    rng = random.Random(5)
    for _ in range(30):
        now, kept = NOW, list[Absence]()
        for _ in range(60):
            now += rng.randint(0, 6 * DAY) if rng.random() < 0.9 else rng.randint(0, 90 * DAY)
            begin = now + rng.randint(-1, 15) * DAY
            try:
                one = make_absence(kept, (begin, begin + DAY - 1), now)
            except AbsenceRefused as refused:
                assert str(refused)
                continue
            kept = [*(other for other in kept if other.begins != one.begins), one]
            if rng.random() < 0.3:
                back = min(one.ends, now + rng.randint(0, 5 * DAY))
                kept, now = [*kept[:-1], Absence(one.begins, max(back, one.begins + 1))], max(now, back)
        for end in (one.ends for one in kept):
            assert sum(max(0, min(one.ends, end) - max(one.begins, end - YEAR)) for one in kept) <= IN_A_YEAR
        rows = list[Absence]()
        for one in sorted(kept, key=lambda one: one.begins):
            if rows and one.begins - rows[-1].ends < DAY:
                rows[-1] = Absence(rows[-1].begins, max(one.ends, rows[-1].ends))
            else:
                rows.append(one)
        assert all(one.ends - one.begins <= IN_A_ROW for one in rows)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (30 * DAY, "30 days"),
        (30 * DAY - HOUR + 1, "30 days"),
        (30 * DAY - HOUR, "29 days"),
        (2 * DAY - 1, "2 days"),
        (DAY - HOUR, "23 hours"),
        (2 * HOUR - 1, "1 hour"),
        (9, "less than an hour"),
    ],
)
def test_what_is_left_is_rounded_down_but_for_minutes_that_lack_for_a_day(seconds: int, text: str) -> None:
    assert format_days(seconds) == text


def test_who_stops_their_clocks_again_and_again_for_a_few_minutes_uses_the_year_up() -> None:
    """Where short absences were free, clocks could be stopped for ever, a few minutes at a time."""
    short = [Absence(NOW - at * HOUR, NOW - at * HOUR + 300) for at in range(30 * DAY // 300, 0, -1)]
    assert calendars.compute_allowance(short[-8:], NOW).free == 30 * DAY - 8 * 300
    assert calendars.count_used_seconds(short, NOW) == 30 * DAY
    with pytest.raises(AbsenceRefused, match=r"^You have used all 30 days that you can be away in a year\."):
        make_absence(short, day(3), NOW + 2 * DAY)


def test_who_mistakes_the_day_and_is_back_at_once_loses_no_day_in_words() -> None:
    left = calendars.compute_allowance([Absence(NOW - 600, NOW - 400)], NOW).free
    assert (left, format_days(left)) == (30 * DAY - 200, "30 days")
