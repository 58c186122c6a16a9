"""Moves tried out on brought records, to the length of a message and by forged buttons; the rest is told in stories."""

from __future__ import annotations

import pytest

from bot.features.study import try_outs
from tests.e2e.harness import Harness, said
from tests.e2e.test_pads import able, chosen
from tests.e2e.test_prepared_moves import MORE, waiting
from tests.e2e.test_records import brought, over
from tests.e2e.test_several_seats import secret

TRY, BACK, REPLAY = "Try out", "Take back", "Replay"
OUTDATED = "This board is out of date. Press Try out again to get a fresh one."
SECRET = "You can't try out moves here: what the players do now is secret. Once the match is over, you can."


async def test_a_record_that_somebody_brings_is_tried_on(harness: Harness) -> None:
    reply = await brought(harness)
    for label in ("First", "Next", TRY):
        await harness.cem.press(reply, label)
        await harness.life.idle()
    assert "Player 2 is to move. Binary Primes · an imported record, after move 1" in said(reply.message)
    key = next(label for label in able(reply.message) if len(label) <= 2)
    await harness.cem.press(reply, key)
    await harness.life.idle()
    await harness.restart()
    await harness.cem.press(reply, REPLAY)
    await harness.life.idle()
    assert "Move 1 of 4" in said(reply.message)


@pytest.mark.parametrize("most", [1, 2])
async def test_a_line_that_fits_no_message_is_not_made_longer(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(try_outs, "LONGEST", 8 + 7 * most)
    played = await waiting(harness)
    pad = await chosen(harness.cem, played.board, MORE, TRY, *("c", "c3", "b", "b2")[: 2 * most], "d")
    refused = await harness.cem.press(pad, "d5")
    words = "this move. Take it back" if most == 1 else "these 2 moves. Take some back"
    assert refused.text == f"A message holds no more than {words} to try others."
    pad = await harness.cem.press(pad, BACK)
    assert said(pad.message).count("c3") == most - 1, "after that it goes on"


async def test_what_leads_nowhere_is_refused_with_a_sentence(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await chosen(harness.cem, played.board, MORE, TRY, "c", "c3")
    for forged in ("o:1:0:fly:0:pick:", "r:1:1:tryword"):
        assert (await harness.forge(harness.cem, pad.message, forged)).text == OUTDATED, forged
    alone = await harness.forge(harness.cem, played.board, "o:1:1:move:0:pick:")
    assert alone.is_ephemeral and "is to move." in said(alone.message)
    assert (await harness.forge(harness.cem, played.board, "o:77:1:move:0:pick:")).text.startswith(
        "There is no match 77"
    )
    taken = await harness.forge(harness.cem, played.board, "r:1:1:tryback")
    assert taken.is_ephemeral and BACK not in able(taken.message)


async def test_forged_buttons_try_and_prepare_nothing_that_honest_ones_do_not(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await chosen(harness.bea, played.board, MORE, TRY, "b", "b5", "c", "c5")
    refused = await harness.forge(harness.bea, pad.message, "r:1:1:tryready")
    assert "It's your turn." in refused.text or "It's your turn." in said(refused.message)
    hidden = await secret(harness, harness.ann, harness.bea)
    assert (await harness.forge(harness.dora, hidden.board, f"m:{hidden.id}:0:tryout")).text == SECRET
    ended = await over(harness)
    refused = await harness.forge(harness.cem, ended.board, f"r:{ended.id}:4:try")
    assert refused.text == "The match is over here. Go back a move in its replay, and try out moves from there."
