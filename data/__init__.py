"""Where matches are kept: the schema, the engine, the store, its migrations and its upkeep.

Nothing outside this package imports SQLAlchemy; the rest of the program talks to `data.store` and sees plain frozen
dataclasses. Only `engine`, `driver` and `backup` know SQLite from PostgreSQL. What a match *means* is decided elsewhere
(`bot.core.match.match`, `bot.service.umpire.umpire`); here it is only never lost.
"""
