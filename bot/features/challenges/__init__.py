"""Finding a game: /play, challenges, open tables, rematches, the welcome."""
