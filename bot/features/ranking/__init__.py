"""Leaderboards, profiles, records of matches alone, and the message of the week."""
