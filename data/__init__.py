"""Where matches are kept: tables, the engine that runs transactions, queries, the store, upkeep and migrations.

Nothing outside this package imports SQLAlchemy; the rest of the program talks to `data.store` and sees plain frozen
dataclasses. The rooms lie in layers: migrations and upkeep over store over queries over engine over tables. What a
match *means* is decided elsewhere (`bot.play.match`, `bot.umpire.umpire`); here it is only never lost.
"""
