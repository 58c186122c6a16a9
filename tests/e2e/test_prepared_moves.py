"""Prepared moves through Discord: what Ann has ready is played with Bea's move, and nobody knew of it before."""

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
from tests.e2e.harness import CALLBACK, MESSAGES, Harness, Played, alt, called, labels, said
from tests.e2e.test_duplicate_delivery import received, silent
from tests.e2e.test_pads import able, chosen
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
OUTDATED = "The match moved on while you were choosing. Here is the board now; nothing was prepared."


async def prepared(harness: Harness, played: Played, *taps: str) -> BotReply:
    """What Ann sees when she has tapped some moves together, from the board on."""
    return await chosen(harness.ann, played.board, MORE, IF_THEN, *taps)


async def waiting(harness: Harness) -> Played:
    """A match on five squares by five in which Bea is to move."""
    return await (await harness.match(size=5)).move("a1")


async def test_an_answer_is_prepared_in_six_taps_and_played_with_the_move(harness: Harness) -> None:
    played = await waiting(harness)
    before, row = len(harness.bea.read_messages(played.place)), played.row
    pad = await chosen(harness.ann, played.board, MORE, IF_THEN)
    who = called(harness.bea)
    asked = f"**Which square does {who} fill? Tap its column.**"
    first = f"Prepare an answer: it's played at once if {who} plays this.\n{asked}"
    assert said(pad.message).startswith(first) and pad.is_ephemeral
    assert "a1" not in able(pad.message) and len(harness.ann.list_notifications()) == harness.told(harness.ann)
    pad = await chosen(harness.ann, pad, "c", "c3")
    assert said(pad.message).startswith(f"If {who} plays **c3**, **which square do you fill? Tap its column.**\n-# ")
    assert alt(pad.message).endswith("\nSupposed: if c3\nChosen: …")
    assert labels(pad.message)[-3:] == ["Back", "Type it", "Rules"]
    pad = await chosen(harness.ann, pad, "Back")
    assert said(pad.message).startswith(first), "back to the move that is answered"
    pad = await chosen(harness.ann, pad, "c", "c3")
    assert "Move 2 of 12" in pad.message["attachments"][0]["description"], "the board as it would be"
    pad = await chosen(harness.ann, pad, "b", "b2")
    line = f"1. If {called(harness.bea)} plays **c3**, you play **b2**."
    assert "You prepared 1 line in match 1.** Nobody else sees it before it's played." in said(
        pad.message
    ) and line in said(pad.message)
    assert labels(pad.message) == [AND_THEN, "Another one", "Clear all"]
    assert said(pad.message).count("c3") == said(pad.message).count("b2") == 1, "a line is said once"
    await harness.settled()
    now = (await played.fresh()).row
    assert (now.version, now.record, len(harness.bea.read_messages(played.place))) == (row.version, row.record, before)
    rung = harness.told(harness.ann), harness.told(harness.bea)
    boards = len(played.boards)
    await chosen(harness.bea, played.board, "Move", "c", "c3", "Play c3")
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "a1"), (2, "c3"), (1, "b2")] and len(played.boards) == boards + 1
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (rung[0], rung[1] + 1), "one board, one ping"
    text = said(played.board)
    first, second = (line for line in text.splitlines() if " played **c3**" in line or " had **b2** ready" in line)
    assert first.startswith(f"{called(harness.bea)} played **c3**: rows ")
    assert second.startswith(f"{called(harness.ann)} had **b2** ready: columns ")
    assert f"{called(harness.bea)} is to move." in text
    await harness.sound()


