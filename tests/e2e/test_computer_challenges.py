"""The computer is named without a mention wherever it stands, and what no client sends seats none."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.engine.levels import SearchQuestion, Thought
from bot.engine.search import answer_question
from bot.features.computer.service import EnginePool
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.e2e.harness import Harness, Played


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


async def test_what_no_client_sends_seats_no_computer_and_shows_no_profile(harness: Harness) -> None:
    played = await harness.challenge()
    for forged in (["7"], [], ["1", "2"]):
        refused = await harness.choose(harness.ann, played.lobby, "m:1:0:computer", forged)
        assert refused.text == "The computer plays at levels 1 to 6. Choose one of them."
    profile = await harness.bea.command("profile", channel="games", person=harness.ann)
    forged = await harness.forge(harness.bea, profile.message, "p:profile:11")
    assert forged.text == "This button is out of date. Use the command again."
