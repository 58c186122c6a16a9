"""Replays: those who may see a match step through it, get its film, and can show the film to everybody."""

from __future__ import annotations

import pytest

from bot.platform.jobs import Asker, JobPriority
from bot.play.ids import UserId
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.e2e.house import MESSAGES, OVER, House, Json, Played, called, labels
from tests.rendering import gifs

FIRST, BACK, NEXT, LAST, FILM = "First", "Back", "Next", "Last", "Moving picture"
EVERYBODY = "Show everybody"
ORIGINAL = "/webhooks/{application_id}/{token}/messages/{message_id}"


async def finished(house: House, channel: str = "games") -> Played:
    """Ann and Bea have moved, and Bea has resigned."""
    played = await (await house.match(channel=channel)).move("b2")
    played = await played.move("a1")
    await house.surely(house.bea, "match resign", channel=played.place)
    await house.settled()
    return await played.fresh()


def closed(message: Json) -> list[str]:
    """The labels of the buttons that cannot be pressed."""
    return [button.label for button in people.list_buttons(message) if button.disabled]


def film_of(house: House, message: Json) -> gifs.Gif:
    """The film on a message."""
    (attachment,) = message["attachments"]
    assert attachment["filename"] == "replay.gif" and attachment["description"].startswith("A match of Binary Primes")
    return gifs.read(people.bytes_of(house.sandbox.world, attachment))


async def filmed(house: House, reply: BotReply) -> Json:
    """The message of a film, when it is made."""
    await house.life.idle()
    return reply.message


async def test_a_match_is_gone_through_and_shown_to_everybody_through_a_restart(house: House) -> None:
    played, cem = await finished(house), house.cem
    thread = house.ann.read_latest_message(played.place)
    assert labels(played.board) == OVER
    opened = await cem.press(played.board, "Replay")
    assert opened.is_ephemeral and "Before the first of 3 moves · only you see this" in opened.text
    assert labels(opened.message) == [FIRST, BACK, NEXT, LAST, FILM, "Try out"] and closed(opened.message) == [
        FIRST,
        BACK,
    ]
    stepped = await cem.press(opened, NEXT)
    assert stepped.kind == "update" and f"{called(house.ann)} played **b2**: " in stepped.text
    await house.restart()
    stepped = await cem.press(opened, NEXT)
    assert "Move 2 of 3" in stepped.text and "played **a1**" in stepped.text and closed(stepped.message) == []
    last = await cem.press(opened, LAST)
    assert f"{called(house.bea)} resigned." in last.text and f"{called(house.ann)} beat " in last.text
    assert closed(last.message) == [NEXT, LAST]
    made = await cem.press(opened, FILM)
    shown = await filmed(house, made)
    assert made.is_ephemeral and labels(shown) == [EVERYBODY]
    assert [frame.time for frame in film_of(house, shown).frames] == [1200, 1200, 1200, 5000]
    await house.restart()
    before = len(cem.read_messages("games"))
    await cem.press(shown, EVERYBODY)
    await house.life.idle()
    post = house.dora.read_latest_message("games")
    assert film_of(house, post) == film_of(house, shown) and labels(post) == [] and post["mentions"] == []
    assert f"Everybody can see it: https://discord.com/channels/{played.row.guild}/" in made.text
    assert labels(made.message) == [] and len(made.message["attachments"]) == 1
    await house.forge(cem, shown, f"r:{played.id}:3:show")
    await house.life.idle()
    assert len(cem.read_messages("games")) == before + 1, "pressing twice shows it twice"
    assert house.ann.read_latest_message(played.place)["id"] == thread["id"], "something stands below the board"


async def test_a_match_that_goes_on_has_more_and_its_film_is_shown_to_the_asker_alone(house: House) -> None:
    played = await (await house.match()).move("b2")
    opened = await house.bea.command("match replay", channel=played.place)
    assert "Move 1 of 1 · only you see this" in opened.text and closed(opened.message) == [NEXT, LAST]
    assert f"{called(house.bea)} is to move" in opened.text
    back = await house.bea.press(opened, BACK)
    assert "Before the first move · only you see this" in back.text
    played = await played.move("a1")
    assert "Move 1 of 2" in (await house.bea.press(opened, NEXT)).text
    made = await house.bea.press(opened, FILM)
    shown = await filmed(house, made)
    assert labels(shown) == [] and len(film_of(house, shown).frames) == 3
    house.life.client.gate.acts.buckets.clear()  # nobody presses all of that in a second
    forged = await house.forge(house.bea, shown, f"r:{played.id}:2:show")
    assert forged.text.startswith("This match isn't over yet, so only you see its moving picture")
    unbegun = await house.challenge()
    refused = await house.ann.command("match replay", channel="games", match=unbegun.id)
    assert refused.text.startswith("It hasn't begun yet: ")
    lost = await house.forge(house.bea, shown, f"r:{played.id}:2:dance")
    assert lost.text.startswith("This button is out of date")
    beyond = await house.forge(house.bea, shown, f"r:{played.id}:999999999:next")
    assert "Move 2 of 2" in beyond.text


