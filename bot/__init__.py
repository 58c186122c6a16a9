"""Graph Paper: the program around the games. Read `bot.game` first."""
