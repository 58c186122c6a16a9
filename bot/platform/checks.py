"""What is checked before a callback: rates, options as declared, typed text."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.games.reading import explain_lookalike, tidy_text, tidy_unfinished
from bot.platform.interactions import (
    Interaction,
    data_of,
    parse_match_id,
    used_of,
)
from bot.platform.machine import loop_time
from bot.play.ids import MatchId
from bot.play.loaded_match import Refusal
from bot.play.rows import MatchRow

# Tells whether a message can belong to a match, by its creation time.


SLACK = 5
"""Seconds by which the bot's clock may be ahead of Discord's: it is right within a second and one request's time, and
no host replaces a database and makes a match in the new one that fast."""
EARLIER = "This is from an earlier match {match}, which I no longer have. /matches lists yours."


def find_source_id(interaction: Interaction) -> int | None:
    """The id of the message that was used, or of the one that opened the form if it was deleted; None for a command. An
    edit keeps the id: what names a match is never put on a message older than it."""
    if interaction.message:
        return interaction.message.id
    return getattr(used_of(interaction), "interaction", None)


def is_older(number: int, created: int) -> bool:
    """Whether a Discord id is older than a match that was created at this time by the bot's clock."""
    return discord.utils.snowflake_time(number).timestamp() < created - SLACK


def is_foreign(number: int, row: MatchRow) -> bool:
    """Whether a Discord id is older than a match and than all its known messages. A match's thread has the id of the
    message from which it was made."""
    own = row.thread if row.thread != row.channel else None
    known = [one for one in (row.lobby_message, row.board_message, own) if one]
    return is_older(number, row.created) and number < min(known, default=number + 1)


# Compares the options of a command with what the command declares, before discord.py hands them to a callback.


KINDS: Mapping[discord.AppCommandOptionType, tuple[type, ...]] = {
    discord.AppCommandOptionType.string: (str,),
    discord.AppCommandOptionType.integer: (int,),
    discord.AppCommandOptionType.boolean: (bool,),
    discord.AppCommandOptionType.number: (int, float),
}
"""The type of a value by the kind of its option; users, channels and the like come as ids, in a text."""
MATCH = "match"
"""The option that names a match, in all commands. `typed_options` reads it from any form."""
ONCE_NUMBERS = {"seat"}
"""Options with suggestions that were numbers once: a client that was open when this changed still sends one."""
NAMED_CHOICES = {"confirm", "kind", "pace", "puzzle", "reminders", "weekends"}
"""Options whose callbacks refuse a word that is none of the choices, with a sentence that names them."""


def find_misfits(command: app_commands.Command[Any, ..., Any], data: Mapping[str, Any]) -> Iterator[str]:
    """The names of the options that were sent with values which the command cannot have."""
    declared = {one.display_name: one for one in command.parameters}
    for option in iterate_given_options(data):
        name = option["name"]
        if option.get("focused"):
            if not isinstance(option.get("value"), str):
                yield name
        elif name in declared and name != MATCH and not matches_declaration(declared[name], option):
            yield name


def iterate_given_options(data: Mapping[str, Any]) -> Iterator[MutableMapping[str, Any]]:
    """The options of a command, inside any group."""
    for option in data.get("options", ()):
        if "options" in option:
            yield from iterate_given_options(option)
        elif "value" in option:
            yield option


def matches_declaration(declared: app_commands.Parameter, option: Mapping[str, Any]) -> bool:
    """Whether an option is of its declared kind, and one of its choices if it has any; discord.py checks bounds."""
    value = option["value"]
    kinds = KINDS.get(declared.type, (str,))
    if declared.autocomplete and declared.display_name in ONCE_NUMBERS and type(value) is int:
        return True
    if option.get("type") != declared.type.value or not isinstance(value, kinds):
        return False
    if isinstance(value, bool) != (kinds == (bool,)):
        return False
    free = not declared.choices or declared.display_name in NAMED_CHOICES
    return free or value in [choice.value for choice in declared.choices]


# Checks every interaction before its callback: the rate limit of its user, and the queue of reads.

ACTS_IN_A_ROW, ACTS_PER_SECOND = 20.0, 2.0
TYPED_IN_A_ROW, TYPED_PER_SECOND = 60.0, 10.0
"""The size of a user's bucket and how fast it refills, in moves; Discord asks for suggestions at every key."""
GRACE = 0.5
"""Seconds between the end of our own time for an answer and that of Discord's."""
TOLD_IN_A_ROW, TOLD_PER_SECOND = 5.0, 0.5
"""The size and refill of the bucket for telling a user that they are too fast; a refusal costs as much as an answer."""
ASKERS = 10_000
LOOKS_AT_ONCE = 4
"""How many interactions that only read are served at a time; the others wait in a queue, which moves skip."""
REFUSED_AT_ONCE = 2
"""How many users are told at a time that they are too fast, so that a flood of requests does not delay moves."""
IN_LINE, PRICE, BARE = "came through the line of those who look", "price", "price without options"
"""Keys in the `extras` of an interaction, and in those of a command."""
LISTED = {"game", "league", "match", "quiet", "season", "seat", "server", "until", "zone"}
"""Options with suggestions from a list; for all others moves are computed."""


