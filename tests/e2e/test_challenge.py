"""Challenges and open tables: who may do what to them, and what becomes of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.features.challenges.words import SIT_DOWN
from bot.sandbox import people
from bot.sandbox.client_checks import ClientRefusal
from data.store import Reader
from tests.e2e.harness import MESSAGE, Harness, Played, called, labels, said


async def over(played: Played, sentence: str) -> None:
    """The challenge is over, and its channel says so once, without buttons: in its own place, or by a line that tells
    somebody and stands there instead."""
    await played.harness.settled()
    (told,) = played.ends
    if told["id"] == str(played.row.lobby_message):
        assert said(told) == sentence
    else:
        line = re.sub("<@[0-9]+>|\u2068[^\u2069]*\u2069", "", told["content"])
        expected = re.sub("\u2068[^\u2069]*\u2069", "", sentence).replace("**", "")
        assert line == f"{expected}\n-# match {played.id}" and told["mentions"]
    assert labels(told) == []
    assert (await played.fresh()).row.thread is None


async def test_an_invitation_can_be_read_about_accepted_or_declined_by_nobody_else(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    rules = await harness.bea.press(played.lobby, "Rules")
    assert rules.is_ephemeral
    assert rules.text.startswith("### Binary Primes Game (Leroy Quet, 2011)\nHide large primes in your lines:")
    assert ">>>" not in rules.text
    for person, button, sentence in (
        (harness.ann, "Accept", "You already sit at this table. It is waiting for the others."),
        (harness.cem, "Accept", "This challenge is for somebody else. You can make your own with /play."),
        (harness.cem, "Decline", "Only somebody who was challenged can decline."),
    ):
        refused = await person.press(played.lobby, button)
        assert (refused.text, refused.is_ephemeral) == (sentence, True)
    assert await played.unchanged()
    assert (await harness.bea.press(played.lobby, "Decline")).kind == "update"
    await over(played, f"{called(harness.bea)} declined {called(harness.ann)}'s challenge to **Binary Primes**.")


async def test_cancelled_by_who_made_it_and_by_who_manages_the_server(harness: Harness) -> None:
    for by in (harness.bea, harness.ann):
        played = await harness.challenge(harness.bea, opponent=harness.cem)
        assert "Cancel" not in labels(played.lobby), "who is challenged has nothing to cancel"
        refused = await harness.cem.command("match abort", channel="games", match=played.id)
        assert refused.text == f"Only {called(harness.bea)}, who made this challenge, can cancel it."
        assert refused.is_ephemeral and await played.unchanged()
        if by is harness.bea:
            asked = await by.press(played.lobby, "Decline")
            assert asked.is_ephemeral and labels(asked.message) == ["Withdraw", "Keep it"]
            assert asked.text == "Do you want to withdraw your challenge to Binary Primes? Nobody can accept it then."
            kept = await by.press(asked.message, "Keep it")
            assert kept.text == "Nothing was changed." and await played.unchanged()
            asked = await by.press(played.lobby, "Decline")
            taken = await by.press(asked.message, "Withdraw")
            assert taken.kind == "update" and taken.text.startswith(f"You withdrew the challenge to match {played.id}.")
        else:
            taken = await by.command("match abort", channel="games", match=played.id)
            assert taken.text.startswith(f"You withdrew the challenge to match {played.id}.")
        await over(played, f"{called(harness.bea)}'s challenge to **Binary Primes** was withdrawn.")


async def test_expired(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    lobby = played.lobby | {"components": list(played.lobby["components"])}
    harness.clock.ahead = 48 * 3600 - 60
    await harness.restart()
    await harness.settled()
    assert await played.unchanged()
    harness.clock.ahead = 48 * 3600 + 1
    await harness.restart()
    await harness.until(lambda: not any(map(labels, played.ends)))
    await over(
        played,
        f"{called(harness.ann)}'s challenge to **Binary Primes** expired, because {called(harness.bea)} didn't answer "
        "within 2 days.\n/binary-primes challenge asks again.",
    )
    late = await harness.forge(harness.bea, lobby, "m:1:0:accept")
    assert late.is_ephemeral
    assert late.text == "This challenge expired after 2 days. Make a new one."
    assert (await played.fresh()).row.state == "expired"
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 2)


async def test_an_expired_challenge_that_nobody_looked_at_yet(harness: Harness) -> None:
    """The button is there, the time is over, and the bot has not been round."""
    played = await harness.challenge(opponent=harness.bea)
    harness.clock.ahead = 48 * 3600 + 1
    late = await harness.bea.press(played.lobby, "Accept")
    assert late.is_ephemeral
    assert late.text == "This challenge expired after 2 days. Make a new one."
    await harness.settled()
    assert (await played.fresh()).row.started is None


async def test_an_open_table(harness: Harness) -> None:
    played = await harness.challenge()
    lines = people.text_of(played.lobby).splitlines()
    assert lines[0] == f"{called(harness.ann)} opens a table of **Binary Primes**. 1 of 2 seats is free."
    assert lines[2] == "-# size 3 · the challenger starts · rated · 7 days for each move"
    assert lines[3] == "-# With best play, the second player wins by 72 on this board."
    assert lines[4] == f"-# Only {called(harness.ann)} can add the computer."
    assert re.fullmatch(r"-# Expires <t:[0-9]+:R> · match 1", lines[5])
    assert labels(played.lobby) == ["Join", "Leave", "Cancel", "Rules", SIT_DOWN]
    for person, button, sentence in (
        (harness.ann, "Join", "You already sit at this table. It is waiting for the others."),
        (harness.ann, "Leave", "You opened this table. Press Cancel to close it."),
        (harness.bea, "Leave", "You don't sit at this table."),
        (harness.bea, "Cancel", f"Only {called(harness.ann)}, who made this challenge, can cancel it."),
    ):
        refused = await person.press(played.lobby, button)
        assert (refused.text, refused.is_ephemeral) == (sentence, True)
    assert await played.unchanged()
    lobby = played.lobby | {"components": list(played.lobby["components"])}
    assert (await harness.bea.press(played.lobby, "Join")).kind == "update"
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.mover.id) == ("live", harness.ann.id)
    late = await harness.forge(harness.cem, lobby, "m:1:0:join")
    assert late.text == "This match has already begun."
    assert (harness.told(harness.ann), harness.told(harness.bea)) == (1, 0)


async def test_who_has_the_first_move(harness: Harness) -> None:
    await harness.ann.command("settings challenges", from_one=20)

    async def first(seat: str | None) -> str:
        return (await harness.match(seat=seat)).mover.name

    assert await first("me") == "Ann"
    assert await first("opponent") == "Bea"
    for seat in ("lot", None):
        firsts: set[str] = set()
        for _ in range(8):
            if len(firsts) < 2:
                firsts.add(await first(seat))
        assert firsts == {"Ann", "Bea"}


async def test_a_match_that_does_not_count(harness: Harness) -> None:
    played = await harness.match(rated=False)
    assert "not rated" in people.text_of((await harness.challenge(opponent=harness.bea, rated=False)).lobby)
    for square in ("b2", "a1", "c1", "b1"):
        played = await played.move(square)
    assert played.row.state == "finished"
    board = (await harness.ann.command("leaderboard")).text
    assert "Nobody has finished a rated match yet. Use /play to start one." in board
    assert "No finished rated match yet." in (await harness.bea.command("profile")).text


async def test_options_outside_their_bounds_are_not_offered(harness: Harness) -> None:
    """Discord itself keeps people to the list of choices."""
    for size in (4, 1, 13, "three"):
        with pytest.raises(ClientRefusal, match="is not a choice for size"):
            await harness.ann.command("binary-primes challenge", opponent=harness.bea, size=size)
    with pytest.raises(ClientRefusal, match="is not a choice for seat"):
        await harness.ann.command("binary-primes challenge", seat="first")


async def test_whom_one_cannot_challenge(harness: Harness) -> None:
    harness.faults.leave("Dora")
    world = harness.sandbox.world
    world.user_named("Cem")["bot"] = True
    for person, sentence in (
        (harness.ann, "You can't challenge yourself. Name somebody else, or leave the name out to open a table."),
        (harness.cem, "{} is a bot and doesn't play. Challenge a person."),
        (harness.dora, "{} isn't in this server. You can only challenge members."),
    ):
        for command, options in (("binary-primes challenge", {"size": 3}), ("play", {"game": "binary-primes"})):
            given: dict[str, Any] = {**options, "opponent": person.id}
            refused = await harness.ann.command(command, channel="games", **given)
            assert (refused.text, refused.is_ephemeral) == (sentence.format(called(person)), True)
    await harness.settled()
    assert await harness.store.ask(Reader.count_by_state) == {}
    assert harness.bea.read_messages("games") == []


@pytest.mark.long
async def test_an_opponent_who_left_after_accepting_can_be_played_to_the_end(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.leave("Bea")
    played = await played.move("b2")
    assert f"{called(harness.bea)} is to move." in people.text_of(played.board)
    resigned = await harness.surely(harness.ann, "match resign", channel=played.place)
    assert "You resigned." in resigned.text


async def test_a_deleted_lobby_is_posted_again(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.faults.delete_message(played.lobby)
    reply = await harness.ann.command("match board", channel="games", match=1)
    await harness.settled()
    played = await played.fresh()
    link = f"https://discord.com/channels/{played.row.guild}/{played.row.channel}/{played.row.lobby_message}"
    told = f"It hasn't begun yet. The message of this challenge was deleted, so here it is again: {link}"
    assert reply.is_ephemeral and reply.text == told
    told = await harness.ann.command("match board", channel="games", match=1)
    assert told.text == f"It hasn't begun yet: {link}"
    assert labels(played.lobby) == ["Accept", "Decline", "Rules"]
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    assert (await played.fresh()).row.state == "live"


async def test_no_list_links_to_a_challenge_whose_message_was_deleted(harness: Harness) -> None:
    asked, table = await harness.challenge(opponent=harness.bea), await harness.challenge()
    for played in (asked, table):
        harness.faults.delete_message(played.lobby)
    for person in (harness.ann, harness.bea):
        reply = await person.command("matches", channel="general")
        for played in (asked, table) if person is harness.ann else (asked,):
            assert str(played.row.lobby_message) not in reply.text
        assert "its message was deleted: /match board posts it again" in reply.text
        assert f"https://discord.com/channels/{asked.row.guild}/{asked.row.channel}" in reply.text
    assert (await harness.cem.command("tables", channel="general")).text.startswith("There are no free seats here")
    await harness.ann.command("match board", channel="games", match=2)
    await harness.settled()
    found = (await harness.cem.command("tables", channel="general")).text
    assert f"/{(await table.fresh()).row.lobby_message}" in found


@pytest.mark.parametrize("trouble", ("fails", "hangs"))
async def test_a_list_links_to_a_challenge_where_discord_does_not_say(harness: Harness, trouble: str) -> None:
    played = await harness.challenge(opponent=harness.bea)
    if trouble == "hangs":
        harness.faults.delay_requests("GET", MESSAGE, 60)
    else:
        harness.faults.fail_requests("GET", MESSAGE, 503, times=9)
    reply = await harness.ann.command("matches", channel="general")
    harness.faults.clear()
    assert f"/{played.row.lobby_message}" in reply.text and "deleted" not in reply.text
