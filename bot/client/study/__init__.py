"""Learning and looking back: lessons, replays, reviews, hints, ratings over time."""
