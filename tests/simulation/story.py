"""One story: people, a bot or several, Discord and time itself, all decided by one seed; and what was wrong in it.

The bot is the real one on discord.py, aiohttp and SQLite. People play in its server while Discord fails, processes die
at any step and days pass. Checkers look on while it runs. At the end everything is played out in good weather, and
what channels show is compared with what is stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import random
import shutil
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.client.http.messages import CLOSED, SHUT
from bot.sandbox import Sandbox
from bot.sandbox.protocol.rest import Entry
from bot.sandbox.protocol.shard_limits import IDENTIFY_SECONDS
from bot.service.cluster.processes import GAP
from tests.simulation.connections import Deliveries
from tests.simulation.days import Days
from tests.simulation.deaths import restarted
from tests.simulation.life import Life, Listener, noting, source, why_ended
from tests.simulation.loop import SimulatedLoop
from tests.simulation.misfortunes import MISFORTUNES
from tests.world import discord_faults, findings
from tests.world.clock_findings import Clocks
from tests.world.findings import Ledger
from tests.world.habits import HabitualHand
from tests.world.other_games import Records
from tests.world.people import HANDS, NAMES
from tests.world.player_acts import AT_ONCE, House
from tests.world.secrets import Secrets
from tests.world.stale_buttons import Attic

DAY, HOUR = 86_400, 3600
CAP = 1000
"""How many challenges are allowed."""
LOOK_EVERY = 30.0
"""Seconds between two looks of the checkers."""
PATIENCE = 300.0
"""Seconds without a move after which a match that is not over is stuck."""
RECONCILE = 5.0
RECOVERED_WITHIN = 75.0
"""Seconds in which boards are shown again after their channel was opened: a server's are tried once a minute."""
START_STEPS = 1500
"""A death at the start comes so many callbacks of the loop later, at most."""
PARKED = "select id, parked from matches where parked is not null"
STAND_IN = "RequestHandler.start()"
"""What the sandbox's own server complains of where a connection is cut while it reads from it."""
TOLD_LINES = 7
"""So many lines of a traceback are told."""
KINDS = 6
"""So many kinds of misfortunes are in a story, at most."""
DEATHS: tuple[tuple[str, ...], ...] = ((), ("death",), ("death",) * 4)
"""How often processes die, besides what else there is."""
BRIEF = 8.0
"""Seconds in which something befalls the bot, in a brief story."""
SETTLED = 120.0
"""Seconds after which a request that hangs is not waited for."""
TOLD_MORE = """
    select id from matches where pace != 'none' or legs != 1
        or game not in ('binary-primes', 'sums-grid', 'within-the-curve')
"""
"""Matches in which people are told of more than moves, or whose boards do not say how many moves they show."""
PASSING = 0.4
"""How often days pass rather than that something befalls the bot, while there are days left."""


@dataclass(frozen=True)
class Plan:
    """What a seed decides before the story begins."""

    tables: int
    """How many matches are played at a time, about."""
    matches: int
    """After so many nobody begins another."""
    seconds: float
    calm: float
    """Seconds from one misfortune to the next, on the average."""
    misfortunes: tuple[str, ...]
    """Which there are."""
    faults: bool
    shares: tuple[str | None, ...]
    patient: bool
    """Whether Discord wants five seconds between two sessions that begin."""
    latency: float
    """Seconds that bytes take at most, one way."""
    disk: float
    """Seconds that the disk takes at most."""
    days: int
    """How many pass."""
    hasty: bool
    """Whether people act without a pause."""

    @classmethod
    def drawn(cls, lots: random.Random) -> Plan:
        """A plan by lot. Where Discord refuses sessions, it wants some seconds between them too, or a bot would try
        again without end in no time."""
        plan = cls(
            tables=lots.choice((1, 2, 3)),
            matches=lots.choice((2, 3, 4, 6)),
            seconds=lots.choice((20.0, 40.0)),
            calm=lots.choice((2.0, 5.0, 15.0)),
            misfortunes=(*lots.choice(DEATHS), *lots.sample(sorted(MISFORTUNES), lots.randint(1, KINDS))),
            faults=lots.random() < 0.7,
            shares=lots.choice(((None,), (None,), (None, None))),
            patient=lots.random() < 0.3,
            latency=lots.choice((0.0, 0.03, 0.3)),
            disk=lots.choice((0.0, 0.005, 0.1)),
            days=lots.choice((0, 0, 1, 2, 3, 6, 10, 20)),
            hasty=lots.random() < 0.5,
        )
        return replace(plan, patient=plan.patient or "gateway refused" in plan.misfortunes)


