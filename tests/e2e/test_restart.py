"""The bot dies in the middle, and another one goes on where it was: nothing is lost, nothing is shown twice.

What needs a server, and one story on SQLite's own threads, runs on real sockets.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from tests.e2e.harness import MESSAGES, Harness, called, form_of, labels
from tests.simulation.life import seconds_to_answer
from tests.support.sampled import sampled


@pytest.mark.sockets
async def test_old_buttons_and_open_forms_survive(harness: Harness) -> None:
    played = await harness.match()
    before = await form_of(harness.ann, played.board)
    await harness.restart()
    assert played.board["id"] == (await played.fresh()).board["id"]
    assert (await harness.ann.submit(before, {"Square": "b2"})).kind == "acknowledged"
    await harness.settled()
    await harness.restart()
    played = await played.fresh()
    assert played.record == [(1, "b2")]
    assert labels(played.boards[0]) == []
    opened = await form_of(harness.bea, played.board)
    await harness.bea.submit(opened, {"Square": "a1"})
    await harness.settled()
    assert (await played.fresh()).record == [(1, "b2"), (2, "a1")]
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (2, 2)


async def test_an_old_lobby_survives(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    await harness.restart()
    assert (await harness.bea.press(played.lobby, "Rules")).is_ephemeral
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "live"
    assert len(played.boards) == 1


async def test_commands_are_not_registered_twice_without_need(harness: Harness) -> None:
    before = [(one["id"], one["version"]) for one in harness.sandbox.world.commands]
    await harness.restart()
    assert [(one["id"], one["version"]) for one in harness.sandbox.world.commands] == before


STEPS = ("received", "decided", "written", "committed", "answered", "drawn", "posted", "closed", "noted", "shown")
"""What the bot passes on the way from a move to its board; from `committed` on the move counts."""


@sampled(
    ("step", "by_form", "kind"),
    [
        *((step, True, "sqlite") for step in ("committed", "answered")),
        *((step, False, "sqlite") for step in reversed(STEPS)),
        *((step, False, "postgresql") for step in ("written", "committed")),
    ],
    few=5,
)
async def test_killed_in_the_middle_of_a_move(harness: Harness, step: str, by_form: bool) -> None:
    played = await harness.match()
    ann, bea = harness.ann, harness.bea
    opened = await form_of(ann, played.board) if by_form else None
    harness.kill_at(step)
    if harness.server:  # in real time nobody waits long for an answer that will not come
        harness.sandbox.interactions.answer_seconds = 0.3
    with suppress(NoAnswerInTime):
        if opened:
            await ann.submit(opened, {"Square": "b2"})
        else:
            await ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    harness.sandbox.interactions.answer_seconds = seconds_to_answer()
    await harness.restart()
    await harness.settled()
    if STEPS.index(step) >= STEPS.index("committed"):
        assert not await played.unchanged()
    elif step != "written":  # then the database may or may not have heard of the commit
        assert await played.unchanged()
    if await played.unchanged():
        await played.move("b2")
    played = await played.fresh()
    assert played.record == [(1, "b2")]
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert f"{called(bea)} is to move." in people.text_of(played.board)
    assert (harness.told(ann), harness.told(bea)) == (1, 2)


async def test_killed_while_a_button_is_answered(harness: Harness) -> None:
    played = await harness.match()
    opened = await form_of(harness.ann, played.board)
    harness.kill_at("committed")
    with pytest.raises(NoAnswerInTime):
        await harness.ann.submit(opened, {"Square": "b2"})
    await harness.killed.wait()
    assert labels(played.board) == ["Move", "Rules", "More …"]
    await harness.restart()
    await harness.settled()
    assert [labels(board) for board in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]
    # Somebody who tries again is shown that it counted.
    again = await harness.ann.submit(opened, {"Square": "b2"})
    assert again.is_ephemeral
    assert "The match moved on while you were choosing." in again.text
    assert (await played.fresh()).record == [(1, "b2")]


@sampled("step", ["committed", "posted"])
async def test_killed_while_a_match_begins(harness: Harness, step: str) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.bea.press(played.lobby, "Accept")
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    threads = [one for one in harness.sandbox.world.channels.values() if one["name"] == "Ann – Bea · Binary Primes · 1"]
    assert len(threads) == 1
    assert len(played.boards) == 1
    assert labels(played.lobby) == []
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 1)
    await played.move("b2")


async def test_killed_while_a_challenge_is_made(harness: Harness) -> None:
    harness.kill_at("received")
    with pytest.raises(NoAnswerInTime):
        await harness.ann.command("binary-primes challenge", channel="games", opponent=harness.bea)
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert harness.bea.read_messages("games") == []
    played = await harness.challenge(opponent=harness.bea)
    assert (played.id, harness.told(harness.bea)) == (1, 1)


@pytest.mark.parametrize("may_look", [True, False])
async def test_killed_between_posting_and_writing_down_posts_once(harness: Harness, may_look: bool) -> None:
    """The next bot finds the board; where it may not look it posts again, with the same nonce, and Discord answers with
    the message that is there."""
    played = await harness.match()
    if not may_look:
        harness.faults.deny(None, "read_message_history")
    harness.kill_at("posted")
    await played.mover.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    board = (await played.fresh()).board
    posted = [one for one in harness.sandbox.requests_of("POST", MESSAGES) if one.answer["id"] == board["id"]]
    assert [one.status for one in posted] == ([200] if may_look else [200, 200])
    assert len({one.body["nonce"] for one in posted}) == 1


@pytest.mark.long
@pytest.mark.parametrize("corrected", [False, True])
async def test_the_game_of_a_match_is_gone_or_another(harness: Harness, corrected: bool) -> None:
    """The board gives way to a sentence, and nothing is tried for ever."""
    played = await (await harness.match()).move("b2")
    harness.life.kill()
    harness.deaths += 1
    harness.forgiven.append("is not shown any more")
    with closing(sqlite3.connect(harness.file)) as database, database:
        if corrected:
            database.execute("UPDATE matches SET game_version = 0")
            database.execute("UPDATE moves SET text = 'z9'")
        else:
            database.execute("UPDATE matches SET game = 'chess'")
    await harness.restart()
    await harness.settled()
    why = (
        "the rules of Binary Primes were corrected while it was being played"
        if corrected
        else "the game chess is not part of this bot any more"
    )
    played = await played.fresh()
    assert played.row.state == "aborted"
    assert people.text_of(played.board) == f"This match was closed, unrated: {why}."
    assert labels(played.board) == []
    reply = await harness.ann.command("match board", match=1)
    gone = (
        "Match 1 cannot be shown any more: its moves break the rules of Binary Primes, which were corrected since."
        if corrected
        else "Match 1 is of a game that is not here any more: chess."
    )
    assert (reply.text, reply.is_ephemeral) == (gone, True)
