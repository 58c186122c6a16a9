"""Runs the drill and prints what was found as one JSON object; the exit status is 1 when anything was wrong.

    python -m tests.drill [--kills 300] [--seed N] [--seconds 480] [--tables 10] [--computers] [--fair] [--postgres]
        [--keep]

It ends after a number of kills, or of seconds if they come first (which is a fault when fewer than the kills asked
for). Then the bot lives on until every match is played to its end, so that a match that cannot go on is noticed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.sandbox.faults import FaultRota
from bot.sandbox.stand_in import Sandbox
from tests.drill import verdict
from tests.drill.bot_lives import CHECKPOINTS, THOUGHTS, Lives, Plan
from tests.drill.bot_lives import PATIENCE as REACHED_WITHIN
from tests.drill.lagging_boards import Debts
from tests.drill.verdict import Faults
from tests.support.postgres import server
from tests.world import computer_referee, discord_faults
from tests.world.findings import Ledger
from tests.world.passing_time import Passing
from tests.world.people import HANDS, NAMES, Hand
from tests.world.player_acts import AT_ONCE, Harness

RECONCILE = 0.3
COLD_EVERY = 20
CHECK_EVERY = 10
PATIENCE = 10.0
"""Seconds without a move after which a match that is not over is stuck."""
LONGEST_LIFE = 1.0
CAP = 1000
"""How many challenges are allowed; four people make more here than a server should have."""
LONGEST_THOUGHTFUL_LIFE = 4.0
"""Where all play against the computer: its process begins with each life too."""
REMINDING = ("claimed", "reminded", "arrived")
"""Checkpoints of a reminder."""
LONG_EVERY, LONG = 50, 6.0
"""One in this many lives is long enough to recover from all that has gone wrong."""


class Drill:
    """One run."""

    def __init__(self, given: argparse.Namespace, sandbox: Sandbox, folder: Path, url: str) -> None:
        self.given = given
        self.sandbox = sandbox
        self.rng = random.Random(given.seed)
        self.ledger = Ledger(url)
        environment = {
            "DISCORD_TOKEN": sandbox.token,
            "GRAPHPAPER_API": sandbox.api_url,
            "GRAPHPAPER_GATEWAY": sandbox.gateway_url,
            "GRAPHPAPER_DATABASE": url,
            "GRAPHPAPER_RECONCILE": str(RECONCILE),
            "GRAPHPAPER_CONTAINER": "0",
        }
        self.lives = Lives(environment, folder / "bot.log")
        self.starts: dict[str, list[float]] = {"cold": [], "warm": []}
        self.harness = Harness(sandbox, random.Random(given.seed + 1), given.tables)
        if given.computers:
            self.harness.only_alone, self.harness.most_alone = True, given.tables
        self.referee = computer_referee.Referee(url)
        self.debts = Debts(self.harness.seen)
        self.passing = Passing(self.ledger, random.Random(given.seed + 2))
        self.rota: FaultRota | None = None
        self.lates = 0
        self.kills: Counter[str] = Counter()
        self.planned: Counter[str] = Counter()
        self.faults = Faults()
        self.note = self.faults.note

    async def run(self) -> dict[str, Any]:
        """Play and kill, let everything be played to its end, and look at it."""
        self.sandbox.world.listeners += [self.harness.seen.heard, self.debts.heard, self.passing.heard]
        await self.lives.open()
        await self.first_life()
        self.rota = None if self.given.fair else discord_faults.break_out(self.sandbox)
        began = time.perf_counter()
        hands = [asyncio.create_task(Hand(self.harness, name).play()) for name in NAMES for _ in range(HANDS)]
        try:
            while self.kills.total() < self.given.kills and time.perf_counter() - began < self.given.seconds:
                await self.live(self.plan())
            killed_for = time.perf_counter() - began
            await self.last_life()
        finally:
            self.harness.closing = True
            ended = await asyncio.gather(*hands, return_exceptions=True)
            await self.lives.close()
        for fault in ended:
            if isinstance(fault, BaseException):
                raise fault
        await self.look(thoroughly=True)
        self.faults.look_at_channels(self.sandbox.world, self.ledger, self.passing)
        self.note("thought_otherwise", await self.referee.faults([row.id for row in self.ledger.rows()]))
        self.note("left_thinking", await asyncio.to_thread(computer_referee.left_running))
        self.note("unreached", (name for name, times in self.planned.items() if times > 1 and not self.kills[name]))
        missing = self.given.kills - self.kills.total()
        self.note("cut_short", [f"there was no time for {missing} more kills"] if missing > 0 else [])
        return self.report(killed_for)

    async def first_life(self) -> None:
        """Serve without faults until it is allowed to challenge each other as often as is done here."""
        await self.lives.begin(Plan(cold=True))
        await self.sandbox.wait_for(lambda world: world.commands and self.sandbox.gateway.is_online, 60)
        ann = self.sandbox.person("Ann")
        await ann.command("settings challenges", open=CAP, from_one=CAP, from_everybody=CAP)
        shown = await ann.command("settings zone", zone=noon())
        assert shown.text.startswith("### Settings of this server"), shown.text
        await self.sandbox.person(AT_ONCE).command("preferences", confirm="off")
        await self.lives.end()
        await self.sandbox.wait_for(lambda world: not self.sandbox.gateway.is_online, 10)

    def plan(self) -> Plan:
        """How the next life ends: by turns at a checkpoint and at a random time."""
        number = self.kills.total()
        cold = number % COLD_EVERY == 0
        if number % LONG_EVERY == LONG_EVERY - 1:
            return Plan(seconds=LONG)
        checkpoints = self.checkpoints
        if number % 2 and not cold:
            return Plan(checkpoints[number // 2 % len(checkpoints)], self.rng.choice((1, 1, 2, 3, 5)))
        longest = LONGEST_THOUGHTFUL_LIFE if self.given.computers else LONGEST_LIFE
        return Plan(seconds=self.rng.uniform(0, longest) + cold * 0.8, cold=cold)

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """Where the bot is killed by turns; against the computer mostly on the way of its moves, and never at those of
        reminders: nobody's clock runs."""
        acts = tuple(one for one in CHECKPOINTS if one not in REMINDING)
        return (*THOUGHTS, *acts[1:], *THOUGHTS) if self.given.computers else CHECKPOINTS

    async def live(self, plan: Plan) -> None:
        """One life of the bot, from its start to its death."""
        self.harness.died.clear()
        since = time.perf_counter()
        self.passing.let(remind=plan.checkpoint in REMINDING)
        await self.lives.begin(plan)
        starting = asyncio.create_task(self.ready(since, plan.cold))
        where = "anywhere"
        if plan.checkpoint:
            self.planned[plan.checkpoint] += 1
            patience = LONGEST_THOUGHTFUL_LIFE if self.given.computers else REACHED_WITHIN
            where = plan.checkpoint if await self.lives.reached(patience) else "anywhere"
        if not await self.lives.outlived(plan.seconds):
            self.note("ended", [f"the bot ended by itself, {time.perf_counter() - since:.1f} s after its start"])
        await self.lives.end()
        self.harness.died.set()
        self.kills[where if starting.done() else "starting"] += 1
        starting.cancel()
        await self.sandbox.wait_for(lambda world: not self.sandbox.gateway.is_online, 10)
        if self.kills.total() % discord_faults.LATE_EVERY == 0:
            self.lates += 1
            self.sandbox.faults.forget_nonces()
        await self.look(thoroughly=self.kills.total() % CHECK_EVERY == 0)

    async def ready(self, since: float, cold: bool) -> None:
        """Wait until the bot can be heard, and note how long that took."""
        await self.sandbox.wait_for(lambda world: world.commands and self.sandbox.gateway.is_online, 60)
        self.debts.ready = time.perf_counter()
        self.starts["cold" if cold else "warm"].append(self.debts.ready - since)

    async def last_life(self) -> None:
        """Serve without a halt and without faults until every match is over and shown."""
        self.sandbox.faults.clear()
        self.harness.died.clear()
        self.harness.challenging = False
        since = time.perf_counter()
        await self.lives.begin(Plan(cold=True))
        await self.ready(since, True)
        moved, before = time.perf_counter(), -1
        while time.perf_counter() - moved < PATIENCE:
            rows = self.ledger.rows()
            if all(row.settled for row in rows) and not self.ledger.find_pending_edits():
                return
            if (now := sum(row.version for row in rows)) != before:
                moved, before = time.perf_counter(), now
            await asyncio.sleep(0.1)
        self.note("stuck", [f"match {row.id} is {row.state}" for row in self.ledger.rows() if not row.over])

    async def look(self, thoroughly: bool) -> None:
        """Compare what people were told with what is stored."""
        self.note("lost", self.ledger.lost(self.harness.told))
        self.note("torn", self.ledger.torn())
        self.note("twice", self.ledger.twice(self.harness.tried))
        self.debts.note(self.ledger.rows())
        if thoroughly and self.ledger.rows():
            self.note("torn", await self.ledger.check())

    def report(self, killed_for: float) -> dict[str, Any]:
        """The result."""
        since_death, since_ready = ([paid[which] for paid in self.debts.paid] for which in (0, 1))
        rows = self.ledger.rows()
        return {
            "seed": self.given.seed,
            "seconds": round(killed_for, 1),
            "kills": self.kills.total(),
            "killed": dict(sorted(self.kills.items())),
            "matches": len(rows),
            "moves": sum(row.plies for row in rows),
            "moves_of_computers": dict(sorted(self.referee.moves.items())),
            "acknowledged": len(self.harness.told),
            "acts": dict(self.harness.counts.most_common()),
            "misfortunes": discord_faults.suffered(self.rota) if self.rota else {},
            "spared": discord_faults.unscathed(self.rota) if self.rota else [],
            "late_restarts": self.lates,
            "time_passed": self.passing.figures(),
            "tracebacks": self.lives.log_file.read_text(errors="replace").count("Traceback"),
            **self.faults.counted(),
            "boards_behind": len(self.debts.paid),
            "shown_after_death": spread(since_death),
            "shown_after_ready": spread(since_ready),
            "start_to_ready": {
                kind: round(statistics.median(times), 2) for kind, times in self.starts.items() if times
            },
        }


