"""Brings what somebody has typed into the form that readers take, before any callback sees it.

All texts are tidied first (`tidy`): what keyboards write becomes plain signs, and a letter of another alphabet in a
name is refused; moves are refused by their own reader, which shows a legal one. A `match` option is then turned into a
match's number. Last, what a suggestion showed becomes its value: Discord may send the one in place of the other, after
pasting, after a look at another channel, or when another option is changed. Whether a text was shown is asked of what
suggests values for its option. Only the note of a suggestion that is sent whole goes; nothing else is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from discord import app_commands

from bot.client.interactions.context import (
    NO_NUMBER,
    Interaction,
    Listing,
    data_of,
    guild_of,
    match_of,
    own_match,
    user_of,
)
from bot.client.interactions.option_reader import MATCH, given
from bot.client.interactions.rate_limit import LISTED, is_typing
from bot.core.game.notation import whole_quoted
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored import MatchRow
from bot.core.values.ids import MatchId
from bot.core.values.typed_text import disguised, tidied, tidied_so_far
from bot.service.umpire.umpire import Umpire
from data.store import Reader

Command = app_commands.Command[Any, ..., Any]
Choice = app_commands.Choice[Any]
Option = MutableMapping[str, Any]

ROWS = "options of several lines"
"""The key in a command's `extras` of the names of those options that may hold a grid, written row by row."""
MOVES = "options that hold moves"
"""The key of those that hold a move or a part of one."""
PASSING: Mapping[str, re.Pattern[str]] = {
    "zone": re.compile(r" \(it is (?:[01][0-9]|2[0-3]):[0-5][0-9]\)$"),
    "until": re.compile(r" \((?:today|tomorrow|in [0-9]+ days)\)$"),
    "seat": re.compile(r"(?: · (?:to move|ran out of time|has left this server))+$"),
}
"""What the suggestions of some options say of the moment in which they are shown; they may be sent later."""
PEOPLE = {"match", "seat"}
"""Options whose suggestions may be called by people's names, in letters of any script."""
CALLED = {"game", "league", "quiet", "season", "seat"}
"""Options whose suggestions show something else than their values; those of all others only add a note."""
NOTE, END = " (", ")"
"""What begins and ends the note behind a suggested move."""
NAMED = re.compile("#? ?([0-9]{1,15})(?: · (?P<title>[^·]+)(?: · .+)?)?")
"""A match by its number, or as a suggestion shows it."""
PLACE = "(?P<channel>[0-9]{1,19})"
LINK = re.compile(
    rf"<?https?://(?:[a-z]+\.)?discord(?:app)?\.com/channels/[0-9]{{1,19}}/{PLACE}(?:/(?P<message>[0-9]{{1,19}}))?/?>?"
    "|<#(?P<mentioned>[0-9]{1,19})>",
    re.IGNORECASE,
)
"""A link to a message, a thread or a channel, or a thread's mention."""
LARGEST = 2**63 - 1
NOWHERE = "That link doesn't lead to a match of this server. Add the match's number instead; /matches lists yours."
SEVERAL = "Several matches are played there. Add the number of the one you mean instead."
SEVERAL_YOURS = "Several matches are played there. Add the number of the one you mean instead:"


def tidy(interaction: Interaction) -> None:
    """Tidy all texts of a command or a form. A name with letters or digits of another script is refused, but not while
    it is typed."""
    command, data = interaction.command, data_of(interaction)
    extras = command.extras if isinstance(command, app_commands.Command) else {}
    rows, free = extras.get(ROWS, ()), {*extras.get(MOVES, ()), *PEOPLE}
    for option in given(data):
        name, value = option["name"], option["value"]
        if isinstance(value, str):
            tidying = tidied_so_far if option.get("focused") else tidied
            _set(interaction, option, tidying(value, name in rows))
            if name not in free and not is_typing(interaction):
                expect_plain(option["value"])
    for field in fields(data):
        field["value"] = tidied(field["value"], rows=True)


def expect_plain(text: str) -> None:
    """Refuse letters and digits of another script where they stand for Latin ones."""
    if sentence := disguised(text):
        raise Refusal(sentence)


def fields(data: Mapping[str, Any]) -> Iterator[Option]:
    """The fields of a form in which somebody has written."""
    for label in data.get("components", ()):
        field = label.get("component", {})
        if isinstance(field.get("value"), str):
            yield field


async def name_matches(interaction: Interaction, umpire: Umpire, listing: Listing) -> None:
    """Turn every `match` option into a number, or refuse what names none."""
    typed = is_typing(interaction)
    for option in given(data_of(interaction)):
        if option["name"] == MATCH and not (typed and option.get("focused")):
            number = await _named(option["value"], interaction, umpire, listing)
            option["type"] = 3
            _set(interaction, option, str(number))


