"""Flipping Bits on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.flipping_bits import GAME

setup = game_setup(GAME)
