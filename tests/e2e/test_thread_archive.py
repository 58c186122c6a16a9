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
from tests.e2e.house import MESSAGE, OVER, House, Played, labels
from tests.support.sampled import sampled

DAY, HOUR, MONTH = 86_400, 3600, 30
CHANNEL = "/channels/{channel_id}"
FULL_BOARD = ("b2", "a1", "c3", "a3", "c1", "b1", "b3", "a2", "c2")
OTHERS = 990
"""How many active threads a server has that are none of ours."""


@pytest.fixture(autouse=True)
async def noon(house: House) -> None:
    """It is noon, and stays so until somebody puts the clock forward."""
    house.clock.at = house.clock() // DAY * DAY + DAY // 2
    await house.run_due_acts(0)
    house.sandbox.world.clock = house.clock


def archive(house: House) -> ThreadArchive:
    found = house.life.client.get_cog("ThreadArchive")
    assert isinstance(found, ThreadArchive)
    return found


async def looked(house: House, after: int) -> None:
    """Time has passed, and the bot has looked after its threads."""
    await house.later(after)
    await house.life.does(archive(house).poll())
    await house.settled()


async def over(house: House, number: int = 1) -> list[Played]:
    """Matches of Ann's against Bea that she has resigned."""
    found: list[Played] = []
    for _ in range(number):
        await asyncio.sleep(60)
        await house.run_due_acts(60)
        played = await house.match()
        await house.surely(house.ann, "match resign", channel=played.place)
        await house.settled()
        found.append(played)
    return found


def is_archived(played: Played) -> bool:
    return bool(played.place["thread_metadata"]["archived"])


def changes(house: House) -> int:
    """How often a thread was archived or woken by the bot, or was to be."""
    return sum("archived" in (entry.body or {}) for entry in house.sandbox.requests_of("PATCH", CHANNEL))


def active(house: House) -> int:
    """How many threads of the server are active."""
    threads = (one for one in house.sandbox.world.channels.values() if one["type"] in THREADS)
    return sum(not one["thread_metadata"]["archived"] for one in threads)


async def crowd(house: House, number: int) -> None:
    """People have made so many threads."""
    world = house.sandbox.world
    place = house.sandbox.channel("general")
    for at in range(number):
        thread = seed.make_thread(world.new_id(), place, f"Talk {at}", house.dora.id, world.timestamp(), 10080)
        world.add_channel(thread | {"thread_members": [house.dora.id], "member_count": 1})
    await house.until(lambda: len(house.life.client.guilds[0].threads) >= number)


async def test_a_match_that_has_been_over_for_an_hour_leaves_no_active_thread(house: House) -> None:
    done, live = (await over(house))[0], await house.match(house.cem, house.dora)
    await looked(house, 0)
    await looked(house, OVER_FOR - 60)
    assert not is_archived(done)
    await looked(house, 120)
    assert is_archived(done) and not is_archived(live)
    await house.ann.press((await done.fresh()).board, "Details")
    assert not is_archived(done), "her client has woken it"
    await looked(house, HOUR)
    assert not is_archived(done), "people may go on talking"
    await looked(house, DAY)
    assert is_archived(done) and changes(house) == 2


async def test_it_is_archived_though_the_bot_was_away_when_it_was_due(house: House) -> None:
    done = (await over(house))[0]
    await house.restart()
    await looked(house, 9 * DAY)
    assert is_archived(done)


async def test_a_thread_waits_until_its_last_board_is_shown_and_those_before_are_closed(house: House) -> None:
    house.forgiven.append("An old message")
    played = await house.match()
    house.faults.deny("games", "send_messages_in_threads")
    await house.surely(house.ann, "match resign", match=played.id)
    await house.life.idle()
    await house.run_due_acts(2 * HOUR)
    await house.life.does(archive(house).poll())
    assert not is_archived(played), "its end is not shown yet"
    failing = house.faults.fail_requests("PATCH", MESSAGE, 403, times=2, channel=played.place)
    house.faults.allow("games", "send_messages_in_threads")
    await asyncio.sleep(61)
    await house.life.does(house.life.client.get_cog("ChannelRecovery").poll())  # type: ignore[union-attr]
    await house.life.does(house.life.client.publisher.catch_up())
    await house.until(lambda: failing.times == 0)
    await house.life.idle()
    await house.run_due_acts(HOUR)
    await house.life.does(archive(house).poll())
    assert not is_archived(played), "the board before it is not closed yet"
    await house.settled()
    played = await played.fresh()
    assert [labels(board) for board in played.boards[:-1]] == [[]] and len(played.boards) == 2
    await looked(house, HOUR)
    assert is_archived(played)


async def test_a_thread_in_which_another_match_is_played_or_offered_stays(house: House) -> None:
    done = (await over(house))[0]
    await house.challenge(channel=done.place, opponent=house.bea)
    await looked(house, 2 * HOUR)
    assert not is_archived(done)


@pytest.mark.long
async def test_after_an_update_the_old_ones_are_archived_in_turn_the_oldest_first(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_loop, "ARCHIVED_AT_A_LOOK", 2)
    done = await over(house, 5)
    await house.restart()
    seen: list[list[bool]] = []
    for wait in (2 * HOUR, 60, 60):
        await looked(house, wait)
        seen.append([is_archived(played) for played in done])
    assert seen == [[True] * 2 + [False] * 3, [True] * 4 + [False], [True] * 5]
    assert ARCHIVED_AT_A_LOOK * 24 * 60 > MOST_ACTIVE


async def test_a_thread_that_cannot_be_archived_is_not_tried_all_the_time(house: House) -> None:
    done = (await over(house))[0]
    house.faults.fail_requests("PATCH", CHANNEL, 403, 9, code=50013)
    for _ in range(5):
        await looked(house, HOUR)
    assert not is_archived(done) and changes(house) == 1


