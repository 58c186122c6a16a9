"""One member begins matches against level 6 as fast as the gate lets them, for two minutes: how long others wait for a
move of level 1 and for a hint.

Where the member has as many matches as they may, they resign one and begin the next, so that there is always more to
search than anybody can.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from pathlib import Path

from bot.sandbox import people
from bot.sandbox.people import BotReply, Person
from tests.bench.figures import Sheet, median, percentile
from tests.bench.hall import Hall

SECONDS, OTHERS, PAUSE = 120.0, 10, 4.0
"""How long it goes on, how many others play, and after how many seconds one of them begins a match."""
DEAR, USUAL = "not-divisors-not-multiples", "binary-primes"
"""What the member plays, where a search takes seconds, and what the others play."""
LONGEST = 60.0
"""Seconds after which what has not come is taken to come never."""
BEGUN = re.compile(r"Match (\d+) of .* has started")


class Steps:
    """When the bot passed which checkpoint of which match first after somebody asked."""

    def __init__(self) -> None:
        self.passed: defaultdict[tuple[str, int], asyncio.Event] = defaultdict(asyncio.Event)

    def heard(self, step: str, number: int, at: float) -> None:
        """The bot passed a checkpoint."""
        self.passed[step, number].set()

    async def until(self, step: str, number: int) -> None:
        """Wait until the bot has passed a checkpoint of a match, for so long at most."""
        try:
            await asyncio.wait_for(self.passed[step, number].wait(), LONGEST)
        except TimeoutError:
            return


async def begun(person: Person, game: str, level: int, seat: str, **options: int) -> int | None:
    """The number of a match against the computer that somebody begins, None where that is refused."""
    reply = await person.command(f"{game} challenge", "games", level=level, seat=seat, **options)
    found = BEGUN.match(reply.text)
    return int(found[1]) if found else None


async def floods(person: Person, made: list[int]) -> None:
    """Begin matches for ever: two of the gate's moves for each, and two to resign where there are too many."""
    live: list[int] = []
    while True:
        await asyncio.sleep(1)
        number = await begun(person, DEAR, 6, "opponent")
        if number is not None:
            live.append(number)
            made.append(number)
        elif live:
            await asyncio.sleep(1)
            asked: BotReply = await person.command("match resign", "games", match=live.pop(0))
            await person.press(asked.message, next(one.label for one in people.list_buttons(asked.message)))


async def waited(steps: Steps, person: Person) -> tuple[float, float]:
    """Seconds until somebody has a move of level 1, and until they have a hint in another match."""
    began = time.monotonic()
    number = await begun(person, USUAL, 1, "opponent", size=3)
    assert number is not None
    await steps.until("thought", number)
    move = time.monotonic() - began
    own = await begun(person, USUAL, 1, "me", size=3)
    assert own is not None
    began = time.monotonic()
    await person.command("match hint", "games", match=own)
    await steps.until("hinted", own)
    hint = time.monotonic() - began
    for one in (number, own):
        asked = await person.command("match resign", "games", match=one)
        await person.press(asked.message, next(one.label for one in people.list_buttons(asked.message)))
    return move, hint


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of it."""
    sheet.title(f"One member at the gate's full rate against level 6 for {SECONDS:g} s; {OTHERS} others play level 1")
    async with Hall(folder / "fair", reconcile=0.5) as hall:
        member, *others = hall.people(1 + OTHERS)
        steps, made = Steps(), list[int]()
        hall.heard = steps.heard
        await hall.serve("tests.bench.subject")
        flood = asyncio.create_task(floods(member, made))
        asking, began = list[asyncio.Task[tuple[float, float]]](), time.monotonic()
        while time.monotonic() - began < SECONDS:
            await asyncio.sleep(PAUSE)
            asking.append(asyncio.create_task(waited(steps, others[len(asking) % OTHERS])))
        found = await asyncio.gather(*asking)
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)
        sheet.add("matches that the member began", len(made))
        for name, times in zip(("a move of level 1", "a hint"), zip(*found, strict=True), strict=True):
            sheet.add(f"others wait for {name}, p50", median(times), "s")
            sheet.add(f"others wait for {name}, p99", percentile(times, 99), "s", 20)
