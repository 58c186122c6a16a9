"""What hosts run: the bot, the sandbox beside it, their supervision, and the commands for hosts."""
