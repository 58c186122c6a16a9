"""Many matches at once: the start, memory with a thousand of them, and twenty moves a second."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from random import Random

from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.errors import Json
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply
from tests.bench.figures import Sheet, median, percentile
from tests.bench.hall import Hall, Live

MATCHES, PEOPLE, SIZE, PLIES = 900, 60, 11, 20
PLAYED, A_SECOND, SECONDS = 100, 20, 30.0
STARTS = 3
READY = re.compile(rb"Ready as")
SQUARE = re.compile(r"You played \*\*(\w+)\*\*")


class Crowd:
    """Moves at a steady pace, whatever becomes of those before."""

    def __init__(self, hall: Hall, played: list[Live], rng: Random) -> None:
        self.hall = hall
        self.rng = rng
        self.free = list(played)
        self.answers: list[float] = []
        self.boards: list[float] = []
        self.wrong: list[str] = []
        self.asked: dict[str, float] = {}
        hall.sandbox.world.listeners.append(self._heard)

    def _heard(self, event: str, data: Json) -> None:
        if event == "MESSAGE_CREATE" and data["attachments"] and data["channel_id"] in self.asked:
            self.boards.append(time.perf_counter() - self.asked.pop(data["channel_id"]))

    async def play(self, a_second: float = A_SECOND, seconds: float = SECONDS) -> None:
        """Begin a move every so often."""
        under_way: list[asyncio.Task[None]] = []
        began = time.perf_counter()
        for number in range(int(seconds * a_second)):
            await asyncio.sleep(max(0.0, began + number / a_second - time.perf_counter()))
            if self.free:
                live = self.free.pop(self.rng.randrange(len(self.free)))
                under_way.append(asyncio.create_task(self._move(live)))
        await asyncio.gather(*under_way)

    async def _move(self, live: Live) -> None:
        square = live.square(self.rng)
        began = self.asked[live.thread] = time.perf_counter()
        try:
            reply = await live.mover.command("binary-primes move", live.thread, square=square)
        except (NoAnswerInTime, ClientRefusal) as fault:
            self.wrong.append(str(fault))
            return
        self.answers.append(time.perf_counter() - began)
        self._noted(live, square, reply)
        self.free.append(live)

    def _noted(self, live: Live, square: str, reply: BotReply) -> None:
        if SQUARE.match(reply.text):
            live.played(square)
        else:
            self.wrong.append(reply.text)


async def start(folder: Path) -> float:
    """Seconds from a new process to a bot that is ready."""
    async with Hall(folder) as hall:
        environment = hall.environment()
        began = time.perf_counter()
        command = (sys.executable, "-m", "bot", "run")
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=DEVNULL, stderr=PIPE)
        assert process.stderr
        try:
            async for line in process.stderr:
                if READY.search(line):
                    break
            return time.perf_counter() - began
        finally:
            process.kill()
            await process.wait()


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of load."""
    sheet.title("The bot's process")
    starts = [await start(folder / f"start-{number}") for number in range(STARTS)]
    sheet.add("start to ready in the sandbox", median(starts), "s", 2.0)
    async with Hall(folder / "load", reconcile=0.05) as hall:
        rng = Random(5)
        live = await hall.seat(hall.people(PEOPLE), MATCHES, SIZE, PLIES, rng)
        sheet.add(f"start with {MATCHES} live matches until heard", await hall.serve("tests.bench.subject"), "s")
        began = time.perf_counter()
        boards = Boards(hall, {one.thread for one in live})
        await hall.sandbox.wait_for(lambda world: not boards.missing, 120)
        sheet.add(f"{MATCHES} boards that nobody had been shown, until all are", time.perf_counter() - began, "s")
        sheet.add(f"memory after {MATCHES} live matches", (await hall.report())["mebibytes"], "MiB", 250)
        await under_load(sheet, hall, live[:PLAYED], rng)


class Boards:
    """Which threads have no board yet."""

    def __init__(self, hall: Hall, threads: set[str]) -> None:
        self.missing = threads
        hall.sandbox.world.listeners.append(self._heard)

    def _heard(self, event: str, data: Json) -> None:
        if event == "MESSAGE_CREATE" and data["attachments"]:
            self.missing.discard(data["channel_id"])


async def under_load(sheet: Sheet, hall: Hall, live: list[Live], rng: Random) -> None:
    """Play at a steady pace, and look at how it went."""
    sheet.title(f"{A_SECOND} moves a second over {len(live)} of them for {SECONDS:g} s, the bot in its own process")
    crowd, asked = Crowd(hall, live, rng), hall.tally()
    began = time.perf_counter()
    await crowd.play()
    took = time.perf_counter() - began
    report = await hall.report()
    for route, times in sorted(asked.counted(began).items()):
        if times > len(crowd.answers) / 10:
            sheet.add(f"{route}, for each move", times / len(crowd.answers))
    sheet.add("processor time of a move with its board", report["busy"] / len(crowd.answers) * 1e3, "ms")
    sheet.add("moves a second", len(crowd.answers) / took, "1/s")
    sheet.add("moves without an answer, or refused", len(crowd.wrong), "", 0)
    sheet.add("answer, p50", median(crowd.answers) * 1e3, "ms")
    sheet.add("answer, p99", percentile(crowd.answers, 99) * 1e3, "ms", 500)
    sheet.add("answer, slowest", max(crowd.answers) * 1e3, "ms", 2500)
    sheet.add("board, p50", median(crowd.boards) * 1e3, "ms")
    sheet.add("board, p99", percentile(crowd.boards, 99) * 1e3, "ms")
    sheet.add("event loop's lag, p50", report["lag"]["p50"] * 1e3, "ms")
    sheet.add("event loop's lag, p99", report["lag"]["p99"] * 1e3, "ms", 100)
    sheet.add("memory afterwards", report["mebibytes"], "MiB", 250)
    for sentence in sorted(set(crowd.wrong)):
        sheet.title(f"    {crowd.wrong.count(sentence)} × {sentence}")
