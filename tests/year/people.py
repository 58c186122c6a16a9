"""The people of the year: where they live, whether they rest at weekends, how fast they move, how they are reminded."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

ZONES = (
    "UTC", "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Athens", "Europe/Moscow", "Africa/Cairo",
    "Africa/Lagos", "Africa/Casablanca", "Asia/Tehran", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo", "Asia/Shanghai",
    "Asia/Beirut", "Australia/Sydney", "Australia/Adelaide", "Australia/Lord_Howe", "Pacific/Auckland",
    "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Honolulu", "America/Los_Angeles",
    "America/New_York", "America/St_Johns", "America/Santiago", "America/Sao_Paulo", "America/Havana",
    "Atlantic/Azores",
)  # fmt: skip
REMINDERS = ("thread", "thread", "message", "digest", "off")
DAY = 86_400
FIRST = 10_000
"""The first of them; the others follow."""


@dataclass
class Person:
    """A player: `pace` is what part of the time they have they usually take, `absent` how many days they are away."""

    user: int
    zone: str | None
    weekends: bool
    reminders: str | None
    pace: float

    def delay(self, allowed: int, rng: Random) -> int | None:
        """Seconds until they move, out of those they have; None where they never do."""
        luck = rng.random()
        if luck < 0.75:
            return int(min(rng.expovariate(1 / (self.pace * allowed)), 0.9 * allowed)) + 5
        if luck < 0.9:
            return int(allowed * rng.uniform(0.4, 1.0))
        if luck < 0.96:
            return int(allowed * rng.uniform(0.95, 1.9))
        return None if luck < 0.985 else rng.randrange(1, 30)


def born(count: int, rng: Random) -> dict[int, Person]:
    """A number of people, a fifth of whom leave zone and reminders to their server."""
    people: dict[int, Person] = {}
    for user in range(FIRST, FIRST + count):
        left = rng.random() < 0.2
        zone, reminders = rng.choice(ZONES), rng.choice(REMINDERS)
        people[user] = Person(
            user, None if left else zone, rng.random() < 0.6, None if left else reminders, rng.uniform(0.03, 0.3)
        )
    return people
