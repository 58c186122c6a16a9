"""Leagues: founding, joining, tables, the draw of matches, and their messages."""
