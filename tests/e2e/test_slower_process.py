"""Of two processes that begin a match, the slower one takes nothing back of what the other has noted."""

from __future__ import annotations

from dataclasses import replace

from bot.play.ids import InteractionId, MessageId, UserId
from tests.e2e.house import House, labels

OPEN = ["Move", "Rules", "More …"]


async def test_a_process_that_comes_too_late_to_make_the_thread_leaves_the_match_in_it(house: House) -> None:
    played = await house.against()
    client, thread = house.life.client, played.row.thread
    assert thread and thread != played.row.channel and not played.row.lobby_message
    now = await client.umpire.load_to_show(played.row.id)
    # As it was read before the thread was made from the message, which is deleted by now.
    before = replace(now.row, thread=None, lobby_message=MessageId(thread), board_message=None, shown_version=0)
    placed = await house.life.does(client.publisher.lobbies.ensure_place(replace(now, row=before)))
    assert placed.row.thread == (await played.fresh()).row.thread == thread


async def test_a_board_that_another_process_has_posted_elsewhere_is_not_taken_for_one_here(house: House) -> None:
    played = await house.match()
    umpire, boards = house.life.client.umpire, house.life.client.publisher.boards
    house.acts += 1
    await house.life.does(umpire.move(InteractionId(house.acts), played.row.id, UserId(int(played.mover.id)), "b2"))
    here = await umpire.load_to_show(played.row.id)
    elsewhere = replace(here, row=replace(here.row, thread=here.row.channel))
    await house.life.does(boards.post(elsewhere))
    await house.life.does(boards.post(here))
    await house.settled()
    row = (await played.fresh()).row
    (shown,) = [one for one in played.boards if labels(one)]
    assert int(shown["id"]) == row.board_message and labels(shown) == OPEN
    assert int(shown["channel_id"]) == row.board_channel == row.thread
