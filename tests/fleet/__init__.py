"""The fleet: several bots, each with its shards, on one database, which are killed in turn, and so is the database.

`python -m tests.fleet` runs the sandbox with many servers in this process, a PostgreSQL server of its own, and for each
share of the shards a bot as `python -m bot run` serves it. People play in all servers at once. A bot is killed, the one
that leads is killed, the database is killed or stands still, a bot stands still and wakes up, a second bot gets the
same shards by mistake; and Discord fails as in the drill, whose people and rules these are. At the end everything is
counted that was lost or doubled, shown in the wrong place, or touched by a bot that has no business there.
"""
