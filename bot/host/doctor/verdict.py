"""The lines of a run: something holds, does not hold, or could not be tried; and the exit status that follows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bot.host.doctor.findings import Fails, Unanswered, Untried, Weight
from bot.host.doctor.visit import Visit

HOLDS, FAILS, UNTRIED = "holds", "does not hold", "could not be tried"
COPES = "The bot copes with what does not hold."
NEEDED = "The bot can't do without all of this."
AWAY = "Discord stopped answering. Try again in a while."
YOURS = "Put right what does not hold, as it says above, and run this again."

Attempt = Callable[[Visit], Awaitable[None]]
"""Tries one thing: `Fails` or `Untried`, or an error of discord.py's, unless it holds."""


@dataclass(frozen=True)
class Assumption:
    """Something that the bot builds on: in a sentence without its full stop, how it is tried, and what the bot does
    where it does not hold."""

    text: str
    attempt: Attempt
    otherwise: str
    weight: Weight = Weight.COPES
    needs: Sequence[str] = ()
    """The permissions without which it cannot be tried, as discord.py names them."""
    within: float = 20.0
    """Seconds that the try may take."""


@dataclass
class Verdict:
    """How many things hold, fail and could not be tried, and the worst of it."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((HOLDS, FAILS, UNTRIED), 0))
    worst: Weight = Weight.COPES
    away: bool = False
    """Whether Discord did not answer."""

    @property
    def status(self) -> int:
        """The exit status: 2 where a person has to put something right, 1 for what the bot cannot do without."""
        return int(max(self.worst, Weight.NEEDED if self.away else Weight.COPES))

    def judge(self, one: Assumption, fault: Fails | Untried | None) -> str:
        """Count a try, and give its line."""
        word = HOLDS if fault is None else FAILS if isinstance(fault, Fails) else UNTRIED
        self.counts[word] += 1
        if fault is None:
            return f"{word}: {one.text}."
        if isinstance(fault, Untried):
            self.away = self.away or isinstance(fault, Unanswered)
            return f"{word}: {one.text}. {fault}"
        self.worst = max(self.worst, one.weight)
        seen = f" ({fault})" if str(fault) else ""
        return f"{word}: {one.text}{seen}. {one.otherwise}"

    def summary(self) -> str:
        """The last line."""
        numbers = " ".join(f"{word.capitalize()}: {number}." for word, number in self.counts.items())
        if self.worst:
            return f"{numbers} {YOURS if self.worst is Weight.YOURS else NEEDED}"
        if self.away:
            return f"{numbers} {AWAY}"
        return f"{numbers} {COPES}" if self.counts[FAILS] else numbers
