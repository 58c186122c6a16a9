"""The computer as people meet it: challenged by command, card and table, named without a mention wherever it stands."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.engine.levels import SearchQuestion, Thought
from bot.engine.search import answer_question
from bot.features.board.words import CHIPS
from bot.features.challenges.onboarding import ALL_GAMES, COMPUTER_PLAYS, WHICH
from bot.features.challenges.words import SIT_DOWN, UP
from bot.features.computer.service import EnginePool
from bot.play import acts
from bot.play.ids import describe_level
from bot.sandbox import people
from bot.sandbox.people import BotReply
from data.store import Reader
from tests.e2e.harness import Harness, Played, called, labels

SMALL = {"size": 3}
OFF = "The computer doesn't play here, because this bot's host has switched it off. Challenge a person instead."


async def at_once(_: Any, question: SearchQuestion, *__: Any) -> Thought:
    """A search in a thread of this process, which need not be started."""
    return await asyncio.to_thread(answer_question, question)


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started to search."""
    monkeypatch.setattr(EnginePool, "think", at_once)


async def latest(harness: Harness, number: int) -> Played:
    """A match as it stands when no computer is to move."""
    await harness.answered()
    return Played(harness, number, await harness.row(number))


async def over(played: Played) -> Played:
    """The match after Ann has played the first square that she can until it is over."""
    harness = played.harness
    while played.row.state == "live":
        loaded = await harness.life.client.umpire.load(played.row.id)
        square = next(move for move in loaded.begun_match.position.moves(loaded.turn[0]))
        reply = await harness.ann.command("binary-primes move", channel=played.place, square=square)
        assert reply.text.startswith(f"You played **{square}**"), reply.text
        played = await latest(harness, played.id)
    return played


def users(played: Played) -> list[int]:
    """The people and computers of a match, people first."""
    return sorted((player.user for player in played.row.players), reverse=True)


# To challenge it.


async def test_a_command_begins_a_match_at_once(harness: Harness) -> None:
    ann = int(harness.ann.id)
    asked = await harness.ann.command("binary-primes challenge", channel="games", level=3, seat="me", **SMALL)
    played = await latest(harness, 1)
    await harness.until(lambda: str(played.row.board_message) in asked.text)
    board = f"https://discord.com/channels/{played.row.guild}/{played.row.thread}/{played.row.board_message}"
    assert asked.text == f"Match 1 of Binary Primes has started against the computer (level 3). {board}"
    assert users(played) == [ann, 31] and (played.row.rated, played.row.pace) == (False, "none")
    text = people.text_of(played.board)
    assert f"{CHIPS[1]}\xa0The computer (level 3)" in text and f"{called(harness.ann)} is to move." in text
    assert played.place["name"] == "Ann – Computer, level 3 · Binary Primes · 1"
    by_play = await harness.ann.command("play", channel="games", game="plexus", level=1, rated=True)
    assert by_play.text.startswith(
        "Match 2 of Plexus has started against the computer (level 1). Matches against the computer aren't rated. https://"
    )
    assert harness.told(harness.ann) <= 2, "of no match whose first move is her own, and once where the computer began"


@pytest.mark.long
async def test_to_name_the_bot_is_to_ask_for_the_computer(harness: Harness) -> None:
    us = harness.sandbox.world.me
    named = await harness.ann.command("binary-primes challenge", channel="games", opponent=us, **SMALL)
    assert named.text.startswith("Match 1 of Binary Primes has started against the computer (level 2). https://")
    stronger = await harness.ann.command("binary-primes challenge", channel="games", opponent=us, level=4, **SMALL)
    assert "against the computer (level 4)" in stronger.text
    several = await harness.ann.command(
        "binary-scramble challenge", channel="games", opponent=us, opponent2=harness.bea
    )
    assert several.text.startswith(
        f"Match 3 of Binary Scramble: challenge sent. {called(harness.bea)} can answer until <t:"
    )
    full = await harness.ann.command("binary-primes challenge", channel="games", opponent=harness.bea, level=2)
    assert full.text == "There is no seat left for the computer. Name fewer people or more seats, or leave out level."
    await harness.answered()
    assert await harness.store.ask(Reader.count_by_state) == {"live": 2, "open": 1}


