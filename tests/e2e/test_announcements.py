"""How a match ended is news: a new message in its channel, once and without a sound, whatever goes wrong; and the post
of the day on which it began shrinks to a line that leads there."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.umpire.transactions import NEWS_FOR
from tests.e2e.harness import MESSAGES, OVER, Harness, Json, Played, called, labels, said
from tests.support.pushes import faults
from tests.support.sampled import sampled

STEPS = ("committed", "told", "drawn", "posted", "noted", "shown", "announced", "news")
"""What the bot passes on the way from the last act to the line that is left of the challenge."""
AGAIN = ["Replay", "Rematch", "Review"]


@pytest.fixture(autouse=True)
def forgiving(harness: Harness) -> None:
    """What Discord does not take is tried again."""
    harness.forgiven += ["could not be shown and will be tried again", "could not be edited"]


def news(harness: Harness, played: Played, channel: str = "games") -> list[Json]:
    """What a channel was told of how a match ended."""
    place = harness.sandbox.channel(channel)["id"]
    found = harness.sandbox.world.messages[place].values()
    return [one for one in found if str(one.get("nonce")).startswith(f"f{played.id}.")]


def link(message: Json) -> str:
    """The end of a link to a message."""
    return f"/{message['channel_id']}/{message['id']}"


async def ended(harness: Harness) -> Played:
    """A match between two people in a thread that is over."""
    played = await harness.match()
    await played.move("b2")
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.settled()
    return await played.fresh()


async def test_the_end_of_a_match_is_a_new_message_in_its_channel(harness: Harness) -> None:
    played = await harness.match()
    between = await harness.challenge(harness.cem)
    for square in ("b2", "a1", "c1"):
        played = await played.move(square)
    assert news(harness, played) == []
    played = await played.move("b1")
    (told,) = news(harness, played)
    assert int(told["id"]) > int(between.lobby["id"]), "it stands below what was written since"
    text = people.text_of(told)
    assert f"**{called(harness.bea)} beat {called(harness.ann)} 245\xa0:\xa027 · Binary Primes**" in text
    assert f"match {played.id}" in text and f"/{played.row.thread}" in text and labels(told) == AGAIN
    board, small = people.list_media(told), people.list_media(played.lobby)
    assert [one.alt for one in board] == [one.alt for one in people.list_media(played.board)] and not small
    assert (
        told["flags"] & 1 << 12 and not told["mentions"] and not faults(harness.sandbox.world, harness.sandbox.rest.log)
    )
    line = f"{called(harness.ann)} and {called(harness.bea)}'s match of **Binary Primes** is over: "
    assert said(played.lobby).startswith(line) and link(told) in said(played.lobby) and not labels(played.lobby)
    assert played.row.announcement == int(told["id"]) and played.row.announce_until is None


async def test_its_buttons_stay_and_lead_where_they_say(harness: Harness) -> None:
    played = await ended(harness)
    (told,) = news(harness, played)
    opened = await harness.cem.press(told, "Replay")
    assert "Move 2 of 2" in opened.text
    asked = await harness.bea.press(told, "Rematch")
    assert "rematch" in asked.text.lower()
    await harness.restart()
    await harness.cem.press(told, "Replay")
    await harness.settled()
    assert labels(told) == AGAIN and len(news(harness, played)) == 1 and labels(played.board) == OVER


@sampled("step", STEPS)
async def test_a_death_at_any_step_leaves_one_message_and_one_line(harness: Harness, step: str) -> None:
    played = await (await harness.match()).move("b2")
    asked = await harness.ann.command("match resign", match=played.id)
    harness.kill_at(step)
    with suppress(NoAnswerInTime):
        await harness.ann.press(asked.message, labels(asked.message)[0])
    await harness.killed.wait()
    harness.faults.forget_nonces()
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    (told,) = news(harness, played)
    assert link(told) in said(played.lobby) and labels(told) == AGAIN and labels(played.board) == OVER


@pytest.mark.parametrize("way", ["fails", "lost", "hangs"])
async def test_what_discord_did_not_take_or_not_answer_comes_once(harness: Harness, way: str) -> None:
    played = await (await harness.match()).move("b2")
    match way:
        case "fails":
            harness.faults.fail_requests("POST", MESSAGES, 503, channel="games")
        case "lost":
            harness.faults.lose_answer("POST", MESSAGES, channel="games")
        case _:
            harness.faults.delay_requests("POST", MESSAGES, 40, applied=True, channel="games")
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.settled()
    played = await played.fresh()
    (told,) = news(harness, played)
    assert link(told) in said(played.lobby)


async def test_what_was_posted_without_an_answer_and_refused_when_it_was_sent_again_is_found(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    harness.faults.fail_requests("POST", MESSAGES, 502, applied=True, channel="games")
    harness.faults.fail_requests("POST", MESSAGES, 403, channel="games")
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.until(lambda: 403 in {entry.status for entry in harness.sandbox.requests_of("POST", MESSAGES)})
    await harness.life.idle()
    assert len(news(harness, played)) == 1 and (await harness.row(played.id)).announcement is None
    await harness.run_due_acts(NEWS_FOR + 60)
    await harness.life.does(harness.life.client.publisher.catch_up())
    await harness.settled()
    played = await played.fresh()
    (told,) = news(harness, played)
    assert played.row.announcement == int(told["id"]) and link(told) in said(played.lobby)


async def test_a_closed_channel_is_told_when_it_is_open_again(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    harness.faults.deny("games", "send_messages")
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.until(lambda: played.harness.told(harness.bea) >= 2)
    await harness.life.idle()
    assert news(harness, played) == [] and (await harness.row(played.id)).announce_until
    harness.faults.allow("games", "send_messages")
    await harness.restart()
    await harness.settled()
    assert len(news(harness, played)) == 1


async def test_what_is_no_news_any_more_stands_on_the_challenge(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    harness.faults.deny("games", "send_messages")
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.life.idle()
    await harness.run_due_acts(NEWS_FOR + 60)
    harness.faults.allow("games", "send_messages")
    await harness.restart()
    await harness.settled()
    played = await played.fresh()
    assert news(harness, played) == [] and played.row.announcement is None and played.row.announce_until is None
    assert f"{called(harness.bea)} beat {called(harness.ann)}, who resigned" in said(played.lobby)
    assert labels(played.lobby) == AGAIN and len(people.list_media(played.lobby)) == 1


async def test_the_end_of_a_match_whose_game_is_gone_is_told_nobody_and_not_tried_for_ever(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    harness.faults.deny("games", "send_messages")
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.life.idle()
    harness.life.kill()
    harness.deaths += 1
    harness.forgiven.append("is not shown any more")
    with closing(sqlite3.connect(harness.file)) as database, database:
        database.execute("UPDATE matches SET game = 'chess'")
    await harness.restart()
    await harness.life.client.publisher.catch_up()
    await harness.life.idle()
    assert (await harness.row(played.id)).announce_until is None


async def test_the_last_board_in_the_channel_itself_is_the_news(harness: Harness) -> None:
    harness.faults.deny(None, "create_public_threads")
    played = await ended(harness)
    assert news(harness, played) == [] and played.board["channel_id"] == str(played.row.channel)
    assert link(played.board) in said(played.lobby) and not people.list_media(played.lobby)


async def test_a_deleted_thread_brings_its_last_board_into_the_channel_and_nothing_more(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    harness.faults.delete_channel(played.place["id"])
    await harness.settled()
    played = await played.fresh()
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.settled()
    played = await played.fresh()
    assert (
        news(harness, played) == [] and played.row.announce_until is None and link(played.board) in said(played.lobby)
    )


async def test_of_a_match_against_the_computer_its_channel_hears_nothing(harness: Harness) -> None:
    played = await harness.against()
    before = [one["type"] for one in harness.cem.read_messages("games")]
    await harness.surely(harness.ann, "match resign", match=played.id)
    await harness.settled()
    played = await played.fresh()
    assert before == [] == harness.cem.read_messages("games") and played.row.lobby_message is None
    assert (
        played.place["type"] == 11 and " beat " in people.text_of(played.board) and labels(played.board)[0] == "Rematch"
    )


async def test_a_match_alone_is_told_of_once_it_is_published(harness: Harness) -> None:
    await harness.ann.command("sums-grid challenge", channel="games", seats=1, size=2)
    await harness.settled()
    assert harness.cem.read_messages("games") == []
    played = Played(harness, 1, await harness.row(1))
    await harness.ann.command("move", channel=played.place, line="grid 1 2 / 4 8")
    await harness.surely(harness.ann, "sums-grid done", channel=played.place)
    await harness.settled()
    assert harness.cem.read_messages("games") == [] and news(harness, played) == []
    await harness.ann.command("match publish", channel=played.place, match=1)
    await harness.settled()
    (told,) = news(harness, played)
    assert " reached 5, the record here · Sums Grid**" in people.text_of(told) and labels(told) == ["Replay", "Rematch"]


async def test_where_there_is_no_thread_a_match_against_the_computer_has_its_boards_alone(harness: Harness) -> None:
    harness.faults.deny(None, "create_public_threads")
    played = await harness.against()
    kinds = {str(one.get("nonce") or "-")[0] for one in harness.cem.read_messages("games")}
    assert kinds == {"b"} and (await harness.row(played.id)).lobby_message is None
