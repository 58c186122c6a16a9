"""Where a match can be played, what the bot must be allowed there, and what happens when that is taken away."""

from __future__ import annotations

from typing import Any

import pytest

from bot.play.ids import MatchId
from bot.sandbox import people as sandbox_people
from data.store import Reader, Transaction
from tests.e2e.harness import MESSAGES, OVER, Harness, Played, called, form_of, labels, said
from tests.support.sampled import sampled

ASK = "Ask somebody who manages the server, or use another channel."
NEEDS = "I need View Channel, Send Messages, Send Messages in Threads and Attach Files there."


async def whole_match(played: Played) -> Played:
    """Play to the end, half by command and half by form."""
    for square in ("b2", "a1"):
        played = await played.move(square)
    for square in ("c1", "b1"):
        opened = await form_of(played.mover, played.board)
        await played.mover.submit(opened, {"Square": square})
        await played.harness.settled()
        played = await played.fresh()
    assert played.row.state == "finished"
    assert [labels(board) for board in played.boards] == [
        [],
        [],
        [],
        [],
        OVER,
    ]
    assert " beat " in sandbox_people.text_of(played.board) and " is over: " in sandbox_people.text_of(played.lobby)
    assert f"/{played.board['id']})" in sandbox_people.text_of(played.lobby), "the last board is the news"
    return played


@pytest.mark.long
@pytest.mark.parametrize("place", ["Kitchen table", "Which game first?"])
async def test_in_a_voice_chat_and_in_a_forum_post(harness: Harness, place: str) -> None:
    """There is no thread to be made there, so the match is played in the place itself."""
    played = await harness.match(channel=place)
    assert played.place["name"] == place
    assert (await whole_match(played)).place["name"] == place


async def test_in_a_thread(harness: Harness) -> None:
    first = await harness.match()
    played = await harness.match(harness.cem, harness.dora, channel=first.place)
    assert played.place["id"] == first.place["id"]
    # Who plays which match in this thread is clear by who asks.
    await whole_match(played)
    assert await first.unchanged()
    await first.move("b2")


async def test_without_threads(harness: Harness) -> None:
    harness.faults.deny("games", "create_public_threads")
    played = await harness.match()
    assert played.place["name"] == "games"
    assert said(played.lobby).endswith(f"/{played.place['id']}/{played.board['id']}\n-# match 1")
    await whole_match(played)


@pytest.mark.long
async def test_threads_forbidden_between_challenge_and_acceptance(harness: Harness) -> None:
    played = await harness.challenge(opponent=harness.bea)
    harness.faults.deny("games", "send_messages_in_threads")
    await harness.bea.press(played.lobby, "Accept")
    await harness.settled()
    await whole_match(await played.fresh())


@pytest.mark.long
async def test_two_matches_in_one_channel(harness: Harness) -> None:
    harness.faults.deny("games", "create_public_threads")
    first, second = await harness.match(), await harness.match(harness.cem, harness.dora)
    await harness.cem.command("binary-primes move", channel="games", square="c3")
    await harness.settled()
    assert (await second.fresh()).record == [(1, "c3")]
    assert await first.unchanged()
    both = await harness.match(harness.ann, harness.cem)
    reply = await harness.ann.command("binary-primes move", channel="games", square="a1")
    assert reply.text.startswith("You have several matches here. ")
    lines = reply.text.split("\n")[1:]
    assert [line.partition(" · ")[0] for line in lines] == ["3", "1"]
    assert lines[0].endswith(f" {link(both)}") and lines[1].endswith(f" {link(first)}")
    assert (await harness.ann.command("binary-primes move", channel="games", square="a1", match=3)).text == (
        "You played **a1**."
    )
    await harness.settled()
    # Now it is her turn in one of them only.
    assert (await harness.ann.command("binary-primes move", channel="games", square="b1")).text == "You played **b1**."
    await harness.settled()
    assert (await first.fresh()).record == [(1, "b1")]


