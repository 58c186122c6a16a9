"""Discord stumbles: errors, limits, silence, lost connections, things deleted by hand. The board still comes.

A connection that is lost and resumed is a real one in one story.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import nullcontext, suppress

import pytest

from bot.platform.machine import loop_time
from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import NoAnswerInTime
from tests.e2e.harness import CALLBACK, MESSAGE, MESSAGES, Harness, Played, called, form_of, labels
from tests.support.discords_ways import STRICT
from tests.support.sampled import sampled

FAILED = "could not be shown and will be tried again"


@pytest.fixture
def reconcile() -> float:
    return 1.0


async def stands(played: Played, *moves: str, was_closed: bool = False) -> Played:
    """These moves are played, each has one board, and only the last of them has buttons. Where the place was closed,
    both were told that at once, and whose move it is."""
    await played.harness.settled()
    played = await played.fresh()
    assert [move for _, move in played.record] == list(moves)
    assert [labels(board) for board in played.boards] == [*([] for _ in moves), ["Move", "Rules", "More …"]]
    told = (len(moves) // 2 + 1 + was_closed, (len(moves) + 1) // 2 + 1)
    assert (played.harness.told(played.harness.ann), played.harness.told(played.harness.bea)) == told
    return played


async def by_form(played: Played, square: str) -> None:
    """A move whose answer may be lost."""
    opened = await form_of(played.mover, played.board)
    with suppress(NoAnswerInTime):
        await played.mover.submit(opened, {"Square": square})


async def test_a_board_that_discord_does_not_take_at_first_or_says_so(harness: Harness) -> None:
    """Each move of a match meets another trouble. discord.py tries some errors again itself; of others the reconciler
    hears. The last is an edit that would take buttons off, where old boards may be edited seldom."""
    harness.forgiven += [FAILED, "rate limited"]
    faults, moves = harness.faults, list[str]()
    begun = played = await harness.match(size=5)
    troubles: tuple[tuple[int, Callable[[], object]], ...] = (
        (500, lambda: faults.fail_requests("POST", MESSAGES, 500, times=1)),
        (503, lambda: faults.fail_requests("POST", MESSAGES, 503, times=1)),
        (502, lambda: faults.fail_requests("POST", MESSAGES, 502, applied=True)),
        (0, lambda: faults.lose_answer("POST", MESSAGES)),
        (429, lambda: faults.rate_limit("POST", MESSAGES, retry_after=0.3)),
        (429, lambda: faults.rate_limit("PATCH", MESSAGE, retry_after=0.3)),
        (429, lambda: faults.rate_limit("POST", CALLBACK, retry_after=0.3)),
        (400, lambda: faults.fail_requests("PATCH", MESSAGE, 400, times=2, code=30046)),
    )
    for place, (status, trouble) in enumerate(troubles):
        trouble()
        before = len(harness.sandbox.request_log)
        moves.append(f"{'abcd'[place % 4]}{1 + place // 4}")
        await played.mover.command("binary-primes move", channel=played.place, square=moves[-1])
        await harness.until(lambda: len(begun.boards) == len(moves) + 1)
        played = await stands(played, *moves)
        assert status in [entry.status for entry in harness.sandbox.request_log[before:]]


async def test_an_answer_that_was_given_though_discord_said_otherwise(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.fail_requests("POST", CALLBACK, 502, applied=True)
    reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert reply.text == "You played **b2**."
    played = await stands(played, "b2")
    opened = await form_of(harness.bea, played.board)
    harness.faults.fail_requests("POST", CALLBACK, 502, applied=True)
    assert (await harness.bea.submit(opened, {"Square": "a1"})).kind == "acknowledged"
    await stands(played, "b2", "a1")
    assert len([one for one in harness.ann.read_messages(played.place) if one["ephemeral_for"]]) == 1


@sampled("form", [False, True])
async def test_an_answer_that_hangs(harness: Harness, form: bool) -> None:
    """The move counts, and its board comes in three seconds although Discord is silent for longer."""
    played = await harness.match()
    opened = await form_of(harness.ann, played.board) if form else None
    harness.faults.delay_requests("POST", CALLBACK, 30)
    if opened:
        moving = harness.ann.submit(opened, {"Square": "b2"})
    else:
        moving = harness.ann.command("binary-primes move", channel=played.place, square="b2")
    began = loop_time()
    asked = asyncio.create_task(moving)
    await harness.until(lambda: len(played.boards) == 2)
    assert loop_time() - began < 3
    with suppress(NoAnswerInTime):
        await asked
    await stands(played, "b2")


@pytest.mark.long
async def test_an_answer_whose_connection_is_cut(harness: Harness) -> None:
    """And so is that on which it is sent again: the player who moved is told that it may have counted, or nothing
    where that is cut too; the board comes."""
    played = await harness.match()
    harness.faults.lose_answer("POST", CALLBACK, applied=False)
    reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert reply.text.startswith("That took too long, and I can't tell whether it counted. Use /match board")
    await stands(played, "b2")
    harness.faults.drop_connection("POST", CALLBACK, times=4)
    harness.forgiven.append("A refusal could not be delivered: Server disconnected")
    with suppress(NoAnswerInTime):
        await harness.bea.command("binary-primes move", channel=played.place, square="a1")
    await stands(played, "b2", "a1")


async def test_answers_that_fail(harness: Harness) -> None:
    """Discord's own fault: the player who moved is left without an answer, and sees the board."""
    played = await harness.match()
    harness.forgiven.append("A refusal could not be delivered: TimeoutError")
    harness.faults.fail_requests("POST", CALLBACK, 500, times=3)
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await stands(played, "b2")
    harness.faults.clear()


