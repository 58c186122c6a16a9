"""Twenty people open pictures and lists as fast as the bot lets them, while others play.

What one looks at is what costs the bot most: the gallery, own boards of ever other matches, lists, what is offered
while typing. Nobody who plays is to notice.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from random import Random
from typing import Protocol

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.bench.figures import Sheet, median, percentile
from tests.bench.hall import Hall, Live
from tests.bench.load import Boards, Crowd

LOOKING, AT_ONCE, A_SECOND = 20, 20, 2.0
"""So many people, each of whom asks for so much at the beginning, and then for so much a second."""
PLAYED, MOVES_A_SECOND, SECONDS, QUIET = 40, 5, 20.0, 8.0
SHOWN, SIZE, PLIES = 400, 11, 30
"""Matches to look at, none of which anybody has looked at before."""
WAIT = "That was a lot at once"

Look = Callable[[Person, Live], Awaitable[object]]
LOOKS: Mapping[str, Look] = {
    "/games": lambda person, live: person.command("games"),
    "/match board": lambda person, live: person.command("match board", live.thread, match=live.number),
    "/leaderboard": lambda person, live: person.command("leaderboard"),
    "/profile": lambda person, live: person.command("profile"),
    "/matches all here": lambda person, live: person.command("matches", which="all here"),
    "/… rules": lambda person, live: person.command("within-the-curve rules"),
    "typing": lambda person, live: person.complete("move", "line", live.thread, line=""),
}


class Lookers:
    """People who ask for one thing after another, whatever becomes of what they asked for before."""

    def __init__(self, people: list[Person], matches: list[Live], looks: list[Look]) -> None:
        self.people = people
        self.matches = matches
        self.looks = looks
        self.came: Counter[str] = Counter()
        self.times: list[float] = []

    async def go_on(self) -> None:
        """All of them at once, until they are stopped."""
        await asyncio.gather(*(self._looks(person, Random(index)) for index, person in enumerate(self.people)))

    async def _looks(self, person: Person, rng: Random) -> None:
        number = 0
        async with asyncio.TaskGroup() as asked:
            while True:
                asked.create_task(self._look(person, self.looks[number % len(self.looks)], rng.choice(self.matches)))
                number += 1
                await asyncio.sleep(1 / A_SECOND if number > AT_ONCE else 0)

    async def _look(self, person: Person, look: Look, live: Live) -> None:
        began = time.perf_counter()
        try:
            answer = await look(person, live)
        except NoAnswerInTime:
            self.came["not answered"] += 1
            return
        except ClientRefusal as fault:
            self.came[str(fault)] += 1
            return
        refused = WAIT in str(getattr(answer, "text", ""))
        self.came["too fast" if refused else "answered"] += 1
        if not refused:
            self.times.append(time.perf_counter() - began)


async def played(hall: Hall, live: list[Live], rng: Random, seconds: float) -> Crowd:
    """Others' moves for a while."""
    crowd = Crowd(hall, live, rng)
    await crowd.play(MOVES_A_SECOND, seconds)
    return crowd


class Going(Protocol):
    """People who do something beside those who play."""

    async def go_on(self) -> None:
        """All of them at once, until they are stopped."""


async def crowded(hall: Hall, live: list[Live], looking: Going, rng: Random) -> Crowd:
    """Others' moves while people look at much."""
    looks = asyncio.create_task(looking.go_on())
    try:
        return await played(hall, live, rng, SECONDS)
    finally:
        looks.cancel()
        await asyncio.gather(looks, return_exceptions=True)


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of those who play."""
    rng = Random(7)
    async with Hall(folder / "crowded", reconcile=0.05) as hall:
        players, lookers = hall.people(2 * PLAYED + LOOKING)[: 2 * PLAYED], hall.people(2 * PLAYED + LOOKING)
        lookers = lookers[2 * PLAYED :]
        live = [one for pair in zip(players[::2], players[1::2], strict=True)
                for one in await hall.seat(pair, 1, SIZE, PLIES, rng)]  # fmt: skip
        shown = await hall.seat(lookers, SHOWN, SIZE, PLIES, rng)
        await hall.serve("tests.bench.subject")
        boards = Boards(hall, {one.thread for one in live + shown})
        await hall.sandbox.wait_for(lambda world: not boards.missing, 120)
        sheet.title(f"{MOVES_A_SECOND} moves a second, nobody else there")
        quiet = await played(hall, live, rng, QUIET)
        told(sheet, quiet)
        for names in (["/games"], ["/match board"], list(LOOKS)):
            sheet.title(f"The same beside {LOOKING} people who ask for {', '.join(names)}")
            looking = Lookers(lookers, shown, [LOOKS[name] for name in names])
            await hall.report()
            crowd = await crowded(hall, live, looking, rng)
            told(sheet, crowd, 500)
            report = await hall.report()
            sheet.add("event loop's lag, p99", report["lag"]["p99"] * 1e3, "ms")
            sheet.add("looks answered, p50", median(looking.times or [0]) * 1e3, "ms")
            for what, count in sorted(looking.came.items()):
                sheet.add(f"looks {what}", count)
            sheet.add("memory", report["mebibytes"], "MiB")
            await asyncio.sleep(QUIET)


def told(sheet: Sheet, crowd: Crowd, limit: float | None = None) -> None:
    """How it went for those who played."""
    answers, boards = crowd.answers or [60.0], crowd.boards or [60.0]
    sheet.add("a move's answer, p50", median(answers) * 1e3, "ms")
    sheet.add("a move's answer, p99", percentile(answers, 99) * 1e3, "ms", limit)
    sheet.add("a move's board, p99", percentile(boards, 99) * 1e3, "ms", limit)
    sheet.add("moves without an answer, or refused", len(crowd.wrong), "", None if limit is None else 0)
    for sentence in sorted(set(crowd.wrong)):
        sheet.title(f"    {crowd.wrong.count(sentence)} × {sentence}")
