"""Reads an interaction for every room: who acts, where, which match they name, and what they chose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.client.interactions.custom_ids import NUMBER
from bot.core.match.loaded_match import Refusal
from bot.core.values.computer_users import LEVELS
from bot.core.values.ids import ChannelId, GuildId, InteractionId, MatchId, UserId

Interaction = discord.Interaction[Any]
NO_NUMBER = "No match has such a number: it is a whole one, like 12, and /matches lists yours."


def act_of(interaction: Interaction) -> InteractionId:
    """The idempotency key of what somebody does: the interaction's number, the same when Discord delivers it again."""
    return InteractionId(interaction.id)


def user_of(interaction: Interaction) -> UserId:
    """Who acts."""
    return UserId(interaction.user.id)


def guild_of(interaction: Interaction) -> GuildId:
    """The server in which somebody acts; what comes from elsewhere is refused before."""
    assert interaction.guild_id
    return GuildId(interaction.guild_id)


def channel_of(interaction: Interaction) -> ChannelId:
    """The channel or thread in which somebody acts, or a refusal where Discord names none."""
    if interaction.channel_id is None:
        raise Refusal("I do not know this kind of channel: use another one.")
    return ChannelId(interaction.channel_id)


def bot_of(interaction: Interaction) -> UserId | None:
    """The bot's own number; None before it has logged in."""
    client: discord.Client = interaction.client
    return UserId(client.user.id) if client.user else None


def is_ephemeral(interaction: Interaction) -> bool:
    """Whether somebody acts on a message that they alone see."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def data_of(interaction: Interaction) -> Mapping[str, Any]:
    """What Discord sent with an interaction; empty where it sent nothing."""
    data: Mapping[str, Any] = interaction.data or {}  # pyright: ignore[reportAssignmentType]  -- a TypedDict
    return data


def match_of(number: object) -> MatchId | None:
    """The match that a command's option names; None where it names none. Nothing else reads such numbers.

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
    return list(data_of(interaction).get("values") or ())


def level_of(values: Sequence[str]) -> int:
    """The level of the computer that was chosen in a select, or a refusal."""
    if len(values) == 1 and values[0] in map(str, LEVELS):
        return int(values[0])
    raise Refusal(f"That is no level: the computer plays at {LEVELS[0]} to {LEVELS[-1]}.")
