"""Counts the modules, functions and calls of a move, and its reads and writes of the store.

    python -m tests.bench --only way

Each way is gone twice in the sandbox with the whole bot, and the second time is told: by then everything is warm. It is
counted from what a person sends until the board is shown. A module counts if a function of it is called, in any thread;
the sandbox and the tests do not count. All modules are told, with those of the game, the pictures and the store, and
those under `bot/`, which have the limit: they are what somebody reads who follows a move. Of functions each counts
once; of calls those into another module.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bot.play import claims
from bot.play.ids import InteractionId, MatchId, UserId
from bot.sandbox.people import Person
from bot.sandbox.stand_in import Sandbox
from data.upkeep.upgrade import migrate
from tests.bench.figures import Sheet
from tests.e2e.harness import Harness, Played, form_of
from tests.simulation.life import LONGEST_ANSWER, Listener, noting

ROOT = Path(__file__).parents[2]
OURS = tuple(f"{ROOT}/{folder}/" for folder in ("bot", "cogs", "data", "rendering"))
NOT_OURS = f"{ROOT}/bot/sandbox/"
MOST_MODULES, MOST_READS, MOST_WRITES = 50, 2, 3
"""What a slash move is to get by with: modules under `bot/`, and transactions of the store."""
DAY = 86_400

Act = Callable[[], Awaitable[object]]


def ignored(_: MatchId) -> None:
    """Let no computer move."""


class Way:
    """Counts the modules that run and the transactions of the store, while it is `on`."""

    def __init__(self) -> None:
        self.on = False
        self.functions: set[CodeType] = set()
        self.calls = 0
        self.trips: Counter[str] = Counter()

    def called(self, frame: FrameType, event: str, _: object) -> None:
        """A function was called in any thread."""
        if not self.on or event != "call" or not is_ours(frame.f_code):
            return
        self.functions.add(frame.f_code)
        self.calls += frame.f_back is not None and frame.f_back.f_code.co_filename != frame.f_code.co_filename

    def begin(self) -> None:
        """Count from nothing."""
        self.functions.clear()
        self.trips.clear()
        self.calls, self.on = 0, True

    def follow(self, database: Any) -> None:
        """Count the transactions of a database."""
        for kind in ("read", "write"):
            setattr(database, kind, self._counting(kind, getattr(database, kind)))

    def _counting(self, kind: str, work: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        async def counted(*args: Any) -> object:
            self.trips[kind] += self.on
            return await work(*args)

        return counted

    def modules(self) -> list[str]:
        """The modules that have run, by their paths."""
        return sorted({one.co_filename.removeprefix(f"{ROOT}/") for one in self.functions})


def is_ours(code: CodeType) -> bool:
    """Whether a function is the product's, and has a name."""
    ours = code.co_filename.startswith(OURS) and not code.co_filename.startswith(NOT_OURS)
    return ours and not code.co_name.startswith("<")


class Walk:
    """Goes every way in a harness of its own and notes what it takes."""

    def __init__(self, sheet: Sheet, harness: Harness, way: Way) -> None:
        self.sheet, self.harness, self.way = sheet, harness, way
        self.shown: Any = None

    async def tell(self, name: str, act: Act, limited: bool = False) -> None:
        """Go a way once and add what it took to the sheet."""
        self.way.begin()
        await act()
        await self.harness.life.idle()
        self.way.on = False
        modules = self.way.modules()
        under_bot = sum(module.startswith("bot/") for module in modules)
        told = {
            "modules": (len(modules), None),
            "modules under bot/": (under_bot, MOST_MODULES),
            "functions": (len(self.way.functions), None),
            "calls into another module": (self.way.calls, None),
            "reads": (self.way.trips["read"], MOST_READS),
            "writes": (self.way.trips["write"], MOST_WRITES),
        }
        for what, (number, limit) in told.items():
            self.sheet.add(f"{name}: {what}", number, "", limit if limited else None)
        await self.harness.settled()

    async def warm(self, act: Act) -> None:
        """Go a way without counting."""
        await act()
        await self.harness.settled()

    async def go(self) -> None:
        """Every way, twice."""
        for last in (False, True):
            for way in (self._people, self._deadline, self._computer):
                await self._over(await way(last))

    async def _over(self, played: Played) -> None:
        """End a match, so that it takes no part in what follows."""
        umpire, harness = self.harness.life.client.umpire, self.harness
        harness.acts += 1
        if played.row.state == "live":
            nobody = UserId(int(harness.dora.id))
            await harness.life.does(
                umpire.act(
                    InteractionId(harness.acts),
                    MatchId(played.id),
                    nobody,
                    partial(claims.abort, manager=True, now=umpire.clock()),
                )
            )
            harness.life.client.publisher.request_publish(MatchId(played.id))
        await harness.settled()

    async def _step(self, name: str, act: Act, last: bool, limited: bool = False) -> None:
        await (self.tell(name, act, limited) if last else self.warm(act))

    async def _people(self, last: bool) -> Played:
        harness, played = self.harness, await self.harness.match(size=5)
        place = played.place
        by_game = partial(harness.ann.command, "binary-primes move", channel=place, square="b2")
        await self._step("a move by the game's command", by_game, last, limited=True)
        by_line = partial(harness.bea.command, "move", channel=place, line="a1")
        await self._step("a move by /move", by_line, last, limited=True)
        form = await form_of(harness.ann, (await played.fresh()).board)
        await harness.settled()
        await self._step("a move by form", lambda: harness.ann.submit(form, {"Square": "c3"}), last)
        await self._tap("a pad is opened", harness.bea, (await played.fresh()).board, "Move", last)
        await self._tap("a tap on it", harness.bea, self.shown, "d", last)
        await self._tap("a second tap", harness.bea, self.shown, "d4", last)
        await self._tap("a move by pad, the last tap", harness.bea, self.shown, "Play d4", last)
        return played

    async def _tap(self, name: str, person: Person, message: Any, label: str, last: bool) -> None:
        async def tap() -> None:
            self.shown = await person.press(message, label)

        await self._step(name, tap, last)

    async def _deadline(self, last: bool) -> Played:
        played = await self.harness.match(pace="1")
        for name, seconds in (("a deadline passes", DAY + 60), ("the seat is claimed by itself", 3 * DAY + 60)):
            await self.harness.run_due_acts(seconds)
            await self._step(name, self.harness.life.client.keep_time, last)
        return await played.fresh()

    async def _computer(self, last: bool) -> Played:
        played, client = await self.harness.against(), self.harness.life.client
        heard, client.umpire.computes = client.umpire.computes, ignored
        await played.move("b2")
        client.umpire.computes = heard

        async def answered() -> None:
            heard(played.row.id)
            await client.computer_player.settle()

        await self._step("a computer's move", answered, last)
        return played


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of every way."""
    sheet.title("The way of a move: our modules that run, and transactions of the store")
    way = Way()
    file = folder / "way.db"
    await migrate(f"sqlite:///{file}")
    asyncio.get_running_loop().set_task_factory(noting)
    threading.setprofile(way.called)
    sys.setprofile(way.called)
    try:
        with (listener := Listener()).listening():
            async with Sandbox(answer_seconds=LONGEST_ANSWER) as sandbox:
                harness = Harness(sandbox, file, listener, reconcile=3600.0)
                await harness.life.begin()
                way.follow(harness.life.store.database)
                await Walk(sheet, harness, way).go()
                await harness.life.end()
                await harness.store.close()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