class Log:
    """What happened, a line each; only their digest is kept, and the lines where somebody wants to read them."""

    def __init__(self, loop: SimulatedLoop, keep: bool) -> None:
        self.loop = loop
        self.lines: list[str] | None = [] if keep else None
        self.many = 0
        self._digest = hashlib.sha256()

    def note(self, what: str) -> None:
        """Something has happened."""
        line = f"{self.loop.time():.6f} {what}"
        self.many += 1
        self._digest.update(line.encode() + b"\n")
        if self.lines is not None:
            self.lines.append(line)

    @property
    def digest(self) -> str:
        """What tells this log from any other."""
        return self._digest.hexdigest()


class Requests(deque[Entry]):
    """The sandbox's list of requests, each of which is noted."""

    def __init__(self, log: Log, kept: int) -> None:
        super().__init__(maxlen=kept)
        self.note = log.note

    def append(self, entry: Entry) -> None:
        """Note one."""
        said = hashlib.sha1(json.dumps([entry.body, entry.answer], sort_keys=True, default=str).encode()).hexdigest()
        self.note(f"{entry.method} {entry.path} {entry.status} {said[:10]}")
        super().append(entry)


@dataclass
class Report:
    """What came of a story."""

    seed: int
    events: int = 0
    digest: str = ""
    seconds: float = 0.0
    days: float = 0.0
    kills: int = 0
    faults: int = 0
    misfortunes: Counter[str] = field(default_factory=Counter[str])
    matches: int = 0
    moves: int = 0
    acts: Counter[str] = field(default_factory=Counter[str])
    findings: dict[str, set[str]] = field(default_factory=dict[str, set[str]])


