"""Another person takes over a seat: asked by command, answered by button, and shown in the match's own thread."""

from __future__ import annotations

import pytest

from bot.features.agreements.handlers import parse_seat
from bot.play.ids import UserId
from bot.play.loaded_match import Refusal
from bot.sandbox.people import BotReply, Person
from tests.e2e.harness import Harness, Played, called, labels, said
from tests.e2e.test_members import an_hour_goes_by


async def replace(harness: Harness, played: Played, seat: int = 2, player: Person | None = None) -> str:
    named = player or harness.dora
    reply = await harness.ann.command("match replace", channel=played.place, seat=seat, player=named)
    await harness.settled()
    assert reply.is_ephemeral
    return reply.text


async def test_a_seat_passes_on_in_the_thread_of_the_match(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    ann, bea, dora = harness.ann, harness.bea, harness.dora
    assert await ann.complete("match replace", "seat", channel=played.place, seat="") == [
        ("Ann · yours", "1"), ("Bea · to move", "2")
    ]  # fmt: skip
    assert await ann.complete("match replace", "seat", channel=played.place, seat="be") == [("Bea · to move", "2")]
    assert await harness.cem.complete("match replace", "seat", channel=played.place, seat="") == []
    asked = await replace(harness, played)
    assert asked == (
        f"You asked to give a seat to somebody else. It happens as soon as {called(bea)} and {called(dora)} agree."
    )
    played = await played.fresh()
    expected = f"🟦\xa0{called(ann)} asks for {called(dora)} to take over from 🟧\xa0{called(bea)}, at this pace: "
    expected += "7 days for each move. The match is then not rated. "
    assert f"{expected}🟧\xa0{called(bea)} and {called(dora)} can agree or refuse." in said(played.board)
    assert harness.told(dora) == 1 and played.lines[-1]["id"] == dora.list_notifications()[-1]["message"], (
        "the line asks her"
    )
    assert dora.id in played.place["thread_members"]
    (line,) = (await dora.command("matches")).text.splitlines()[1:]
    assert line.endswith(f")** · {called(ann)} – {called(bea)} · you are asked to take over a seat")
    refused = await harness.cem.press(played.board, "Agree: hand over")
    assert refused.text.startswith("You aren't in this match")
    assert (await dora.press(played.board, "Agree: hand over")).kind == "acknowledged"
    await harness.settled()
    assert f"🟧\xa0{called(bea)} can agree or refuse." in said((await played.fresh()).board)
    await bea.press((await played.fresh()).board, "Agree: hand over")
    await harness.settled()
    played = await played.fresh()
    assert [str(player.user) for player in played.row.players] == [ann.id, dora.id]
    text = said(played.board)
    assert f"🟧\xa0{called(dora)} took over from {called(bea)}. The match is not rated." in text
    assert f"🟧\xa0{called(dora)} is to move." in text and "can agree" not in text
    assert played.lines[-1]["id"] == dora.list_notifications()[-1]["message"] == ann.list_notifications()[-1]["message"]
    old = await bea.command("binary-primes move", channel=played.place, square="a1")
    assert old.text == f"You aren't in this match. It is between {called(ann)} and {called(dora)}."
    played = await played.move("a1", dora)
    await harness.surely(ann, "match resign", channel=played.place)
    await harness.settled()
    assert f"**🟧\xa0{called(dora)} beat 🟦" in said((await played.fresh()).board)
    assert (await bea.command("matches", which="finished")).text.startswith("You haven't finished a match")
    assert (await dora.command("leaderboard")).text.count(called(dora)) == 0
    await harness.sound()


@pytest.mark.long
async def test_whom_one_cannot_name(harness: Harness) -> None:
    played = await harness.match()
    world = harness.sandbox.world
    us = harness.sandbox.person(world.me)
    assert (await replace(harness, played, player=us)).startswith("The computer can't take over a seat")
    world.users[harness.cem.id]["bot"] = True
    assert await replace(harness, played, player=harness.cem) == (
        f"{called(harness.cem)} is a bot and doesn't play. Name a person."
    )
    world.users[harness.cem.id]["bot"] = False
    assert await replace(harness, played, player=harness.bea) == (
        f"{called(harness.bea)} already has that seat. Name somebody else."
    )
    for number in (2.5, True, "two", "-2", "٢"):
        with pytest.raises(Refusal, match="There is no such seat. Choose one from the list."):
            parse_seat(number)
    assert parse_seat(2.0) == 2 and isinstance(parse_seat(2.0), int) and parse_seat("2") == 2
    assert await replace(harness, played, seat=7) == "There is no such seat in this match. Choose one from the list."
    harness.faults.deny("games", "view_channel", who="Dora")
    assert await replace(harness, played) == (
        f"{called(harness.dora)} can't see the channel of this match. Name somebody who can."
    )
    harness.faults.leave("Dora")
    assert await replace(harness, played) == (
        f"{called(harness.dora)} isn't in this server. Only members can take over a seat."
    )
    other = await harness.cem.command("match replace", channel=played.place, seat=1, player=harness.cem)
    assert other.text.startswith("You aren't in this match")
    assert (await played.fresh()).row.version == played.row.version


@pytest.mark.long
async def test_a_player_who_has_left_the_server_is_not_asked(harness: Harness) -> None:
    played = await (await harness.match()).move("b2")
    harness.faults.leave("Bea")
    an_hour_goes_by(harness)
    assert await replace(harness, played) == (
        f"You asked to give a seat to somebody else. It happens as soon as {called(harness.dora)} agrees."
    )
    board = (await played.fresh()).board
    assert f"🟧\xa0{called(harness.bea)} has left this server." in said(board)
    assert f"{called(harness.dora)} can agree or refuse. 🟧\xa0{called(harness.bea)} doesn't have to agree." in said(
        board
    )
    again = await harness.ann.command("match replace", channel=played.place, seat=2, player=harness.dora)
    assert "Withdraw it" in labels(again.message)
    await harness.dora.press(board, "Refuse")
    await harness.settled()
    assert "doesn't agree" in said((await played.fresh()).board)
    reply = await replace(harness, played)
    before = f"{called(harness.dora)} was already asked to take over, and didn't agree"
    assert reply.startswith(f"{before}. Ask again <t:")
    harness.faults.join("Bea")
    reply = await replace(harness, played, player=harness.cem)
    assert reply.endswith(f"as soon as {called(harness.bea)} and {called(harness.cem)} agree."), (
        "Discord is asked once more"
    )
    for person in (harness.cem, harness.bea):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await harness.settled()
    assert (await played.fresh()).row.players[1].user == int(harness.cem.id)


@pytest.mark.long
async def test_a_player_who_is_forgotten_is_named_nowhere_any_more(harness: Harness) -> None:
    played = await harness.match()
    await replace(harness, played)
    members, dora = harness.life.client.publisher.members, UserId(int(harness.dora.id))
    await harness.dora.command("tables")
    assert members.list_names(played.row.guild, [dora]) == {dora: "Dora"}
    await harness.dora.command("privacy forget", confirm="forget me")
    await harness.settled()
    assert members.list_names(played.row.guild, [dora]) == {}
    board = (await played.fresh()).board
    assert called(harness.dora) not in said(board) and "Agree: hand over" not in labels(board)
    await replace(harness, played, player=harness.cem)
    for person in (harness.bea, harness.cem):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await harness.settled()
    await harness.bea.command("privacy forget", confirm="forget me")
    await harness.settled()
    text = said((await played.fresh()).board)
    assert f"🟧\xa0{called(harness.cem)} took over from a former player." in text and called(harness.bea) not in text


def plain(reply: BotReply) -> str:
    """All of an answer as text, in which no space holds two words together."""
    return str(reply.message).replace("\\xa0", " ")


async def test_old_surfaces_show_nothing_new_to_a_replaced_player(harness: Harness) -> None:
    ann, bea, dora = harness.ann, harness.bea, harness.dora
    await ann.command("sums-grid challenge", channel="games", opponent=bea, size=2, seat="me")
    await harness.settled()
    await bea.press(bea.read_latest_message("games"), "Accept")
    await harness.settled()
    played = Played(harness, 1, await harness.row(1))
    own = await ann.press(played.board, "My board")
    pad = await ann.press(own.message, "Submit")
    form = await ann.press(pad.message, "Type it")
    secret = await ann.command("sums-grid submit", channel=played.place, grid="1 2 / 3 4")
    assert "1 2" in plain(secret)
    await ann.command("match replace", channel=played.place, seat=1, player=dora)
    await harness.settled()
    assert (await dora.press((await played.fresh()).board, "My board")).text.startswith("You aren't in")
    await bea.press((await played.fresh()).board, "Agree: hand over")
    await harness.settled()
    handed = await dora.press((await played.fresh()).board, "Agree: hand over")
    assert "1 2" in plain(handed), "the secrets of the seat are hers now"
    await harness.settled()
    await dora.command("sums-grid submit", channel=played.place, grid="4 3 / 2 1")
    await harness.settled()
    no = f"You aren't in this match. It is between {called(dora)} and {called(bea)}."
    for message, label in ((pad.message, "1"), (secret.message, "Submit"), (secret.message, "Done")):
        reply = await ann.press(message, label)
        assert reply.text == no and "4 3" not in plain(reply)
    assert (await ann.submit(form, {"Grid": "2 1 / 4 3"})).text == no
    shown = await ann.command("match board", channel=played.place)
    record = await ann.command("match record", channel=played.place)
    for reply in (shown, record):
        assert "4 3" not in plain(reply) and "1 2 /" not in plain(reply)
    assert (await ann.command("sums-grid done", channel=played.place)).text == no


async def test_a_player_who_is_asked_is_told_once_though_the_bot_dies_over_it(harness: Harness) -> None:
    played = await harness.match()
    harness.kill_at("posted")
    await harness.ann.command("match replace", channel=played.place, seat=2, player=harness.dora)
    await harness.killed.wait()
    await harness.restart()
    await harness.settled()
    assert harness.told(harness.dora) == 1
    for person in (harness.bea, harness.dora):
        await person.press((await played.fresh()).board, "Agree: hand over")
        await harness.settled()
    assert "took over from" in said((await played.fresh()).board)
    assert harness.told(harness.dora) == 1, "she knows: it was her word"
    assert (await harness.life.client.umpire.load((await played.fresh()).row.id)).users_to_notify == ()
