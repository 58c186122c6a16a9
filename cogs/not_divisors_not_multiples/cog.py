"""(Not)Divisors Or (Not)Multiples on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.not_divisors_not_multiples import GAME

setup = game_setup(GAME)
