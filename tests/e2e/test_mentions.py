"""Mentions: each player is told once, in the message that shows the news, and never of their own act."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.e2e.harness import Harness, called, labels
from tests.e2e.test_several_seats import GRID, secret, table


def told(harness: Harness) -> list[int]:
    """How often Ann, Bea, Cem and Dora have been told of something."""
    return [harness.told(person) for person in (harness.ann, harness.bea, harness.cem, harness.dora)]


def newest(person: Person, channel: str = "games") -> str:
    """What the newest message of a channel says."""
    return people.text_of(person.read_messages(channel)[-1])


async def test_everybody_else_at_the_table_is_told_that_a_match_begins(harness: Harness) -> None:
    played = await table(harness, "binary-scramble", harness.ann, seats=3, seat="opponent")
    await harness.bea.press(played.lobby, "Join")
    await harness.settled()
    assert told(harness) == [0, 0, 0, 0], "somebody who sits down tells nobody"
    await harness.cem.press(played.lobby, "Join")
    await harness.settled()
    assert told(harness) == [1, 1, 0, 0], "Cem began it, and knows"


async def test_a_player_who_begins_by_accepting_is_not_told_that_it_is_their_turn(harness: Harness) -> None:
    played = await harness.match(seat="opponent")
    assert played.mover.id == harness.bea.id
    assert told(harness) == [1, 1, 0, 0], "Bea was challenged, Ann learns that it begins"


async def test_the_end_is_told_to_everybody_who_did_not_make_it(harness: Harness) -> None:
    played = await table(
        harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem, seat="me"
    )
    for person in (harness.bea, harness.cem):
        await person.press(played.lobby, "Accept")
    await harness.settled()
    before = told(harness)
    await harness.surely(harness.bea, "match resign", channel=(await played.fresh()).place)
    await harness.settled()
    assert told(harness) == before, "Bea was not to move, and two play on"
    await harness.surely(harness.cem, "match resign", channel=(await played.fresh()).place)
    await harness.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert told(harness) == [before[0] + 1, before[1] + 1, before[2], 0]
    assert (
        f"**{called(harness.ann)} won. {called(harness.bea)} and {called(harness.cem)} resigned.**\n"
        "Not rated: nobody had moved." in people.text_of(played.board)
    )


@pytest.mark.long
async def test_a_match_that_a_manager_calls_off_is_told_to_those_who_played(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    before = told(harness)
    await harness.surely(harness.ann, "match abort", channel=played.place)
    await harness.settled()
    assert (await played.fresh()).row.state == "aborted"
    assert told(harness) == [0, before[1] + 1, before[2] + 1, 0]


@pytest.mark.long
async def test_a_manager_who_plays_needs_the_others(harness: Harness) -> None:
    """Ann owns the server, and loses."""
    played = await harness.match()
    await harness.ann.command("match abort", channel=played.place)
    await harness.settled()
    assert (await played.fresh()).row.state == "live"
    assert f"{called(harness.ann)} wants to call the match off" in people.text_of((await played.fresh()).board)


async def test_a_declined_challenge_is_told_to_the_host_once(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    await harness.bea.press(played.lobby, "Decline")
    await harness.settled()
    told_so = f"{called(harness.bea)} declined {harness.ann.mention}'s challenge to Binary Primes."
    assert newest(harness.ann) == f"{told_so}\n-# match 1" and len(played.ends) == 1, "it is said once"
    assert told(harness) == [1, 1, 0, 0]
    await harness.restart()
    await harness.settled()
    assert told(harness) == [1, 1, 0, 0]


async def test_an_expired_challenge_is_told_to_everybody_once(harness: Harness) -> None:
    played = await table(
        harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem, seat="me"
    )
    await harness.bea.press(played.lobby, "Accept")
    harness.clock.ahead = 48 * 3600 + 1
    await harness.restart()
    await harness.until(lambda: not any(map(labels, played.ends)))
    await harness.settled()
    assert len(played.ends) == 1
    assert newest(harness.dora).startswith(
        f"{harness.ann.mention}'s challenge to Binary Scramble expired, because {harness.cem.mention} didn't answer "
        f"within 2 days.\n{harness.bea.mention} had joined."
    )
    assert told(harness) == [1, 2, 2, 0]


@pytest.mark.long
@pytest.mark.parametrize("step", ["posted", "committed", "edited", "removed"])
async def test_killed_while_somebody_declines(harness: Harness, step: str) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.bea.press(played.lobby, "Decline")
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert told(harness) == [1, 1, 0, 0]
    (left,) = played.ends
    assert "declined" in left["content"] and labels(left) == []


async def test_who_is_asked_to_call_off_is_told_by_a_new_board_that_a_move_does_not_wipe_out(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    assert told(harness) == [0, 1, 1, 0]
    await harness.bea.command("match abort", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    asking = f"{called(harness.bea)} wants to call the match off"
    assert [labels(board) for board in played.boards] == [["Move", "Rules", "More …", "Agree: call it off", "Refuse"]]
    assert asking in people.text_of(played.board)
    assert told(harness) == [0, 1, 2, 0]
    played = await played.move("b2", harness.bea)
    played = await played.move("a1", harness.cem)
    assert asking in people.text_of(played.board)
    assert told(harness) == [0, 2, 3, 0]
    boards = len(played.boards)
    again = await harness.bea.command("match abort", channel=played.place)
    assert people.text_of(again.message) == (
        f"You already asked to call match 1 off. It ends as soon as {called(harness.cem)} agrees."
    )
    assert labels(again.message) == ["Take it back", "Leave it"]
    assert "You play on." in (await harness.bea.press(again.message, "Take it back")).text
    await harness.settled()
    played = await played.fresh()
    assert "wants to call the match off" not in people.text_of(played.board)
    assert (len(played.boards), told(harness)) == (boards, [0, 2, 3, 0])


async def test_the_end_of_a_secret_match_is_told(harness: Harness) -> None:
    played = await secret(harness, harness.ann, harness.bea)
    assert told(harness) == [1, 1, 0, 0]
    for person in (harness.ann, harness.bea):
        await person.command("sums-grid submit", channel=played.place, grid=GRID)
        await harness.surely(person, "sums-grid done", channel=played.place)
    await harness.settled()
    assert (await played.fresh()).row.state == "finished"
    assert told(harness) == [2, 1, 0, 0]


@pytest.mark.long
async def test_what_is_not_shown_yet_is_not_told_to_a_player_who_has_acted_since(harness: Harness) -> None:
    """Bea answers before the board that tells her has been posted."""
    played = await harness.match()
    harness.kill_at("committed")
    with suppress(NoAnswerInTime):
        await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.killed.wait()
    harness.faults.fail_requests("POST", "/channels/{channel_id}/messages", 400, times=1000, code=20028)
    harness.forgiven.append("could not be shown")
    await harness.restart()
    await harness.bea.command("binary-primes move", channel=played.place, square="a1")
    await harness.life.idle()
    harness.faults.clear()
    await harness.restart()
    await harness.settled()
    assert told(harness) == [2, 1, 0, 0]
