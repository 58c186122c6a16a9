"""What people do in leagues: they open them, join and leave, start them and call them off, and play the next season.

Four people are the fewest that a league needs, and there are four: so most join, and few leave. Its matches are soon
given up, since there are many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox import people
from bot.sandbox.errors import Json
from tests.world.people import NAMES
from tests.world.visible_matches import CHANNEL, Board

if TYPE_CHECKING:
    from tests.world.habits import HabitualHand


SEASON = "season"
"""A second channel for leagues."""
PLACES = (CHANNEL, SEASON)
GAMES = ("binary-primes", "binary-primes", "plexus")
FOUNDED, OFFERED, ELSE = 0.2, 0.2, 0.01
"""How often a player thinks of leagues, while one may be opened, while there is what they have not pressed, and else.
"""
LABELS = {"Join": 8, "Next season": 8, "Start now": 8, "Leave": 1}
"""How often each button is pressed."""
FIRST = ("Join", "Next season")
"""What is pressed before anything else."""
COMMANDS = ("table", "table", "leave", "cancel", "remove")
COMMANDED = 0.25
"""How often a player uses a command about a league rather than a button."""
MEANT = 0.3
"""How often a question before what cannot be undone is answered with yes."""
SURE = ("Leave", "Take them out", "Call it off")
GIVEN_UP = 0.7
"""How often a player gives a match of a league up rather than move."""
PLAYED = "select match from pairings where match is not null"


class LeagueLife:
    """A hand that thinks of leagues."""

    def __init__(self, hand: HabitualHand) -> None:
        self.hand = hand
        self.harness = hand.harness
        self.rng = hand.rng
        self._pressed = set[tuple[str, str]]()

    def thinks(self) -> bool:
        """Whether a player does something about a league now."""
        if not self.harness.leagues or not self.harness.challenging:
            return False
        may_open, offered = self.harness.founded < self.harness.leagues, self._offers(again=False)
        return self.rng.random() < (FOUNDED if may_open else OFFERED if offered else ELSE)

    async def takes_part(self) -> None:
        """Do something about some league."""
        if self.harness.founded < self.harness.leagues:
            await self._founds()
        elif offers := self._offers(again=False):
            await self._presses(offers)
        elif self.rng.random() < COMMANDED:
            await self._commands()
        else:
            await self._presses(self._offers(again=True))

    def gives_up(self, board: Board) -> bool:
        """Whether a player would rather give a match up, which is one of a league."""
        if not self.harness.leagues or self.rng.random() >= GIVEN_UP:
            return False
        return (board.match,) in self.hand.records.ledger.ask(PLAYED)

    async def resigns(self, board: Board) -> None:
        """Give a match up, and mean it."""
        self.hand.tries(board.match, "resign")
        act = self.hand.me.command("match resign", board.message["channel_id"], match=board.match)
        await self.hand.sure(board, await self.hand.attempt(act, again=True), "Resign")

    async def _founds(self) -> None:
        place = PLACES[self.harness.founded % len(PLACES)]
        self.harness.founded += 1
        act = self.hand.me.command(
            "league create", place, game=self.rng.choice(GAMES), weeks=3, pace=self.rng.choice(("1", "2", "bank")),
            days=self.rng.choice((1, 2, 7)),
        )  # fmt: skip
        self._counted("create", bool(await self.hand.attempt(act, again=True)))

    async def _commands(self) -> None:
        what, place = self.rng.choice(COMMANDS), self.rng.choice(PLACES)
        about = {"person": self.harness.person(self.rng.choice(NAMES))} if what == "remove" else {}
        asked = await self.hand.attempt(self.hand.me.command(f"league {what}", place, **about), again=True)
        if asked is None or not asked.message_id:
            return
        sure = [one.label for one in people.list_buttons(asked.message) if one.label in SURE]
        if sure and self.rng.random() < MEANT:
            self._counted(what, bool(await self.hand.attempt(self.hand.me.press(asked, sure[0]), again=True)))

    async def _presses(self, offers: list[tuple[Json, str]]) -> None:
        if offers:
            message, label = self.rng.choice([offer for offer in offers for _ in range(LABELS[offer[1]])])
            self._pressed.add((message["id"], label))
            answer = await self.hand.attempt(self.hand.me.press(message, label), again=True)
            self._counted(label, bool(answer and answer.text.startswith(("You're in", "You left", "The "))))

    def _offers(self, again: bool) -> list[tuple[Json, str]]:
        """What can be pressed; without `again` only what they have not pressed, and is no step on or back."""
        return [
            (message, label)
            for message, label in self.harness.seen_leagues.offers()
            if again or ((message["id"], label) not in self._pressed and label in FIRST)
        ]

    def _counted(self, what: str, done: bool) -> None:
        if done:
            self.harness.counts[f"league: {what}"] += 1
