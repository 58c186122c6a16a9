"""A naive umpire for tests of the store: each act is one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import exc

from bot.play.match import Match
from bot.play.rows import MatchRecordRow, MatchRow, NewMatch
from cogs.binary_primes import GAME
from data.engine.address import DatabaseAddress
from data.store import Reader, Store, Transaction
from tests.data.raw import connected

only_sqlite = pytest.mark.parametrize("either", ["sqlite"], indirect=True)
"""For a test that is about SQLite's files alone."""
only_postgres = pytest.mark.parametrize("either", ["postgresql"], indirect=True)
"""For a test that has several write at once."""
BROKEN_RULE = (exc.IntegrityError, sqlite3.IntegrityError)
"""How a database refuses a row that breaks a rule of its tables: as SQLAlchemy says it, or SQLite itself."""
FINISH = ("a1", "b1", "c1", "a2")
"""The moves of a whole 3×3 match."""


@contextmanager
def transaction(store: Store) -> Generator[Transaction]:
    """A transaction of several steps, on the test's own thread; it stands in no queue."""
    with connected(address_of(store)) as connection:
        yield Transaction(connection)


@contextmanager
def snapshot(store: Store) -> Generator[Reader]:
    """A snapshot for several questions, on the test's own thread."""
    with connected(address_of(store), reading=True) as connection:
        yield Reader(connection)


def address_of(store: Store) -> DatabaseAddress:
    """The address of a store's database."""
    return store.database.url


def new(**changes: object) -> NewMatch:
    """A challenge to the smallest game there is."""
    usual: dict[str, object] = {
        "guild": 1,
        "channel": 10,
        "game": GAME.key,
        "game_version": GAME.version,
        "options": {"size": 3},
        "seats": 2,
        "seating": "lot",
        "rated": True,
        "host": 1,
        "created": 100,
        "expires": 200,
    }
    return NewMatch(**(usual | changes))  # pyright: ignore[reportArgumentType]  -- a test's own names and values


async def loaded(store: Store, match: int) -> MatchRecordRow:
    """A match that is there."""
    row = await store.ask(Reader.load_match, match)
    assert row is not None
    return row


async def begun(store: Store, users: tuple[int, ...] = (1, 2), now: int = 110, **changes: object) -> int:
    """A live match between these users, in the order of their seats."""

    def write(tx: Transaction) -> int:
        match = tx.create(new(host=users[0], seats=len(users), **changes))
        for user in users[1:]:
            tx.join(match, user)
        for seat, user in enumerate(users, 1):
            tx.set_player(match, user, seat=seat)
        assert tx.update(match, 1, state="live", turn=(1,), started=now)
        return match

    return await store.do(write)


def folded(row: MatchRow | MatchRecordRow) -> Match:
    """A match as its record gives it."""
    match = Match.start(GAME, row.options, row.seats)
    for entry in row.record if isinstance(row, MatchRecordRow) else ():
        match = match.enter(entry.seat, entry.text)
    return match


async def entered(store: Store, match: int, text: str, act: int, now: int = 120, seat: int | None = None) -> bool:
    """A move or a resignation by the seat that is to move, or by another; False if somebody else was faster."""
    return await store.do(await entering(store, match, text, act, now, seat))


async def entering(
    store: Store, match: int, text: str, act: int, now: int = 120, seat: int | None = None
) -> Callable[[Transaction], bool]:
    """The transaction of such an act, on the match as it stands now."""
    row = await loaded(store, match)
    before = folded(row)
    after = before.enter(seat or before.turn[0], text)

    def write(tx: Transaction) -> bool:
        over = {"state": "finished", "ended": now} if after.is_over else {}
        if not tx.update(match, row.version, plies=len(after.record), turn=after.turn, **over):  # pyright: ignore[reportArgumentType]  -- one of two shapes
            return False
        tx.append(match, len(after.record), after.record[-1].seat, after.record[-1].text, now)
        tx.mark_acted(act, match, now)
        ranks = after.ranks
        for player, score in zip(row.players, after.scores, strict=True):
            if ranks and player.seat:
                tx.set_player(match, player.user, rank=ranks[player.seat - 1], score=score)
        if after.is_over:
            tx.rate(match)
        return True

    return write


async def played(
    store: Store,
    users: tuple[int, ...] = (1, 2),
    now: int = 120,
    moves: tuple[str, ...] = FINISH,
    **changes: object,
) -> int:
    """A match with these moves; `act` numbers of its interactions are made from its id."""
    match = await begun(store, users, now - 10, **changes)
    for ply, text in enumerate(moves, 1):
        assert await entered(store, match, text, act=match * 1000 + ply, now=now)
    return match


def scribble(file: Path, content: bytes, at: int | None = None) -> None:
    """Write something else into a file: in place of all it holds, or over it at an offset."""
    kept = b"" if at is None else file.read_bytes()
    before, after = kept[:at], kept[(at or 0) + len(content) :]
    file.write_bytes(before + content + after)
