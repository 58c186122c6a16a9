"""Ten thousand live matches, on SQLite and on PostgreSQL: the start, the boards that are behind, memory at rest.

Discord takes fifty requests a second of a bot, which keeps below that by itself (`bot.platform.requests`), so
ten thousand boards need minutes whatever the machine; here it is seen how many a second it comes to, and that the start
does not wait. The matches are written straight into the tables, on which both databases agree.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Connection, insert

from bot.play.match import Match
from bot.sandbox.errors import Json
from bot.sandbox.people import Person
from data.engine.database import Database
from data.tables.schema import matches, moves, players
from tests.bench.figures import Sheet
from tests.bench.hall import ACTIVE, Hall
from tests.bench.load import Boards
from tests.bench.servers import database, on_disk
from tests.bench.underway import GAME, drawn

LIVE, BEHIND, PEOPLE, SIZE, PLIES, RECORDS = 10_000, 300, 500, 9, 20, 100
"""So many matches, of which so many have a board that does not show them; and how many records they share."""
AT_ONCE = 50
PATIENCE = 300
QUIET = 5.0


def row(number: int, match: Match, thread: Json, first: Person, now: int) -> dict[str, Any]:
    """A live match; the last of them are behind. Only so many have a thread as Discord keeps active: for each of the
    others' threads the bot asks after its start, which is no rest."""
    version, behind = PLIES + 2, number > LIVE - BEHIND
    return {
        "id": number,
        "guild": int(thread["guild_id"]),
        "channel": int(thread["parent_id"]),
        "thread": int(thread["id"]) if number <= ACTIVE or behind else None,
        "lobby_message": int(thread["id"]),
        "game": GAME,
        "game_version": match.game.version,
        "options": match.options.to_record(),
        "seats": 2,
        "seating": "lot",
        "rated": True,
        "host": int(first.id),
        "state": "live",
        "version": version,
        "plies": PLIES,
        "turn": match.turn,
        "created": now,
        "started": now,
        "shown_version": 1 if behind else version,
        "shown_plies": 0 if behind else PLIES,
        "published": False,
    }


def rows(hall: Hall) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]]:
    """All matches, each with its players and its record."""
    rng, now, people = Random(11), int(time.time()), hall.people(PEOPLE)
    records = [drawn(SIZE, PLIES, rng) for _ in range(RECORDS)]
    for number in range(1, LIVE + 1):
        match, pair = records[number % RECORDS], rng.sample(people, 2)
        sitting = [
            {"match": number, "user": int(one.id), "joined": seat, "seat": seat, "invited": False, "consent": False}
            for seat, one in enumerate(pair, 1)
        ]
        lines = [
            {"match": number, "ply": ply, "seat": seat, "text": text, "at": now}
            for ply, (seat, text) in enumerate(match.record, 1)
        ]
        yield row(number, match, hall.thread("Binary Primes"), pair[0], now), sitting, lines


async def begin(hall: Hall) -> set[str]:
    """Write the matches, and return the threads whose boards are behind."""
    opened, behind = Database(hall.database), set[str]()
    written = list(rows(hall))
    for part in (written[at : at + AT_ONCE] for at in range(0, LIVE, AT_ONCE)):

        def write(connection: Connection, part: list[Any] = part) -> None:
            connection.execute(insert(matches), [match for match, _, _ in part])
            connection.execute(insert(players), [one for _, sitting, _ in part for one in sitting])
            connection.execute(insert(moves), [line for _, _, lines in part for line in lines])

        await opened.write(write)
        behind |= {str(match["thread"]) for match, _, _ in part if match["shown_version"] < match["version"]}
    await opened.close()
    return behind


async def served(sheet: Sheet, hall: Hall, kind: str) -> None:
    """Start the bot beside so many matches, and see it catch up."""
    behind = await begin(hall)
    asked, boards, count = hall.tally(), Boards(hall, behind), len(behind)
    ready = await hall.serve("tests.bench.subject")
    since = time.perf_counter()
    sheet.add(f"on {kind}: start until heard", ready, "s", 5.0)
    await hall.sandbox.wait_for(lambda world: len(boards.missing) < count, PATIENCE)
    sheet.add(f"on {kind}: from then to the first board", time.perf_counter() - since, "s", 5.0)
    await hall.sandbox.wait_for(lambda world: not boards.missing, PATIENCE)
    took = time.perf_counter() - since
    for route, times in sorted(asked.counted(since).items()):
        if times > count / 10:
            sheet.add(f"on {kind}: {route}, for each", times / count)
    sheet.add(f"on {kind}: requests a second meanwhile", asked.counted(since).total() / took, "1/s", 50)
    sheet.add(f"on {kind}: all {LIVE} boards at this rate", LIVE / count * took / 60, "min")
    await asyncio.sleep(QUIET)
    report = await hall.report()
    sheet.add(f"on {kind}: memory when all are shown", report["mebibytes"], "MiB", 350)
    await hall.report()
    await asyncio.sleep(QUIET)
    report = await hall.report()
    sheet.add(f"on {kind}: processor at rest", report["busy"] / QUIET * 100, "%", 10)
    sheet.add(f"on {kind}: event loop's lag at rest, p99", report["lag"]["p99"] * 1e3, "ms", 50)


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures on both databases."""
    sheet.title(f"{LIVE} live matches, {BEHIND} of them with boards that are behind")
    async with Hall(folder / "many") as hall:
        await served(sheet, hall, "SQLite")
    with on_disk(folder / "many-server") as server:
        url = await database(server, "many")
        async with Hall(folder / "many-more", database=url) as hall:
            await served(sheet, hall, "PostgreSQL")
