"""Moves that are entered piece by piece."""
