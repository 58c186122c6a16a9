"""Keeps the messages on Discord in line with the store."""
