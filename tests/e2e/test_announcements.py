"""How a match ended is news: a new message in its channel, once and without a sound, whatever goes wrong; and the post
of the day on which it began shrinks to a line that leads there."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress

import pytest

from bot.sandbox import people
from bot.sandbox.interactions import NoAnswerInTime
from bot.umpire.transactions import NEWS_FOR
from tests.e2e.house import MESSAGES, OVER, House, Json, Played, called, labels, said
from tests.support.pushes import faults
from tests.support.sampled import sampled

STEPS = ("committed", "told", "drawn", "posted", "noted", "shown", "announced", "news")
"""What the bot passes on the way from the last act to the line that is left of the challenge."""
AGAIN = ["Replay", "Rematch", "Review"]


@pytest.fixture(autouse=True)
def forgiving(house: House) -> None:
    """What Discord does not take is tried again."""
    house.forgiven += ["could not be shown and will be tried again", "could not be edited"]


def news(house: House, played: Played, channel: str = "games") -> list[Json]:
    """What a channel was told of how a match ended."""
    place = house.sandbox.channel(channel)["id"]
    found = house.sandbox.world.messages[place].values()
    return [one for one in found if str(one.get("nonce")).startswith(f"f{played.id}.")]


def link(message: Json) -> str:
    """The end of a link to a message."""
    return f"/{message['channel_id']}/{message['id']}"


async def ended(house: House) -> Played:
    """A match between two people in a thread that is over."""
    played = await house.match()
    await played.move("b2")
    await house.surely(house.ann, "match resign", match=played.id)
    await house.settled()
    return await played.fresh()


async def test_the_end_of_a_match_is_a_new_message_in_its_channel(house: House) -> None:
    played = await house.match()
    between = await house.challenge(house.cem)
    for square in ("b2", "a1", "c1"):
        played = await played.move(square)
    assert news(house, played) == []
    played = await played.move("b1")
    (told,) = news(house, played)
    assert int(told["id"]) > int(between.lobby["id"]), "it stands below what was written since"
    text = people.text_of(told)
    assert f"**{called(house.bea)} beat {called(house.ann)} 245\xa0:\xa027 · Binary Primes**" in text
    assert f"match {played.id}" in text and f"/{played.row.thread}" in text and labels(told) == AGAIN
    board, small = people.list_media(told), people.list_media(played.lobby)
    assert [one.alt for one in board] == [one.alt for one in people.list_media(played.board)] and not small
    assert told["flags"] & 1 << 12 and not told["mentions"] and not faults(house.sandbox.world, house.sandbox.rest.log)
    line = f"{called(house.ann)} and {called(house.bea)}'s match of **Binary Primes** is over: "
    assert said(played.lobby).startswith(line) and link(told) in said(played.lobby) and not labels(played.lobby)
    assert played.row.announcement == int(told["id"]) and played.row.announce_until is None


async def test_its_buttons_stay_and_lead_where_they_say(house: House) -> None:
    played = await ended(house)
    (told,) = news(house, played)
    opened = await house.cem.press(told, "Replay")
    assert "Before the first of 2 moves" in opened.text
    asked = await house.bea.press(told, "Rematch")
    assert "rematch" in asked.text.lower()
    await house.restart()
    await house.cem.press(told, "Replay")
    await house.settled()
    assert labels(told) == AGAIN and len(news(house, played)) == 1 and labels(played.board) == OVER


@sampled("step", STEPS)
async def test_a_death_at_any_step_leaves_one_message_and_one_line(house: House, step: str) -> None:
    played = await (await house.match()).move("b2")
    asked = await house.ann.command("match resign", match=played.id)
    house.kill_at(step)
    with suppress(NoAnswerInTime):
        await house.ann.press(asked.message, labels(asked.message)[0])
    await house.killed.wait()
    house.faults.forget_nonces()
    await house.restart()
    await house.settled()
    played = await played.fresh()
    (told,) = news(house, played)
    assert link(told) in said(played.lobby) and labels(told) == AGAIN and labels(played.board) == OVER


@pytest.mark.parametrize("way", ["fails", "lost", "hangs"])
async def test_what_discord_did_not_take_or_not_answer_comes_once(house: House, way: str) -> None:
    played = await (await house.match()).move("b2")
    match way:
        case "fails":
            house.faults.fail_requests("POST", MESSAGES, 503, channel="games")
        case "lost":
            house.faults.lose_answer("POST", MESSAGES, channel="games")
        case _:
            house.faults.delay_requests("POST", MESSAGES, 40, applied=True, channel="games")
    await house.surely(house.ann, "match resign", match=played.id)
    await house.settled()
    played = await played.fresh()
    (told,) = news(house, played)
    assert link(told) in said(played.lobby)


async def test_what_was_posted_without_an_answer_and_refused_when_it_was_sent_again_is_found(house: House) -> None:
    played = await (await house.match()).move("b2")
    house.faults.fail_requests("POST", MESSAGES, 502, applied=True, channel="games")
    house.faults.fail_requests("POST", MESSAGES, 403, channel="games")
    await house.surely(house.ann, "match resign", match=played.id)
    await house.until(lambda: 403 in {entry.status for entry in house.sandbox.requests_of("POST", MESSAGES)})
    await house.life.idle()
    assert len(news(house, played)) == 1 and (await house.row(played.id)).announcement is None
    await house.run_due_acts(NEWS_FOR + 60)
    await house.life.does(house.life.client.publisher.catch_up())
    await house.settled()
    played = await played.fresh()
    (told,) = news(house, played)
    assert played.row.announcement == int(told["id"]) and link(told) in said(played.lobby)


async def test_a_closed_channel_is_told_when_it_is_open_again(house: House) -> None:
    played = await (await house.match()).move("b2")
    house.faults.deny("games", "send_messages")
    await house.surely(house.ann, "match resign", match=played.id)
    await house.until(lambda: played.house.told(house.bea) >= 2)
    await house.life.idle()
    assert news(house, played) == [] and (await house.row(played.id)).announce_until
    house.faults.allow("games", "send_messages")
    await house.restart()
    await house.settled()
    assert len(news(house, played)) == 1


async def test_what_is_no_news_any_more_stands_on_the_challenge(house: House) -> None:
    played = await (await house.match()).move("b2")
    house.faults.deny("games", "send_messages")
    await house.surely(house.ann, "match resign", match=played.id)
    await house.life.idle()
    await house.run_due_acts(NEWS_FOR + 60)
    house.faults.allow("games", "send_messages")
    await house.restart()
    await house.settled()
    played = await played.fresh()
    assert news(house, played) == [] and played.row.announcement is None and played.row.announce_until is None
    assert f"{called(house.bea)} beat {called(house.ann)}, who resigned" in said(played.lobby)
    assert labels(played.lobby) == AGAIN and len(people.list_media(played.lobby)) == 1


async def test_the_end_of_a_match_whose_game_is_gone_is_told_nobody_and_not_tried_for_ever(house: House) -> None:
    played = await (await house.match()).move("b2")
    house.faults.deny("games", "send_messages")
    await house.surely(house.ann, "match resign", match=played.id)
    await house.life.idle()
    house.life.kill()
    house.deaths += 1
    house.forgiven.append("is not shown any more")
    with closing(sqlite3.connect(house.file)) as database, database:
        database.execute("UPDATE matches SET game = 'chess'")
    await house.restart()
    await house.life.client.publisher.catch_up()
    await house.life.idle()
    assert (await house.row(played.id)).announce_until is None


async def test_the_last_board_in_the_channel_itself_is_the_news(house: House) -> None:
    house.faults.deny(None, "create_public_threads")
    played = await ended(house)
    assert news(house, played) == [] and played.board["channel_id"] == str(played.row.channel)
    assert link(played.board) in said(played.lobby) and not people.list_media(played.lobby)


async def test_a_deleted_thread_brings_its_last_board_into_the_channel_and_nothing_more(house: House) -> None:
    played = await (await house.match()).move("b2")
    house.faults.delete_channel(played.place["id"])
    await house.settled()
    played = await played.fresh()
    await house.surely(house.ann, "match resign", match=played.id)
    await house.settled()
    played = await played.fresh()
    assert news(house, played) == [] and played.row.announce_until is None and link(played.board) in said(played.lobby)


async def test_of_a_match_against_the_computer_its_channel_hears_nothing(house: House) -> None:
    played = await house.against()
    before = [one["type"] for one in house.cem.read_messages("games")]
    await house.surely(house.ann, "match resign", match=played.id)
    await house.settled()
    played = await played.fresh()
    assert before == [] == house.cem.read_messages("games") and played.row.lobby_message is None
    assert (
        played.place["type"] == 11 and " beat " in people.text_of(played.board) and labels(played.board)[0] == "Rematch"
    )


async def test_a_match_alone_is_told_of_once_it_is_published(house: House) -> None:
    await house.ann.command("sums-grid challenge", channel="games", seats=1, size=2)
    await house.settled()
    assert house.cem.read_messages("games") == []
    played = Played(house, 1, await house.row(1))
    await house.ann.command("move", channel=played.place, line="grid 1 2 / 4 8")
    await house.surely(house.ann, "sums-grid done", channel=played.place)
    await house.settled()
    assert house.cem.read_messages("games") == [] and news(house, played) == []
    await house.ann.command("match publish", channel=played.place, match=1)
    await house.settled()
    (told,) = news(house, played)
    assert " reached 5, the record here · Sums Grid**" in people.text_of(told) and labels(told) == ["Replay", "Rematch"]


async def test_where_there_is_no_thread_a_match_against_the_computer_has_its_boards_alone(house: House) -> None:
    house.faults.deny(None, "create_public_threads")
    played = await house.against()
    kinds = {str(one.get("nonce") or "-")[0] for one in house.cem.read_messages("games")}
    assert kinds == {"b"} and (await house.row(played.id)).lobby_message is None
