"""The daily puzzle on Discord: solving it in private, and its message of the day."""
