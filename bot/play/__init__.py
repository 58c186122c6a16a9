"""Matches: record, state, acts, clocks, calendars, premoves, proposals, ratings, leagues, puzzles, hints and reviews. Pure."""
