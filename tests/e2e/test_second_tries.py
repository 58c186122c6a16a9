"""What nobody's client sends leads to no second try; the rest is told in stories."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Played, labels, said

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
