"""Entering moves: by pad, form, draft and command, and premoves."""
