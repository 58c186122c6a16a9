"""Discord is silent or refuses about one match: nobody else waits for it, tries are paced, stopping is quick."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.platform.outbox import LONGEST_TURN
from bot.sandbox import people
from tests.e2e.harness import MESSAGES, Harness, labels
from tests.support.sampled import sampled

HOUR = 3600


@pytest.fixture
def reconcile() -> float:
    return 1.0


@sampled("stall", ["silence", "a limit"])
async def test_one_board_that_stalls_holds_up_no_other_work(harness: Harness, stall: str) -> None:
    """The reconciler is at a board that Discord does not take: a challenge expires, others are caught up."""
    harness.forgiven += ["could not be shown", "rate limited"]
    stalled, other = await harness.match(), await harness.match(harness.cem, harness.dora)
    waiting = await harness.challenge(harness.dora, opponent=harness.cem)
    harness.faults.fail_requests("POST", MESSAGES, 503)
    if stall == "silence":
        harness.faults.delay_requests("POST", MESSAGES, 30)
    else:
        harness.faults.rate_limit("POST", MESSAGES, retry_after=40)
    await harness.ann.command("binary-primes move", channel=stalled.place, square="b2")
    await harness.until(lambda: all(fault.times == 0 for fault in harness.faults.pending))
    harness.faults.fail_requests("POST", MESSAGES, 503)
    await harness.cem.command("binary-primes move", channel=other.place, square="b2")
    harness.clock.ahead = 49 * HOUR
    rest = harness.until(lambda: len(other.boards) == 2 and "expired" in people.text_of(waiting.lobby))
    (done, _) = await asyncio.wait((asyncio.create_task(rest),), timeout=20)
    assert done and len(stalled.boards) == 1, "others are served while this one is still waited for"


async def test_what_fails_is_tried_again_after_growing_pauses(harness: Harness) -> None:
    """And said in a line each time. When somebody acts, it is tried at once."""
    harness.forgiven.append("could not be shown and will be tried again")
    played = await harness.match()
    before, began = len(harness.sandbox.requests_of("POST", MESSAGES)), time.monotonic()
    harness.faults.fail_requests("POST", MESSAGES, 503, times=1000)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: len(harness.sandbox.requests_of("POST", MESSAGES)) - before >= 6)
    assert time.monotonic() - began > 0.3, "the first pause is of a hundredth of a second, and each twice the last"
    assert len(harness.complaints()) == 0
    assert all(record.exc_info is None for record in harness.listener.complaints)
    harness.faults.clear()
    await harness.bea.command("binary-primes move", channel=played.place, square="a1")
    await harness.life.idle()
    assert [labels(board) for board in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]


@pytest.mark.long
async def test_a_limit_on_all_requests_ends_though_we_gave_up_waiting(harness: Harness) -> None:
    """discord.py leaves it to the request that was told of it to go on, for all the others too."""
    harness.forgiven += ["could not be shown", "rate limit"]
    played = await harness.match()
    harness.faults.rate_limit("POST", MESSAGES, retry_after=LONGEST_TURN + 5, everywhere=True)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: len(played.boards) == 2)
    await harness.settled()
    assert harness.told(harness.bea) == 2


@pytest.mark.long
async def test_stopping_does_not_wait_for_what_hangs(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.delay_requests("POST", MESSAGES, 30, applied=True)
    harness.spare_the_line()
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: len(played.boards) == 2)
    stopping = asyncio.create_task(harness.life.end())
    await asyncio.wait((stopping,), timeout=10)
    assert stopping.done(), "Discord is silent for half a minute, a host waits for ten seconds"
    harness.faults.clear()
    await harness.restart()
    await harness.settled()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert harness.told(harness.bea) == 2
