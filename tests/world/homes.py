"""The servers in which people play, four to a server, each with a number of matches in all."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.sandbox.people import Person
from tests.world.player_acts import Harness


@dataclass
class Home(Harness):
    """A server where people play a number of matches in all."""

    number: int = 1
    most: int = 8
    begun: set[int] = field(default_factory=set[int])

    def person(self, name: str) -> Person:
        """Who goes by a name here; elsewhere it is another player."""
        return self.sandbox.person(named(name, self.number), self.server)

    def heard(self, event: str, message: dict[str, object]) -> None:
        """Something was posted here."""
        self.seen.heard(event, message)
        self.begun |= self.seen.boards.keys() | {one.match for one in self.seen.lobbies.values()}
        self.challenging = len(self.begun) < self.most

    @property
    def done(self) -> bool:
        """Whether all visible matches are played."""
        return not self.challenging and not self.seen.lobbies and all(one.over for one in self.seen.boards.values())


def named(name: str, number: int) -> str:
    """What a player is called in a server."""
    return name if number == 1 else f"{name} {number}"
