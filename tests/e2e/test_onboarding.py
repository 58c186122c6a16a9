"""The start for newcomers, played through: from /play alone by one message to a match, whatever comes in between."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.challenges.onboarding import ALL_GAMES, COMPUTER_PLAYS, HOW_MANY, WHICH
from bot.games.catalogue import load_games, load_games_with_lesson, load_offered_games
from bot.play.rows import ServerSettings
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Reader, Transaction
from tests.e2e.harness import Harness, Json, called, labels

SOMEBODY = "Challenge somebody …"
SEVERAL = "Challenge 1 to 7 people …"
LEARN = {key: ["Learn it first"] if key in load_games_with_lesson() else [] for key in load_offered_games()}
FIRST = [WHICH, "Quick game", ALL_GAMES]
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


async def test_from_play_to_a_challenge_in_one_message(harness: Harness) -> None:
    asked = await harness.ann.command("play", channel="games")
    select, *buttons = people.list_buttons(asked.message)
    assert [button.label for button in buttons] == ["Quick game", ALL_GAMES] and len(select.options) == 5
    listed = await harness.ann.press(asked, ALL_GAMES)
    assert listed.message_id == asked.message_id
    select, back = people.list_buttons(listed.message)
    assert sorted(value for _, value in select.options) == sorted(load_offered_games())
    assert labels((await harness.ann.press(listed, "Back")).message) == FIRST
    await harness.ann.press(asked, ALL_GAMES)
    shown = await harness.ann.press(asked, WHICH, ["plexus"])
    await harness.until(lambda: load_games()["plexus"].goal in shown.text)
    assert labels(shown.message) == CARD
    (picture,) = people.list_media(shown.message)
    assert picture.alt and picture.attachment_id
    back = await harness.ann.press(shown, "Back")
    assert labels(back.message) == FIRST and people.list_media(back.message) == []
    # It outlives the bot, wherever one was; the rules stand beside it.
    await harness.restart()
    shown = await harness.ann.press(await harness.ann.press(back, ALL_GAMES), WHICH, ["plexus"])
    await harness.until(lambda: load_games()["plexus"].goal in shown.text)
    rules = await harness.ann.press(shown, "Rules")
    assert rules.is_ephemeral and rules.message_id != asked.message_id
    done = await harness.ann.press(shown, SOMEBODY, [harness.bea])
    await harness.settled()
    row = await harness.row(1)
    assert (row.game, row.seats, row.legs, row.rated, [player.user for player in row.players]) == (
        "plexus", 2, 2, True, [int(harness.ann.id), int(harness.bea.id)],
    )  # fmt: skip
    await harness.until(lambda: str(row.lobby_message) in done.text)
    assert done.message_id == asked.message_id and labels(done.message) == []
    assert done.text.splitlines() == [
        f"**Match 1 of Plexus: challenge sent. {called(harness.bea)} can answer until <t:{row.expires}:f>.**",
        "I'll tell you when the match starts, or if somebody declines: "
        f"https://discord.com/channels/{row.guild}/{row.channel}/{row.lobby_message}",
    ]
    assert harness.told(harness.bea) == 1
    assert (await harness.bea.press(harness.bea.read_latest_message("games"), "Accept")).kind == "update"
    assert await made(harness) == {"live": 1}


@pytest.mark.long
async def test_from_the_card_to_a_lesson_and_back(harness: Harness) -> None:
    key = next(iter(load_games_with_lesson()))
    shown = await card(harness, key)
    lesson = await harness.ann.press(shown, "Learn it first")
    assert lesson.is_ephemeral and f"### {load_games()[key].title}" in lesson.text
    again = await harness.choose(harness.ann, lesson.message, f"p:pick:{key}", [])
    assert labels(again.message)[-2:] == ["Rules", "Back"] and again.message_id == lesson.message_id


@pytest.mark.long
async def test_several_at_once_a_table_and_alone(harness: Harness) -> None:
    shown = await card(harness, "sums-grid")
    ways = [COMPUTER_PLAYS, SEVERAL, HOW_MANY, "Alone", *LEARN["sums-grid"], "Rules", "Back"]
    assert labels(shown.message) == ways
    done = await harness.ann.press(shown, SEVERAL, [harness.bea, harness.cem])
    assert f"{called(harness.bea)} and {called(harness.cem)} can answer until <t:" in done.text
    done = await harness.ann.press(await card(harness, "plexus"), "Open a table")
    assert "I'll tell you when the match starts: https://" in done.text
    done = await harness.ann.press(await card(harness, "sums-grid"), "Alone")
    await harness.settled()
    rows = [await harness.row(number) for number in (1, 2, 3)]
    assert [(row.state, row.seats, len(row.players)) for row in rows] == [
        ("open", 3, 3), ("open", 2, 1), ("live", 1, 1),
    ]  # fmt: skip
    await harness.until(lambda: f"/{rows[2].thread}/{rows[2].board_message}" in done.text)


async def test_a_table_for_as_many_as_were_chosen(harness: Harness) -> None:
    shown = await card(harness, "binary-scramble")
    await harness.ann.press(shown, HOW_MANY, ["3"])
    await harness.settled()
    assert ((await harness.row(1)).state, (await harness.row(1)).seats) == ("open", 3)
    for value in ("x", "99"):
        forged = await harness.choose(harness.ann, (await card(harness, "plexus")).message, "p:table:plexus", [value])
        assert forged.is_ephemeral
    assert await made(harness) == {"open": 1}


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
