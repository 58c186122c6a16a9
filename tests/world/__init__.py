"""The world around the bot in drills and simulations: people who play, what goes wrong, and what must hold."""
