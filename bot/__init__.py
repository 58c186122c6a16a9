"""Graph Paper: the program around the games. Read `bot.games.game` first."""

VERSION = "1.0.0"
"""The version of this program, as in pyproject.toml, which a container image does not install."""
