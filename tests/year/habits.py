"""The habits of people about their time: they travel, come back early, change zones and choose reminders.

Those who manage a server choose for those who have not.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

from bot.features.time import preferences
from bot.play.ids import GuildId, UserId
from bot.play.rows import Preferences, ServerSettings
from tests.year.harness import HOUR, Act, Harness
from tests.year.hours import local_time, midnight
from tests.year.people import DAY, REMINDERS, ZONES, Person

ABSENCES, CHANGES = 5, 1
"""How often a player wants to be away in a year, and thinks again about zone, weekends and reminders."""


class Habits:
    """Of all people."""

    def __init__(
        self, harness: Harness, people: dict[int, Person], guilds: list[int], days: int, restless: int
    ) -> None:
        self.harness = harness
        self.at = harness.agenda.in_
        self.rng: Random = harness.rng
        self.people = people
        self.guilds = guilds
        self.days = days
        self.restless = restless

    async def begin(self) -> None:
        """Everybody says where they live; and what they will do in the year is put on the agenda."""
        self.harness.diary.servers, self.harness.diary.people = self.guilds, sorted(self.people)
        await self.govern(self.guilds[0])
        for person in self.people.values():
            await self.prefer(person.user)
            for _ in range(self.times(ABSENCES)):
                self.at(self.rng.randrange(self.days * DAY), self.leave, person.user)
            for _ in range(self.times(CHANGES)):
                self.at(self.rng.randrange(self.days * DAY), self.think_again, person.user)
        for guild in self.guilds[1:]:
            self.at(self.rng.randrange(self.days * DAY), self.govern, guild)

    def times(self, a_year: int) -> int:
        """How often something happens that happens so often in a year, at most twice as often."""
        return sum(self.rng.random() < self.days / 730 for _ in range(2 * a_year * self.restless))

    async def leave(self, user: int) -> None:
        """A player is away until the end of some day."""
        if not self.harness.up:
            return self.at(self.rng.randrange(HOUR), self.leave, user)
        guild, now = GuildId(self.rng.choice(self.guilds)), self.harness.clock()
        zone = self.harness.diary.chosen[guild, user][0]
        day = local_time(zone, now // 900).date() + timedelta(days=self.rng.choice((0, 1, 2, 3, 5, 8, 13, 16)))
        leave: Act = lambda life, _: life.store.do(  # noqa: E731  typed by its name
            preferences.set_away, guild, UserId(user), day.isoformat(), life.clock()
        )
        if await self.harness.act(user, "away", leave):
            ends = [end for begin, end in self.harness.diary.absences[guild, user] if begin <= now < end]
            if not ends or max(ends) >= midnight(zone, day + timedelta(days=1)):
                self.harness.referee.wrong(now, f"user {user} is not away until {day}")
            if self.rng.random() < 0.3:
                self.at(self.rng.randrange(HOUR, 6 * DAY), self.end_absence, guild, user)
        return None

    async def end_absence(self, guild: int, user: int) -> None:
        """A player is back before the day they had named."""
        if not self.harness.up:
            return self.at(self.rng.randrange(HOUR), self.end_absence, guild, user)
        back: Act = lambda life, _: life.store.do(  # noqa: E731  typed by its name
            preferences.end_absence, GuildId(guild), UserId(user), life.clock()
        )
        await self.harness.act(user, "back", back)
        return None

    async def think_again(self, user: int) -> None:
        """A player has moved, or wants their weekends, or other reminders."""
        person = self.people[user]
        match self.rng.randrange(3):
            case 0:
                person.zone = self.rng.choice(ZONES)
            case 1:
                person.weekends = not person.weekends
            case _:
                person.reminders = self.rng.choice(REMINDERS)
        await self.prefer(user)

    async def prefer(self, user: int) -> None:
        """A player chooses what they want."""
        if not self.harness.up:
            return self.at(self.rng.randrange(HOUR), self.prefer, user)
        person = self.people[user]
        chosen: dict[str, Any] = {
            "zone": person.zone, "weekends": person.weekends, "reminders": person.reminders,
        }  # fmt: skip

        def changed(before: Preferences) -> Preferences:
            return replace(before, **chosen)

        guild = GuildId(self.rng.choice(self.guilds))
        prefer: Act = lambda life, _: life.store.do(  # noqa: E731  typed by its name
            preferences.change_preferences, guild, UserId(user), changed, life.clock()
        )
        await self.harness.act(user, "prefer", prefer)
        return None

    async def govern(self, guild: int) -> None:
        """Those who manage a server choose its zone and how people are reminded."""
        if not self.harness.up:
            return self.at(self.rng.randrange(HOUR), self.govern, guild)
        chosen: dict[str, Any] = {"zone": self.rng.choice(ZONES), "reminders": self.rng.choice(REMINDERS)}

        def changed(before: ServerSettings) -> ServerSettings:
            return replace(before, **chosen)

        govern: Act = lambda life, _: life.store.do(  # noqa: E731  typed by its name
            preferences.change_settings, GuildId(guild), changed, life.clock()
        )
        await self.harness.act(0, "govern", govern)
        return None
