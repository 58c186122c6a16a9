"""The pad through Discord: a move tap by tap, and what becomes of a pad that is late, forged or somebody else's."""

from __future__ import annotations

import asyncio
import gc
import json
from contextlib import suppress

import pytest

from bot.platform.custom_ids import PadId
from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from tests.e2e.house import CALLBACK, WAITING, House, Json, called, labels, without_joins
from tests.e2e.test_bad_input import elsewhere
from tests.e2e.test_database_unavailable import BUSY
from tests.e2e.test_duplicate_delivery import received, silent
from tests.e2e.test_several_seats import GRID, done, secret, table
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


async def test_a_move_in_four_taps(house: House) -> None:
    played = await house.match()
    pad = await house.ann.press(played.board, "Move")
    assert (pad.kind, pad.is_ephemeral) == ("message", True)
    head = "-# Binary Primes · match 1\n```yaml"
    assert pad.text == f"**The square to fill: which column?**\n{head}\nSquare: …\n```"
    assert labels(pad.message) == ["a", "b", "c", "Back", "Type it"]
    first = await house.ann.press(pad, "b")
    assert first.text.endswith("Square: b…\n```") and labels(first.message)[:3] == ["b1", "b2", "b3"]
    plain = people.list_media(first.message)[0].url
    last = await house.ann.press(first, "b2")
    assert last.text == f"Play **b2**?\n{head}\nSquare: b2\n```"
    assert labels(last.message) == ["Play b2", "Back"]
    assert people.list_media(last.message)[0].url != plain, "the square is framed"
    assert await played.unchanged()
    done = await house.ann.press(last, "Play b2")
    assert (done.kind, done.message_id) == ("acknowledged", pad.message_id)
    await house.settled()
    assert not done.is_visible, "the pad is gone, and the board says the rest"
    played = await played.fresh()
    assert played.record == [(1, "b2")] and without_joins(house.ann.read_messages(played.place))[-1] == played.board
    assert not [one for one in house.ann.read_messages(played.place) if "You played" in people.text_of(one)]


@pytest.mark.long
async def test_a_pad_that_cannot_be_removed_goes_with_the_next_tap(house: House) -> None:
    """Discord is out of reach just when the pad of a move would go."""
    played = await house.match()
    last = await chosen(house.ann, played.board, "Move", "b", "b2")
    cut = house.faults.drop_connection("DELETE", NOTE, times=2)  # aiohttp tries once more
    done = await house.ann.press(last, "Play b2")
    await until(lambda: not cut.times)
    await house.ann.command("games", channel="games")  # the bot has heard of what was cut before
    gc.collect()  # a failure that nobody took notice of is told with what is thrown away
    assert done.is_visible and house.complaints() == []
    assert (await house.ann.press(done, "Play b2")).kind == "acknowledged"
    await house.settled()
    assert not done.is_visible and (await played.fresh()).record == [(1, "b2")]


async def test_a_player_who_wants_no_last_step_plays_with_the_last_tap(house: House) -> None:
    played = await house.match()
    await house.ann.command("preferences", channel="general", confirm="off")
    pad = await house.ann.press(await house.ann.press(played.board, "Move"), "c")
    assert (await house.ann.press(pad, "c1")).kind == "acknowledged"
    await house.settled()
    assert (await played.fresh()).record == [(1, "c1")]
    await house.bea.command("preferences", channel="general", confirm="on")
    pad = await house.bea.press(await house.bea.press((await played.fresh()).board, "Move"), "a")
    assert labels((await house.bea.press(pad, "a1")).message) == ["Play a1", "Back"]


# Taps that no longer fit, or that no honest client sends.


@pytest.mark.long
async def test_a_tap_that_is_answered_after_the_move_shows_no_pad_again(house: House) -> None:
    """The answer to the move has taken the pad away."""
    played = await house.match()
    last = await chosen(house.ann, played.board, "Move", "b", "b2")
    house.faults.delay_requests("POST", CALLBACK, 1.0)
    late = asyncio.create_task(forged(house.ann, last.message, made(last.message, "pick", "b2", step="1")))
    await asyncio.sleep(0.2)
    done = await house.ann.press(last, "Play b2")
    assert (await late).kind == "acknowledged" and not done.is_visible


