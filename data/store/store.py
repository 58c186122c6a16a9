"""The store: the one door to the database, for everything that reads or changes matches.

A transaction is a function of a `Reader` or a `Transaction`, run in one go (`data.engine.driver` says how and
why). A single question and a single change are methods of theirs; what takes several steps is a function of its own::

    rows = await store.ask(Reader.live_of, guild, user)
    await store.do(Transaction.park, match, "I may not write there")

    def moved(tx: Transaction, act: int, row: Stored, text: str, now: int) -> bool:
        if not tx.update(row.id, row.version, plies=row.plies + 1, turn=(2,)):
            return False  # lost a race: nothing was changed
        tx.append(row.id, row.plies + 1, 1, text, now)
        return tx.deliver(act, row.id, now)

    await store.do(moved, act, row, "c4", now)

Returning commits; any exception leaves no trace. `Unavailable` is raised, in under 2.5 seconds, when the database is
locked, full or away: then nothing was changed. The function runs on another thread and must not touch what lives in the
event loop.

**Such a function may run more than once.** On PostgreSQL a transaction that conflicts with others, or whose connection
broke, is rolled back and retried from the beginning. So the function changes nothing but the database: nothing that it
was given, and nothing around it. What it draws by lot is drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Concatenate, ParamSpec, TypeVar

from bot.core.values.shards import WHOLE, Share
from data.engine.database import Database
from data.engine.driver import UNHURRIED, TimeLimits
from data.store.forgotten_list import ForgottenList
from data.store.reader import Reader
from data.store.transaction import Transaction

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """The matches of all servers. Made within an event loop for a database that `migrate` has prepared.

    Whatever is looked for without anybody's asking (boards that lag, clocks that have run out) is looked for among the
    servers of `share` alone: others belong to other processes.
    """

    def __init__(self, url: str, share: Share = WHOLE, forgotten: ForgottenList | None = None) -> None:
        self.database = Database(url)
        self.share = share
        self.forgotten = forgotten
        """Where it stands beside the database who was to be forgotten."""
        self._limits: TimeLimits | None = None

    @property
    def unhurried(self) -> Store:
        """The same store for long work that no user waits for, like the clocks of all matches after an outage."""
        other = copy(self)
        other._limits = UNHURRIED
        return other

    async def close(self) -> None:
        """Close all connections."""
        await self.database.close()

    async def ask(self, question: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer to a question, in a snapshot of its own."""
        return await self.database.read(
            lambda connection: question(Reader(connection, self.share), *args, **kwargs), self._limits
        )

    async def do(self, change: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Change something, in a transaction of its own."""
        return await self.database.write(
            lambda connection: change(Transaction(connection, self.share), *args, **kwargs), self._limits
        )
