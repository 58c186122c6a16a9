"""A payload that Discord is not known to send gets one sentence and a line in the log, and ends nothing."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import chain, cycle, product
from typing import Any

import pytest

from bot.games.catalogue import load_games
from bot.sandbox import people
from bot.sandbox.people import BotReply
from tests.e2e.harness import Harness, form_of

Json = dict[str, Any]
Change = Callable[[Json], Any]

UNREAD = "I couldn't make sense of what Discord sent. Close Discord, open it again and try once more."
SORRY = "Something went wrong on my side. Everything played so far is safe; try again in a moment."
FAILED = "An interaction failed"
NOWHERE = "This button is out of date. Use /match board to get a fresh board."
ODD_COMMANDS: dict[str, Change] = {
    "a member without a number": lambda sent: sent["member"]["user"].update(id="Ann"),
    "without data": lambda sent: sent.pop("data"),
    "no size of files": lambda sent: sent.pop("attachment_size_limit"),
    "an option without a name": lambda sent: sent["data"]["options"][0]["options"][0].pop("name"),
    "a person without a name": lambda sent: person(sent).pop("username"),
}
ODDER_COMMANDS: dict[str, Change] = {
    "nobody": lambda sent: sent.pop("member"),
    "options that are none": lambda sent: sent["data"].update(options=7),
    "a person whose number is too large": lambda sent: person(sent).update(id="9" * 20),
}
"""Nothing checks for these: they fail further in, and are explained as any error is."""

ODD_TYPING: tuple[Change, ...] = (
    lambda sent: sent["data"]["options"][0]["options"][0].update(name="circle"),
    lambda sent: sent["data"]["options"][0]["options"][0].pop("focused"),
)
ODD_MESSAGES: tuple[Change, ...] = (
    lambda sent: sent.pop("message"),
    lambda sent: sent["message"].update(components=[]),
    lambda sent: sent["message"].update(components=[{"type": 99, "id": 1}]),
    lambda sent: sent["data"].update(component_type=3, type=2, invented="today"),
)


def person(sent: Json) -> Json:
    return next(iter(sent["data"]["resolved"]["users"].values()))


def named(custom_id: object) -> Change:
    return lambda sent: sent["data"].update(custom_id=custom_id)


@contextmanager
def changed(harness: Harness, change: Change) -> Generator[None]:
    """Let what Discord sends be changed on its way."""
    desk = harness.sandbox.interactions
    send = desk.send

    def sent(payload: Json) -> None:
        mine = copy.deepcopy(payload)
        change(mine)
        send(mine)

    desk.send = sent
    try:
        yield
    finally:
        desk.send = send


def heard(harness: Harness) -> list[logging.LogRecord]:
    """What was said in the log since the last time; nothing of it has a traceback, or more than one line."""
    said = harness.listener.complaints[:]
    harness.listener.complaints.clear()
    assert all(not record.exc_info and "\n" not in record.getMessage() for record in said), said
    return said


async def test_commands_that_cannot_be_read_are_answered_in_a_sentence(harness: Harness) -> None:
    for name, change in ODD_COMMANDS.items():
        with changed(harness, change):
            reply = await harness.ann.command("binary-primes challenge", opponent=harness.bea, rated=True)
        assert (reply.text, reply.is_ephemeral) == (UNREAD, True), name
        assert len(heard(harness)) == 1, name
    harness.forgiven.append(FAILED)
    for name, change in ODDER_COMMANDS.items():
        with changed(harness, change):
            reply = await harness.ann.command("binary-primes challenge", opponent=harness.bea)
        assert (reply.text, reply.is_ephemeral) == (SORRY, True), name
    harness.listener.complaints.clear()
    for change in ODD_TYPING:
        with changed(harness, change):
            assert await harness.ann.complete("binary-primes move", "square", square="b") == []
        assert len(heard(harness)) == 1
    with changed(harness, lambda sent: sent["data"]["resolved"].clear()):
        reply = await harness.ann.command("binary-primes challenge", opponent=harness.bea)
    assert reply.text.endswith("isn't in this server. You can only challenge members.")
    with changed(harness, lambda sent: sent.update(locale=5, channel={"id": "1", "type": 99})):
        assert (
            await harness.ann.command("match board")
        ).text == "I can't play in this kind of channel. Use another one."
    assert heard(harness) == []
    played = await harness.match()
    for option, typed in (("square", "b2"), ("match", "1")):
        assert await harness.ann.complete(
            "binary-primes move", option, channel=played.place, **{"square": "b", option: typed}
        )


def option(name: str, value: object, kind: int) -> Change:
    """An option more, or in place of the one of that name."""

    def change(sent: Json) -> None:
        inner = sent["data"]["options"][0]
        rest = [one for one in inner.get("options", ()) if one["name"] != name]
        inner["options"] = [*rest, {"name": name, "type": kind, "value": value}]

    return change


COMMAND, GROUP, TEXT, WHOLE, SOMEBODY = 1, 2, 3, 4, 6
ODD_OPTIONS: tuple[tuple[str, Change], ...] = (
    ("binary-primes challenge", option("seat", "hacker", TEXT)),
    ("binary-primes challenge", option("legs", 3, WHOLE)),
    ("binary-primes challenge", option("opponent", "Bea", TEXT)),
    ("binary-primes challenge", option("opponent", 5, SOMEBODY)),
    ("binary-primes challenge", option("size", "large", TEXT)),
    ("binary-primes challenge", option("rated", 1, 5)),
    ("combining-dividing challenge", option("seats", "three", WHOLE)),
    ("binary-primes move", option("square", 7, TEXT)),
    ("binary-primes move", option("square", 7, WHOLE)),
    ("binary-primes move", option("leg", 3, WHOLE)),
    ("binary-scramble append", option("digit", "7", TEXT)),
    ("binary-scramble append", option("digit", 7, WHOLE)),
    ("privacy forget", option("confirm", 7, TEXT)),
    ("privacy forget", option("confirm", 7, WHOLE)),
)

TYPED: dict[str, Json] = {
    "binary-primes move": {"square": "b2"},
    "binary-scramble append": {"digit": "1"},
    "privacy forget": {"confirm": "forget me"},
}
"""What else these commands must have."""


async def test_options_that_a_command_cannot_have_are_answered_in_a_sentence(harness: Harness) -> None:
    played = await harness.match(legs=2)
    for number, (path, change) in enumerate(ODD_OPTIONS):
        typed = TYPED.get(path, {})
        with changed(harness, change):
            reply = await harness.ann.command(path, channel=played.place, **typed)
        assert (reply.text, reply.is_ephemeral) == (UNREAD, True), number
        assert len(heard(harness)) == 1, number
        await asyncio.sleep(2)  # so that nobody asks too fast
    assert await played.unchanged()


def completed(harness: Harness) -> Iterator[tuple[list[str], str]]:
    """Every option of every command that suggests something: the command's path and the option's name."""

    def below(path: list[str], options: list[Json]) -> Iterator[tuple[list[str], str]]:
        for one in options:
            if one["type"] in (COMMAND, GROUP):
                yield from below([*path, one["name"]], one.get("options", []))
            elif one.get("autocomplete"):
                yield path, one["name"]

    for command in harness.sandbox.world.commands:
        yield from below([command["name"]], command.get("options", []))


@pytest.mark.long
async def test_typing_of_what_is_no_text_suggests_nothing_in_one_line(harness: Harness) -> None:
    played = await harness.match()
    found = [*completed(harness)]
    assert len(found) > len(load_games())
    odd = zip(found, cycle((True, ["a"])), strict=False)
    for (path, name), value in chain(product(found, (7, None)), odd):

        def change(sent: Json, value: object = value) -> None:
            inner = sent["data"]
            while not any("focused" in one for one in inner["options"]):
                inner = inner["options"][0]
            next(one for one in inner["options"] if "focused" in one)["value"] = value

        with changed(harness, change):
            assert await harness.ann.suggest(path, name, played.place, {name: "b"}) == [], (path, name, value)
        assert len(heard(harness)) == 1, (path, name, value)
        await asyncio.sleep(1)  # so that nobody types too fast


async def test_whatever_is_pressed_is_answered(harness: Harness) -> None:
    """Even where its message is of a kind that discord.py cannot read, or is not told at all."""
    played = await harness.match()

    async def pressed(change: Change) -> BotReply:
        with changed(harness, change):
            return await harness.ann.press(played.board, "Rules")

    for change in ODD_MESSAGES:
        assert "Example" in (await pressed(change)).text
    for custom_id in ("", 5, "m:1:1", "m:1:1:MOVE", "x" * 5000):
        assert (await pressed(named(custom_id))).text == NOWHERE
    assert heard(harness) == []
    assert (await pressed(lambda sent: sent["data"].pop("component_type"))).text == UNREAD
    assert len(heard(harness)) == 1
    harness.forgiven.append(FAILED)
    opened = await form_of(harness.ann, played.board)
    with changed(harness, lambda sent: sent["data"].update(components=[[]])):
        assert (await harness.ann.submit(opened, {"Square": "b2"})).text == SORRY
    assert await played.unchanged()


async def test_an_event_that_cannot_be_read_ends_nothing(harness: Harness) -> None:
    """A voice channel without its bitrate, which discord.py must have."""
    voice = {
        "id": "77",
        "type": 2,
        "guild_id": harness.sandbox.world.home_guild["id"],
        "name": "Kitchen",
        "position": 1,
    }
    for session in harness.sandbox.gateway.sessions.values():
        session.dispatch("CHANNEL_CREATE", {**voice, "permission_overwrites": []})
        session.dispatch("GUILD_ROLE_UPDATE", {"guild_id": voice["guild_id"]})
    played = await harness.match()
    assert "is to move." in people.text_of(played.board)
    said = [record.getMessage() for record in heard(harness)]
    assert len(said) == 2 and "CHANNEL_CREATE" in said[0] and "GUILD_ROLE_UPDATE" in said[1]
    assert harness.sandbox.gateway.identified == 1
