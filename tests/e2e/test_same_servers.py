"""Two bots with one token on one database: nothing happens twice, and the host is told."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from bot.host.machine import wall_time
from bot.play.clocks import DAY
from data.store import Reader
from data.upkeep.health import SAME_SERVERS, check_health
from tests.e2e.harness import CALLBACK, Harness
from tests.e2e.test_reminders import NOON, reminders_in
from tests.simulation.life import Life, living

ONE_DATABASE = "Two processes serve the same servers on one database"


@pytest.fixture
async def other(harness: Harness) -> AsyncGenerator[Life]:
    """Another bot beside the first, on its database."""
    harness.forgiven.append(ONE_DATABASE)
    begun = harness.another()
    await begun.begin()
    yield begun
    await begun.rest()
    await begun.end()


async def both_settled(harness: Harness, other: Life) -> None:
    """Wait until neither is at anything."""
    for _ in range(2):
        await harness.settled()
        await other.idle()


async def looked(*lives: Life) -> None:
    """Let some bots look who else serves, three times as they do in half a minute."""
    for _ in range(3):
        for life in lives:
            await life.does(life.client.presence.beat())


async def test_on_one_database_nothing_happens_twice(harness: Harness, other: Life) -> None:
    played = await harness.match()
    await both_settled(harness, other)
    assert len(played.boards) == 1 and played.id == 1
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 1), "challenged, and begun"
    for square in ("a1", "c3", "b2"):
        played = await played.move(square)
        await both_settled(harness, other)
    assert [text for _, text in played.record] == ["a1", "c3", "b2"]
    assert len(played.boards) == 4
    assert harness.told(harness.ann) == 2 and harness.told(harness.bea) == 3
    assert await harness.store.ask(Reader.count_by_state) == {"live": 1}


@pytest.mark.long
async def test_on_one_database_a_computer_moves_once(harness: Harness, other: Life) -> None:
    played = await harness.against(level=1)
    played = await (await played.fresh()).move("a1")
    for life in (harness.life, other):
        await life.does(life.client.computer_player.poll())
    await harness.answered()
    await both_settled(harness, other)
    played = await played.fresh()
    assert [seat for seat, _ in played.record] == [1, 2]
    assert len(played.boards) == 2


@pytest.mark.long
async def test_on_one_database_a_reminder_comes_once(harness: Harness, other: Life) -> None:
    harness.clock.at = NOON
    harness.sandbox.world.clock = harness.clock
    played = await harness.match(pace="14")
    await both_settled(harness, other)
    harness.clock.at += 7 * DAY
    for life in (harness.life, other):
        mark = living.set(life)
        life.client.reminder_sender.poll()
        living.reset(mark)
    await both_settled(harness, other)
    assert len(reminders_in(harness, played.place)) == 1


async def test_on_one_database_it_is_said_and_both_serve_on(harness: Harness, other: Life) -> None:
    await looked(harness.life, other)
    said = harness.complaints_of(ONE_DATABASE)
    assert len(said) == 2, "each says it, once"
    for line in said:
        assert "all shards" in line and "GRAPHPAPER_SHARDS" in line and "process " in line
    report = await check_health(harness.url, wall_time)
    assert ONE_DATABASE in report.lines[-1]
    assert harness.life.client.metrics.registry.get_sample_value("graphpaper_twins") == 1
    for _ in range(4):
        reply = await harness.ann.command("games", channel="games")
        assert reply.is_ephemeral
    await both_settled(harness, other)
    await other.end()
    now = harness.life.client.presence.steady() + 100
    harness.life.client.presence.steady = lambda: now
    await harness.life.does(harness.life.client.presence.beat())
    assert await harness.store.ask(Reader.read_notes, SAME_SERVERS) == {}, "it is over, and not said any more"


async def test_an_answer_that_a_line_has_sent_twice_counts(harness: Harness) -> None:
    harness.faults.repeat_requests("POST", CALLBACK)
    played = await harness.challenge()
    assert played.row.state == "open" and played.lobby
