"""Finds the daily puzzle's positions, offline: `make puzzles` writes `cogs/<game>/puzzles.jsonl`."""
