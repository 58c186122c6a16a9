"""Cross, Don't Cross on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.cross_dont_cross import GAME

setup = game_setup(GAME)
