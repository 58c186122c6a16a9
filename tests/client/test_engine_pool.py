"""The engine pool: processes answer, are replaced when they die, hang or print nonsense, and leave no child behind."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from textwrap import dedent

import pytest

from bot.engine.levels import SearchQuestion
from bot.engine.search import answer_question
from bot.engine.worker import NICENESS
from bot.features.computer import service as computer_service
from bot.features.computer.service import ComputerDisabled, EnginePool, EngineProcess, SearchFailed
from bot.games.catalogue import load_games
from bot.games.mind import Budget
from bot.platform.jobs import JobPriority
from tests.support.waiting import until

pytestmark = pytest.mark.sockets  # They are real processes, in real time.

LOWEST = 19
"""No process yields more."""
PLAYED = "runpy.run_module('bot.engine.worker', run_name='__main__')"
FORBIDDEN = ("discord", "sqlalchemy", "PIL", "asyncio", "aiohttp", "bot.umpire", "bot.features", "bot.platform", "data")


def question(seed: str = "12:0:1:3", playouts: int = 8) -> SearchQuestion:
    game = load_games()["plexus"]
    start = game.start(game.configure({"size": 3}, 2), 2)
    return SearchQuestion("plexus", start.seen_by(1), 1, Budget(playouts, 0), seed)


def first(marker: Path, does: str) -> tuple[str, ...]:
    """A worker of which the first does something else than it should, and says so by a file."""
    script = f"""
        import os, pathlib, runpy, signal, sys, time
        marker = pathlib.Path({str(marker)!r})
        if not marker.exists():
            marker.touch()
            sys.stdin.buffer.read(4)
            {does}
            os._exit(0)
        {PLAYED}
    """
    return sys.executable, "-c", dedent(script)


def saying(what: str) -> tuple[str, ...]:
    """A worker that answers every question with a failure that says something of itself."""
    script = f"""
        import os, pickle, sys
        from bot.engine import worker
        from bot.engine.levels import SearchFailure
        output = worker.take_output()
        worker.limit_process()
        while question := worker.read_message(sys.stdin.buffer):
            worker.answer_message(question)
            worker.write_message(output, pickle.dumps(SearchFailure(repr({what}))))
    """
    return sys.executable, "-c", dedent(script)


class Kept:
    """Pools that are closed at the end of a test."""

    def __init__(self) -> None:
        self.pools: list[EnginePool] = []

    def __call__(self, many: int = 1, command: tuple[str, ...] = computer_service.COMMAND) -> EnginePool:
        self.pools.append(EnginePool(many, lambda: EngineProcess.start(command)))
        return self.pools[-1]


@pytest.fixture
async def pool() -> AsyncGenerator[Kept]:
    kept = Kept()
    yield kept
    for one in kept.pools:
        await one.close()


async def test_the_answer_is_that_of_the_same_search_here(pool: Kept) -> None:
    asked = question()
    assert await pool().think(asked) == answer_question(asked)


def test_a_search_of_a_kind_that_was_never_measured_is_not_taken_to_need_more_than_any_does() -> None:
    # What is taken to need long lets others pass for a multiple of that, so the first hint of a game would wait.
    unknown = [EnginePool(1).estimate_seconds(question(playouts=playouts)) for playouts in (1_000, 46_000)]
    assert unknown[0] < unknown[1] == computer_service.UNMEASURED


async def test_without_processes_the_refusal_says_so(pool: Kept) -> None:
    with pytest.raises(ComputerDisabled, match="switched it off"):
        await pool(0).think(question())


@pytest.mark.long
@pytest.mark.parametrize(
    ("does", "heard"),
    [
        ("sys.exit('no more')", "status 1 and said 'no more'"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "status -9"),
        ("os.write(1, b'answer: c4' * 100)", "any length"),
        ("os.write(1, (4).to_bytes(4) + b'c4c4')", "cannot be read"),
        ("os.write(1, (5).to_bytes(4) + b'\\x80\\x04K\\x01.')", "answers with int"),
        ("os.write(1, (90).to_bytes(4) + b'half')", "status 0"),
    ],
)
async def test_a_search_that_is_lost_is_begun_again(
    pool: Kept, folder: Path, caplog: pytest.LogCaptureFixture, does: str, heard: str
) -> None:
    asked = question()
    assert await pool(1, first(folder / "marker", does)).think(asked) == answer_question(asked)
    assert heard in caplog.text


@pytest.mark.long
async def test_a_search_that_hangs_is_begun_again(
    pool: Kept, folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slow the machine, a process that does not hang will not be taken for one.
    marker, patient = folder / "marker", computer_service.STILL
    monkeypatch.setattr(computer_service, "STILL", 0.5)
    monkeypatch.setattr(computer_service, "TRIES", 100)

    async def begun() -> EngineProcess:
        if marker.exists():
            monkeypatch.setattr(computer_service, "STILL", patient)
        return await EngineProcess.start(first(marker, "signal.pause()"))

    one = EnginePool(1, begun)
    pool.pools.append(one)
    asked = question()
    assert await one.think(asked) == answer_question(asked)
    assert "it hangs" in caplog.text


async def test_one_that_dies_every_time_is_given_up_by_name(pool: Kept, caplog: pytest.LogCaptureFixture) -> None:
    dead = pool(1, (sys.executable, "-c", "raise SystemExit(3)"))
    with pytest.raises(SearchFailed, match="Try again later"):
        await dead.think(question())
    assert caplog.text.count("is lost") == computer_service.TRIES and dead.processes == {}


async def test_one_that_cannot_be_started_is_given_up_by_name(pool: Kept, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(SearchFailed):
        await pool(1, ("/nowhere/at/all",)).think(question())
    assert "could not be started, FileNotFoundError" in caplog.text


@pytest.mark.long
async def test_an_error_of_the_search_is_answered_without_what_was_played(
    pool: Kept, caplog: pytest.LogCaptureFixture
) -> None:
    wrong, right = SearchQuestion("plexus", question().position, 7, Budget(8, 9), "secret"), question()
    one = pool()
    with pytest.raises(SearchFailed):
        await one.think(wrong)
    assert "failed: " in caplog.text and "secret" not in caplog.text
    (process,) = one.processes
    assert await one.think(right) == answer_question(right)
    assert [*one.processes] == [process]


@pytest.mark.long
async def test_a_process_that_died_while_it_had_nothing_to_do_is_replaced(pool: Kept) -> None:
    one = pool()
    await one.think(question())
    (process,) = one.processes
    assert isinstance(process, EngineProcess)
    os.kill(process.process.pid, signal.SIGKILL)
    asked = question("12:1:1:3")
    assert await one.think(asked) == answer_question(asked)


@pytest.mark.long
async def test_hints_of_somebody_come_before_moves_and_moves_before_reviews(pool: Kept) -> None:
    one, came = pool(), list[str]()

    async def think(name: str, order: JobPriority) -> None:
        await one.think(question(name), order)
        came.append(name)

    begun = asyncio.create_task(think("first", JobPriority.REVIEW))
    await asyncio.sleep(0)
    rest = [
        ("review", JobPriority.REVIEW),
        ("hint", JobPriority.HINT),
        ("move", JobPriority.MOVE),
        ("later", JobPriority.MOVE),
    ]
    await asyncio.gather(begun, *(think(name, order) for name, order in rest))
    assert came == ["first", "hint", "move", "later", "review"]


@pytest.mark.long
async def test_a_caller_who_stops_waiting_leaves_the_queue_and_holds_up_nobody(pool: Kept) -> None:
    one = pool()
    waiting = [asyncio.create_task(one.think(question(str(number)))) for number in range(4)]
    await asyncio.sleep(0)
    for left in waiting[:3]:
        left.cancel()
    assert await waiting[3] == answer_question(question("3"))
    assert await one.think(question("4")) == answer_question(question("4"))
    assert len(one.processes) == 1


@pytest.mark.long
async def test_what_is_asked_again_needs_no_search(pool: Kept) -> None:
    one = pool()
    found = await one.think(question())
    await one.close()
    one.many = 1
    assert await one.think(question()) is found and one.processes == {}


async def test_a_process_knows_no_token(
    pool: Kept, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "very.secret.token")
    with pytest.raises(SearchFailed):
        await pool(1, saying("dict(os.environ)")).think(question())
    assert "PYTHONHASHSEED" in caplog.text
    assert "very.secret.token" not in caplog.text and "DISCORD" not in caplog.text


async def test_a_process_yields_and_is_bounded(pool: Kept, caplog: pytest.LogCaptureFixture) -> None:
    what = "(os.nice(0), *__import__('resource').getrlimit(__import__('resource').RLIMIT_AS))"
    with pytest.raises(SearchFailed):
        await pool(1, saying(what)).think(question())
    assert f"failed: ({min(os.nice(0) + NICENESS, LOWEST)}, {1 << 30}, " in caplog.text


def test_a_process_loads_only_what_thinks() -> None:
    script = """
        import sys
        from bot.engine import worker
        worker.load_games()
        print(*sys.modules)
    """
    loaded = subprocess.run([sys.executable, "-c", dedent(script)], capture_output=True, text=True, check=True)
    modules = set(loaded.stdout.split())
    assert "bot.engine.search" in modules and "cogs.plexus.rules" in modules
    assert [name for name in FORBIDDEN if name in modules] == []


@pytest.mark.long
async def test_a_search_ends_with_the_bot_that_was_killed() -> None:
    script = f"""
        import asyncio
        from bot.features.computer.service import EnginePool
        from tests.client.test_engine_pool import question
        async def main():
            pool = EnginePool(1)
            search = asyncio.create_task(pool.think(question(playouts={10**9})))
            while not pool.processes:
                await asyncio.sleep(0.01)
            print(*(one.process.pid for one in pool.processes), flush=True)
            await search
        asyncio.run(main())
    """
    killed = await asyncio.create_subprocess_exec(
        sys.executable, "-c", dedent(script), stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert killed.stdout
    worker = int(await killed.stdout.readline())
    await until(lambda: (computer_service.read_cpu_ticks(worker) or 0) >= 50)  # it has loaded all, and searches
    killed.kill()
    await killed.wait()
    await until(lambda: ended(worker))


def ended(process: int) -> bool:
    """Whether a process is no more, though perhaps nobody has asked for its status."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