async def test_in_a_crowded_server_the_oldest_go_before_their_hour_is_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = await over(house, 4)
    monkeypatch.setattr(board_loop, "CROWDED", active(house) - 1)
    await looked(house, 0)
    assert [is_archived(played) for played in done] == [True, True, False, False], "as many as there are too many"


async def test_a_server_that_is_full_gives_the_next_match_its_thread_in_a_minute(house: House) -> None:
    done = await over(house, 3)
    await crowd(house, MOST_ACTIVE - active(house))
    challenge = await house.challenge(opponent=house.bea)
    await house.bea.press(challenge.lobby, "Accept")
    await house.settled()
    new = await challenge.fresh()
    assert new.place["name"] == "games" and labels(new.board) == ["Move", "Rules", "More …"]
    await looked(house, 60)
    assert all(map(is_archived, done))
    assert (await new.move("b2")).place["name"].startswith("Ann – Bea")


async def test_a_server_is_full_when_discord_says_so(house: House) -> None:
    """Of private threads that we do not see we know nothing."""
    done = await over(house, 2)
    house.faults.fail_requests("POST", "/channels/{channel_id}/messages/{message_id}/threads", 400, code=160006)
    await house.match(house.cem, house.dora)
    await looked(house, 0)
    assert all(map(is_archived, done))
    later = await over(house)
    await asyncio.sleep(FULL_FOR)
    await looked(house, 60)
    assert not is_archived(later[0])


async def test_the_thread_of_a_live_match_is_woken(house: House) -> None:
    """Busy channels archive threads early, and then nothing on a board works for some people."""
    live, done = await house.match(), (await over(house))[0]
    for played in (live, done):
        house.faults.archive(played.place)
    await house.until(lambda: not is_archived(live))
    await asyncio.sleep(5)
    assert is_archived(done)


async def test_nobody_fights_over_a_thread(house: House) -> None:
    live = await house.match()
    house.faults.archive(live.place, locked=True)
    await asyncio.sleep(5)
    assert is_archived(live) and changes(house) == 0, "who locks it means it"
    house.faults.archive(live.place)
    await house.until(lambda: not is_archived(live))
    for _ in range(4):
        house.faults.archive(live.place)
        await asyncio.sleep(5)
    assert changes(house) == 1
    await asyncio.sleep(WOKEN_EVERY)
    house.faults.archive(live.place)
    await house.until(lambda: not is_archived(live))


async def test_a_live_thread_that_was_archived_while_the_bot_was_away_is_woken(house: House) -> None:
    live = await house.match()
    house.life.kill()
    house.faults.archive(live.place)
    await house.restart()
    await looked(house, 60)
    assert not is_archived(live)


async def test_what_the_last_board_offers_can_be_had_outside_its_thread_too(house: House) -> None:
    """On the web and on phones nobody presses a button in an archived thread who may not write there."""
    ended = await house.match()
    for square in FULL_BOARD:
        ended = await ended.move(square) if ended.row.turn else ended
    board = ended.board
    assert labels(board) == OVER and "/match board" not in people.text_of(board)
    assert people.text_of((await house.bea.command("help", channel="games")).message).count("`/match board`") == 1
    house.faults.deny("games", "send_messages_in_threads", who="Bea")
    house.faults.archive(ended.place)
    with pytest.raises(ClientRefusal, match="archived"):
        await house.bea.press(board, "Details")
    found = await house.bea.complete("match board", "match", channel="games", match="")
    assert [value for _, value in found] == [str(ended.id)]
    own = await house.bea.command("match board", channel="games", match=found[0][1])
    assert own.is_ephemeral and labels(own.message) == OVER and "If a button here" not in own.text
    said: dict[str, str] = {}
    for label in OVER[::-1]:
        await asyncio.sleep(10)
        await house.run_due_acts(10)
        reply = await house.bea.press(own.message, label)
        await house.life.idle()
        assert reply.message["components"] or reply.message["content"], label
        said[label] = reply.text
    assert said.keys() == {*OVER} and said["Rematch"].startswith("The rematch starts as soon"), said
    await house.settled()


async def test_a_last_board_in_a_channel_says_nothing_of_threads(house: House) -> None:
    house.faults.deny("games", "create_public_threads")
    played = (await over(house))[0]
    assert "If a button here" not in people.text_of((await played.fresh()).board)


@sampled("months", [1, 3], rest=pytest.mark.minutes)
@pytest.mark.timeout(900)
@pytest.mark.long
async def test_a_crowded_server_never_runs_out_of_threads(house: House, months: int) -> None:
    """Two matches a day, of which the second is played for three days; people have 990 threads of their own."""
    await crowd(house, OTHERS)
    curve: list[int] = []
    live: list[Played] = []
    for month in range(months):
        most = 0
        for day in range(MONTH):
            await asyncio.sleep(10)  # nobody plays that fast
            quick = await house.match(house.ann, house.bea)
            await house.surely(house.bea, "match resign", channel=quick.place)
            live.append(await house.match(house.cem, house.dora))
            if len(live) > 3:
                await house.surely(house.dora, "match resign", channel=live.pop(0).place)
            await house.settled()
            for played in (quick, live[-1]):
                assert " – " in played.place["name"], f"match {played.id} on day {day} of month {month} has no thread"
            most = max(most, active(house))
            if (month * MONTH + day) % 10 == 9:
                await house.restart()
            await looked(house, DAY)
            await asyncio.sleep(10)  # nobody presses faster than they may
        curve.append(most)
    print("\nmost active threads by month:", *curve)
    assert max(curve) < MOST_ACTIVE
