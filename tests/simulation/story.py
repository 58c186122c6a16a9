"""One story: people, a bot or several, Discord and time itself, all decided by one seed; and what was wrong in it.

The bot is the real one on discord.py, aiohttp and SQLite. People play in its server while Discord fails, processes die
at any step and days pass. Checkers look on while it runs. At the end everything is played out in good weather, and
what channels show is compared with what is stored.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from bot.features.daily.service import LONGEST
from bot.platform.error_codes import CLOSED, SHUT
from bot.platform.processes import GAP, LEADER, holder_of
from bot.play.ids import ShardShare
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.gateway import IDENTIFY_SECONDS
from bot.sandbox.interactions import NoAnswerInTime
from tests.simulation import checkers
from tests.simulation.days import AWAKE, DROWSY, Days
from tests.simulation.life import Life, Listener, noting, source
from tests.simulation.loop import SimulatedLoop
from tests.simulation.misfortunes.connections import Deliveries
from tests.simulation.misfortunes.deaths import restarted
from tests.simulation.misfortunes.table import MISFORTUNES
from tests.simulation.plan import Plan
from tests.simulation.report import Log, Report, Requests
from tests.simulation.town import Town
from tests.support.discords_ways import STRICT
from tests.support.unresolved import Readers
from tests.world import discord_faults, findings, league_findings, post_findings, preparing
from tests.world.clock_findings import Clocks
from tests.world.departures import Departures
from tests.world.discord_faults import MESSAGE
from tests.world.doors import Doors
from tests.world.findings import Ledger, Row
from tests.world.league_findings import CHANGED
from tests.world.post_findings import POSTS
from tests.world.refused_reminders import RefusedReminders
from tests.world.refused_results import RefusedResults
from tests.world.secrets import Secrets
from tests.world.thread_waits import ThreadWaits
from tests.world.visible_matches import CHANNEL

DAY = 86_400
LOOK_EVERY = 30.0
"""Seconds between two looks of the checkers."""
PATIENCE = 300.0
"""Seconds without a move after which a match that is not over is stuck."""
RECONCILE = 5.0
RECOVERED_WITHIN = 75.0
"""Seconds in which boards are shown again after their channel was opened: a server's are tried once a minute."""
START_STEPS = 1500
"""A death at the start comes at most this many callbacks of the loop later."""
ANSWERED_WITHIN = 5.0
"""Seconds after which a refusal that came while the weather was bad is noted."""
PARKED = "select id, publish_error from matches where publish_error is not null"
OWED_NEWS = "select id from matches where announce_until is not null"
HOMELESS = """
    select m.id, min(p.user), m.guild from matches m join players p on p.match = m.id
     where m.state = 'live' and m.publish_error is not null and p.user > 99 group by m.id, m.guild
"""
ASKED_FOR = 20
"""How often the board of a match without a place is asked for."""
LED_BY = f"select value from key_values where name = '{LEADER}'"
SETTLED = 120.0
"""Seconds after which a request that hangs is not waited for."""
THREADS_LIMITED, FLAGGED = "threads limited", "flagged"
LEAGUES = "select id, channel from leagues order by id"
LEAGUES_SHOWN, LIMITED = 45.0, 400.0
"""Seconds in which what has changed in leagues is shown, and for which one of them is limited: longer than requests
wait for that."""
BEGUN_WITHIN = 20
"""Seconds in which a match begins."""
POSTS_CLOSED, NOT_POSTED = 0.5, ("send_messages",)
"""How often the channel for the daily puzzle is closed while days pass, and what is taken from the bot there."""
POSTED = 45.0
"""Seconds in which a message of the day is posted that is due: the bot looks twice a minute."""
STILL = 15.0
"""Seconds in which all is shown that people have done."""
HUNG = 65.0
"""Seconds after which no request hangs any more."""
PASSING = 0.4
"""How often days pass rather than that something befalls the bot, while there are days left."""