@pytest.mark.long
async def test_taps_that_lead_nowhere_leave_the_pad_as_it_is(house: House) -> None:
    """A key that cannot be tapped or is not there, a page beyond the last, Play on half a line, one tap twice."""
    played = await house.match()
    for square in ("a1", "a2", "a3"):
        played = await played.move(square)
    own = await house.bea.command("match board", channel=played.place)
    pad = await chosen(house.bea, own, "Move")
    assert (pad.kind, pad.message_id) == ("update", own.message_id), "a pad takes the place of one's own board"
    assert able(pad.message) == ["b", "c", "Back", "Type it"], "column a is full"
    with pytest.raises(ClientRefusal, match="disabled"):
        await house.bea.press(pad, "a")
    before = pad.message
    odd = (("pick", "a"), ("pick", "z"), ("pick", "9" * 19), ("pick", ""), ("done", ""), ("play", ""), ("page", "7"))
    for does, key in odd:
        reply = await house.forge(house.bea, before, made(before, does, key))
        assert (reply.kind, reply.text, able(reply.message)) == ("update", pad.text, able(before)), does
    # A double tap: both were made on the same line, and the second changes nothing more.
    twice = [await house.forge(house.bea, before, made(before, "pick", "b")) for _ in range(2)]
    assert [reply.text for reply in twice] == [twice[0].text] * 2 and "Square: b…" in pad.text
    # A tap that was made for an earlier line.
    late = await house.forge(house.bea, pad.message, made(before, "pick", "c"))
    assert "Square: b…" in late.text
    # What is on its way may be written in the form as well; Back leads back, and in the end to the board.
    form = await house.bea.press(pad, "Type it")
    assert form.kind == "modal" and '"value": "b"' in json.dumps(form.modal)
    assert able((await chosen(house.bea, pad, "Back")).message) == ["b", "c", "Back", "Type it"]
    board = await chosen(house.bea, pad, "Back")
    assert "Only you see this board." in board.text and labels(board.message) == ["Move", "Rules", "More …"]
    assert await played.unchanged()


async def test_a_pad_that_the_match_has_gone_past_shows_how_it_stands(house: House) -> None:
    played = await house.match()
    pad = await chosen(house.ann, played.board, "Move", "b", "b2")
    kept = pad.message
    played = await played.move("c1")
    for does in ("play", "back", "type", "pick"):
        late = await house.forge(house.ann, kept, made(kept, does))
        assert (late.kind, late.message_id) == ("update", pad.message_id)
        assert MOVED_ON in late.text and labels(late.message) == ["Rules", "More …"]
    played = await played.move("a1")
    assert MOVED_ON in (await house.forge(house.ann, kept, made(kept, "play"))).text, "though it is her turn again"
    assert await played.unchanged()
    await chosen(house.ann, played.board, "Move", "b")
    await house.surely(house.bea, "match resign", channel=played.place)
    await house.settled()
    over = await house.forge(house.ann, kept, made(kept, "play"))
    assert (over.kind, over.is_ephemeral, over.text) == ("message", True, OVER)


async def test_a_pad_is_its_players_and_its_matchs_alone(house: House) -> None:
    played, other = await house.match(), await house.match(house.cem, house.bea)
    abroad = await elsewhere(house)
    pad = (await chosen(house.ann, played.board, "Move", "b", "b2")).message
    play = made(pad, "play")
    stranger = f"You aren't in this match. It is between {called(house.ann)} and {called(house.bea)}."
    assert (await house.forge(house.cem, pad, play)).text == stranger
    waiting = f"It isn't your turn. {called(house.ann)} is to move."
    assert (await house.forge(house.bea, pad, play)).text == waiting
    there = made(pad, "play", match=str(other.id))
    assert (await house.forge(house.ann, pad, there)).text.startswith("You aren't in this match. ")
    for number, where in ((abroad.id, "in this server"), (99, "here")):
        reply = await house.forge(house.ann, pad, made(pad, "play", match=str(number)))
        assert reply.text == f"There is no match {number} {where}. /matches lists yours."
    # A tap on what is no pad.
    rules = await house.ann.press(played.board, "Rules")
    for message in (played.board, played.lobby, rules.message):
        reply = await house.forge(house.ann, message, play)
        assert (reply.kind, reply.is_ephemeral, reply.text) == ("message", True, LEADS_NOWHERE)
    unheard = await house.forge(house.ann, pad, made(pad, "play", kind="leap"))
    assert unheard.text == "Binary Primes has no move called leap. Use the buttons under the board."
    early = await house.forge(house.ann, pad, made(pad, "play", version="7"))
    assert MOVED_ON in early.text
    assert await played.unchanged() and await other.unchanged()


