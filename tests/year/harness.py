"""Runs the bot through the year: its acts, the looks of its timer, its deaths and its restarts.

Whatever it does is done at the risk of its life, and afterwards the diary notes what has become of it, as the database
and those who were shown something know it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from bot.games.position import MoveError
from bot.platform import places
from bot.play.ids import InteractionId
from bot.play.loaded_match import Refusal
from data.engine.errors import Unavailable
from tests.year import journal
from tests.year.agenda import Agenda
from tests.year.desk import Discord, Silent
from tests.year.diary import Diary
from tests.year.journal import Event
from tests.year.ledger import Ledger
from tests.year.lives import Death, Killed, Life
from tests.year.referee import Referee

STEP, HOUR = 60, 3600
"""Seconds between two looks of the timer; and between two that are made though nothing is due."""
SHOWING = 3
"""Seconds until a board is shown."""
KILLED, KILLED_LOOKING, KILLED_AT_START = 0.004, 0.05, 0.1
"""How often the bot dies while a player acts, at a look that finds something, and at its first."""
TWICE, WAITED = 0.05, 0.5
steps = logging.getLogger("graphpaper.steps")
EXPECTED = (MoveError, Refusal, Unavailable, Killed, Silent)
Act = Callable[[Life, InteractionId], Awaitable[Any]]


class Harness:
    """The bot, from one of its lives to the next. `told` hears of every event, `shown` of every board;
    `waited` is what people do who have waited for it to be back."""

    def __init__(self, file: Path, start: int, seed: int, failing: float, guilds: list[int]) -> None:
        self.file = file
        self.seed = seed
        self.guilds = guilds
        self.rng = Random(seed)
        self.agenda = Agenda(start)
        self.clock = self.agenda.clock
        self.referee = Referee(STEP)
        self.ledger = Ledger(file)
        self.diary = Diary(self.ledger, self.referee, self.clock)
        self.discord = Discord(Random(seed + 1), failing, self.clock, self.diary.reminded, self.diary.refused)
        self.death = Death()
        self.level, self.propagate, self.apart = logging.NOTSET, True, 0.0
        self.lives: list[Life] = []
        self.counts: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.acts = 1_000_000
        self.looked = self.read = 0
        self.heard = 0
        """When a player was last served: the bot was there."""
        self.steady = False
        """Whether the timer has looked since the bot was back."""
        self.told: Callable[[Event], None] = lambda event: None
        self.shown: Callable[[int], None] = lambda match: None
        self.waited: Callable[[], Awaitable[None]] | None = None

    async def open(self) -> None:
        """Start the bot for the first time."""
        self.level, self.propagate, self.apart = steps.level, steps.propagate, places.APART
        places.APART = 0  # seconds that really pass
        steps.propagate = False
        steps.setLevel(logging.DEBUG)
        steps.addHandler(self.death)
        self.awaken()
        await self.look(0)

    async def close(self) -> None:
        """End it for the last time."""
        steps.removeHandler(self.death)
        places.APART = self.apart
        steps.setLevel(self.level)
        steps.propagate = self.propagate
        await self.die()

    def life(self) -> Life:
        """One of the processes."""
        return self.rng.choice(self.lives)

    def awaken(self, count: int = 1) -> None:
        """Start the bot."""
        url = f"sqlite:///{self.file}"
        self.lives += [Life(url, self.clock, Random(self.seed), self.discord, self.guilds) for _ in range(count)]

    async def die(self) -> None:
        """All processes end."""
        for life in self.lives:
            await life.die()
        self.lives = []

    # Acts.

    async def act(self, user: int, what: str, work: Act, *, deadly: bool = True) -> bool:
        """A player does something, once or, where their client repeats it, twice; whether it was heard and allowed."""
        self.acts += 1
        act, lives = InteractionId(self.acts), [self.life()]
        if self.rng.random() < TWICE:
            lives.append(self.life())
        self.diary.by, self.diary.doing = user, what
        if self.steady:
            self.ledger.awake(self.last_look())
            self.heard = self.agenda.passed
        came = await self.at_risk(lives, lambda life: life.served(act, work), KILLED if deadly else 0)
        self.diary.by, self.diary.doing = 0, ""
        for fault in came:
            if isinstance(fault, MoveError | Refusal):
                self.refusals[str(fault)] += 1
        return not any(isinstance(one, BaseException) for one in came)

    async def at_risk(self, lives: list[Life], work: Callable[[Life], Awaitable[Any]], risk: float) -> list[Any]:
        """Have some processes do something at once, and perhaps one of them die of it; then note what has happened."""
        if self.rng.random() < risk:
            self.death.after, self.death.for_good = self.rng.randrange(1, 7), len(self.lives) == 1
        came = await asyncio.gather(*(work(life) for life in lives), return_exceptions=True)
        self.death.after = 0
        for fault in came:
            if isinstance(fault, BaseException) and not isinstance(fault, EXPECTED):
                raise fault
        changed = self.diary.catch_up(self.clock())
        await self.bury({id(life): life for life, fault in zip(lives, came, strict=True) if isinstance(fault, Killed)})
        for match in changed:
            self.agenda.in_(self.rng.randrange(1, SHOWING), self.show, match)
        self.react()
        return came

    async def bury(self, dead: dict[int, Life]) -> None:
        """Processes have died; a little later they are started again. One that died at a look has not noted it."""
        for life in dead.values():
            self.counts["kills"] += 1
            self.lives.remove(life)
            await life.die()
            if self.lives:
                self.agenda.in_(self.rng.randrange(1, 50), self.join)
            else:
                if self.looked < self.agenda.passed:
                    self.ledger.awake(self.last_look())
                self.steady = False
                self.agenda.in_(self.rng.randrange(1, 50), self.notify_awoken, self.ledger.noted() or self.clock())

    def react(self) -> None:
        """People hear what the journal says since the last time."""
        for event in self.diary.events[self.read :]:
            self.told(event)
        self.read = len(self.diary.events)

    async def show(self, match: int) -> None:
        """Show a board; where that fails it is tried again, as it is by the bot."""
        if not self.up:
            return self.agenda.in_(STEP, self.show, match)
        shown = await asyncio.gather(*(life.show(match) for life in self.lives), return_exceptions=True)
        for fault in shown:
            if isinstance(fault, BaseException) and not isinstance(fault, Silent):
                raise fault
        if any(one is True for one in shown):
            self.diary.shown(match, self.clock())
            self.shown(match)
        elif any(isinstance(one, Silent) for one in shown):
            self.agenda.in_(self.rng.randrange(STEP, 3600), self.show, match)
        return None

    # The bot's fate.

    @property
    def up(self) -> bool:
        """Whether the bot is there, and Discord with it."""
        return bool(self.lives) and not self.discord.away

    def last_look(self) -> int:
        """When the bot last knew that it was there: at a look, also at those that were left out, or when it served."""
        looked = self.looked + (self.agenda.passed - self.looked) // STEP * STEP
        return self.agenda.ahead + max(looked, self.heard)

    async def start_outage(self, seconds: int, alive: bool) -> None:
        """The bot dies now, or Discord goes away, and is back later."""
        if not self.up:
            return
        since, self.steady = self.last_look(), False
        self.ledger.awake(since)
        if alive:
            self.discord.away = True
        else:
            await self.die()
        self.agenda.in_(seconds, self.notify_awoken, since)

    async def notify_awoken(self, since: int) -> None:
        """The bot is back, and looks at once; but some have waited for it, and are faster."""
        self.discord.away = False
        if not self.lives:
            self.awaken()
        self.diary.note(journal.Slept(self.clock(), since))
        if self.waited and self.rng.random() < WAITED:
            await self.waited()
        if self.up:
            await self.look(KILLED_AT_START)

    async def join(self) -> None:
        """Another process is there too."""
        if self.lives:
            self.awaken()

    async def leave(self) -> None:
        """One of two processes ends."""
        if len(self.lives) > 1:
            await self.lives.pop().die()

    async def set_clock(self, by: int) -> None:
        """The clock of the machine is set. Nobody can tell that moments which it has not shown were there."""
        if not self.up:
            return self.agenda.in_(HOUR, self.set_clock, by)
        since, self.steady = self.last_look(), False
        self.ledger.awake(since)
        self.agenda.ahead += by
        if by > 0:
            self.diary.note(journal.Slept(self.clock(), since))
        await self.look(0)
        return None

    async def look(self, risk: float) -> None:
        """The timer looks, in all processes at once, now and then twice in a row; and dies in between."""
        self.looked = self.agenda.passed
        twice = self.rng.random() < TWICE
        came = await self.at_risk(self.lives * (1 + twice), Life.look, risk)
        if not any(isinstance(one, Killed) for one in came):
            self.steady = True
            self.diary.note(journal.Looked(self.clock()))
            self.referee.overdue(self.clock())

    # What comes next.

    async def go_on(self) -> None:
        """What comes next: what is on the agenda, or a look, which is due every minute and made every hour. Where
        nothing is due by what is written none is made, which would find nothing; the bot knows it as if it had."""
        coming = self.agenda.next
        looks = self.next_look() if self.up else None
        if looks is None or coming is not None and coming <= looks:
            return await self.agenda.go_on()
        self.agenda.passed = max(self.agenda.passed, looks)
        if self.agenda.passed >= self.looked + 2 * STEP:
            self.ledger.awake(self.clock() - STEP)
        return await self.look(KILLED_LOOKING if looks < self.looked + HOUR else 0)

    def next_look(self) -> int:
        """When the timer is to look next."""
        due = self.ledger.next()
        if due is None:
            return self.looked + HOUR
        steps = -(-(due - self.agenda.ahead - self.looked) // STEP)
        return self.looked + min(HOUR, max(1, steps) * STEP)
