"""Of two processes that begin a match, the slower one takes nothing back of what the other has noted."""

from __future__ import annotations

from dataclasses import replace

from bot.play.ids import InteractionId, MessageId, UserId
from tests.e2e.harness import Harness, labels

OPEN = ["Move", "Rules", "More …"]


async def test_a_process_that_comes_too_late_to_make_the_thread_leaves_the_match_in_it(harness: Harness) -> None:
    played = await harness.against()
    client, thread = harness.life.client, played.row.thread
    assert thread and thread != played.row.channel and not played.row.lobby_message
    now = await client.umpire.load_to_show(played.row.id)
    # As it was read before the thread was made from the message, which is deleted by now.
    before = replace(now.row, thread=None, lobby_message=MessageId(thread), board_message=None, shown_version=0)
    placed = await harness.life.does(client.publisher.lobbies.ensure_place(replace(now, row=before)))
    assert placed.row.thread == (await played.fresh()).row.thread == thread


async def test_a_board_that_another_process_has_posted_elsewhere_is_not_taken_for_one_here(harness: Harness) -> None:
    played = await harness.match()
    umpire, boards = harness.life.client.umpire, harness.life.client.publisher.boards
    harness.acts += 1
    await harness.life.does(umpire.move(InteractionId(harness.acts), played.row.id, UserId(int(played.mover.id)), "b2"))
    here = await umpire.load_to_show(played.row.id)
    elsewhere = replace(here, row=replace(here.row, thread=here.row.channel))
    await harness.life.does(boards.post(elsewhere))
    await harness.life.does(boards.post(here))
    await harness.settled()
    row = (await played.fresh()).row
    (shown,) = [one for one in played.boards if labels(one)]
    assert int(shown["id"]) == row.board_message and labels(shown) == OPEN
    assert int(shown["channel_id"]) == row.board_channel == row.thread
