"""Combining And Dividing Integers on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.combining_dividing import GAME

setup = game_setup(GAME)
