"""Palindromes/Antipalindromes on Discord: its commands, made from the table."""

from bot.app.game_commands import game_setup
from cogs.palindromes_antipalindromes import GAME

setup = game_setup(GAME)
