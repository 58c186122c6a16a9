"""Clocks, calendars, reminders."""