@pytest.mark.long
async def test_people_and_computers_at_one_table(harness: Harness) -> None:
    await harness.ann.command("binary-scramble challenge", channel="games", opponent=harness.bea, level=2, seats=4)
    await harness.settled()
    played = Played(harness, 1, await harness.row(1))
    text = people.text_of(played.lobby)
    assert "The computer (level 2) and computer 2 (level 2) play too." in text and "not rated" in text
    assert (await harness.bea.press(played.lobby, "Accept")).kind == "update"
    played = await latest(harness, 1)
    assert users(played)[2:] == [22, 21] and played.row.state == "live" and played.row.pace == "7"
    assert sorted(re.findall(r"Computer(?: 2)?, level 2", played.place["name"])) == [
        "Computer 2, level 2",
        "Computer, level 2",
    ]


async def test_the_card_begins_a_match_in_one_choice(harness: Harness) -> None:
    asked = await harness.ann.command("play", channel="games")
    assert "*Quick game* starts an easy one against the computer" in people.text_of(asked.message)
    shown = await harness.ann.press(await harness.ann.press(asked, ALL_GAMES), WHICH, ["binary-primes"])
    await harness.until(lambda: labels(shown.message)[:1] == [COMPUTER_PLAYS])
    (levels,) = (one.options for one in people.list_buttons(shown.message) if one.label == COMPUTER_PLAYS)
    assert levels[0] == (describe_level(1), "1")
    done = await harness.ann.press(shown, COMPUTER_PLAYS, ["1"])
    played = await latest(harness, 1)
    await harness.until(lambda: str(played.row.board_message) in done.text or str(played.row.thread) in done.text)
    assert done.text.startswith("**Match 1 of Binary Primes has started against the computer (level 1).**")
    assert labels(done.message) == [] and played.row.state == "live" and users(played)[1] == 11


@pytest.mark.long
async def test_where_no_computer_thinks_nobody_can_challenge_it(harness: Harness) -> None:
    listed = await harness.ann.press(await harness.ann.command("play", channel="games"), ALL_GAMES)
    shown = await harness.ann.press(listed, WHICH, ["binary-primes"])
    await harness.until(lambda: labels(shown.message)[:1] == [COMPUTER_PLAYS])
    played = await harness.challenge()
    harness.life.client.engine_pool.many = 0
    asked = await harness.ann.command("binary-primes challenge", channel="games", level=1)
    by_card = await harness.ann.press(shown, COMPUTER_PLAYS, ["1"])
    at_table = await harness.ann.press(played.lobby, SIT_DOWN, ["1"])
    assert (asked.text, by_card.text.split("\n")[0], at_table.text) == (OFF, OFF, OFF)
    assert asked.is_ephemeral and by_card.is_ephemeral and at_table.is_ephemeral
    listed = await harness.ann.press(await harness.ann.command("play", channel="games"), ALL_GAMES)
    shown = await harness.ann.press(listed, WHICH, ["binary-primes"])
    await harness.until(lambda: "Open a table" in labels(shown.message))
    assert COMPUTER_PLAYS not in labels(shown.message)
    assert await harness.store.ask(Reader.count_by_state) == {"open": 1}


# At a table.


async def test_the_host_fills_a_seat_of_an_open_table(harness: Harness) -> None:
    played = await harness.challenge()
    assert labels(played.lobby)[-1] == SIT_DOWN
    refused = await harness.bea.press(played.lobby, SIT_DOWN, ["2"])
    assert refused.is_ephemeral
    assert refused.text == f"Only {called(harness.ann)}, who opened this table, can add the computer."
    done = await harness.ann.press(played.lobby, SIT_DOWN, ["2"])
    assert done.kind == "update"
    played = await latest(harness, played.id)
    assert played.row.state == "live" and not played.row.rated and users(played)[1] == 21
    assert "the computer (level 2) · **Binary Primes** · https://" in people.text_of(played.lobby)


