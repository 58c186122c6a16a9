"""What can befall the bot in a story: a module for each place where something goes wrong, and a table of all."""