class Story:
    """One story, from the first start of the bot to the last look. `names`: a mention that a user sees without a name
    is wrong, too."""

    def __init__(
        self, seed: int, folder: Path, empty: Path, keep: bool = False, brief: bool = False, names: bool = False
    ) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        self.loop = loop
        self.seed = seed
        self.log = Log(loop, keep)
        self.rng = random.Random(seed)
        plan = Plan.drawn(self.rng)
        self.plan = plan.brief() if brief else plan
        self.file = Path(shutil.copy(empty, folder / "graphpaper.db"))
        self.ahead = 0
        self.latency = self.plan.latency
        self.reopened: float | None = None
        """When a place was opened to the bot again."""
        self.changing, self.grounds, self.disk = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        """Of what befalls processes, places and the disk there is one at a time."""
        self.names = names
        self.report = Report(seed)
        self.listener = Listener()

    # --- time

    def now(self) -> float:
        """Seconds since the epoch, with the days that have passed."""
        return self.loop.epoch_time() + self.ahead

    def clock(self) -> int:
        """The bot's clock."""
        return int(self.now())

    # --- the story

    async def run(self) -> Report:
        """Tell it."""
        rng, plan = random.Random(self.seed + 1), self.plan
        self.loop.network.delay = lambda: rng.random() * self.latency
        self.loop.disk = lambda: rng.random() * plan.disk
        self.loop.network.source = source
        self.loop.set_task_factory(noting)
        with self.listener.listening():
            async with Doors((), clock=self.now, strict=STRICT) as sandbox:
                await self._told(sandbox)
        self.report.events, self.report.digest = self.log.many, self.log.digest
        return self.report

    def make_town(self) -> Town:
        """The servers, and the people in them."""
        return Town(self.sandbox, self.plan, self.seed + 2, self.ledger)

    async def _told(self, sandbox: Doors) -> None:
        self._prepare(sandbox)
        self.lives = list(await asyncio.gather(*(self.begun(which) for which in range(len(self.plan.shares)))))
        await self.town.allow()
        rota = discord_faults.break_out(sandbox) if self.plan.faults else None
        self.town.begin()
        looking = asyncio.create_task(self._look_on())
        try:
            await self._befall()
            self.report.faults = sum(rota.suffered.values()) if rota else 0
            await self._play_out()
        finally:
            looking.cancel()
            await asyncio.wait([looking])
            await self.town.close()
        if not looking.cancelled() and (fault := looking.exception()):
            raise fault
        await checkers.look_at_channels(self, self.note)
        await self._settle()
        checkers.look_at_memories(self, self.note)
        for life in self.lives:
            await life.end()
            self.note("outlived", life.outlived)
        self._figures()

    def _prepare(self, sandbox: Doors) -> None:
        """Set up everything that looks on, and the people."""
        self.sandbox = sandbox
        # Processes keep their distance by the time of day, over days that pass too.
        sandbox.shard_limits.clock = self.now
        sandbox.shard_limits.pause = IDENTIFY_SECONDS if self.plan.patient else 0.0
        self.readers = Readers(sandbox) if self.names else None
        self.deliveries = Deliveries(sandbox, random.Random(self.seed + 4))
        self.ledger = Ledger(f"sqlite:///{self.file}")
        self.thread_waits = ThreadWaits(sandbox.world, self.ledger, self.loop.time)
        self.refused_reminders = RefusedReminders(sandbox.world, self.ledger, self.clock)
        self.listener.hear = self._heard
        self.town = self.make_town()
        self.refused_results = RefusedResults(self.loop.time)
        self.departures = Departures(self.town.told)
        following = self.thread_waits, self.refused_reminders, self.refused_results, self.departures, self.town
        self.requests = sandbox.rest.log = Requests(self.log, 5000, [one.answered for one in following])
        self.clocks = Clocks(self.ledger, self.now)
        self.secrets = Secrets(self.ledger, self.town.tried, sandbox.world.private)
        self.days = Days(
            self.clocks, random.Random(self.seed + 3), self.plan.days,
            ahead=self._put_forward, rests=self.town.rest, looks=self._look,
            missed=lambda found: self.note("missed", found), settles=self._settle,
            awake=DROWSY if FLAGGED in self.plan.misfortunes else AWAKE,
        )  # fmt: skip
        listening = self.clocks, self.secrets, self.thread_waits, self.refused_reminders, self.departures
        sandbox.world.listeners += [one.heard for one in listening]

    def _heard(self, line: str) -> None:
        """The bot has said something in its log."""
        self.log.note(line)
        self.refused_reminders.said(line)

    async def _days_pass(self) -> float:
        """Let a night or some days pass, and return how many seconds that took."""
        began = self.loop.time()
        self.log.note("days pass")
        closed = [home.server for home in self.town.homes if self.plan.posts and self.rng.random() < POSTS_CLOSED]
        for server in closed:
            self.sandbox.faults.deny(POSTS, *NOT_POSTED, server=server)
        await self.days.run_due_acts()
        self.town.rest(True)
        await asyncio.sleep(POSTED if closed else 0)
        self.town.rest(False)
        for server in closed:
            self.sandbox.faults.allow(POSTS, *NOT_POSTED, server=server)
            self.reopened = self.loop.time()
        return self.loop.time() - began

    async def _settle(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLED):
                for life in self.lives:
                    await life.idle()

    def _put_forward(self, seconds: int) -> None:
        self.log.note(f"{seconds} seconds pass")
        self.ahead += seconds
        # A request that hangs would otherwise take days, and come when its nonce is forgotten.
        for posted in self.sandbox.world.nonces.values():
            posted[2] += seconds

    async def _befall(self) -> None:
        """Let misfortunes happen, also several at once, and days pass when all are over."""
        until, happening = self.loop.time() + self.plan.seconds, list[asyncio.Task[None]]()
        while (wait := self.rng.expovariate(1 / self.plan.calm)) < until - self.loop.time():
            await asyncio.sleep(wait)
            if self.days.left and self.rng.random() < PASSING:
                await asyncio.gather(*happening)
                until += await self._days_pass()
                continue
            name = self.rng.choice(self.plan.misfortunes)
            self.log.note(f"misfortune: {name}")
            self.report.misfortunes[name] += 1
            happening.append(asyncio.create_task(MISFORTUNES[name](self)))
        await asyncio.sleep(max(0.0, until - self.loop.time()))
        await asyncio.gather(*happening)
        while self.days.left:
            await self._days_pass()

    async def begun(self, which: int, deaths: int = 0) -> Life:
        """A bot that serves; one that ends at its start is started again. `deaths`: how many die while they start."""
        while True:
            life = Life(self.sandbox, f"sqlite:///{self.file}", self.clock, RECONCILE, self.plan.shares[which])
            if share := self.plan.shares[which]:
                self.sandbox.watched.shares[life.address] = ShardShare.parse(share)
            life.client.identifying.gap = GAP if self.plan.patient else 0.0
            if deaths > 0:
                self.loop.at_step(self.loop.steps + self.rng.randint(1, START_STEPS), life.kill)
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

    def leader(self) -> int | None:
        """Which process leads; None where none does that lives."""
        held = {holder_of(value) for (value,) in self.ledger.ask(LED_BY)}
        return next((which for which, life in enumerate(self.lives) if life.client.presence.holder in held), None)

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
        checkers.look(self, self.note)

    async def _play_out(self) -> None:
        """In good weather, until every match is over and shown."""
        self.log.note("playing out")
        self.sandbox.faults.clear()
        self.refused_reminders.flagged = False
        if waits := self.report.misfortunes[THREADS_LIMITED]:
            await self._crowd_the_channels()
        self.town.wind_up()
        await self._recover()
        if waits:
            await self._wait_for_threads()
        await self._ask_for_boards()
        await self._look_at_boards()
        await self._play_on()
        await self._wait_for_results()
        if self.plan.posts:
            await self._wait_for_posts()
        if self.plan.leagues:
            await self._end_leagues()

    async def _play_on(self) -> None:
        moved, before = self.loop.time(), -1
        while self.loop.time() - moved < PATIENCE:
            rows = self._rows()
            settled = all(row.settled or row.shown_over and self.refused_results.wait(row.id) for row in rows)
            if settled and not self.ledger.find_pending_edits():
                return
            if (now := sum(row.version for row in rows)) != before:
                moved, before = self.loop.time(), now
            await asyncio.sleep(1)
        self.note("stuck", [f"match {row.id} is {row.state}" for row in self._rows() if not row.over])

    def _rows(self) -> list[Row]:
        """The matches that can be shown where they are played."""
        return [row for row in self.ledger.rows() if not findings.gone(self.sandbox.world, row)]

    async def _wait_for_results(self) -> None:
        """Wait until channels are told how matches ended that have refused that: the bot lets each be for a while."""
        if wait := max((self.refused_results.wait(row.id) for row in self._rows() if not row.settled), default=0.0):
            self.town.rest(True)
            await asyncio.sleep(wait)
            self.town.rest(False)
            await self._play_on()

    async def _ask_for_boards(self) -> None:
        """Of matches whose channel was deleted, those too that began there since, a player asks for the board."""
        for match, user, guild in self.ledger.ask(HOMELESS):
            person = self.sandbox.person(str(user), self.sandbox.world.server(str(guild)))
            for _ in range(ASKED_FOR):
                with suppress(ClientRefusal, NoAnswerInTime):
                    await person.command("match board", CHANNEL, match=match)
                if not self.ledger.ask(f"{PARKED} and id = {match}"):
                    break
                await asyncio.sleep(1)

    async def _look_at_boards(self) -> None:
        """While nobody does anything, each match that is played has a board to play it on."""
        self.town.rest(True)
        await asyncio.sleep(STILL)
        await self._settle()
        parked = {match for match, _ in self.ledger.ask(PARKED)}
        rows = [row for row in self.ledger.rows() if row.id not in parked]
        self.note("buttonless", findings.buttonless(self.sandbox.world, rows))
        self.town.rest(False)

    async def _wait_for_posts(self) -> None:
        """Wait until the messages of the day are there. What Discord has refused while the channel was open is tried
        again later, or at a start."""
        self.town.rest(True)
        await asyncio.sleep(POSTED)
        if self._owed_posts():
            self._put_forward(LONGEST)
            for which in range(len(self.lives)):
                await restarted(self, which)
            await asyncio.sleep(POSTED)
        self.note("unposted", self._owed_posts())
        self.note("posted_twice", post_findings.twice(self.sandbox.world))
        self.town.rest(False)

    def _owed_posts(self) -> list[str]:
        return list(post_findings.missing(self.sandbox.world, self.ledger, self.now()))

    async def _end_leagues(self) -> None:
        """Wait until all leagues are shown, some of them while Discord limits the message of the first."""
        self.town.rest(True)
        await asyncio.sleep(LEAGUES_SHOWN)
        (first, place), *others = self.ledger.ask(LEAGUES) or [(0, 0)]
        if str(place) in self.sandbox.world.channels and any(channel != place for _, channel in others):
            self.sandbox.faults.rate_limit("PATCH", MESSAGE, LIMITED, lasting=True, channel=str(place))
            self.ledger.change(CHANGED)
            await asyncio.sleep(LEAGUES_SHOWN)
            known = self.sandbox.world.channels.keys() - {str(place)}
            held = [league for league, channel in league_findings.lagging(self.ledger) if str(channel) in known]
            self.note("held_up", [f"league {league} waits for league {first}, which Discord limits" for league in held])
            await asyncio.sleep(LIMITED)

    async def _recover(self) -> None:
        """Wait until all places are known to be open. What Discord has refused otherwise is tried again at a start."""
        await asyncio.sleep(ANSWERED_WITHIN)
        if self.reopened is not None:
            await asyncio.sleep(self.reopened + RECOVERED_WITHIN - self.loop.time())
            parked = [(match, why) for match, why in self.ledger.ask(PARKED) if why in (CLOSED, SHUT)]
            self.note("parked", [f"match {match} stays parked: {why}" for match, why in parked])
        if self.ledger.ask(PARKED) or self.ledger.ask(OWED_NEWS) or league_findings.lagging(self.ledger):
            for which in range(len(self.lives)):
                await restarted(self, which)

    async def _crowd_the_channels(self) -> None:
        """Let some more matches begin while Discord makes no thread, and then nobody play."""
        self.sandbox.faults.limit_threads()
        self.town.invite()
        for _ in range(BEGUN_WITHIN):
            await asyncio.sleep(1)
            if self.thread_waits.waiting():
                break
        self.town.rest(True)

    async def _wait_for_threads(self) -> None:
        """Wait until Discord makes threads again, and the bot knows that. Matches that wait for one move to it with
        their next board."""
        await asyncio.sleep(max(HUNG, self.thread_waits.until + 1 - self.loop.time()))
        await self._settle()
        self.thread_waits.since = self.loop.time()
        self.town.rest(False)

    def _figures(self) -> None:
        rows = self.ledger.rows()
        self.report.matches, self.report.moves = len(rows), sum(row.plies for row in rows)
        self.report.ready = sum(preparing.answers(self.ledger).values())
        self.report.seconds = self.loop.time()
        self.report.days = self.days.passed / DAY
        self.report.acts = self.town.counts
        self.report.processes = len(self.lives)
