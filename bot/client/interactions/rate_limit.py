"""Checks every interaction before its callback: the rate limit of its author, the queue of those that only
look, the length of its texts, and the server of its match.

A command declares its price where it is defined (`@costs(8)`); one move is the unit. An answer that is drawn for one
person alone, reads many rows or sends half a megabyte costs more. `bot.client.app.before_callback` says in which order
the checks run, and why.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.client.interactions import message_age
from bot.client.interactions.context import Interaction, data_of, guild_of, match_of, match_used
from bot.client.interactions.response_deadline import LATE, Lateness, TooLate
from bot.client.runtime.loop_time import loop_time
from bot.core.game.notation import LONGEST
from bot.core.library.imports import IMPORTED
from bot.core.match.loaded_match import Refusal, UnknownMatch
from bot.core.values.ids import GuildId, MatchId
from bot.service.umpire.umpire import Umpire
from data.store import Reader

ACTS_IN_A_ROW, ACTS_PER_SECOND = 20.0, 2.0
TYPED_IN_A_ROW, TYPED_PER_SECOND = 60.0, 10.0
"""The size of a person's bucket and how fast it refills, in moves; Discord asks for suggestions at every key."""
GRACE = 0.5
"""Seconds between the end of our own time for an answer and that of Discord's."""
TOLD_IN_A_ROW, TOLD_PER_SECOND = 5.0, 0.5
"""How often somebody is told that they are too fast; a refusal costs the bot as much as many an answer."""
ASKERS = 10_000
LOOKS_AT_ONCE = 4
"""How many interactions that only look are served at a time; the others wait in line, and moves pass beside it."""
REFUSED_AT_ONCE = 2
"""How many are told at a time that they are too fast: many who ask for much at once hold up nobody who moves."""
IN_LINE, PRICE, BARE = "came through the line of those who look", "price", "price without options"
"""Keys in the `extras` of an interaction, and in those of a command."""
LISTED = {"game", "league", "match", "quiet", "season", "seat", "until", "zone"}
"""Options whose suggestions stand in a list; for all others moves are worked out."""


@dataclass(frozen=True, slots=True)
class Price:
    """What an interaction takes from the bucket of its author, in moves, and whether it only looks: then it changes
    nothing, and waits in line with others of its kind."""

    moves: float = 1.0
    looks: bool = False


USUAL, LISTED_TYPING, MOVE_TYPING = Price(), Price(1.0, looks=True), Price(2.0, looks=True)
Declared = TypeVar("Declared", bound=app_commands.Command[Any, ..., Any])


def costs(moves: float, *, looks: bool = False, looks_bare: bool = False) -> Callable[[Declared], Declared]:
    """Declare the price of a command, above `@app_commands.command`; `looks_bare` where it only looks without options.

    A command that declares nothing costs one move and may change something.
    """

    def declared(command: Declared) -> Declared:
        command.extras[PRICE] = Price(moves, looks)
        command.extras[BARE] = Price(moves, looks or looks_bare)
        return command

    return declared


def price_of(interaction: Interaction) -> Price:
    """The price of an interaction; the routes have said that of what was pressed."""
    data = data_of(interaction)
    if is_typing(interaction):
        return typing_price(data)
    if PRICE in interaction.extras:
        return interaction.extras[PRICE]
    try:
        command = interaction.command
    except Exception:  # what cannot be read is refused after these checks
        return USUAL
    return command_price(command, data.get("options", ()))


def command_price(command: object, options: Sequence[Mapping[str, Any]]) -> Price:
    """The price of a command that is called with some options."""
    if not isinstance(command, app_commands.Command):
        return USUAL
    return command.extras.get(PRICE if options else BARE, USUAL)


def typing_price(data: Mapping[str, Any]) -> Price:
    """The price of suggestions for the option that is being typed."""
    return LISTED_TYPING if focused(data) in LISTED else MOVE_TYPING


def focused(data: Mapping[str, Any]) -> str | None:
    """The name of the option that is being typed."""
    return next((str(option.get("name")) for option in options_in(data) if option.get("focused")), None)


