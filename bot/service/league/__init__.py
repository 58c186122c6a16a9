"""Leagues: founding, joining and leaving them, and carrying them on as time and matches go."""
