"""Reads the database without the bot, so that the referee need not believe the bot."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from bot.play.match import Match
from tests.year.plays import GAMES
from tests.year.referee import Written


class Ledger:
    """The file, on a connection of its own."""

    def __init__(self, file: Path) -> None:
        self.connection = sqlite3.connect(file, isolation_level=None)

    def start(self, match: int) -> tuple[Match, int, str, dict[int, int]]:
        """A match that has begun, without its moves; its server, its pace, and who sits where."""
        game, options, seats, guild, pace = self.connection.execute(
            "select game, options, seats, guild, pace from matches where id = ?", (match,)
        ).fetchone()
        people = self.connection.execute("select seat, user from players where match = ? order by seat", (match,))
        return Match.start(GAMES[game], json.loads(options), seats), guild, pace, dict(people.fetchall())

    def lines(self, match: int, after: int) -> list[tuple[int, str]]:
        """The lines of a record from a number on."""
        asked = "select seat, text from moves where match = ? and ply > ? order by ply"
        return self.connection.execute(asked, (match, after)).fetchall()

    def state(self, match: int) -> str:
        """Whether a match is open, live, or over."""
        return self.connection.execute("select state from matches where id = ?", (match,)).fetchone()[0]

    def versions(self) -> dict[int, tuple[int, int | None, str]]:
        """Of all matches that have begun and are not over: version, since when it is paused, state."""
        rows = self.connection.execute("select id, version, paused, state from matches where state in ('live', 'open')")
        return {row[0]: row[1:] for row in rows}

    def awake(self, at: int) -> None:
        """Have the bot know that it was there at a moment, in place of a look that was left out."""
        self.connection.execute("update key_values set value = ? where name = 'clocks'", (str(at),))

    def noted(self) -> int | None:
        """When the bot says that it was there."""
        row = self.connection.execute("select value from key_values where name = 'clocks'").fetchone()
        return int(row[0]) if row else None

    def states(self) -> dict[str, int]:
        """How many matches there are in each state."""
        return dict(self.connection.execute("select state, count(*) from matches group by state order by state"))

    def written(self, match: int) -> list[Written]:
        """The clocks of a match."""
        asked = "select user, seconds_left, since, deadline, forfeit_at from players where match = ?"
        return [Written(*row) for row in self.connection.execute(asked, (match,))]

    def absences(self) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
        """Who is, was or will be away, where and when."""
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for guild, user, begins, ends in self.connection.execute("select guild, user, begins, ends from away"):
            found.setdefault((guild, user), []).append((begins, ends))
        return {who: tuple(sorted(when)) for who, when in found.items()}

    def chosen(self, guild: int, user: int) -> tuple[str, bool, str]:
        """A player's zone, whether their clocks run at weekends, and how they are reminded, in a server."""
        zone, reminders = self.connection.execute(
            "select zone, reminders from settings where guild = ?", (guild,)
        ).fetchone()
        asked = "select zone, weekends, reminders from preferences where user = ?"
        own = self.connection.execute(asked, (user,)).fetchone() or (None, True, None)
        return own[0] or zone, bool(own[1]), own[2] or reminders

    def proposal(self, match: int) -> str | None:
        """What is proposed in a match."""
        return self.connection.execute("select proposal from matches where id = ?", (match,)).fetchone()[0]

    def lapsing(self) -> dict[tuple[int, int], int]:
        """Who is said to have run out of time, and when they leave by themselves."""
        asked = "select match, user, forfeit_at from players where forfeit_at is not null"
        return {(match, user): lapse for match, user, lapse in self.connection.execute(asked)}

    def next(self) -> int | None:
        """When anything is due at all, by what is written."""
        asked = """select min(at) from (
            select min(deadline) as at from players where deadline is not null and forfeit_at is null
            union all select min(forfeit_at) from players where forfeit_at is not null
            union all select min(next_reminder_at) from players where next_reminder_at is not null
            union all select min(due) from pending_reminders
            union all select min(digest) from preferences where digest is not null)"""
        return self.connection.execute(asked).fetchone()[0]