@dataclass(frozen=True, slots=True)
class Price:
    """What an interaction takes from its user's bucket, in moves, and whether it `looks`: then it only reads, and waits
    in the queue of such interactions."""

    moves: float = 1.0
    looks: bool = False


USUAL, LISTED_TYPING, MOVE_TYPING = Price(), Price(1.0, looks=True), Price(2.0, looks=True)
Declared = TypeVar("Declared", bound=app_commands.Command[Any, ..., Any])
Offered = TypeVar("Offered")


def costs(moves: float, *, looks: bool = False, looks_bare: bool = False) -> Callable[[Declared], Declared]:
    """Declare the price of a command, above `@app_commands.command`; `looks_bare` where it only reads without options.

    A command that declares nothing costs one move and may change something.
    """

    def declare(command: Declared) -> Declared:
        command.extras[PRICE] = Price(moves, looks)
        command.extras[BARE] = Price(moves, looks or looks_bare)
        return command

    return declare


def offered_in_messages(command: Offered) -> Offered:
    """Offer a command in the bot's direct messages too, and to people who have added the app to their account; above
    its declaration, or that of its group. In other people's direct messages nothing is offered."""
    anywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    return app_commands.allowed_installs(guilds=True, users=True)(anywhere(command))


def is_offered_in_messages(command: app_commands.Command[Any, ..., Any]) -> bool:
    """Whether a command, or its group, is offered in direct messages."""
    offered = (command.root_parent or command).allowed_contexts
    return offered is not None and bool(offered.dm_channel)


def price_of(interaction: Interaction) -> Price:
    """The price of an interaction; that of a button or form was set by its route."""
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
    if not isinstance(command, app_commands.Command):
        return USUAL
    return command.extras.get(PRICE if options else BARE, USUAL)


def typing_price(data: Mapping[str, Any]) -> Price:
    return LISTED_TYPING if find_focused_option(data) in LISTED else MOVE_TYPING


def find_focused_option(data: Mapping[str, Any]) -> str | None:
    return next((str(option.get("name")) for option in iterate_all_options(data) if option.get("focused")), None)


