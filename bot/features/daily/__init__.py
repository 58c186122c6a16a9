"""The daily puzzle: solving it, its message of the day, streaks."""
