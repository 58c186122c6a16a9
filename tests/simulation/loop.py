"""An event loop of simulated time: nothing is waited for, and a seed decides in which order tasks go on.

While a callback is ready, no time passes; when none is, the clock jumps to the next timer. Tasks that are ready at the
same moment go on in an order drawn by the seed, which asyncio leaves open as well; callbacks that are no tasks keep the
order in which they were asked for, which asyncio promises. There are no threads: what is given to an executor runs at
once. Servers and connections are in memory (`tests.simulation.network`).

The idea is FoundationDB's and TigerBeetle's: a program whose time, chance and input come from one seed repeats itself.
"""

from __future__ import annotations

import asyncio
import heapq
import random
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context
from itertools import count
from typing import Any

from tests.simulation.network import Network

BEGINNING = 1_767_600_000.0
"""The epoch second at which simulated time begins: 5 January 2026, 8:00 UTC."""
STEADY = 1000.0
"""What the steady clock shows then."""
RESOLUTION = 1e-6
"""Seconds; no pause is shorter."""
MOST = 10_000_000
"""More callbacks than any story needs."""
FEW = 100
"""How many cancelled timers are kept at least."""


class Stuck(Exception):
    """Nothing is ready and no timer is left: a deadlock."""


class Endless(Exception):
    """After `MOST` callbacks something must be going round in circles."""


class Numbered:
    """Has its number for a hash, so that the order of a set of tasks does not depend on where they lie in memory."""

    number: int

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other


class NumberedFuture(Numbered, asyncio.Future[Any]):
    """A future of a simulated loop."""

    def __init__(self, *, loop: SimulatedLoop) -> None:
        self.number = next(loop.numbers)
        super().__init__(loop=loop)


class NumberedTask(Numbered, asyncio.Task[Any]):
    """A task of a simulated loop."""

    def __init__(
        self, work: Coroutine[Any, Any, Any] | Generator[Any, None, Any], *, loop: SimulatedLoop, **about: Any
    ) -> None:
        self.number = next(loop.numbers)
        super().__init__(work, loop=loop, **about)


def numbered(loop: SimulatedLoop, work: Coroutine[Any, Any, Any], **about: Any) -> NumberedTask:
    """The usual factory of tasks."""
    return NumberedTask(work, loop=loop, **about)


