"""What every game promises, as functions `check_…(game)` that raise AssertionError; tests/contract/test_games.py runs
them all.

A promise is checked on playouts: matches played out by drawing legal moves, and every failure names its record. Nothing
here knows a game by name but `movers`, which draws moves where a game's rules leave them open.
"""
