"""Who leads: of several processes whose clocks drift, whose writes get lost and which are killed, one at a time; and
there is one again soon."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.platform.processes import FREE, HEARTBEAT, HOLD, TERM, LeaderLease, holder_of

DRIFT = 0.19
"""By how much a clock may run fast or slow: 30 seconds of the slowest are less than 45 of the fastest then."""
SLACK = 1.0


@dataclass
class Process:
    """One that takes part; `rate` is how fast its clock runs, `ahead` where it began."""

    lease: LeaderLease
    rate: float
    ahead: float

    def clock(self, now: float) -> float:
        return self.ahead + self.rate * now

    def leads(self, now: float) -> bool:
        return self.lease.is_leader(self.clock(now))


@dataclass(frozen=True)
class Look:
    """What befalls one look: how long each of its steps takes, and what gets lost."""

    who: int
    pause: float
    read: float
    write: float
    answer: float
    fate: str


@dataclass
class World:
    """Processes about a row; moments are those of a clock that nobody has."""

    processes: list[Process]
    row: str | None = None
    now: float = 0.0
    rng: int = 0
    doings: list[tuple[float, int, tuple[object, ...]]] = field(
        default_factory=list[tuple[float, int, tuple[object, ...]]]
    )

    def later(self, after: float, *doing: object) -> None:
        self.rng += 1
        self.doings.append((self.now + after, self.rng, doing))

    def run(self) -> None:
        """Let all that is begun come to its end, in the order of time."""
        while self.doings:
            self.doings.sort()
            self.now, _, doing = self.doings.pop(0)
            self.step(*doing)  # pyright: ignore[reportArgumentType]  -- as `later` was given it
            leaders = [process.lease.holder for process in self.processes if process.leads(self.now)]
            assert len(leaders) <= 1, leaders

    def step(self, kind: object, look: Look, *rest: object) -> None:
        process = self.processes[look.who]
        clock = process.clock(self.now)
        if kind == "begin" and look.fate == "killed":
            self.rng += 1
            process.lease = LeaderLease(f"p{look.who}:{self.rng}")
        elif kind == "begin" and look.fate == "stopped":
            if holder_of(self.row) == process.lease.holder:
                self.row = FREE
            self.rng += 1
            process.lease = LeaderLease(f"p{look.who}:{self.rng}")
        elif kind == "begin":
            self.later(look.read, "read", look, process.lease, clock)
        elif kind == "read":
            lease, began = rest
            assert isinstance(lease, LeaderLease) and isinstance(began, float)
            self.later(look.write, "write", look, lease, began, self.row, lease.choose_row_text(self.row, began))
        elif kind == "write":
            lease, began, found, bid = rest
            assert bid is None or isinstance(bid, str)
            if bid is not None and self.row == found and look.fate != "write lost":
                self.row = bid
            self.later(look.answer, "answer", look, lease, began, self.row)
        elif look.fate == "well":
            lease, began, row = rest
            assert isinstance(began, float) and (row is None or isinstance(row, str))
            if lease is process.lease:  # it has not died meanwhile
                process.lease = process.lease.note_look(row, began, clock)


def worlds(rates: list[float]) -> World:
    return World([Process(LeaderLease(f"p{number}:0"), rate, 1000.0 * number) for number, rate in enumerate(rates)])


LOOKS = st.builds(
    Look,
    st.integers(0, 3),
    st.sampled_from([0.0, 0.1, 5.0, HEARTBEAT, HEARTBEAT + 0.5, HOLD, TERM - 0.1, TERM, TERM + 0.1, 60.0, 600.0]),
    st.sampled_from([0.0, 0.1, 2.0, 40.0]),
    st.sampled_from([0.0, 0.1, 2.0, 40.0, 100.0]),
    st.sampled_from([0.0, 0.1, 2.0, 40.0]),
    st.sampled_from(["well"] * 8 + ["write lost", "answer lost", "killed", "stopped"]),
)
RATES = st.lists(st.sampled_from([1 - DRIFT, 1.0, 1 + DRIFT]), min_size=4, max_size=4)


@pytest.mark.long
@given(RATES, st.lists(LOOKS, max_size=40))
@settings(max_examples=300, deadline=None)
def test_two_never_lead_at_once_and_one_is_found_again(rates: list[float], looks: list[Look]) -> None:
    world, at = worlds(rates), 0.0
    for look in looks:
        at += look.pause
        world.later(at, "begin", look)
    world.run()
    # From now on the store is well, and two of the four are left.
    bound = (TERM + HEARTBEAT) / (1 - DRIFT) + SLACK
    for round_ in range(int(bound * (1 + DRIFT) / HEARTBEAT) + 2):
        for who in (1, 3):
            after = round_ * HEARTBEAT / world.processes[who].rate
            if after <= bound:
                world.later(after, "begin", Look(who, 0, 0.1, 0.1, 0.1, "well"))
    world.run()
    assert sum(world.processes[who].leads(world.now) for who in (1, 3)) == 1


def test_the_slowest_leader_has_stopped_when_the_fastest_follows() -> None:
    world = worlds([1 - DRIFT, 1 + DRIFT])
    world.later(0, "begin", Look(0, 0, 0, 0, 0, "well"))
    for tenth in range(10 * int(TERM)):
        world.later(tenth / 10, "begin", Look(1, 0, 0, 0, 0, "well"))
    world.run()
    assert world.processes[1].leads(world.now)


def test_a_row_that_is_free_or_new_is_taken_at_once() -> None:
    lease = LeaderLease("a:1:x")
    assert lease.choose_row_text(None, 5.0) == "a:1:x 1"
    assert lease.choose_row_text(FREE, 5.0) == "a:1:x 1"


def test_a_foreign_row_is_taken_when_it_has_not_changed_for_a_term() -> None:
    lease = LeaderLease("a").note_look("b 7", 0.0, 100.0)
    assert lease.choose_row_text("b 7", 100.0 + TERM - 0.1) is None
    assert lease.choose_row_text("b 7", 100.0 + TERM) == "a 8"
    assert lease.choose_row_text("b 8", 100.0 + TERM) is None
    again = lease.note_look("b 8", 140.0, 141.0)
    assert again.choose_row_text("b 8", 100.0 + TERM) is None, "the time counts from when it was seen so"


def test_a_renewal_whose_answer_was_lost_is_known_again() -> None:
    lease = LeaderLease("a").note_look("a 1", 0.0, 0.1)
    assert lease.choose_row_text("a 2", 20.0) == "a 3", "its own, whatever it remembers"


def test_a_leader_acts_for_a_while_after_its_last_renewal_began() -> None:
    lease = LeaderLease("a").note_look("a 1", 100.0, 102.0)
    assert lease.is_leader(100.0 + HOLD)
    assert not lease.is_leader(100.1 + HOLD)
    assert not lease.is_leader(99.0), "a clock that went back says nothing"
    assert not lease.note_look("b 2", 103.0, 104.0).is_leader(104.0)
    assert not lease.resign().is_leader(101.0)


def test_nonsense_in_the_row_is_followed_like_anybody() -> None:
    lease = LeaderLease("a").note_look("²", 0.0, 0.0)
    assert lease.choose_row_text("²", TERM) == "a 1"
