"""Matches, pure: record, state, acts, clocks, calendars, premoves, proposals, ratings, leagues, puzzles, reviews."""
