"""What servers and people choose, and privacy: export, forgetting, servers that the bot has left."""
