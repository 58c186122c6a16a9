"""Within The Curve on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.within_the_curve import GAME

setup = game_setup(GAME)
