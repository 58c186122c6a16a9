"""discord.py's extensions: each package is a game, each module a command that belongs to no game."""
