"""An edit of a board that Discord carries out late gives it no buttons back, whatever has become of it meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from bot.features.board import posts
from bot.features.board.posts import UNDER_WAY
from bot.play import acts
from bot.play.ids import InteractionId, UserId
from tests.e2e.harness import CALLBACK, MESSAGE, MESSAGES, Harness, Played, alt, labels, said
from tests.e2e.test_several_seats import table
from tests.simulation.life import Life


async def asked_for_a_draw(harness: Harness) -> Played:
    """A match of Ann, Bea and Cem, in which Ann asks for a draw."""
    played = await table(harness, "binary-scramble", harness.ann, opponent=harness.bea, opponent2=harness.cem)
    for guest in (harness.bea, harness.cem):
        await guest.press(played.lobby, "Accept")
        await harness.settled()
    played = await played.fresh()
    await harness.ann.command("match draw", channel=played.place)
    await harness.settled()
    played = await played.fresh()
    assert "Agree: draw" in labels(played.board)
    return played


async def crossing(harness: Harness) -> Played:
    """A live match of Cross, Don't Cross with two chords; Ann draws them."""
    played = await table(harness, "cross-dont-cross", harness.ann, opponent=harness.bea, seat="me", chords=2)
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    return await played.fresh()


async def test_a_board_that_is_followed_during_its_edit_is_gone(harness: Harness) -> None:
    played = await asked_for_a_draw(harness)
    board = played.board
    harness.faults.delay_requests("PATCH", MESSAGE, 2.0, channel=played.place)
    await harness.bea.press(board, "Agree: draw")
    await asyncio.sleep(0.5)  # the edit that says so is under way
    await harness.cem.press(board, "Refuse")
    await harness.settled()
    played = await played.fresh()
    assert board["id"] not in [one["id"] for one in played.boards]
    assert [labels(one) for one in played.boards[:-1]] == [[]] * (len(played.boards) - 1) and labels(played.board)


@pytest.mark.long
async def test_an_answer_that_comes_after_an_edit_of_the_board_it_closes_hides_no_buttons(harness: Harness) -> None:
    played = await asked_for_a_draw(harness)
    board = played.board
    harness.faults.delay_requests("PATCH", MESSAGE, 1.0, channel=played.place)
    await harness.bea.press(board, "Agree: draw")
    await asyncio.sleep(0.2)
    # Cem's answer takes the buttons off before that edit gives them back, and the bot hears of it after that edit.
    harness.faults.delay_requests("POST", CALLBACK, 1.2, applied=True)
    harness.faults.delay_requests("POST", MESSAGES, 1.0, channel=played.place)
    await harness.cem.press(board, "Refuse")
    await harness.settled()
    played = await played.fresh()
    assert board["id"] not in [one["id"] for one in played.boards]
    assert [labels(one) for one in played.boards[:-1]] == [[]] * (len(played.boards) - 1) and labels(played.board)


async def test_a_forged_button_of_another_match_takes_no_buttons_off_a_board(harness: Harness) -> None:
    one, other = await harness.match(), await harness.match()
    before = labels(one.board)
    await harness.forge(harness.cem, one.board, f"m:{other.id}:{other.row.version}:move")
    await harness.settled()
    assert labels((await one.fresh()).board) == before != []


@pytest.fixture
async def twin(harness: Harness) -> AsyncGenerator[Life]:
    """Another bot with the same servers, beside the first on its database."""
    harness.forgiven.append("Two processes serve the same servers on one database")
    begun = harness.another()
    await begun.begin()
    yield begun
    if not begun.dead:
        await begun.rest()
    await begun.end()


async def moved(harness: Harness, life: Life, played: Played, square: str) -> None:
    """Somebody moves, and one process alone knows that it is to be shown."""
    harness.acts += 1
    mover = UserId(int(played.mover.id))
    await life.does(life.client.umpire.move(InteractionId(harness.acts), played.row.id, mover, square))
    life.client.publisher.request_publish(played.row.id)


async def edited(harness: Harness, played: Played) -> None:
    """The first process edits the board that is there, as the match is stored now."""
    life = harness.life
    await life.does(life.client.publisher.boards._edit(await life.client.umpire.load_to_show(played.row.id)))  # pyright: ignore[reportPrivateUsage]


