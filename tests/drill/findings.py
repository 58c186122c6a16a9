"""What must hold after any death: compared are what people were told, what is stored, and what the channels show."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.core.catalogue import games
from bot.sandbox import reading
from bot.sandbox.errors import Json
from bot.sandbox.world import World
from data.check import check
from tests.drill import sights
from tests.drill.people import Told

TORN = """
    select m.id, 'has ' || count(v.ply) || ' lines, and says ' || m.plies
      from matches m left join moves v on v.match = m.id
     group by m.id having count(v.ply) != m.plies or coalesce(max(v.ply), 0) != m.plies
    union all
    select id, 'is shown at version ' || shown_version || ' of ' || version from matches where shown_version > version
    union all
    select m.id, 'is ' || m.state || ' with seats ' || count(p.seat)
      from matches m join players p on p.match = m.id
     group by m.id having (m.state in ('live', 'finished')) != (count(p.seat) = m.seats)
    union all
    select m.id, 'is finished with ' || count(p.rank) || ' ranks'
      from matches m join players p on p.match = m.id
     group by m.id having (m.state = 'finished') != (count(p.rank) = m.seats)
"""
TWICE = """
    select m.id, m.plies || ' lines of ' || count(d.interaction) || ' interactions'
      from matches m left join deliveries d on d.match = m.id
     group by m.id having count(d.interaction) != 1 + (m.state != 'open') + m.plies
    union all
    select match, text || ' stands in it ' || count(*) || ' times' from moves group by match, text having count(*) > 1
"""


@dataclass(frozen=True)
class Row:
    """As much of a stored match as the channels are compared with."""

    id: int
    state: str
    version: int
    plies: int
    thread: int | None
    channel: int
    shown_version: int


class Ledger:
    """The database, read from beside the bot."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def ask(self, query: str) -> list[Any]:
        """The rows of a query; none while there is no schema."""
        if not self.file.exists():
            return []
        with closing(sqlite3.connect(self.file, timeout=5)) as connection:
            try:
                return connection.execute(query).fetchall()
            except sqlite3.OperationalError as fault:
                if "no such table" in str(fault):
                    return []
                raise

    def rows(self) -> list[Row]:
        """All matches."""
        columns = ", ".join(Row.__annotations__)
        found: list[tuple[Any, ...]] = self.ask(f"select {columns} from matches order by id")
        return [Row(*row) for row in found]

    def moves(self) -> set[Told]:
        """All moves, as those who made them would tell of them."""
        query = "select v.match, p.user, v.text from moves v join players p on p.match = v.match and p.seat = v.seat"
        return {Told(match, str(user), text) for match, user, text in self.ask(query)}

    def lost(self, told: Iterable[Told]) -> Iterator[str]:
        """What somebody was told, and what is not there."""
        moves, states = self.moves(), {row.id: row.state for row in self.rows()}
        for one in told:
            kept = one in moves
            if one.what in ("challenge", "accept"):
                kept = one.match in states and (one.what == "challenge" or states[one.match] != "open")
            if not kept:
                yield f"match {one.match}: {one.what} of {one.user} was acknowledged and is not there"

    def torn(self) -> Iterator[str]:
        """What was written by halves."""
        yield from (f"match {match} {what}" for match, what in self.ask(TORN))

    def twice(self, tried: Iterable[Told]) -> Iterator[str]:
        """What counted twice, or counted though nobody did it."""
        yield from (f"match {match}: {what}" for match, what in self.ask(TWICE))
        for one in self.moves() - set(tried):
            yield f"match {one.match}: nobody of {one.user} played {one.what}"

    async def check(self) -> Iterator[str]:
        """The faults that the host's own check finds."""
        report = await check(f"sqlite:///{self.file}", games())
        return iter(() if report.sound else report.lines[:-1])


def boards_twice(world: World) -> Iterator[str]:
    """Boards that stand twice in a thread, and messages sent twice with one nonce."""
    for thread in sights.threads(world):
        shown = Counter(board.plies for board in sights.boards(world, thread))
        yield from (f"thread {thread}: {times} boards of move {plies}" for plies, times in shown.items() if times > 1)
    nonces = Counter(message["nonce"] for message in everything(world) if message.get("nonce"))
    yield from (f"{times} messages with nonce {nonce}" for nonce, times in nonces.items() if times > 1)


def mentions_twice(world: World) -> Iterator[str]:
    """People who were told twice that they are to move, or challenged."""
    shown = {message["id"]: sights.board(message) for message in everything(world)}
    told = Counter(
        (one["channel"], one["user"], board.plies if (board := shown.get(one["message"])) else one["message"])
        for one in world.notified
    )
    for (channel, user, about), times in told.items():
        if times > 1:
            yield f"channel {channel}: {user} was told {times} times of {about}"


def untold(world: World) -> Iterator[str]:
    """Boards whose player to move was never told so; of the first one whoever accepted knows, and the other is told."""
    told = {(one["message"], one["user"]) for one in world.notified}
    telling = {one["message"] for one in world.notified}
    for thread in sights.threads(world):
        found = sights.latest(world, thread)
        if found and found.plies == 0 and found.message["id"] in telling:
            continue
        if found and found.to_move and (found.message["id"], found.to_move) not in told:
            yield f"thread {thread}: {found.to_move} does not know that it is their turn after move {found.plies}"


def orphans(world: World, rows: Iterable[Row]) -> Iterator[str]:
    """Messages that are out of date and still have buttons for acts."""
    open_now = {row.id for row in rows if row.state == "open"}
    for thread in sights.threads(world):
        for board in sights.boards(world, thread)[:-1]:
            if any(board.message["components"]) and reading.buttons(board.message):
                yield f"thread {thread}: the board of move {board.plies} still has buttons"
    seen: Counter[int] = Counter()
    for lobby in sights.lobbies(world):
        seen[lobby.match] += 1
        if lobby.match not in open_now or seen[lobby.match] > 1:
            yield f"match {lobby.match}: a challenge that is over can still be accepted"


def unshown(world: World, rows: Iterable[Row]) -> Iterator[str]:
    """Matches whose place or board is not what is stored."""
    for row in rows:
        if row.state == "open":
            if not any(lobby.match == row.id for lobby in sights.lobbies(world)):
                yield f"match {row.id}: its challenge is not to be seen"
        elif row.thread is None or row.thread == row.channel:
            yield f"match {row.id}: it has no thread of its own"
        elif (found := sights.latest(world, str(row.thread))) is None or found.plies != row.plies:
            yield f"match {row.id}: move {found.plies if found else None} is shown of {row.plies}"
        elif row.state == "live" and not found.live:
            yield f"match {row.id}: it is live and its board has no button to move"
        if row.shown_version != row.version:
            yield f"match {row.id}: version {row.shown_version} is noted as shown of {row.version}"


def everything(world: World) -> Iterator[Json]:
    """All messages that everybody can see."""
    for channel in world.messages.values():
        yield from (message for message in channel.values() if not message["ephemeral_for"])
