"""The engine's processes, and the pool that uses them."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import bot as _bot
from bot.engine.levels import SearchFailure, SearchQuestion, Thought
from bot.platform.jobs import NOBODY, Asker, FairQueue, JobPriority, QueueSlot
from bot.platform.machine import loop_time
from bot.platform.metrics import Metrics
from bot.play.loaded_match import Refusal

# Handles one engine process for the pool: asks it, reads its answer, and ends it when it hangs or answers nonsense.


COMMAND = (sys.executable, "-m", "bot.engine.worker")
HOME = Path(_bot.__file__).parent.parent
NEEDED = ("PATH", "LD_LIBRARY_PATH", "PYTHONHOME", "PYTHONPATH")
"""The environment variables that a Python may need to be found and to find its parts."""
LENGTH, LONGEST = 4, 1 << 26
"""Bytes of a length prefix, and of an answer at most."""
STILL = 30.0
"""Seconds in which a process that searches must have used some processor time, or it counts as hanging. It yields to
all others, so on a busy machine that may be little; the total is limited by the process itself."""
LITTLE = 5
"""Ticks, usually a hundredth of a second, that count as no time."""
UNSEEN = 10
"""The factor of the wait where the system does not report a process's time."""
WORDS = 2000
"""The last bytes that are kept of a process's standard error."""


class SearchLost(Exception):
    """A search is lost: its process has ended, hangs, or gives an unreadable answer."""


class EngineProcess:
    """A process that searches."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._said = b""
        self._listening = asyncio.create_task(self._read_stderr())

    @classmethod
    async def start(cls, command: tuple[str, ...] = COMMAND) -> EngineProcess:
        """Start one, or raise `SearchLost`; in a session of its own, so that a Ctrl-C in the bot's terminal does not
        reach it."""
        given = {name: os.environ[name] for name in NEEDED if name in os.environ}
        # Sets of texts have the same order in every process, or equal questions might have other answers.
        given |= {"PYTHONHASHSEED": "0"}
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=HOME, env=given, start_new_session=True
            )
        except OSError as fault:
            raise SearchLost(f"it could not be started, {type(fault).__name__}") from fault
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether it is not known to have ended."""
        return self.process.returncode is None

    async def ask(self, question: SearchQuestion) -> Thought | SearchFailure:
        """The answer to a question, or `SearchLost`, after which the process is of no more use."""
        assert self.process.stdin
        message = pickle.dumps(question)
        try:
            self.process.stdin.write(len(message).to_bytes(LENGTH) + message)
            await self.process.stdin.drain()
        except OSError as fault:
            raise SearchLost(await self._terminate()) from fault
        reading = asyncio.create_task(self._read_answer())
        try:
            await self._watch(reading)
        finally:
            reading.cancel()
        return await reading

    async def _watch(self, reading: asyncio.Task[Any]) -> None:
        """Wait for an answer as long as the process works."""
        spent, still = read_cpu_ticks(self.process.pid), 0
        while not (await asyncio.wait((reading,), timeout=STILL))[0]:
            before, spent = spent, read_cpu_ticks(self.process.pid)
            if before is not None and spent is not None:
                still = still + UNSEEN if spent - before < LITTLE else 0
            else:
                still += 1
            if still >= UNSEEN:
                raise SearchLost("it hangs")

    async def _read_answer(self) -> Thought | SearchFailure:
        assert self.process.stdout
        try:
            length = int.from_bytes(await self.process.stdout.readexactly(LENGTH))
            if length > LONGEST:
                raise SearchLost("it answers at any length")
            found: object = pickle.loads(await self.process.stdout.readexactly(length))
        except (asyncio.IncompleteReadError, OSError) as fault:
            raise SearchLost(await self._terminate()) from fault
        except SearchLost:
            raise
        except Exception as fault:
            raise SearchLost(f"its answer cannot be read, {type(fault).__name__}") from fault
        if not isinstance(found, Thought | SearchFailure):
            raise SearchLost(f"it answers with {type(found).__name__}")
        return found

    async def _terminate(self) -> str:
        """How it ended, with the last line of its standard error."""
        self._kill()
        status = await self.process.wait()
        await asyncio.wait((self._listening,))
        lines = self._said.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        said = f"it ended with status {status} and said {last[:200]!r}"
        return said if last else f"it ended with status {status}"

    def _kill(self) -> None:
        # `Process.kill` would first poll whether it has ended, and take its status from the coroutine that waits for
        # it.
        if self.alive:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)

    async def _read_stderr(self) -> None:
        assert self.process.stderr
        while said := await self.process.stderr.read(WORDS):
            self._said = (self._said + said)[-WORDS:]

    async def close(self) -> None:
        """End it: it holds nothing that could be lost."""
        self._kill()
        assert self.process.stdout and self.process.stdin
        self.process.stdin.close()
        await self.process.wait()
        await asyncio.wait((self._listening,))
        await self.process.stdout.read()


def read_cpu_ticks(process: int) -> int | None:
    """The processor time that a process has used, on systems that report it."""
    try:
        # Behind the name, which is in brackets and may hold anything: state is the third field, times are 14 and 15.
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except (OSError, ValueError, IndexError):
        return None


# Runs the engine processes that search for the computer: started when first needed, each with one search at a time.


