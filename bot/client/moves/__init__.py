"""Moves by command, pad, form and button."""
