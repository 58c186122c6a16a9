"""What people can play and ask: a folder is a game, a module is a house command."""
