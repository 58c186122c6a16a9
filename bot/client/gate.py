"""The gate that every interaction passes: command, autocompletion, button, form.

Server only, a known match of this very server, an asker who is not flooding, texts of a sane length. It is one function
because discord.py has three roads for interactions, and only one of them asks the command tree's own check.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.client.ids import ButtonId, FormId
from bot.core.ids import MatchId
from bot.core.notation import LONGEST
from bot.service.seated import Refusal, UnknownMatch
from bot.service.umpire import Umpire

ACTS_IN_A_ROW, ACTS_PER_SECOND = 20.0, 2.0
TYPED_IN_A_ROW, TYPED_PER_SECOND = 60.0, 10.0
"""What one person may do at once, and how fast that is made good again; typing asks at every key."""
ASKERS = 10_000


class TooFast(Refusal):
    """Somebody asks faster than people do."""


@dataclass(slots=True)
class Rate:
    """A bucket of acts for each asker, refilled as time goes by; the askers of longest ago are forgotten."""

    most: float
    per_second: float
    clock: Callable[[], float] = time.monotonic
    buckets: OrderedDict[int, tuple[float, float]] = field(default_factory=OrderedDict[int, tuple[float, float]])

    def take(self, asker: int) -> bool:
        """Take one act from somebody's bucket; False when it is empty."""
        now = self.clock()
        left, since = self.buckets.pop(asker, (self.most, now))
        left = min(self.most, left + (now - since) * self.per_second)
        self.buckets[asker] = (left - 1 if left >= 1 else left, now)
        if len(self.buckets) > ASKERS:
            self.buckets.popitem(last=False)
        return left >= 1


class Gate:
    """Lets an interaction through, or raises a `Refusal`."""

    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire
        self.acts = Rate(ACTS_IN_A_ROW, ACTS_PER_SECOND)
        self.typing = Rate(TYPED_IN_A_ROW, TYPED_PER_SECOND)

    async def __call__(self, interaction: discord.Interaction[Any]) -> None:
        """Check an interaction of any kind."""
        if interaction.guild_id is None:
            raise Refusal("Graph Paper is played in servers: use this command in a channel of one.")
        typing = interaction.type is discord.InteractionType.autocomplete
        if not (self.typing if typing else self.acts).take(interaction.user.id):
            raise TooFast("That was a lot at once: wait a few seconds, then try again.")
        data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
        if any(len(text) > LONGEST for text in texts(data)):
            raise Refusal(f"That text is too long: at most {LONGEST} characters are read.")
        match = named_match(data)
        if match is not None and await self.umpire.guild(match) != interaction.guild_id:
            raise UnknownMatch(f"There is no match {match} in this server: /matches lists yours.")


def texts(data: Mapping[str, Any]) -> Iterator[str]:
    """Every text that a person has written into an interaction."""
    for option in data.get("options", ()):
        yield from texts(option)
    for label in data.get("components", ()):
        yield from texts(label.get("component", {}))
    if isinstance(data.get("value"), str):
        yield data["value"]


def named_match(data: Mapping[str, Any]) -> MatchId | None:
    """The match that a custom_id or a `match` option names."""
    custom_id = str(data.get("custom_id", ""))
    if named := ButtonId.parse(custom_id) or FormId.parse(custom_id):
        return named.match
    for option in data.get("options", ()):
        if option.get("name") == "match" and isinstance(option.get("value"), int):
            return MatchId(option["value"])
        if (inner := named_match(option)) is not None:
            return inner
    return None
