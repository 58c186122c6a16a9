"""Finding a game and agreeing with others: challenges, open tables, proposals, claims."""
