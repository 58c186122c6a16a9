"""The commands with which a host gives people what is kept about them, and forgets people and servers.

They do what `/privacy` does, for people who cannot use it any more. What a copy brings back is forgotten here, too,
when it is put in place.
"""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from bot.core.library.catalogue import games
from bot.core.values.ids import GuildId, UserId, timed
from bot.core.values.plural import Plural, sentences, together
from bot.host.commands.host_work import place, this_command, told
from bot.host.this_machine import lots, wall
from bot.service.league.leagues import Leagues
from bot.service.privacy.forgetting import Forgetting
from bot.service.umpire.umpire import Umpire
from bot.settings import Settings
from data.store import Reader, Store
from data.store.forgotten_list import forgotten_list
from data.upkeep.absence import absent, remedy
from data.upkeep.file_check import Refused
from data.upkeep.integrity import opened, up_to_date
from data.upkeep.sole_writer import alone

YES = "yes"
GO_ON = "Type yes to go on:"
NO_TERMINAL = "Nothing was changed: nobody can be asked here, since this is no terminal. Add --yes if you mean it."
UNCHANGED = "Nothing was changed."
NO_NUMBER = "{what} is no ID: it is a whole number, which Discord shows in developer mode."
MOST_DIGITS = 20
LEAVES = Plural("1 match that goes on, which they lose", "{number} matches that go on, which they lose")
OVER = Plural("1 match that is over", "{number} matches that are over")
RATED = Plural("ratings in 1 server", "ratings in {number} servers")
HOLDS = Plural("1 match", "{number} matches")
UNKNOWN = "Nothing is kept about user {number}, but an older copy may hold them."
PERSON = "About user {number} is kept: {found}. All that goes for good, and finished matches stay without them."
FORGOTTEN = "User {number} is forgotten. No copy that you put back here brings them back."
UNKNOWN_SERVER = "Nothing is kept about server {number}, but an older copy may hold it."
SERVER = "Of server {number} is kept: {found}, with ratings, leagues and settings. All that goes for good."
ERASED = "All of server {number} is deleted. No copy that you put back here brings it back."
NOTHING_OF = "Nothing was kept about {what} {number}. No copy that you put back here brings anything back."
"""What is said afterwards of a number that the database does not know, which may be a slip of the hand."""


class Asked(NamedTuple):
    """What a host is asked before, and what is said afterwards."""

    question: str
    done: str


def forget(given: Namespace) -> int:
    """Forget somebody, as `/privacy forget` does."""

    def asked(reader: Reader, number: int) -> Asked:
        kept = reader.exported(number)
        states = Counter("live" if row["state"] in ("live", "open") else "over" for row in kept["matches"])
        servers = len({row["guild"] for row in kept["ratings"]})
        found = [
            plural.of(count)
            for plural, count in ((LEAVES, states["live"]), (OVER, states["over"]), (RATED, servers))
            if count
        ]
        known = any(rows for name, rows in kept.items() if name != "user")
        what = PERSON.format(number=number, found=together(found) or "what they chose") if known else UNKNOWN
        done = FORGOTTEN if known else NOTHING_OF
        return Asked(what.format(number=number), done.format(what="user", number=number))

    async def done(forgetting: Forgetting, number: int) -> None:
        await forgetting.person(timed("forget", number, int(wall())), UserId(number))

    return _forgotten(given, given.user, asked, done)


def forget_server(given: Namespace) -> int:
    """Delete all that is kept of a server."""

    def asked(reader: Reader, number: int) -> Asked:
        known, count = number in reader.servers(), reader.matches_in(number)
        what = SERVER.format(number=number, found=HOLDS.of(count) if count else "no match") if known else UNKNOWN_SERVER
        done = ERASED if known else NOTHING_OF
        return Asked(what.format(number=number), done.format(what="server", number=number))

    async def done(forgetting: Forgetting, number: int) -> None:
        await forgetting.server(GuildId(number))

    return _forgotten(given, given.server, asked, done)


def export(given: Namespace) -> int:
    """Print what is kept about somebody, as `/privacy export` gives it to them."""

    async def work(settings: Settings, _progress: object) -> str:
        number, url = read_number(given.user), place(settings, given)
        async with opened(url) as database:
            kept = await database.read(lambda connection: (up_to_date(connection), Reader(connection).exported(number)))
        return json.dumps(kept[1], indent=1)

    return told(given, work)


async def forgotten_again(url: str, settings: Settings) -> str:
    """Forget those whom a copy has brought back; a sentence about them, or none."""
    async with _forgetting(url, settings) as (forgetting, _):
        return str(await forgetting.again())


def _forgotten(
    given: Namespace,
    what: str,
    asked: Callable[[Reader, int], Asked],
    done: Callable[[Forgetting, int], Coroutine[Any, Any, None]],
) -> int:
    async def work(settings: Settings, _progress: object) -> str:
        number, url = read_number(what), place(settings, given)
        if gap := await absent(url):
            raise Refused(f"{gap}. {remedy(url)}")
        async with alone(url, this_command()):
            async with opened(url) as database:
                await database.read(up_to_date)
            async with _forgetting(url, settings) as (forgetting, store):
                again = str(await forgetting.again())
                found = await store.ask(asked, number)
                if not given.yes:
                    await asyncio.to_thread(ask, found.question)
                await done(forgetting, number)
        return sentences(again, found.done)

    return told(given, work)


@asynccontextmanager
async def _forgetting(url: str, settings: Settings) -> AsyncGenerator[tuple[Forgetting, Store]]:
    store = Store(url, forgotten=forgotten_list(url, settings.folder))
    try:
        clock: Callable[[], int] = lambda: int(wall())  # noqa: E731
        leagues = Leagues(store, games(), clock, lots)
        yield Forgetting(Umpire(store, games(), clock, lots), leagues), store
    finally:
        await store.close()


def read_number(text: str) -> int:
    """The ID of a person or a server, or `Refused`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS and 0 < int(text) < 2**63):
        raise Refused(NO_NUMBER.format(what=text))
    return int(text)


def ask(question: str) -> None:
    """Ask the host at the terminal; `Refused` where they do not mean it, or nobody is there."""
    if not sys.stdin.isatty():
        raise Refused(NO_TERMINAL)
    print(question, GO_ON, end=" ", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() != YES:
        raise Refused(UNCHANGED)
