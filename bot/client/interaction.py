"""What every command, button and form is handed: an interaction, and the bot that it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import discord

from bot.core.ids import ChannelId, GuildId, InteractionId, MatchId, UserId

if TYPE_CHECKING:
    from bot.client.client import GraphPaper

Interaction = discord.Interaction[Any]


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


def match_of(number: int | None) -> MatchId | None:
    """The match that a command's option names, if it names one."""
    return None if number is None else MatchId(number)


def channel_of(interaction: Interaction) -> ChannelId:
    """The channel or thread in which somebody acts."""
    assert interaction.channel_id
    return ChannelId(interaction.channel_id)
