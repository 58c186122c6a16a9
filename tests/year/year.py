"""The year itself: who does what when. What people do is put on the agenda of the harness, and done in its time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bot.play.ids import InteractionId, MatchId, UserId
from data.upkeep.integrity import check_database
from tests.year import journal, plays
from tests.year.habits import Habits
from tests.year.harness import HOUR, Act, Harness
from tests.year.journal import Event
from tests.year.lives import Life
from tests.year.people import DAY, Person, born
from tests.year.proposals import Proposals

START = 1_798_761_600
"""2027-01-01, a Friday, 0:00 UTC."""
RESIGNING = 0.002
OUTAGES: tuple[Callable[[Random], int], ...] = (
    lambda rng: rng.randrange(5, 80),
    lambda rng: rng.randrange(100, 1200),
    lambda rng: rng.randrange(1200, 10 * HOUR),
    lambda rng: rng.randrange(DAY // 2, 4 * DAY),
)
"""How long the bot is not there: restarts, hiccups, nights, days."""
GUILDS = {1: "Europe/Berlin", 2: "America/New_York", 3: "Asia/Kolkata", 4: "UTC"}


@dataclass(frozen=True)
class Given:
    """What a year is made of."""

    folder: Path
    seed: int = 1
    days: int = 365
    matches: int = 1000
    people: int = 200
    failing: float = 0.04
    restless: int = 1
    """How many times as often as usual people go away and think again."""
    first: bool = False
    """End with the first violation."""


class Year:
    """One run."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.harness = Harness(given.folder / "year.db", START, given.seed, given.failing, sorted(GUILDS))
        self.harness.told, self.harness.shown, self.harness.waited = self.told, self.shown, self.waited
        self.rng, self.at, self.diary = self.harness.rng, self.harness.agenda.in_, self.harness.diary
        self.people: dict[int, Person] = born(given.people, self.rng)
        self.planned: set[tuple[int, int]] = set()
        self.habits = Habits(self.harness, self.people, sorted(GUILDS), given.days, given.restless)
        self.proposals = Proposals(self.harness)
        self.sound = False
        """Whether `python -m bot check --ratings` finds nothing at the end."""

    async def run(self) -> None:
        """The whole year."""
        await plays.prepare(f"sqlite:///{self.harness.file}", GUILDS)
        await self.harness.open()
        try:
            await self.habits.begin()
            self.plan_year()
            while self.harness.agenda.passed < self.given.days * DAY:
                await self.harness.go_on()
                if self.given.first and self.harness.referee.violations:
                    return
        finally:
            await self.harness.close()
        report = await check_database(f"sqlite:///{self.harness.file}", plays.GAMES, ratings=True)
        self.sound = report.sound

    def plan_year(self) -> None:
        """What is known beforehand: matches, outages, times with two processes, a clock that is wrong for a while."""
        days, rng = self.given.days, self.rng
        for number in range(self.given.matches):
            self.at(rng.randrange(max(1, days - 30) * DAY), self.challenge, number)
        for _ in range(max(2, days // 12) * min(3, self.given.restless)):
            seconds = rng.choice(OUTAGES)(rng)
            self.at(rng.randrange(days * DAY), self.harness.start_outage, seconds, rng.random() < 0.4)
        for _ in range(max(1, days // 60)):
            begin = rng.randrange(days * DAY)
            self.at(begin, self.harness.join)
            self.at(begin + rng.randrange(DAY, 4 * DAY), self.harness.leave)
        wrong = rng.randrange(days * DAY // 4, days * DAY // 2)
        self.at(wrong, self.harness.set_clock, -DAY)
        self.at(wrong + rng.randrange(4 * HOUR, 30 * HOUR), self.harness.set_clock, DAY)

    def told(self, event: Event) -> None:
        """Something has happened, which people may react to."""
        self.proposals.told(event)
        if isinstance(event, journal.Asked):
            for user in sorted(set(self.diary.seats[event.match].values()) - {event.user}):
                self.record_try(event.match, user)

    def shown(self, match: int) -> None:
        """The player who is to move is told so."""
        self.proposals.shown(match)
        for user in self.diary.to_move(match):
            self.plan(match, user)

    # Playing.

    async def challenge(self, number: int) -> None:
        """Two or more people begin a match."""
        if not self.harness.up:
            return self.at(self.rng.randrange(HOUR), self.challenge, number)
        game, seats, options = plays.chosen(number, self.rng)
        users = [UserId(user) for user in self.rng.sample(sorted(self.people), seats)]
        pace = plays.PACES[number % len(plays.PACES)] if self.rng.random() < 0.8 else None
        guild = self.rng.choice(sorted(GUILDS))
        wanted = plays.challenge(game, guild, users, options, pace)
        found: list[int] = []

        async def ask(life: Life, act: InteractionId) -> None:
            found.append((await life.umpire.challenge(act, wanted)).id)

        if await self.harness.act(users[0], "challenge", ask, deadly=False):
            for guest in users[1:]:
                self.at(self.rng.randrange(10, 6 * 3600), self.accept, found[0], guest)
        return None

    async def accept(self, match: int, user: int) -> None:
        """A player accepts a challenge."""
        if not self.harness.up:
            return self.at(self.rng.randrange(HOUR), self.accept, match, user)
        number, person = MatchId(match), UserId(user)
        accept: Act = lambda life, act: life.umpire.accept(act, number, person)  # noqa: E731
        done = await self.harness.act(user, "accept", accept, deadly=False)
        if not done and self.harness.ledger.state(match) == "open":
            self.at(self.rng.randrange(HOUR), self.accept, match, user)
        return None

    def plan(self, match: int, user: int, allowed: int | None = None) -> None:
        """A player has been shown that they are to move."""
        if (match, user) in self.planned:
            return
        pace = self.diary.paces[match]
        days = {"none": 4, "bank": 3}.get(pace) or int(pace)
        delay = self.people[user].delay(allowed or days * DAY, self.rng)
        if delay is None and pace == "none":
            delay = 20 * DAY
        self.planned.add((match, user))
        if delay is not None:
            self.at(delay, self.move, match, user)

    async def waited(self) -> None:
        """Some have waited for the bot to be back, and move before it has looked at anything."""
        waiting = [(match, user) for match in self.diary.live for user in self.diary.to_move(match)]
        for match, user in self.rng.sample(waiting, min(3, len(waiting))):
            await self.move(match, user)

    async def move(self, match: int, user: int) -> None:
        """A player plays, if they still can and are there."""
        if not self.harness.up:
            return self.at(self.rng.randrange(30, 3600), self.move, match, user)
        self.planned.discard((match, user))
        if user not in self.diary.to_move(match):
            return None
        back = self.back(match, user)
        if back is not None and self.rng.random() < 0.9:
            self.planned.add((match, user))
            return self.at(back, self.move, match, user)
        folded = self.diary.matches[match]
        seat = next(seat for seat, player in self.diary.seats[match].items() if player == user)
        text = plays.drawn(folded, seat, self.rng)
        number, person = MatchId(match), UserId(user)
        if self.rng.random() < RESIGNING:
            done = await self.harness.act(user, "resign", lambda life, act: life.umpire.resign(act, number, person))
        else:
            done = await self.harness.act(user, "move", lambda life, act: life.umpire.move(act, number, person, text))
        if user in self.diary.to_move(match) and (folded.game.secret or not done):
            self.plan(match, user)
        return None

    def back(self, match: int, user: int) -> int | None:
        """In how many seconds a player is back who is away; None where they are here."""
        hours = self.harness.referee.clocks.hours.get((self.diary.guilds[match], user))
        now = self.harness.clock()
        ends = [end for begin, end in hours.away if begin <= now < end] if hours else []
        return max(ends) - now + self.rng.randrange(3600) if ends else None

    # Out of time.

    def record_try(self, match: int, user: int) -> None:
        """A player is asked what is to become of a match in which another has run out of time."""
        luck = self.rng.random()
        when = self.rng.randrange(20, 80 * HOUR)
        if luck < 0.7:
            self.at(when, self.decide, match, user, "claim" if luck < 0.35 else "give")

    async def decide(self, match: int, user: int, what: str) -> None:
        """A player claims, or gives three days."""
        if not self.harness.up:
            return self.at(self.rng.randrange(30, HOUR), self.decide, match, user, what)
        number, person = MatchId(match), UserId(user)
        if what == "claim":
            await self.harness.act(user, what, lambda life, act: life.timer.deadlines.claim_match(act, number, person))
        else:
            await self.harness.act(user, what, lambda life, act: life.timer.deadlines.give_time(act, number, person))
        return None
