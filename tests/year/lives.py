"""The bot as it lives: processes with a store, an umpire and a timer of their own, which are killed and started again;
and in Discord's place a stand-in that shows what it is given, sometimes does not, and sometimes does but says nothing.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

from bot.features.time.loop import ClockWorker, ReminderSender
from bot.play.ids import GuildId, InteractionId, MatchId
from bot.umpire import clocks
from bot.umpire.acts import ConsentService
from bot.umpire.umpire import Umpire
from data.store import Store
from tests.year.desk import Desk, Discord, Silent
from tests.year.plays import GAMES

CHANNEL = 20


class Killed(BaseException):
    """The process has died here; nothing of it goes on."""


class Death(logging.Handler):
    """Kills the bot at a checkpoint: the `after`-th step from now on, in whatever thread."""

    def __init__(self) -> None:
        super().__init__()
        self.after = 0
        self.for_good = True
        """Whether nothing goes on after that; else, where there is another process, that does."""
        self.met: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Count a step."""
        if self.after:
            self.after -= 1
            if self.after == 0:
                self.after = int(self.for_good)
                self.met[str(record.msg).partition(" ")[0]] += 1
                raise Killed(record.msg)


class Life:
    """One process."""

    def __init__(self, url: str, clock: Callable[[], int], rng: Random, discord: Discord, guilds: list[int]) -> None:
        self.clock = clock
        self.discord = discord
        self.store = Store(url)
        self.umpire = Umpire(self.store, GAMES, clock, rng)
        self.consent = ConsentService(self.umpire)
        self.desk = Desk(discord, self.umpire, guilds)
        desk: Any = self.desk
        self.timer = ClockWorker(self.umpire, desk, desk.soon, 5.0)
        self.reminders = ReminderSender(self.umpire, desk, desk, desk)

    async def show(self, match: int) -> bool:
        """Show a board as it stands; whether that was necessary. `Silent` where nobody knows whether it was shown."""
        loaded = await self.umpire.load_to_show(MatchId(match))
        row = loaded.row
        if row.shown_version >= row.version:
            return False
        if not self.discord.take():
            raise Silent
        now, message = self.clock(), self.discord.messages
        board = (CHANNEL, message, row.plies) if loaded.match else (None, None, None)
        return await self.store.do(clocks.record_shown, MatchId(match), row.version, now, *board)

    async def served(self, act: InteractionId, work: Callable[[Life, InteractionId], Awaitable[Any]]) -> None:
        """What the gate does with an interaction: nobody pays for an outage that nobody has looked after yet."""
        await self.timer.outages.catch_up_before_act(GuildId(self.desk.guilds[0].id))
        await work(self, act)

    async def look(self) -> None:
        """A look of the timer, with all that it begins to send."""
        await self.timer.poll()
        self.reminders.poll()
        await self.desk.settled()

    async def die(self) -> None:
        """Be gone, with everything that is in memory."""
        await self.store.close()
