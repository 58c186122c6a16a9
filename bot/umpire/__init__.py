"""Runs an act: loads the match, decides, writes it in one transaction; deadlines, expiry, clocks and downtime too."""