async def test_the_lobby_cannot_be_posted_at_first(harness: Harness) -> None:
    harness.faults.fail_requests("POST", MESSAGES, 502, times=1)
    harness.forgiven.append(FAILED)
    played = await harness.challenge(opponent=harness.bea)
    assert labels(played.lobby) == ["Accept", "Decline", "Rules"]
    assert harness.told(harness.bea) == 1


@sampled("applied", [False, True])
async def test_the_thread_cannot_be_made_at_first(harness: Harness, applied: bool) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.faults.fail_requests("POST", f"{MESSAGE}/threads", 502, applied=applied)
    harness.forgiven.append(FAILED)
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    played = await stands(await played.fresh())
    assert played.place["name"] == "Ann – Bea · Binary Primes · 1"
    named = [one for one in harness.sandbox.world.channels.values() if one["name"] == played.place["name"]]
    assert len(named) == 1


async def test_the_gateway_is_lost_and_resumed(harness: Harness) -> None:
    played = await harness.match()
    await harness.faults.close_gateway()
    await harness.sandbox.wait_for(lambda _: harness.sandbox.gateway.resumed == 1)
    await stands(await played.move("b2"), "b2")
    assert harness.sandbox.gateway.identified == 1


@pytest.mark.sockets
async def test_what_happens_while_the_gateway_is_lost_is_done_afterwards(harness: Harness) -> None:
    played = await harness.match()
    await harness.faults.close_gateway()
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.sandbox.wait_for(lambda _: harness.sandbox.gateway.resumed == 1)
    await harness.until(lambda: len(played.boards) == 2)
    await stands(played, "b2")


async def test_the_gateway_forgets_the_session(harness: Harness) -> None:
    played = await harness.match()
    await harness.faults.close_gateway(resumable=False)
    await harness.sandbox.wait_for(lambda _: harness.sandbox.gateway.identified == 2)
    played = await stands(await played.move("b2"), "b2")
    opened = await form_of(harness.bea, played.board)
    assert opened.kind == "modal"


async def test_a_deleted_board(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.delete_message(played.board)
    assert played.boards == []
    shown = await harness.bea.command("match board", channel=played.place)
    assert shown.is_ephemeral
    assert "Only you see this board." in shown.text
    await harness.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [["Move", "Rules", "More …"]]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 1), "nobody is told again"
    # A board that is there is not posted again.
    await harness.bea.command("match board", channel=played.place)
    await harness.settled()
    assert len(played.boards) == 1
    # The next move does without the board before it.
    harness.faults.delete_message(played.board)
    played = await played.move("b2")
    assert [labels(board) for board in played.boards] == [["Move", "Rules", "More …"]]


