"""Connections to SQLite and PostgreSQL: how transactions run on each, their deadlines, and errors by name."""
