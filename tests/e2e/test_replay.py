"""Replays: those who may see a match step through it, get its film, and can show the film to everybody."""

from __future__ import annotations

import pytest

from bot.platform.jobs import Asker, JobPriority
from bot.play.ids import UserId
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.e2e.harness import MESSAGES, OVER, Harness, Json, Played, called, labels
from tests.rendering import gifs

FIRST, BACK, NEXT, LAST, FILM = "First", "Back", "Next", "Last", "Moving picture"
EVERYBODY = "Show everybody"
ORIGINAL = "/webhooks/{application_id}/{token}/messages/{message_id}"


async def finished(harness: Harness, channel: str = "games") -> Played:
    """Ann and Bea have moved, and Bea has resigned."""
    played = await (await harness.match(channel=channel)).move("b2")
    played = await played.move("a1")
    await harness.surely(harness.bea, "match resign", channel=played.place)
    await harness.settled()
    return await played.fresh()


def closed(message: Json) -> list[str]:
    """The labels of the buttons that cannot be pressed."""
    return [button.label for button in people.list_buttons(message) if button.disabled]


def film_of(harness: Harness, message: Json) -> gifs.Gif:
    """The film on a message."""
    (attachment,) = message["attachments"]
    assert attachment["filename"] == "replay.gif" and attachment["description"].startswith("A match of Binary Primes")
    return gifs.read(people.bytes_of(harness.sandbox.world, attachment))


async def filmed(harness: Harness, reply: BotReply) -> Json:
    """The message of a film, when it is made."""
    await harness.life.idle()
    return reply.message


async def test_a_match_is_gone_through_and_shown_to_everybody_through_a_restart(harness: Harness) -> None:
    played, cem = await finished(harness), harness.cem
    thread = harness.ann.read_latest_message(played.place)
    assert labels(played.board) == OVER
    opened = await cem.press(played.board, "Replay")
    assert opened.is_ephemeral and "Move 3 of 3 · only you see this" in opened.text
    assert labels(opened.message) == [FIRST, BACK, NEXT, LAST, FILM] and closed(opened.message) == [NEXT, LAST]
    opened = await cem.press(opened, FIRST)
    assert "Before the first of 3 moves · only you see this" in opened.text
    assert labels(opened.message) == [FIRST, BACK, NEXT, LAST, FILM, "Try out"]
    assert closed(opened.message) == [FIRST, BACK]
    stepped = await cem.press(opened, NEXT)
    assert stepped.kind == "update" and f"{called(harness.ann)} played **b2**: " in stepped.text
    await harness.restart()
    stepped = await cem.press(opened, NEXT)
    assert "Move 2 of 3" in stepped.text and "played **a1**" in stepped.text and closed(stepped.message) == []
    last = await cem.press(opened, LAST)
    assert f"{called(harness.bea)} resigned." in last.text and f"{called(harness.ann)} beat " in last.text
    assert closed(last.message) == [NEXT, LAST]
    made = await cem.press(opened, FILM)
    shown = await filmed(harness, made)
    assert made.is_ephemeral and labels(shown) == [EVERYBODY]
    assert [frame.time for frame in film_of(harness, shown).frames] == [1200, 1200, 1200, 5000]
    await harness.restart()
    before = len(cem.read_messages("games"))
    await cem.press(shown, EVERYBODY)
    await harness.life.idle()
    post = harness.dora.read_latest_message("games")
    assert film_of(harness, post) == film_of(harness, shown) and labels(post) == [] and post["mentions"] == []
    assert f"Everybody can see it: https://discord.com/channels/{played.row.guild}/" in made.text
    assert labels(made.message) == [] and len(made.message["attachments"]) == 1
    await harness.forge(cem, shown, f"r:{played.id}:3:show")
    await harness.life.idle()
    assert len(cem.read_messages("games")) == before + 1, "pressing twice shows it twice"
    assert harness.ann.read_latest_message(played.place)["id"] == thread["id"], "something stands below the board"


