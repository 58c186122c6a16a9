"""The first message in a server says what this is and how to begin: once, and for as long as it stands."""

from __future__ import annotations

import pytest

from bot.features.challenges.words import INTRODUCTION
from bot.sandbox import people
from data.store import Transaction
from tests.e2e.harness import MESSAGES, Harness, Json, said


@pytest.fixture
def reconcile() -> float:
    return 1.0


def introduced(harness: Harness) -> list[Json]:
    """The messages that say it."""
    every = [message for channel in harness.sandbox.world.messages.values() for message in channel.values()]
    return [message for message in every if INTRODUCTION in people.text_of(message)]


async def test_the_first_challenge_says_it_and_goes_on_saying_it(harness: Harness) -> None:
    first, second = await harness.challenge(opponent=harness.bea), await harness.challenge(harness.cem)
    assert INTRODUCTION.count("\n") == 1
    assert introduced(harness) == [first.lobby] and said(first.lobby) != people.text_of(first.lobby)
    # Answering it edits it; so does the bot, and one that knows nothing of what the last one said.
    await harness.bea.press(first.lobby, "Accept")
    assert introduced(harness) == [first.lobby] and " are playing **Binary Primes**: https://" in said(first.lobby)
    await harness.restart()
    await harness.dora.press(second.lobby, "Join")
    await harness.settled()
    await harness.surely(harness.ann, "match resign", match=first.id)
    await harness.settled()
    assert introduced(harness) == [first.lobby] and " is over: [how it ended](https://" in said(first.lobby)
    await harness.challenge(harness.dora)
    assert introduced(harness) == [first.lobby]


@pytest.mark.long
async def test_a_first_message_whose_answer_was_lost_is_taken_in_and_says_it_once(harness: Harness) -> None:
    harness.forgiven.append("Match 1 could not be shown and will be tried again")
    harness.faults.lose_answer("POST", MESSAGES)
    await harness.ann.command("sums-grid challenge", channel="games", opponent=harness.bea)
    await harness.settled()
    await harness.challenge(harness.bea)
    first = await harness.row(1)
    (only,) = introduced(harness)
    assert only["id"] == str(first.lobby_message) and "puzzle" not in said(only)


async def test_a_match_against_the_computer_leaves_it_to_the_first_that_asks_somebody(harness: Harness) -> None:
    await harness.against()
    assert introduced(harness) == []
    first = await harness.challenge(harness.bea)
    await harness.challenge(harness.cem)
    assert introduced(harness) == [first.lobby]


async def test_one_that_came_to_nothing_is_the_first_all_the_same(harness: Harness) -> None:
    """Nobody need remember what was shown: it hangs on the order of matches alone, which never changes."""
    harness.faults.fail_requests("POST", MESSAGES, 403)
    await harness.ann.command("binary-primes challenge", channel="games", size=3)
    await harness.until(lambda: harness.sandbox.requests_of("POST", MESSAGES))
    await harness.challenge(harness.bea)
    assert introduced(harness) == []
    await harness.store.do(Transaction.park, 1, None)
    await harness.restart()
    await harness.until(lambda: introduced(harness))
    await harness.settled()
    assert [one["id"] for one in introduced(harness)] == [str((await harness.row(1)).lobby_message)]
