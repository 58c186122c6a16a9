"""Binary Scramble on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.binary_scramble import GAME

setup = game_setup(GAME)
