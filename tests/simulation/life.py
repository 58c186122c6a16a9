"""One life of the bot in a test: begun, killed at any moment, buried, and what it says in its log meanwhile.

The bot shares the test's process. So that it can die as a killed process does, every task that it begins is noted by
the context it inherits, and the only way to Discord is a connector that can be cut.
"""

from __future__ import annotations

import asyncio
import logging
import random
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager, suppress
from contextvars import Context, ContextVar
from typing import Any, NoReturn

import aiohttp
from sqlalchemy import Connection, event

from bot.app.client import GraphPaper, register
from bot.features.computer.service import EngineProcess
from bot.games.catalogue import load_games
from bot.host.machine import this_machine
from bot.host.serving import point_at
from bot.platform.machine import Machine
from bot.play.ids import ShardShare
from bot.sandbox.interactions import ANSWER_SECONDS
from bot.sandbox.stand_in import Sandbox
from bot.settings import Settings
from bot.umpire.umpire import Umpire
from data.engine.sqlite import SqliteDriver
from data.store import Store
from tests.simulation.inline_engine import InlineEngine
from tests.simulation.loop import NumberedTask, SimulatedLoop, place
from tests.simulation.network import LOOPBACK
from tests.support.waiting import ready_when_introduced, stop_hearts, until

PATIENCE = 40.0
"""Seconds after which something that does not come is taken to be lost."""
LONGEST_ANSWER = 30.0
"""Seconds for an answer, where a story in real time is not about Discord's three: a busy machine is no fault of the
bot."""
LAST_WORDS = 1.0
"""Seconds at the end of a story for answers that are under way."""
GRACE = 1.0
"""Seconds for a task to end that is cancelled when the bot has stopped."""
SHORT_LIVED = ("CommandTree", "discord-ui-", "discord.py", "unread")
"""What the names of those tasks begin with in which discord.py treats one event or interaction."""
SHOWING = ("JobQueue", "PublishQueue", "Cleanup", "ReminderSender")
"""The classes whose tasks show boards and send messages."""
OURS = ("bot.", "graphpaper.")
"""What the names of the bot's own loggers begin with."""
NO_NEWS = "voice will NOT be supported"

living: ContextVar[Life | None] = ContextVar("living", default=None)


