"""Work in threads beside the event loop: its order, how much runs at once, and none that nobody waits for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from bot.features.board import match_pictures as rendering
from bot.features.board.match_pictures import Renderer
from bot.games.catalogue import load_games
from bot.platform.jobs import Rank, ThreadPool
from bot.play.match import Match
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.sockets  # They are real threads, in real time.

GAME = load_games()["binary-primes"]


class Bench:
    """A pool of some threads, and work that goes on until it is let go."""

    def __init__(self, threads: int) -> None:
        self.pool = ThreadPool(threads)
        self.done: list[str] = []
        self.gate = threading.Event()
        self.begun = 0

    def held(self) -> None:
        self.begun += 1
        assert self.gate.wait(PATIENCE)

    def noted(self, name: str) -> Callable[[], None]:
        return lambda: self.done.append(name)

    def ask(self, name: str, rank: Rank) -> asyncio.Task[None]:
        return asyncio.create_task(self.pool.do(self.noted(name), rank))


async def some_time() -> None:
    for _ in range(5):
        await asyncio.sleep(0.01)


async def test_players_go_first() -> None:
    bench = Bench(1)
    holding = asyncio.create_task(bench.pool.do(bench.held, Rank.MOVE))
    await until(lambda: bench.begun)
    ranks = {"idle": Rank.IDLE, "typing": Rank.TYPING, "look": Rank.LOOK, "other look": Rank.LOOK, "move": Rank.MOVE}
    asked = [bench.ask(name, rank) for name, rank in ranks.items()]
    await some_time()
    bench.gate.set()
    await asyncio.gather(holding, *asked)
    assert bench.done == ["move", "look", "other look", "typing", "idle"]
    bench.pool.close()


async def test_those_who_look_leave_a_thread_to_those_who_play() -> None:
    bench = Bench(3)
    looking = [asyncio.create_task(bench.pool.do(bench.held, Rank.LOOK)) for _ in range(10)]
    await until(lambda: bench.begun >= 2)
    await some_time()
    assert bench.begun == 2
    await bench.pool.do(bench.noted("move"), Rank.MOVE)
    assert bench.done == ["move"]
    bench.gate.set()
    await asyncio.gather(*looking)
    bench.pool.close()


async def test_what_nobody_waits_for_is_not_begun() -> None:
    bench = Bench(1)
    holding = asyncio.create_task(bench.pool.do(bench.held, Rank.MOVE))
    await until(lambda: bench.begun)
    asked = [bench.ask("dead", Rank.LOOK) for _ in range(5)] + [bench.ask("alive", Rank.LOOK)]
    await some_time()
    for dead in asked[:5]:
        dead.cancel()
    bench.gate.set()
    await asyncio.gather(holding, *asked, return_exceptions=True)
    await some_time()
    assert bench.done == ["alive"]
    # And a thread whose work nobody wants any more is not taken for free before it is.
    await bench.pool.do(bench.noted("last"), Rank.IDLE)
    bench.pool.close()


async def test_work_that_fails_fails_only_for_those_who_asked() -> None:
    pool = ThreadPool(2)
    with pytest.raises(ZeroDivisionError):
        await pool.do(lambda: 1 // 0, Rank.LOOK)
    assert await pool.do(lambda: 42, Rank.LOOK) == 42
    pool.close()


def test_work_that_outlives_its_event_loop_complains_of_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def stopped() -> Bench:
        bench = Bench(1)
        asyncio.create_task(bench.pool.do(bench.held, Rank.MOVE)).add_done_callback(lambda _: None)
        await until(lambda: bench.begun)
        bench.pool.close()
        return bench

    asyncio.run(stopped()).gate.set()
    for thread in threading.enumerate():
        if thread.name.startswith("worker"):
            thread.join(PATIENCE)
    assert caplog.text == ""


class Studio:
    """A renderer whose painters wait until they are let go; `painted` is what they have begun."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.renderer = Renderer(threads=2)
        self.painted: list[Any] = []
        self.gate = threading.Event()
        drawn = rendering.draw_position

        def painting(game: Any, seen: Any) -> Any:
            self.painted.append(seen)
            assert self.gate.wait(PATIENCE)
            return drawn(game, seen)

        monkeypatch.setattr(rendering, "draw_position", painting)


def position(size: int = 3) -> Any:
    return Match.start(GAME, {"size": size}, 2).position


async def test_one_drawing_for_all_who_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    studio = Studio(monkeypatch)
    waiting = [asyncio.create_task(studio.renderer.draw(GAME, position(), Rank.LOOK)) for _ in range(20)]
    await some_time()
    waiting[0].cancel()
    studio.gate.set()
    drawings = await asyncio.gather(*waiting[1:])
    assert all(drawing is drawings[0] for drawing in drawings)
    assert await studio.renderer.draw(GAME, position()) is drawings[0]
    assert len(studio.painted) == 1
    studio.renderer.close()


async def test_a_drawing_that_nobody_waits_for_any_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    studio = Studio(monkeypatch)
    asked = [asyncio.create_task(studio.renderer.draw(GAME, position(size), Rank.LOOK)) for size in (3, 5, 7, 9, 11)]
    await some_time()
    begun = len(studio.painted)
    for one in asked:
        one.cancel()
    await some_time()
    # Asked for anew, it is drawn.
    again = asyncio.create_task(studio.renderer.draw(GAME, position(11), Rank.LOOK))
    studio.gate.set()
    assert (await again).pngs
    assert len(studio.painted) == begun + 1
    studio.renderer.close()


async def test_players_do_not_wait_for_those_who_look_at_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    studio = Studio(monkeypatch)
    looking = [asyncio.create_task(studio.renderer.draw(GAME, position(size), Rank.LOOK)) for size in range(3, 12, 2)]
    await some_time()
    playing = asyncio.create_task(studio.renderer.draw(GAME, position(11)))
    await until(lambda: position(11) in studio.painted)
    studio.gate.set()
    await asyncio.gather(playing, *looking)
    studio.renderer.close()


async def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "MOST_BYTES", 60_000)
    renderer = Renderer(2)
    for match in [Match.start(GAME, {"size": size}, 2) for size in range(3, 12, 2)]:
        await renderer.draw(GAME, match.position)
    kept: Any = renderer._kept  # pyright: ignore[reportPrivateUsage]  -- what it holds is nobody else's
    assert 1 <= len(kept) < 5
    assert sum(drawing.weight for drawing in kept.values()) <= 60_000
    renderer.close()