async def _named(value: object, interaction: Interaction, umpire: Umpire, listing: Listing) -> MatchId:
    """The match that somebody names: by its number, a suggestion, or a link. Old clients send a number."""
    if not isinstance(value, str):
        found = match_of(value)
    elif link := LINK.fullmatch(value):
        return await _linked(link, interaction, umpire, listing)
    else:
        named = NAMED.fullmatch(value)
        titles = {game.title for game in umpire.games.values()}
        found = MatchId(int(named[1])) if named and (named["title"] or "").strip() in {"", *titles} else None
    if found is None:
        raise Refusal(whole_quoted(str(value), NO_NUMBER))
    return found


async def _linked(link: re.Match[str], interaction: Interaction, umpire: Umpire, listing: Listing) -> MatchId:
    guild, user = guild_of(interaction), user_of(interaction)
    channel, message = int(link["channel"] or link["mentioned"]), int(link["message"] or 0)
    if max(channel, message) > LARGEST:
        raise Refusal(NOWHERE)

    def led(reader: Reader) -> tuple[MatchId | None, list[MatchRow]]:
        rows = [row for row in reader.in_thread(channel) if row.guild == guild]
        own = own_match(tuple(rows)) or (rows[0] if len(rows) == 1 else None)
        named = reader.match_at(guild, message) if message else None
        return named or (own.id if own else None), rows

    found, rows = await umpire.store.ask(led)
    if found is None:
        # Of others' matches nothing is told: the link may lead where its sender can't look.
        mine = [row for row in rows if row.player(user) and row.game in umpire.games]
        raise Refusal(listing(SEVERAL_YOURS, mine, user) if mine else SEVERAL if rows else NOWHERE)
    return found


async def read_shown(interaction: Interaction) -> None:
    """Put the values of suggestions in place of what they showed."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        return
    completes = {one.display_name for one in command.parameters if one.autocomplete}
    for option in given(data_of(interaction)):
        name, value = option["name"], option["value"]
        if name not in completes or name == MATCH or not isinstance(value, str):
            continue
        if NOTE in value or (name in CALLED and not option.get("focused")):
            typed_on = bool(option.get("focused")) and name not in LISTED
            _set(interaction, option, await _meant(interaction, command, name, value, typed_on))


async def _meant(interaction: Interaction, command: Command, name: str, text: str, typed_on: bool) -> str:
    """A text with the value of a suggestion in place of what it showed. Whoever types on behind one gets suggestions
    that go on from it."""
    for head in _heads(text) if typed_on else (text,):
        value = await shown(interaction, command, name, head)
        if value is not None:
            return f"{value}{text[len(head) :]}"
    return text


def _heads(text: str) -> Iterator[str]:
    """What may be a suggestion with its note: all of a text, or its beginning, since people type on behind it."""
    yield text
    begun = text.partition(NOTE)[0]
    end = text.find(END, len(begun)) + 1
    if 0 < end < len(text):
        yield text[:end]


async def shown(interaction: Interaction, command: Command, name: str, text: str) -> str | None:
    """The value of the suggestion that is shown as this text; None where there is none."""
    for typed in dict.fromkeys((text.partition(NOTE)[0], text, "")):
        choices = await suggested(interaction, command, name, typed)
        same = [one for one in choices if tidied(one.name) == text]
        then = [one for one in choices if lasting(name, tidied(one.name)) == lasting(name, text)]
        if found := same or then:
            return str(found[0].value)
    return None


def lasting(option: str, shown: str) -> str:
    """What a suggestion for an option showed, without what was so at that moment alone.

    >>> lasting("zone", "Europe/Berlin (it is 17:05)"), lasting("seat", "Bea · to move"), lasting("line", "b2 (today)")
    ('Europe/Berlin', 'Bea', 'b2 (today)')
    """
    return PASSING[option].sub("", shown) if option in PASSING else shown


async def suggested(interaction: Interaction, command: Command, name: str, typed: str) -> list[Choice]:
    """What is suggested for an option of a command when somebody has typed so much; discord.py hands it out to Discord
    alone."""
    declared = command._params.values()  # pyright: ignore[reportPrivateUsage]
    complete: Any = next(one.autocomplete for one in declared if one.display_name == name)
    own = (command.binding,) if getattr(complete, "pass_command_binding", False) else ()
    return await complete(*own, interaction, typed)


def _set(interaction: Interaction, option: Option, value: str) -> None:
    """Change an option, for discord.py too, which has read it already."""
    option["value"] = value
    setattr(interaction.namespace, option["name"], value)
