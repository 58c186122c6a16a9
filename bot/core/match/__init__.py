"""A match: its record, its clocks, what is stored of it."""
