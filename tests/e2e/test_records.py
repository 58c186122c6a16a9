"""Records in and out: those that somebody brings, and those for AbstractPlay's programs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from bot.features.challenges.onboarding import COMPUTER_PLAYS
from bot.features.study.replays import GONE, NAMELESS, UNFINISHED
from bot.play.records import MOST_BYTES, NO_FILE
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Reader
from tests.e2e.harness import Harness, Played, labels, said

MOVES = ("a2", "c1", "b2", "b3")
FOREIGN = {"format": "AbstractPlay"}


async def over(harness: Harness) -> Played:
    """A match that is over."""
    played = await harness.match()
    for square in MOVES:
        played = await played.move(square)
    return played


def file_of(harness: Harness, reply: BotReply) -> Any:
    """The record in a file that holds one."""
    (attached,) = reply.message["attachments"]
    return json.loads(people.bytes_of(harness.sandbox.world, attached))


async def test_a_finished_match_goes_to_other_programs_with_the_name_of_who_asks_or_none(harness: Harness) -> None:
    going = await harness.match(harness.cem, harness.dora)
    refused = await harness.ann.command("match record", channel=going.place, **FOREIGN)
    assert refused.text == UNFINISHED
    played = await over(harness)
    for given, names in (({}, ["Player 1", "Player 2"]), ({"name": True}, ["Ann", "Player 2"])):
        reply = await harness.ann.command("match record", channel=played.place, match=played.id, **FOREIGN, **given)
        header = file_of(harness, reply)["header"]
        assert reply.is_ephemeral and [player["name"] for player in header["players"]] == names
        assert header["site"] == {"name": "Graph Paper", "gameid": str(played.id)} and not header["unrated"]
    refused = await harness.cem.command("match record", channel=played.place, match=played.id, name=True, **FOREIGN)
    assert refused.text.startswith("You didn't play this match")
    assert (await harness.ann.command("match record", channel=played.place, name=True)).text == NAMELESS


RECORD: dict[str, Any] = {
    "game": "binary-primes",
    "options": {"size": 3},
    "seats": 2,
    "moves": [[1, "a2"], [2, "c1"], [1, "b2"], [2, "b3"]],
}


async def brought(harness: Harness, record: object = RECORD) -> BotReply:
    """Cem's replay of a record that he brings."""
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    reply = await harness.cem.command("match import", channel="games", file=data)
    await harness.life.idle()
    return reply


async def test_a_record_that_somebody_brings_is_gone_through_reviewed_and_played_on_and_not_kept(
    harness: Harness,
) -> None:
    reply = await brought(harness)
    assert reply.is_ephemeral and "### Binary Primes\xa0· imported record" in said(reply.message)
    assert "Player 1" in said(reply.message) and "Move 4 of 4" in said(reply.message)
    await harness.cem.press(reply, "First")
    await harness.life.idle()
    assert "Before the first of 4 moves" in said(reply.message)
    assert labels(reply.message) == ["First", "Back", "Next", "Last", "Try out", "Review"]
    for at in (1, 2):
        await harness.cem.press(reply, "Next")
        await harness.life.idle()
        assert f"Move {at} of 4" in said(reply.message)
        await harness.restart()
    assert "Player 2 played **c1**" in said(reply.message)
    review = await harness.cem.press(reply, "Review")
    await harness.life.idle()
    assert review.message_id != reply.message_id and "· review" in said(review.message) and labels(review.message) == []
    assert await harness.store.ask(Reader.count_by_state) == {}
    await harness.cem.press(reply, "Play on from here")
    await harness.life.idle()
    assert "after move 2 · only you see this" in said(reply.message)
    await harness.cem.press(reply, COMPUTER_PLAYS, ["1"])
    await harness.settled()
    on = Played(harness, 1, await harness.row(1))
    assert "This match goes on from an imported record, after move 2." in said(on.board) and on.record == [
        (1, "a2"),
        (2, "c1"),
    ]
    got = file_of(harness, await harness.cem.command("match record", channel=on.place))
    assert got["from"] == {"ply": 2} and got["computers"] == [[2, 1]]
    again = await brought(harness, got)
    assert "### Binary Primes\xa0· imported record" in said(again.message) and "The computer (level 1)" in said(
        again.message
    )
    await harness.sound()


async def test_of_two_legs_the_second_record_is_chosen_by_its_number(harness: Harness) -> None:
    lines = b"\n".join(json.dumps({"leg": leg, **RECORD, "moves": RECORD["moves"][:leg]}).encode() for leg in (1, 2))
    reply = await harness.cem.command("match import", channel="games", file=lines, record=2)
    await harness.life.idle()
    assert "Move 2 of 2" in said(reply.message) and "Play on from here" not in labels(reply.message)


async def test_what_cannot_be_gone_through_is_refused_with_a_sentence(harness: Harness) -> None:
    large = await brought(harness, b" " * (MOST_BYTES + 1))
    wrong = await brought(harness, {**RECORD, "moves": [[1, "a2"], [1, "a3"]]})
    assert large.text == NO_FILE and large.is_ephemeral
    assert (
        wrong.text.startswith("Line 2 of the record can't be played: It isn't player 1's turn") and wrong.is_ephemeral
    )
    for game in ("@everyone", "@here", "<@&1234>"):
        loud = await brought(harness, {**RECORD, "game": game})
        shown = game.replace("@", "@\u200b")
        assert loud.text == (
            f"There is no game “{shown}”. Write its key, like “binary-primes”. "
            "A game's key is what its commands begin with."
        )
        await asyncio.sleep(60)  # she has brought a lot
    nothing = await brought(harness, {**RECORD, "options": {"size": None}})
    assert nothing.text.startswith("size must be an odd number from 3 to 11, not null.")
    played = await over(harness)
    for message in (played.board, (await harness.cem.press(played.board, "Replay")).message):
        gone = await harness.forge(harness.cem, message, "r:0:1:next")
        assert gone.text == GONE
    assert (await harness.forge(harness.cem, played.board, "m:0:1:board")).text.startswith("There is no match 0")
