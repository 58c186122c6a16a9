"""The database can't be written: people are told in time that nothing was changed, and the same move works later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path

import pytest

from bot.app.flow import WARNED_EVERY
from bot.features.challenges.onboarding import WHICH
from bot.platform.interactions import SLOW
from bot.platform.machine import loop_time
from data.engine.errors import Unavailable
from data.store import Reader
from tests.e2e.harness import WAITING, Harness, form_of, labels
from tests.simulation.loop import SimulatedLoop
from tests.support.sampled import sampled
from tests.support.unwritable import full, locked

BUSY = "I can't save moves right now. Nothing was played; try again in a minute."
UNDONE = "That took too long, and nothing was changed. Try again in a moment."
WITHIN = 2.5


@pytest.fixture(autouse=True)
def looking_in_vain(harness: Harness) -> None:
    """The bot may be looking for boards at that very moment, and say that it cannot."""
    harness.forgiven += ["Looking for what is due failed and will be tried again", WAITING]
    harness.forgiven.append("The database could not be used, and [0-9]+ requests were refused")


Trouble = Callable[[Path], AbstractContextManager[None]]


@pytest.mark.parametrize("trouble", [locked, full])
async def test_a_move(harness: Harness, trouble: Trouble) -> None:
    played = await harness.match()
    opened = await form_of(harness.ann, played.board)
    with trouble(harness.file):
        reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
        assert (reply.text, reply.is_ephemeral) == (BUSY, True)
        reply = await harness.ann.submit(opened, {"Square": "b2"})
        assert (reply.text, reply.is_ephemeral) == (BUSY, True)
    assert await played.unchanged()
    assert len(played.boards) == 1
    played = await played.move("b2")
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]


@sampled("trouble", [locked, full])
async def test_a_challenge_and_its_acceptance(harness: Harness, trouble: Trouble) -> None:
    card = await harness.ann.press(await harness.ann.command("play", channel="games"), WHICH, ["dream-math"])
    await harness.until(lambda: "Open a table" in labels(card.message))
    with trouble(harness.file):
        for label, values in (("Challenge somebody …", [harness.bea]), ("Open a table", None)):
            reply = await harness.ann.press(card, label, values)
            assert reply.text.split("\n")[0] == BUSY and reply.is_ephemeral and "Open a table" in labels(card.message)
        reply = await harness.ann.command("binary-primes challenge", channel="games", opponent=harness.bea)
        assert (reply.text, reply.is_ephemeral) == (BUSY, True)
    assert await harness.store.ask(Reader.count_by_state) == {}
    played = await harness.challenge(opponent=harness.bea)
    with trouble(harness.file):
        reply = await harness.bea.press(played.lobby, "Accept")
        assert (reply.text, reply.is_ephemeral) == (BUSY, True)
    assert await played.unchanged()
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    assert (await played.fresh()).row.state == "live"


@pytest.mark.long
async def test_many_at_once_are_all_answered_in_time(harness: Harness) -> None:
    played = await harness.match()
    with locked(harness.file):
        began = loop_time()
        replies = await asyncio.gather(
            *(
                person.command("binary-primes challenge", channel="games", size=3)
                for person in (harness.ann, harness.bea, harness.cem, harness.dora) * 3
            )
        )
    assert loop_time() - began < WITHIN
    assert {reply.text for reply in replies} == {BUSY}
    assert await played.unchanged()


@pytest.mark.long
async def test_moves_that_wait_for_each_other_are_told_that_they_were_not_played(harness: Harness) -> None:
    """The second to fourth wait until the first has been refused, and have too little time left to be tried."""
    played = await harness.match()
    asked = partial(harness.ann.command, "binary-primes move", channel=played.place)
    squares = ("a1", "b1", "c1", "b2")
    with locked(harness.file):
        replies = await asyncio.gather(*(asked(square=square) for square in squares))
        assert {reply.text for reply in replies} == {BUSY, UNDONE}
    assert await played.unchanged()
    for square in squares:
        played = await played.move(square)


async def test_a_move_whose_commit_takes_too_long_may_have_counted(harness: Harness) -> None:
    played, loop = await harness.match(), asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    harness.listener.trap = ("written", lambda: setattr(loop, "disk", lambda: 5.0))
    reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert reply.text == SLOW
    loop.disk = lambda: 0.0
    await asyncio.sleep(5)
    await harness.life.client.publisher.catch_up()
    await harness.settled()
    assert [text for _, text in (await played.fresh()).record] == ["b2"]


@pytest.mark.long
async def test_reading_goes_on_while_writing_is_locked(harness: Harness) -> None:
    played = await harness.match()
    with locked(harness.file):
        assert "s move" in (await harness.bea.command("matches")).text
        assert await harness.ann.complete("binary-primes move", "square", channel=played.place, square="b2")
        assert (await harness.bea.press(played.board, "Rules")).is_ephemeral
        assert (await form_of(harness.ann, played.board)).kind == "modal"
        assert "Leaderboard" in (await harness.bea.command("leaderboard")).text


@sampled("trouble", [locked, full])
async def test_the_board_comes_once_the_database_is_free(harness: Harness, trouble: Trouble) -> None:
    """The move is committed and the board posted, but that it is shown cannot be written down."""
    played = await harness.match()
    held = ExitStack()

    def hold() -> None:
        held.enter_context(trouble(harness.file))

    harness.listener.trap = ("posted", hold)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    harness.forgiven.append("the database cannot be used")
    await harness.until(lambda: harness.listener.complaints)
    held.close()
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


async def test_the_database_is_away_before_a_command_begins(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    played = await harness.match()

    async def away(match: int) -> int:
        raise Unavailable

    monkeypatch.setattr(harness.life.client.umpire, "find_guild", away)
    reply = await harness.ann.command("match board", channel=played.place, match=played.id)
    assert (reply.text, reply.is_ephemeral) == (BUSY, True)
    assert await harness.ann.complete("binary-primes move", "square", channel=played.place, match=1, square="b") == []


def refusals(harness: Harness) -> list[str]:
    """What a host is told of refusals."""
    return [line.getMessage() for line in harness.listener.complaints if "requests were refused" in line.getMessage()]


async def test_a_host_is_told_of_refusals_with_their_number_and_the_cause(harness: Harness) -> None:
    played = await harness.match()
    with full(harness.file):
        for _ in range(3):
            reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
            assert reply.text == BUSY
    await asyncio.sleep(WARNED_EVERY)
    assert all(line.startswith("The database could not be used, and ") for line in refusals(harness))
    assert [int(line.split()[7]) for line in refusals(harness)] == [1, 2]
    assert all("disk" in line and "\n" not in line for line in refusals(harness))


@pytest.mark.long
async def test_a_host_is_told_what_to_do_about_a_database_that_is_gone(harness: Harness) -> None:
    """Also those who only type are counted, and get no suggestions."""
    played, aside = await harness.match(), harness.file.with_name("aside.db")
    harness.file.rename(aside)
    try:
        reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
        assert "has to put it back" in reply.text
        for square in ("b", "c"):
            assert await harness.ann.complete("binary-primes move", "square", channel=played.place, square=square) == []
    finally:
        aside.rename(harness.file)
    (line,) = refusals(harness)
    assert "1 requests were refused" in line and "has to put it back" in line
    assert line.endswith(".") and not line.endswith("..")
    await harness.life.rest()
    await harness.life.end()
    assert "2 requests were refused" in refusals(harness)[1]
