"""Several clients, a dictionary and a database: whatever they do, the database agrees with the dictionary.

The clients hold what they read for as long as they like, act on it late, twice, several at once or in part, and the
program is started anew in between.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from bot.play.record import Entry, Move
from bot.play.rows import MatchRecordRow
from data.store import Reader, Store, Transaction
from data.tables.rows import METADATA
from tests.data.acts import new
from tests.data.raw import told
from tests.support.empty_database import empty_database
from tests.support.postgres import server

GUILDS = st.sampled_from([1, 2])
USERS = st.integers(1, 4)
ACTS = st.integers(1, 40)
"""Few interactions, so that many are delivered again."""
MOVES = st.sampled_from(["a1", "b2", "resign"])


class Dropped(Exception):
    """The client is gone in the middle of its act."""


@dataclass
class Known:
    """What the database must know of a match."""

    guild: int
    version: int = 1
    shown: int = 0
    parked: str | None = None
    state: str = "open"
    players: list[int] = field(default_factory=list[int])
    record: list[Entry] = field(default_factory=list[Entry])


class Clients(RuleBasedStateMachine):
    """The rules are what clients do; `known` is what they were told went through."""

    held = Bundle[MatchRecordRow]("held")

    def __init__(self) -> None:
        super().__init__()
        self.url = self.database()
        self.runner = asyncio.Runner()
        self.known: dict[int, Known] = {}
        self.acts: dict[int, int] = {}
        self.start()

    def database(self) -> str:
        """The address of an empty database."""
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "matches.db"
        file.write_bytes(empty_database())
        return f"sqlite:///{file}"

    def cleanup(self) -> None:
        """Take the database away."""
        self.folder.cleanup()

    def start(self) -> None:
        """Open the store."""

        async def opened() -> Store:
            return Store(self.url)

        self.store = self.runner.run(opened())

    def teardown(self) -> None:
        """Close all that was opened."""
        self.runner.run(self.store.close())
        self.runner.close()
        self.cleanup()

    def do(self, act: int, work: Callable[[Transaction], int | None], drop: bool = False) -> int | None:
        """An act as the umpire does it; the match it went through on, None if it was refused, dropped or repeated."""

        def once(tx: Transaction) -> int | None:
            seen = tx.find_match_acted_on(act)
            assert seen == self.acts.get(act)
            if seen is not None:
                return None
            match = work(tx)
            if match is not None:
                assert tx.mark_acted(act, match, 100)
            if drop:
                raise Dropped
            return match

        done = None
        with contextlib.suppress(Dropped):
            done = self.runner.run(self.store.do(once))
        if done is not None:
            self.acts[act] = done
        return done

    @initialize(target=held, act=st.just(0))
    def first(self, act: int) -> MatchRecordRow:
        """There is always a match to act on."""
        return self.challenged(act, 1, 1, False)

    @rule(target=held, act=ACTS, guild=GUILDS, host=USERS, drop=st.booleans())
    def challenge(self, act: int, guild: int, host: int, drop: bool) -> MatchRecordRow:
        """Somebody makes a challenge."""
        return self.challenged(act, guild, host, drop)

    def challenged(self, act: int, guild: int, host: int, drop: bool) -> MatchRecordRow:
        """The newest match there is, after a challenge."""
        match = self.do(act, lambda tx: tx.create(new(guild=guild, host=host)), drop)
        if match is not None:
            assert match not in self.known
            self.known[match] = Known(guild, players=[host])
        return self.read(max(self.known))

    @rule(target=held, row=held)
    def look(self, row: MatchRecordRow) -> MatchRecordRow:
        """Somebody looks again."""
        return self.read(row.id)

    def read(self, match: int) -> MatchRecordRow:
        """A match that must be there."""
        row = self.runner.run(self.store.ask(Reader.load_match, match))
        assert row is not None
        return row

    @rule(row=held, act=ACTS, user=USERS, drop=st.booleans())
    def join(self, row: MatchRecordRow, act: int, user: int, drop: bool) -> None:
        """Somebody joins a match as they last saw it."""

        def work(tx: Transaction) -> int | None:
            if tx.update(row.id, row.version):
                assert tx.join(row.id, user) == (user not in self.known[row.id].players)
                return row.id
            return None

        if self.do(act, work, drop) is not None:
            known = self.expected(row)
            known.version += 1
            known.players += [user] * (user not in known.players)

    @rule(row=held, act=ACTS, user=USERS)
    def leave(self, row: MatchRecordRow, act: int, user: int) -> None:
        """Somebody leaves, but for the last."""
        if self.known[row.id].players == [user]:
            return

        def work(tx: Transaction) -> int | None:
            if tx.update(row.id, row.version):
                assert tx.leave(row.id, user) == (user in self.known[row.id].players)
                return row.id
            return None

        if self.do(act, work) is not None:
            known = self.expected(row)
            known.version += 1
            known.players = [player for player in known.players if player != user]

    def expected(self, row: MatchRecordRow) -> Known:
        """What is known of a match on which an act has gone through: it was seen as it stood."""
        known = self.known[row.id]
        assert row.version == known.version
        return known

    @rule(row=held, act=ACTS, text=MOVES, state=st.sampled_from(["live", "finished"]), drop=st.booleans())
    def move(self, row: MatchRecordRow, act: int, text: str, state: Any, drop: bool) -> None:
        """Somebody moves on a board as they last saw it."""
        if self.do(act, lambda tx: moved(tx, row, text, state), drop) is not None:
            self.count(row, text, state)

    def count(self, row: MatchRecordRow, text: str, state: str) -> None:
        """Know a move that went through."""
        known = self.expected(row)
        known.version += 1
        known.state = state
        known.record.append(Move(1, text))

    @rule(row=held, first=st.integers(100, 10**6), text=MOVES, racers=st.integers(2, 4))
    def race(self, row: MatchRecordRow, first: int, text: str, racers: int) -> None:
        """Several act on one board at once, with interactions of their own or one delivered to all."""

        def act(tx: Transaction, number: int) -> bool:
            return moved(tx, row, text, "live") is not None and tx.mark_acted(number, row.id, 100)

        async def together() -> list[bool]:
            return await asyncio.gather(*(self.store.do(act, number) for number in numbers))

        numbers = range(first * 10, first * 10 + racers)
        if self.acts.keys() & set(numbers):
            return
        won = self.runner.run(together())
        assert won.count(True) == (row.version == self.known[row.id].version)
        if True in won:
            self.acts[numbers[won.index(True)]] = row.id
            self.count(row, text, "live")

    @rule(row=held, message=st.integers(1, 9))
    def show(self, row: MatchRecordRow, message: int) -> None:
        """Discord accepts a board, perhaps an old one late."""
        known = self.known[row.id]
        shown = self.runner.run(self.store.do(Transaction.mark_shown, row.id, row.version, board_message=message))
        assert shown == (row.version >= known.shown)
        if shown:
            known.shown, known.parked = row.version, None

    @rule(row=held)
    def park(self, row: MatchRecordRow) -> None:
        """A board cannot be shown."""
        self.runner.run(self.store.do(Transaction.park, row.id, "No."))
        self.known[row.id].parked = "No."

    @rule()
    def restart(self) -> None:
        """The program is started anew."""
        self.runner.run(self.store.close())
        self.start()

    @invariant()
    def agrees(self) -> None:
        """Everything in the database is known, and everything known is in it."""
        lagging = {match for match, _ in self.runner.run(self.store.ask(Reader.find_lagging_matches, 1000))}
        for match, known in self.known.items():
            row = self.read(match)
            found = Known(
                row.guild,
                row.version,
                row.shown_version,
                row.publish_error,
                row.state,
                [player.user for player in row.players],
                list(row.record),
            )
            assert found == known
            assert row.plies == len(row.record)
            assert (match in lagging) == (known.shown < known.version and known.parked is None)
        assert sum(self.runner.run(self.store.ask(Reader.count_by_state)).values()) == len(self.known)


def moved(tx: Transaction, row: MatchRecordRow, text: str, state: Any) -> int | None:
    """Write a move on a match as it was seen; None if it has changed since."""
    ply = row.plies + 1
    if not tx.update(row.id, row.version, plies=ply, state=state):
        return None
    tx.append(row.id, ply, 1, text, 100)
    return row.id


TestClients = Clients.TestCase
TestClients.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


class ClientsOfAServer(Clients):
    """The same on PostgreSQL, on one database that is emptied each time."""

    def database(self) -> str:
        """The address of an empty database."""
        url = kept()
        told(url, f"TRUNCATE {', '.join(table.name for table in METADATA.sorted_tables)} RESTART IDENTITY CASCADE")
        return url

    def cleanup(self) -> None:
        """The database goes with its server."""


@cache
def kept() -> str:
    """The address of a database for all examples."""
    return server().kept()


TestClientsOfAServer = pytest.mark.long(ClientsOfAServer.TestCase)
TestClientsOfAServer.settings = settings(
    max_examples=5, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
