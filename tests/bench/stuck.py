"""One channel hangs and another has used up its limit: measures what everybody else notices of it.

Nobody in the other channels may: their boards come after a start, their moves are answered and shown, a challenge that
is overdue is closed, and the bot stops when it is told to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from bot.games.catalogue import load_games
from bot.play.ids import ChannelId, GuildId, UserId
from bot.play.rows import NewMatch
from bot.sandbox import people
from bot.sandbox.world import World
from data.store import Store, Transaction
from tests.bench.figures import Sheet, median, percentile
from tests.bench.hall import Hall, Live
from tests.bench.load import Boards, Crowd
from tests.bench.underway import GAME

MATCHES, SIZE, PLIES, PEOPLE = 60, 7, 4, 30
HANGS, LIMITED, ALWAYS = 45.0, 40.0, 10**6
A_SECOND, SECONDS = 10, 15.0
LONGEST = 120.0
"""Seconds after which what has not happened is taken to happen never."""
MESSAGES = "/channels/{channel_id}/messages"


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of it."""
    sheet.title(f"One channel hangs {HANGS:g} s at each message, one is limited for {LIMITED:g} s; {MATCHES} in others")
    async with Hall(folder / "stuck", reconcile=0.5) as hall:
        rng = Random(7)
        live = await hall.seat(hall.people(PEOPLE), MATCHES + 2, SIZE, PLIES, rng)
        await challenged(hall, live[0])
        stuck, others = live[:2], live[2:]
        hall.sandbox.faults.delay_requests("POST", MESSAGES, HANGS, ALWAYS, channel=stuck[0].thread)
        hall.sandbox.faults.rate_limit("POST", MESSAGES, LIMITED, lasting=True, channel=stuck[1].thread)
        boards = Boards(hall, {one.thread for one in others})
        await hall.serve("bot", "run")
        closed = asyncio.create_task(until(hall, is_closed))
        sheet.add(
            "start until all the others have their boards", await until(hall, lambda _: not boards.missing), "s", 10
        )
        sheet.add("start until a challenge that was overdue is closed", await closed, "s", 10)
        for one in stuck:
            await one.mover.command("binary-primes move", one.thread, square=one.square(rng))
        await played(sheet, Crowd(hall, others, rng))
        sheet.add("told to stop until it has", await stopped(hall), "s", 5)


async def played(sheet: Sheet, crowd: Crowd) -> None:
    """Play in the other channels."""
    await crowd.play(A_SECOND, SECONDS)
    await asyncio.sleep(1)
    sheet.add("moves of the others without an answer, or refused", len(crowd.wrong), "", 0)
    sheet.add("answer to the others, p50", median(crowd.answers) * 1e3, "ms")
    sheet.add("answer to the others, p99", percentile(crowd.answers, 99) * 1e3, "ms", 500)
    sheet.add("board of the others, p50", median(crowd.boards) * 1e3, "ms")
    sheet.add("board of the others, p99", percentile(crowd.boards, 99) * 1e3, "ms", 1000)
    sheet.add("boards of the others that have not come", len(crowd.asked), "", 0)


async def until(hall: Hall, met: Callable[[World], bool]) -> float:
    """Seconds until something is so."""
    began = time.perf_counter()
    with suppress(TimeoutError):
        await hall.sandbox.wait_for(met, LONGEST)
    return time.perf_counter() - began


async def challenged(hall: Hall, live: Live) -> None:
    """A challenge whose time is over, and that nobody has closed."""
    world = hall.sandbox.world
    host, guest = (UserId(int(player.id)) for player in live.players)
    guild, channel = GuildId(int(world.home_guild["id"])), ChannelId(int(hall.sandbox.channel("general")["id"]))
    now, game = int(time.time()), load_games()[GAME]
    new = NewMatch(guild, channel, GAME, game.version, {"size": 3}, 2, "lot", True, host, now - 200_000, now - 10)

    def written(tx: Transaction) -> None:
        tx.join(tx.create(new), guest, invited=True)

    store = Store(hall.database)
    await store.do(written)
    await store.close()


def is_closed(world: World) -> bool:
    """Whether it can be read that the challenge has expired."""
    said = world.messages[world.channel_named("general")["id"]].values()
    return any("expired" in people.text_of(message) for message in said)


async def stopped(hall: Hall) -> float:
    """Seconds from being told to stop until the process is gone."""
    assert hall.process
    began = time.perf_counter()
    hall.process.terminate()
    await hall.process.wait()
    return time.perf_counter() - began
