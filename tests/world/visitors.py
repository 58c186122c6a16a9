"""People who have months: they come by now and then, do what there is to do, and are away for hours, days or weeks.

They live everywhere, travel, rest at weekends or not, and think again about how they are reminded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.games.catalogue import load_games
from tests.world.habits import MANAGES, HabitualHand
from tests.world.other_games import Records
from tests.world.player_acts import Harness
from tests.world.stale_buttons import Attic
from tests.world.time_referee import DAY, PACES
from tests.world.visible_matches import CHANNEL

ZONES = (
    "UTC", "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Athens", "Europe/Moscow", "Africa/Cairo",
    "Africa/Lagos", "Africa/Casablanca", "Asia/Tehran", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tokyo", "Asia/Shanghai",
    "Asia/Beirut", "Australia/Sydney", "Australia/Adelaide", "Australia/Lord_Howe", "Pacific/Auckland",
    "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Honolulu", "America/Los_Angeles",
    "America/New_York", "America/St_Johns", "America/Santiago", "America/Sao_Paulo", "America/Havana",
    "Atlantic/Azores",
)  # fmt: skip
REMINDERS = ("thread", "thread", "message", "digest", "off")
RHYTHM = 0.2, 1.6
"""Days from one visit to the next, on the average, of the busiest and of the laziest."""
FORGETS, WEEKS = 0.05, (1, 20)
"""How often a player stays away for longer, and for how many days."""
LONGEST_VISIT = 25
"""Acts after which a player leaves again, whatever there is to do."""
CHANGES = 0.06
"""How often a player who comes by changes something about their time."""


class Visitor(HabitualHand):
    """A person in one server; `clock` is that of the world."""

    paces = tuple(PACES)
    idle = 0.5
    prepares, plays_others = 0.02, 0.7
    others: Mapping[str, Sequence[int]] = {
        key: [seats for seats in game.seats if 2 <= seats <= 4] for key, game in load_games().items()
    }

    def __init__(self, harness: Harness, name: str, records: Records, attic: Attic, clock: Callable[[], float]) -> None:
        super().__init__(harness, name, records, attic)
        self.clock = clock
        self.rhythm = self.rng.uniform(*RHYTHM)
        self.comes = clock() + self._drawn()
        """When they come by next, or have come."""
        self._acts = 0
        self.habits = [*[self.asks] * 3, *[self.answers] * 4, self.resigns, self.rematches, self.at_a_lobby,
                       self.presses_what_is_old, self.looks]  # fmt: skip

    async def act(self) -> bool:
        """Do one thing, if they are there and there is one to do."""
        if not self.harness.challenging:
            return await super().act()
        if self.harness.resting or self.clock() < self.comes:
            return False
        if not self._acts and self.rng.random() < CHANGES:
            await self.wish()
        self._acts += 1
        if self._acts <= LONGEST_VISIT and await super().act():
            return True
        self.comes, self._acts = self.clock() + self._drawn(), 0
        return False

    def _drawn(self) -> float:
        """Seconds until they come by again."""
        days = self.rng.uniform(*WEEKS) if self.rng.random() < FORGETS else self.rng.expovariate(1 / self.rhythm)
        return days * DAY

    async def wish(self) -> None:
        """Choose something about one's time, or go away until the end of some day, or come back early."""
        choices: list[tuple[str, dict[str, str]]] = [
            ("preferences", {"zone": self.rng.choice(ZONES)}),
            ("preferences", {"weekends": self.rng.choice(("yes", "no"))}),
            ("preferences", {"reminders": self.rng.choice(REMINDERS)}),
            *[("away until", {"until": f"in {self.rng.choice((1, 2, 3, 5, 8, 13, 16))} days"})] * 5,
            *[("away back", {})] * 3,
        ]
        if self.name == MANAGES:
            choices += [
                ("settings zone", {"zone": self.rng.choice(ZONES)}),
                ("settings reminders", {"kind": self.rng.choice(REMINDERS)}),
            ]
        command, given = self.rng.choice(choices)
        await self.attempt(self.me.command(command, CHANNEL, **given), again=True)

    async def settle(self) -> None:
        """Say where they live and what they want; a fifth leave that to their server."""
        given = {"zone": self.rng.choice(ZONES), "reminders": self.rng.choice(REMINDERS)}
        chosen = given if self.rng.random() < 0.8 else {}
        await self.me.command("preferences", CHANNEL, weekends=self.rng.choice(("yes", "yes", "no")), **chosen)
