"""`/away`: that somebody is away for some days, in which their clocks in this server stand still."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.interactions.context import Interaction, client_of, guild_of, user_of
from bot.client.interactions.errors import suggesting
from bot.core.match.loaded_match import link_to
from bot.service.time import time_preferences
from bot.service.time.away_allowance import days
from bot.service.time.time_preferences import Absence

NOW = ("now", "back")
"""What is said instead of a date by whoever is back."""
MOST_LINKS = 10


@suggesting
async def possible(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The days until which the asker may be away."""
    client, about = client_of(interaction), (guild_of(interaction), user_of(interaction))
    found = await client.umpire.store.ask(time_preferences.possible, *about, current, client.umpire.clock())
    return [app_commands.Choice(name=told, value=day) for told, day in found]


class Leave(commands.GroupCog, group_name="away", group_description="Be away for some days: your clocks stand still."):
    """Somebody's absence in a server."""

    @app_commands.command(description="Be away from now on: your clocks in this server stand still, and others see it.")
    @app_commands.describe(until="The last day, like 2026-12-24, 24.12., Dec 24, friday or in 10 days")
    @app_commands.autocomplete(until=possible)
    async def until(self, interaction: Interaction, until: str) -> None:
        """Be away until the end of a day."""
        if until.strip().lower() in NOW:
            await self._back(interaction)
            return
        client, about = client_of(interaction), (guild_of(interaction), user_of(interaction))
        absence = await client.umpire.store.do(time_preferences.leave, *about, until, client.umpire.clock())
        await interaction.response.send_message(described(absence), ephemeral=True)

    @app_commands.command(description="Be back: your clocks run again, and the days that you did not use stay yours.")
    async def back(self, interaction: Interaction) -> None:
        """Be back before the day that was named."""
        await self._back(interaction)

    @app_commands.command(description="See whether you are away here, and how many days you have left.")
    async def show(self, interaction: Interaction) -> None:
        """Show how the asker stands."""
        client, about = client_of(interaction), (guild_of(interaction), user_of(interaction))
        absence = await client.umpire.store.ask(time_preferences.absence, *about, client.umpire.clock())
        await interaction.response.send_message(described(absence), ephemeral=True)

    async def _back(self, interaction: Interaction) -> None:
        client, about = client_of(interaction), (guild_of(interaction), user_of(interaction))
        absence = await client.umpire.store.do(time_preferences.come_back, *about, client.umpire.clock())
        await interaction.response.send_message(described(absence), ephemeral=True)


def described(absence: Absence) -> str:
    """How somebody stands in a server, in sentences."""
    clocks = f"{absence.clocks} clock{'s' * (absence.clocks != 1)} of yours"
    if absence.until:
        stand = f" {clocks} {'stands' if absence.clocks == 1 else 'stand'} still." if absence.clocks else ""
        lines = [f"You are away until <t:{absence.until}:f>, in this server.{stand} /away back ends it."]
    elif absence.changed:
        runs = f": {clocks} {'runs' if absence.clocks == 1 else 'run'} again" if absence.clocks else ""
        lines = [f"You are back{runs}."]
    else:
        lines = ["You are not away in this server. /away until says that you are, and your clocks stand still."]
    after = " after that" if absence.until else ""
    lines.append(f"You can be away for 30 days a year here, of which you have {days(absence.left)} left{after}.")
    return "\n".join([*lines, *late(absence)])


def late(absence: Absence) -> list[str]:
    """The matches that an absence changes nothing of."""
    links = [f"[match {row.id}]({link_to(row)})" for row in absence.late[:MOST_LINKS]]
    more = f" and {len(absence.late) - MOST_LINKS} more" * (len(absence.late) > MOST_LINKS)
    said = "Your time has run out already, and being away does not change that: move while you still can in"
    return [f"{said} {', '.join(links)}{more}."] if links else []


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Leave())
