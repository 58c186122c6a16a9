"""Sum Of Products on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.sum_of_products import GAME

setup = game_setup(GAME)
