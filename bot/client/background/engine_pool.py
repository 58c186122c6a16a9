"""Runs the engine processes that search for the computer: started when first needed, each with one search at a time.

A search is lost when its process dies, hangs or gives an unreadable answer; another process then repeats it, with the
same result. People take turns (`fair_queue`). A caller that is cancelled leaves the queue. A search that has begun is
finished all the same, and its answer is kept for a while, since the same question is often asked again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Protocol

from bot.client.background.engine_process import EngineProcess, Lost
from bot.client.runtime.fair_queue import NOBODY, Asker, FairQueue, Order, Place
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.metrics import Metrics
from bot.core.match.loaded_match import Refusal
from bot.search.thoughts import Failure, Question, Thought

TRIES = 3
"""How often a search is begun, when it is lost each time."""
KEPT = 64
"""So many answers are kept."""
GOODBYE = 1.0
"""Seconds for the processes to end when they are killed: the system may be slow."""
A_PLAYOUT, UNMEASURED = 0.0003, 4.0
"""Seconds that a playout is taken to need before the searches of a game have been measured, and the whole search at
most."""
LATELY = 0.3
"""How much the latest search counts in what searches are taken to need."""

log = logging.getLogger(__name__)


class NoComputer(Refusal):
    """This host lets no computer think."""


class NotThought(Refusal):
    """A search came to no answer."""


class Outdated(Exception):
    """A question that nobody asks any more: its match has gone on while it waited."""


class Engine(Protocol):
    """What searches: a process, as a rule."""

    @property
    def alive(self) -> bool:
        """Whether it is not known to have ended."""
        ...

    async def ask(self, question: Question) -> Thought | Failure:
        """The answer to a question, or `Lost`."""
        ...

    async def close(self) -> None:
        """End it."""
        ...


Start = Callable[[], Awaitable[Engine]]
"""Starts an engine, or raises `Lost`."""
Still = Callable[[], Awaitable[bool]]
"""Says whether somebody is still interested in an answer."""


def kind_of(question: Question) -> tuple[str, int]:
    """What searches take about as long as one: those in its game, of about as many playouts."""
    return question.game, question.budget.playouts.bit_length()


class EnginePool:
    """So many processes that think, at most; none means that the computer does not play here."""

    def __init__(self, many: int, start: Start = EngineProcess.start, metrics: Metrics | None = None) -> None:
        self.many = many
        self.start = start
        self.metrics = metrics or Metrics()
        self.processes: dict[Engine, None] = {}
        """All that run, whether they search or not."""
        self._idle: list[Engine] = []
        self._searches: dict[asyncio.Task[Thought], None] = {}
        self.queue = FairQueue(lambda: self.many)
        self._needed: dict[tuple[str, int], float] = {}
        """Seconds that searches have needed lately, by game and about how many playouts."""
        self._kept: OrderedDict[Question, Thought] = OrderedDict()

    async def think(
        self, question: Question, order: Order = Order.MOVE, asker: Asker = NOBODY, still: Still | None = None
    ) -> Thought:
        """The move for a seat. Raises `NoComputer` where engines are switched off, `NotThought` where none is found,
        `Outdated` where nobody is `still` interested when it is the question's turn."""
        if not self.many:
            raise NoComputer("The computer doesn't play here, because this bot's host has switched it off.")
        if known := self._kept.get(question):
            return known
        began = loop_time()
        place = await self.queue.enter(asker, order, self.needs(question), question)
        try:
            if still and loop_time() > began and not await still():
                raise Outdated("The match has gone on.")
            search = asyncio.create_task(self._found(question))
        except BaseException:
            self.queue.leave(place)
            raise
        self._searches[search] = None
        search.add_done_callback(lambda ended: self._ended(ended, place))
        return await asyncio.shield(search)

    def needs(self, question: Question) -> float:
        """About how many seconds a search takes, by those before."""
        return self._needed.get(kind_of(question), min(question.budget.playouts * A_PLAYOUT, UNMEASURED))

    def _measured(self, question: Question, seconds: float) -> None:
        before = self._needed.get(kind_of(question), seconds)
        self._needed[kind_of(question)] = before + LATELY * (seconds - before)
        self.metrics.searched(question.seed, seconds)

    def _ended(self, search: asyncio.Task[Thought], place: Place) -> None:
        del self._searches[search]
        if not search.cancelled():
            search.exception()  # its callers may have left
        self.queue.leave(place)

    async def _found(self, question: Question) -> Thought:
        """Search, again where a search is lost."""
        began = loop_time()
        for _ in range(TRIES):
            try:
                found = await self._searched(question)
            except Lost as lost:
                log.warning("A search in %s is lost: %s.", question.game, lost)
                continue
            if isinstance(found, Failure):
                log.error("A search in %s failed: %s.", question.game, found.what)
                break
            self._keep(question, found)
            self._measured(question, loop_time() - began)
            return found
        raise NotThought("The computer can't find a move here. Try again later.")

    async def _searched(self, question: Question) -> Thought | Failure:
        """Search once, in a process that waits for work or a new one."""
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

    def _keep(self, question: Question, found: Thought) -> None:
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
