"""Ratings of people, and their course over time."""