def options_in(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All options of a command, those of its subcommands too."""
    for option in data.get("options", ()):
        yield option
        yield from options_in(option)


class TooFast(Refusal):
    """Somebody asks faster than people do."""


class Unheard(TooFast):
    """Somebody goes on asking though they have been told so: they get no answer."""


@dataclass(slots=True)
class Rate:
    """A bucket for each person, refilled as time goes by; the people of longest ago are forgotten."""

    most: float
    per_second: float
    clock: Callable[[], float] = loop_time
    buckets: OrderedDict[int, tuple[float, float]] = field(default_factory=OrderedDict[int, tuple[float, float]])

    def take(self, asker: int, cost: float = 1) -> bool:
        """Take so many moves from somebody's bucket; False when there are not enough in it."""
        now = self.clock()
        left, since = self.buckets.pop(asker, (self.most, now))
        left = min(self.most, left + (now - since) * self.per_second)
        self.buckets[asker] = (left - cost if left >= cost else left, now)
        self._forget(now)
        return left >= cost

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again, and where there are too many, those of longest ago."""
        oldest = next(iter(self.buckets.values()))
        while len(self.buckets) > ASKERS or (now - oldest[1]) * self.per_second > self.most:
            self.buckets.popitem(last=False)
            oldest = next(iter(self.buckets.values()))


class Gate:
    """Holds the buckets, the line and the checks of interactions; each check returns or raises a `Refusal`.

    `current` starts a server's clocks again after an outage.
    """

    def __init__(self, umpire: Umpire, current: Callable[[GuildId], Awaitable[object]]) -> None:
        self.umpire = umpire
        self.current = current
        self.acts = Rate(ACTS_IN_A_ROW, ACTS_PER_SECOND)
        self.typing = Rate(TYPED_IN_A_ROW, TYPED_PER_SECOND)
        self.told, self.told_typing = (Rate(TOLD_IN_A_ROW, TOLD_PER_SECOND) for _ in range(2))
        self.lateness = Lateness()
        self.looks = asyncio.Semaphore(LOOKS_AT_ONCE)
        self.refusals = asyncio.Semaphore(REFUSED_AT_ONCE)

    def expect_in_time(self, interaction: Interaction, within: float) -> float:
        """The seconds that are left for an answer; `TooLate` where Discord takes none any more."""
        late = interaction.extras[LATE] = self.lateness(interaction.id, within + GRACE)
        if late > within + GRACE:
            raise TooLate(f"{late:.1f} s late")
        return max(GRACE, within - late)

    async def expect_server(self, interaction: Interaction) -> None:
        """Refuse what comes from a direct message."""
        if interaction.guild_id is None:
            raise Refusal("Graph Paper is played in servers. Use this command in a server channel.")

    async def expect_rate(self, interaction: Interaction) -> None:
        """Take the price from the bucket of its author, or refuse; after some refusals without a word."""
        asked, told = (self.typing, self.told_typing) if is_typing(interaction) else (self.acts, self.told)
        if not asked.take(interaction.user.id, price_of(interaction).moves):
            kind = TooFast if told.take(interaction.user.id) else Unheard
            raise kind("That was a lot at once. Wait a few seconds, then try again.")

    async def line_up(self, interaction: Interaction) -> None:
        """Wait in line where an interaction only looks; it must `leave` when it is done."""
        if price_of(interaction).looks:
            await self.looks.acquire()
            interaction.extras[IN_LINE] = True

    def leave(self, interaction: Interaction) -> None:
        """Let the next one look; whatever became of the interaction, this follows."""
        if interaction.extras.pop(IN_LINE, False):
            self.looks.release()

    def refusing(self, fault: BaseException) -> AbstractAsyncContextManager[None]:
        """Where somebody is told why they are refused: for being too fast, after others who are told so."""
        return self.refusals if isinstance(fault, TooFast) else nullcontext()

    async def expect_short(self, interaction: Interaction) -> None:
        """Refuse texts that are longer than anything the bot reads."""
        if any(len(text) > LONGEST for text in texts(data_of(interaction))):
            raise Refusal(f"That's too long. I read at most {LONGEST} characters.")

    async def expect_here(self, interaction: Interaction) -> None:
        """Refuse matches of other servers, and numbers of none."""
        used, named = match_used(interaction), named_matches(data_of(interaction), is_typing(interaction))
        for match in {*named, *([] if used is None else [used])}:
            if match != IMPORTED and await self.umpire.guild(match) != interaction.guild_id:
                raise UnknownMatch(f"There is no match {match} in this server. /matches lists yours.")

    async def expect_own(self, interaction: Interaction) -> None:
        """Refuse a message or a form that is older than the match which it names: it is of another with this number."""
        match = match_used(interaction)
        if match is None or match == IMPORTED or (number := message_age.used(interaction)) is None:
            return
        if message_age.is_older(number, (await self.umpire.origin(match)).created):
            row = await self.umpire.store.ask(Reader.row, match)
            if row is None or message_age.is_foreign(number, row):
                raise UnknownMatch(message_age.EARLIER.format(match=match))

    async def resume_clocks(self, interaction: Interaction) -> None:
        """Give back an outage that is just over to the clocks of the server."""
        if not is_typing(interaction):
            await self.current(guild_of(interaction))


def is_typing(interaction: Interaction) -> bool:
    """Whether Discord asks for suggestions while somebody types."""
    return interaction.type is discord.InteractionType.autocomplete


def texts(data: Mapping[str, Any]) -> Iterator[str]:
    """Every text that a person has written into an interaction."""
    for option in data.get("options", ()):
        yield from texts(option)
    for label in data.get("components", ()):
        yield from texts(label.get("component", {}))
    if isinstance(data.get("value"), str):
        yield data["value"]


def named_matches(data: Mapping[str, Any], typing: bool = False) -> Iterator[MatchId]:
    """Every match that a `match` option names; but not the number that is just being typed."""
    options: Sequence[Mapping[str, Any]] = data.get("options", ())
    typed = next((option for option in options if option.get("focused")), None) if typing else None
    for option in options:
        yield from named_matches(option, typing)
        named = match_of(option.get("value")) if option.get("name") == "match" and option is not typed else None
        if named is not None:
            yield named
