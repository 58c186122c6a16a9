"""Settings of servers, preferences and absences of users, and the program's notes: one row each.

Without a row the defaults apply. A new preference needs a field of `Preferences` with its default, a migration, and a
sentence in the command.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from sqlalchemy import Connection, bindparam, delete, func, select, update

from bot.play.ids import GuildId, UserId
from bot.play.rows import Absence, Preferences, ServerSettings
from data.engine.sql import LockSubject, lock_exclusively
from data.tables.rows import list_columns, take_fields
from data.tables.schema import away, key_values, preferences, settings
from data.tables.statements import in_share, is_among, make_insert_new, make_upsert

SETTINGS = select(*list_columns(settings)).where(settings.c.guild == bindparam("guild"))
SET_SETTINGS = make_upsert(settings)
PREFERENCES = select(*list_columns(preferences)).where(preferences.c.user == bindparam("person"))
SET_PREFERENCES = make_upsert(preferences)

ABSENCES_OF_USER = (away.c.guild == bindparam("guild"), away.c.user == bindparam("person"))
AWAY_SINCE = (
    select(away.c.begins, away.c.ends)
    .where(*ABSENCES_OF_USER, away.c.ends > bindparam("since"))
    .order_by(away.c.begins)
)
NOW = bindparam("now", type_=away.c.ends.type)
ABSENCES_OF_MANY = (away.c.guild == bindparam("guild"), is_among(away.c.user, "people"))
AWAY_AT = (
    select(away.c.user, func.max(away.c.ends).label("ends"))
    .where(*ABSENCES_OF_MANY, away.c.begins <= NOW, away.c.ends > NOW)
    .group_by(away.c.user)
)
AWAY_SINCE_OF_MANY = (
    select(away.c.user, away.c.begins, away.c.ends)
    .where(*ABSENCES_OF_MANY, away.c.ends > bindparam("since"))
    .order_by(away.c.user, away.c.begins)
)
AWAY_ENDED = (
    select(away.c.guild, away.c.user)
    .where(away.c.ends > bindparam("after"), away.c.ends <= NOW, in_share(away.c.guild))
    .distinct()
)
THIS_ABSENCE = (*ABSENCES_OF_USER, away.c.begins == bindparam("since"))
KEEP_ABSENCE, DROP_ABSENCE = make_upsert(away), delete(away).where(*THIS_ABSENCE)

NOTE = select(key_values.c.value).where(key_values.c.name == bindparam("name"))
NOTES = select(key_values.c.name, key_values.c.value).where(key_values.c.name.startswith(bindparam("beginning")))
SET_NOTE = make_upsert(key_values)
SAME_NOTE = (key_values.c.name == bindparam("of_name"), key_values.c.value == bindparam("expected"))
REPLACE_NOTE = update(key_values).where(*SAME_NOTE).values(value=bindparam("to_value"))
DROP_NOTE = delete(key_values).where(*SAME_NOTE)
BEGIN_NOTE = make_insert_new(key_values)


class SettingsQueries:
    """The queries about settings, preferences, absences and notes."""

    _connection: Connection
    _share: dict[str, int]

    def load_settings(self, guild: int) -> ServerSettings:
        """The settings of a server, or the defaults."""
        row = self._connection.execute(SETTINGS, {"guild": guild}).one_or_none()
        return ServerSettings(*row) if row else ServerSettings()

    def load_preferences(self, user: int) -> Preferences:
        """The preferences of a user, or the defaults."""
        row = self._connection.execute(PREFERENCES, {"person": user}).one_or_none()
        return Preferences(*row) if row else Preferences()

    def find_absences_of(self, guild: int, user: int, since: int) -> tuple[Absence, ...]:
        """A user's absences in a server that end after a moment, in order."""
        rows = self._connection.execute(AWAY_SINCE, {"guild": guild, "person": user, "since": since})
        return tuple(Absence(*row) for row in rows)

    def absences(self, guild: int, people: Collection[int], since: int) -> Mapping[UserId, tuple[Absence, ...]]:
        """The absences of some users in a server that end after a moment, without users who have none."""
        found: dict[UserId, tuple[Absence, ...]] = {}
        asked = {"guild": guild, "people": [*people], "since": since}
        for user, begins, ends in self._connection.execute(AWAY_SINCE_OF_MANY, asked):
            found[user] = (*found.get(user, ()), Absence(begins, ends))
        return found

    def find_absent_people(self, guild: int, people: Collection[int], now: int) -> Mapping[UserId, int]:
        """Those of some users who are away in a server at a moment, and until when."""
        rows = self._connection.execute(AWAY_AT, {"guild": guild, "people": [*people], "now": now})
        return {row.user: row.ends for row in rows}

    def find_returned_people(self, after: int, now: int) -> tuple[tuple[GuildId, UserId], ...]:
        """The users whose absences ended between two moments, with the server."""
        rows = self._connection.execute(AWAY_ENDED, {"after": after, "now": now, **self._share})
        return tuple((guild, user) for guild, user in rows)

    def read_note(self, name: str) -> str | None:
        """A note of the program, or None."""
        return self._connection.execute(NOTE, {"name": name}).scalar()

    def read_notes(self, beginning: str) -> dict[str, str]:
        """All notes whose names begin with a text."""
        return {str(name): str(value) for name, value in self._connection.execute(NOTES, {"beginning": beginning})}


class SettingsWrites(SettingsQueries):
    """The writes about settings, preferences, absences and notes."""

    def set_settings(self, guild: int, chosen: ServerSettings) -> None:
        lock_exclusively(self._connection, LockSubject.SERVER, guild)
        SET_SETTINGS.write(self._connection, {"guild": guild, **take_fields(settings, chosen)})

    def change_settings(self, guild: int, change: Callable[[ServerSettings], ServerSettings]) -> ServerSettings:
        """Change the current settings of a server, and return the new ones."""
        lock_exclusively(self._connection, LockSubject.SERVER, guild)
        changed = change(self.load_settings(guild))
        self.set_settings(guild, changed)
        return changed

    def change_preferences(self, user: int, change: Callable[[Preferences], Preferences]) -> Preferences:
        """Change the current preferences of a user, and return the new ones."""
        lock_exclusively(self._connection, LockSubject.PERSON, user)
        chosen = change(self.load_preferences(user))
        SET_PREFERENCES.write(self._connection, {"user": user, **take_fields(preferences, chosen)})
        return chosen

    def add_absence(self, guild: int, user: int, one: Absence) -> None:
        """Store an absence, in place of one that began at the same moment; one without length is deleted."""
        if one.begins < one.ends:
            KEEP_ABSENCE.write(self._connection, {"guild": guild, "user": user, **take_fields(away, one)})
        else:
            self._connection.execute(DROP_ABSENCE, {"guild": guild, "person": user, "since": one.begins})

    def set_note(self, name: str, value: str) -> None:
        """Write a note, in place of an older one of that name."""
        SET_NOTE.write(self._connection, {"name": name, "value": value})

    def replace_note(self, name: str, expected: str | None, value: str) -> bool:
        """Write a note if its value is the expected one (None: no note yet); else False, and no change."""
        if expected is None:
            return BEGIN_NOTE.write(self._connection, {"name": name, "value": value}) == 1
        values = {"of_name": name, "expected": expected, "to_value": value}
        return self._connection.execute(REPLACE_NOTE, values).rowcount == 1

    def drop_note(self, name: str, expected: str) -> None:
        """Delete a note if its value is the expected one."""
        self._connection.execute(DROP_NOTE, {"of_name": name, "expected": expected})
