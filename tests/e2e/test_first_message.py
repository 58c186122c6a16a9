"""The first message in a server says what this is and how to begin: once, and for as long as it stands."""

from __future__ import annotations

import pytest

from bot.features.challenges.words import INTRODUCTION
from bot.sandbox import people
from data.store import Transaction
from tests.e2e.house import MESSAGES, House, Json, said


@pytest.fixture
def reconcile() -> float:
    return 1.0


def introduced(house: House) -> list[Json]:
    """The messages that say it."""
    every = [message for channel in house.sandbox.world.messages.values() for message in channel.values()]
    return [message for message in every if INTRODUCTION in people.text_of(message)]


async def test_the_first_challenge_says_it_and_goes_on_saying_it(house: House) -> None:
    first, second = await house.challenge(opponent=house.bea), await house.challenge(house.cem)
    assert INTRODUCTION.count("\n") == 1
    assert introduced(house) == [first.lobby] and said(first.lobby) != people.text_of(first.lobby)
    # Answering it edits it; so does the bot, and one that knows nothing of what the last one said.
    await house.bea.press(first.lobby, "Accept")
    assert introduced(house) == [first.lobby] and " is on: https://" in said(first.lobby)
    await house.restart()
    await house.dora.press(second.lobby, "Join")
    await house.settled()
    await house.surely(house.ann, "match resign", match=first.id)
    await house.settled()
    assert introduced(house) == [first.lobby] and " is over: [how it ended](https://" in said(first.lobby)
    await house.challenge(house.dora)
    assert introduced(house) == [first.lobby]


@pytest.mark.long
async def test_a_first_message_whose_answer_was_lost_is_taken_in_and_says_it_once(house: House) -> None:
    house.forgiven.append("Match 1 could not be shown and will be tried again")
    house.faults.lose_answer("POST", MESSAGES)
    await house.ann.command("sums-grid challenge", channel="games", opponent=house.bea)
    await house.settled()
    await house.challenge(house.bea)
    first = await house.row(1)
    (only,) = introduced(house)
    assert only["id"] == str(first.lobby_message) and "puzzle" not in said(only)


async def test_a_match_against_the_computer_leaves_it_to_the_first_that_asks_somebody(house: House) -> None:
    await house.against()
    assert introduced(house) == []
    first = await house.challenge(house.bea)
    await house.challenge(house.cem)
    assert introduced(house) == [first.lobby]


async def test_one_that_came_to_nothing_is_the_first_all_the_same(house: House) -> None:
    """Nobody need remember what was shown: it hangs on the order of matches alone, which never changes."""
    house.faults.fail_requests("POST", MESSAGES, 403)
    await house.ann.command("binary-primes challenge", channel="games", size=3)
    await house.until(lambda: house.sandbox.requests_of("POST", MESSAGES))
    await house.challenge(house.bea)
    assert introduced(house) == []
    await house.store.do(Transaction.park, 1, None)
    await house.restart()
    await house.until(lambda: introduced(house))
    await house.settled()
    assert [one["id"] for one in introduced(house)] == [str((await house.row(1)).lobby_message)]
