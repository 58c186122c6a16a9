"""Acts that cannot be undone ask first, and a command in a match's thread means that match and no other."""

from __future__ import annotations

import pytest

from bot.sandbox import people
from tests.e2e.harness import Harness, called, labels


async def test_a_question_that_a_move_has_overtaken_does_nothing(harness: Harness) -> None:
    played = await harness.match()
    asked = await harness.bea.command("match resign", channel=played.place)
    played = await played.move("b2")
    late = await harness.bea.press(asked.message, "Resign")
    assert (late.kind, late.message_id) == ("update", asked.message_id)
    assert "The match moved on after I asked you, so nothing was done." in late.text
    assert await played.unchanged()


@pytest.mark.long
async def test_a_question_about_a_match_that_is_over(harness: Harness) -> None:
    played = await harness.match()
    asked = await harness.bea.command("match resign", channel=played.place)
    await harness.surely(harness.ann, "match resign", channel=played.place)
    await harness.settled()
    late = await harness.bea.press(asked.message, "Resign")
    assert late.text == "This match is over."
    assert (await harness.bea.press(asked.message, "Play on")).text == "Nothing was changed."


async def test_forged_answers_do_nothing_for_strangers(harness: Harness) -> None:
    played = await harness.match(harness.bea, harness.cem)
    for verb in ("resign", "abort", "playon"):
        for own in ("", "s"):
            reply = await harness.forge(harness.dora, played.board, f"m:1:0{own}:{verb}")
            assert reply.text.startswith("You aren't in this match. ")
    assert await played.unchanged()


async def test_resigning_in_the_thread_of_others_gives_up_nothing(harness: Harness) -> None:
    mine = await harness.match(harness.bea, harness.cem)
    others = await harness.match(harness.ann, harness.dora)
    refused = await harness.bea.command("match resign", channel=others.place)
    assert refused.text.startswith("You aren't in this match. It is between ")
    # Where it is named, it is meant.
    asked = await harness.bea.command("match resign", channel=others.place, match=mine.id)
    assert people.text_of(asked.message).startswith(f"Resign match {mine.id} against {called(harness.cem)}?")
    assert await mine.unchanged() and await others.unchanged()


async def test_a_move_of_another_game_is_refused_in_the_thread_of_a_match_with_the_link(harness: Harness) -> None:
    mine = await harness.match()
    reply = await harness.cem.command("plexus challenge", channel="games", opponent=harness.dora)
    await harness.settled()
    lobby = next(message for message in harness.dora.read_messages("games") if labels(message))
    await harness.dora.press(lobby, "Accept")
    await harness.settled()
    place = harness.sandbox.channel(str((await harness.row(int(reply.text.split()[1]))).thread))
    refused = await harness.ann.command("binary-primes move", channel=place, square="b2")
    link = f"https://discord.com/channels/{mine.row.guild}/{mine.row.board_channel}/{mine.row.board_message}"
    assert refused.text == (
        "This thread is for match 2, which is Plexus, not Binary Primes. Your Binary Primes matches:\n"
        f"1 · Your move · Binary Primes against {called(harness.bea)} · "
        f"time ends <t:{mine.row.players[0].deadline}:R> {link}"
    )
    assert await mine.unchanged()
    assert (await harness.ann.command("binary-primes move", channel=place, square="b2", match=1)).text.startswith("You")