class Story:
    """One story, from the first start of the bot to the last look."""

    def __init__(self, seed: int, folder: Path, empty: Path, keep: bool = False, brief: bool = False) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        self.loop = loop
        self.seed = seed
        self.log = Log(loop, keep)
        self.lots = random.Random(seed)
        plan = Plan.drawn(self.lots)
        self.plan = (
            replace(plan, seconds=BRIEF, tables=1, matches=3, days=min(plan.days, 1), hasty=True) if brief else plan
        )
        self.file = Path(shutil.copy(empty, folder / "graphpaper.db"))
        self.ahead = 0
        self.latency = self.plan.latency
        self.reopened: float | None = None
        """When a place was opened to the bot again."""
        self.changing, self.grounds, self.disk = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        """Of what befalls processes, places and the disk there is one at a time."""
        self.report = Report(seed)
        self.listener = Listener()

    # --- time

    def now(self) -> float:
        """Seconds since the epoch, with the days that have passed."""
        return self.loop.wall() + self.ahead

    def clock(self) -> int:
        """The bot's clock."""
        return int(self.now())

    # --- the story

    async def run(self) -> Report:
        """Tell it."""
        lots, plan = random.Random(self.seed + 1), self.plan
        self.loop.network.delay = lambda: lots.random() * self.latency
        self.loop.disk = lambda: lots.random() * plan.disk
        self.loop.network.source = source
        self.loop.set_task_factory(noting)
        with self.listener.listening():
            async with Sandbox(clock=self.now) as sandbox:
                await self._told(sandbox)
        self.report.events, self.report.digest = self.log.many, self.log.digest
        return self.report

    async def _told(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        sandbox.sharding.clock = self.loop.time
        sandbox.sharding.pause = IDENTIFY_SECONDS if self.plan.patient else 0.0
        sandbox.rest.log = Requests(self.log, 5000)
        self.listener.hear = self.log.note
        self.house = House(sandbox, random.Random(self.seed + 2), self.plan.tables, hasty=self.plan.hasty)
        self.house.most = self.plan.matches
        self.homes = [self.house]
        self.deliveries = Deliveries(sandbox, random.Random(self.seed + 4))
        self.ledger = Ledger(f"sqlite:///{self.file}")
        self.clocks = Clocks(self.ledger, self.now)
        self.secrets = Secrets(self.ledger, self.house.tried)
        self.days = Days(
            self.clocks, random.Random(self.seed + 3), self.plan.days,
            ahead=self._put_forward, rests=self._rest, looks=self._look,
            missed=lambda found: self.note("missed", found), settles=self._settle,
        )  # fmt: skip
        attic, records = Attic(), Records(self.ledger)
        hearing = (self.house.seen, self.clocks, self.secrets, attic)
        sandbox.world.listeners += [each.heard for each in hearing]
        self.lives = [await self.begun(which) for which in range(len(self.plan.shares))]
        await self._allowed()
        rota = discord_faults.break_out(sandbox) if self.plan.faults else None
        self.people = [HabitualHand(self.house, name, records, attic) for name in NAMES for _ in range(HANDS)]
        hands = [asyncio.create_task(hand.play()) for hand in self.people]
        looking = asyncio.create_task(self._look_on())
        try:
            await self._befall()
            self.report.faults = sum(rota.suffered.values()) if rota else 0
            await self._play_out()
        finally:
            self.house.closing = True
            looking.cancel()
            for hand in hands:
                hand.cancel()
            await asyncio.wait([looking, *hands])
        for task in (looking, *hands):
            if not task.cancelled() and (fault := task.exception()):
                raise fault
        await self._look_at_channels()
        for life in self.lives:
            await life.end()
        self._figures()

    async def _days_pass(self) -> float:
        """Let a night or some days pass, and return how many seconds that took."""
        began = self.loop.time()
        self.log.note("days pass")
        await self.days.pass_()
        return self.loop.time() - began

    async def _settle(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED):
                for life in self.lives:
                    await life.idle()

    def _put_forward(self, seconds: int) -> None:
        self.log.note(f"{seconds} seconds pass")
        self.ahead += seconds

    def _rest(self, resting: bool) -> None:
        self.house.resting = resting

    async def _befall(self) -> None:
        """Let misfortunes happen, also several at once, and days pass when all are over."""
        until, happening = self.loop.time() + self.plan.seconds, list[asyncio.Task[None]]()
        while (wait := self.lots.expovariate(1 / self.plan.calm)) < until - self.loop.time():
            await asyncio.sleep(wait)
            if self.days.left and self.lots.random() < PASSING:
                await asyncio.gather(*happening)
                until += await self._days_pass()
                continue
            name = self.lots.choice(self.plan.misfortunes)
            self.log.note(f"misfortune: {name}")
            self.report.misfortunes[name] += 1
            happening.append(asyncio.create_task(MISFORTUNES[name](self)))
        await asyncio.sleep(max(0.0, until - self.loop.time()))
        await asyncio.gather(*happening)
        while self.days.left:
            await self._days_pass()

    async def begun(self, which: int, deaths: int = 0) -> Life:
        """A bot that serves; who ends at its start is begun again. `deaths`: so many die while they start."""
        while True:
            life = Life(self.sandbox, f"sqlite:///{self.file}", self.clock, RECONCILE, self.plan.shares[which])
            life.client.identifying.gap = GAP if self.plan.patient else 0.0
            if deaths > 0:
                self.loop.at_step(self.loop.steps + self.lots.randint(1, START_STEPS), life.kill)
            try:
                await life.begin(registered=False)
                self.loop.at_step(0, life.kill)
                if not life.dead:
                    return life
            except (AssertionError, TimeoutError) as fault:
                self.log.note(f"a start failed: {fault}")
            deaths -= 1
            self.report.kills += life.dead
            life.kill()
            await life.end()
            await asyncio.sleep(1)

    async def _allowed(self) -> None:
        """Let everybody challenge as often as they like, and be reminded."""
        ann = self.sandbox.person("Ann")
        await self.sandbox.wait_for(lambda world: world.commands, 60)
        await ann.command("settings challenges", open=CAP, from_one=CAP, from_everybody=CAP)
        await self.sandbox.person(AT_ONCE).command("preferences", confirm="off")

    # --- looking

    def note(self, kind: str, found: Iterable[str]) -> None:
        """Keep what is wrong."""
        for line in sorted(found):
            self.log.note(f"wrong: {kind}: {line}")
            self.report.findings.setdefault(kind, set()).add(line)

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self._look()

    def _look(self) -> None:
        if self.disk.locked():
            return  # nobody can read the file of a disk that is full
        ended = [life for life in self.lives if life.running.done() and not life.dead and not life.ended]
        self.note("ended", [f"a process ended: {why_ended(life.running)}" for life in ended])
        house = self.house
        self.note("lost", self.ledger.lost(house.told, house.tried))
        self.note("torn", self.ledger.torn())
        self.note("twice", self.ledger.twice(house.tried, house.asked, house.disputed))
        self.note("closed_by_nobody", self.ledger.closed_by_nobody(house.tried))
        self.note("early", self.clocks.early(house.tried))
        self.note("reminded_twice", self.clocks.twice())
        self.note("leaked", self.secrets.leaks)
        for record in self.listener.complaints:
            if (record.exc_text or record.exc_info) and STAND_IN not in record.getMessage():
                self.note("traceback", [f"{record.getMessage()}: {last_words(record)}"])
        self.listener.complaints.clear()

    async def _play_out(self) -> None:
        """In good weather, until every match is over and shown."""
        self.log.note("playing out")
        self.sandbox.faults.clear()
        self.house.challenging = False
        for hand in self.people:
            hand.comes_back()
        await self._recover()
        moved, before = self.loop.time(), -1
        while self.loop.time() - moved < PATIENCE:
            rows = self.ledger.rows()
            if all(row.over and row.shown_version == row.version for row in rows) and not self.ledger.left_over():
                return
            if (now := sum(row.version for row in rows)) != before:
                moved, before = self.loop.time(), now
            await asyncio.sleep(1)
        self.note("stuck", [f"match {row.id} is {row.state}" for row in self.ledger.rows() if not row.over])

    async def _recover(self) -> None:
        """Wait until all places are known to be open. What Discord has refused otherwise is tried again at a start."""
        if self.reopened is not None:
            await asyncio.sleep(self.reopened + RECOVERED_WITHIN - self.loop.time())
            parked = self.ledger.ask(f"{PARKED} and parked in ('{CLOSED}', '{SHUT}')")
            self.note("parked", [f"match {match} stays parked: {why}" for match, why in parked])
        if self.ledger.ask(PARKED):
            for which in range(len(self.lives)):
                await restarted(self, which)

    async def _look_at_channels(self) -> None:
        self._look()
        self.note("torn", await self.ledger.check())
        world, rows = self.sandbox.world, self.ledger.rows()
        told_more = {match for (match,) in self.ledger.ask(TOLD_MORE)} | self.house.disputed
        self.note("boards_twice", findings.boards_twice(world, told_more))
        self.note("mentions_twice", findings.mentions_twice(world, told_more))
        self.note("left_thinking", self.clocks.thinking())
        hasty = self.sandbox.sharding.hasty
        self.note("hasty", [f"{hasty} sessions began too early"] if hasty else [])
        self.note("untold", findings.untold(world))
        self.note("orphans", findings.orphans(world, rows))
        self.note("unshown", findings.unshown(world, rows))

    def _figures(self) -> None:
        rows = self.ledger.rows()
        self.report.matches, self.report.moves = len(rows), sum(row.plies for row in rows)
        self.report.seconds = self.loop.time()
        self.report.days = self.days.passed / DAY
        self.report.acts = self.house.counts


def last_words(record: logging.LogRecord) -> str:
    """The end of a traceback in the log, on one line."""
    text = record.exc_text or logging.Formatter().formatException(record.exc_info or (None, None, None))
    return " | ".join(line.strip() for line in text.splitlines()[-TOLD_LINES:])
