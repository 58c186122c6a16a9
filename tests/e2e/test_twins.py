"""Two bots with one token: on one database nothing happens twice, and with two databases one of them stands down; both
are told to the host."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.client.app import presence
from bot.core.match.clocks import DAY
from data.health import TWINS, health
from data.integrity import check
from data.store import Reader, Store
from tests.e2e.house import CALLBACK, House
from tests.e2e.life import Life, living
from tests.e2e.test_reminders import NOON, reminders_in

ONE_DATABASE = "Two processes serve the same servers on one database"
ELSEWHERE = "Another bot with this token and with another database"


@asynccontextmanager
async def joined(house: House, file: Path | None = None) -> AsyncGenerator[Life]:
    """Another bot beside the first, on its database or on one of its own."""
    house.forgiven += [ONE_DATABASE, ELSEWHERE]
    other = house.another(file)
    await other.begin()
    try:
        yield other
        await other.rest()
    finally:
        await other.end()


@pytest.fixture
async def twin(house: House) -> AsyncGenerator[Life]:
    """Another bot on the same database."""
    async with joined(house) as other:
        yield other


@pytest.fixture
def other_file(house: House, empty_database: Path) -> Path:
    """Another database, without matches."""
    return Path(shutil.copy(empty_database, house.file.parent / "other.db"))


async def both_settled(house: House, other: Life) -> None:
    """Wait until neither is at anything."""
    for _ in range(2):
        await house.settled()
        await other.idle()


async def looked(*lives: Life) -> None:
    """Let some bots look who else serves, three times as they do in half a minute."""
    for _ in range(3):
        for life in lives:
            await life.does(life.client.twins.look())


def posted(house: House) -> int:
    """How many challenges people see."""
    channels = house.sandbox.world.messages.values()
    return sum(str(message.get("nonce")).startswith("c") for channel in channels for message in channel.values())


# --- one database


async def test_on_one_database_nothing_happens_twice(house: House, twin: Life) -> None:
    played = await house.match()
    await both_settled(house, twin)
    assert len(played.boards) == 1 and played.id == 1
    assert (house.told(house.ann), house.told(house.bea)) == (1, 1), "challenged, and begun"
    for square in ("a1", "c3", "b2"):
        played = await played.move(square)
        await both_settled(house, twin)
    assert [text for _, text in played.record] == ["a1", "c3", "b2"]
    assert len(played.boards) == 4
    assert house.told(house.ann) == 2 and house.told(house.bea) == 3
    assert await house.store.ask(Reader.counts) == {"live": 1}


async def test_on_one_database_a_computer_moves_once(house: House, twin: Life) -> None:
    played = await house.against(level=1)
    played = await (await played.fresh()).move("a1")
    for life in (house.life, twin):
        await life.does(life.client.playing.look())
    await house.answered()
    await both_settled(house, twin)
    played = await played.fresh()
    assert [seat for seat, _ in played.record] == [1, 2]
    assert len(played.boards) == 2


async def test_on_one_database_a_reminder_comes_once(house: House, twin: Life) -> None:
    house.clock.at = NOON
    house.sandbox.world.clock = house.clock
    played = await house.match(pace="14")
    await both_settled(house, twin)
    house.clock.at += 7 * DAY
    for life in (house.life, twin):
        mark = living.set(life)
        life.client.reminders.look()
        living.reset(mark)
    await both_settled(house, twin)
    assert len(reminders_in(house, played.place)) == 1


async def test_on_one_database_it_is_said_and_both_serve_on(house: House, twin: Life) -> None:
    await looked(house.life, twin)
    said = house.complaints_of(ONE_DATABASE)
    assert len(said) == 2, "each says it, once"
    for line in said:
        assert "all shards" in line and "GRAPHPAPER_SHARDS" in line and "process " in line
    report = await health(house.url)
    assert ONE_DATABASE in report.lines[-1]
    assert house.life.client.measures.registry.get_sample_value("graphpaper_twins") == 1
    for _ in range(4):
        reply = await house.ann.command("games", channel="games")
        assert reply.ephemeral
    await both_settled(house, twin)
    assert not house.life.client.twins.stands_down and not twin.client.twins.stands_down
    await twin.end()
    now = house.life.client.twins.steady() + 100
    house.life.client.twins.steady = lambda: now
    await house.life.does(house.life.client.twins.look())
    assert await house.store.ask(Reader.notes, TWINS) == {}, "it is over, and not said any more"


# --- two databases


async def test_who_comes_second_shows_nothing_of_what_it_wrote(house: House, other_file: Path) -> None:
    first = await house.match(house.cem, house.dora, channel="general")
    house.faults.forget_nonces()  # the other begins with a match of the same number
    async with joined(house, other_file) as other:
        before = posted(house)
        await house.ann.command("binary-primes challenge", channel="games", size=3, opponent=house.bea)
        await both_settled(house, other)
        lobbies = posted(house) - before
        assert await first.unchanged()
        store = Store(f"sqlite:///{other_file}")
        counts = [await house.store.ask(Reader.counts), await store.ask(Reader.counts)]
        lagging = [await house.store.ask(Reader.lagging, 9), await store.ask(Reader.lagging, 9)]
        await store.close()
        assert sorted(counts, key=str) in (
            [{"cancelled": 1}, {"live": 1, "open": 1}],
            [{"cancelled": 1, "live": 1}, {"open": 1}],
        )
        assert lobbies == 1 and lagging == [(), ()]
        assert house.told(house.bea) == 1
        assert (await check(f"sqlite:///{other_file}", house.life.client.umpire.games)).sound


async def test_what_has_the_same_number_in_both_is_shown_once(house: House, other_file: Path) -> None:
    async with joined(house, other_file) as other:
        await house.ann.command("binary-primes challenge", channel="games", size=3, opponent=house.bea)
        await both_settled(house, other)
        assert posted(house) == 1 and house.told(house.bea) == 1


async def test_a_match_with_the_computer_is_taken_back_too(house: House, other_file: Path) -> None:
    await house.challenge(house.cem, channel="general")
    house.faults.forget_nonces()  # the other begins with a match of the same number
    async with joined(house, other_file) as other:
        await house.ann.command("binary-primes challenge", channel="games", size=3, level=1, seat="me")
        for life in (house.life, other):
            await life.does(life.client.playing.look())
        await both_settled(house, other)
        store = Store(f"sqlite:///{other_file}")
        counts = [await house.store.ask(Reader.counts), await store.ask(Reader.counts)]
        await store.close()
        assert sorted(counts, key=str) in (
            [{"aborted": 1}, {"live": 1, "open": 1}],
            [{"aborted": 1, "open": 1}, {"live": 1}],
        )


async def test_who_comes_second_again_and_again_stands_down(house: House, other_file: Path) -> None:
    async with joined(house, other_file) as other:
        both = [house.life, other]
        for _ in range(2 * presence.FEW):
            await house.ann.command("games", channel="games")
            await both_settled(house, other)
        down = [life for life in both if life.client.twins.stands_down]
        assert len(down) == 1
        up = next(life for life in both if life not in down)
        assert len(up.client.twins.theirs) < presence.FEW
        assert len(house.complaints_of("This one has stood down")) == 1
        store = Store(f"sqlite:///{other_file}") if down == [other] else house.store
        said = await store.ask(Reader.notes, TWINS)
        assert "This one has stood down" in str(said)
        if store is not house.store:
            await store.close()
        await house.cem.command("binary-primes challenge", channel="games", size=3, opponent=house.dora)
        await up.idle()
        assert posted(house) == 1, "the other serves on"


# --- one bot alone


async def test_an_answer_that_arrived_unheard_is_ones_own(house: House) -> None:
    house.faults.fail("POST", CALLBACK, 502, times=presence.FEW, applied=True)
    for _ in range(presence.FEW):
        await house.ann.command("games", channel="games")
    await house.settled()
    client = house.life.client
    assert client.twins.theirs == {} and not client.twins.stands_down


async def test_an_answer_that_a_line_has_sent_twice_takes_nothing_back(house: House) -> None:
    house.faults.repeat("POST", CALLBACK)
    played = await house.challenge()
    assert len(house.life.client.twins.theirs) == 1
    assert played.row.state == "open" and played.lobby


async def test_what_is_delivered_twice_is_ones_own(house: House) -> None:
    house.faults.twice(2 * presence.FEW)
    for _ in range(presence.FEW):
        await house.ann.command("games", channel="games")
    await house.settled()
    assert house.life.client.twins.theirs == {}


async def test_one_that_stands_down_is_silent_and_comes_back(house: House) -> None:
    client = house.life.client
    played = await house.match()
    clock = [client.twins.steady()]
    client.twins.steady = lambda: clock[0]
    client.twins.theirs = dict.fromkeys(range(presence.MANY), clock[0])
    house.forgiven.append(ELSEWHERE)
    await house.life.does(client.twins.look())
    assert client.twins.stands_down
    house.sandbox.interactions.answer_seconds = 0.05
    with pytest.raises(Exception, match="did not respond"):
        await played.mover.command("binary-primes move", channel=played.place, square="a1")
    assert await played.unchanged()
    house.sandbox.interactions.answer_seconds = 30.0
    clock[0] += presence.REST[1]
    await house.life.does(client.twins.look())
    assert not client.twins.stands_down
    await played.move("a1")
    client.twins.theirs = {1: clock[0]}
    await house.life.does(client.twins.look())
    assert client.twins.stands_down, "once more is enough now"
    clock[0] += presence.REST[1]
