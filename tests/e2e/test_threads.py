"""A match's thread is named by its people and its game, and says so once when the match is over."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.board.words import OVER, format_thread_name
from bot.games.catalogue import load_games
from bot.platform.messages import LONGEST_NAME
from bot.sandbox import people
from bot.sandbox.threads import CHANNEL_NAME_CHANGE
from tests.e2e.harness import Harness, Played, called, labels, without_joins
from tests.support.sampled import sampled

NAME = "Ann – Bea · Binary Primes · 1"
CHANNEL = "/channels/{channel_id}"


async def ended(harness: Harness) -> Played:
    """A match that Ann has resigned."""
    played = await harness.match()
    assert played.place["name"] == NAME
    await harness.surely(harness.ann, "match resign", channel=played.place)
    return played


def renamings(harness: Harness) -> list[str]:
    """The names that threads were given."""
    return [entry.body["name"] for entry in harness.sandbox.requests_of("PATCH", CHANNEL)]


async def test_it_is_renamed_once_when_the_match_is_over(harness: Harness) -> None:
    played = await ended(harness)
    await harness.settled()
    assert played.place["name"] == OVER + NAME
    await harness.ann.command("match board", channel=played.place)
    await harness.settled()
    await harness.restart()
    await harness.settled()
    assert renamings(harness) == [OVER + NAME]


async def test_discords_line_about_the_new_name_stands_above_the_last_board(harness: Harness) -> None:
    played = await ended(harness)
    await harness.settled()
    lines = [one["type"] for one in without_joins([*harness.sandbox.world.messages[played.place["id"]].values()])]
    assert lines[-3:] == [CHANNEL_NAME_CHANGE, 0, 0], lines
    assert " beat " in people.text_of((await played.fresh()).board)


async def test_a_name_that_is_to_be_waited_for_holds_up_no_last_board(harness: Harness) -> None:
    harness.forgiven += ["could not be shown", "rate limited"]
    harness.faults.rate_limit("PATCH", CHANNEL, retry_after=20, lasting=True)
    played = await harness.match()
    begun = asyncio.get_running_loop().time()
    await harness.surely(harness.ann, "match resign", channel=played.place)
    await harness.until(lambda: " beat " in people.text_of(played.board))
    assert asyncio.get_running_loop().time() - begun < 3
    await asyncio.sleep(60)
    await harness.settled()
    assert played.place["name"] == OVER + NAME
    told = [one["type"] for one in harness.sandbox.world.messages[played.place["id"]].values()]
    assert told.count(CHANNEL_NAME_CHANGE) == 1


async def test_a_match_that_is_called_off_is_over(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    await harness.surely(harness.ann, "match abort", channel=played.place)
    await harness.settled()
    assert played.place["name"] == f"{OVER}Bea – Cem · Binary Primes · 1"


@sampled("step", ["noted", "shown", "renamed"])
async def test_killed_before_or_after_the_renaming(harness: Harness, step: str) -> None:
    played = await harness.match()
    asked = await harness.ann.command("match resign", channel=played.place)
    harness.kill_at(step)
    await harness.ann.press(asked.message, "Resign")
    await harness.killed.wait()
    await harness.restart()
    await harness.until(lambda: played.place["name"] != NAME)
    await harness.settled()
    assert renamings(harness) == [OVER + NAME]
    assert not (await played.fresh()).row.rename_pending


@sampled("status", [403, 400])
async def test_a_name_that_cannot_be_changed_is_no_error(harness: Harness, status: int) -> None:
    harness.faults.fail_requests("PATCH", CHANNEL, status)
    played = await ended(harness)
    await harness.settled()
    await harness.restart()
    await harness.settled()
    assert (played.place["name"], len(renamings(harness))) == (NAME, 1)
    assert " beat " in people.text_of((await played.fresh()).board)


async def test_an_archived_thread_is_not_woken_for_it(harness: Harness) -> None:
    harness.forgiven += ["rate limited"]
    harness.faults.rate_limit("PATCH", CHANNEL, retry_after=60, lasting=True)
    played = await harness.match()
    asked = await harness.ann.command("match resign", channel=played.place)
    harness.kill_at("shown")
    await harness.ann.press(asked.message, "Resign")
    await harness.killed.wait()
    harness.faults.clear()
    asked_once = renamings(harness)
    harness.faults.archive(played.place)
    await harness.restart()
    await harness.settled()
    assert renamings(harness) == asked_once and played.place["name"] == NAME
    assert played.place["thread_metadata"]["archived"]


@pytest.mark.long
async def test_a_name_that_is_to_be_waited_for_comes_later(harness: Harness) -> None:
    """Discord allows two in ten minutes; nothing waits for that, and a restart has forgotten it."""
    harness.forgiven += ["could not be shown", "rate limited"]
    harness.faults.rate_limit("PATCH", CHANNEL, retry_after=600, lasting=True)
    played = await ended(harness)
    await harness.life.idle()
    played = await played.fresh()
    assert " beat " in people.text_of(played.board) and played.row.rename_pending
    harness.faults.clear()
    await harness.restart()
    await harness.settled()
    assert played.place["name"] == OVER + NAME


@pytest.mark.long
async def test_a_match_in_a_channel_renames_nothing(harness: Harness) -> None:
    harness.faults.deny("games", "create_public_threads")
    played = await harness.match()
    await harness.surely(harness.ann, "match resign", channel=played.place)
    await harness.settled()
    assert renamings(harness) == [] and not (await played.fresh()).row.rename_pending


@pytest.mark.long
async def test_a_server_that_has_as_many_threads_as_it_may_plays_in_its_channels(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a match whose own thread went to sleep, and cannot be woken."""
    asleep = await harness.match()
    harness.faults.archive(asleep.place)
    monkeypatch.setattr("bot.sandbox.threads.MOST_ACTIVE", 0)
    new = await harness.match(harness.cem, harness.dora)
    for played in (asleep, new):
        await played.mover.command("move", channel="games", line="b2", match=str(played.id))
        await harness.settled()
        played = await played.fresh()
        assert (played.place["name"], played.row.publish_error) == ("games", None)
        assert labels(played.board) == ["Move", "Rules", "More …"]
        assert f"{called(played.mover)} is to move." in people.text_of(played.board)
        await played.mover.press(played.board, "Rules")
        assert (await played.move("a1", played.mover)).place["name"] == "games"


