"""Tells whether a message can be of a match at all, by when Discord made it.

In a new database numbers begin at 1 again, and a copy that was put back by hand gives those that were given since a
second time; Discord keeps the messages of before. What is older than a match is not of it. Messages are dated by
Discord, a match by the bot's clock, which goes by Discord's; where that was wrong, Discord's numbers for the first
messages of the match say better since when there are any.
"""

from __future__ import annotations

import discord

from bot.client.interactions.context import Interaction, used_of
from bot.core.match.stored import MatchRow

SLACK = 5
"""Seconds by which the bot's clock may be ahead of Discord's: it is right within a second and one request's time, and
nobody puts another database in place of one and makes a match in it within so few."""
EARLIER = "This is from an earlier match {match}, which I no longer have. /matches lists yours."


def used(interaction: Interaction) -> int | None:
    """The number of the message on which somebody acts, or that of what opened their form where the message is gone;
    None for a command. A message that is edited keeps its number: nothing that names a match is put on an older one."""
    if interaction.message:
        return interaction.message.id
    return getattr(used_of(interaction), "interaction", None)


def is_older(number: int, created: int) -> bool:
    """Whether what has a number of Discord's is older than a match that was made at a time by the bot's clock."""
    return discord.utils.snowflake_time(number).timestamp() < created - SLACK


def is_foreign(number: int, row: MatchRow) -> bool:
    """Whether what has a number of Discord's is older than a match, and than all messages that are known of it. The
    thread of a match has the number of the message from which it was made."""
    own = row.thread if row.thread != row.channel else None
    known = [one for one in (row.lobby_message, row.board_message, own) if one]
    return is_older(number, row.created) and number < min(known, default=number + 1)
