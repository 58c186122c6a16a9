"""Pads where Discord or the database fails, and taps that no honest client sends; the rest is told in stories."""

from __future__ import annotations

import asyncio
import gc
import json
from contextlib import suppress

import pytest

from bot.platform.custom_ids import PadId
from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import CALLBACK, WAITING, Harness, Json, alt, called, labels
from tests.e2e.test_bad_input import elsewhere
from tests.e2e.test_database_unavailable import BUSY
from tests.e2e.test_duplicate_delivery import received, silent
from tests.e2e.test_several_seats import GRID, done, secret
from tests.support.sampled import sampled
from tests.support.unwritable import locked
from tests.support.waiting import until
from tests.world.stale_buttons import forged

MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was played."
LEADS_NOWHERE = "This pad is out of date. Use /match board to get a fresh one."
OVER = "This match is over."
NOTE = "/webhooks/{application_id}/{token}/messages/{message_id}"
"""Where the answer to an interaction is removed."""


async def chosen(person: Person, message: Json | BotReply, *taps: str) -> BotReply:
    """A pad after some taps; the first of them may be the button that opens it."""
    for label in taps:
        message = await person.press(message, label)
    assert isinstance(message, BotReply)
    return message


def made(message: Json, does: str, key: str = "", **changed: str) -> str:
    """The custom_id of a tap on a pad, as a client might make it up; `changed` are parts that no pad of it has."""
    known = PadId.parse(str(people.list_buttons(message)[0].custom_id))
    assert known
    parts = {
        "match": str(known.match),
        "version": str(known.at),
        "kind": known.tap.kind,
        "step": str(known.tap.step),
    }
    return "k:" + ":".join([*(parts | changed).values(), does, key])


def able(message: Json) -> list[str]:
    """The labels of the buttons that can be pressed."""
    return [one.label for one in people.list_buttons(message) if not one.disabled]


@pytest.mark.long
async def test_a_pad_that_cannot_be_removed_goes_with_the_next_tap(harness: Harness) -> None:
    """Discord is out of reach just when the pad of a move would go."""
    played = await harness.match(size=5)
    last = await chosen(harness.ann, played.board, "Move", "b", "b2")
    cut = harness.faults.drop_connection("DELETE", NOTE, times=2)  # aiohttp tries once more
    done = await harness.ann.press(last, "Play b2")
    await until(lambda: not cut.times)
    await harness.ann.command("games", channel="games")  # the bot has heard of what was cut before
    gc.collect()  # a failure that nobody took notice of is told with what is thrown away
    assert done.is_visible and harness.complaints() == []
    assert (await harness.ann.press(done, "Play b2")).kind == "acknowledged"
    await harness.settled()
    assert not done.is_visible and (await played.fresh()).record == [(1, "b2")]


@pytest.mark.long
async def test_a_tap_that_is_answered_after_the_move_shows_no_pad_again(harness: Harness) -> None:
    """The answer to the move has taken the pad away."""
    played = await harness.match(size=5)
    last = await chosen(harness.ann, played.board, "Move", "b", "b2")
    harness.faults.delay_requests("POST", CALLBACK, 1.0)
    late = asyncio.create_task(forged(harness.ann, last.message, made(last.message, "pick", "b2", step="1")))
    await asyncio.sleep(0.2)
    done = await harness.ann.press(last, "Play b2")
    assert (await late).kind == "acknowledged" and not done.is_visible


@pytest.mark.long
async def test_taps_that_lead_nowhere_leave_the_pad_as_it_is(harness: Harness) -> None:
    """A key that cannot be tapped or is not there, a page beyond the last, Play on half a line, one tap twice."""
    played = await harness.match(size=5)
    played = await played.move("a1")
    own = await harness.bea.command("match board", channel=played.place)
    pad = await chosen(harness.bea, own, "Move", "a")
    assert (pad.kind, pad.message_id) == ("update", own.message_id), "a pad takes the place of one's own board"
    assert able(pad.message) == ["a2", "a3", "a4", "a5", "Back", "Type it", "Rules"], "only what is possible"
    pad = await chosen(harness.bea, pad, "Back")
    before = pad.message
    odd = (("pick", "a1"), ("pick", "z"), ("pick", "9" * 19), ("pick", ""), ("done", ""), ("play", ""), ("page", "7"))
    for does, key in odd:
        reply = await harness.forge(harness.bea, before, made(before, does, key))
        assert (reply.kind, reply.text, able(reply.message)) == ("update", pad.text, able(before)), does
    # A double tap: both were made on the same line, and the second changes nothing more.
    twice = [await harness.forge(harness.bea, before, made(before, "pick", "b")) for _ in range(2)]
    assert [reply.text for reply in twice] == [twice[0].text] * 2 and "Chosen: b…" in alt(pad.message)
    # A tap that was made for an earlier line.
    late = await harness.forge(harness.bea, pad.message, made(before, "pick", "c"))
    assert "Chosen: b…" in alt(late.message)
    # What is on its way may be written in the form as well; Back leads back, and in the end to the board.
    form = await harness.bea.press(pad, "Type it")
    assert form.kind == "modal" and '"value": "b"' in json.dumps(form.modal)
    assert able((await chosen(harness.bea, pad, "Back")).message)[:6] == ["a", "b", "c", "d", "e", "Back"]
    board = await chosen(harness.bea, pad, "Back")
    assert "Only you see this board." in board.text and labels(board.message) == ["Move", "Rules", "More …"]
    assert await played.unchanged()


