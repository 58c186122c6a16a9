"""Messages that are still to be edited, after a newer board of their match was noted.

What is left over is noted in the transaction that notes the newer board, so that no death in between can lose it, and
forgotten once it is done. One row a message: what is noted for it last is what it comes to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import astuple, fields
from typing import Any

from sqlalchemy import Column, Connection, Integer, Select, bindparam, delete, func, select, update

from bot.core.match.stored import Leftover
from data.tables.column_types import among
from data.tables.schema import leftovers, matches
from data.tables.shares import ours
from data.tables.upsert import Keep, else_changing, replacing, unless_there

COLUMNS = tuple(field.name for field in fields(Leftover))
ADD = replacing(leftovers)
SAME = tuple(leftovers.c[name] == bindparam(f"of_{name}") for name in ("message", "version", "due"))
"""What was taken to be done, and not what was noted for its message since: that is due later."""
CLEAR = delete(leftovers).where(*SAME)
PUT_OFF = update(leftovers).where(*SAME).values(tries=leftovers.c.tries + 1, due=bindparam("later"))
AT_ONCE = else_changing(leftovers, due=0)
DUE: Select[tuple[int, ...]] = (
    select(*(leftovers.c[name] for name in COLUMNS))
    .where(leftovers.c.due <= bindparam("now"))
    .order_by(leftovers.c.due, leftovers.c.message)
    .limit(bindparam("most", type_=Integer()))
)
DUE_OF = DUE.where(leftovers.c.match == bindparam("match"))
DUE_HERE = DUE.join(matches, matches.c.id == leftovers.c.match).where(ours(matches.c.guild))

SETTLES = 3
"""Seconds until boards are drawn again: whoever changes their mind meanwhile has them edited once."""
NOW = bindparam("now", type_=leftovers.c.due.type)
THESE = among(matches.c.id, "these")


def _redrawn(message: Column[int], channel: Any, state: str) -> tuple[Any, Keep]:
    """What has a message of some matches edited; what is to be done to it later anyhow is left at that."""
    shown = (THESE, matches.c.state == state, message.is_not(None))
    past = delete(leftovers).where(leftovers.c.message.in_(select(message).where(*shown)), leftovers.c.due <= NOW)
    columns = (message, channel, matches.c.id, matches.c.version, bindparam("later", type_=leftovers.c.due.type))
    names = ("message", "channel", "match", "version", "due")
    return past, unless_there(leftovers, names, select(*columns).where(*shown))


REDRAWN = (
    _redrawn(matches.c.board_message, func.coalesce(matches.c.board_channel, matches.c.channel), "live"),
    _redrawn(matches.c.lobby_message, matches.c.channel, "open"),
)


def add(connection: Connection, left: Leftover) -> None:
    """Note an edit, in place of an older one of the same message."""
    ADD.say(connection, dict(zip(COLUMNS, astuple(left), strict=True)))


def meet(connection: Connection, left: Leftover) -> None:
    """Have a message edited at once: as was noted for it already, else like this."""
    AT_ONCE.say(connection, dict(zip(COLUMNS, astuple(left), strict=True)))


def redraw(connection: Connection, these: Collection[int], now: int) -> None:
    """Have the boards of some live matches, and the challenges of open ones, edited in a moment."""
    values = {"these": sorted(these), "now": now, "later": now + SETTLES}
    for past, waiting in REDRAWN:
        connection.execute(past, values)
        waiting.say(connection, values)


def put_off(connection: Connection, left: Leftover, due: int) -> None:
    """Note that an edit failed, and when it is tried again."""
    connection.execute(PUT_OFF, {**_same(left), "later": due})


def clear(connection: Connection, left: Leftover) -> None:
    """Forget an edit, unless another of the same message was left over since."""
    connection.execute(CLEAR, _same(left))


def _same(left: Leftover) -> dict[str, int]:
    return {"of_message": left.message, "of_version": left.version, "of_due": left.due}


def due(connection: Connection, now: int, most: int, share: Mapping[str, int]) -> tuple[Leftover, ...]:
    """The edits of a share's matches that may be tried now."""
    return tuple(Leftover(*row) for row in connection.execute(DUE_HERE, {"now": now, "most": most, **share}))


def due_of(connection: Connection, now: int, most: int, match: int) -> tuple[Leftover, ...]:
    """The edits of one match that may be tried now."""
    return tuple(Leftover(*row) for row in connection.execute(DUE_OF, {"now": now, "most": most, "match": match}))