class SimulatedLoop(asyncio.BaseEventLoop):
    """An event loop for one seed; without a seed, tasks go on in the order in which they became ready.

    Attributes: `steps` counts the callbacks that ran; `network` is what its servers and clients are connected by;
    `disk` gives the seconds that the database's file takes next, or raises what SQLite would; `written` is called after
    every transaction; `around` is what holds while it runs (`tests.simulation.machine`).
    """

    # What asyncio's base class has and its stubs do not tell.
    _ready: deque[asyncio.Handle]
    _stopping: bool
    _check_closed: Callable[[], None]

    def __init__(self, seed: int | None = None) -> None:
        self.numbers = count(1)
        self.around: Callable[[], AbstractContextManager[None]] = nullcontext
        self.now = STEADY
        super().__init__()
        self.seed = seed
        self.steps = 0
        self.network = Network(self)
        self.disk: Callable[[], float] = lambda: 0.0
        self.written: Callable[[], None] = lambda: None
        self._order = random.Random(seed) if seed is not None else None
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._dropped = 0
        self._alarm: tuple[int, Callable[[], object]] = (0, lambda: None)

    # --- time

    def time(self) -> float:
        """Seconds of the steady clock."""
        return self.now

    def epoch_time(self) -> float:
        """Seconds since the epoch."""
        return BEGINNING - STEADY + self.now

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call something at a moment of the steady clock; of two timers of one moment the first one comes first."""
        self._check_closed()
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self.numbers), timer))
        return timer

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """Call something in `delay` seconds."""
        # A pause too short for the clock to show would be one in which no time passes.
        pause = max(delay, RESOLUTION) if delay > 0 else 0.0
        return self.call_at(self.now + pause, callback, *args, context=context)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        self._dropped += 1
        if self._dropped > FEW and 2 * self._dropped > len(self._timers):
            self._timers = [timer for timer in self._timers if not timer[2].cancelled()]
            heapq.heapify(self._timers)
            self._dropped = 0

    # --- running

    def at_step(self, number: int, act: Callable[[], object]) -> None:
        """Do something just before the callback of some number; a later wish replaces this one."""
        self._alarm = (number, act)

    def run_forever(self) -> None:
        """Run until it is stopped."""
        with self.around():
            super().run_forever()

    def _run_once(self) -> None:
        ready = self._ready
        while self._timers and (
            self._timers[0][2].cancelled() or self._timers[0][0] <= self.now or not (ready or self._stopping)
        ):
            when, _, timer = heapq.heappop(self._timers)
            if timer.cancelled():
                self._dropped = max(0, self._dropped - 1)
                continue
            self.now = max(self.now, when)
            ready.append(timer)
        if not ready and not self._stopping:
            raise Stuck(self._waiting())
        batch = list(ready)
        ready.clear()
        for handle in self._mixed(batch):
            if not handle.cancelled():
                self.steps += 1
                if self.steps == self._alarm[0]:
                    self._alarm[1]()
                if self.steps == MOST:
                    raise Endless(self._waiting())
                handle._run()  # pyright: ignore[reportPrivateUsage]  -- as the base class does

    def _mixed(self, batch: list[asyncio.Handle]) -> list[asyncio.Handle]:
        """What is ready, with the tasks among it in an order that the seed draws."""
        if self._order is None or len(batch) < 2:
            return batch
        places = [index for index, handle in enumerate(batch) if goes_on(handle)]
        drawn = self._order.sample(places, len(places))
        mixed = list(batch)
        for place, source in zip(places, drawn, strict=True):
            mixed[place] = batch[source]
        return mixed

    def _waiting(self) -> str:
        tasks = sorted(asyncio.all_tasks(self), key=hash)
        return "these tasks wait:" + "".join(f"\n{place(task)}" for task in tasks)

    def _process_events(self, event_list: list[Any]) -> None:
        """There is nothing to poll."""

    def _write_to_self(self) -> None:
        """Nobody has to be woken up."""

    # --- tasks, futures, threads

    def create_future(self) -> asyncio.Future[Any]:
        """A future whose hash is a number."""
        return NumberedFuture(loop=self)

    def create_task(self, coro: Any, *, name: object = None, context: Context | None = None) -> asyncio.Task[Any]:
        """A task whose hash is a number."""
        self._check_closed()
        factory: Any = self.get_task_factory() or numbered
        return factory(self, coro, name=name, context=context)

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Run something at once, on this thread."""
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as fault:
            done.set_exception(fault)
        return done

    # --- connections

    async def create_server(self, protocol_factory: Any, host: Any = None, port: Any = None, **about: Any) -> Any:
        """A server in memory."""
        return self.network.listen(protocol_factory, port)

    async def sock_connect(self, sock: Any, address: Any) -> None:
        """Reach a server in memory; the socket itself stays unused."""
        self.network.reach(sock, address[1])

    async def create_connection(self, protocol_factory: Any, *_: Any, sock: Any = None, **about: Any) -> Any:
        """The connection for a socket that has reached a server."""
        return self.network.connect(protocol_factory, sock)


def place(task: asyncio.Task[Any]) -> str:
    """Where a task waits."""
    inner: Any = task.get_coro()
    frames: list[str] = []
    while inner is not None and (frame := getattr(inner, "cr_frame", None)):
        frames.append(f"{frame.f_code.co_qualname}:{frame.f_lineno}")
        inner = inner.cr_await
    return f"{task.get_name()} {' > '.join(frames)}"


def goes_on(handle: asyncio.Handle) -> bool:
    """Whether a callback is a task's next step."""
    return isinstance(getattr(getattr(handle, "_callback", None), "__self__", None), asyncio.Task)
