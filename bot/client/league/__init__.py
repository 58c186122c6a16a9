"""Leagues on Discord: their messages, and what people do to them by command and button."""
