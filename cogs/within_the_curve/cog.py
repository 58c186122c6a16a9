"""The move commands of Within The Curve: `/within-the-curve curve`, `number`, `fill`, `undo` and `done`."""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.within_the_curve import GAME

CURVE_HELP = "The curve: 2 is seat 2's"


class WithinTheCurveCog(GameCog, group_name=GAME.key):
    """Within The Curve on Discord."""

    game = GAME

    @app_commands.command(description="Draw your curve, in secret.")
    @app_commands.describe(corners="Its corners in order, like a1 d1 d3 a3", match=MATCH_HELP)
    @app_commands.autocomplete(corners=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def curve(self, interaction: Interaction, corners: str, match: int | None = None) -> None:
        """Draw a curve."""
        await self.enter(interaction, "curve", match, corners=corners)

    @app_commands.command(description="Number a curve with 1, 2, 3 …")
    @app_commands.describe(
        curve=CURVE_HELP,
        square="The square of the curve that gets 1, like c4",
        direction="cw (clockwise) or ccw",
        match=MATCH_HELP,
    )
    @app_commands.autocomplete(curve=GameCog.complete, square=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def number(
        self,
        interaction: Interaction,
        curve: str,
        square: str,
        direction: Literal["cw", "ccw"],
        match: int | None = None,
    ) -> None:
        """Number a curve."""
        await self.enter(interaction, "number", match, curve=curve, square=square, direction=direction)

    @app_commands.command(description="Write the next numbers inside a curve.")
    @app_commands.describe(curve=CURVE_HELP, squares="Empty squares inside it in order, like d5 d6", match=MATCH_HELP)
    @app_commands.autocomplete(curve=GameCog.complete, squares=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def fill(self, interaction: Interaction, curve: str, squares: str, match: int | None = None) -> None:
        """Fill squares."""
        await self.enter(interaction, "fill", match, curve=curve, squares=squares)

    @app_commands.command(description="Take back the last numbers inside a curve, or its numbering.")
    @app_commands.describe(curve=CURVE_HELP, count="How many numbers to take back; else one", match=MATCH_HELP)
    @app_commands.autocomplete(curve=GameCog.complete, count=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def undo(self, interaction: Interaction, curve: str, count: str = "", match: int | None = None) -> None:
        """Take numbers back."""
        await self.enter(interaction, "undo", match, curve=curve, count=count)

    @app_commands.command(description="End your match; the others go on.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def done(self, interaction: Interaction, match: int | None = None) -> None:
        """End one's match."""
        await self.enter(interaction, "done", match)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(WithinTheCurveCog())
