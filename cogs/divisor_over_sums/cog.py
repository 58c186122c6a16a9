"""Divisor Over Sums on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.divisor_over_sums import GAME

setup = game_setup(GAME)
