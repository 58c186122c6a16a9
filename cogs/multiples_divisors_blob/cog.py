"""Multiples/Divisors Blob on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.multiples_divisors_blob import GAME

setup = game_setup(GAME)