async def test_a_board_that_another_process_follows_during_its_edit_stays_without_buttons(
    harness: Harness, twin: Life
) -> None:
    played = await harness.match()
    harness.faults.delay_requests("PATCH", MESSAGE, 2.0, channel=played.place)
    editing = asyncio.create_task(edited(harness, played))
    await asyncio.sleep(0.5)
    await moved(harness, twin, played, "b2")
    await editing
    await harness.settled()
    assert [labels(one) for one in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]


@pytest.mark.long
async def test_a_board_that_another_process_has_closed_and_not_yet_followed_stays_without_buttons(
    harness: Harness, twin: Life
) -> None:
    played = await harness.match()
    harness.faults.delay_requests("PATCH", MESSAGE, 0.8, channel=played.place)
    editing = asyncio.create_task(edited(harness, played))
    await asyncio.sleep(0.5)
    # The other has closed the board before that edit is carried out, and hears so after that edit is noted.
    harness.faults.delay_requests("PATCH", MESSAGE, 0.45, applied=True, channel=played.place)
    await moved(harness, twin, played, "b2")
    await editing
    assert len(played.boards) == 2 and (await played.fresh()).row.board_message == played.row.board_message
    await harness.settled()
    assert [labels(one) for one in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]


async def test_an_edit_that_nobody_waits_for_gives_no_buttons_back(harness: Harness, twin: Life) -> None:
    played = await harness.match()
    harness.faults.delay_requests("PATCH", MESSAGE, 10.0, late=True, channel=played.place)
    editing = asyncio.create_task(edited(harness, played))
    await asyncio.sleep(0.5)
    await moved(harness, twin, played, "b2")
    await asyncio.sleep(2.0)
    assert [labels(one) for one in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]
    editing.cancel()  # as when it takes too long
    await asyncio.wait([editing])
    await asyncio.sleep(10.0)
    await harness.later(UNDER_WAY)
    assert [labels(one) for one in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]


@pytest.mark.long
async def test_a_board_that_was_posted_while_another_process_edited_the_one_before_becomes_the_board(
    harness: Harness, twin: Life
) -> None:
    played = await crossing(harness)
    await moved(harness, twin, played, "0-90")
    await harness.settled()
    harness.faults.delay_requests("POST", MESSAGES, 1.5, applied=True, channel=played.place)
    await moved(harness, twin, played, "180-270")
    await asyncio.sleep(0.5)
    # Bea has two moves, so the first process edits the board before, and notes that before the post is noted.
    await moved(harness, harness.life, await played.fresh(), "1-3")
    await asyncio.sleep(0.5)
    assert (await played.fresh()).row.plies == (await played.fresh()).row.shown_plies == 3
    await twin.idle()
    await harness.settled()
    played = await played.fresh()
    assert [labels(one) for one in played.boards] == [[], ["Segment", "Rules", "More …"]]
    assert played.row.board_message == int(played.board["id"])
    assert "drew **segment 1-3**" in said(played.board)


@pytest.mark.long
async def test_a_board_that_another_process_edits_after_it_was_closed_stays_without_buttons(
    harness: Harness, twin: Life
) -> None:
    played = await harness.match()
    # The twin closes the board, and hears so only after the first process has edited it again and noted that.
    harness.faults.delay_requests("PATCH", MESSAGE, 0.45, applied=True, channel=played.place)
    await moved(harness, twin, played, "b2")
    await asyncio.sleep(0.2)
    assert [labels(one) for one in (await played.fresh()).boards][0] == []
    await edited(harness, played)
    now = await played.fresh()
    assert labels(now.boards[0]) != [] and now.row.shown_version == now.row.version
    await twin.idle()
    await harness.settled()
    assert [labels(one) for one in (await played.fresh()).boards] == [[], ["Move", "Rules", "More …"]]


@pytest.mark.long
async def test_a_board_that_another_process_has_followed_before_it_is_noted_becomes_the_board_no_more(
    harness: Harness, twin: Life
) -> None:
    played = await harness.match()
    harness.faults.delay_requests("POST", MESSAGES, 2.0, applied=True, channel=played.place)
    await moved(harness, harness.life, played, "b2")
    await asyncio.sleep(0.5)
    twin.client.publisher.request_publish(played.row.id)  # Discord gives it the same board
    await twin.idle()
    await moved(harness, twin, await played.fresh(), "a1")
    await harness.settled()
    played = await played.fresh()
    assert [labels(one) for one in played.boards] == [[], [], ["Move", "Rules", "More …"]]
    assert played.row.board_message == int(played.board["id"])


