"""The computer opponent: one search for all games, in worker processes, that knows only what its seat may see."""