def link(played: Played) -> str:
    return f"https://discord.com/channels/{played.row.guild}/{played.row.board_channel}/{played.row.board_message}"


@sampled(
    ("taken", "named"),
    [
        (("attach_files",), "Attach Files"),
        (("send_messages",), "Send Messages"),
        (("view_channel",), "View Channel, Send Messages and Attach Files"),
        (("send_messages", "attach_files"), "Send Messages and Attach Files"),
    ],
)
async def test_what_is_missing_is_named(harness: Harness, taken: tuple[str, ...], named: str) -> None:
    shown = await harness.ann.command("play", channel="games", game="binary-primes")
    await harness.until(lambda: "Open a table" in labels(shown.message))
    harness.faults.deny("games", *taken)
    commands: tuple[tuple[str, dict[str, Any]], ...] = (
        ("play", {}),
        ("play", {"game": "binary-primes"}),
        ("binary-primes challenge", {"size": 3}),
        ("play", {"game": "binary-primes", "opponent": harness.bea}),
    )
    for command, options in commands:
        reply = await harness.ann.command(command, channel="games", **options)
        assert reply.is_ephemeral
        assert reply.text == f"I can't post boards in this channel without {named}. {ASK}"
    reply = await harness.ann.press(shown, "Open a table")
    assert (reply.text, reply.is_ephemeral) == (f"I can't post boards in this channel without {named}. {ASK}", True)
    await harness.settled()
    assert await harness.store.ask(Reader.count_by_state) == {}
    assert harness.sandbox.requests_of("POST", MESSAGES) == []
    harness.faults.allow("games", *taken)
    await harness.match()


async def test_what_is_missing_in_a_thread_is_named(harness: Harness) -> None:
    first = await harness.match()
    harness.faults.deny("games", "send_messages_in_threads")
    reply = await harness.cem.command("binary-primes challenge", channel=first.place, size=3)
    assert reply.text == f"I can't post boards in this channel without Send Messages in Threads. {ASK}"


def in_channels(harness: Harness) -> list[str]:
    return [entry.path for entry in harness.sandbox.request_log if entry.path.startswith("/channels/")]


@sampled("taken", ["send_messages_in_threads", "attach_files", "view_channel"])
async def test_permission_is_taken_away_in_the_middle(harness: Harness, taken: str) -> None:
    played = await harness.match()
    harness.faults.deny("games", taken)
    reply = await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    assert reply.text == "You played **b2**."
    await harness.settled()
    played = await played.fresh()
    assert played.record == [(1, "b2")]
    assert played.row.publish_error == NEEDS
    assert len(played.boards) == 1
    before = len(in_channels(harness))
    await harness.life.client.publisher.catch_up()
    await harness.life.idle()
    assert len(in_channels(harness)) == before, "a parked match is left alone"

    # The next interaction says why, and has it tried again: in vain, then with success.
    explained = await harness.bea.command("binary-primes move", channel="general", square="a1")
    assert explained.text == f"Your move counts, but I couldn't show the board. {NEEDS} I'm trying again."
    await harness.settled()
    assert (await played.fresh()).row.publish_error == NEEDS
    harness.faults.allow("games", taken)
    explained = await harness.ann.command("binary-primes move", channel="general", square="c1")
    assert explained.text.startswith("Your move counts, but I couldn't show the board")
    await harness.settled()
    played = await played.fresh()
    assert played.row.publish_error is None
    assert [labels(board) for board in played.boards] == [[], ["Move", "Rules", "More …"]]
    assert f"{called(harness.bea)} is to move." in sandbox_people.text_of(played.board)
    assert played.place["name"] == "Ann – Bea · Binary Primes · 1"
    await played.move("b1")