@sampled("code", [50006, 0, 99_999, 50035, 200000])
async def test_a_name_that_a_server_does_not_let_through_gives_way_to_a_plain_one(harness: Harness, code: int) -> None:
    """For whatever reason: of the codes that may come for a name not all are known."""
    harness.faults.fail_requests("POST", "/channels/{channel_id}/messages/{message_id}/threads", 400, code=code)
    played = await harness.challenge(opponent=harness.bea)
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    assert (await played.fresh()).place["name"] == "Binary Primes · 1"


async def test_a_name_with_a_link_that_discord_refuses_gives_way_to_a_plain_one(harness: Harness) -> None:
    harness.sandbox.world.harmful.append("bea")
    played = await harness.match()
    assert played.place["name"] == "Binary Primes · 1"


async def test_a_plain_name_that_is_refused_too_leaves_the_match_in_its_channel(harness: Harness) -> None:
    harness.faults.fail_requests("POST", "/channels/{channel_id}/messages/{message_id}/threads", 400, times=2)
    played = await harness.match()
    assert played.place["name"] == "games"
    assert len(harness.sandbox.requests_of("POST", "/channels/{channel_id}/messages/{message_id}/threads")) == 2


def test_names_mention_nobody_and_are_no_markup() -> None:
    names = ["<@123>", "@everyone", "**Ann** ||x||", "Be\u202ea\n", "", "~~ `` ~~"]
    assert (
        format_thread_name(names, "Plexus · 12") == "123 – everyone – Ann x – Be a – somebody – somebody · Plexus · 12"
    )


@pytest.mark.parametrize("seats", range(1, 9))
@pytest.mark.parametrize("letter", ["W", "🦊", "👩‍👩‍👧", "ẽ"])
def test_names_fit_and_leave_room_for_the_end(seats: int, letter: str) -> None:
    """Also where Discord counts in UTF-16, in which an emoji has two units."""
    for game in load_games().values():
        name = format_thread_name([letter * (32 // len(letter))] * seats, f"{game.title} · {10**9}")
        assert len((OVER + name).encode("utf-16-le")) // 2 <= LONGEST_NAME
        assert "‍…" not in name
        assert name.endswith(f" · {game.title} · {10**9}") and name.count("–") == seats - 1