async def test_a_match_that_goes_on_has_more_and_its_film_is_shown_to_the_asker_alone(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    opened = await harness.bea.command("match replay", channel=played.place)
    assert "Move 1 of 1 · only you see this" in opened.text and closed(opened.message) == [NEXT, LAST]
    assert "It's your move." in opened.text
    back = await harness.bea.press(opened, BACK)
    assert "Before the first move · only you see this" in back.text
    played = await played.move("a1")
    assert "Move 1 of 2" in (await harness.bea.press(opened, NEXT)).text
    made = await harness.bea.press(opened, FILM)
    shown = await filmed(harness, made)
    assert labels(shown) == [] and len(film_of(harness, shown).frames) == 3
    harness.life.client.gate.acts.buckets.clear()  # nobody presses all of that in a second
    forged = await harness.forge(harness.bea, shown, f"r:{played.id}:2:show")
    assert forged.text.startswith("This match isn't over yet, so only you see its moving picture")
    unbegun = await harness.challenge()
    refused = await harness.ann.command("match replay", channel="games", match=unbegun.id)
    assert refused.text.startswith("It hasn't begun yet: ")
    lost = await harness.forge(harness.bea, shown, f"r:{played.id}:2:dance")
    assert lost.text.startswith("This button is out of date")
    beyond = await harness.forge(harness.bea, shown, f"r:{played.id}:999999999:next")
    assert "Move 2 of 2" in beyond.text


def last_word(harness: Harness, message: Json) -> str:
    """The last text shown in place of a message to the person who pressed something on it."""
    return people.text_of(harness.cem.read_messages(message["channel_id"])[-1])


@pytest.mark.long
async def test_what_stands_in_the_way_of_showing_it_is_said(harness: Harness) -> None:
    played = await finished(harness)
    opened = await harness.cem.press(played.board, "Replay")
    shown = await filmed(harness, await harness.cem.press(opened, FILM))
    acts, before, games = (
        harness.life.client.gate.acts,
        len(harness.cem.read_messages("games")),
        f"<#{played.row.channel}>",
    )

    async def pressed() -> None:
        acts.buckets.clear()  # nobody presses all of that in a second
        await harness.cem.press(shown, EVERYBODY)
        await harness.life.idle()

    harness.faults.deny("games", "send_messages", who=harness.cem.id)
    await pressed()
    assert last_word(harness, shown).startswith(f"You can't write in {games}, where this match began")
    harness.faults.allow("games", "send_messages", who=harness.cem.id)
    harness.faults.deny("games", "attach_files")
    await pressed()
    assert last_word(harness, shown).startswith(f"I can't show it in {games}. I need View Channel")
    harness.faults.allow("games", "attach_files")
    harness.faults.fail_requests("POST", MESSAGES, status=403, code=50013, times=1)
    await pressed()
    assert last_word(harness, shown).startswith(f"I couldn't show it in {games}. I need View Channel")
    (film,) = (one for one in harness.cem.read_messages(shown["channel_id"]) if one["id"] == shown["id"])
    assert labels(film) == [EVERYBODY], "it cannot be tried again"
    harness.faults.fail_requests("PATCH", ORIGINAL, status=404, code=50027, times=1)
    harness.faults.deliver_twice()
    await pressed()
    assert len(harness.cem.read_messages("games")) == before + 1, "it is shown never, or twice"
    harness.faults.deny("games", "view_channel", who=harness.dora.id)
    acts.buckets.clear()
    hidden = await harness.dora.command("match replay", match=played.id)
    assert hidden.text == f"There is no match {played.id} here that you can see. /matches lists yours."


@pytest.mark.long
async def test_a_film_that_discord_delivers_twice_is_one_answer_and_a_dismissed_one_is_forgotten(
    harness: Harness,
) -> None:
    played = await finished(harness)
    opened = await harness.cem.press(played.board, "Replay")
    harness.faults.deliver_twice()
    made = await harness.cem.press(opened, FILM)
    shown = await filmed(harness, made)
    assert len(shown["attachments"]) == 1
    harness.life.client.gate.acts.buckets.clear()
    again = await harness.cem.press(opened, FILM)
    harness.cem.dismiss_message(str(again.message_id))
    await harness.life.idle()


@pytest.mark.long
async def test_a_bot_that_is_told_to_stop_gives_up_its_films(harness: Harness) -> None:
    played = await finished(harness)
    opened = await harness.cem.press(played.board, "Replay")
    somebody = Asker(played.row.guild, UserId(1))
    await harness.life.client.handlers.films.turns.enter(somebody, JobPriority.MOVE, 1)
    made = await harness.cem.press(opened, FILM)
    await harness.life.rest()
    await harness.life.end()
    assert made.message["attachments"] == []
    await harness.restart()
    made = await harness.cem.press(opened, FILM)
    assert labels(await filmed(harness, made)) == [EVERYBODY]


async def test_what_is_forged_on_a_board_changes_nothing_there(harness: Harness) -> None:
    played = await finished(harness)
    before = played.board
    for step in ("next", "film", "show"):
        harness.life.client.gate.acts.buckets.clear()
        reply = await harness.forge(harness.cem, before, f"r:{played.id}:1:{step}")
        await harness.life.idle()
        assert reply.is_ephemeral and reply.message["id"] != before["id"]
    assert (await played.fresh()).board == before
    assert (
        reply.text.startswith("Everybody can see it: ")
        and len(film_of(harness, harness.ann.read_latest_message("games")).frames) == 4
    )
    foreign = await harness.forge(harness.cem, before, f"r:{played.id + 1}:1:next")
    assert foreign.text == f"There is no match {played.id + 1} here. /matches lists yours."


@pytest.mark.long
async def test_in_a_post_of_a_forum_a_board_that_is_played_on_stays_the_last_message(harness: Harness) -> None:
    post = "Which game first?"
    played = await finished(harness, post)
    opened = await harness.cem.press(played.board, "Replay")
    shown = await filmed(harness, await harness.cem.press(opened, FILM))
    live = await harness.match(channel=post)
    refused = await harness.cem.press(shown, EVERYBODY)
    said = f"Match {live.id} is being played in <#{played.place['id']}>, and its board stays the last message there."
    assert (refused.text, refused.is_ephemeral) == (said, True)
    await harness.surely(harness.bea, "match resign", match=live.id)
    await harness.settled()
    harness.life.client.gate.acts.buckets.clear()
    await harness.cem.press(shown, EVERYBODY)
    await harness.life.idle()
    assert len(film_of(harness, harness.dora.read_latest_message(post)).frames) == 4