@pytest.mark.long
async def test_a_parked_match_is_explained_to_a_person_who_asks_for_its_board(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.deny("games", "attach_files")
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    await harness.settled()
    harness.faults.allow("games", "attach_files")
    reply = await harness.bea.command("match board", channel="general")
    assert "It's your move." in reply.text
    assert f"I couldn't show the board in its place. {NEEDS} I'm trying again." in reply.text
    await harness.settled()
    assert len((await played.fresh()).boards) == 2
    assert harness.told(harness.bea) == 2


async def test_permission_is_missing_only_when_the_lobby_is_posted(harness: Harness) -> None:
    """Discord refuses the post although the check was passed: the challenge waits, and is shown when it can be."""
    harness.faults.fail_requests("POST", MESSAGES, 403)
    reply = await harness.ann.command("binary-primes challenge", channel="games", opponent=harness.bea, size=3)
    assert reply.is_ephemeral
    await harness.until(lambda: harness.sandbox.requests_of("POST", MESSAGES))
    await harness.settled()
    assert (await harness.row(1)).publish_error == NEEDS
    await harness.life.store.do(Transaction.park, 1, None)
    await harness.life.client.publisher.catch_up()
    await harness.life.idle()
    await harness.settled()
    assert harness.told(harness.bea) == 1


@pytest.mark.long
async def test_without_reading_history_a_lost_board_is_not_doubled(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.deny("games", "read_message_history")
    assert (await harness.ann.command("match board", channel=played.place)).is_ephemeral
    await harness.settled()
    assert len(played.boards) == 1
    await played.move("b2")


async def test_the_channel_is_deleted(harness: Harness) -> None:
    played = await harness.match()
    harness.faults.delete_channel("games")
    deleted = "The channel of this match was deleted."
    parked = (
        f"Your move counts, but I couldn't show the board. {deleted} To go on in another channel, use `/match board` "
        "there."
    )
    reply = await harness.ann.command("binary-primes move", channel="general", square="b2")
    # The board is given up beside the answer, which says so where that came first.
    assert reply.text.startswith("You played **b2**.") or reply.text == parked
    await harness.settled()
    row = await harness.row(played.id)
    assert (row.plies, row.publish_error) == (1, "The channel of this match was deleted.")
    reply = await harness.surely(harness.bea, "match resign", channel="general")
    assert reply.text == f"You resigned. {deleted}"
    await harness.settled()
    assert "1 match · 0 won, 0 drawn, 1 lost" not in (await harness.bea.command("profile")).text


@pytest.mark.long
async def test_a_match_that_begins_in_a_channel_that_was_closed_is_shown(harness: Harness) -> None:
    """A table was open, the channel closed to the bot when somebody sat down, and it is open again for the last."""
    await harness.ann.command("binary-scramble challenge", channel="games", seats=3)
    await harness.settled()
    played = Played(harness, 1, await harness.row(MatchId(1)))
    harness.faults.deny("games", "view_channel")
    await harness.bea.press(played.lobby, "Join")
    await harness.settled()
    assert (await played.fresh()).row.publish_error
    harness.faults.allow("games", "view_channel")
    await harness.cem.press(played.lobby, "Join")
    await harness.settled()
    played = await played.fresh()
    assert (played.row.state, played.row.publish_error, len(played.boards)) == ("live", None, 1)


async def test_boards_in_one_channel_say_whose_they_are(harness: Harness) -> None:
    harness.faults.deny("games", "create_public_threads")
    first, second = await harness.match(), await harness.match(harness.cem, harness.dora)
    for played, names in ((first, (harness.ann, harness.bea)), (second, (harness.cem, harness.dora))):
        played = await played.move("b2")
        people = " – ".join(called(person) for person in names)
        earlier, latest = (sandbox_people.text_of(board) for board in played.boards)
        assert earlier == f"The match began.\n-# Binary Primes · {played.id} · {people}"
        head, first = latest.split("\n")[:2]
        assert head.startswith("### Binary Primes\xa0· ") and called(names[0]) in first
