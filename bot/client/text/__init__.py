"""Sentences for people. Pure: no Discord, no clock, no store."""
