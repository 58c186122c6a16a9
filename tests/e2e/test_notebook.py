"""The database cannot be written: people are told in time that nothing was changed, and the same move works later."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from data.engine import Unavailable
from data.store import Reader
from tests.e2e.house import House, labels

BUSY = "Nothing was changed: my notebook cannot be written just now. Try again in a moment."
WITHIN = 2.5


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Another program holds the lock."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


@contextmanager
def full(file: Path) -> Generator[None]:
    """No file can be written any further, as on a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture(autouse=True)
def looking_in_vain(house: House) -> None:
    """The bot may be looking for boards at that very moment, and say that it cannot."""
    house.forgiven.append("Looking for boards to show failed and will be tried again")


Trouble = Callable[[Path], AbstractContextManager[None]]


@pytest.mark.parametrize("trouble", [locked, full])
async def test_a_move(house: House, trouble: Trouble) -> None:
    played = await house.match()
    opened = await house.ann.press(played.board, "Move")
    with trouble(house.file):
        started = time.monotonic()
        reply = await house.ann.command("binary-primes move", channel=played.place, square="b2")
        assert (reply.text, reply.ephemeral) == (BUSY, True)
        assert time.monotonic() - started < WITHIN
        started = time.monotonic()
        reply = await house.ann.submit(opened, {"Column": "b", "Row": "2"})
        assert (reply.text, reply.ephemeral) == (BUSY, True)
        assert time.monotonic() - started < WITHIN
    assert await played.unchanged()
    assert len(played.boards) == 1
    played = await played.move("b2")
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules"]]


@pytest.mark.parametrize("trouble", [locked, full])
async def test_a_challenge_and_its_acceptance(house: House, trouble: Trouble) -> None:
    with trouble(house.file):
        reply = await house.ann.command("binary-primes challenge", channel="games", opponent=house.bea)
        assert (reply.text, reply.ephemeral) == (BUSY, True)
    assert await house.store.ask(Reader.counts) == {}
    played = await house.challenge(opponent=house.bea)
    with trouble(house.file):
        reply = await house.bea.press(played.lobby, "Accept")
        assert (reply.text, reply.ephemeral) == (BUSY, True)
    assert await played.unchanged()
    await house.bea.press(played.lobby, "Accept")
    await house.settled()
    assert (await played.fresh()).row.state == "live"


async def test_many_at_once_are_all_answered_in_time(house: House) -> None:
    played = await house.match()
    with locked(house.file):
        started = time.monotonic()
        replies = await asyncio.gather(
            *(
                person.command("binary-primes challenge", channel="games", size=3)
                for person in (house.ann, house.bea, house.cem, house.dora) * 3
            )
        )
        assert time.monotonic() - started < WITHIN
    assert {reply.text for reply in replies} == {BUSY}
    assert await played.unchanged()


async def test_reading_goes_on_while_writing_is_locked(house: House) -> None:
    played = await house.match()
    with locked(house.file):
        assert "is to move" in (await house.bea.command("matches")).text
        assert await house.ann.complete("binary-primes move", "square", channel=played.place, square="b2")
        assert (await house.bea.press(played.board, "Rules")).ephemeral
        assert (await house.ann.press(played.board, "Move")).kind == "modal"
        assert "Leaderboard" in (await house.bea.command("leaderboard")).text


@pytest.mark.parametrize("trouble", [locked, full])
async def test_the_board_comes_once_the_database_is_free(house: House, trouble: Trouble) -> None:
    """The move is committed and the board posted, but that it is shown cannot be written down."""
    played = await house.match()
    held = trouble(house.file)
    house.listener.trap = ("posted", held.__enter__)
    await house.ann.command("binary-primes move", channel=played.place, square="b2")
    house.forgiven.append("is shown as soon as the database can be used again")
    await house.until(lambda: house.listener.complaints)
    held.__exit__(None, None, None)
    await house.restart()
    await house.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules"]]
    assert (house.told(house.ann), house.told(house.bea)) == (1, 2)


async def test_the_database_is_away_before_a_command_begins(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    played = await house.match()

    async def away(match: int) -> int:
        raise Unavailable

    monkeypatch.setattr(house.life.client.umpire, "guild", away)
    reply = await house.ann.command("match board", channel=played.place, match=played.id)
    assert (reply.text, reply.ephemeral) == (BUSY, True)
    assert await house.ann.complete("binary-primes move", "square", channel=played.place, match=1, square="b") == []
