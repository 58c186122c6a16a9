"""The gate that every interaction passes: command, autocompletion, button, form.

Server only, a known match of this very server, an asker who is not flooding, texts of a sane length; and before all
that, in time. It is one function because discord.py has three roads for interactions, and only one of them asks the
command tree's own check.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.client.interactions.context import match_of
from bot.client.interactions.costs import cost, looks
from bot.client.interactions.counting import LATE
from bot.client.interactions.custom_ids import ButtonId, FormId, PadId, ReplayId
from bot.client.interactions.response_deadline import Lateness, TooLate
from bot.core.game.notation import LONGEST
from bot.core.match.loaded_match import Refusal, UnknownMatch
from bot.core.values.ids import GuildId, MatchId
from bot.service.umpire.umpire import Umpire

ACTS_IN_A_ROW, ACTS_PER_SECOND = 20.0, 2.0
TYPED_IN_A_ROW, TYPED_PER_SECOND = 60.0, 10.0
"""What one person may do at once, and how fast that is made good again, in moves; typing asks at every key."""
GRACE = 0.5
"""Seconds between the end of our own time for an answer and that of Discord's."""
TOLD_IN_A_ROW, TOLD_PER_SECOND = 5.0, 0.5
"""How often somebody is told that they are too fast; a sentence costs as much as many an answer."""
ASKERS = 10_000
LOOKS_AT_ONCE = 4
"""How many of those who merely look are served at a time; others wait in line, and whoever plays does not."""
IN_LINE = "came through the line of those who look"


class TooFast(Refusal):
    """Somebody asks faster than people do."""


class Unheard(TooFast):
    """Somebody goes on asking though they have been told so: they get no answer."""


@dataclass(slots=True)
class Rate:
    """A bucket of acts for each asker, refilled as time goes by; the askers of longest ago are forgotten."""

    most: float
    per_second: float
    clock: Callable[[], float] = time.monotonic
    buckets: OrderedDict[int, tuple[float, float]] = field(default_factory=OrderedDict[int, tuple[float, float]])

    def take(self, asker: int, cost: float = 1) -> bool:
        """Take an act from somebody's bucket; False when there is not enough in it."""
        now = self.clock()
        left, since = self.buckets.pop(asker, (self.most, now))
        left = min(self.most, left + (now - since) * self.per_second)
        self.buckets[asker] = (left - cost if left >= cost else left, now)
        self._forget(now)
        return left >= cost

    def _forget(self, now: float) -> None:
        """Forget whose bucket must be full again, and where there are too many, whoever asked longest ago."""
        oldest = next(iter(self.buckets.values()))
        while len(self.buckets) > ASKERS or (now - oldest[1]) * self.per_second > self.most:
            self.buckets.popitem(last=False)
            oldest = next(iter(self.buckets.values()))


class Gate:
    """Lets an interaction through, or raises a `Refusal`. `current` has a server's clocks go on after an outage, if
    there was one: whoever moves before the timer has looked would pay for it."""

    def __init__(self, umpire: Umpire, current: Callable[[GuildId], Awaitable[object]]) -> None:
        self.umpire = umpire
        self.current = current
        self.acts = Rate(ACTS_IN_A_ROW, ACTS_PER_SECOND)
        self.typing = Rate(TYPED_IN_A_ROW, TYPED_PER_SECOND)
        self.told, self.told_typing = (Rate(TOLD_IN_A_ROW, TOLD_PER_SECOND) for _ in range(2))
        self.lateness = Lateness()
        self.looks = asyncio.Semaphore(LOOKS_AT_ONCE)

    def expect_in_time(self, interaction: discord.Interaction[Any], within: float) -> float:
        """How many seconds are left for an answer; `TooLate` where nobody takes one any more."""
        late = interaction.extras[LATE] = self.lateness(interaction.id, within + GRACE)
        if late > within + GRACE:
            raise TooLate(f"{late:.1f} s late")
        return max(GRACE, within - late)

    def leave(self, interaction: discord.Interaction[Any]) -> None:
        """Let the next one look, when all is done for an interaction, whatever came of it."""
        if interaction.extras.pop(IN_LINE, False):
            self.looks.release()

    async def __call__(self, interaction: discord.Interaction[Any]) -> None:
        """Check an interaction of any kind; whoever merely looks waits in line here, and is to `leave` it."""
        if interaction.guild_id is None:
            raise Refusal("Graph Paper is played in servers: use this command in a channel of one.")
        typing = interaction.type is discord.InteractionType.autocomplete
        data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
        asked, told = (self.typing, self.told_typing) if typing else (self.acts, self.told)
        if not asked.take(interaction.user.id, cost(data, typing)):
            kind = TooFast if told.take(interaction.user.id) else Unheard
            raise kind("That was a lot at once: wait a few seconds, then try again.")
        if looks(data, typing):
            await self.looks.acquire()
            interaction.extras[IN_LINE] = True
        if any(len(text) > LONGEST for text in texts(data)):
            raise Refusal(f"That text is too long: at most {LONGEST} characters are read.")
        for match in set(named_matches(data, typing)):
            if await self.umpire.guild(match) != interaction.guild_id:
                raise UnknownMatch(f"There is no match {match} in this server: /matches lists yours.")
        if not typing:
            await self.current(GuildId(interaction.guild_id))


def texts(data: Mapping[str, Any]) -> Iterator[str]:
    """Every text that a person has written into an interaction."""
    for option in data.get("options", ()):
        yield from texts(option)
    for label in data.get("components", ()):
        yield from texts(label.get("component", {}))
    if isinstance(data.get("value"), str):
        yield data["value"]


def named_matches(data: Mapping[str, Any], typing: bool = False) -> Iterator[MatchId]:
    """Every match that a custom_id or a `match` option names; but not the number that is just being typed."""
    custom_id = str(data.get("custom_id", ""))
    readers = (ButtonId.parse, FormId.parse, PadId.parse, ReplayId.parse)
    if component := next((found for read in readers if (found := read(custom_id))), None):
        yield component.match
    options: Sequence[Mapping[str, Any]] = data.get("options", ())
    typed = next((option for option in options if option.get("focused")), None) if typing else None
    for option in options:
        yield from named_matches(option, typing)
        named = match_of(option.get("value")) if option.get("name") == "match" and option is not typed else None
        if named is not None:
            yield named
