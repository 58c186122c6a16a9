"""What every command, button and form is handed: an interaction, and the bot that it came to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import discord

from bot.client.interactions.custom_ids import NUMBER
from bot.core.match.loaded_match import Refusal
from bot.core.values.computer_users import LEVELS
from bot.core.values.ids import ChannelId, GuildId, InteractionId, MatchId, UserId

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

Interaction = discord.Interaction[Any]
NO_NUMBER = "No match has such a number: it is a whole one, like 12, and /matches lists yours."


def client_of(interaction: Interaction) -> GraphPaper:
    """The bot that an interaction came to."""
    return cast("GraphPaper", interaction.client)


def act_of(interaction: Interaction) -> InteractionId:
    """The number by which an act is known when Discord delivers it again."""
    return InteractionId(interaction.id)


def user_of(interaction: Interaction) -> UserId:
    """Who acts."""
    return UserId(interaction.user.id)


def guild_of(interaction: Interaction) -> GuildId:
    """The server in which somebody acts; the gate lets nothing else in."""
    assert interaction.guild_id
    return GuildId(interaction.guild_id)


def match_of(number: object) -> MatchId | None:
    """The match that a command's option names, if it names one; the only reader of such numbers.

    discord.py hands on what was sent, whole, with a point or as text, and a database takes all of them for the same.
    """
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if isinstance(number, int | str) and re.fullmatch(NUMBER, str(number)):
        return MatchId(int(number))
    if number is None:
        return None
    raise Refusal(NO_NUMBER)


def values_of(interaction: Interaction) -> list[str]:
    """What was chosen in a select."""
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    return list(data.get("values") or ())


def level_of(values: Sequence[str]) -> int:
    """The level of the computer that was chosen; the only reader of such choices."""
    if len(values) == 1 and values[0] in map(str, LEVELS):
        return int(values[0])
    raise Refusal(f"That is no level: the computer plays at {LEVELS[0]} to {LEVELS[-1]}.")


def expect_computer(client: GraphPaper) -> None:
    """Refuse a match with the computer where whoever runs this bot lets none think."""
    if not client.searchers.many:
        raise Refusal("The computer does not play here: whoever runs this bot has switched it off. Challenge a person.")


def channel_of(interaction: Interaction) -> ChannelId:
    """The channel or thread in which somebody acts; discord.py knows of none where it is of a kind yet unheard of."""
    if interaction.channel_id is None:
        raise Refusal("I do not know this kind of channel: use another one.")
    return ChannelId(interaction.channel_id)
