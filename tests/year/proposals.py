"""What people agree on: now and then a player asks for a takeback, a draw or a pause; others agree, refuse or say
nothing, and after some days a player asks to go on.
"""

from __future__ import annotations

from random import Random

from bot.play.ids import MatchId, UserId
from bot.play.loaded_match import Kind
from tests.year import journal
from tests.year.harness import HOUR, STEP, Act, Harness
from tests.year.people import DAY

ASKING: tuple[tuple[float, Kind], ...] = ((0.02, "takeback"), (0.024, "draw"), (0.04, "pause"))
"""How likely a board makes a player ask for something, up to these bounds."""
AGREE, REFUSE = 0.7, 0.9


class Proposals:
    """What all people ask of each other, and how they answer."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.at = harness.agenda.in_
        self.rng: Random = harness.rng

    def shown(self, match: int) -> None:
        """A player may want something when they see a board."""
        luck = self.rng.random()
        kind = next((kind for bound, kind in ASKING if luck < bound), None)
        if kind and match in self.harness.diary.matches:
            user = self.rng.choice(sorted(self.harness.diary.seats[match].values()))
            self.at(self.rng.randrange(5, 2 * HOUR), self.ask, match, user, kind)

    def told(self, event: journal.Event) -> None:
        """A pause goes on for some days, until a player wants to go on."""
        if isinstance(event, journal.Paused) and event.on:
            user = self.rng.choice(sorted(self.harness.diary.seats[event.match].values()))
            self.at(self.rng.randrange(HOUR, 12 * DAY), self.ask, event.match, user, "resume")

    async def ask(self, match: int, user: int, kind: Kind) -> None:
        """A player asks all others."""
        if not self.harness.up:
            return self.at(self.rng.randrange(STEP, HOUR), self.ask, match, user, kind)
        number, person = MatchId(match), UserId(user)
        ask: Act = lambda life, act: life.consent.propose(act, number, person, kind)  # noqa: E731
        done = await self.harness.act(user, kind, ask)
        if self.harness.ledger.proposal(match) is not None:
            for other in sorted(set(self.harness.diary.seats[match].values()) - {user}):
                luck = self.rng.random()
                if luck < REFUSE:
                    self.at(self.rng.randrange(10, 2 * DAY), self.answer, match, other, luck < AGREE)
        if kind == "resume" and not done and match in self.harness.diary.paused:
            self.at(self.rng.randrange(HOUR, 2 * DAY), self.ask, match, user, kind)
        return None

    async def answer(self, match: int, user: int, agrees: bool) -> None:
        """A player agrees or refuses."""
        if not self.harness.up:
            return self.at(self.rng.randrange(STEP, HOUR), self.answer, match, user, agrees)
        number, person = MatchId(match), UserId(user)
        agree: Act = lambda life, act: life.consent.agree(act, number, person)  # noqa: E731
        refuse: Act = lambda life, act: life.consent.refuse(act, number, person)  # noqa: E731
        await self.harness.act(user, "agree" if agrees else "refuse", agree if agrees else refuse)
        if match in self.harness.diary.paused and self.harness.ledger.proposal(match) is None and not agrees:
            self.at(self.rng.randrange(HOUR, 4 * DAY), self.ask, match, user, "resume")
        return None
