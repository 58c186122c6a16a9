"""Forgets users and servers, also those that a restored backup has brought back.

A request to forget is first written to a file beside the database; the transaction that removes the id also notes that
the request was followed. So a copy from before lacks that, and one from afterwards, in which they may have begun anew,
does not.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.values.ids import GuildId, InteractionId, UserId, timed
from bot.core.values.plural import Plural, sentences
from bot.core.values.shards import WHOLE
from bot.service.league.leagues import Leagues
from bot.service.umpire.umpire import Umpire
from data.store import Reader, Transaction
from data.store.forgotten_list import NOTE, Entry, Kind

AT_ONCE = 100
"""The most matches of a server deleted in one transaction, so that other writes do not wait long."""
PEOPLE = Plural(
    "The copy knew a person who has been forgotten since: they are forgotten here, too.",
    "The copy knew {number} people who have been forgotten since: they are forgotten here, too.",
)
SERVERS = Plural(
    "It held a server that has been deleted since: that is deleted here, too.",
    "It held {number} servers that have been deleted since: they are deleted here, too.",
)
UNLISTED = "Somebody was forgotten, but %s can't be written (%s): a copy from before would bring them back."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Again:
    """How many people and servers an older copy had brought back."""

    people: int = 0
    servers: int = 0

    def __str__(self) -> str:
        people = PEOPLE.of(self.people) if self.people else ""
        return sentences(people, SERVERS.of(self.servers) if self.servers else "")


class Forgetting:
    """Forgets, and remembers beside the database that it did."""

    def __init__(self, umpire: Umpire, leagues: Leagues) -> None:
        self._umpire = umpire
        self._leagues = leagues
        self._store = umpire.store

    async def person(self, act: InteractionId, user: UserId) -> None:
        """Forget a user: they leave their leagues and matches, and then their id is removed from every table."""
        await self._person(act, user, await self._listed("person", user))

    async def server(self, guild: GuildId) -> None:
        """Delete all that is kept of a server."""
        await self._server(guild, await self._listed("server", guild))

    async def again(self) -> Again:
        """Forget those whom a restored backup has brought back, though they were forgotten before."""
        if self._store.forgotten is None:
            return Again()
        listed = await asyncio.to_thread(self._store.forgotten.entries)
        followed = await self._store.ask(Reader.notes, NOTE) if listed else {}
        entries = [entry for entry in listed if entry.note not in followed]
        if not entries:
            return Again()
        people, servers = await self._store.ask(known)
        found_people = await asyncio.to_thread(meant, entries, "person", people)
        found_servers = await asyncio.to_thread(meant, entries, "server", servers)
        for guild, theirs in found_servers.items():
            await self._server(GuildId(guild), theirs)
        for user, theirs in found_people.items():
            await self._person(timed("forgotten", user, self._umpire.clock()), UserId(user), theirs)
        await self._store.do(Transaction.follow, entries)
        return Again(len(found_people), len(found_servers))

    async def _listed(self, kind: Kind, number: int) -> Sequence[Entry]:
        """Write down that a user or server is to be forgotten; returns the entries about them that are to be
        followed."""
        if (beside := self._store.forgotten) is None:
            return ()
        entry = Entry.made(kind, number, self._umpire.clock(), self._umpire.lots)
        try:
            # An earlier one may not have been followed, where the database could not be used.
            earlier = await asyncio.to_thread(beside.of, kind, number)
            await asyncio.to_thread(beside.add, [entry])
        except OSError as fault:
            log.warning(UNLISTED, beside.file, fault.strerror)
            return ()
        return (*earlier, entry)

    async def _person(self, act: InteractionId, user: UserId, entries: Sequence[Entry]) -> None:
        await self._leagues.leave_all(user)
        await self._umpire.forget(act, user, entries)

    async def _server(self, guild: GuildId, entries: Sequence[Entry]) -> None:
        while await self._store.unhurried.do(Transaction.erase_matches, guild, AT_ONCE):
            log.debug("Some matches of a server are deleted.")
        await self._store.unhurried.do(erased, guild, entries)


def known(reader: Reader) -> tuple[frozenset[int], frozenset[int]]:
    """The people and the servers of which anything is kept."""
    return reader.people(), reader.within(WHOLE).servers()


def erased(tx: Transaction, guild: GuildId, entries: Sequence[Entry]) -> None:
    """Delete the last of a server, and note that these entries were followed."""
    tx.erase_server(guild)
    tx.follow(entries)


def meant(entries: Sequence[Entry], kind: Kind, numbers: frozenset[int]) -> dict[int, list[Entry]]:
    """Which of some numbers are meant by entries, each with those."""
    found: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.kind == kind:
            for number in numbers:
                if entry.means(number):
                    found.setdefault(number, []).append(entry)
    return found
