"""Dates as people type them, and those that are offered meanwhile."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from bot.play.calendars import LONGEST, MOST_CHOICES, describe_date, read_dates, suggest_dates

TODAY = date(2026, 12, 11)  # a Friday


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-12-24", "2026-12-24"), (" 2026-12-24 ", "2026-12-24"), ("2026/12/24", "2026-12-24"),
        ("24.12.", "2026-12-24"),
        ("24.12", "2026-12-24"), ("24. 12. 2026", "2026-12-24"), ("24.12.26", "2026-12-24"), ("Dec 24", "2026-12-24"),
        ("December 24th, 2026", "2026-12-24"), ("24 dec", "2026-12-24"), ("24th of December", "2026-12-24"),
        ("12/24", "2026-12-24"), ("24/12/2026", "2026-12-24"), ("today", "2026-12-11"), ("Tomorrow", "2026-12-12"),
        ("until tomorrow", "2026-12-12"), ("yesterday", "2026-12-10"), ("sat", "2026-12-12"),
        ("on Sunday", "2026-12-13"),
        ("friday", "2026-12-18"), ("next friday", "2026-12-18"), ("in 10 days", "2026-12-21"), ("3 days", "2026-12-14"),
        ("10d", "2026-12-21"), ("a week", "2026-12-18"), ("in two weeks", "2026-12-25"), ("1 day", "2026-12-12"),
        ("jan 2", "2027-01-02"), ("11.12.", "2026-12-11"), ("10.12.", "2027-12-10"), ("29.2.", "2028-02-29"),
        ("2026-12-01", "2026-12-01"), ("the day after tomorrow", "2026-12-13"), ("1/12", "2027-01-12"),
    ],
)  # fmt: skip
def test_what_people_type_is_read(typed: str, day: str) -> None:
    assert str(read_dates(typed, TODAY)[0]) == day


@pytest.mark.parametrize(
    "typed",
    [
        "", " ", "soon", "31.2.", "2026-13-01", "32 dec", "in x days", "friend", "d", "da", "-3 days", "٣ days", "0.0.",
        "24.12.20266", "2026-12-24T10:00", "now", "dec", "24", "1" * 400, "in 99999 days", "@everyone", "0000-01-01",
    ],
)  # fmt: skip
def test_what_is_no_date_is_not_guessed_at(typed: str) -> None:
    assert read_dates(typed, TODAY) == ()
    assert len(typed) <= LONGEST or not read_dates(typed, TODAY)


def test_days_that_may_be_chosen_are_offered() -> None:
    last = TODAY + timedelta(days=14)
    every = suggest_dates("", TODAY, last)
    assert (every[0], every[-1], len(every)) == (TODAY, last, 15)
    assert len(suggest_dates("", TODAY, TODAY + timedelta(days=40))) == MOST_CHOICES
    assert [str(day) for day in suggest_dates("fri", TODAY, last)] == ["2026-12-18", "2026-12-11", "2026-12-25"]
    assert [str(day) for day in suggest_dates("Dec 2", TODAY, last)][:2] == ["2026-12-20", "2026-12-21"]
    assert [str(day) for day in suggest_dates("24.12.", TODAY, last)] == ["2026-12-24"]
    assert [str(day) for day in suggest_dates("in 1", TODAY, last)][:2] == ["2026-12-12", "2026-12-21"]
    assert (
        suggest_dates("2027-12-24", TODAY, last)
        == suggest_dates("24.1.", TODAY, last)
        == suggest_dates("yesterday", TODAY, last)
        == ()
    )


def test_days_are_told_in_words() -> None:
    assert describe_date(date(2026, 12, 24), TODAY) == "Thursday, December 24, 2026 (in 13 days)"
    assert describe_date(TODAY, TODAY) == "Friday, December 11, 2026 (today)"
