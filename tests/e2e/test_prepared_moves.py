"""Prepared moves where Discord or the bot fails, and what no honest client sends; the rest is told in stories."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress

import pytest

from bot.platform.custom_ids import PadId, Tap
from bot.play.ids import MatchId
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply
from tests.e2e.harness import CALLBACK, MESSAGES, Harness, Played, alt, said
from tests.e2e.test_duplicate_delivery import received, silent
from tests.e2e.test_pads import chosen
from tests.support.sampled import sampled

IF_THEN, AND_THEN, MORE = "If … then …", "And then …", "More …"
TROUBLES: dict[str, Callable[[Harness], object]] = {
    "applied": lambda harness: harness.faults.fail_requests("POST", MESSAGES, 502, applied=True),
    "fails": lambda harness: harness.faults.fail_requests("POST", MESSAGES, 500, times=1),
    "hangs": lambda harness: harness.faults.delay_requests("POST", MESSAGES, 30),
    "unanswered": lambda harness: harness.faults.delay_requests("POST", CALLBACK, 30),
}
"""What happens to the board, or to the answer to whoever moved."""
ANSWERS: dict[str, Callable[[Harness], object]] = {
    "applied": lambda harness: harness.faults.fail_requests("POST", CALLBACK, 502, applied=True),
    "hang": lambda harness: harness.faults.delay_requests("POST", CALLBACK, 30),
    "drop": lambda harness: harness.faults.drop_connection("POST", CALLBACK),
}


async def prepared(harness: Harness, played: Played, *taps: str) -> BotReply:
    """What Ann sees when she has tapped some moves together, from the board on."""
    return await chosen(harness.ann, played.board, MORE, IF_THEN, *taps)


async def waiting(harness: Harness) -> Played:
    """A match on five squares by five in which Bea is to move."""
    return await (await harness.match(size=5)).move("a1")


async def test_a_message_of_an_earlier_version_still_goes_on(harness: Harness) -> None:
    """There the line stood a second time, and the button did not know it."""
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b", "b2")
    box = pad.message["components"][0]["components"]
    button = next(one for row in box if row["type"] == 1 for one in row["components"] if one["label"] == AND_THEN)
    button["custom_id"] = re.sub("andthen[0-9a-f]+", "andthen", button["custom_id"])
    box.insert(1, {"type": 10, "content": "-# if c3 · then b2"})
    pad = await chosen(harness.ann, pad, AND_THEN, "a", "a3")
    assert "\nSupposed: if c3 · then b2 · if a3\nChosen: …" in alt(pad.message)


async def test_the_last_tap_comes_twice(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b")
    first, second = await asyncio.gather(*(harness.ann.press(pad, "b2") for _ in range(2)), return_exceptions=True)
    assert isinstance(first, BotReply) and not isinstance(second, AssertionError)
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert "You prepared 1 line" in said(shown.message)
    await harness.sound()


@pytest.mark.parametrize("step", ["written", "committed", "posted"])
async def test_a_death_in_the_middle_leaves_the_whole_exchange_or_nothing(harness: Harness, step: str) -> None:
    played = await waiting(harness)
    await prepared(harness, played, "c", "c3", "b", "b2")
    boards, rung = len(played.boards), harness.told(harness.bea)
    harness.kill_at(step)
    pressing = asyncio.create_task(harness.bea.command("binary-primes move", channel=played.place, square="c3"))
    await harness.killed.wait()
    await asyncio.wait([pressing], timeout=5)
    pressing.cancel()
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    if step == "written":
        assert played.record == [(1, "a1")]
        played = await played.move("c3")
    assert played.record == [(1, "a1"), (2, "c3"), (1, "b2")]
    assert (len(played.boards), harness.told(harness.bea)) == (boards + 1, rung + 1)
    await harness.sound()


async def test_a_move_that_is_delivered_twice_is_answered_once(harness: Harness) -> None:
    played = await waiting(harness)
    await prepared(harness, played, "c", "c3", "b", "b2")
    boards, rung, before = len(played.boards), harness.told(harness.bea), received(harness)
    harness.faults.deliver_twice()
    await harness.bea.command("binary-primes move", channel=played.place, square="c3")
    await silent(harness, before)
    played = await played.fresh()
    assert played.record == [(1, "a1"), (2, "c3"), (1, "b2")]
    assert (len(played.boards), harness.told(harness.bea)) == (boards + 1, rung + 1)
    await harness.sound()


@sampled("trouble", TROUBLES, ids=list(TROUBLES))
async def test_discord_fails_or_hangs_while_an_exchange_is_shown(harness: Harness, trouble: str) -> None:
    harness.forgiven += ["could not be shown and will be tried again", "rate limited"]
    played = await waiting(harness)
    await prepared(harness, played, "c", "c3", "b", "b2")
    boards, rung = len(played.boards), harness.told(harness.bea)
    TROUBLES[trouble](harness)
    with suppress(NoAnswerInTime):
        await harness.bea.command("binary-primes move", channel=played.place, square="c3")
    harness.faults.clear()
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "a1"), (2, "c3"), (1, "b2")]
    assert (len(played.boards), harness.told(harness.bea)) == (boards + 1, rung + 1)
    await harness.sound()


@sampled("trouble", ["applied", "hang", "drop"])
async def test_the_answer_to_the_last_tap_is_lost_and_the_line_is_kept(harness: Harness, trouble: str) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b")
    harness.forgiven += ["rate limited"]
    ANSWERS[trouble](harness)
    with suppress(NoAnswerInTime):
        await harness.ann.press(pad, "b2")
    harness.faults.clear()
    await harness.settled()
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert "You prepared 1 line" in said(shown.message)


async def test_others_have_nothing_to_prepare_with_a_pad_that_was_not_theirs(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b")
    for person, sentence in ((harness.cem, "You aren't in this match."), (harness.bea, "It's your turn.")):
        with pytest.raises(ClientRefusal):
            await person.press(pad, "b2")
        tap = PadId("q", MatchId(played.id), 1, Tap("move", 0, "pick"))
        forged = await harness.forge(person, played.board, str(tap))
        assert sentence in forged.text or sentence in said(forged.message)
    assert not any(player.prepared for player in (await harness.row(played.id)).players)