async def test_a_pad_goes_on_after_a_restart_and_while_the_database_is_busy(house: House) -> None:
    """And what cannot be written is told in time; the same tap counts later, once."""
    played = await house.match()
    pad = await chosen(house.ann, played.board, "Move", "b")
    await house.restart()
    await house.life.client.keep_time()  # what is first noted after a start is not to wait for the database
    house.forgiven += ["Looking for what is due failed", "The database could not be used", WAITING]
    with locked(house.file):
        pad = await chosen(house.ann, pad, "b2")
        busy = await chosen(house.ann, pad, "Play b2")
        assert (busy.kind, busy.is_ephemeral, busy.text) == ("message", True, BUSY)
    assert await played.unchanged()
    await house.restart()
    before = received(house)
    house.faults.deliver_twice()
    kept = pad.message
    assert (await chosen(house.ann, pad, "Play b2")).kind == "acknowledged"
    await silent(house, before)
    again = await house.forge(house.ann, kept, made(kept, "play"))
    assert again.kind == "acknowledged", "a thumb that taps twice is not frightened"
    played = await played.fresh()
    assert played.record == [(1, "b2")]
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert (house.told(house.ann), house.told(house.bea)) == (1, 2)


@sampled("applied", [False, True])
async def test_an_answer_that_fails_loses_no_move_and_doubles_none(house: House, applied: bool) -> None:
    played = await house.match()
    house.faults.fail_requests("POST", CALLBACK, 502, applied=applied)
    pad = await chosen(house.ann, played.board, "Move", "b", "b2")
    house.forgiven.append("A refusal could not be delivered")
    house.faults.fail_requests("POST", CALLBACK, 502, times=1 if applied else 9, applied=applied)
    kept = pad.message
    with suppress(NoAnswerInTime):
        await chosen(house.ann, pad, "Play b2")
    house.faults.clear()
    await house.settled()
    played = await played.fresh()
    assert played.record == [(1, "b2")] and len(played.boards) == 2
    again = await house.forge(house.ann, kept, made(kept, "play"))
    assert again.kind == "acknowledged" and await played.unchanged()


async def test_on_a_secret_table_a_pad_leads_back_to_ones_own_board(house: House) -> None:
    """It stays good while others act in secret; a kind of move that cannot be made now, or has no parts, has no pad."""
    played = await secret(house, house.ann, house.bea, house.cem)
    pad = await chosen(house.bea, played.board, "Submit")
    assert pad.is_ephemeral and "```yaml\nGrid: …\n```" in pad.text
    await house.ann.command("sums-grid submit", channel=played.place, grid=GRID)
    await done(house.ann, played)
    await house.settled()
    keys = [key for key in able(pad.message) if key.isdecimal()]
    pad = await chosen(house.bea, pad, keys[0])
    assert "Grid: " in pad.text and keys[0] in pad.text.split("Grid: ")[1]
    kept, back = pad.message, await chosen(house.bea, pad, "Back", "Back")
    assert back.message_id == pad.message_id and labels(back.message) == ["Submit", "Rules", "More …"]
    assert MOVED_ON in (await house.forge(house.bea, kept, made(kept, "play", kind="done"))).text
    await house.bea.command("sums-grid submit", channel=played.place, grid=GRID)
    pad = await chosen(house.bea, (await house.bea.command("match board", channel=played.place)), "Submit")
    assert (await house.forge(house.bea, pad.message, made(pad.message, "play", kind="done"))).text == LEADS_NOWHERE


@pytest.mark.long
async def test_back_leads_to_the_board_from_what_goes_without_saying(house: House) -> None:
    """The player who plays alone has one curve to number: it is chosen already, and cannot be taken back."""
    played = await table(house, "within-the-curve", house.ann, seats=1)
    asked = await house.ann.command("within-the-curve curve", channel=played.place, corners="a1 c1 c3 a3")
    await house.ann.press(asked, "Draw curve")
    board = await house.ann.command("match board", channel=played.place)
    pad = await chosen(house.ann, board, "Number")
    assert "Curve: 1 · Square: …" in pad.text
    board = await chosen(house.ann, pad, "Back")
    assert "Only you see this board." in board.text and "Number" in labels(board.message)
