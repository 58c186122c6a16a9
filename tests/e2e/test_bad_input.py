"""Mistakes and forged interactions get one ephemeral sentence, and nothing is changed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from bot.platform.interactions import IN_SERVERS
from bot.play import acts
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, InteractionId, MatchId, UserId
from bot.play.rows import MatchRecordRow
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Transaction
from tests.e2e.harness import Harness, Played, called, form_of, labels

NOT_A_SQUARE = "isn't a square. Write a column letter and a row number. You could write b1."
MOVED_ON = "The match moved on while you were choosing. Here is the board now; nothing was played."


def unhurried(harness: Harness) -> None:
    """As if a while had passed: nobody makes so many mistakes in a second."""
    harness.life.client.gate.acts.buckets.clear()


async def refused(played: Played, reply: BotReply, sentence: str) -> None:
    """The answer is this sentence for one alone, the match is as it was, and nobody was told of anything."""
    harness = played.harness
    assert (reply.kind, reply.is_ephemeral) == ("message", True)
    assert reply.text == sentence
    told, boards = [len(harness.sandbox.world.notified)], len(played.boards)
    await harness.settled()
    assert await played.unchanged()
    assert ([len(harness.sandbox.world.notified)], len(played.boards)) == (told, boards)
    assert reply.message["mentions"] == []


TYPED = (
    ("a1", "Player 1 has already filled a1. Choose an empty square."),
    ("z9", "z9 is off the board. Its columns are a to c, its rows 1 to 3. You could write b1."),
    ("d4", "d4 is off the board. Its columns are a to c, its rows 1 to 3. You could write b1."),
    ("a0", "“a0” isn't a square. Its row starts with a zero, and rows are 1 to 3. You could write b1."),
    ("a٣", "٣ is an Arabic digit. Write 3. You could write b1."),
    ("В2", "В is a Cyrillic letter. Write a Latin B. You could write b1."),
    ("@everyone", f"“@\u200beveryone” {NOT_A_SQUARE}"),
    ("<@1> **b2** `x`", f"“<@1> \\*\\*b2\\*\\* \\`x\\`” {NOT_A_SQUARE}"),
    ("7" * 3000, f"“{'7' * 60}…” {NOT_A_SQUARE}"),
    ("7" * 5000, "That's too long. I read at most 4000 characters."),
    ("", "Write a move first."),
    (" ", "Write a move first."),
    ("\u200b", "Write a move first."),
    ("b2\nb3", f"“b2 b3” {NOT_A_SQUARE}"),
)


async def test_a_move_that_cannot_be(harness: Harness) -> None:
    played = await (await harness.match()).move("a1")
    for typed, sentence in TYPED:
        unhurried(harness)
        reply = await harness.bea.command("binary-primes move", channel=played.place, square=typed)
        await refused(played, reply, sentence.replace("Player 1", called(harness.ann)))


async def test_it_is_somebody_elses_turn_or_match_or_there_is_none(harness: Harness) -> None:
    played = await harness.match()
    sentence = f"It's {called(harness.ann)}'s turn."
    await refused(played, await harness.bea.press(played.board, "Move"), sentence)
    reply = await harness.bea.command("binary-primes move", channel=played.place, square="b2")
    await refused(played, reply, sentence)
    sentence = f"You aren't in this match. It is between {called(harness.ann)} and {called(harness.bea)}."
    await refused(played, await harness.cem.press(played.board, "Move"), sentence)
    here: dict[str, Any] = {"channel": played.place}
    elsewhere: dict[str, Any] = {"channel": "general", "match": 1}
    for options in (here, elsewhere):
        reply = await harness.cem.command("binary-primes move", square="b2", **options)
        await refused(played, reply, sentence)
    await refused(played, await harness.cem.command("match resign", match=1), sentence)
    reply = await harness.cem.command("match abort", match=1)
    await refused(played, reply, "You aren't in this match. Only its players can call it off, all of them together.")
    for command, options in (("match board", {}), ("match resign", {}), ("binary-primes move", {"square": "b2"})):
        for number in (2, 0):
            reply = await harness.ann.command(command, match=number, **options)
            await refused(played, reply, f"There is no match {number} here. /matches lists yours.")
        for number in (-1, 2**53 - 1):
            await refused(played, await harness.ann.command(command, match=number, **options), NO_NUMBER)


async def test_a_match_of_another_server(harness: Harness) -> None:
    """The sandbox has one server; the other one's match is written into the database."""
    played = await harness.match()
    other = await elsewhere(harness)
    sentence = "There is no match 2 in this server. /matches lists yours."
    for custom_id in ("m:2:0:move", "m:2:0:rules", "m:2:0:cancel"):
        await refused(played, await harness.forge(harness.ann, played.board, custom_id), sentence)
    form = await harness.forge_form(harness.ann, played.board, "f:2:0:move:1", {"square:0": "b2"})
    await refused(played, form, sentence)
    for command, options in (
        ("match board", {}), ("match record", {}), ("match resign", {}), ("match abort", {}), ("match publish", {}),
        ("binary-primes move", {"square": "b2"}),
    ):  # fmt: skip
        await refused(played, await harness.ann.command(command, match=2, **options), sentence)
    assert await harness.ann.complete("match board", "match", match="") == [
        ("1 · Binary Primes · Bea · move 1 · your move · 7 days left", "1")
    ]  # fmt: skip
    assert "2 ·" not in (await harness.ann.command("matches")).text
    assert await harness.row(MatchId(2)) == other


