"""Sum Kind Of Game on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.sum_kind_of_game import GAME

setup = game_setup(GAME)
