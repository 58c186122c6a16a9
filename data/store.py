"""The store: the one door to the database, and what people's acts on matches are written with.

An act of a person is one transaction::

    async with store.writing() as tx:
        if (match_id := await tx.seen(interaction)) is None: ...
        stored = await tx.load(match_id)
        if not await tx.update(match_id, stored.version, plies=ply, turn=(2,)): ...  # lost a race: nothing was changed
        await tx.append(match_id, ply, 1, "c4", now)
        await tx.deliver(interaction, match_id, now)

Leaving the block commits; any exception leaves no trace. A single question, and a single change, need no block::

    rows = await store.ask(Reader.live_of, guild, user)
    await store.do(Transaction.park, match_id, "I may not write there")

`Unavailable` is raised, in under 2.5 seconds, when the database is locked, full or away: then nothing was changed.
`data.writes.Transaction` and `data.reads.Reader` document each verb.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Concatenate, ParamSpec, TypeVar

from data.engine import Database
from data.reads import Reader
from data.writes import Transaction

__all__ = ["Reader", "Store", "Transaction"]

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """The matches of all servers. Made within an event loop for a database that `data.migrate.migrate` has prepared."""

    def __init__(self, url: str) -> None:
        self._database = Database(url)

    async def close(self) -> None:
        """Close all connections."""
        await self._database.close()

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[Transaction]:
        """One transaction that may write: committed at the end of the block, undone by any exception."""
        async with self._database.writing() as connection:
            yield Transaction(connection)

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[Reader]:
        """One snapshot, for several questions that must agree."""
        async with self._database.reading() as connection:
            yield Reader(connection)

    async def ask(
        self, question: Callable[Concatenate[Reader, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The answer to one question, in a snapshot of its own."""
        async with self.reading() as reader:
            return await question(reader, *args, **kwargs)

    async def do(
        self, change: Callable[Concatenate[Transaction, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """One change, in a transaction of its own."""
        async with self.writing() as tx:
            return await change(tx, *args, **kwargs)
