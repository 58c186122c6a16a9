"""Clocks: absences, deadlines, reminders and digests."""
