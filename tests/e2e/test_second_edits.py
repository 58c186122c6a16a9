"""A message that is edited right after its post is edited once more, since clients may go back to what was posted."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator

import pytest

from bot.features.agreements.words import AGREE
from bot.features.board.posts import UNDER_WAY
from bot.platform.edits import LET_PASS, PAUSE, REFUSED, SENT_WITHIN, SOON
from bot.play import acts
from bot.play.ids import InteractionId, UserId
from tests.e2e.harness import CALLBACK, MESSAGE, Harness, Json, Played, labels, said
from tests.e2e.test_edits import shown, uploaded
from tests.e2e.test_late_edits import edited, moved
from tests.e2e.test_several_seats import table
from tests.simulation.life import Life

OPEN = ["Move", "Rules", "More …"]
WHILE = PAUSE + 1
"""Seconds within which an edit is sent once more."""


def edits_of(harness: Harness, message: Json) -> list[int]:
    """The statuses with which Discord answered the edits of a message."""
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    return [one.status for one in harness.sandbox.request_log if one.method == "PATCH" and one.path.endswith(path)]


def looks_at(harness: Harness, message: Json) -> int:
    """How often a message was looked at."""
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    return sum(1 for one in harness.sandbox.request_log if one.method == "GET" and one.path.endswith(path))


async def asked_for_a_draw(harness: Harness) -> Played:
    """A match of Ann, Bea and Cem whose board was just posted; it says that Ann asks for a draw."""
    played = await table(harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem)
    for guest in (harness.bea, harness.cem):
        await guest.press(played.lobby, "Accept")
        await harness.settled()
    played = await played.fresh()
    await asyncio.sleep(2 * WHILE)
    await harness.ann.command("match draw", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert "Agree: draw" in labels(played.board) and edits_of(harness, played.board) == []
    return played


async def quickly_edited(harness: Harness) -> Played:
    """The same, and Bea has agreed at once, which was edited into the board."""
    played = await asked_for_a_draw(harness)
    await harness.bea.press(played.board, "Agree: draw")
    await harness.settled()
    assert edits_of(harness, played.board) == [200]
    assert said(played.board).endswith("Cem\u2069 can agree or refuse.")
    return played


async def refused(harness: Harness, board: Json) -> None:
    """Cem refuses, and the answer takes the buttons off that board."""
    await harness.cem.press(board, "Refuse")
    await harness.settled()


async def test_an_edit_right_after_the_post_is_sent_once_more_with_its_pictures_kept(harness: Harness) -> None:
    played = await quickly_edited(harness)
    before, pictures, since = said(played.board), shown(harness, played.board), len(harness.sandbox.request_log)
    await asyncio.sleep(PAUSE - 1)
    assert edits_of(harness, played.board) == [200]
    await asyncio.sleep(2)
    assert edits_of(harness, played.board) == [200, 200]
    assert uploaded(harness, since) == 0 and shown(harness, played.board) == pictures != []
    assert said(played.board) == before and "Agree: draw" in labels(played.board)
    await asyncio.sleep(10 * WHILE)
    assert edits_of(harness, played.board) == [200, 200], "once is enough"


async def test_an_answer_right_after_the_post_is_sent_once_more(harness: Harness) -> None:
    played = await (await harness.match(pace="3")).move("b2")
    await harness.ann.command("match takeback", channel=played.place)
    await harness.settled()
    asked = (await played.fresh()).board
    since = len(harness.sandbox.request_log)
    await harness.bea.press(asked, AGREE["takeback"])
    await harness.settled()
    assert edits_of(harness, asked) == [] and labels(asked) == [], "the answer has closed it"
    await asyncio.sleep(WHILE)
    assert edits_of(harness, asked) == [200] and labels(asked) == [] and shown(harness, asked)
    assert uploaded(harness, since) == 0


async def test_a_challenge_that_is_accepted_at_once_is_edited_once_more(harness: Harness) -> None:
    """It is posted as a plain line with buttons, which the edit takes the place of."""
    played = await harness.match()
    lobby = played.lobby
    before, edits = said(lobby), edits_of(harness, lobby)
    assert "Accept" not in labels(lobby)
    await asyncio.sleep(WHILE)
    assert edits_of(harness, lobby) == [*edits, 200] and said(lobby) == before
    await asyncio.sleep(2 * WHILE)
    assert edits_of(harness, lobby) == [*edits, 200]


async def test_an_edit_some_seconds_after_the_post_is_sent_once(harness: Harness) -> None:
    played = await asked_for_a_draw(harness)
    await asyncio.sleep(SOON)
    await harness.bea.press(played.board, "Agree: draw")
    await harness.settled()
    await asyncio.sleep(2 * WHILE)
    assert edits_of(harness, played.board) == [200]


async def test_an_edit_that_another_one_follows_is_not_sent_again(harness: Harness) -> None:
    board = (await quickly_edited(harness)).board
    await asyncio.sleep(SOON)
    await refused(harness, board)
    assert labels(board) == []
    await asyncio.sleep(2 * WHILE)
    assert labels(board) == [] and edits_of(harness, board) == [200]


async def test_an_edit_is_not_sent_again_while_another_one_is_under_way(harness: Harness) -> None:
    board = (await quickly_edited(harness)).board
    await asyncio.sleep(PAUSE - 1)
    harness.faults.delay_requests("POST", CALLBACK, 2.0)
    refusing = asyncio.create_task(refused(harness, board))
    await asyncio.sleep(1.9)
    assert labels(board) != [] and not refusing.done(), "the other edit is on its way"
    await refusing
    await asyncio.sleep(2 * WHILE)
    assert labels(board) == [] and edits_of(harness, board) == [200]


@pytest.mark.parametrize("seconds", [LET_PASS / 2, 3.0], ids=["for a moment", "for seconds"])
async def test_an_edit_during_the_second_one_stays(harness: Harness, seconds: float) -> None:
    board = (await quickly_edited(harness)).board
    harness.faults.delay_requests("PATCH", MESSAGE, seconds, late=True, channel=board["channel_id"])
    await harness.until(lambda: looks_at(harness, board))
    await refused(harness, board)
    await asyncio.sleep(seconds + 2 * WHILE)
    assert labels(board) == []
    assert edits_of(harness, board) == ([200, 200] if seconds < LET_PASS else [200, 404, 404]), (
        "by then another board is there"
    )


async def test_an_edit_is_not_sent_again_when_the_machine_has_slept_for_hours(harness: Harness) -> None:
    """Its steady clock stands still then; Discord limits edits of messages that are older than an hour."""
    board = (await quickly_edited(harness)).board
    await harness.run_due_acts(2 * 3600)
    await asyncio.sleep(2 * WHILE)
    assert edits_of(harness, board) == [200]


async def test_an_edit_of_a_deleted_message_is_not_missed(harness: Harness) -> None:
    played = await quickly_edited(harness)
    harness.faults.delete_message(played.board)
    await asyncio.sleep(2 * WHILE)
    assert harness.complaints() == []


async def test_an_edit_in_an_archived_thread_does_not_wake_it(harness: Harness) -> None:
    played = await quickly_edited(harness)
    harness.faults.fail_requests("PATCH", "/channels/{channel_id}", 403, 9, code=50013)  # nothing but a post wakes it
    harness.faults.archive(played.place)
    await asyncio.sleep(2 * WHILE)
    assert played.place["thread_metadata"]["archived"]
    assert 200 not in edits_of(harness, played.board)[1:]


async def test_an_edit_is_not_sent_again_where_the_bot_cannot_see_what_stands_there(harness: Harness) -> None:
    played = await quickly_edited(harness)
    harness.faults.deny("games", "read_message_history")
    await asyncio.sleep(2 * WHILE)
    assert edits_of(harness, played.board) == [200]


async def test_pictures_that_cannot_be_kept_are_not_uploaded_for_it(harness: Harness) -> None:
    played = await quickly_edited(harness)
    before, since = said(played.board), len(harness.sandbox.request_log)
    harness.faults.lose_kept_files(math.inf)
    await asyncio.sleep(2 * WHILE)
    assert edits_of(harness, played.board) == [200, 400] and uploaded(harness, since) == 0
    assert said(played.board) == before and shown(harness, played.board)
    assert harness.complaints_of(REFUSED["edit that keeps"]) == []


async def test_a_bot_that_has_closed_sends_nothing_any_more(harness: Harness) -> None:
    played = await quickly_edited(harness)
    await harness.life.end()
    await asyncio.sleep(2 * WHILE)
    assert edits_of(harness, played.board) == [200]


@pytest.fixture
async def twin(harness: Harness) -> AsyncGenerator[Life]:
    """Another bot with the same servers, to be begun beside the first on its database."""
    harness.forgiven.append("Two processes serve the same servers on one database")
    other = harness.another()
    yield other
    await other.rest()
    await other.end()


async def test_a_board_that_another_process_has_closed_stays_without_buttons(harness: Harness, twin: Life) -> None:
    played = await harness.match()
    await edited(harness, played)
    board = played.board
    assert labels(board) != [] and edits_of(harness, board) == [200]
    await twin.begin()
    await moved(harness, twin, played, "b2")
    await twin.idle()
    assert [labels(one) for one in played.boards] == [[], OPEN]
    assert edits_of(harness, board) == [200, 200]
    looks = looks_at(harness, board)
    await asyncio.sleep(2 * WHILE)
    assert (edits_of(harness, board), looks_at(harness, board)) == ([200, 200], looks)
    assert labels(board) == []


async def edited_again(harness: Harness, twin: Life, message: Json, seconds: float) -> None:
    """Wait until the second edit of a message is on its way, which takes so many seconds; another process is there."""
    await twin.begin()
    harness.faults.delay_requests("PATCH", MESSAGE, seconds, late=True, channel=message["channel_id"])
    looks = looks_at(harness, message)
    await harness.until(lambda: looks_at(harness, message) > looks)
    await asyncio.sleep(0.1)


async def test_a_board_that_another_process_closes_during_the_second_edit_stays_without_buttons(
    harness: Harness, twin: Life
) -> None:
    played = await harness.match()
    await edited(harness, played)
    await edited_again(harness, twin, played.board, 3.0)
    await moved(harness, twin, played, "b2")
    await twin.idle()
    assert [labels(one) for one in played.boards] == [[], OPEN]
    await asyncio.sleep(2 * WHILE)
    await harness.settled()
    assert [labels(one) for one in played.boards] == [[], OPEN]


async def test_a_board_that_another_process_has_closed_and_not_yet_noted_gets_no_buttons_back(
    harness: Harness, twin: Life
) -> None:
    played = await harness.match()
    await edited(harness, played)
    await edited_again(harness, twin, played.board, 0.5)
    # The other has closed the board before the second edit is carried out, and hears so after that.
    harness.faults.delay_requests("PATCH", MESSAGE, 0.45, applied=True, channel=played.place)
    await moved(harness, twin, played, "b2")
    await twin.idle()
    await asyncio.sleep(2 * WHILE)
    await harness.settled()
    assert [labels(one) for one in played.boards] == [[], OPEN]


async def test_a_second_edit_that_nobody_waits_for_gives_no_buttons_back(harness: Harness, twin: Life) -> None:
    played = await harness.match()
    await edited(harness, played)
    await edited_again(harness, twin, played.board, SENT_WITHIN + 5)
    await moved(harness, twin, played, "b2")
    await twin.idle()
    assert [labels(one) for one in played.boards] == [[], OPEN]
    await asyncio.sleep(SENT_WITHIN + 6)
    assert [labels(one) for one in played.boards] == [OPEN, OPEN], "it has arrived"
    await harness.later(UNDER_WAY)
    assert [labels(one) for one in played.boards] == [[], OPEN]


async def test_a_challenge_that_another_process_closes_during_the_second_edit_cannot_be_accepted(
    harness: Harness, twin: Life
) -> None:
    played = await table(harness, "binary-scramble", harness.ann, seats=3, seat="me")
    lobby = played.lobby
    await harness.bea.press(lobby, "Join")
    await harness.settled()
    await edited_again(harness, twin, lobby, 3.0)
    harness.acts += 1
    act = InteractionId(harness.acts)
    await twin.does(twin.client.umpire.act(act, played.row.id, UserId(int(harness.ann.id)), acts.begin_early))
    twin.client.publisher.request_publish(played.row.id)
    await twin.idle()
    assert "Join" not in labels(lobby)
    await asyncio.sleep(2 * WHILE)
    await harness.settled()
    assert "Join" not in labels(lobby)
