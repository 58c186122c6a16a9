"""The watchdog ends a process whose event loop is held up for good, and no other."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

from bot.host import serving
from bot.host.serving import APART, LOOK, SILENT, STUCK, Watchdog


class Ended(Exception):
    """The process would have ended here."""


def ended(sentence: str) -> None:
    raise Ended(sentence)


@pytest.fixture
def dog() -> Watchdog:
    return Watchdog(3 * LOOK, ended)


def test_a_loop_that_runs_is_left_alone(dog: Watchdog) -> None:
    for _ in range(100):
        dog.note_loop_ran(LOOK)
        dog.note_heartbeat(connected=True)
        dog.look()
        dog.look()
        dog.look()


def test_a_loop_that_is_held_up_ends_the_process(dog: Watchdog) -> None:
    dog.look()
    dog.look()
    dog.look()
    with pytest.raises(Ended, match="hasn't run for 3 s"):
        dog.look()


def test_a_loop_that_comes_back_in_time_is_forgiven(dog: Watchdog) -> None:
    for _ in range(10):
        dog.note_loop_ran(LOOK)
        for _ in range(3):
            dog.look()


def test_heartbeats_that_come_no_more_ends_the_process(dog: Watchdog) -> None:
    with pytest.raises(Ended, match="no heartbeat for 181 s"):
        for _ in range(int(SILENT) + 2):
            dog.note_loop_ran(1)


def test_a_connection_that_never_comes_back_ends_the_process_in_the_end(dog: Watchdog) -> None:
    dog.note_heartbeat(connected=True)
    for _ in range(int(APART / 20)):
        dog.note_loop_ran(20)
        dog.note_heartbeat(connected=False)
    with pytest.raises(Ended, match="Discord hasn't been connected for 1820 s"):
        dog.note_loop_ran(20)


def test_a_database_that_is_away_is_no_reason_to_end(dog: Watchdog) -> None:
    for _ in range(int(APART)):
        dog.note_loop_ran(20)
        dog.note_heartbeat(connected=True)  # whether the heartbeat was noted or not


def test_a_host_may_want_no_watchdog() -> None:
    dog = Watchdog(0, ended)
    dog.watch()
    for _ in range(100):
        dog.note_loop_ran(SILENT)


HELD_UP = """
    import asyncio, time
    from bot.host import serving

    serving.FEED, serving.LOOK = 0.02, 0.1

    def thinks_for_ever() -> None:
        time.sleep(600)

    async def main() -> None:
        dog = serving.Watchdog(0.5)
        beating = asyncio.create_task(serving.measure_lag(lambda _: None, dog.note_loop_ran))
        await asyncio.sleep(0.1)
        print("ran", flush=True)
        dog.watch()
        thinks_for_ever()

    asyncio.run(main())
"""


def test_a_process_that_is_held_up_ends_and_says_where() -> None:
    command = [sys.executable, "-c", dedent(HELD_UP)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (STUCK, "ran\n"), done.stderr
    assert done.stderr.startswith("The event loop hasn't run for ")
    assert "thinks_for_ever" in done.stderr, "a host can tell the authors where it hangs"


def test_what_it_waits_for_is_more_than_what_is_usual() -> None:
    from bot.platform.processes import HEARTBEAT
    from data.upkeep.health import APART_SECONDS

    assert SILENT > 4 * HEARTBEAT and APART > 10 * APART_SECONDS
    assert serving.STUCK not in (0, 1, 2), "an exit status of its own"
