"""The pure part of the program: the contract of games' rules, notation, records, ratings.

No clock, no randomness, no await, no Discord, no database.
"""
