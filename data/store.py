"""The store: the one door to the database, and what people's acts on matches are written with.

An act of a person is one transaction::

    async with store.writing() as tx:
        if (match_id := await tx.seen(interaction)) is None: ...
        stored = await tx.load(match_id)
        if not await tx.update(match_id, stored.version, plies=ply, turn=(2,)): ...  # lost a race: nothing was changed
        await tx.append(match_id, ply, 1, "c4", now)
        await tx.deliver(interaction, match_id, now)

Leaving the block commits; any exception leaves no trace. `Unavailable` is raised, in under 2.5 seconds, when the
database is locked, full or away: then nothing was changed. `data.writes.Transaction` and `data.reads.Reader` document
each verb; the reads are on `Store` too, each in a snapshot of its own.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from bot.core.match import Entry
from bot.core.rows import Best, MatchRow, NewMatch, Player, Seating, ServerSettings, Standing, State, Stored
from data.engine import Database, Unavailable
from data.reads import Reader
from data.writes import Transaction

__all__ = [
    "Best",
    "Entry",
    "MatchRow",
    "NewMatch",
    "Player",
    "Reader",
    "Seating",
    "ServerSettings",
    "Standing",
    "State",
    "Store",
    "Stored",
    "Transaction",
    "Unavailable",
]


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

    async def load(self, match_id: int) -> Stored | None:
        """A match with its players and its whole record; None if there is none."""
        async with self.reading() as reader:
            return await reader.load(match_id)

    async def row(self, match_id: int) -> MatchRow | None:
        """A match without its record; None if there is none."""
        async with self.reading() as reader:
            return await reader.row(match_id)

    async def record_since(self, match_id: int, ply: int) -> tuple[Entry, ...]:
        """The record after its first `ply` lines."""
        async with self.reading() as reader:
            return await reader.record_since(match_id, ply)

    async def live_of(self, guild: int, user: int, game: str | None = None) -> tuple[MatchRow, ...]:
        """Somebody's live matches in a server, of one game or of all, oldest first."""
        async with self.reading() as reader:
            return await reader.live_of(guild, user, game)

    async def matches_of(self, guild: int, user: int) -> tuple[MatchRow, ...]:
        """Somebody's open and live matches in a server, oldest first."""
        async with self.reading() as reader:
            return await reader.matches_of(guild, user)

    async def current(self, user: int) -> tuple[MatchRow, ...]:
        """Somebody's open and live matches in all servers."""
        async with self.reading() as reader:
            return await reader.current(user)

    async def ended_of(self, guild: int, user: int, most: int = 25) -> tuple[MatchRow, ...]:
        """Somebody's finished and aborted matches in a server, the latest first."""
        async with self.reading() as reader:
            return await reader.ended_of(guild, user, most)

    async def in_thread(self, channel_id: int, most: int = 25) -> tuple[MatchRow, ...]:
        """The matches played in a thread or channel: live ones first, then the latest first."""
        async with self.reading() as reader:
            return await reader.in_thread(channel_id, most)

    async def lagging(self, most: int, after: int = 0) -> tuple[MatchRow, ...]:
        """Matches whose shown version is behind and whose board is not parked, from the one after some match on."""
        async with self.reading() as reader:
            return await reader.lagging(most, after)

    async def expired(self, now: int) -> tuple[MatchRow, ...]:
        """Open challenges whose time is over."""
        async with self.reading() as reader:
            return await reader.expired(now)

    async def live_matches(self) -> tuple[MatchRow, ...]:
        """All live matches of all servers."""
        async with self.reading() as reader:
            return await reader.live_matches()

    async def leaderboard(self, guild: int, game: str = "") -> tuple[Standing, ...]:
        """Everybody who has a rating in a game, or over all games (""): best first, those without a place last."""
        async with self.reading() as reader:
            return await reader.leaderboard(guild, game)

    async def profile(self, guild: int, user: int) -> dict[str, Standing]:
        """Somebody's standing in every game they have a rating in, and over all games (key "")."""
        async with self.reading() as reader:
            return await reader.profile(guild, user)

    async def bests(self, guild: int, game: str, options: Mapping[str, int | str]) -> tuple[Best, ...]:
        """Everybody's best score alone at a game with exactly these options, highest first, the earlier first."""
        async with self.reading() as reader:
            return await reader.bests(guild, game, options)

    async def settings(self, guild: int) -> ServerSettings:
        """The settings of a server, its own or the usual ones."""
        async with self.reading() as reader:
            return await reader.settings(guild)

    async def set_settings(self, guild: int, chosen: ServerSettings) -> None:
        """Write the settings of a server."""
        async with self.writing() as tx:
            await tx.set_settings(guild, chosen)

    async def solo_options(self, guild: int, game: str) -> tuple[Mapping[str, int | str], ...]:
        """The different options with which people have finished a game alone."""
        async with self.reading() as reader:
            return await reader.solo_options(guild, game)

    async def exported(self, user: int) -> dict[str, Any]:
        """Everything that is kept about a person, as plain values."""
        async with self.reading() as reader:
            return await reader.exported(user)

    async def forget(self, user: int) -> None:
        """Take a person's number out of every table; their matches stay, with an alias in its place."""
        async with self.writing() as tx:
            await tx.forget(user)

    async def counts(self) -> dict[str, int]:
        """How many matches there are in each state that has any."""
        async with self.reading() as reader:
            return await reader.counts()

    # What Discord has been shown is nobody's act: it raises no version and is not conditional.

    async def shown(
        self,
        match_id: int,
        version: int,
        board_channel: int | None = None,
        board_message: int | None = None,
        shown_plies: int | None = None,
    ) -> bool:
        """Note that Discord has accepted this version, where it stands, and how much of the record it shows.

        Only ever forward: False, and no change, if a later version has been shown. The match is no longer parked.
        """
        async with self.writing() as tx:
            return await tx.shown(match_id, version, board_channel, board_message, shown_plies)

    async def note(self, name: str) -> str | None:
        """A note that the program keeps about itself, such as which commands Discord knows; None if there is none."""
        async with self.reading() as reader:
            return await reader.note(name)

    async def set_note(self, name: str, value: str) -> None:
        """Write a note."""
        async with self.writing() as tx:
            await tx.set_note(name, value)

    async def park(self, match_id: int, reason: str) -> None:
        """Note why the board cannot be shown; the match is not `lagging` until it is unparked."""
        async with self.writing() as tx:
            await tx.park(match_id, reason)

    async def unpark(self, match_id: int) -> None:
        """The board can be shown again."""
        async with self.writing() as tx:
            await tx.park(match_id, None)

    async def set_thread(self, match_id: int, thread: int | None) -> None:
        """Note where a match is played."""
        async with self.writing() as tx:
            await tx.set_thread(match_id, thread)

    async def set_lobby_message(self, match_id: int, message: int | None) -> None:
        """Note the message that shows the challenge."""
        async with self.writing() as tx:
            await tx.set_lobby_message(match_id, message)

    async def forget_deliveries(self, before: int) -> int:
        """Drop what is known of interactions acted on before a time, and return how many they were."""
        async with self.writing() as tx:
            return await tx.forget_deliveries(before)
