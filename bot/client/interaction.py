"""What every command, button and form is handed: an interaction, and the bot that it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import discord

if TYPE_CHECKING:
    from bot.client.client import GraphPaper

Interaction = discord.Interaction[Any]


def client_of(interaction: Interaction) -> GraphPaper:
    """The bot that an interaction came to."""
    return cast("GraphPaper", interaction.client)