def iterate_all_options(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All options of a command, those of its subcommands too."""
    for option in data.get("options", ()):
        yield option
        yield from iterate_all_options(option)


class RateLimited(Refusal):
    """A user acts faster than people do."""


class RateLimitedSilently(RateLimited):
    """A user goes on after being told to slow down: they get no answer."""


@dataclass(slots=True)
class TokenBuckets:
    """A bucket for each user, refilled as time goes by; the least recently used are forgotten."""

    most: float
    per_second: float
    clock: Callable[[], float] = loop_time
    buckets: OrderedDict[int, tuple[float, float]] = field(default_factory=OrderedDict[int, tuple[float, float]])

    def take(self, asker: int, cost: float = 1) -> bool:
        """Take this number of moves from a user's bucket; False when there are not enough in it."""
        now = self.clock()
        left, since = self.buckets.pop(asker, (self.most, now))
        left = min(self.most, left + (now - since) * self.per_second)
        self.buckets[asker] = (left - cost if left >= cost else left, now)
        self._forget(now)
        return left >= cost

    def _forget(self, now: float) -> None:
        """Drop the buckets that are full again, and above the limit, the least recently used."""
        oldest = next(iter(self.buckets.values()))
        while len(self.buckets) > ASKERS or (now - oldest[1]) * self.per_second > self.most:
            self.buckets.popitem(last=False)
            oldest = next(iter(self.buckets.values()))


def is_typing(interaction: Interaction) -> bool:
    """Whether Discord asks for suggestions (autocompletion)."""
    return interaction.type is discord.InteractionType.autocomplete


def iterate_texts(data: Mapping[str, Any]) -> Iterator[str]:
    """Every text that the user typed in an interaction."""
    for option in data.get("options", ()):
        yield from iterate_texts(option)
    for label in data.get("components", ()):
        yield from iterate_texts(label.get("component", {}))
    if isinstance(data.get("value"), str):
        yield data["value"]


def iterate_named_matches(data: Mapping[str, Any], typing: bool = False) -> Iterator[MatchId]:
    """Every match that a `match` option names, except the one that is being typed."""
    options: Sequence[Mapping[str, Any]] = data.get("options", ())
    typed = next((option for option in options if option.get("focused")), None) if typing else None
    for option in options:
        yield from iterate_named_matches(option, typing)
        named = parse_match_id(option.get("value")) if option.get("name") == "match" and option is not typed else None
        if named is not None:
            yield named


# Normalises typed text before any callback sees it.


Command = app_commands.Command[Any, ..., Any]
Choice = app_commands.Choice[Any]
Option = MutableMapping[str, Any]

ROWS = "options of several lines"
"""The key in a command's `extras` of the names of the options that may hold a grid, written row by row."""
MOVES = "options that hold moves"
"""The key of the names of those that hold a move or a part of one."""
PASSING: Mapping[str, re.Pattern[str]] = {
    "zone": re.compile(r" \(it is (?:[01][0-9]|2[0-3]):[0-5][0-9]\)$"),
    "until": re.compile(r" \((?:today|tomorrow|in [0-9]+ days)\)$"),
    "seat": re.compile(r"(?: · (?:to move|ran out of time|has left this server))+$"),
}
"""The part of some options' suggestions that is true only when they are shown; they may be sent later."""
PEOPLE = {"match", "seat", "server"}
"""Options whose suggestions may contain names of users or servers, in letters of any script."""
CALLED = {"game", "league", "quiet", "season", "seat", "server"}
"""Options whose suggestions have a label that differs from the value; all others only append a note."""
NOTE, END = " (", ")"
"""The delimiters of the note behind a suggested move."""


def tidy_texts(interaction: Interaction) -> None:
    """Normalise all texts of a command or a form. A name with letters or digits of another script is refused, but not
    while it is typed."""
    command, data = interaction.command, data_of(interaction)
    extras = command.extras if isinstance(command, app_commands.Command) else {}
    rows, free = extras.get(ROWS, ()), {*extras.get(MOVES, ()), *PEOPLE}
    for option in iterate_given_options(data):
        name, value = option["name"], option["value"]
        if isinstance(value, str):
            tidying = tidy_unfinished if option.get("focused") else tidy_text
            set_option(interaction, option, tidying(value, name in rows))
            if name not in free and not is_typing(interaction):
                expect_plain(option["value"])
    for one in iterate_fields(data):
        one["value"] = tidy_text(one["value"], rows=True)


def expect_plain(text: str) -> None:
    """Refuse letters and digits of another script where they stand for Latin ones."""
    if sentence := explain_lookalike(text):
        raise Refusal(sentence)


def iterate_fields(data: Mapping[str, Any]) -> Iterator[Option]:
    """The text fields of a form that are filled."""
    for label in data.get("components", ()):
        field = label.get("component", {})
        if isinstance(field.get("value"), str):
            yield field


async def replace_shown_texts(interaction: Interaction) -> None:
    """Replace the labels of suggestions by their values."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return
    completes = {one.display_name for one in command.parameters if one.autocomplete}
    for option in iterate_given_options(data_of(interaction)):
        name, value = option["name"], option["value"]
        if name not in completes or name == MATCH or not isinstance(value, str):
            continue
        if NOTE in value or (name in CALLED and not option.get("focused")):
            typed_on = bool(option.get("focused")) and name not in LISTED
            set_option(interaction, option, await _resolve_suggestion(interaction, command, name, value, typed_on))


async def _resolve_suggestion(interaction: Interaction, command: Command, name: str, text: str, typed_on: bool) -> str:
    """A text with a suggestion's label replaced by its value. Text typed after a label gets suggestions that continue
    it."""
    for head in _iterate_heads(text) if typed_on else (text,):
        value = await find_shown_value(interaction, command, name, head)
        if value is not None:
            return f"{value}{text[len(head) :]}"
    return text


def _iterate_heads(text: str) -> Iterator[str]:
    """What may be a suggestion with its note: all of a text, or its beginning, since people type on after it."""
    yield text
    begun = text.partition(NOTE)[0]
    end = text.find(END, len(begun)) + 1
    if 0 < end < len(text):
        yield text[:end]


async def find_shown_value(interaction: Interaction, command: Command, name: str, text: str) -> str | None:
    """The value of the suggestion whose label is this text; None where there is none."""
    for typed in dict.fromkeys((text.partition(NOTE)[0], text, "")):
        choices = await fetch_suggestions(interaction, command, name, typed)
        same = [one for one in choices if tidy_text(one.name) == text]
        then = [one for one in choices if strip_passing(name, tidy_text(one.name)) == strip_passing(name, text)]
        if found := same or then:
            return str(found[0].value)
    return None


def strip_passing(option: str, shown: str) -> str:
    """The label of a suggestion, without what is true only at that moment.

    >>> strip_passing("zone", "Europe/Berlin (it is 17:05)"), strip_passing("seat", "Bea · to move")
    ('Europe/Berlin', 'Bea')
    >>> strip_passing("line", "b2 (today)")
    'b2 (today)'
    """
    return PASSING[option].sub("", shown) if option in PASSING else shown


async def fetch_suggestions(interaction: Interaction, command: Command, name: str, typed: str) -> list[Choice]:
    """The suggestions for an option of a command after this text; discord.py has no public way to get them."""
    declared = command._params.values()  # pyright: ignore[reportPrivateUsage]
    complete: Any = next(one.autocomplete for one in declared if one.display_name == name)
    own = (command.binding,) if getattr(complete, "pass_command_binding", False) else ()
    return await complete(*own, interaction, typed)


def set_option(interaction: Interaction, option: Option, value: str) -> None:
    """Change an option, in discord.py's parsed copy too."""
    option["value"] = value
    setattr(interaction.namespace, option["name"], value)
