"""Clocks and people: absences, deadlines, reminders and digests."""
