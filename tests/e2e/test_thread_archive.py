"""Threads of matches that are over are archived, so that a server never has as many as Discord allows; those of live
matches are woken."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.board import loop as board_loop
from bot.features.board.loop import ARCHIVED_AT_A_LOOK, OVER_FOR, WOKEN_EVERY, ThreadArchive
from bot.platform.messages import FULL_FOR
from bot.sandbox import people, seed
from bot.sandbox.client_checks import ClientRefusal
from bot.sandbox.threads import MOST_ACTIVE
from bot.sandbox.world import THREADS
from tests.e2e.harness import MESSAGE, OVER, Harness, Played, labels
from tests.support.sampled import sampled

DAY, HOUR, MONTH = 86_400, 3600, 30
CHANNEL = "/channels/{channel_id}"
FULL_BOARD = ("b2", "a1", "c3", "a3", "c1", "b1", "b3", "a2", "c2")
OTHERS = 990
"""How many active threads a server has that are none of ours."""


@pytest.fixture(autouse=True)
async def noon(harness: Harness) -> None:
    """It is noon, and stays so until somebody puts the clock forward."""
    harness.clock.at = harness.clock() // DAY * DAY + DAY // 2
    await harness.run_due_acts(0)
    harness.sandbox.world.clock = harness.clock


def archive(harness: Harness) -> ThreadArchive:
    found = harness.life.client.get_cog("ThreadArchive")
    assert isinstance(found, ThreadArchive)
    return found


async def looked(harness: Harness, after: int) -> None:
    """Time has passed, and the bot has looked after its threads."""
    await harness.later(after)
    await harness.life.does(archive(harness).poll())
    await harness.settled()


async def over(harness: Harness, number: int = 1) -> list[Played]:
    """Matches of Ann's against Bea that she has resigned."""
    found: list[Played] = []
    for _ in range(number):
        await asyncio.sleep(60)
        await harness.run_due_acts(60)
        played = await harness.match()
        await harness.surely(harness.ann, "match resign", channel=played.place)
        await harness.settled()
        found.append(played)
    return found


def is_archived(played: Played) -> bool:
    return bool(played.place["thread_metadata"]["archived"])


def changes(harness: Harness) -> int:
    """How often a thread was archived or woken by the bot, or was to be."""
    return sum("archived" in (entry.body or {}) for entry in harness.sandbox.requests_of("PATCH", CHANNEL))


def active(harness: Harness) -> int:
    """How many threads of the server are active."""
    threads = (one for one in harness.sandbox.world.channels.values() if one["type"] in THREADS)
    return sum(not one["thread_metadata"]["archived"] for one in threads)


async def crowd(harness: Harness, number: int) -> None:
    """People have made so many threads."""
    world = harness.sandbox.world
    place = harness.sandbox.channel("general")
    for at in range(number):
        thread = seed.make_thread(world.new_id(), place, f"Talk {at}", harness.dora.id, world.timestamp(), 10080)
        world.add_channel(thread | {"thread_members": [harness.dora.id], "member_count": 1})
    await harness.until(lambda: len(harness.life.client.guilds[0].threads) >= number)


async def test_a_match_that_has_been_over_for_an_hour_leaves_no_active_thread(harness: Harness) -> None:
    done, live = (await over(harness))[0], await harness.match(harness.cem, harness.dora)
    await looked(harness, 0)
    await looked(harness, OVER_FOR - 60)
    assert not is_archived(done)
    await looked(harness, 120)
    assert is_archived(done) and not is_archived(live)
    await harness.ann.press((await done.fresh()).board, "More …")
    assert not is_archived(done), "her client has woken it"
    await looked(harness, HOUR)
    assert not is_archived(done), "people may go on talking"
    await looked(harness, DAY)
    assert is_archived(done) and changes(harness) == 2


async def test_it_is_archived_though_the_bot_was_away_when_it_was_due(harness: Harness) -> None:
    done = (await over(harness))[0]
    await harness.restart()
    await looked(harness, 9 * DAY)
    assert is_archived(done)


