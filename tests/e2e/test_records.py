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
from tests.e2e.house import House, Played, labels, said

MOVES = ("a2", "c1", "b2", "b3")
FOREIGN = {"format": "AbstractPlay"}


async def over(house: House) -> Played:
    """A match that is over."""
    played = await house.match()
    for square in MOVES:
        played = await played.move(square)
    return played


def file_of(house: House, reply: BotReply) -> Any:
    """The record in a file that holds one."""
    (attached,) = reply.message["attachments"]
    return json.loads(people.bytes_of(house.sandbox.world, attached))


async def test_a_finished_match_goes_to_other_programs_with_the_name_of_who_asks_or_none(house: House) -> None:
    going = await house.match(house.cem, house.dora)
    refused = await house.ann.command("match record", channel=going.place, **FOREIGN)
    assert refused.text == UNFINISHED
    played = await over(house)
    for given, names in (({}, ["Player 1", "Player 2"]), ({"name": True}, ["Ann", "Player 2"])):
        reply = await house.ann.command("match record", channel=played.place, match=played.id, **FOREIGN, **given)
        header = file_of(house, reply)["header"]
        assert reply.is_ephemeral and [player["name"] for player in header["players"]] == names
        assert header["site"] == {"name": "Graph Paper", "gameid": str(played.id)} and not header["unrated"]
    refused = await house.cem.command("match record", channel=played.place, match=played.id, name=True, **FOREIGN)
    assert refused.text.startswith("You didn't play this match")
    assert (await house.ann.command("match record", channel=played.place, name=True)).text == NAMELESS


RECORD: dict[str, Any] = {
    "game": "binary-primes",
    "options": {"size": 3},
    "seats": 2,
    "moves": [[1, "a2"], [2, "c1"], [1, "b2"], [2, "b3"]],
}


async def brought(house: House, record: object = RECORD) -> BotReply:
    """Cem's replay of a record that he brings."""
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    reply = await house.cem.command("match import", channel="games", file=data)
    await house.life.idle()
    return reply


async def test_a_record_that_somebody_brings_is_gone_through_reviewed_and_played_on_and_not_kept(house: House) -> None:
    reply = await brought(house)
    assert reply.is_ephemeral and "### Binary Primes\xa0·\xa0imported record" in said(reply.message)
    assert "🟦\xa0Player 1 · " in said(reply.message) and "Before the first of 4 moves" in said(reply.message)
    assert labels(reply.message) == ["First", "Back", "Next", "Last", "Try out", "Review"]
    for at in (1, 2):
        await house.cem.press(reply, "Next")
        await house.life.idle()
        assert f"Move {at} of 4" in said(reply.message)
        await house.restart()
    assert "🟧\xa0Player 2 played **c1**" in said(reply.message)
    review = await house.cem.press(reply, "Review")
    await house.life.idle()
    assert review.message_id != reply.message_id and "· review" in said(review.message) and labels(review.message) == []
    assert await house.store.ask(Reader.count_by_state) == {}
    await house.cem.press(reply, "Play on from here")
    await house.life.idle()
    assert "after move 2 · only you see this" in said(reply.message)
    await house.cem.press(reply, COMPUTER_PLAYS, ["1"])
    await house.settled()
    on = Played(house, 1, await house.row(1))
    assert "This match goes on from an imported record, after move 2." in said(on.board) and on.record == [
        (1, "a2"),
        (2, "c1"),
    ]
    got = file_of(house, await house.cem.command("match record", channel=on.place))
    assert got["from"] == {"ply": 2} and got["computers"] == [[2, 1]]
    again = await brought(house, got)
    assert "### Binary Primes\xa0·\xa0imported record" in said(again.message) and "the computer (level 1)" in said(
        again.message
    )
    await house.sound()


async def test_of_two_legs_the_second_record_is_chosen_by_its_number(house: House) -> None:
    lines = b"\n".join(json.dumps({"leg": leg, **RECORD, "moves": RECORD["moves"][:leg]}).encode() for leg in (1, 2))
    reply = await house.cem.command("match import", channel="games", file=lines, record=2)
    await house.life.idle()
    assert "Before the first of 2 moves" in said(reply.message) and "Play on from here" not in labels(reply.message)
    await house.cem.press(reply, "Last")
    await house.life.idle()
    assert "Move 2 of 2" in said(reply.message) and "Play on from here" not in labels(reply.message)


async def test_what_cannot_be_gone_through_is_refused_with_a_sentence(house: House) -> None:
    large = await brought(house, b" " * (MOST_BYTES + 1))
    wrong = await brought(house, {**RECORD, "moves": [[1, "a2"], [1, "a3"]]})
    assert large.text == NO_FILE and large.is_ephemeral
    assert (
        wrong.text.startswith("Line 2 of the record can't be played: It isn't player 1's turn") and wrong.is_ephemeral
    )
    for game in ("@everyone", "@here", "<@&1234>"):
        loud = await brought(house, {**RECORD, "game": game})
        shown = game.replace("@", "@\u200b")
        assert loud.text == (
            f"There is no game “{shown}”. Write its key, like “binary-primes”. "
            "A game's key is what its commands begin with."
        )
        await asyncio.sleep(60)  # she has brought a lot
    nothing = await brought(house, {**RECORD, "options": {"size": None}})
    assert nothing.text.startswith("size must be an odd number from 3 to 11, not null.")
    played = await over(house)
    for message in (played.board, (await house.cem.press(played.board, "Replay")).message):
        gone = await house.forge(house.cem, message, "r:0:1:next")
        assert gone.text == GONE
    assert (await house.forge(house.cem, played.board, "m:0:1:board")).text.startswith("There is no match 0")
