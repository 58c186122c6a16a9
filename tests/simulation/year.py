"""A year of the simulated world: people come by now and then for months, and a referee of time looks on.

What befalls the bot are deaths at any step, hours and days without it or without Discord, and a clock that is wrong for
a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

from tests.simulation.misfortunes import connections, deaths
from tests.simulation.plan import ALONE, TWINS, Plan
from tests.simulation.story import DAY, Story
from tests.simulation.town import Town
from tests.world.discord_faults import MESSAGES
from tests.world.doors import Doors
from tests.world.homes import Home
from tests.world.other_games import Records
from tests.world.refused_reminders import TAKEN
from tests.world.stale_buttons import Attic
from tests.world.time_diary import Diary
from tests.world.time_referee import HOUR, TimeReferee
from tests.world.visitors import Visitor

DAYS, BRIEFLY = 365, 40
TABLES, SERVERS = 8, 2
"""How many matches are played at a time in a server, about; and how many servers there are."""
OUTAGES: tuple[tuple[int, int], ...] = ((5, 80), (100, 1200), (1200, 10 * HOUR), (DAY // 2, 4 * DAY))
"""Seconds for which the bot is not there: restarts, hiccups, nights, days."""
BEFALLS = 0.3
"""How often something befalls the bot, from one stretch of days to the next."""
UNANSWERED = 0.15
"""How many of the reminders are posted without an answer to the bot."""
BACK = 20.0
"""Seconds in which the bot has looked at the clocks that is there again."""
WRONG = DAY
"""Seconds by which the machine's clock is wrong for a while."""
DUE = "select min(due) from pending_reminders where due > {now}"
DIRECTLY = "Dora"
"""Who takes no direct messages."""


class Year(Story):
    """One year; a `brief` one has some weeks."""

    def __init__(
        self, seed: int, folder: Path, empty: Path, keep: bool = False, brief: bool = False, names: bool = False
    ) -> None:
        super().__init__(seed, folder, empty, keep, names=names)
        self.plan = Plan(
            tables=TABLES, matches=10**6, seconds=0.0, calm=0.0, misfortunes=tuple(BEFALLING), faults=True,
            shares=self.rng.choice((ALONE, ALONE, TWINS)), patient=False, latency=0.0, disk=0.0,
            days=BRIEFLY if brief else DAYS, hasty=True, leagues=0, posts=False, servers=SERVERS,
        )  # fmt: skip
        self.latency = 0.0
        self.wrong = 0
        """By how many seconds the bot's clock is ahead of the world's."""
        self.away = False
        """Whether the bot is not there, or Discord is not."""
        self.referee = TimeReferee()

    def clock(self) -> int:
        """The bot's clock."""
        return int(self.now()) + self.wrong

    def make_town(self) -> Town:
        """Servers with visitors."""
        self.visitors: list[Visitor] = []

        def visitor(home: Home, name: str, records: Records, attic: Attic) -> Visitor:
            self.visitors.append(Visitor(home, name, records, attic, self.now))
            return self.visitors[-1]

        return Town(self.sandbox, self.plan, self.seed + 2, self.ledger, visitor, hands=1)

    def _figures(self) -> None:
        super()._figures()
        self.report.clocks = self.referee.counts

    def _prepare(self, sandbox: Doors) -> None:
        super()._prepare(sandbox)
        self.clocks.now = self.clock
        self.diary = Diary(self.file, sandbox.world, self.referee, self.clock, self.town.tried)
        self.loop.written = self.diary.look
        self.days.next, self.days.shortest, self.days.awake, self.days.heard = self._next, 1, 1.0, self.diary.counted
        sandbox.world.listeners.append(self.diary.heard)
        self.requests.listeners.append(self.diary.answered)

    def _heard(self, line: str) -> None:
        super()._heard(line)
        if TAKEN.fullmatch(line) and self.rng.random() < UNANSWERED:
            self.sandbox.faults.lose_answer("POST", MESSAGES)

    def _next(self) -> int | None:
        """When anything is due next, or somebody comes by."""
        now = self.clock()
        ((retried,),) = self.ledger.ask(DUE.format(now=now))
        visits = (int(one.comes) + 1 + self.wrong for one in self.visitors)
        return min((one for one in (self.clocks.next(), retried, *visits) if one), default=None)

    async def _befall(self) -> None:
        """Let the days of the year pass, and now and then something happen to the bot."""
        self.sandbox.person(DIRECTLY).close_mailbox()
        for visitor in self.visitors:
            await visitor.settle()
        while self.days.left:
            await self.days.run_due_acts()
            super()._look()
            if self.rng.random() < BEFALLS:
                name = self.rng.choice(self.plan.misfortunes)
                self.log.note(f"misfortune: {name}")
                self.report.misfortunes[name] += 1
                await BEFALLING[name](self)

    def _look(self) -> None:
        """See that nobody's time is wrong; all else is looked at once after each stretch of days."""
        self.town.expect_all_well()
        self.ledger.remember()
        self.note("early", self.clocks.early(self.town.tried))
        if not self.away:
            self.referee.overdue(self.clock())
        self.note("time", self.referee.violations)
        self.referee.violations.clear()


async def outage(story: Year) -> None:
    """No process is there for some time, which is given back."""
    async with story.changing:
        for life in story.lives:
            life.kill()
        for which in range(len(story.lives)):
            await deaths.buried(story, which)
        _goes(story)
        story.days.pass_dead(story.rng.randrange(*story.rng.choice(OUTAGES)))
        story.town.rest(False)  # some have waited for the bot, and are faster than it looks
        for which in range(len(story.lives)):
            story.lives[which] = await story.begun(which)
        await _is_back(story)


async def without_discord(story: Year) -> None:
    """Discord is not there for some time, which is given back."""
    async with story.changing:
        story.sandbox.faults.shut_gateway()
        await story.sandbox.faults.close_gateway(resumable=False)
        _goes(story)
        story.days.pass_dead(story.rng.randrange(*story.rng.choice(OUTAGES)))
        story.town.rest(False)
        story.sandbox.faults.open_gateway()
        await _is_back(story)


async def wrong_clock(story: Year) -> None:
    """The machine's clock is put back, or right again. Nobody can tell that moments which it skips were there, so they
    are given back."""
    _goes(story)
    story.wrong = 0 if story.wrong else -WRONG
    story.town.rest(False)
    await _is_back(story)


def _goes(story: Year) -> None:
    """The bot was there until now, and nobody does anything."""
    story.town.rest(True)
    story.away = True
    story.days.count()
    story.referee.gone(story.clock())


async def _is_back(story: Year) -> None:
    await asyncio.sleep(BACK)
    story.referee.back(story.clock())
    story.away = False


BEFALLING: Mapping[str, Callable[[Any], Coroutine[Any, Any, None]]] = {
    "outage": outage,
    "without Discord": without_discord,
    "wrong clock": wrong_clock,
    "death": deaths.death,
    "death at the start": deaths.death_at_start,
    "stop": deaths.stop,
    "gateway lost": connections.gateway_lost,
    "delivered twice": connections.twice,
    "hanging though done": connections.hanging_though_done,
}
"""What befalls the bot in a year."""