async def test_a_thread_waits_until_its_last_board_is_shown_and_those_before_are_closed(harness: Harness) -> None:
    harness.forgiven.append("An old message")
    played = await harness.match()
    harness.faults.deny("games", "send_messages_in_threads")
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.life.idle()
    await harness.run_due_acts(2 * HOUR)
    await harness.life.does(archive(harness).poll())
    assert not is_archived(played), "its end is not shown yet"
    failing = harness.faults.fail_requests("PATCH", MESSAGE, 403, times=2, channel=played.place)
    harness.faults.allow("games", "send_messages_in_threads")
    await asyncio.sleep(61)
    await harness.life.does(harness.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await harness.life.does(harness.life.client.publisher.catch_up())
    await harness.until(lambda: failing.times == 0)
    await harness.life.idle()
    await harness.run_due_acts(HOUR)
    await harness.life.does(archive(harness).poll())
    assert not is_archived(played), "the board before it is not closed yet"
    await harness.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards[:-1]] == [[]] and len(played.boards) == 2
    await looked(harness, HOUR)
    assert is_archived(played)


async def test_a_thread_in_which_another_match_is_played_or_offered_stays(harness: Harness) -> None:
    done = (await over(harness))[0]
    await harness.challenge(channel=done.place, opponent=harness.bea)
    await looked(harness, 2 * HOUR)
    assert not is_archived(done)


@pytest.mark.long
async def test_after_an_update_the_old_ones_are_archived_in_turn_the_oldest_first(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_loop, "ARCHIVED_AT_A_LOOK", 2)
    done = await over(harness, 5)
    await harness.restart()
    seen: list[list[bool]] = []
    for wait in (2 * HOUR, 60, 60):
        await looked(harness, wait)
        seen.append([is_archived(played) for played in done])
    assert seen == [[True] * 2 + [False] * 3, [True] * 4 + [False], [True] * 5]
    assert ARCHIVED_AT_A_LOOK * 24 * 60 > MOST_ACTIVE


async def test_a_thread_that_cannot_be_archived_is_not_tried_all_the_time(harness: Harness) -> None:
    done = (await over(harness))[0]
    harness.faults.fail_requests("PATCH", CHANNEL, 403, 9, code=50013)
    for _ in range(5):
        await looked(harness, HOUR)
    assert not is_archived(done) and changes(harness) == 1


