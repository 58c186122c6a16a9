"""Time runs out on Discord: the others are told, claim the match or give more time; a restart changes none of it."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.claims import CLAIMED_AFTER, EXTRA_TIME
from bot.play.clocks import DAY
from tests.e2e.harness import Harness, Played, called, labels, said
from tests.simulation.life import living
from tests.support.sampled import sampled

WEEK = 7 * DAY


@pytest.fixture(autouse=True)
async def standing(harness: Harness) -> None:
    """Boards name seconds: the clock stands still but where it is put forward, in the time of the story."""
    harness.clock.at = harness.clock()


@pytest.fixture
def described() -> bool:
    return False


async def late(harness: Harness, played: Played) -> Played:
    """The match a week later: the person who is to move ran out of time."""
    await harness.later(WEEK)
    return await played.fresh()


async def test_both_are_told_once_who_waits_claims_the_match(harness: Harness) -> None:
    played = await late(harness, await harness.match())
    ann, _ = played.row.players
    assert harness.told(harness.bea) == 2, "of the challenge, and of this"
    assert harness.told(harness.ann) == 2, "of the match, and of this"
    lines = [one["content"] for one in harness.ann.read_messages(played.place) if "time ran out" in one["content"]]
    assert lines == [
        f"{harness.ann.mention}, your time ran out. {harness.bea.mention} can claim the match until you move."
    ]
    text = said(played.board)
    assert f"ran out of time <t:{ann.deadline}:R>, but can still move" in text
    assert f"wins automatically <t:{ann.forfeit_at}:R>." in text
    assert labels(played.board) == ["Move", "Rules", "More …", "Claim", "Give 3 more days"]
    await harness.restart()
    await harness.later(5)
    assert len((await played.fresh()).boards) == 1 and harness.told(harness.bea) == 2

    for person, sentence in (
        (harness.ann, "You have run out of time yourself. Make your move before somebody claims the match."),
        (harness.cem, f"You aren't in this match. It is between {called(harness.ann)} and {called(harness.bea)}."),
    ):
        for label in ("Claim", "Give 3 more days"):
            assert (await person.press(played.board, label)).text == sentence
    asked = await harness.bea.press(played.board, "Claim")
    assert asked.text.startswith(f"Claim match {played.id}? {called(harness.ann)} ran out of time")
    assert "You win, and you can't undo it." in asked.text
    assert (await harness.bea.press(asked.message, "Keep waiting")).text == "Nothing was changed."
    asked = await harness.bea.press(played.board, "Claim")
    done = await harness.bea.press(asked.message, "Claim")
    assert "You claimed the match" in done.text
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.record) == ("finished", [(1, "timeout")])
    assert "beat" in said(played.board) and ", who ran out of time." in said(played.board)
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (3, 2)
    reply = await harness.forge(harness.bea, played.board, f"m:{played.id}:1:claim1")
    assert reply.text == "This match is over."


async def test_more_time_is_given_told_and_runs_out_too(harness: Harness) -> None:
    played = await late(harness, await harness.match())
    old = played.board
    reply = await harness.bea.press(old, "Give 3 more days")
    assert reply.kind == "update"
    await harness.settled()
    played = await played.fresh()
    deadline = played.row.players[0].deadline
    assert deadline and abs(deadline - harness.clock() - EXTRA_TIME) < 60 and "ran out" not in said(played.board)
    assert f"The time for this move ends <t:{deadline}:R>." in said(played.board)
    assert harness.told(harness.ann) == 3, "of the match, of the end of the time, and of this"
    assert labels(old) == [], "the board before has no buttons any more"
    refusal = f"{called(harness.ann)} has moved by now, or was given more time. Nothing was changed."
    assert (await harness.forge(harness.bea, played.board, f"m:{played.id}:0:claim1")).text == refusal
    for command in ("match claim", "match give"):
        reply = await harness.bea.command(command, channel=played.place)
        sentence = f"{called(harness.ann)} is to move. Their time ends <t:{deadline}:R>."
        assert reply.text == f"Nobody has run out of time. {sentence}"
    await harness.later(EXTRA_TIME)
    await harness.later(CLAIMED_AFTER)
    assert (await played.fresh()).row.state == "finished"
    assert harness.told(harness.ann) == 5, "of the end of this time, too, and of that of the match"


@pytest.mark.long
async def test_an_answer_after_the_late_move_claims_nothing(harness: Harness) -> None:
    await harness.match(harness.cem, pace="none")
    played = await late(harness, await harness.match())
    asked = await harness.bea.command("match claim", channel="games")
    assert f"Claim match {played.id}?" in asked.text, (
        "of several matches the one is meant in which somebody ran out of time"
    )
    played = await played.move("b2")
    reply = await harness.bea.press(asked.message, "Claim")
    assert "The match moved on after I asked you, so nothing was done. Try again if you still want to." in reply.text
    assert (await played.fresh()).record == [(1, "b2")]


@sampled("step", ["committed", "posted", "noted", "decided", "written"])
async def test_killed_while_a_deadline_passes(harness: Harness, step: str) -> None:
    played = await harness.match()
    await harness.run_due_acts(WEEK)
    harness.kill_at(step)
    mark = living.set(harness.life)
    look = asyncio.create_task(harness.life.client.keep_time())
    living.reset(mark)
    await harness.killed.wait()
    await asyncio.wait((look,))
    await harness.restart()
    await harness.later(0)
    played = await played.fresh()
    assert (len(played.boards), harness.told(harness.bea), harness.told(harness.ann)) == (1, 2, 2)
    ann = played.row.players[0]
    assert ann.forfeit_at and ann.deadline and ann.deadline <= harness.clock()
    assert "Claim" in labels(played.board)


async def test_while_discord_is_away_no_time_passes(harness: Harness) -> None:
    """A whole week without a connection: nothing is due before it is given back, and nothing after."""
    played = await harness.match()
    before = played.row.players[0].deadline
    client = harness.life.client
    await client.keep_time()
    client._ready.clear()  # pyright: ignore[reportPrivateUsage]  -- as while discord.py connects anew
    harness.clock.ahead += 2 * WEEK
    await client.keep_time()
    assert await played.unchanged()
    client._ready.set()  # pyright: ignore[reportPrivateUsage]
    await client.keep_time()
    played = await played.fresh()
    assert before and played.row.players[0].deadline == pytest.approx(before + 2 * WEEK, abs=60)
    assert played.row.players[0].forfeit_at is None and len(played.boards) == 1
    harness.clock.ahead += 60
    await client.publisher.retry_failed()
    await harness.settled()
    assert f"<t:{played.row.players[0].deadline}:R>" in said(played.board), "the board is edited in its place"
    assert (len(played.boards), harness.told(harness.ann), harness.told(harness.bea)) == (1, 1, 1)
