"""Nights, weekends and absences by the hours of people's own zones, through the changes of summer time."""

from __future__ import annotations

import zoneinfo
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.play.calendars import Calendar
from bot.play.clocks import DAY, HOUR, TurnClock
from bot.play.rows import Preferences, ServerSettings

BERLIN = "Europe/Berlin"


def at(text: str, zone: str = BERLIN) -> int:
    """A moment: "2026-11-20 17:30" on the clocks of a zone."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


def said(moment: int | None, zone: str = BERLIN) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


def test_what_a_zone_was_is_utc_where_nobody_knows_it_any_more() -> None:
    assert Calendar("Europe/Atlantis").find_awake_moment(at("2026-11-20 23:00", "UTC")) == at("2026-11-21 08:00", "UTC")


@pytest.mark.parametrize(
    ("moment", "awake"),
    [
        ("2026-11-20 21:59", "2026-11-20 21:59"),
        ("2026-11-20 22:00", "2026-11-21 08:00"),
        ("2026-11-21 03:00", "2026-11-21 08:00"),
        ("2026-11-21 08:00", "2026-11-21 08:00"),
        ("2026-03-28 23:00", "2026-03-29 08:00"),
    ],
)
def test_nobody_is_reminded_at_night(moment: str, awake: str) -> None:
    calendar = Calendar(BERLIN)
    assert said(calendar.find_awake_moment(at(moment))) == awake
    assert calendar.is_quiet(at(moment)) is (moment != awake)


@pytest.mark.parametrize(
    ("hours", "moment", "awake"),
    [
        ((23, 7), "2026-11-20 22:30", "2026-11-20 22:30"),
        ((23, 7), "2026-11-20 23:00", "2026-11-21 07:00"),
        ((9, 17), "2026-11-20 09:00", "2026-11-20 17:00"),
        ((9, 17), "2026-11-20 23:00", "2026-11-20 23:00"),
        ((0, 9), "2026-11-20 23:59", "2026-11-20 23:59"),
        ((0, 9), "2026-11-21 00:00", "2026-11-21 09:00"),
        ((20, 0), "2026-11-20 21:00", "2026-11-21 00:00"),
        ((8, 8), "2026-11-20 03:00", "2026-11-20 03:00"),
    ],
)
def test_quiet_hours_are_those_that_somebody_has_chosen(hours: tuple[int, int], moment: str, awake: str) -> None:
    calendar = Calendar.of(Preferences(zone=BERLIN, night=hours[0], morning=hours[1]), ServerSettings(), ())
    assert said(calendar.find_awake_moment(at(moment))) == awake
    assert calendar.is_quiet(at(moment)) is (moment != awake)


def test_weekends_are_those_of_ones_own_zone() -> None:
    friday = at("2026-11-20 12:00")
    clock = Calendar(BERLIN, weekends=False).start_clock(TurnClock.make_full(2 * DAY), friday)
    assert said(clock.deadline) == "2026-11-24 12:00"
    clock = Calendar("Pacific/Auckland", weekends=False).start_clock(TurnClock.make_full(2 * DAY), friday)
    assert said(clock.deadline, "Pacific/Auckland") == "2026-11-25 00:00", "there it is Saturday already"


def test_a_weekend_in_which_the_clocks_are_put_back_is_an_hour_longer() -> None:
    friday = at("2026-10-23 23:00")
    clock = Calendar(BERLIN, weekends=False).start_clock(TurnClock.make_full(2 * HOUR), friday)
    assert said(clock.deadline) == "2026-10-26 01:00"
    assert clock.deadline == friday + 2 * HOUR + 49 * HOUR


NIGHTS = [  # the Sundays on which clocks change, and by how many minutes they are put forward
    ("Europe/Berlin", "2027-03-28", 60), ("Europe/Berlin", "2026-10-25", -60),
    ("America/New_York", "2027-03-14", 60), ("America/New_York", "2026-11-01", -60),
    ("Australia/Lord_Howe", "2026-10-04", 30), ("Australia/Lord_Howe", "2027-04-04", -30),
]  # fmt: skip


@pytest.mark.parametrize(("zone", "sunday", "forward"), NIGHTS)
def test_on_the_night_in_which_clocks_change_every_moment_is_right(zone: str, sunday: str, forward: int) -> None:
    """Nights, digests and weekends around it, looked at every ten minutes, against the clocks on the wall."""
    calendar, resting = Calendar(zone), Calendar(zone, weekends=False)
    midnight = at(f"{sunday} 00:00", zone)
    saturday, monday = midnight - DAY, midnight + DAY - 60 * forward
    assert at(f"{sunday} 08:00", zone) == midnight + 8 * HOUR - 60 * forward
    for moment in range(saturday - 8 * HOUR, monday + 12 * HOUR, 600):
        by_day = 8 <= datetime.fromtimestamp(moment, ZoneInfo(zone)).hour < 22
        assert calendar.is_quiet(moment) is not by_day
        morning = calendar.find_next_hour(moment, 8)
        assert (said(morning, zone) or "").endswith(" 08:00") and 0 < morning - moment <= 25 * HOUR
        assert calendar.find_awake_moment(moment) == (moment if by_day else morning)
        gone = max(0, min(HOUR, saturday - moment))
        begins = moment if moment >= monday or gone == HOUR else monday - gone
        assert resting.start_clock(TurnClock.make_full(HOUR), moment).deadline == begins + HOUR


@pytest.mark.parametrize(("zone", "sunday", "forward"), NIGHTS)
def test_a_clock_that_runs_through_the_night_loses_and_gains_nothing(zone: str, sunday: str, forward: int) -> None:
    evening = at(f"{sunday} 00:00", zone) - 2 * HOUR
    calendar = Calendar(zone)
    clock = calendar.start_clock(TurnClock.make_full(2 * DAY), evening)
    assert clock.deadline == evening + 2 * DAY
    assert calendar.compute_seconds_left(clock, evening + DAY) == DAY
    assert clock.find_next_reminder(0) == evening + DAY
    assert calendar.find_next_reminder(clock, 0) == calendar.find_awake_moment(evening + DAY)


def test_where_the_time_ends_before_the_morning_nobody_is_reminded() -> None:
    begin = at("2026-11-20 20:00")
    calendar = Calendar(BERLIN)
    assert calendar.find_next_reminder(calendar.start_clock(TurnClock.make_full(8 * HOUR), begin), 0) is None
    assert (
        Calendar(BERLIN, reminders="off").find_next_reminder(calendar.start_clock(TurnClock.make_full(DAY), begin), 0)
        is None
    )


def test_the_next_time_that_it_is_so_many_o_clock() -> None:
    calendar = Calendar(BERLIN)
    assert said(calendar.find_next_hour(at("2026-11-20 07:59"), 8)) == "2026-11-20 08:00"
    assert said(calendar.find_next_hour(at("2026-11-20 08:00"), 8)) == "2026-11-21 08:00"


def test_a_machine_that_knows_no_zones_takes_them_from_their_package() -> None:
    try:
        zoneinfo.reset_tzpath(to=[])
        ZoneInfo.clear_cache()
        assert {"Europe/Berlin", "America/New_York"} <= zoneinfo.available_timezones()
        assert ZoneInfo("Europe/Berlin").utcoffset(datetime(2026, 7, 1)) == timedelta(hours=2)
    finally:
        zoneinfo.reset_tzpath()
        ZoneInfo.clear_cache()
