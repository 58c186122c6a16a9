"""Fifty matches in which only computers play, on one processor beside people who play: how long a move of the computer
takes, what its process holds, and what the people notice of it.

Real matches against the computer wait for people most of the time; these wait for nobody, so somebody always searches.
"""

from __future__ import annotations

import asyncio
import os
import resource
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from bot.engine import levels
from bot.engine.levels import SearchQuestion
from bot.features.computer.service import EnginePool, EngineProcess
from bot.games.catalogue import load_games
from bot.play.ids import ChannelId, GuildId, UserId, make_computer_user
from bot.play.rows import NewMatch
from bot.sandbox.people import Person
from data.store import Store, Transaction
from tests.bench.crowded import MOVES_A_SECOND, played
from tests.bench.figures import Sheet, median, percentile
from tests.bench.hall import Hall
from tests.bench.load import Boards, Crowd
from tests.bench.underway import GAME

MATCHES, LEVEL, SIZE = 50, 3, 11
PLAYED, PLIES, SECONDS = 40, 20, 20.0


@contextmanager
def one_processor() -> Generator[None]:
    """Let what is started here run on one processor, where that can be said."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


async def searched(sheet: Sheet) -> None:
    """How long a move takes by itself, in every game in turn, at its usual options."""
    sheet.title(f"A move at level {LEVEL}, in each game at its start, by a process that searches")
    pool, times = EnginePool(1), list[float]()
    for key, game in load_games().items():
        seats = 2 if 2 in game.seats else game.seats[0]
        start = game.start(game.configure({}, seats), seats)
        seat = start.turn[0]
        seen = start.seen_by(seat)
        for seed in range(3):
            began = time.perf_counter()
            await pool.think(SearchQuestion(key, seen, seat, levels.make_budget(game, seen, LEVEL), f"{seed}"))
            times.append(time.perf_counter() - began)
    (process,) = pool.processes
    assert isinstance(process, EngineProcess)
    sheet.add("a move of the computer, p50", median(times[1:]) * 1e3, "ms")
    sheet.add("a move of the computer, p95", percentile(times[1:], 95) * 1e3, "ms", 5000)
    sheet.add("memory of the process after all games", resident(process.process.pid), "MiB", 256)
    await pool.close()


def resident(process: int) -> float:
    """The memory of a process in MiB; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * resource.getpagesize() / 2**20


class Moves:
    """When computers moved, by the checkpoints that the bot tells of."""

    def __init__(self, matches: set[int]) -> None:
        self.matches = matches
        self.begun: dict[int, float] = {}
        self.took: list[float] = []

    def heard(self, step: str, number: int, at: float) -> None:
        """The bot passed a checkpoint."""
        if number not in self.matches:
            return
        if step == "thinking":
            self.begun[number] = at
        elif step == "committed" and number in self.begun:
            self.took.append(at - self.begun.pop(number))


async def seat_computers(hall: Hall, host: Person) -> set[int]:
    """Matches of computers with each other; not live before somebody says so."""
    store, made, game = Store(hall.database), set[int](), load_games()[GAME]

    def written(tx: Transaction) -> None:
        for _ in range(MATCHES):
            thread, now = hall.thread("Binary Primes"), int(time.time())
            guild, channel, place = (int(thread[key]) for key in ("guild_id", "parent_id", "id"))
            new = NewMatch(
                GuildId(guild), ChannelId(channel), GAME, game.version, {"size": SIZE}, 2, "lot", False,
                UserId(int(host.id)), now,
            )  # fmt: skip
            number = tx.create(new)
            tx.leave(number, UserId(int(host.id)))
            for seat in (1, 2):
                tx.join(number, make_computer_user(LEVEL, seat))
                tx.set_player(number, make_computer_user(LEVEL, seat), seat=seat)
            tx.update(number, 1, state="live", started=now, turn=(1,), thinks=1, thread=ChannelId(place))
            made.add(number)

    await store.do(written)
    await store.close()
    return made


async def crowd(sheet: Sheet, hall: Hall, people: list[Person]) -> Crowd:
    """Matches of people, each of two who play nobody else, whose boards are there."""
    rng = Random(7)
    live = [one for pair in zip(people[::2], people[1::2], strict=True)
            for one in await hall.seat(pair, 1, SIZE, PLIES, rng)]  # fmt: skip
    with one_processor():
        await hall.serve("tests.bench.subject")
    boards = Boards(hall, {one.thread for one in live})
    await hall.sandbox.wait_for(lambda world: not boards.missing, 120)
    sheet.title(f"{MOVES_A_SECOND} moves a second by people, the bot on one processor, no computer plays")
    quiet = await played(hall, live, rng, SECONDS)
    told(sheet, quiet, (await hall.report())["lag"]["p99"])
    return quiet


def told(sheet: Sheet, one: Crowd, lag: float) -> None:
    """How it went for those who played."""
    for name, times in (("answer", one.answers), ("board", one.boards)):
        sheet.add(f"a person's move, {name}, p50", median(times or [60.0]) * 1e3, "ms")
        sheet.add(f"a person's move, {name}, p99", percentile(times or [60.0], 99) * 1e3, "ms")
    sheet.add("moves without an answer, or refused", len(one.wrong), "", 0)
    sheet.add("event loop's lag, p99", lag * 1e3, "ms")


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of the computer."""
    with one_processor():
        await searched(sheet)
    async with Hall(folder / "computers", reconcile=0.5) as hall:
        people = hall.people(2 * PLAYED)
        quiet = await crowd(sheet, hall, people)
        live = quiet.free
        moves = Moves(await seat_computers(hall, people[0]))
        hall.heard = moves.heard
        await hall.report()
        await asyncio.sleep(2)
        sheet.title(f"The same beside {MATCHES} matches of computers of level {LEVEL} with each other")
        beside = await played(hall, live, Random(8), SECONDS)
        report = await hall.report()
        told(sheet, beside, report["lag"]["p99"])
        ratio = median(beside.answers) / median(quiet.answers)
        sheet.add("people's answers beside it, as a ratio, p50", ratio, "", 2)
        late = percentile(beside.answers, 99) / percentile(quiet.answers, 99)
        sheet.add("people's answers beside it, as a ratio, p99", late, "")
        sheet.add("moves of computers, with their turn to wait and a second's pause", len(moves.took))
        sheet.add("a move of a computer, p50", median(moves.took or [60.0]), "s")
        sheet.add("a move of a computer, p95", percentile(moves.took or [60.0], 95), "s")
        sheet.add("memory of the bot", report["mebibytes"], "MiB")