async def test_computers_sit_down_and_get_up_again(harness: Harness) -> None:
    await harness.ann.command("binary-scramble challenge", channel="games", opponent=harness.bea, seats=4)
    await harness.settled()
    played = Played(harness, 1, await harness.row(1))
    for level in ("1", "5"):
        assert (await harness.ann.press(played.lobby, SIT_DOWN, [level])).kind == "update"
        await harness.settled()
    text = people.text_of(played.lobby)
    assert "The computer (level 1) and the computer (level 5) play too." in text and "not rated" in text
    (select,) = (one for one in people.list_buttons(played.lobby) if one.label == SIT_DOWN)
    assert [value for _, value in select.options] == [UP]
    assert (await harness.ann.press(played.lobby, SIT_DOWN, [UP])).kind == "update"
    await harness.settled()
    text = people.text_of(played.lobby)
    assert "The computer (" not in text and "· rated" in text and "2 of 4 seats are free" in text
    assert f"{called(harness.bea)}" in text, "who was invited stays so"
    for forged in (["7"], [], ["1", "2"]):
        said = await harness.choose(harness.ann, played.lobby, "m:1:0:computer", forged)
        assert said.text == "The computer plays at levels 1 to 6. Choose one of them."


# In a match.


async def test_a_draw_is_offered_to_it_from_the_panel(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    """It thinks about that for a while, and its answer comes where the question was."""
    played = await harness.against(level=2)

    async def thinks(_: Any, question: SearchQuestion, *__: Any) -> Thought:
        found = await asyncio.to_thread(answer_question, question)
        return Thought(found.move, 0, 0.5, False, (), (0.1, 0.9))

    monkeypatch.setattr(EnginePool, "think", thinks)
    more = await harness.ann.press(played.board, "More …")
    asked = await harness.ann.press(more.message, "Offer a draw")
    await harness.settled()
    await harness.until(lambda: asked.text)
    assert asked.is_ephemeral and asked.text == f"{CHIPS[1]}\xa0The computer (level 2) doesn't want a draw."


@pytest.mark.long
async def test_it_is_asked_for_a_draw_and_agrees_to_all_else(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    played = await harness.against(level=2)
    shares = [(0.1, 0.9), (0.5, 0.5)]

    async def thinks(_: Any, question: SearchQuestion, *__: Any) -> Thought:
        found = await asyncio.to_thread(answer_question, question)
        return Thought(found.move, 0, 0.5, False, (), shares[0])

    monkeypatch.setattr(EnginePool, "think", thinks)
    asked = await harness.ann.command("match draw", channel=played.place)
    await harness.settled()
    await harness.until(lambda: asked.text)
    assert asked.is_ephemeral
    assert asked.text == f"{CHIPS[1]}\xa0The computer (level 2) doesn't want a draw."
    assert f"{CHIPS[1]}\xa0The computer (level 2) doesn't want a draw" in people.text_of((await played.fresh()).board)
    again = await harness.ann.command("match draw", channel=played.place)
    assert "the computer (level 2) didn't agree. Ask again after another move" in again.text
    await harness.ann.command("binary-primes move", channel=played.place, square="a1")
    played = await latest(harness, played.id)
    assert len(played.record) == 2
    taken = await harness.ann.command("match takeback", channel=played.place)
    assert taken.text.startswith(f"**a1** and {CHIPS[1]}\xa0the computer (level 2)'s ")
    played = await latest(harness, played.id)
    assert played.row.turn == (1,) and played.record[-1] == (1, "takeback")
    shares.pop(0)
    drawn = await harness.ann.command("match draw", channel=played.place)
    await harness.settled()
    await harness.until(lambda: drawn.text)
    assert drawn.text.startswith("The match is a draw")
    assert (await played.fresh()).row.state == "finished"


@pytest.mark.long
async def test_one_person_calls_a_match_off_and_hands_no_seat_to_it(harness: Harness) -> None:
    played = await harness.against()
    us = harness.sandbox.world.me
    given = await harness.ann.command("match replace", channel=played.place, seat=1, player=us)
    assert given.text == "The computer can't take over a seat. Name a person, or resign the match."
    taken = await harness.ann.command("match replace", channel=played.place, seat=2, player=harness.bea)
    assert taken.text == "Nobody can take over the computer's seat."
    paused = await harness.ann.command("match pause", channel=played.place)
    assert paused.text.startswith("This match has no clock")
    done = await harness.surely(harness.ann, "match abort", channel=played.place)
    assert "The match is called off." in done.text, done.text
    await harness.settled()
    assert (await played.fresh()).row.state == "aborted"


async def test_a_rematch_begins_at_once_and_who_won_goes_one_level_up(harness: Harness) -> None:
    played = await harness.against(level=1)
    await harness.life.does(harness.life.client.umpire.act(harness_act(harness), played.row.id, 11, acts.resign))  # pyright: ignore[reportArgumentType]
    harness.life.client.publisher.request_publish(played.row.id)
    played = await latest(harness, played.id)
    assert labels(played.board) == ["Rematch", "Replay", "More …"]
    told = await harness.press_more(harness.ann, played.board, "Level 2 next")
    assert told.text.startswith("The rematch has started. It's match 2: ")
    again = await latest(harness, 2)
    assert again.row.state == "live" and [again.row.user_at(seat) for seat in (1, 2)] == [21, int(harness.ann.id)]
    await harness.surely(harness.ann, "match resign", channel=again.place)
    again = await latest(harness, 2)
    more = await harness.ann.press(again.board, "More …")
    assert "Details" in labels(more.message) and not any(label.startswith("Level") for label in labels(more.message))
    told = await harness.ann.press(again.board, "Rematch")
    assert told.text.startswith("The rematch has started. It's match 3: ")
    assert [(await latest(harness, 3)).row.user_at(seat) for seat in (1, 2)] == [int(harness.ann.id), 21]


def harness_act(harness: Harness) -> Any:
    """The number of an act that nobody has done."""
    harness.acts += 1
    return harness.acts


# Wherever it stands.


NAMED_NOWHERE = re.compile(r"<@!?\d{1,3}>")
ASKED_NOWHERE = re.compile(r"/(users|members)/\d{1,3}(/|$)")


def texts(value: Any) -> Iterator[str]:
    """Every text in what was sent."""
    if isinstance(value, dict):
        for one in value.values():  # pyright: ignore[reportUnknownVariableType]  -- JSON
            yield from texts(one)
    elif isinstance(value, list):
        for one in value:  # pyright: ignore[reportUnknownVariableType]
            yield from texts(one)
    elif isinstance(value, str):
        yield value


def told(value: Any) -> Iterator[str]:
    """Everybody whom a request lets a message mention."""
    if isinstance(value, dict):
        for key, one in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield from (map(str, one["users"]) if key == "allowed_mentions" and "users" in one else told(one))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def unmentioned(harness: Harness) -> None:
    """No request to Discord mentions a computer, or asks who that is."""
    assert len(harness.sandbox.request_log) > 30
    for entry in harness.sandbox.request_log:
        assert not ASKED_NOWHERE.search(entry.path), entry.path
        assert not [text for text in texts(entry.body) if NAMED_NOWHERE.search(text)], entry.body
        assert not [user for user in told(entry.body) if len(user) < 4], entry.body


async def everything(harness: Harness, played: Played, *people: Any) -> list[BotReply]:
    """What can be looked at of a match, by some people."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("matches", {}), ("matches", {"which": "all here"}), ("matches", {"which": "finished"}), ("tables", {}),
        ("match board", {"match": played.id}), ("match record", {"match": played.id}), ("leaderboard", {}),
        ("profile", {}), ("profile", {"person": harness.ann}), ("privacy export", {}),
        ("match claim", {"match": played.id}), ("match give", {"match": played.id}),
        ("match replay", {"match": played.id}), ("match hint", {"match": played.id}),
        ("match review", {"match": played.id}),
    ]  # fmt: skip
    found: list[BotReply] = []
    for person in people:
        for command, options in asked:
            harness.life.client.gate.acts.buckets.clear()
            if command in harness_commands(harness):
                found.append(await person.command(command, channel="general", **options))
                await harness.settled()
    return found


def harness_commands(harness: Harness) -> set[str]:
    """The commands that there are, by their whole names."""
    return {command.qualified_name for command in harness.life.client.tree.walk_commands()}


@pytest.mark.long
async def test_no_computer_is_ever_mentioned(harness: Harness) -> None:
    """A match of two people and two computers, from the challenge to what is kept of it; and one of one person."""
    given = {"opponent": harness.bea, "level": 1, "seats": 4, "length": 4, "target": 1}
    await harness.ann.command("binary-scramble challenge", channel="games", **given)
    await harness.settled()
    played = Played(harness, 1, await harness.row(1))
    await everything(harness, played, harness.ann)
    await harness.bea.press(played.lobby, "Accept")
    played = await latest(harness, 1)
    await everything(harness, played, harness.ann, harness.cem)
    for command in ("match pause", "match takeback", "match draw", "match abort"):
        await harness.ann.command(command, channel=played.place)
        await harness.settled()
    wrong = await harness.ann.command("binary-scramble flip", channel=played.place, position="99")
    assert wrong.is_ephemeral
    await harness.later(8 * 24 * 3600)
    await everything(harness, played, harness.ann, harness.bea)
    for person in (harness.bea, harness.ann):
        await harness.surely(person, "match resign", channel=played.place)
        await harness.answered()
    played = await latest(harness, 1)
    assert played.row.state == "aborted" and "Only computers were left" in people.text_of(played.board)
    alone = await over(await harness.against(level=1))
    await everything(harness, alone, harness.ann, harness.cem)
    await harness.ann.press(alone.board, "Replay")
    opened = await harness.ann.command(
        "binary-scramble challenge", channel="games", opponent=harness.bea, level=1, seats=3
    )
    number = int(opened.text.split()[1])
    await harness.settled()
    await harness.bea.press((Played(harness, number, await harness.row(number))).lobby, "Decline")
    await harness.later(49 * 3600)
    await harness.life.client.sweep()
    await harness.settled()
    unmentioned(harness)


@pytest.mark.long
async def test_what_is_kept_says_who_was_a_computer_and_what_was_beaten(harness: Harness) -> None:
    played = await harness.against(level=1)
    await harness.life.does(harness.life.client.umpire.act(harness_act(harness), played.row.id, 11, acts.resign))  # pyright: ignore[reportArgumentType]
    harness.life.client.publisher.request_publish(played.row.id)
    await harness.settled()
    record = await harness.ann.command("match record", channel=played.place)
    (file,) = record.message["attachments"]
    assert json.loads(people.bytes_of(harness.sandbox.world, file))["computers"] == [[2, 1]]
    profile = await harness.bea.command("profile", channel="games", person=harness.ann)
    assert "**Against the computer**" in profile.text
    assert "**Binary Primes** · **level 1 beaten** · level 1: 1 won" in profile.text
    assert "**Against the computer**" not in (await harness.bea.command("profile", channel="games")).text
    forged = await harness.forge(harness.bea, profile.message, "p:profile:11")
    assert forged.text == "This button is out of date. Use the command again."
    listed = await harness.ann.command("matches", channel="games", which="finished")
    assert "the computer (level 1)" in listed.text
    board = await harness.ann.command("leaderboard", channel="games")
    assert "Nobody has finished a rated match" in board.text
