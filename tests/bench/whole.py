"""A whole move, one at a time: from the interaction to the board in the channel, beside a bot that only posts bytes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from bot.sandbox.errors import Json
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import World
from rendering.painter import paint
from tests.bench.figures import Sheet, median, percentile, seconds
from tests.bench.hall import Hall, Live
from tests.bench.pictures import LARGEST, PILLOW, encoded, matches
from tests.e2e.harness import form_of

MATCHES, ROUNDS, SETTLING = 12, 240, 12
"""So many matches that nobody acts faster than the bot lets people act."""
PARTS = {
    "gateway": "received",
    "find the match, rules": "decided",
    "write": "written",
    "commit": "committed",
    "answer": "answered",
    "send the line, draw and encode": "drawn",
    "send the board": "posted",
}


class Watch:
    """Notes when a picture is posted to a channel."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.posted: dict[str, float] = {}
        self.sandbox = sandbox
        sandbox.world.listeners.append(self._heard)

    def _heard(self, event: str, data: Json) -> None:
        if event == "MESSAGE_CREATE" and data["attachments"]:
            self.posted[data["channel_id"]] = time.monotonic()

    async def time(self, channel: str, act: Coroutine[Any, Any, Any]) -> tuple[float, float]:
        """Do something and wait for the picture it leads to; when it was begun and when that was posted."""
        self.posted.pop(channel, None)
        began = time.monotonic()
        doing = asyncio.ensure_future(act)
        at = await self.sandbox.wait_for(lambda world: self.posted.get(channel), 10)
        await doing
        return began, at


def has_board(world: World, thread: str) -> bool:
    """Whether a picture was posted to a thread."""
    return any(message["attachments"] for message in world.messages[thread].values())


async def by_command(live: Live, square: str, watch: Watch) -> tuple[float, float]:
    """A move by slash command."""
    return await watch.time(live.thread, live.mover.command("binary-primes move", live.thread, square=square))


async def by_form(live: Live, square: str, watch: Watch) -> tuple[float, float]:
    """A move by button and form; timed is what follows the form."""
    board = [message for message in live.mover.read_messages(live.thread) if message["attachments"]][-1]
    form = await form_of(live.mover, board)
    values = {"Square": square}
    return await watch.time(live.thread, live.mover.submit(form, values))


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of a whole move."""
    sheet.title(f"A whole move with its picture ({LARGEST}×{LARGEST}), one at a time, through the sandbox")
    rng = Random(3)
    match = matches(LARGEST, 1, rng)[0]
    image, picture = paint.paint_image(match.game.pictures(match.position)[0]), folder / "ready.png"
    picture.write_bytes(encoded(image, PILLOW))
    async with Hall(folder / "ours") as ours, Hall(folder / "plain") as plain:
        people = ours.people(2 * MATCHES)
        pairs = zip(people[::2], people[1::2], strict=True)
        played = [live for pair in pairs for live in await ours.seat(pair, 1, LARGEST, 0, rng)]
        await ours.serve("tests.bench.subject")
        await plain.serve("tests.bench.plain", str(picture))
        times = await alternate(ours, plain, played, rng, partial(encoded, image, PILLOW))
    base = median(times["bare"]) + median(times["plain"])
    sheet.add("Pillow's encoding + a bot that posts ready bytes, p50", base * 1e3, "ms")
    for way in ("command", "form"):
        middle = median(times[way])
        sheet.add(f"a move by {way}, p50", middle * 1e3, "ms")
        sheet.add(f"a move by {way} / encoding and posting alone", middle / base, "", 2.5)
        sheet.add(f"a move by {way}, p99 / p50", percentile(times[way], 99) / middle, "", 3.0)
    sheet.add("the line that tells of a move by command, p50", median(times["line"]) * 1e3, "ms")
    for part in PARTS:
        sheet.add(f"  of a move by command: {part}", median(times[part]) * 1e3, "ms")


async def alternate(
    ours: Hall, plain: Hall, played: list[Live], rng: Random, encode: Callable[[], bytes]
) -> dict[str, list[float]]:
    """A move in one of the matches and a picture of the plain bot by turns; seconds by name."""
    watch, other = Watch(ours.sandbox), Watch(plain.sandbox)
    steps: dict[str, float] = {}
    shown = asyncio.Event()

    def heard(step: str, number: int, at: float) -> None:
        steps[step] = at
        if step == "shown":
            shown.set()

    await ours.sandbox.wait_for(lambda world: all(has_board(world, live.thread) for live in played), 30)
    ours.heard = heard
    times: dict[str, list[float]] = {name: [] for name in ("plain", "bare", "command", "form", "line", *PARTS)}
    channel = plain.sandbox.channel("games")["id"]
    ann = plain.sandbox.person("Ann")
    for number in range(ROUNDS):
        live, way = played[number % len(played)], "form" if number // len(played) % 2 else "command"
        square = live.square(rng)
        shown.clear()
        act = by_form if way == "form" else by_command
        began, at = await act(live, square, watch)
        await asyncio.wait_for(shown.wait(), 10)
        live.played(square)
        since, until = await other.time(channel, ann.command("picture", channel))
        if number >= SETTLING:
            times[way].append(at - began)
            times["plain"].append(until - since)
            times["bare"].append(seconds(encode))
            if way == "command":
                times["line"].append(steps["told"] - began)
                passed = [began, *(steps[step] for step in PARTS.values())]
                for part, (before, after) in zip(PARTS, pairwise(passed), strict=True):
                    times[part].append(after - before)
        await asyncio.sleep(0.005)
    return times
