"""Options for a time zone: completed while they are typed, each with the time that it is there, and read.

The list of all zones is many small files; it is read once, beside the event loop.
"""

from __future__ import annotations

import asyncio

from discord import app_commands

from bot.client.interactions.context import Interaction, client_of
from bot.client.interactions.errors import suggesting
from bot.service.time.calendars import Calendar, similar, zone_named

SERVER = "server"
"""What is chosen by whoever leaves something to the server."""


@suggesting
async def zones_like(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Time zones for what has been typed so far."""
    found, now = await asyncio.to_thread(similar, current), client_of(interaction).umpire.clock()
    return [app_commands.Choice(name=f"{zone} (it is {Calendar(zone).oclock(now)})", value=zone) for zone in found]


async def zone_of(typed: str) -> str:
    """The time zone that was named, or `UnknownZone`."""
    return await asyncio.to_thread(zone_named, typed)
