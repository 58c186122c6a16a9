"""Leagues: who meets whom in which game, and who stands where; pure."""
