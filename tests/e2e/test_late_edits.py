"""An edit of a board that Discord carries out late gives it no buttons back, whatever has become of it meanwhile."""

from __future__ import annotations

import asyncio

from bot.core.values.ids import InteractionId, UserId
from tests.e2e.house import CALLBACK, MESSAGE, MESSAGES, House, Played, labels
from tests.e2e.test_several_seats import table


async def asked_for_a_draw(house: House) -> Played:
    """A match of Ann, Bea and Cem, in which Ann asks for a draw."""
    played = await table(house, "binary-scramble", house.ann, opponent=house.bea, opponent2=house.cem)
    for guest in (house.bea, house.cem):
        await guest.press(played.lobby, "Accept")
        await house.settled()
    played = await played.fresh()
    await house.ann.command("match draw", channel=played.place)
    await house.settled()
    played = await played.fresh()
    assert "Agree" in labels(played.board)
    return played


async def test_a_board_that_is_followed_during_its_edit_stays_without_buttons(house: House) -> None:
    played = await asked_for_a_draw(house)
    board = played.board
    house.faults.hang("PATCH", MESSAGE, 2.0, channel=played.place)
    await house.bea.press(board, "Agree")
    await asyncio.sleep(0.5)  # the edit that says so is under way
    await house.cem.press(board, "Refuse")
    await house.settled()
    played = await played.fresh()
    assert len(played.boards) > 1
    assert [labels(one) for one in played.boards[:-1]] == [[]] * (len(played.boards) - 1)


async def test_an_answer_that_comes_after_an_edit_of_the_board_it_closes_hides_no_buttons(house: House) -> None:
    played = await asked_for_a_draw(house)
    board = played.board
    house.faults.hang("PATCH", MESSAGE, 1.0, channel=played.place)
    await house.bea.press(board, "Agree")
    await asyncio.sleep(0.2)
    # Cem's answer takes the buttons off before that edit gives them back, and the bot hears of it after that edit.
    house.faults.hang("POST", CALLBACK, 1.2, applied=True)
    house.faults.hang("POST", MESSAGES, 1.0, channel=played.place)
    await house.cem.press(board, "Refuse")
    await house.settled()
    played = await played.fresh()
    assert len(played.boards) > 1
    assert [labels(one) for one in played.boards[:-1]] == [[]] * (len(played.boards) - 1)


async def test_a_forged_button_of_another_match_takes_no_buttons_off_a_board(house: House) -> None:
    one, other = await house.match(), await house.match()
    before = labels(one.board)
    await house.forge(house.cem, one.board, f"m:{other.id}:{other.row.version}:move")
    await house.settled()
    assert labels((await one.fresh()).board) == before != []


async def test_a_board_that_another_process_follows_during_its_edit_stays_without_buttons(house: House) -> None:
    house.forgiven.append("Two processes serve the same servers on one database")
    played, other = await house.match(), house.another()
    await other.begin()
    boards = house.life.client.publisher.boards
    seated = await house.life.client.umpire.to_show(played.row.id)
    house.faults.hang("PATCH", MESSAGE, 2.0, channel=played.place)
    edit = boards._edit(seated)  # pyright: ignore[reportPrivateUsage]  -- an edit that began before the move
    editing = asyncio.create_task(house.life.does(edit))
    await asyncio.sleep(0.5)
    match, mover = played.row.id, UserId(int(played.mover.id))
    await other.does(other.client.umpire.move(InteractionId(1), match, mover, "b2"))
    other.client.publisher.soon(match)
    await editing
    await house.settled()
    played = await played.fresh()
    assert [labels(one) for one in played.boards] == [[], ["Move", "Rules"]]
    await other.rest()
    await other.end()
