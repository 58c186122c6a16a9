"""Tries whether the real Discord does what the bot builds on, for `python -m bot doctor`."""