async def test_a_line_goes_on_and_branches_and_is_cleared(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b", "b2", AND_THEN, "a", "a3")
    assert "\nSupposed: if c3 · then b2 · if a3\nChosen: …" in alt(pad.message)
    assert {"b2", "c3", "a3"}.isdisjoint(able((await chosen(harness.ann, pad, "b")).message)), "those squares are taken"
    pad = await chosen(harness.ann, pad, "b4", "Another one", "d", "d5", "e", "e5")
    who = called(harness.bea)
    assert f"1. If {who} plays **c3**, you play **b2**. If {who} then plays **a3**, you play **b4**." in said(
        pad.message
    )
    assert f"2. If {who} plays **d5**, you play **e5**." in said(pad.message)
    assert labels(pad.message)[0] == f"2. {AND_THEN}", "it says with which line it goes on"
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert "You prepared 2 lines" in said(shown.message) and shown.is_ephemeral
    played = await played.move("c3")
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert f"1. If {who} plays **a3**, you play **b4**." in said(shown.message)
    cleared = await harness.ann.press(shown, "Clear all")
    assert "You have no moves ready in match 1." in said(cleared.message) and labels(cleared.message) == [IF_THEN]
    again = await harness.ann.press(shown, IF_THEN)
    assert "Prepare an answer" in said(again.message)
    played = await played.move("a3")
    assert played.record[-1] == (2, "a3") and played.row.turn == (1,)


async def test_a_line_that_is_not_ready_any_more_cannot_go_on(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b", "b2")
    await harness.ann.command("match prepared", channel=played.place, theirs="c3", yours="b3")
    refused = await harness.ann.press(pad, AND_THEN)
    assert refused.text == "This pad is out of date. Use /match prepared to get a fresh one."


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


async def test_an_answer_is_prepared_by_a_line_too(harness: Harness) -> None:
    played = await waiting(harness)
    shown = await harness.ann.command("match prepared", channel=played.place, theirs="C3", yours="b 2")
    assert f"1. If {called(harness.bea)} plays **c3**, you play **b2**." in said(shown.message) and shown.is_ephemeral
    for theirs, yours, refusal in (
        ("c3", None, "Write both, a move that your opponent may make and your answer to it."),
        ("c3", "c3", "has already filled c3"),
        ("z9", "b2", "z9"),
    ):
        given = {"theirs": theirs, **({"yours": yours} if yours else {})}
        refused = await harness.ann.command("match prepared", channel=played.place, **given)
        assert refusal in refused.text and refused.is_ephemeral, refused.text
    turn = await harness.bea.command("match prepared", channel=played.place, theirs="c3", yours="b2")
    assert "It's your turn." in turn.text or "turn" in turn.text
    assert (await played.move("c3")).record[-1] == (1, "b2")


async def test_who_loses_what_they_prepared_reads_it_and_nobody_else_does(harness: Harness) -> None:
    played = await waiting(harness)
    await prepared(harness, played, "c", "c3", "b", "b2")
    played = await played.move("e5")
    gone = "The match went another way, so your prepared moves are gone."
    pad, own = (
        await harness.ann.press(played.board, "Move"),
        await harness.ann.command("match board", channel=played.place),
    )
    ready = await harness.ann.command("match prepared", channel=played.place)
    assert all(gone in said(shown.message) for shown in (pad, own, ready)) and labels(ready.message) == []
    other = await harness.bea.command("match board", channel=played.place)
    assert gone not in said(other.message) and all(gone not in said(board) for board in played.boards)
    played = await played.move("b1")
    assert gone not in said((await harness.ann.command("match board", channel=played.place)).message)


async def test_a_takeback_takes_the_prepared_moves_with_it(harness: Harness) -> None:
    played = await waiting(harness)
    await prepared(harness, played, "c", "c3", "b", "b2")
    await harness.ann.command("match takeback", channel=played.place)
    await harness.settled()
    await harness.bea.command("match takeback", channel=played.place)
    await harness.settled()
    shown = await harness.ann.command("match board", channel=played.place)
    assert "A move was taken back, so your prepared moves are gone." in said(shown.message)
    played = await (await (await played.fresh()).move("a1")).move("c3")
    assert played.row.turn == (1,)


async def test_two_legs_have_a_pad_each(harness: Harness) -> None:
    played = await harness.match(legs=2)
    await harness.ann.command("binary-primes move", channel=played.place, square="a1", leg=1)
    await harness.settled()
    pad = await chosen(harness.ann, (await played.fresh()).board, MORE, IF_THEN)
    assert labels(pad.message) == ["Move · leg 1", "Move · leg 2"]
    pad = await chosen(harness.ann, pad, "Move · leg 1", "c3", "b2")
    assert f"1. If {called(harness.bea)} plays **c3** in leg 1, you play **b2** in leg 1." in said(pad.message)
    await harness.bea.command("binary-primes move", channel=played.place, square="c3", leg=1)
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "1: a1"), (2, "1: c3"), (1, "1: b2")]
    assert f"{called(harness.ann)} had **b2** in leg 1 ready" in said(played.board)
    await harness.sound()


# At awkward moments.


async def test_the_last_tap_comes_twice(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b")
    first, second = await asyncio.gather(*(harness.ann.press(pad, "b2") for _ in range(2)), return_exceptions=True)
    assert isinstance(first, BotReply) and not isinstance(second, AssertionError)
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert "You prepared 1 line" in said(shown.message)
    await harness.sound()


async def test_the_opponent_moves_while_a_pad_is_open(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b")
    played = await played.move("e5")
    late = await harness.ann.press(pad, "b2")
    assert OUTDATED in said(late.message)
    assert (await harness.row(played.id)).players[0].prepared is None


async def test_after_a_restart_a_pad_goes_on_and_what_is_ready_is_played(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b")
    await harness.restart()
    await chosen(harness.ann, pad, "b2")
    await harness.restart()
    played = await played.move("c3")
    assert played.record[-1] == (1, "b2")
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


async def test_after_the_end_and_for_others_there_is_nothing_to_prepare(harness: Harness) -> None:
    played = await waiting(harness)
    pad = await prepared(harness, played, "c", "c3", "b")
    for person, sentence in ((harness.cem, "You aren't in this match."), (harness.bea, "It's your turn.")):
        with pytest.raises(ClientRefusal):
            await person.press(pad, "b2")
        tap = PadId("q", MatchId(played.id), 1, Tap("move", 0, "pick"))
        forged = await harness.forge(person, played.board, str(tap))
        assert sentence in forged.text or sentence in said(forged.message)
    await harness.surely(harness.bea, "match resign", channel=played.place)
    await harness.settled()
    late = await harness.ann.press(pad, "b2")
    assert "This match is over." in late.text
    shown = await harness.ann.command("match prepared", channel=played.place)
    assert "This match is over." in shown.text
    assert not any(player.prepared for player in (await harness.row(played.id)).players)