def last_word(house: House, message: Json) -> str:
    """The last text shown in place of a message to the person who pressed something on it."""
    return people.text_of(house.cem.read_messages(message["channel_id"])[-1])


@pytest.mark.long
async def test_what_stands_in_the_way_of_showing_it_is_said(house: House) -> None:
    played = await finished(house)
    opened = await house.cem.press(played.board, "Replay")
    shown = await filmed(house, await house.cem.press(opened, FILM))
    acts, before, games = house.life.client.gate.acts, len(house.cem.read_messages("games")), f"<#{played.row.channel}>"

    async def pressed() -> None:
        acts.buckets.clear()  # nobody presses all of that in a second
        await house.cem.press(shown, EVERYBODY)
        await house.life.idle()

    house.faults.deny("games", "send_messages", who=house.cem.id)
    await pressed()
    assert last_word(house, shown).startswith(f"You can't write in {games}, where this match began")
    house.faults.allow("games", "send_messages", who=house.cem.id)
    house.faults.deny("games", "attach_files")
    await pressed()
    assert last_word(house, shown).startswith(f"I can't show it in {games}. I need View Channel")
    house.faults.allow("games", "attach_files")
    house.faults.fail_requests("POST", MESSAGES, status=403, code=50013, times=1)
    await pressed()
    assert last_word(house, shown).startswith(f"I couldn't show it in {games}. I need View Channel")
    (film,) = (one for one in house.cem.read_messages(shown["channel_id"]) if one["id"] == shown["id"])
    assert labels(film) == [EVERYBODY], "it cannot be tried again"
    house.faults.fail_requests("PATCH", ORIGINAL, status=404, code=50027, times=1)
    house.faults.deliver_twice()
    await pressed()
    assert len(house.cem.read_messages("games")) == before + 1, "it is shown never, or twice"
    house.faults.deny("games", "view_channel", who=house.dora.id)
    acts.buckets.clear()
    hidden = await house.dora.command("match replay", match=played.id)
    assert hidden.text == f"There is no match {played.id} here that you can see. /matches lists yours."


@pytest.mark.long
async def test_a_film_that_discord_delivers_twice_is_one_answer_and_a_dismissed_one_is_forgotten(house: House) -> None:
    played = await finished(house)
    opened = await house.cem.press(played.board, "Replay")
    house.faults.deliver_twice()
    made = await house.cem.press(opened, FILM)
    shown = await filmed(house, made)
    assert len(shown["attachments"]) == 1
    house.life.client.gate.acts.buckets.clear()
    again = await house.cem.press(opened, FILM)
    house.cem.dismiss_message(str(again.message_id))
    await house.life.idle()


@pytest.mark.long
async def test_a_bot_that_is_told_to_stop_gives_up_its_films(house: House) -> None:
    played = await finished(house)
    opened = await house.cem.press(played.board, "Replay")
    somebody = Asker(played.row.guild, UserId(1))
    await house.life.client.handlers.films.turns.enter(somebody, JobPriority.MOVE, 1)
    made = await house.cem.press(opened, FILM)
    await house.life.rest()
    await house.life.end()
    assert made.message["attachments"] == []
    await house.restart()
    made = await house.cem.press(opened, FILM)
    assert labels(await filmed(house, made)) == [EVERYBODY]


async def test_what_is_forged_on_a_board_changes_nothing_there(house: House) -> None:
    played = await finished(house)
    before = played.board
    for step in ("next", "film", "show"):
        house.life.client.gate.acts.buckets.clear()
        reply = await house.forge(house.cem, before, f"r:{played.id}:1:{step}")
        await house.life.idle()
        assert reply.is_ephemeral and reply.message["id"] != before["id"]
    assert (await played.fresh()).board == before
    assert (
        reply.text.startswith("Everybody can see it: ")
        and len(film_of(house, house.ann.read_latest_message("games")).frames) == 4
    )
    foreign = await house.forge(house.cem, before, f"r:{played.id + 1}:1:next")
    assert foreign.text == f"There is no match {played.id + 1} here. /matches lists yours."


@pytest.mark.long
async def test_in_a_post_of_a_forum_a_board_that_is_played_on_stays_the_last_message(house: House) -> None:
    post = "Which game first?"
    played = await finished(house, post)
    opened = await house.cem.press(played.board, "Replay")
    shown = await filmed(house, await house.cem.press(opened, FILM))
    live = await house.match(channel=post)
    refused = await house.cem.press(shown, EVERYBODY)
    said = f"Match {live.id} is being played in <#{played.place['id']}>, and its board stays the last message there."
    assert (refused.text, refused.is_ephemeral) == (said, True)
    await house.surely(house.bea, "match resign", match=live.id)
    await house.settled()
    house.life.client.gate.acts.buckets.clear()
    await house.cem.press(shown, EVERYBODY)
    await house.life.idle()
    assert len(film_of(house, house.dora.read_latest_message(post)).frames) == 4