class Life:
    """The bot from its start to its death; `tasks` are all that it began and did not end."""

    def __init__(
        self,
        sandbox: Sandbox,
        url: str,
        clock: Callable[[], int],
        reconcile: float,
        shards: str | None = None,
    ) -> None:
        self.tasks: set[asyncio.Task[Any]] = set()
        self.dead = False
        self.ended = False
        self.outlived: list[str] = []
        """The tasks that went on after it had stopped and they were cancelled."""
        self.connector = aiohttp.TCPConnector()
        self.sandbox = sandbox
        share, within = ShardShare.parse(shards) if shards else None, seconds_to_answer() - 0.5
        settings = Settings(
            token=sandbox.token, api=sandbox.api_url, gateway=sandbox.gateway_url, database=url, retry=0.01,
            reconcile=reconcile, answer_within=within, shards=share,
        )  # fmt: skip
        loop, machine, engine = asyncio.get_running_loop(), this_machine(), EngineProcess.start
        if isinstance(loop, SimulatedLoop):
            machine = Machine(loop.epoch_time, loop.time, f"simulated:{next(loop.numbers)}:0", processors=2)
            engine = InlineEngine.start
        self.store = Store(url, settings.share)
        self.address = f"shards {settings.share}" if settings.shards else LOOPBACK
        """From where it connects in simulated time."""
        umpire = Umpire(self.store, load_games(), clock, random.Random(1))
        self.client = GraphPaper(settings, umpire, machine, engine, connector=self.connector, **point_at(settings))
        if engine is EngineProcess.start:
            ready_when_introduced(self.client, sandbox)
        # What a story needs is drawn when it is asked for; all games' boards before each would take longer than most.
        self.client.warm_up = rested
        self.client.register = self.register

    async def begin(self, registered: bool = True) -> None:
        """Log in, and wait until the bot is ready and Discord knows its commands."""
        mark = living.set(self)
        self.running = asyncio.create_task(self.client.start(self.sandbox.token))
        living.reset(mark)
        online = asyncio.create_task(self.sandbox.wait_for(lambda _: self.sandbox.gateway.is_online, PATIENCE))
        await asyncio.wait((self.running, online), return_when=asyncio.FIRST_COMPLETED)
        if not online.cancel():
            online.exception()  # nobody was online in time; what follows says so
        assert not self.running.done(), f"the bot ended: {why_ended(self.running)}"
        await until(lambda: self.running.done() or self.client.is_ready())  # another bot may have been online before
        assert not self.running.done(), f"the bot ended: {why_ended(self.running)}"
        if registered:
            await asyncio.wait([self.client.loops.tasks["registering"]], timeout=PATIENCE)

    async def register(self) -> None:
        """Tell Discord of the commands if they have changed: this stand-in for it outlives the bot. Of processes with
        shards of their own the leader does it."""
        if not self.client.settings.share.is_whole:
            await self.client.presence.wait_until_leader()
        await register(self.client.tree, self.store, always=False)

    async def does(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Let the bot do something that nobody has asked it for, as one of its own tasks."""
        mark = living.set(self)
        task = asyncio.create_task(work)
        living.reset(mark)
        return await task

    def kill(self) -> None:
        """Die on the spot: nothing reaches Discord or the disk any more, and nothing that waits goes on."""
        if self.dead:
            return
        self.dead = True
        driver: Any = self.store.database.driver
        event.listen(driver.engine if isinstance(driver, SqliteDriver) else driver.engine.sync_engine, "commit", died)
        for connection in [] if isinstance(driver, SqliteDriver) else list(driver._open):
            connection.terminate()  # as the system does with those of a process that is gone
        self._cut = self.connector.close()
        for task in self.tasks - {asyncio.current_task()}:
            task.cancel()

    async def end(self) -> None:
        """Stop as a host stops the bot; or, if it is dead, give back what the end of a process gives back."""
        if self.dead:
            await self._cut
            await self._ended()
        self.ended = True
        await self.client.close()
        stop_hearts()
        await self.store.close()
        for task in tuple(self.tasks):
            task.cancel()  # as Python does once when the program is over
        if self.tasks and not self.dead:
            _, going_on = await asyncio.wait(tuple(self.tasks), timeout=GRACE)
            self.outlived = sorted(place(task) for task in going_on)
        await self._ended()

    async def _ended(self) -> None:
        for _ in range(int(PATIENCE)):
            if not self.tasks:
                return
            await asyncio.wait(tuple(self.tasks), timeout=1)
            for task in tuple(self.tasks):
                task.cancel()  # discord.py may take a cancellation for the end of a connection
        assert not self.tasks, "these tasks do not end: " + ", ".join(sorted(place(task) for task in self.tasks))

    def held(self) -> list[str]:
        """What discord.py keeps of views and forms: by which memory, and the tasks that wait for the end of a time."""
        connection: Any = self.client._connection  # pyright: ignore[reportPrivateUsage]  -- discord.py shows it nowhere
        store = connection._view_store
        kept = {"view": store._views, "message": store._synced_message_views, "form": store._modals}
        waiting = [task for task in self.tasks if "__timeout_task_impl" in repr(task.get_coro())]
        return [*(name for name, memory in kept.items() for _ in memory), *("task" for _ in waiting)]

    def queued(self) -> dict[str, int]:
        """How much waits in each of its memories: matches to be shown, searches, films to be drawn."""
        client: Any = self.client
        queue, searches, films = client.publisher.queue, client.engine_pool.queue, client.handlers.films.turns
        shown = {"jobs": queue.jobs.running, "wanted": queue._wanted, "channels": queue._lines}
        turns = {"searches": searches._waiting + searches._working, "films": films._waiting + films._working}
        return {name: len(memory) for name, memory in (shown | turns).items()}

    async def rest(self) -> None:
        """Let the bot hear that its last answers have arrived, unless one hangs: people have them before."""
        if not self.dead and not self.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(LAST_WORDS):
                    await self.idle()

    async def idle(self) -> None:
        """Wait until no interaction is being treated and no board is being shown."""
        while busy := [task for task in self.tasks if task.get_name().startswith(SHORT_LIVED)]:
            await asyncio.wait(busy)
        await self.client.publisher.queue.settle()


def source() -> str:
    """From where the bot connects that is at work."""
    life = living.get()
    return life.address if life else LOOPBACK


def noting(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
    context: Context | None = None,
    **about: Any,
) -> asyncio.Task[Any]:
    """A factory of tasks that notes those which a bot begins, and lets a dead one show no more boards."""
    kind: Any = NumberedTask if isinstance(loop, SimulatedLoop) else asyncio.Task
    task: asyncio.Task[Any] = kind(work, loop=loop, context=context, **about)
    life = context.get(living) if context else living.get()
    if life:
        life.tasks.add(task)
        task.add_done_callback(life.tasks.discard)
        if life.dead and getattr(work, "__qualname__", "").startswith(SHOWING):
            task.cancel()
    return task


def seconds_to_answer() -> float:
    """How long Discord waits for an answer in a story: three seconds, if they are simulated."""
    return ANSWER_SECONDS if isinstance(asyncio.get_running_loop(), SimulatedLoop) else LONGEST_ANSWER


def kill_this() -> None:
    """Kill the bot that is at work, with the task that it is at."""
    life, task = living.get(), asyncio.current_task()
    if life and task:
        life.kill()
        task.cancel()


def why_ended(running: asyncio.Task[Any]) -> str:
    """What a bot has ended with."""
    return "it was killed" if running.cancelled() else str(running.exception())


async def rested() -> None:
    """Draw nothing."""


def died(_connection: Connection) -> NoReturn:
    """Commit nothing any more."""
    raise Died


class Died(Exception):
    """The bot was killed; what a thread of its store was at is lost."""


class Listener(logging.Handler):
    """Hears the bot's steps and its complaints, and springs a trap at a step that it is told of."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.steps: list[str] = []
        self.complaints: list[logging.LogRecord] = []
        self.heard = asyncio.Event()
        self.trap: tuple[str, Callable[[], None]] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.hear: Callable[[str], None] = lambda _: None

    def emit(self, record: logging.LogRecord) -> None:
        """Note one line; what a thread of the store's says is noted in the event loop."""
        if self.loop and threading.current_thread() is not threading.main_thread():
            self.loop.call_soon_threadsafe(self.emit, record)
            return
        text = record.getMessage()
        if record.name.startswith(OURS):  # others name tasks, or say something once in a process
            self.hear(text)
        if record.name == "graphpaper.steps":
            self.steps.append(text)
            self.heard.set()
            if self.trap and text.startswith(self.trap[0]):
                (_, spring), self.trap = self.trap, None
                spring()
        elif record.levelno >= logging.WARNING and NO_NEWS not in text:
            self.complaints.append(record)

    @contextmanager
    def listening(self) -> Generator[None]:
        """Listen, with the bot saying each of its steps."""
        self.loop = asyncio.get_running_loop()
        root, steps = logging.getLogger(), logging.getLogger("graphpaper.steps")
        root.addHandler(self)
        steps.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            steps.setLevel(logging.NOTSET)
            root.removeHandler(self)
