"""Two processes on one database play for the same computers: every move counts once, and is the one to be made."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE

import pytest

from bot.core.library.catalogue import games
from bot.core.match.stored import NewMatch
from bot.core.values.computer_users import computer
from bot.core.values.ids import ChannelId, GuildId, UserId
from data.store import Reader, Store, Transaction
from data.upkeep.integrity import check
from tests.world.computer_referee import Referee

MATCHES = 6
ANN = UserId(10**18)


async def seated(url: str) -> None:
    """Matches in which computers play each other, as rows in a store."""
    store, game = Store(url), games()["binary-primes"]

    def written(tx: Transaction) -> None:
        for _ in range(MATCHES):
            new = NewMatch(
                GuildId(10), ChannelId(20), game.key, game.version, {"size": 3}, 2, "lot", False, ANN, 1_000_000
            )
            match = tx.create(new)
            tx.leave(match, ANN)
            for seat in (1, 2):
                tx.join(match, computer(2, seat))
                tx.seat(match, computer(2, seat), seat=seat)
            tx.update(match, 1, state="live", started=1_000_000, turn=(1,), thinks=1)

    await store.do(written)
    await store.close()


async def played(url: str) -> tuple[int, int]:
    """What one process has played."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.computer_process", url, stdout=PIPE
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    made, late = said.split()
    return int(made), int(late)


@pytest.mark.sockets
async def test_two_processes_play_every_move_once(address: str) -> None:
    await seated(address)
    found = await asyncio.gather(played(address), played(address))
    store, referee = Store(address), Referee(address)
    rows = [row for number in range(1, MATCHES + 1) if (row := await store.ask(Reader.load, number))]
    await store.close()
    lines = sum(row.plies for row in rows)
    assert [row.state for row in rows] == ["finished"] * MATCHES
    assert sum(made for made, _ in found) == lines
    assert await referee.faults([row.id for row in rows]) == [] and referee.moves.total() == lines
    assert (await check(address, games())).sound