@pytest.mark.long
async def test_a_deleted_board_that_would_be_edited_in_place(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.delete_message(played.board)
    await harness.bea.command("match abort", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards] == [["Move", "Rules", "More …", "Agree: call it off", "Refuse"]]
    assert f"{called(harness.bea)} wants to call the match off" in people.text_of(played.board)


@pytest.mark.long
async def test_a_thread_deleted_with_a_running_clock(harness: Harness) -> None:
    """It is noticed at once: the person who is to move is told where the match goes on, and the clock has run on."""
    harness.clock.at = harness.clock()  # a board names the second
    played = await harness.match()
    begun = played.row.players[0].deadline
    await harness.later(6 * 86400)
    told = harness.told(harness.ann)
    harness.faults.delete_channel(played.place)
    await harness.until(lambda: [one for one in harness.ann.read_messages("games") if "Move" in labels(one)])
    await harness.settled()
    played = await played.fresh()
    assert (played.place["name"], harness.told(harness.ann)) == ("games", told + 1)
    ann = played.row.players[0]
    assert ann.deadline == begun, "nobody gets time by deleting a thread"
    assert f"<t:{ann.deadline}:R>" in people.text_of(played.board)


LOOK = ("GET", "/channels/{channel_id}")


@pytest.mark.long
async def test_threads_deleted_while_the_bot_was_away(harness: Harness) -> None:
    """Nobody plays or asks: the matches go on in their channel all the same. A thread that is only asleep is kept."""
    deleted, asleep, awake = [await harness.match() for _ in range(3)]
    harness.life.kill()
    await harness.life.end()
    harness.faults.delete_channel(deleted.place)
    asleep.place["thread_metadata"]["archived"] = True
    await harness.restart()
    await harness.until(lambda: [one for one in harness.ann.read_messages("games") if "Move" in labels(one)])
    await harness.settled()
    assert [(await one.fresh()).place["name"] == "games" for one in (deleted, asleep, awake)] == [True, False, False]
    asked = [
        entry.path
        for entry in harness.sandbox.request_log
        if (entry.method, entry.route) == ("GET", "/channels/{channel_id}")
    ]
    assert len({*asked}) == 2 and not any(awake.place["id"] in path for path in asked)


@pytest.mark.long
async def test_a_thread_deleted_while_somebody_is_answered_in_it(harness: Harness) -> None:
    """Nobody is left who could read the answer: that is no error of the bot's."""
    played = await harness.match()
    slow = harness.faults.delay_requests("POST", CALLBACK, 0.5)
    asking = asyncio.create_task(harness.bea.command("match board", channel=played.place))
    await harness.until(lambda: not slow.times)
    harness.faults.delete_channel(played.place)
    with suppress(NoAnswerInTime):
        await asking
    await harness.settled()


@sampled("way", ["move", "board", "abort"])
async def test_a_deleted_thread(harness: Harness, way: str) -> None:
    """The match moves to the channel where it was challenged."""
    played = await harness.match()
    harness.faults.delete_channel(played.place)
    if way == "move":
        reply = await harness.ann.command("binary-primes move", channel="general", square="b2")
        assert reply.text.startswith("You played **b2**.")
    else:
        assert (await harness.bea.command(f"match {way}", channel="games")).is_ephemeral
    await harness.settled()
    await harness.until(lambda: [one for one in harness.ann.read_messages("games") if "Move" in labels(one)])
    await harness.settled()
    played = await played.fresh()
    assert played.place["name"] == "games"
    *earlier, last = [labels(board) for board in played.boards]
    agree = ["Agree: call it off", "Refuse"] if way == "abort" else []
    assert last == ["Move", "Rules", "More …", *agree] and not any(earlier)
    if way != "move":
        played = await played.move("b2")
    assert f"{called(harness.bea)} is to move." in people.text_of(played.board)
    assert await played.move("a1")


@sampled("locked", [False, True])
async def test_an_archived_thread(harness: Harness, locked: bool) -> None:
    """A message of the bot revives it, unless it is locked: then people are told. Who may not write in it cannot."""
    played = await harness.match()
    harness.faults.archive(played.place, locked=locked)
    if not locked:
        harness.faults.deny(played.place, "send_messages_in_threads", who="Bea")
    with pytest.raises(ClientRefusal, match="archived"):
        await harness.bea.press(played.board, "Rules")
    reply = await harness.ann.command("binary-primes move", channel="general", square="b2")
    parked = "Its thread is locked, and only somebody who can manage threads can unlock it."
    # The board is given up beside the answer, which says so where that came first.
    given_up = f"Your move counts, but I couldn't show the board. {parked} I'm trying again."
    assert reply.text.startswith("You played **b2**.") or (locked and reply.text == given_up)
    if not locked:
        await stands(played, "b2")
        assert not played.place["thread_metadata"]["archived"]
        return
    await harness.settled()
    assert (await played.fresh()).row.publish_error == parked
    harness.faults.archive(played.place, locked=False)
    reply = await harness.bea.command("match board", channel="general")
    assert f"I couldn't show the board in its place. {parked} I'm trying again." in reply.text
    await stands(played, "b2", was_closed=True)


async def test_who_uses_an_archived_thread_opens_it(harness: Harness) -> None:
    """Discord's client does so first. A locked one, which managers alone can open, takes no answer of the bot's."""
    played = await harness.match()
    harness.faults.archive(played.place)
    assert (await harness.bea.press(played.board, "Rules")).is_ephemeral
    assert not played.place["thread_metadata"]["archived"]
    harness.faults.archive(played.place, locked=True)
    with pytest.raises(NoAnswerInTime) if STRICT else nullcontext():
        await harness.ann.press(played.board, "Rules")
    assert {"archived": False, "locked": True}.items() <= played.place["thread_metadata"].items()


@pytest.mark.long
async def test_an_archived_thread_and_a_board_that_would_be_edited_in_place(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.archive(played.place)
    await harness.bea.command("match abort", channel="general")
    await harness.settled()
    played = await played.fresh()
    assert labels(played.board) == ["Move", "Rules", "More …", "Agree: call it off", "Refuse"]
    assert f"{called(harness.bea)} wants to call the match off" in people.text_of(played.board)
    assert not played.place["thread_metadata"]["archived"]


@pytest.mark.long
async def test_a_challenge_expires_in_an_archived_thread(harness: Harness) -> None:
    """Its message cannot be changed any more; who is concerned is told, and nothing is tried for ever."""
    first = await harness.match()
    await harness.surely(harness.bea, "match resign", channel=first.place)
    await harness.settled()
    played = await harness.challenge(harness.cem, channel=first.place)
    harness.faults.archive(first.place)
    harness.clock.ahead = 48 * 3600 + 1
    await harness.until(lambda: harness.sandbox.requests_of("PATCH", MESSAGE)[-1].status == 400)
    await harness.settled()
    assert (await played.fresh()).row.state == "expired"
    texts = [people.text_of(one) for one in harness.ann.read_messages(first.place) if one["type"] == 0]
    assert "expired, because not every seat was taken within 2 days." in texts[-1]


@pytest.mark.long
async def test_who_used_a_message_that_is_deleted_before_the_answer_is_told_so(harness: Harness) -> None:
    played = await harness.match()
    opened = await harness.ann.command("match resign", channel=played.place)
    harness.faults.fail_requests("POST", CALLBACK, 500)
    answering = asyncio.create_task(harness.ann.press(opened, "Resign"))
    await asyncio.sleep(0.5)  # discord.py tries again a second later
    harness.faults.delete_message(opened.message)
    reply = await answering
    assert reply.is_ephemeral and reply.text.startswith("The message you used was deleted")
