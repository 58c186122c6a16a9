"""The bot's clock follows Discord's, even when the machine's clock is set."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.platform.requests import DiscordClock

DAY = 86_400
START = 1_770_000_000


@dataclass
class Machine:
    """A machine, by how far its clock is off; `passed` are the seconds that it knows of, `asleep` the others."""

    off: int = 0
    passed: float = 0.0
    asleep: float = 0.0

    def true(self) -> float:
        return START + self.passed + self.asleep

    def wall(self) -> float:
        return self.true() + self.off

    def clock(self) -> DiscordClock:
        return DiscordClock(self.wall, lambda: self.passed)

    def answered(self, clock: DiscordClock, after: float = 0.1) -> None:
        """Discord is asked something, dates its answer at once, and the answer comes after a while."""
        sent, date = self.passed, int(self.true())
        self.passed += after
        clock.correct_by(date, sent)


@pytest.mark.parametrize("off", [2 * DAY, -DAY, 0])
def test_a_machine_that_starts_with_a_wrong_clock_has_the_time_with_the_first_answer(off: int) -> None:
    machine = Machine(off)
    clock = machine.clock()
    assert clock() == START + off
    machine.answered(clock)
    machine.passed += 3600
    assert abs(clock() - machine.true()) <= 1


def test_a_clock_that_is_set_while_the_bot_runs_moves_nothing() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.answered(clock)
    for off in (2 * DAY, -DAY, 0):
        machine.off = off
        machine.passed += 600
        assert abs(clock() - machine.true()) <= 1


def test_what_a_machine_slept_is_learnt_with_the_next_answer() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.answered(clock)
    machine.asleep = 3 * DAY
    assert clock() < machine.true() - DAY, "nothing expires by a clock that has stood still"
    machine.answered(clock)
    assert abs(clock() - machine.true()) <= 1


def test_an_answer_that_was_long_under_way_does_not_set_the_clock_back() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.answered(clock)
    machine.answered(clock, after=45)
    assert abs(clock() - machine.true()) <= 1
