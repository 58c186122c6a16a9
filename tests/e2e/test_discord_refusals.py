"""When Discord refuses a message: a thread leads to the channel, a board waits, and people are told."""

from __future__ import annotations

import pytest

from bot.sandbox import people
from tests.e2e.harness import MESSAGE, MESSAGES, Harness, called, labels
from tests.support.sampled import sampled

THREADS = f"{MESSAGE}/threads"
REASONS = {
    (400, 200001): "This server's AutoMod blocks it, and only somebody who manages the server can make an exception"
    " for me.",
    (400, 40005): "The picture is too large for Discord.",
    (400, 50035): "Discord refuses it (error 50035). This bot's host can find the reason in the log.",
    (403, 0): "I need View Channel, Send Messages, Send Messages in Threads and Attach Files there.",
    (404, 10003): "The channel of this match was deleted.",
}


@pytest.fixture
def reconcile() -> float:
    return 1.0


@sampled(("status", "code"), [(400, 200001), (400, 50035), (403, 40333), (400, 160002)])
async def test_a_match_whose_thread_is_refused_is_played_in_the_channel(
    harness: Harness, status: int, code: int
) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.faults.fail_requests("POST", THREADS, status, times=3)
    harness.faults.pending[-1].code = code
    harness.forgiven.append("could not be shown")
    await harness.bea.press(played.lobby, "Accept")
    await harness.until(lambda: harness.sandbox.requests_of("POST", THREADS))
    await harness.life.idle()
    harness.faults.clear()
    await harness.settled()
    played = await played.fresh()
    assert played.place["name"] == "games"
    assert labels(played.board) == ["Move", "Rules", "More …"]


@sampled(("status", "code"), REASONS)
async def test_a_board_that_is_refused_is_tried_once_and_the_reason_told(
    harness: Harness, status: int, code: int
) -> None:
    harness.faults.deny("games", "create_public_threads")
    # That is a reason to look whether parked matches may go on, which is to be over before this one is parked.
    harness.life.client.loops.tasks["channel_recovery"].cancel()
    played = await harness.match()
    harness.faults.fail_requests("POST", MESSAGES, status, times=99)
    harness.faults.pending[-1].code = code
    harness.forgiven.append("could not be shown")
    before = len(harness.sandbox.requests_of("POST", MESSAGES))
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.until(lambda: len(harness.sandbox.requests_of("POST", MESSAGES)) > before)
    await harness.life.idle()
    for _ in range(3):
        await harness.life.client.publisher.catch_up()
        await harness.life.idle()
    assert len(harness.sandbox.requests_of("POST", MESSAGES)) == before + 1
    reply = await harness.bea.command("match board", channel=played.place)
    assert f"I couldn't show the board in its place. {REASONS[status, code]} I'm trying again." in reply.text
    harness.faults.clear()
    again = await harness.bea.command("match board", channel=played.place)
    assert again.is_ephemeral
    await harness.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)
    assert f"{called(harness.bea)} is to move." in people.text_of(played.board)


@pytest.mark.long
@pytest.mark.parametrize("code", [30046, 20028])
async def test_what_was_asked_too_often_is_no_refusal(harness: Harness, code: int) -> None:
    played = await harness.match()
    harness.faults.fail_requests("POST", MESSAGES, 400, times=1)
    harness.faults.pending[-1].code = code
    harness.forgiven.append("could not be shown")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.settled()
    assert [labels(board) for board in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]
