"""Mentions: each player is told once, in the message that shows the news, and never of their own act."""

from __future__ import annotations

from contextlib import suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.sandbox.people import Person
from tests.e2e.house import House, called, labels
from tests.e2e.test_several_seats import GRID, secret, table


def told(house: House) -> list[int]:
    """How often Ann, Bea, Cem and Dora have been told of something."""
    return [house.told(person) for person in (house.ann, house.bea, house.cem, house.dora)]


def newest(person: Person, channel: str = "games") -> str:
    """What the newest message of a channel says."""
    return people.text_of(person.read_messages(channel)[-1])


async def test_everybody_else_at_the_table_is_told_that_a_match_begins(house: House) -> None:
    played = await table(house, "binary-scramble", house.ann, seats=3, seat="opponent")
    await house.bea.press(played.lobby, "Join")
    await house.settled()
    assert told(house) == [0, 0, 0, 0], "somebody who sits down tells nobody"
    await house.cem.press(played.lobby, "Join")
    await house.settled()
    assert told(house) == [1, 1, 0, 0], "Cem began it, and knows"


async def test_a_player_who_begins_by_accepting_is_not_told_that_it_is_their_turn(house: House) -> None:
    played = await house.match(seat="opponent")
    assert played.mover.id == house.bea.id
    assert told(house) == [1, 1, 0, 0], "Bea was challenged, Ann learns that it begins"


async def test_the_end_is_told_to_everybody_who_did_not_make_it(house: House) -> None:
    played = await table(house, "binary-scramble", house.ann, opponent=house.bea, opponent2=house.cem, seat="me")
    for person in (house.bea, house.cem):
        await person.press(played.lobby, "Accept")
    await house.settled()
    before = told(house)
    await house.surely(house.bea, "match resign", channel=(await played.fresh()).place)
    await house.settled()
    assert told(house) == before, "Bea was not to move, and two play on"
    await house.surely(house.cem, "match resign", channel=(await played.fresh()).place)
    await house.settled()
    played = await played.fresh()
    assert played.row.state == "finished"
    assert told(house) == [before[0] + 1, before[1] + 1, before[2], 0]
    assert (
        f"**🟦\xa0{called(house.ann)} won. 🟧\xa0{called(house.bea)} and 🟩\xa0{called(house.cem)} resigned. "
        "Not rated: nobody had moved.**" in people.text_of(played.board)
    )


@pytest.mark.long
async def test_a_match_that_a_manager_calls_off_is_told_to_those_who_played(house: House) -> None:
    played = await house.match(house.bea, house.cem)
    before = told(house)
    await house.surely(house.ann, "match abort", channel=played.place)
    await house.settled()
    assert (await played.fresh()).row.state == "aborted"
    assert told(house) == [0, before[1] + 1, before[2] + 1, 0]


@pytest.mark.long
async def test_a_manager_who_plays_needs_the_others(house: House) -> None:
    """Ann owns the server, and loses."""
    played = await house.match()
    await house.ann.command("match abort", channel=played.place)
    await house.settled()
    assert (await played.fresh()).row.state == "live"
    assert f"{called(house.ann)} wants to call the match off" in people.text_of((await played.fresh()).board)


async def test_a_declined_challenge_is_told_to_the_host_once(house: House) -> None:
    played = await house.challenge(opponent=house.bea)
    await house.bea.press(played.lobby, "Decline")
    await house.settled()
    told_so = f"{called(house.bea)} declined {house.ann.mention}'s challenge to Binary Primes."
    assert newest(house.ann) == f"{told_so}\n-# match 1" and len(played.ends) == 1, "it is said once"
    assert told(house) == [1, 1, 0, 0]
    await house.restart()
    await house.settled()
    assert told(house) == [1, 1, 0, 0]


async def test_an_expired_challenge_is_told_to_everybody_once(house: House) -> None:
    played = await table(house, "binary-scramble", house.ann, opponent=house.bea, opponent2=house.cem, seat="me")
    await house.bea.press(played.lobby, "Accept")
    house.clock.ahead = 48 * 3600 + 1
    await house.restart()
    await house.until(lambda: not any(map(labels, played.ends)))
    await house.settled()
    assert len(played.ends) == 1
    assert newest(house.dora).startswith(
        f"{house.ann.mention}'s challenge to Binary Scramble expired, because {house.cem.mention} didn't answer "
        f"within 2 days.\n{house.bea.mention} had joined."
    )
    assert told(house) == [1, 2, 2, 0]


@pytest.mark.long
@pytest.mark.parametrize("step", ["posted", "committed", "edited", "removed"])
async def test_killed_while_somebody_declines(house: House, step: str) -> None:
    played = await house.challenge(opponent=house.bea)
    house.kill_at(step)
    with suppress(NoAnswerInTime):
        await house.bea.press(played.lobby, "Decline")
    await house.killed.wait()
    await house.restart()
    await house.settled()
    assert told(house) == [1, 1, 0, 0]
    (left,) = played.ends
    assert "declined" in left["content"] and labels(left) == []


async def test_who_is_asked_to_call_off_is_told_by_a_new_board_that_a_move_does_not_wipe_out(house: House) -> None:
    played = await house.match(house.bea, house.cem)
    assert told(house) == [0, 1, 1, 0]
    await house.bea.command("match abort", channel=played.place)
    await house.settled()
    played = await played.fresh()
    asking = f"🟦\xa0{called(house.bea)} wants to call the match off"
    assert [labels(board) for board in played.boards] == [["Move", "Rules", "More …", "Agree: call it off", "Refuse"]]
    assert asking in people.text_of(played.board)
    assert told(house) == [0, 1, 2, 0]
    played = await played.move("b2", house.bea)
    played = await played.move("a1", house.cem)
    assert asking in people.text_of(played.board)
    assert told(house) == [0, 2, 3, 0]
    boards = len(played.boards)
    again = await house.bea.command("match abort", channel=played.place)
    assert people.text_of(again.message) == (
        f"You already asked to call match 1 off. It ends as soon as {called(house.cem)} agrees."
    )
    assert labels(again.message) == ["Take it back", "Leave it"]
    assert "You play on." in (await house.bea.press(again.message, "Take it back")).text
    await house.settled()
    played = await played.fresh()
    assert "wants to call the match off" not in people.text_of(played.board)
    assert (len(played.boards), told(house)) == (boards, [0, 2, 3, 0])


async def test_the_end_of_a_secret_match_is_told(house: House) -> None:
    played = await secret(house, house.ann, house.bea)
    assert told(house) == [1, 1, 0, 0]
    for person in (house.ann, house.bea):
        await person.command("sums-grid submit", channel=played.place, grid=GRID)
        await house.surely(person, "sums-grid done", channel=played.place)
    await house.settled()
    assert (await played.fresh()).row.state == "finished"
    assert told(house) == [2, 1, 0, 0]


@pytest.mark.long
async def test_what_is_not_shown_yet_is_not_told_to_a_player_who_has_acted_since(house: House) -> None:
    """Bea answers before the board that tells her has been posted."""
    played = await house.match()
    house.kill_at("committed")
    with suppress(NoAnswerInTime):
        await house.ann.command("binary-primes move", channel=played.place, square="b2")
    await house.killed.wait()
    house.faults.fail_requests("POST", "/channels/{channel_id}/messages", 400, times=1000, code=20028)
    house.forgiven.append("could not be shown")
    await house.restart()
    await house.bea.command("binary-primes move", channel=played.place, square="a1")
    await house.life.idle()
    house.faults.clear()
    await house.restart()
    await house.settled()
    assert told(house) == [2, 1, 0, 0]
