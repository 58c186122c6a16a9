"""The running clocks of those who leave their zone or their reminders to their server; and setting clocks anew where
the time of their owners has changed.

Clocks that have run out are left out, also while nobody has noted that yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, bindparam, or_, select, update

from bot.core.match.stored import Player, Preferences
from bot.core.values.ids import MatchId
from data.queries.preferences import FIELDS
from data.tables.schema import matches, players, preferences

RUNNING = (players.c.deadline > bindparam("now", type_=players.c.deadline.type), players.c.lapse.is_(None))
UNDECIDED = or_(preferences.c.user.is_(None), preferences.c.zone.is_(None), preferences.c.reminders.is_(None))
IN = (
    select(preferences.c.user, *FIELDS, *players.c)
    .select_from(players)
    .join(matches, players.c.match == matches.c.id)
    .outerjoin(preferences, preferences.c.user == players.c.user)
    .where(matches.c.guild == bindparam("guild"), matches.c.state == "live", *RUNNING, UNDECIDED)
    .order_by(players.c.match, players.c.seat)
)
AS_READ = tuple(players.c[name] == bindparam(f"read_{name}") for name in ("match", "user", "since", "deadline"))
COLUMNS = ("allotted", "left", "since", "deadline", "lapse", "remind", "reminded")
RESET = (
    update(players)
    .where(*AS_READ)
    .values({name: bindparam(f"new_{name}", type_=players.c[name].type) for name in COLUMNS})
)


def of(connection: Connection, guild: int, now: int) -> Iterator[tuple[MatchId, Player, Preferences]]:
    """The running clocks of those in a server who leave their zone or their reminders to it, with what they have chosen
    otherwise."""
    for user, *row in connection.execute(IN, {"guild": guild, "now": now}):
        chosen, (match, *player) = row[: len(FIELDS)], row[len(FIELDS) :]
        yield match, Player(*player), Preferences() if user is None else Preferences(*chosen)


def reset(connection: Connection, match: int, player: Player, columns: dict[str, Any]) -> None:
    """Set a clock that still runs as it was read."""
    as_read = {"match": match, "user": player.user, "since": player.since, "deadline": player.deadline}
    read = {f"read_{name}": value for name, value in as_read.items()}
    connection.execute(RESET, {**read, **{f"new_{name}": columns[name] for name in COLUMNS}})
