"""The database: tables, the engine that runs transactions, queries, the store, upkeep and migrations.

Nothing outside this package imports SQLAlchemy; the rest of the program talks to `data.store` and sees plain frozen
dataclasses. The layers are, from the top: migrations and upkeep, store, queries, engine, tables. The rules of matches
are elsewhere (`bot.play.match`, `bot.umpire.umpire`).
"""
