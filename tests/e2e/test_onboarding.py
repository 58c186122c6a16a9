"""The card of a game, whatever comes in between: closed channels, taps at once, and what no client sends."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.challenges.onboarding import ALL_GAMES, COMPUTER_PLAYS, WHICH
from bot.games.catalogue import load_games, load_games_with_lesson, load_offered_games
from bot.play.rows import ServerSettings
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Reader, Transaction
from tests.e2e.harness import Harness, Json, called, labels

SOMEBODY = "Challenge somebody …"
LEARN = {key: ["Learn it first"] if key in load_games_with_lesson() else [] for key in load_offered_games()}
CARD = [COMPUTER_PLAYS, SOMEBODY, "Open a table", "In one leg", *LEARN["plexus"], "Rules", "Back"]


async def card(harness: Harness, key: str, channel: str | Json = "games") -> BotReply:
    """The card of a game, as Ann gets to it."""
    asked = await harness.ann.press(await harness.ann.command("play", channel=channel), ALL_GAMES)
    assert asked.is_ephemeral
    shown = await harness.ann.press(asked, WHICH, [key])
    assert shown.kind in ("update", "acknowledged") and shown.message_id == asked.message_id
    await harness.until(lambda: load_games()[key].goal in shown.text)
    return shown


async def made(harness: Harness) -> dict[str, int]:
    """How many matches there are in each state."""
    await harness.settled()
    return await harness.store.ask(Reader.count_by_state)


@pytest.mark.long
async def test_from_the_card_to_a_lesson_and_back(harness: Harness) -> None:
    key = next(iter(load_games_with_lesson()))
    shown = await card(harness, key)
    lesson = await harness.ann.press(shown, "Learn it first")
    assert lesson.is_ephemeral and f"### {load_games()[key].title}" in lesson.text
    again = await harness.choose(harness.ann, lesson.message, f"p:pick:{key}", [])
    assert labels(again.message)[-2:] == ["Rules", "Back"] and again.message_id == lesson.message_id


@pytest.mark.long
async def test_a_restricted_channel_and_a_closed_one_refuse_it_as_any_challenge(harness: Harness) -> None:
    shown, general = await card(harness, "plexus"), harness.sandbox.channel("general")
    only = ServerSettings(channels=(int(general["id"]),))  # pyright: ignore[reportArgumentType]  -- an id
    await harness.store.do(Transaction.set_settings, int(general["guild_id"]), only)
    by_command = await harness.ann.command("plexus challenge", channel="games", opponent=harness.bea)
    for label, values in ((SOMEBODY, [harness.bea]), ("Open a table", None)):
        assert (await harness.ann.press(shown, label, values)).text.split("\n")[0] == by_command.text
    await harness.store.do(Transaction.set_settings, int(general["guild_id"]), ServerSettings(most_open=1))
    harness.faults.deny("games", "attach_files")
    refused = await harness.ann.press(shown, "Open a table")
    assert refused.text.startswith("I can't post boards in this channel without Attach Files.")
    harness.faults.allow("games", "attach_files")
    assert "Match 1" in (await harness.ann.press(shown, "Open a table")).text
    await asyncio.sleep(60)  # she has pressed a lot
    capped = await harness.ann.press(await card(harness, "plexus"), "Open a table")
    assert capped.text.startswith("You have 1 open challenge in this server")
    assert await made(harness) == {"open": 1}


async def test_pressed_twice_it_is_one_challenge(harness: Harness) -> None:
    shown = await card(harness, "plexus")
    harness.faults.deliver_twice()
    await harness.ann.press(shown, SOMEBODY, [harness.bea])
    assert await made(harness) == {"open": 1}
    assert harness.told(harness.bea) == 1


async def test_a_card_begins_one_match_however_often_it_is_tapped(harness: Harness) -> None:
    """Two taps are two interactions; the second may be on its way before the first has changed the message."""
    for match, (key, custom_id) in enumerate((("plexus", "p:table:plexus"), ("sums-grid", "p:alone:sums-grid")), 1):
        shown = (await card(harness, key)).message
        taps = [await harness.forge(harness.ann, shown, custom_id) for _ in range(2)]
        assert all(tap.text.startswith(f"**Match {match} of ") for tap in taps)
    assert await made(harness) == {"open": 1, "live": 1}


FORGED: list[tuple[str, list[str], str]] = [
    ("p:pick:", ["chess"], "There is no such game here"),
    ("p:table:plexus", ["x"], "I couldn't make sense of what Discord sent"),
    ("p:table:plexus", ["99"], "Plexus is for 2 players, not 99."),
    ("p:table:chess", [], "There is no such game here"),
    ("p:alone:plexus", [], "Plexus can't be played alone"),
    ("p:computer:plexus", ["7"], "The computer plays at levels 1 to 6. Choose one of them."),
    ("p:computer:plexus", [], "The computer plays at levels 1 to 6."),
    ("p:computer:chess", ["2"], "There is no such game here"),
    ("p:challenge:plexus", ["x"], "I couldn't make sense of what Discord sent"),
    ("p:challenge:plexus", ["7", "8"], "isn't in this server"),
    ("p:pick:", ["plexus", "plexus"], "I couldn't make sense of what Discord sent"),
    ("p:steps:plexus", [], "This button is out of date"),
]


@pytest.mark.long
async def test_play_with_a_game_alone_shows_its_card_and_begins_nothing_that_cannot_be(harness: Harness) -> None:
    shown = await harness.ann.command("play", channel="games", game="Plexus")
    await harness.until(lambda: load_games()["plexus"].goal in shown.text)
    assert shown.is_ephemeral and labels(shown.message) == CARD
    refused = await harness.ann.press(shown, SOMEBODY, [harness.ann.id])
    assert refused.is_ephemeral and "You can't challenge yourself" in refused.text
    assert refused.message_id == shown.message_id, "the list of people is another one, so that it shows nobody"
    # A person who leaves while the list of people is open.
    gone = await harness.choose(harness.ann, shown.message, "p:challenge:plexus", [harness.bea.id], members=False)
    assert gone.text.split("\n")[0] == f"{called(harness.bea)} isn't in this server. You can only challenge members."
    # What no client sends.
    people = [harness.bea.id, harness.cem.id]
    for custom_id, values, said in (*FORGED, ("p:challenge:plexus", people, "Plexus is for 2 players, not 3.")):
        forged = await harness.choose(harness.ann, shown.message, custom_id, values)
        assert forged.is_ephemeral and said in forged.text
        harness.life.client.gate.acts.buckets.clear()
    assert await made(harness) == {}
    assert labels(shown.message) == CARD


@pytest.mark.long
async def test_on_a_board_that_all_see_it_changes_nothing_of_it(harness: Harness) -> None:
    played = await harness.match()
    before = people.text_of(played.board)
    for custom_id, values in (("p:pick:", []), ("p:pick:", ["plexus"]), ("p:table:plexus", [])):
        assert (await harness.choose(harness.cem, played.board, custom_id, values)).is_ephemeral
    await harness.settled()
    assert people.text_of(played.board) == before
