"""A host stops the bot: running work is finished, and no task is left behind."""

from __future__ import annotations

import pytest

from bot.sandbox import people
from tests.e2e.harness import Harness, called, labels


@pytest.fixture
def reconcile() -> float:
    return 0.001


@pytest.mark.long
async def test_the_bot_stops_while_it_looks_for_boards(harness: Harness) -> None:
    for _ in range(5):
        await harness.life.end()
        await harness.restart()


async def test_a_board_that_is_being_shown_is_shown_before_the_end(harness: Harness) -> None:
    played = await harness.match()
    await harness.settled()
    answered = harness.listener.steps.count("answered 1")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: harness.listener.steps.count("answered 1") > answered)
    await harness.life.end()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert f"{called(harness.bea)} is to move." in people.text_of(played.board)
    await harness.restart()


async def test_an_event_that_comes_after_the_end_is_told_to_nobody(harness: Harness) -> None:
    """discord.py's own timer for the servers after READY runs out beside everything else."""
    client = harness.life.client
    await harness.life.end()
    client.dispatch("ready")
    await harness.restart()