async def test_in_a_crowded_server_the_oldest_go_before_their_hour_is_over(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = await over(harness, 4)
    monkeypatch.setattr(board_loop, "CROWDED", active(harness) - 1)
    await looked(harness, 0)
    assert [is_archived(played) for played in done] == [True, True, False, False], "as many as there are too many"


async def test_a_server_that_is_full_gives_the_next_match_its_thread_in_a_minute(harness: Harness) -> None:
    done = await over(harness, 3)
    await crowd(harness, MOST_ACTIVE - active(harness))
    challenge = await harness.challenge(opponent=harness.bea)
    await harness.bea.press(challenge.lobby, "Accept")
    await harness.settled()
    new = await challenge.fresh()
    assert new.place["name"] == "games" and labels(new.board) == ["Move", "Rules", "More …"]
    await looked(harness, 60)
    assert all(map(is_archived, done))
    assert (await new.move("b2")).place["name"].startswith("Ann – Bea")


async def test_a_server_is_full_when_discord_says_so(harness: Harness) -> None:
    """Of private threads that we do not see we know nothing."""
    done = await over(harness, 2)
    harness.faults.fail_requests("POST", "/channels/{channel_id}/messages/{message_id}/threads", 400, code=160006)
    await harness.match(harness.cem, harness.dora)
    await looked(harness, 0)
    assert all(map(is_archived, done))
    later = await over(harness)
    await asyncio.sleep(FULL_FOR)
    await looked(harness, 60)
    assert not is_archived(later[0])


async def test_the_thread_of_a_live_match_is_woken(harness: Harness) -> None:
    """Busy channels archive threads early, and then nothing on a board works for some people."""
    live, done = await harness.match(), (await over(harness))[0]
    for played in (live, done):
        harness.faults.archive(played.place)
    await harness.until(lambda: not is_archived(live))
    await asyncio.sleep(5)
    assert is_archived(done)


async def test_nobody_fights_over_a_thread(harness: Harness) -> None:
    live = await harness.match()
    harness.faults.archive(live.place, locked=True)
    await asyncio.sleep(5)
    assert is_archived(live) and changes(harness) == 0, "who locks it means it"
    harness.faults.archive(live.place)
    await harness.until(lambda: not is_archived(live))
    for _ in range(4):
        harness.faults.archive(live.place)
        await asyncio.sleep(5)
    assert changes(harness) == 1
    await asyncio.sleep(WOKEN_EVERY)
    harness.faults.archive(live.place)
    await harness.until(lambda: not is_archived(live))


async def test_a_live_thread_that_was_archived_while_the_bot_was_away_is_woken(harness: Harness) -> None:
    live = await harness.match()
    harness.life.kill()
    harness.faults.archive(live.place)
    await harness.restart()
    await looked(harness, 60)
    assert not is_archived(live)


async def test_what_the_last_board_offers_can_be_had_outside_its_thread_too(harness: Harness) -> None:
    """On the web and on phones nobody presses a button in an archived thread who may not write there."""
    ended = await harness.match()
    for square in FULL_BOARD:
        ended = await ended.move(square) if ended.row.turn else ended
    board = ended.board
    assert labels(board) == OVER and "/match board" not in people.text_of(board)
    assert people.text_of((await harness.bea.command("help", channel="games")).message).count("`/match board`") == 1
    harness.faults.deny("games", "send_messages_in_threads", who="Bea")
    harness.faults.archive(ended.place)
    with pytest.raises(ClientRefusal, match="archived"):
        await harness.press_more(harness.bea, board, "Details")
    found = await harness.bea.complete("match board", "match", channel="games", match="")
    assert [value for _, value in found] == [str(ended.id)]
    own = await harness.bea.command("match board", channel="games", match=found[0][1])
    assert own.is_ephemeral and labels(own.message) == OVER and "If a button here" not in own.text
    said: dict[str, str] = {}
    for label in OVER[::-1]:
        await asyncio.sleep(10)
        await harness.run_due_acts(10)
        reply = await harness.bea.press(own.message, label)
        await harness.life.idle()
        assert reply.message["components"] or reply.message["content"], label
        said[label] = reply.text
    assert said.keys() == {*OVER} and said["Rematch"].startswith("The rematch starts as soon"), said
    await harness.settled()


async def test_a_last_board_in_a_channel_says_nothing_of_threads(harness: Harness) -> None:
    harness.faults.deny("games", "create_public_threads")
    played = (await over(harness))[0]
    assert "If a button here" not in people.text_of((await played.fresh()).board)


@sampled("months", [1, 3], rest=pytest.mark.minutes)
@pytest.mark.timeout(900)
@pytest.mark.long
async def test_a_crowded_server_never_runs_out_of_threads(harness: Harness, months: int) -> None:
    """Two matches a day, of which the second is played for three days; people have 990 threads of their own."""
    await crowd(harness, OTHERS)
    curve: list[int] = []
    live: list[Played] = []
    for month in range(months):
        most = 0
        for day in range(MONTH):
            await asyncio.sleep(10)  # nobody plays that fast
            quick = await harness.match(harness.ann, harness.bea)
            await harness.surely(harness.bea, "match resign", channel=quick.place)
            live.append(await harness.match(harness.cem, harness.dora))
            if len(live) > 3:
                await harness.surely(harness.dora, "match resign", channel=live.pop(0).place)
            await harness.settled()
            for played in (quick, live[-1]):
                assert " – " in played.place["name"], f"match {played.id} on day {day} of month {month} has no thread"
            most = max(most, active(harness))
            if (month * MONTH + day) % 10 == 9:
                await harness.restart()
            await looked(harness, DAY)
            await asyncio.sleep(10)  # nobody presses faster than they may
        curve.append(most)
    print("\nmost active threads by month:", *curve)
    assert max(curve) < MOST_ACTIVE
