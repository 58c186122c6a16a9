"""A short year with the referee of time, and faults planted in the bot's sense of time, each of which it must find."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulation.__main__ import findings, found_after, told
from tests.simulation.planted_time import FAULTS
from tests.simulation.year import Year
from tests.world.time_referee import DAY, TimeReferee

pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.timeout(600),
]
TOLD, SEEDS = (2, 5), range(1, 7)
JUDGED = (
    "moves", "run out", "timeouts", "left by themselves", "gifts", "outages", "absences", "reminders by thread",
    "reminders by message", "reminders by digest", "clocks compared", "turns with reminders compared",
)  # fmt: skip
FOUND = {
    "reminds at night": "at night",
    "reminds twice": "twice",
    "reminds nobody": "was reminded 0 times of",
    "away counts": "the clock of user",
    "weekends count": "the clock of user",
    "by UTC": "user ",
    "late claims": "s early",
    "nobody looks": "ran out of time",
    "gift twice": "stands still with +259200 s",
    "outage counts": "match ",
    "outage given twice": "user ",
}
"""What is said of each fault."""


class UntilFound(Year):
    """A year that ends soon after the first finding about time."""

    def _look(self) -> None:
        super()._look()
        if "time" in self.report.findings:
            self.days.left = 0

    async def _play_out(self) -> None:
        if "time" not in self.report.findings:
            await super()._play_out()


def test_in_some_weeks_nobody_loses_a_second_and_nothing_is_done_twice(empty: Path) -> None:
    """Not everything that is judged happens in each of them."""
    reports = [told(seed, empty, brief=True, kind=Year)[0] for seed in TOLD]
    assert [found for report in reports for found in findings(report)] == []
    assert [what for what in JUDGED if not any(report.clocks[what] for report in reports)] == []


@pytest.mark.parametrize(("began", "late"), [(21 * 3600 + 57 * 60, True), (21 * 3600 + 59 * 60 + 10, False)])
def test_what_is_due_just_before_the_night_may_come_in_the_morning(began: int, late: bool) -> None:
    """A day after this match began half of its two days are gone; by then it is nearly ten in the evening."""
    referee, midnight = TimeReferee(), 1_798_761_600
    at = midnight + began
    moved = at + DAY + 4 * 3600
    referee.chose(midnight, 1, 5, "UTC", True, "thread")
    referee.began(at, 7, 1, "2", {1: 5, 2: 6}, (1,))
    referee.shown(at, 7)
    referee.acted(moved, 7, 1, "b2-c2", (2,))
    assert referee.violations == ([f"{moved}: match 7, seat 1 was reminded 0 times of 1"] if late else [])


@pytest.mark.parametrize(("matches", "found"), [((7, 8), []), ((7,), ["early", "of 1"])])
def test_what_comes_early_along_with_another_reminder_is_no_reminder_missed(
    matches: tuple[int, ...], found: list[str]
) -> None:
    referee, noon = TimeReferee(), 1_798_804_800
    referee.chose(noon, 1, 5, "UTC", True, "thread")
    for match, at in ((8, noon - 600), (7, noon)):
        referee.began(at, match, 1, "2", {1: 5, 2: 6}, (1,))
        referee.shown(at, match)
    referee.reminded(noon + DAY - 600, 5, "thread", matches)
    referee.acted(noon + DAY + 4 * 3600, 7, 1, "b2-c2", (2,))
    assert [one for one in referee.violations if "match 8" in one] == []
    assert len(referee.violations) == len(found) and all(map(lambda one, said: said in one, referee.violations, found))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, empty: Path) -> None:
    _, report = found_after(FAULTS[fault], SEEDS, empty, brief=True, kind=UntilFound)
    assert report is not None and FOUND[fault] in " ".join(report.findings["time"])
