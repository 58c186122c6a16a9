"""A costly move of a match that is over, tried again: by who played it, by others, three times, after a restart."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.games.legs import Legs
from bot.play.ids import UserId
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Played, called, labels, said

MOVES = ("a2", "c1", "b2", "b3")
"""A draw, in which Bea's second move gave away most, and Ann's third nearly as much."""
AGAIN, REVIEW, MORE = "Try it again", "Review", "More …"
OUTDATED = "This button is out of date. Use /match review to get a fresh one."


async def drawn(harness: Harness) -> Played:
    """A match that is over."""
    played = await harness.match()
    for square in MOVES:
        played = await played.move(square)
    assert played.row.state == "finished" and AGAIN not in labels(played.board), "nobody knows yet whether there is any"
    return played


async def asked(harness: Harness, person: Person, message: BotReply | dict[str, Any]) -> BotReply:
    """The pad on which somebody tries again; from a board its review leads there."""
    if not isinstance(message, BotReply) and MORE in labels(message):
        message = await harness.press_more(person, message, REVIEW)
        await harness.life.idle()
        await asyncio.sleep(10)  # people read
    opened = await person.press(message, AGAIN)
    await harness.life.idle()
    return opened


async def tried(harness: Harness, person: Person, pad: BotReply, square: str) -> BotReply:
    """A try, and what it comes to."""
    for label in (square[0], square, f"Play {square}"):
        if label in labels(pad.message):
            pad = await person.press(pad, label)
    await harness.life.idle()
    return pad


async def test_who_erred_tries_until_the_better_move_is_found(harness: Harness) -> None:
    played = await drawn(harness)
    pad = await asked(harness, harness.ann, played.board)
    assert "Move 3: you played **b2** here. Which move is better?" in said(pad.message) and pad.is_ephemeral
    assert "match 1" in said(pad.message)
    same = await tried(harness, harness.ann, pad, "b2")
    assert "**b2** loses by 72. The answer to it is **c2**.\nYou have two tries left." in said(same.message)
    assert labels(same.message) == [AGAIN] and same.message_id == pad.message_id
    await harness.restart()
    pad = await asked(harness, harness.ann, same)
    assert "Move 3: you played **b2** here." in said(pad.message)
    found = await tried(harness, harness.ann, pad, "c3")
    assert "✅ **c3** wins by 48. That is the best there is." in said(found.message) and labels(found.message) == []
    assert (await played.fresh()).row == played.row, "nothing of the match has changed"
    await harness.sound()


@pytest.mark.long
async def test_after_three_tries_the_better_move_is_told(harness: Harness) -> None:
    played = await drawn(harness)
    pad = await asked(harness, harness.bea, played.board)
    for left, square in ((2, "a1"), (1, "c1"), (0, "b1")):
        assert "Move 2: you played **c1** here." in said(pad.message)
        told = await tried(harness, harness.bea, pad, square)
        assert labels(told.message) == ([AGAIN] if left else [])
        await asyncio.sleep(10)  # people think
        pad = await asked(harness, harness.bea, told) if left else told
    assert "**c2** would have won by 112. That was the better move." in said(pad.message)


@pytest.mark.long
async def test_somebody_else_gets_the_costliest_mistake_of_all_from_the_review_too(harness: Harness) -> None:
    played = await drawn(harness)
    review = await harness.press_more(harness.cem, played.board, "Review")
    await harness.life.idle()
    assert AGAIN in labels(review.message)
    before = said(review.message)
    pad = await asked(harness, harness.cem, review)
    assert f"Move 2: {called(harness.bea)} played **c1** here." in said(pad.message)
    assert said(review.message) == before and pad.message_id != review.message_id


async def test_what_nobody_made_leads_nowhere_and_changes_no_public_message(harness: Harness) -> None:
    played = await drawn(harness)
    await asked(harness, harness.ann, played.board)
    before = (said(played.board), labels(played.board))
    for forged in (
        "a:1:1:9:3:move:0:pick:",
        "a:1:2:1:3:move:0:pick:",
        "r:1:77:again13",
        "r:1:3:again23",
        "a:1:1:3:3:fly:0:pick:",
    ):
        assert (await harness.forge(harness.cem, played.board, forged)).text == OUTDATED, forged
    opened = await harness.forge(harness.cem, played.board, "a:1:1:3:2:move:0:pick:")
    await harness.life.idle()
    assert opened.is_ephemeral and "Move 3: " in said(opened.message)
    assert (said(played.board), labels(played.board)) == before


async def test_a_match_that_is_not_over_or_has_no_mistakes_is_not_tried_again(harness: Harness) -> None:
    going = await harness.match()
    assert AGAIN not in labels(going.board)
    for forged in ("m:1:0:again", "r:1:1:again", "r:1:1:again13", "a:1:1:1:3:move:0:pick:"):
        refused = await harness.forge(harness.cem, going.board, forged)
        assert refused.text == "This match isn't over yet. You can review it afterwards.", forged
    short = await going.move("b2")
    await harness.surely(harness.bea, "match resign", channel=short.place)
    await harness.settled()
    short = await short.fresh()
    review = await harness.press_more(harness.ann, short.board, REVIEW)
    await harness.life.idle()
    assert "No single move stands out as a costly mistake." in said(review.message)
    assert AGAIN not in labels(review.message)
    nothing = await harness.forge(harness.ann, short.board, f"m:{short.id}:0:again")  # as boards had it
    await harness.life.idle()
    assert said(nothing.message) == (
        "No single move of this match stands out as a costly mistake, so there is nothing to try again."
    )


async def test_in_two_legs_a_mistake_is_tried_again_in_its_leg(harness: Harness) -> None:
    played = await harness.match(legs=2)
    for leg, moves in ((1, MOVES), (2, ("b2", "a3", "c3", "b3"))):
        for square in moves:
            first = await may(played, harness.ann, leg)
            await (harness.ann if first else harness.bea).command(
                "binary-primes move", channel=played.place, square=square, leg=leg
            )
            await harness.settled()
            await asyncio.sleep(5)
            played = await played.fresh()
    assert played.row.state == "finished", played.record
    pad = await asked(harness, harness.bea, played.board)
    assert "Leg 1, move 2: you played **c1** here. Which move is better?" in said(pad.message)
    found = await tried(harness, harness.bea, pad, "c2")
    assert "✅ **c2** wins by 112" in said(found.message)


async def may(played: Played, person: Person, leg: int) -> bool:
    """Whether a leg waits for somebody."""
    position = (await played.harness.life.client.umpire.load(played.row.id)).begun_match.position
    assert isinstance(position, Legs)
    seat = played.row.seat_of(UserId(int(person.id)))
    return seat is not None and leg in position.list_waiting_legs(seat)
