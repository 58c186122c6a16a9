"""Learning and looking back: lessons, replays, films, hints, reviews, second tries, try-outs, records."""