TRIES = 3
"""How often a search is started, when it is lost each time."""
KEPT = 64
"""The number of answers that are cached."""
GOODBYE = 1.0
"""Seconds for the processes to end when they are killed: the system may be slow."""
A_PLAYOUT, UNMEASURED = 0.0003, 4.0
"""The seconds of a playout before the searches of a game have been measured, and of the whole search at most."""
LATELY = 0.3
"""The weight of the latest search in the estimate of their seconds."""

log = logging.getLogger(__name__)


class ComputerDisabled(Refusal):
    """This host has switched the computer off."""


class SearchFailed(Refusal):
    """A search gave no answer."""


class StaleQuestion(Exception):
    """A question that is not needed any more: its match has changed while it waited."""


class Engine(Protocol):
    """What searches: usually a process."""

    @property
    def alive(self) -> bool:
        """Whether it is not known to have ended."""
        ...

    async def ask(self, question: SearchQuestion) -> Thought | SearchFailure:
        """The answer to a question; raises `SearchLost`."""
        ...

    async def close(self) -> None: ...


StartEngine = Callable[[], Awaitable[Engine]]
"""Starts an engine, or raises `SearchLost`."""
StillWanted = Callable[[], Awaitable[bool]]
"""Whether the answer is still needed."""


def search_kind(question: SearchQuestion) -> tuple[str, int]:
    """The key of searches that take about as long: those in one game, of about as many playouts."""
    return question.game, question.budget.playouts.bit_length()


class EnginePool:
    """A pool of at most `many` engine processes; none means that the computer does not play here."""

    def __init__(self, many: int, start: StartEngine = EngineProcess.start, metrics: Metrics | None = None) -> None:
        self.many = many
        self.start = start
        self.metrics = metrics or Metrics()
        self.processes: dict[Engine, None] = {}
        """All that run, whether they search or not."""
        self._idle: list[Engine] = []
        self._searches: dict[asyncio.Task[Thought], None] = {}
        self.queue = FairQueue(lambda: self.many)
        self._needed: dict[tuple[str, int], float] = {}
        """The recent seconds of searches, by game and magnitude of playouts."""
        self._kept: OrderedDict[SearchQuestion, Thought] = OrderedDict()

    async def think(
        self,
        question: SearchQuestion,
        order: JobPriority = JobPriority.MOVE,
        asker: Asker = NOBODY,
        still: StillWanted | None = None,
    ) -> Thought:
        """The move for a seat. Raises `ComputerDisabled` where engines are switched off, `SearchFailed` where none is
        found, `StaleQuestion` where the answer is not needed (`still`) any more when it is the question's turn."""
        if not self.many:
            raise ComputerDisabled("The computer doesn't play here, because this bot's host has switched it off.")
        if known := self._kept.get(question):
            return known
        began = loop_time()
        place = await self.queue.enter(asker, order, self.estimate_seconds(question), question)
        try:
            if still and loop_time() > began and not await still():
                raise StaleQuestion("The match has gone on.")
            search = asyncio.create_task(self._search(question))
        except BaseException:
            self.queue.leave(place)
            raise
        self._searches[search] = None
        search.add_done_callback(lambda ended: self._finish_search(ended, place))
        return await asyncio.shield(search)

    def estimate_seconds(self, question: SearchQuestion) -> float:
        """About how many seconds a search takes, from earlier ones."""
        return self._needed.get(search_kind(question), min(question.budget.playouts * A_PLAYOUT, UNMEASURED))

    def _record_duration(self, question: SearchQuestion, seconds: float) -> None:
        before = self._needed.get(search_kind(question), seconds)
        self._needed[search_kind(question)] = before + LATELY * (seconds - before)
        self.metrics.observe_search(question.seed, seconds)

    def _finish_search(self, search: asyncio.Task[Thought], place: QueueSlot) -> None:
        del self._searches[search]
        if not search.cancelled():
            search.exception()  # marked as retrieved: its callers may be cancelled
        self.queue.leave(place)

    async def _search(self, question: SearchQuestion) -> Thought:
        """Search, again where a search is lost."""
        began = loop_time()
        for _ in range(TRIES):
            try:
                found = await self._search_once(question)
            except SearchLost as lost:
                log.warning("A search in %s is lost: %s.", question.game, lost)
                continue
            if isinstance(found, SearchFailure):
                log.error("A search in %s failed: %s.", question.game, found.what)
                break
            self._cache_answer(question, found)
            self._record_duration(question, loop_time() - began)
            return found
        raise SearchFailed("The computer can't find a move here. Try again later.")

    async def _search_once(self, question: SearchQuestion) -> Thought | SearchFailure:
        """Search once, in an idle process or a new one."""
        one = next((idle for idle in self._idle if idle.alive), None) or await self.start()
        self._idle = [idle for idle in self._idle if idle is not one and idle.alive]
        self.processes[one] = None
        try:
            found = await one.ask(question)
        except BaseException:
            self.processes.pop(one, None)
            await one.close()
            raise
        self._idle.append(one)
        return found

    def _cache_answer(self, question: SearchQuestion, found: Thought) -> None:
        self._kept[question] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    async def close(self) -> None:
        """End all searches and their processes."""
        self.many = 0
        for search in self._searches:
            search.cancel()
        ending = [*self._searches, *(asyncio.create_task(one.close()) for one in self.processes)]
        if ending:
            await asyncio.wait(ending, timeout=GOODBYE)
        self.processes.clear()
