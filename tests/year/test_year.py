"""A short year with the referee, and faults planted in the bot's sense of time, each of which the referee must find."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.features.time import loop as time_loop
from bot.features.time import service as time_service
from bot.features.time.loop import ReminderSender, make_reminder_nonce
from bot.play import calendars, claims
from bot.play.calendars import Calendar
from bot.play.claims import give_time
from bot.play.clocks import Rests
from bot.play.ids import ShardShare
from bot.play.loaded_match import LoadedMatch
from bot.play.rows import PendingMessage
from bot.umpire import clocks
from bot.umpire.acts import DeadlineService
from bot.umpire.clocks import DowntimeKeeper
from data.store import Reader
from tests.year import journal
from tests.year.referee import Referee
from tests.year.watches import DAY
from tests.year.year import Given, Year

COUNTED = (
    "moves", "run out", "claimed", "claimed by itself", "gifts", "outages", "absences", "reminders by thread",
    "reminders by message", "reminders by digest", "clocks compared",
)  # fmt: skip
SHORT: dict[str, Any] = {"days": 40, "matches": 45, "people": 30, "restless": 6}


def played(folder: Path, seed: int = 3, **given: Any) -> Year:
    year = Year(Given(folder, seed, **{**SHORT, **given}))
    asyncio.run(year.run())
    return year


def test_in_a_short_year_nobody_loses_a_second_and_nothing_is_done_twice(folder: Path) -> None:
    year = played(folder)
    referee = year.harness.referee
    assert referee.violations == [] and referee.frozen() == [] and year.sound
    figures = referee.figures()
    for what in COUNTED:
        assert figures[what], what


@pytest.mark.parametrize(("began", "late"), [(21 * 3600 + 57 * 60, True), (21 * 3600 + 59 * 60 + 10, False)])
def test_what_is_due_just_before_the_night_may_come_in_the_morning(began: int, late: bool) -> None:
    """A day after this match began half of its two days are gone; by then it is nearly ten in the evening."""
    referee, midnight = Referee(60), 1_798_761_600
    at = midnight + began
    for event in (
        journal.Chose(midnight, 1, 5, "UTC", True, "thread"),
        journal.Began(at, 7, 1, "plexus", "2", {1: 5, 2: 6}, (1,), 1, False),
        journal.Shown(at, 7),
        journal.Acted(at + DAY + 4 * 3600, 7, 1, "b2-c2", (2,), 1, False, 5),
    ):
        referee.note(event)
    told = [f"{at + DAY + 4 * 3600}: match 7, seat 1 was reminded 0 times of 1"]
    assert referee.violations == (told if late else [])


def late_claims(patch: pytest.MonkeyPatch) -> None:
    """People are claimed an hour before their time."""
    due, run_out = claims.find_newly_late, Reader.find_matches_run_out

    def soon(loaded: LoadedMatch, now: int) -> Any:
        return due(loaded, now + 3600)

    def found(reader: Reader, now: int, *args: Any) -> Any:
        return run_out(reader, now + 3600, *args)

    patch.setattr(claims, "find_newly_late", soon)
    patch.setattr(Reader, "find_matches_run_out", found)


def nobody_looks(patch: pytest.MonkeyPatch) -> None:
    """Nothing that is due is done."""

    async def pass_(_: DeadlineService, *_args: Any) -> Any:
        for match in ():
            yield match

    patch.setattr(DeadlineService, "run_due_acts", pass_)


def gift_twice(patch: pytest.MonkeyPatch) -> None:
    """A gift of three days is one of six."""

    def given(loaded: LoadedMatch, *args: Any) -> Any:
        change = give_time(loaded, *args)
        players = {
            user: {**columns, "seconds_left": 2 * columns["seconds_left"]} for user, columns in change.players.items()
        }
        return replace(change, players=players)

    patch.setattr(claims, "give_time", given)


def outage_counts(patch: pytest.MonkeyPatch) -> None:
    """Clocks run while the bot is not there."""

    def kept(*_: object) -> None:
        pass

    patch.setattr(clocks, "give_back", kept)


def outage_given_twice(patch: pytest.MonkeyPatch) -> None:
    """An outage is given back by each process that looks."""
    over = DowntimeKeeper.note_connected

    async def again(self: DowntimeKeeper, shards: Sequence[ShardShare]) -> int:
        if given := await over(self, shards):
            now = self.clock()
            await self.store.do(clocks.give_back, now, now + given)
        return given

    patch.setattr(DowntimeKeeper, "note_connected", again)


def away_counts(patch: pytest.MonkeyPatch) -> None:
    """Clocks run while people are away."""
    rests = Calendar.list_rests

    def none(self: Calendar, since: int) -> Rests:
        return rests(replace(self, away=()), since)

    patch.setattr(Calendar, "list_rests", none)


def weekends_count(patch: pytest.MonkeyPatch) -> None:
    """Clocks run at weekends, whatever people have chosen."""
    rests = Calendar.list_rests

    def none(self: Calendar, since: int) -> Rests:
        return rests(replace(self, weekends=True), since)

    patch.setattr(Calendar, "list_rests", none)


def by_utc(patch: pytest.MonkeyPatch) -> None:
    """Weekends are those of the machine."""

    def machine(_: str) -> tzinfo:
        return UTC

    patch.setattr(calendars, "_load_zone", machine)


def reminds_at_night(patch: pytest.MonkeyPatch) -> None:
    """Reminders come when they are due, also at night."""

    def same(_: Calendar, moment: int, rests: Rests = ()) -> int:
        return moment

    patch.setattr(Calendar, "find_awake_moment", same)


def reminds_twice(patch: pytest.MonkeyPatch) -> None:
    """What Discord did not answer is sent again, under another number."""
    numbers = count()

    async def nothing(*_: object) -> tuple[None, bool]:
        return None, True

    def another(pending: PendingMessage) -> str:
        return f"{make_reminder_nonce(pending)}{next(numbers)}"

    patch.setattr(ReminderSender, "_find_sent", nothing)
    patch.setattr(time_loop, "make_reminder_nonce", another)


def reminds_nobody(patch: pytest.MonkeyPatch) -> None:
    """No reminder is ever sent."""

    async def skipped(self: ReminderSender, guild: Any, match: Any, user: Any) -> None:
        await self.store.do(time_service.skip_reminder, match, user, self.umpire.clock())

    patch.setattr(ReminderSender, "_remind", skipped)


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (reminds_at_night, "at night"),
        (reminds_twice, "twice"),
        (reminds_nobody, "was reminded 0 times of"),
        (away_counts, "the clock of user"),
        (weekends_count, "the clock of user"),
        (by_utc, "user 10"),
        (late_claims, "s early"),
        (nobody_looks, "ran out of time"),
        (gift_twice, "stands still with +259200 s"),
        (outage_counts, "user 10"),
        (outage_given_twice, "user 10"),
    ],
)
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], found: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    violations = played(folder, first=True, failing=0.3 if plant is reminds_twice else 0.04).harness.referee.violations
    assert violations and found in " ".join(violations)