async def elsewhere(harness: Harness) -> MatchRecordRow:
    """A live match of Ann's and Bea's in another server."""
    umpire = harness.life.client.umpire
    ann, bea = UserId(int(harness.ann.id)), UserId(int(harness.bea.id))
    game = umpire.games["binary-primes"]
    loaded = await umpire.challenge(
        InteractionId(1),
        ChallengeTerms(GuildId(777), ChannelId(778), ann, game, {"size": 3}, guests=(bea,), seating="host"),
    )
    await umpire.act(InteractionId(2), loaded.id, bea, acts.accept)
    await harness.store.do(Transaction.park, loaded.id, "the other server is not here")
    return await harness.row(loaded.id)


def sent_as(harness: Harness, send: Callable[[Any], None], *options: dict[str, Any]) -> None:
    """Let everybody's client send these in place of the `match` option."""

    def changed(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
        inner = [{**one, "options": changed(one["options"])} if "options" in one else one for one in given]
        if any(one["name"] == "match" and "options" not in one for one in given):
            return [*(one for one in inner if one["name"] != "match"), *({"name": "match", **one} for one in options)]
        return inner

    def sending(payload: dict[str, Any]) -> None:
        data = {**payload["data"], "options": changed(payload["data"]["options"])}
        send({**payload, "data": data})

    harness.sandbox.interactions.send = sending


THERE = "There is no match 2 in this server. /matches lists yours."
NO_NUMBER = (
    "That isn't a match. Write its number, like 12, or paste a link to its thread or its board; /matches lists yours."
)


@pytest.mark.long
async def test_a_match_of_another_server_by_whatever_number(harness: Harness) -> None:
    """The gate and the command behind it read a number in one way, however it was sent."""
    played, other = await harness.match(), await elsewhere(harness)
    send = harness.sandbox.interactions.send
    for sentence, *options in (
        (THERE, {"type": 4, "value": "2"}),
        (THERE, {"type": 3, "value": "2"}),
        (THERE, {"type": 4, "value": 2.0}),
        (THERE, {"type": 10, "value": 2.0}),
        (THERE, {"type": 4, "value": "2", "focused": True}),
        (THERE, {"type": 4, "value": 1}, {"type": 4, "value": 2}),
        (NO_NUMBER, {"type": 4, "value": 1e99}),
        (NO_NUMBER, {"type": 10, "value": "nan"}),
        (NO_NUMBER, {"type": 4, "value": -2}),
        (NO_NUMBER, {"type": 4, "value": 2.5}),
        (NO_NUMBER, {"type": 5, "value": True}),
        (NO_NUMBER, {"type": 4, "value": [2]}),
    ):
        unhurried(harness)
        sent_as(harness, send, *options)
        await refused(played, await harness.ann.command("match board", match=1), sentence)
    sent_as(harness, send, {"type": 4, "value": "2"})
    await refused(played, await harness.ann.command("binary-primes move", match=1, square="b2"), THERE)
    assert await harness.row(MatchId(2)) == other
    # One's own is found by such numbers too.
    for value in ("1", 1.0):
        sent_as(harness, send, {"type": 4, "value": value})
        assert "Only you see this board." in (await harness.ann.command("match board", match=1)).text
    await harness.settled()
    assert await played.unchanged()


async def test_a_stale_board(harness: Harness) -> None:
    """The button of an earlier board, and a form opened on one, play nothing and show how the match stands."""
    played = await harness.match()
    stale_board = copy.deepcopy(played.board)
    opened = await form_of(harness.ann, played.board)
    again = await form_of(harness.ann, played.board)
    await harness.ann.submit(opened, {"Square": "a1"})
    await harness.settled()
    played = await (await played.fresh()).move("b1")
    for reply, kind in (
        (await harness.ann.submit(again, {"Square": "c1"}), "update"),
        (await harness.forge(harness.ann, stale_board, "m:1:0:move"), "message"),
    ):
        assert (reply.kind, reply.is_ephemeral) == (kind, True)
        assert MOVED_ON in reply.text
        assert f"{called(harness.bea)} played **b1**" in reply.text
        assert "It's your move." in reply.text
        assert len(people.list_media(reply.message)) == 1
        assert labels(reply.message) == ["Move", "Rules", "More …"]
    assert await played.unchanged()
    assert len(played.boards) == 3
    # The fresh board is good for a move, and is brought up to date by it.
    opened = await form_of(harness.ann, reply)
    answer = await harness.ann.submit(opened, {"Square": "c1"})
    assert answer.message_id == reply.message_id
    assert answer.kind == "acknowledged"
    await harness.settled()
    played = await played.fresh()
    assert played.record[-1] == (1, "c1")
    assert labels(played.board) == ["Move", "Rules", "More …"]
    assert labels(played.boards[-2]) == []


async def test_buttons_of_a_finished_match(harness: Harness) -> None:
    played = await harness.match()
    old = copy.deepcopy(played.board)
    opened = await form_of(harness.ann, played.board)
    for square in ("b2", "a1", "c1", "b1"):
        played = await played.move(square)
    over = "This match is over."
    await refused(played, await harness.forge(harness.ann, old, "m:1:0:move"), over)
    await refused(played, await harness.ann.submit(opened, {"Square": "a1"}), over)
    for command, options in (
        ("binary-primes move", {"square": "a1"}), ("match resign", {}), ("match abort", {}),
    ):  # fmt: skip
        await refused(played, await harness.ann.command(command, channel=played.place, **options), over)
    assert (await harness.press_more(harness.ann, played.board, "Details")).is_ephemeral


FORGED = (
    "m:1:0:fly",
    "m:1:0:challenge",
    "m:1:999999999:move",
    "m:999999999999999:0:move",
    "m:9999999999999999999999:0:move",
    "m:1:9999999999:move",
    "m:١:0:move",
    "m:1:٠:move",
    "m:1:0:MOVE",
    "m:1:0:" + "x" * 94,
    "m:1:-1:move",
    "m:1:0:move ",
    "m::0:move",
    "x",
    "f:1:0:move:1",
)


async def unheeded(played: Played, reply: BotReply, forged: str) -> None:
    """What was forged is answered by a sentence for one alone, and changes nothing."""
    assert (reply.kind, reply.is_ephemeral) == ("message", True), forged
    assert reply.text.split("\n")[0].endswith(".") or MOVED_ON in reply.text, forged
    assert "Something went wrong" not in reply.text, forged
    await played.harness.settled()
    assert await played.unchanged(), forged
    assert len(played.boards) == 1, forged


async def test_a_forged_button(harness: Harness) -> None:
    played = await harness.match()
    for custom_id in FORGED:
        unhurried(harness)
        reply = await harness.forge(harness.ann, played.board, custom_id)
        assert reply.text.endswith(".") or MOVED_ON in reply.text, custom_id
        await unheeded(played, reply, custom_id)


FORGED_FORMS: tuple[tuple[str, dict[str, str]], ...] = (
    ("f:1:0:fly:1", {"square:0": "a1"}),
    ("f:1:99:move:1", {"square:0": "a1"}),
    ("f:2:0:move:1", {"square:0": "a1"}),
    ("f:999999999999999:0:move:1", {"square:0": "a1"}),
    ("f:1:0:move:" + "9" * 20, {"square:0": "zz"}),
    ("f:1:0:move:" + "9" * 21, {"square:0": "a1"}),
    ("f:1:0:move:1", {}),
    ("f:1:0:move:1", {"other:0": "a1"}),
    ("f:1:0:move:1", {"square:0": "7" * 4000}),
    ("f:١:0:move:1", {"square:0": "a1"}),
    ("m:1:0:move", {"square:0": "a1"}),
    ("nonsense", {}),
)


async def test_a_forged_form(harness: Harness) -> None:
    played = await harness.match()
    for custom_id, fields in FORGED_FORMS:
        unhurried(harness)
        reply = await harness.forge_form(harness.ann, played.board, custom_id, fields)
        await unheeded(played, reply, f"{custom_id} {fields}")


async def test_what_needs_a_server_is_refused_elsewhere(harness: Harness) -> None:
    """Such commands are offered in servers only; an interaction from elsewhere is answered all the same."""
    played = await harness.match()
    desk, send = harness.sandbox.interactions, harness.sandbox.interactions.send

    def privately(payload: dict[str, object]) -> None:
        member = payload.pop("member")
        assert isinstance(member, dict)
        del payload["guild_id"], payload["guild"], payload["locale"]
        send({**payload, "user": member["user"], "context": 1})

    desk.send = privately
    for command in ("leaderboard", "tables", "settings show", "records"):
        reply = await harness.ann.command(command, **({"game": "sums-grid"} if command == "records" else {}))
        assert reply.is_ephemeral and (reply.text == IN_SERVERS or command.startswith("settings")), reply.text
    await refused(played, await harness.ann.command("binary-primes challenge", size=3), IN_SERVERS)
    assert await harness.ann.complete("leaderboard", "season") == []
