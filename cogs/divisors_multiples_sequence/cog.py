"""Divisors/Multiples Sequence on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.divisors_multiples_sequence import GAME

setup = game_setup(GAME)