async def test_a_pad_is_its_players_and_its_matchs_alone(harness: Harness) -> None:
    played, other = await harness.match(size=5), await harness.match(harness.cem, harness.bea)
    abroad = await elsewhere(harness)
    pad = (await chosen(harness.ann, played.board, "Move", "b", "b2")).message
    play = made(pad, "play")
    stranger = f"You aren't in this match. It is between {called(harness.ann)} and {called(harness.bea)}."
    assert (await harness.forge(harness.cem, pad, play)).text == stranger
    waiting = f"It's {called(harness.ann)}'s turn."
    assert (await harness.forge(harness.bea, pad, play)).text == waiting
    there = made(pad, "play", match=str(other.id))
    assert (await harness.forge(harness.ann, pad, there)).text.startswith("You aren't in this match. ")
    for number, where in ((abroad.id, "in this server"), (99, "here")):
        reply = await harness.forge(harness.ann, pad, made(pad, "play", match=str(number)))
        assert reply.text == f"There is no match {number} {where}. /matches lists yours."
    # A tap on what is no pad.
    rules = await harness.ann.press(played.board, "Rules")
    for message in (played.board, played.lobby, rules.message):
        reply = await harness.forge(harness.ann, message, play)
        assert (reply.kind, reply.is_ephemeral, reply.text) == ("message", True, LEADS_NOWHERE)
    unheard = await harness.forge(harness.ann, pad, made(pad, "play", kind="leap"))
    assert unheard.text == "Binary Primes has no move called leap. Use the buttons under the board."
    early = await harness.forge(harness.ann, pad, made(pad, "play", version="7"))
    assert MOVED_ON in early.text
    assert await played.unchanged() and await other.unchanged()


async def test_a_pad_goes_on_after_a_restart_and_while_the_database_is_busy(harness: Harness) -> None:
    """And what cannot be written is told in time; the same tap counts later, once."""
    played = await harness.match(size=5)
    pad = await chosen(harness.ann, played.board, "Move", "b")
    await harness.restart()
    await harness.life.client.keep_time()  # what is first noted after a start is not to wait for the database
    harness.forgiven += ["Looking for what is due failed", "The database could not be used", WAITING]
    with locked(harness.file):
        pad = await chosen(harness.ann, pad, "b2")
        busy = await chosen(harness.ann, pad, "Play b2")
        assert (busy.kind, busy.is_ephemeral, busy.text) == ("message", True, BUSY)
    assert await played.unchanged()
    await harness.restart()
    before = received(harness)
    harness.faults.deliver_twice()
    kept = pad.message
    assert (await chosen(harness.ann, pad, "Play b2")).kind == "acknowledged"
    await silent(harness, before)
    again = await harness.forge(harness.ann, kept, made(kept, "play"))
    assert again.kind == "acknowledged", "a thumb that taps twice is not frightened"
    played = await played.fresh()
    assert played.record == [(1, "b2")]
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


@sampled("applied", [False, True])
async def test_an_answer_that_fails_loses_no_move_and_doubles_none(harness: Harness, applied: bool) -> None:
    played = await harness.match(size=5)
    harness.faults.fail_requests("POST", CALLBACK, 502, applied=applied)
    pad = await chosen(harness.ann, played.board, "Move", "b", "b2")
    harness.forgiven.append("A refusal could not be delivered")
    harness.faults.fail_requests("POST", CALLBACK, 502, times=1 if applied else 9, applied=applied)
    kept = pad.message
    with suppress(NoAnswerInTime):
        await chosen(harness.ann, pad, "Play b2")
    harness.faults.clear()
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "b2")] and len(played.boards) == 2
    again = await harness.forge(harness.ann, kept, made(kept, "play"))
    assert again.kind == "acknowledged" and await played.unchanged()


async def test_on_a_secret_table_a_pad_leads_back_to_ones_own_board(harness: Harness) -> None:
    """It stays good while others act in secret; a kind of move that cannot be made now, or has no parts, has no pad."""
    played = await secret(harness, harness.ann, harness.bea, harness.cem)
    pad = await chosen(harness.bea, played.board, "Make a grid")
    assert pad.is_ephemeral and alt(pad.message).endswith("Chosen: grid …")
    await harness.ann.command("sums-grid submit", channel=played.place, grid=GRID)
    await done(harness.ann, played)
    await harness.settled()
    keys = [key for key in able(pad.message) if key.isdecimal()]
    pad = await chosen(harness.bea, pad, keys[0])
    assert f"Chosen: grid {keys[0]} …" in alt(pad.message)
    kept, back = pad.message, await chosen(harness.bea, pad, "Back", "Back")
    assert back.message_id == pad.message_id and labels(back.message) == ["Make a grid", "Rules", "More …"]
    assert MOVED_ON in (await harness.forge(harness.bea, kept, made(kept, "play", kind="done"))).text
    await harness.bea.command("sums-grid submit", channel=played.place, grid=GRID)
    pad = await chosen(harness.bea, (await harness.bea.command("match board", channel=played.place)), "Make a grid")
    assert (await harness.forge(harness.bea, pad.message, made(pad.message, "play", kind="done"))).text == LEADS_NOWHERE
