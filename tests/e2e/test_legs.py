"""A match in two legs when the bot dies, with the computer, and by a forged button; the rest is told in stories."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.engine.levels import SearchQuestion, Thought
from bot.engine.search import answer_question
from bot.features.computer.service import EnginePool
from bot.platform.custom_ids import MatchButton
from bot.play.ids import MatchId
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Played, called, labels, said
from tests.world.stale_buttons import forged

MOVE = "Move"


async def go(played: Played, person: Person, square: str, leg: int | None = None) -> BotReply:
    """A move by slash command in a leg."""
    options = {} if leg is None else {"leg": leg}
    reply = await person.command("binary-primes move", channel=played.place, square=square, **options)
    await played.harness.settled()
    return reply


async def at_once(_: Any, question: SearchQuestion, *__: Any) -> Thought:
    """A search in a thread of this process, which need not be started."""
    return await asyncio.to_thread(answer_question, question)


async def begun(harness: Harness, **options: Any) -> Played:
    """A match in two legs of Ann and Bea."""
    return await harness.match(legs=2, **options)


async def test_the_bot_dies_between_a_move_in_a_leg_and_its_board(harness: Harness) -> None:
    ann, bea, played = harness.ann, harness.bea, await begun(harness)
    await go(played, bea, "b2")
    harness.kill_at("committed")
    with pytest.raises(NoAnswerInTime):
        await ann.command("binary-primes move", channel=played.place, square="c3", leg=2)
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(2, "2: b2"), (1, "2: c3")]
    assert f"{called(ann)} played **c3** in leg 2" in said(played.board)
    assert labels(played.board) == [MOVE, "Rules", "More …"]
    await harness.sound()


async def test_the_computer_plays_both_legs(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EnginePool, "think", at_once)
    played = await harness.against(1, legs=2)
    assert [text.partition(":")[0] for _, text in played.record] == ["2"], "it begins the second leg"
    while played.row.state == "live":
        loaded = await harness.life.client.umpire.load(played.row.id)
        line = next(loaded.begun_match.position.moves(1))
        reply = await harness.ann.command("move", channel=played.place, line=line)
        assert reply.text.startswith(f"You played **{line[3:]}** in leg {line[0]}."), reply.text
        await harness.answered()
        played = await played.fresh()
    assert not played.row.rated and {text[0] for _, text in played.record} == {"1", "2"}
    await harness.sound()


async def test_a_forged_button_opens_no_leg_that_does_not_wait(harness: Harness) -> None:
    played = await begun(harness)
    await go(played, harness.bea, "b2")
    await go(played, harness.ann, "a1", 1)
    forced = MatchButton(MatchId(1), 2, False, False, "move1")
    refused = await forged(harness.ann, (await played.fresh()).board, str(forced))
    assert refused.text == f"Leg 1: it is {called(harness.bea)}'s turn."