@pytest.mark.long
async def test_a_board_that_was_followed_before_a_late_post_finds_it_goes_on_showing_its_move(
    harness: Harness, twin: Life
) -> None:
    played = await harness.match()
    harness.faults.delay_requests("POST", MESSAGES, 2.0, channel=played.place)
    await moved(harness, harness.life, played, "b2")
    await asyncio.sleep(0.5)
    twin.client.publisher.request_publish(played.row.id)
    await twin.idle()
    await moved(harness, twin, await played.fresh(), "a1")
    await harness.settled()  # the first process has its post at last, and Discord returns the board that was followed
    played = await played.fresh()
    assert [labels(one) for one in played.boards] == [[], [], ["Move", "Rules", "More …"]]
    assert "played **b2**" in said(played.boards[1]) and "Move 1 of" in alt(played.boards[1])


async def test_a_post_of_a_twin_that_died_is_not_taken_for_what_is_newest(harness: Harness, twin: Life) -> None:
    """By a process that has shown the match itself, and so looks for no orphan before it posts."""
    played = await harness.match()
    await moved(harness, harness.life, played, "a1")
    await harness.settled()
    played = await played.fresh()
    harness.faults.delay_requests("POST", MESSAGES, 5.0, applied=True, channel=played.place)
    harness.spare_the_line()
    await moved(harness, twin, played, "b2")
    await asyncio.sleep(0.5)
    harness.forgiven += ["Match 1 could not be shown", "life.Died"]
    twin.kill()  # Discord has its board, and nobody has noted it
    told = harness.told(harness.ann)
    await harness.bea.command("match draw", channel=played.place)
    await harness.settled()  # by its nonce Discord returns the board on which nobody asks for anything
    *earlier, last = (await played.fresh()).boards
    assert not any(labels(one) or "played **b2**" in said(one) for one in earlier) and "played **b2**" in said(last)
    assert (
        labels(last) == ["Move", "Rules", "More …", "Agree: draw", "Refuse"] and harness.told(harness.ann) == told + 1
    )


@pytest.mark.long
@pytest.mark.parametrize("heard", [(2.0, 1.0), (1.0, 2.0)], ids=["the later first", "the earlier first"])
async def test_of_two_boards_that_follow_the_same_one_the_later_stays(
    harness: Harness, twin: Life, monkeypatch: pytest.MonkeyPatch, heard: tuple[float, float]
) -> None:
    played = await harness.match()
    await moved(harness, twin, played, "b2")
    await harness.settled()
    for seconds in heard:
        harness.faults.delay_requests("POST", MESSAGES, seconds, applied=True, channel=played.place)
    harness.spare_the_line()
    await moved(harness, harness.life, await played.fresh(), "a1")
    await asyncio.sleep(0.5)
    monkeypatch.setattr(posts, "NONCES", 10**9)  # as after an edit, another nonce
    twin.client.publisher.request_publish(played.row.id)
    await twin.idle()
    await harness.settled()
    played = await played.fresh()
    assert [labels(one) for one in played.boards] == [[], [], [], ["Move", "Rules", "More …"]]
    assert played.row.board_message == int(played.board["id"])


async def test_a_challenge_that_another_process_edits_late_cannot_be_accepted_any_more(
    harness: Harness, twin: Life
) -> None:
    asked = await harness.challenge(opponent=harness.bea)
    client = harness.life.client
    harness.faults.delay_requests("PATCH", MESSAGE, 1.0, channel=asked.lobby["channel_id"])
    late = asyncio.create_task(
        harness.life.does(client.publisher.lobbies.show(await client.umpire.load_to_show(asked.row.id)))
    )
    await asyncio.sleep(0.5)
    await twin.does(twin.client.umpire.act(InteractionId(1), asked.row.id, UserId(int(harness.bea.id)), acts.decline))
    twin.client.publisher.request_publish(asked.row.id)
    await late
    await harness.settled()
    assert [labels(one) for one in asked.ends] == [[]]


@pytest.mark.long
async def test_a_board_in_a_thread_that_is_archived_is_closed_when_a_post_has_revived_it(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.fail_requests("PATCH", "/channels/{channel_id}", 403, 9, code=50013)  # nothing but a post wakes it
    harness.listener.trap = ("posted", lambda: harness.faults.archive(played.place))
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.life.idle()
    assert played.place["thread_metadata"]["archived"]
    await moved(harness, harness.life, await played.fresh(), "a1")
    await harness.later(60)
    assert [labels(one) for one in (await played.fresh()).boards] == [[], [], ["Move", "Rules", "More …"]]
