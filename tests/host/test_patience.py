"""A start waits for what is not up yet, for five minutes; what a person has to put right is said at once."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from bot.host import run
from bot.host.exit_status import Unreachable
from bot.settings import BadSettings, Settings
from data.engine.errors import Absent, Failing, NoRole, Starting, Unavailable

SERVER = Settings(token="a.b.c", api="http://127.0.0.1:1", database="postgresql://ann@db/matches")
FILE = Settings(token="a.b.c", api="http://127.0.0.1:1", database="sqlite:///matches.db")


class Failures:
    """A start that fails with each of these in turn, and then serves."""

    def __init__(self, *faults: Exception) -> None:
        self.left = [*faults]
        self.tries = 0

    async def serve(self, _: Settings) -> None:
        self.tries += 1
        if self.left:
            raise self.left.pop(0)


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses take no time."""
    monkeypatch.setattr(run, "FIRST_PAUSE", 0.0)


async def test_a_start_goes_on_when_everything_is_up(caplog: pytest.LogCaptureFixture) -> None:
    start = Failures(Absent(ConnectionRefusedError("refused")), Starting(), Unreachable("no route"))
    await run.serve_patiently(start.serve, SERVER)
    assert start.tries == 4
    said = [record.getMessage() for record in caplog.records]
    assert said[0].startswith("The database can't be used: no server answers at its address (refused).")
    assert said[2] == ("Discord can't be reached (no route): connect this machine to the internet. Trying again.")
    assert said[1] == "The database can't be used right now: it is starting, recovering or stopping. Trying again."


@pytest.mark.parametrize(
    ("fault", "settings"),
    [(NoRole(), SERVER), (Failing(), SERVER), (BadSettings("no"), SERVER), (Unavailable("locked"), FILE)],
)
async def test_what_does_not_pass_by_itself_is_not_waited_for(fault: Exception, settings: Settings) -> None:
    start = Failures(fault)
    with pytest.raises(type(fault)):
        await run.serve_patiently(start.serve, settings)
    assert start.tries == 1


async def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "PATIENCE", -1.0)
    with pytest.raises(Unreachable):
        await run.serve_patiently(Failures(Unreachable("no route")).serve, FILE)


async def test_a_clock_that_is_set_meanwhile_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 5.0, 1_800_000_000.0])
    monkeypatch.setattr(run, "wall_time", lambda: next(times))
    start = Failures()
    await run.serve_patiently(start.serve, Settings(token="a.b.c"))
    assert start.tries == 1


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
async def test_a_bot_that_waits_can_be_stopped(monkeypatch: pytest.MonkeyPatch, name: signal.Signals) -> None:
    monkeypatch.setattr(run, "FIRST_PAUSE", 200.0)
    start = Failures(Unreachable("no route"))
    asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), name)
    await run.serve_patiently(start.serve, FILE)
    assert start.tries == 1


async def test_what_stops_a_start_is_as_before_the_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGTERM)
    await run.serve_patiently(Failures(Unreachable("no route")).serve, FILE)
    assert signal.getsignal(signal.SIGTERM) == before
