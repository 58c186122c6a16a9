"""Graph Paper: the program around the games. Read `bot.core.game` first."""
