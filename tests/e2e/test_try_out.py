"""Moves tried out on boards and pages of replays: of both sides, in private, over a restart, with the scores that they
would give; and a line that becomes prepared moves."""

from __future__ import annotations

import pytest

from bot.features.study import try_outs
from bot.sandbox.people import BotReply
from tests.e2e.harness import Harness, called, labels, said
from tests.e2e.test_pads import able, chosen
from tests.e2e.test_prepared_moves import MORE, waiting
from tests.e2e.test_records import brought, over
from tests.e2e.test_several_seats import secret

TRY, BACK, READY, ASK, REPLAY = "Try out", "Take back", "Prepare this", "Ask the computer", "Replay"
OUTDATED = "This board is out of date. Press Try out again to get a fresh one."
SECRET = "You can't try out moves here: what the players do now is secret. Once the match is over, you can."


def alts(reply: BotReply) -> list[str]:
    """What pictures say to those who cannot see them."""
    return [attached["description"] for attached in reply.message["attachments"]]


async def test_both_sides_are_tried_and_taken_back_over_a_restart(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await chosen(harness.cem, played.board, MORE, TRY)
    assert pad.is_ephemeral and f"{called(harness.bea)} is to move. Binary Primes · match 1, after move 1" in said(
        pad.message
    )
    assert "Columns 923 521 and rows 923 521." in alts(pad)[0] and BACK not in able(pad.message)
    pad = await chosen(harness.cem, pad, "c", "c3")
    assert "So far: 🟧 c3" in said(pad.message) and f"{called(harness.ann)} is to move." in said(pad.message)
    await harness.restart()
    pad = await chosen(harness.cem, pad, "b", "b2", "d", "d4")
    assert "So far: 🟧 c3 · 🟦 b2 · 🟧 d4" in said(pad.message) and not {READY, ASK} & {*labels(pad.message)}
    assert " · columns ·\xa0**" in said(pad.message), "the scores after all three"
    pad = await chosen(harness.cem, pad, BACK, BACK)
    assert "So far: 🟧 c3" in said(pad.message) and "B2" not in labels(pad.message)
    pad = await harness.cem.press(pad, BACK)
    assert "🟧 c3" not in said(pad.message)
    back = await harness.cem.press(pad, REPLAY)
    assert "Move 1 of 1" in said(back.message) and TRY in labels(back.message)
    assert await played.unchanged()
    await harness.sound()


async def test_a_line_becomes_prepared_moves_in_seven_taps_and_is_played(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await chosen(harness.ann, played.board, MORE, TRY, "c", "c3", "b", "b2")
    ready = await harness.ann.press(pad, READY)
    assert f"1. If {called(harness.bea)} plays **c3**, you play **b2**." in said(ready.message) and ready.is_ephemeral
    assert "🟧 c3 · 🟦 b2" in said(pad.message), "the pad stays, for other lines"
    pad = await chosen(harness.ann, pad, BACK, BACK, "d", "d4", "e", "e5", "a", "a2")
    ready = await harness.ann.press(pad, READY)
    assert "You prepared 2 lines" in said(ready.message), "what follows on the last answer is left out"
    played = await played.move("d4")
    assert played.record[-1] == (1, "e5")
    late = await harness.ann.press(pad, READY)
    assert "The match moved on while you were choosing." in said(late.message)
    pad = await chosen(harness.ann, played.board, MORE, TRY, "b", "b5")
    assert READY not in labels(pad.message), "a line ends with an answer"
    others = await chosen(harness.bea, (await played.fresh()).board, MORE, TRY, "b", "b5", "c", "c5")
    assert READY not in labels(others.message), "it is her turn: nothing is to be answered"
    refused = await harness.forge(harness.bea, others.message, "r:1:3:tryready")
    assert "It's your turn." in refused.text or "It's your turn." in said(refused.message)


async def test_of_a_match_that_is_over_everything_is_shown_and_the_computer_can_be_asked(harness: Harness) -> None:
    played = await over(harness)
    replay = await chosen(harness.cem, played.board, REPLAY, "First", "Next", "Next")
    pad = await harness.cem.press(replay, TRY)
    assert pad.message_id == replay.message_id and f"🟦\xa0{called(harness.ann)} · " in said(pad.message)
    pad = await harness.cem.press(pad, ASK)
    await harness.life.idle()
    assert "💡 I would play **" in said(pad.message) and TRY not in labels(pad.message)
    pad = await chosen(harness.cem, pad, "b1") if "b1" in labels(pad.message) else pad
    last = await harness.cem.press(await harness.cem.press(pad, REPLAY), "Last")
    assert TRY not in labels(last.message)
    refused = await harness.forge(harness.cem, last.message, "r:1:4:try")
    assert refused.text == "The match is over here. Go back a move in its replay, and try out moves from there."


async def test_to_the_end_and_back_while_the_match_goes_on(harness: Harness) -> None:
    played = await harness.match(size=3)
    pad = await chosen(harness.cem, played.board, MORE, TRY)
    for _ in range(20):
        keys = [label for label in able(pad.message) if len(label) <= 2]
        if not keys:
            break
        pad = await harness.cem.press(pad, keys[0])
    assert "**The match would be over here.**" in said(pad.message) and labels(pad.message) == [BACK, REPLAY]
    assert "Finished after 4 moves." in alts(pad)[0] and "· columns ·" in said(pad.message)
    pad = await harness.cem.press(pad, BACK)
    assert "is to move." in said(pad.message)


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


async def test_in_two_legs_each_goes_on_by_itself(harness: Harness) -> None:
    played = await harness.match(legs=2)
    pad = await chosen(harness.cem, played.board, MORE, TRY)
    first, second = labels(pad.message)[:2]
    assert len(pad.message["attachments"]) == 2 and first != second
    for kind in (second, first):
        pad = await harness.cem.press(pad, kind)
        while BACK not in able(pad.message) or any(len(label) <= 2 for label in able(pad.message)):
            pad = await harness.cem.press(pad, next(label for label in able(pad.message) if len(label) <= 2))
    assert said(pad.message).count("🟦") + said(pad.message).count("🟧") >= 2 and first in labels(pad.message)


async def test_what_others_do_in_secret_cannot_be_tried(harness: Harness) -> None:
    played = await secret(harness, harness.ann, harness.bea)
    assert TRY not in labels(played.board)
    refused = await harness.forge(harness.dora, played.board, "m:1:0:tryout")
    assert refused.text == SECRET
    assert (await harness.dora.press(played.board, MORE)).text.startswith("You aren't in this match.")
    own = await harness.ann.press(played.board, "My board")
    pad = await harness.ann.press(await harness.ann.press(own, MORE), TRY)
    assert (
        pad.is_ephemeral
        and f"{called(harness.ann)} is to move." in said(pad.message)
        and ASK not in labels(pad.message)
    )


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
