"""How late interactions arrive, measured by clocks that may be wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from bot.app.flow import Gate
from bot.platform.interactions import UNBELIEVABLE, WINDOW, Lateness, TooLate
from bot.play.ids import GuildId

ANYBODY: Any = None


async def nothing(_: GuildId) -> None:
    """There was no outage."""


@dataclass
class Clocks:
    """Discord's clock and the host's, which go on together and agree on nothing else."""

    passed: float = 1_000_000.0
    off: float = 0.0
    made: int = 0
    gate: Gate = field(init=False)

    def __post_init__(self) -> None:
        self.gate = Gate(ANYBODY, nothing, ANYBODY)
        self.gate.lateness = Lateness(lambda: self.passed + self.off)

    def number(self, after: float) -> int:
        """The number of an interaction that takes so long to come."""
        self.made += 1
        return int((self.passed - after) * 1000) << 22 | self.made

    def comes(self, after: float) -> float:
        """How late an interaction is taken to be that has taken so long to come."""
        return round(self.gate.lateness(self.number(after)), 3)

    def taken(self, number: int) -> bool:
        """Whether the gate lets an interaction be looked at."""
        interaction: Any = SimpleNamespace(id=number, extras={})
        try:
            return self.gate.expect_in_time(interaction, 2.5) > 0
        except TooLate:
            return False

    def met(self, *after: float) -> list[bool]:
        """Which of these are looked at, a second apart."""
        taken: list[bool] = []
        for each in after:
            self.passed += 1
            taken.append(self.taken(self.number(each)))
        return taken


def test_the_second_fastest_has_come_at_once() -> None:
    for off in (0.0, 1e9, -1e6):
        clocks = Clocks(off=off)
        assert [clocks.comes(after) for after in (0.2, 0.1, 3.1, 0.2, 12.0, 0.1)] == [0, 0, 2.9, 0, 11.8, 0]


def test_a_bot_that_stood_still_knows_how_long() -> None:
    """Of what has piled up meanwhile the first is the oldest; each is as late as it is."""
    clocks = Clocks()
    for _ in range(2):
        clocks.comes(0.1)
    clocks.passed += 20
    assert [clocks.comes(after) for after in (20.1, 10.1, 3.6, 0.1)] == [20.0, 10.0, 3.5, 0.0]


def test_clocks_that_drift_apart_drop_nothing() -> None:
    """A clock that gains a second every ten minutes, over days."""
    clocks = Clocks()
    for _ in range(5000):
        clocks.passed += WINDOW / 4
        clocks.off += WINDOW / 4 / 600
        assert clocks.comes(0.1) < 3


def test_a_clock_that_jumps_is_believed_no_longer_than_for_one() -> None:
    clocks = Clocks()
    assert [clocks.comes(0.1), clocks.comes(0.1)] == [0, 0]
    clocks.off += UNBELIEVABLE + 10
    assert [clocks.comes(after) for after in (0.1, 0.1, 0.3, 4.1)] == [0, 0, 0.2, 4.0]
    clocks.off -= 5000
    assert [clocks.comes(after) for after in (0.1, 0.1, 0.3, 4.1)] == [0, 0, 0.2, 4.0]


def test_one_number_of_a_wrong_clock_drops_nobody() -> None:
    """One of Discord's machines may be ahead for once: nobody else is late by that, and it bears nobody out alone."""
    assert all(Clocks().met(0.1, -3.9, *(0.1,) * 200))
    assert all(Clocks().met(-3.9, *(0.1,) * 200))
    assert all(Clocks().met(0.1, 0.1, -UNBELIEVABLE - 10, *(0.1,) * 200))


def test_a_wrong_number_that_is_delivered_again_is_still_one() -> None:
    clocks = Clocks()
    assert all(clocks.met(0.1, 0.1))
    wrong = clocks.number(-3.9)
    assert [clocks.taken(wrong) for _ in range(3)] == [True] * 3
    assert all(clocks.met(0.1, 0.1))


def test_after_seconds_in_which_nothing_was_in_time_all_is_measured_anew() -> None:
    """Several numbers of a wrong clock, or a clock that jumps by what might be true."""
    clocks = Clocks()
    assert clocks.met(-3.9, -3.9, *(0.1,) * 20) == [True] * 2 + [False] * 6 + [True] * 14
    clocks.off += 10
    assert clocks.met(*(0.1,) * 20) == [False] * 6 + [True] * 14


def test_hundreds_that_piled_up_are_dropped_however_many_they_are() -> None:
    """A bot that stood still has the dead behind it at once: so many in a row say nothing against the clock."""
    clocks = Clocks()
    clocks.met(0.1, 0.1)
    clocks.passed += 20
    piled = [clocks.taken(clocks.number(20 - waited / 20)) for waited in range(400)]
    assert piled == sorted(piled) and 335 < piled.count(False) < 345


def test_who_is_answered_now_and_then_shows_that_the_clock_is_right() -> None:
    """In a flood some come in time and most do not, for longer than a few seconds."""
    clocks = Clocks()
    assert clocks.met(0.1, 0.1, *(4.0, 4.0, 2.9) * 10) == [True, True, *(False, False, True) * 10]
