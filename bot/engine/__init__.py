"""The computer opponent: search, levels and what margins are worth. Loads games alone and runs in worker processes. Pure."""