def noon() -> str:
    """A zone in which it is about noon, so that people may be reminded."""
    ahead = 12 - datetime.now(UTC).hour
    return f"UTC{ahead:+d}" if ahead else "UTC"


def spread(seconds: list[float]) -> dict[str, float]:
    """The middle and the largest of some times."""
    return {"p50": round(statistics.median(seconds), 2), "max": round(max(seconds), 2)} if seconds else {}


def parsed() -> argparse.Namespace:
    """The command line."""
    about = "Kill the bot at bad moments; no move may be lost."
    parser = verdict.parser("tests.drill", about, "the database and the bot's log")
    parser.add_argument("--kills", type=int, default=300, help="how often the bot is killed (300)")
    parser.add_argument("--seconds", type=float, default=480.0, help="the longest that it goes on killing (480)")
    parser.add_argument("--tables", type=int, default=10, help="how many matches are played at a time (10)")
    parser.add_argument("--computers", action="store_true", help="all play against the computer")
    parser.add_argument("--fair", action="store_true", help="nothing goes wrong on Discord's side")
    parser.add_argument("--postgres", action="store_true", help="the matches are kept by PostgreSQL")
    return parser.parse_args()


def main() -> int:
    """Run the drill on the database that is asked for; the exit status."""
    given, folder = parsed(), Path(tempfile.mkdtemp(prefix="graphpaper-drill-"))
    with server().database() if given.postgres else nullcontext(f"sqlite:///{folder / 'drill.db'}") as url:
        return asyncio.run(drill(given, folder, url))


async def drill(given: argparse.Namespace, folder: Path, url: str) -> int:
    """Run the drill; the exit status."""
    async with Sandbox(nonce_seconds=discord_faults.NONCE_SECONDS) as sandbox:
        run = Drill(given, sandbox, folder, url)
        report = await run.run()
    return verdict.told(report, run.faults, folder, given.keep)


if __name__ == "__main__":
    sys.exit(main())
