"""Lessons as people go through them: from the list, page by page, after a restart, and with buttons nobody made."""

from __future__ import annotations

import pytest

from bot.features.study import words as study_words
from bot.games.catalogue import load_games, load_games_with_lesson
from bot.play.lessons import LessonStep, load_lesson
from bot.sandbox import people
from tests.e2e.harness import Harness, labels

GONE = "The lesson has changed since then. Use /learn to start it again."
NO_GAME = "There is no such game here. /games shows what there is."
FORGED = {
    "p:learn:binary-primes-99": GONE,
    **dict.fromkeys(("p:learn:binary-primes-0", "p:learn:binary-primes-100"), NO_GAME),
    **dict.fromkeys(("p:learn:chess-2", "p:learn:", "p:learn:-3", "t:chess:move:0:pick:", "t:-:move:0:pick:"), NO_GAME),
    "t:plexus:split:0:pick:": "This button is out of date. Use /learn to start the lesson again.",
    "t:plexus:move:99:fly:a": "This button is out of date. Use /match board",
}


async def test_a_lesson_from_the_list_to_its_last_page(harness: Harness) -> None:
    """All of it in one message for the learner alone, there and back; and the bot may be another one meanwhile."""
    listed = await harness.cem.command("learn", channel="general")
    assert listed.is_ephemeral and labels(listed.message) == ["Learn …"]
    page = await harness.cem.press(listed, "Learn …", values=["binary-primes"])
    assert page.message_id == listed.message_id
    found = load_lesson(load_games()["binary-primes"])
    assert found
    for number, step in enumerate(found.steps, 1):
        assert page.is_ephemeral
        assert f"Binary Primes · {number} of {found.page_count}" in page.text and step.say in page.text
        assert all(claim in page.text for claim in step.claims)
        assert len(people.list_media(page.message)) == 1
        if number == 3:
            await harness.restart()
        page = await harness.cem.press(page, "Your turn" if number == len(found.steps) else "Next")
        assert page.message_id == listed.message_id
    assert found.trial.say in page.text and labels(page.message) == ["Back", "Move"]
    for number in reversed(range(1, found.page_count)):
        page = await harness.cem.press(page, "Back")
        assert f"· {number} of {found.page_count}" in page.text
    assert labels(page.message) == ["Next"]
    assert not any("Binary Primes" in people.text_of(message) for message in harness.dora.read_messages("general"))


async def test_the_learners_own_move(harness: Harness) -> None:
    """On a pad, tap by tap, over a restart, with a tap too late and one back; then it is told, and tried again."""
    page = await harness.cem.command("learn", channel="general", game="binary-primes")
    for _ in range(len(steps_of("binary-primes"))):
        page = await harness.cem.press(page, labels(page.message)[-1])
    pad = await harness.cem.press(page, "Move")
    assert pad.message_id == page.message_id and "a2" in labels(pad.message)
    whole = await harness.cem.press(pad, "a2")
    await harness.restart()
    late = await harness.forge(harness.cem, whole.message, "t:binary-primes:move:1:pick:b1")
    assert (late.message_id, late.text) == (page.message_id, whole.text), "a tap meant for the line before does nothing"
    assert "Play **a2**?\nScores: 🟦 has 1.7 times your product." in whole.text
    told = await harness.cem.press(late, "Play a2")
    assert "You played **a2**: 🟦 has 1.7 times 🟧's product." in told.text
    assert "The other side wins, 45\xa0:\xa027." in told.text
    assert "**b1** would have won, 45\xa0:\xa027" in told.text and len(people.list_media(told.message)) == 1
    again = await harness.cem.press(told, "Try again")
    whole = await harness.cem.press(await harness.cem.press(again, "Move"), "b1")
    told = await harness.cem.press(whole, "Play b1")
    assert told.text.endswith(study_words.NO_MORE)
    assert labels(told.message) == ["Play it", "Try again", "From the start"]
    card = await harness.cem.press(told, "Play it")
    await harness.life.idle()  # the pictures of all games are drawn again after the restart
    assert card.message_id == page.message_id and "Open a table" in labels(card.message)


def steps_of(key: str) -> tuple[LessonStep, ...]:
    found = load_lesson(load_games()[key])
    assert found
    return found.steps


async def test_a_lesson_by_its_name(harness: Harness) -> None:
    offered = await harness.ann.complete("learn", "game", game="bin")
    assert ("Binary Primes", "binary-primes") in offered
    assert {key for _, key in await harness.ann.complete("learn", "game", game="")} == {*load_games_with_lesson()}
    page = await harness.ann.command("learn", game="Binary Primes")
    assert page.is_ephemeral and "Binary Primes · 1 of" in page.text
    rules = await harness.ann.command("plexus rules")
    begun = await harness.ann.press(rules, "Learn it in pictures")
    assert begun.is_ephemeral and begun.message_id != rules.message_id and "Plexus · 1 of" in begun.text
    nothing = await harness.ann.command("learn", game="chess")
    assert nothing.is_ephemeral and nothing.text == "There is no such game here. /games shows what there is."


async def test_pages_and_taps_that_nobody_made(harness: Harness) -> None:
    page = await harness.ann.command("learn", game="plexus")
    for custom_id, sentence in FORGED.items():
        forged = await harness.forge(harness.ann, page.message, custom_id)
        assert forged.is_ephemeral and forged.text.startswith(sentence), custom_id


@pytest.mark.long
async def test_a_person_who_presses_on_anybodys_message_gets_a_lesson_of_their_own(harness: Harness) -> None:
    played = await harness.match()
    for custom_id, where in (
        ("p:learn:plexus", "Plexus · 1 of"), ("p:learn:plexus-2", "Plexus · 2 of"),
        ("t:plexus:move:0:pick:", "-# Plexus"), ("t:plexus:move:7:play:b", "-# Plexus"),
    ):  # fmt: skip
        forged = await harness.forge(harness.cem, played.board, custom_id)
        assert forged.is_ephemeral and forged.message_id != played.board["id"] and where in forged.text
    assert played.board == (await played.fresh()).board
