"""What is to be written anew on Discord when somebody is forgotten: an outbox of threads, and of a server's posts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BigInteger, Connection, Integer, bindparam, delete, select, update

from bot.core.match.stored import Rewriting
from data.tables.expressions import in_share
from data.tables.schema import rewritings

DUE = (
    select(*rewritings.c)
    .where(rewritings.c.due <= bindparam("now", type_=BigInteger()), in_share(rewritings.c.guild))
    .order_by(rewritings.c.due, rewritings.c.place)
    .limit(bindparam("most", type_=Integer()))
)
SAME = (rewritings.c.place == bindparam("of_place"), rewritings.c.due == bindparam("of_due"))
"""A row as it was taken; one that was noted for the same place since is due at another moment, and stays."""
DONE = delete(rewritings).where(*SAME)
PUT_OFF = update(rewritings).where(*SAME).values(tries=rewritings.c.tries + 1, due=bindparam("later"))


class RewritingQueries:
    """The part of a `Reader` that finds what is to be written anew."""

    _connection: Connection
    _share: dict[str, int]

    def rewritings(self, now: int, most: int) -> Sequence[Rewriting]:
        """Some of what is due, the earliest first."""
        return [Rewriting(*row) for row in self._connection.execute(DUE, {"now": now, "most": most, **self._share})]


class RewritingWrites:
    """The part of a `Transaction` that notes what was written anew."""

    _connection: Connection

    def rewritten(self, one: Rewriting) -> None:
        """Note that something was written anew, or can't be."""
        self._connection.execute(DONE, {"of_place": one.place, "of_due": one.due})

    def rewrite_later(self, one: Rewriting, due: int) -> None:
        """Have something written anew later, which Discord has not taken."""
        self._connection.execute(PUT_OFF, {"of_place": one.place, "of_due": one.due, "later": due})
