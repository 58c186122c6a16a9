"""Suggestions: whatever one showed is read as its value, no two look alike, and phones can use all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import pytest
from discord import app_commands

from bot.client.interactions.context import Interaction
from bot.core.library.catalogue import example, offered
from bot.core.match.match import Match
from bot.core.match.record import Move
from bot.core.values.ids import ChannelId, GuildId, InteractionId, UserId
from bot.sandbox import Reply
from bot.service.rules.challenge_terms import Challenge
from tests.e2e.house import House, Json, Played

COMMAND, GROUP, TEXT, WHOLE, SWITCH, SOMEBODY = 1, 2, 3, 4, 5, 6
EACH = 3
"""Of the suggestions of an option so many are sent back."""
Given = dict[str, Any]


@pytest.fixture
def described() -> bool:
    """Thousands of suggestions, which other stories compare with Discord's description."""
    return False


def unhurried(house: House) -> None:
    """As if a while had passed: nobody types so fast."""
    for rate in (house.life.client.gate.acts, house.life.client.gate.typing):
        rate.buckets.clear()


def commands_of(house: House) -> Iterator[tuple[str, list[Json]]]:
    """Every command that takes options, by its path."""

    def below(path: list[str], options: list[Json]) -> Iterator[tuple[str, list[Json]]]:
        inner = [one for one in options if one["type"] in (COMMAND, GROUP)]
        if not inner and options:
            yield " ".join(path), options
        for one in inner:
            yield from below([*path, one["name"]], one.get("options", []))

    for command in house.sandbox.world.commands:
        yield from below([command["name"]], command.get("options", []))


async def played(house: House, key: str) -> Played:
    """A match of Ann's that is half played as its recorded example was, with her to move."""
    game, umpire, world = offered()[key], house.life.client.umpire, house.sandbox.world
    shown = example(game)
    assert shown
    people = (house.ann, house.bea, house.cem, house.dora)[: shown.seats]
    users = [UserId(int(one.id)) for one in people]
    guild, channel = GuildId(int(world.guild["id"])), ChannelId(int(house.sandbox.channel("games")["id"]))
    asked = Challenge(
        guild, channel, users[0], game, shown.options.record(), guests=tuple(users[1:]), seating="host", legs=1
    )
    seated = await house.life.does(umpire.challenge(act(house), asked))
    for user in users[1:]:
        await house.life.does(umpire.accept(act(house), seated.id, user))
    for move in begun(shown):
        await house.life.does(umpire.move(act(house), seated.id, users[move.seat - 1], move.text))
    house.life.client.publisher.soon(seated.id)
    await house.settled()
    found = Played(house, seated.id, await house.row(seated.id))
    assert found.row.at(1) == users[0] and 1 in found.row.turn, key
    return found


def begun(shown: Match) -> list[Move]:
    """About half of the moves of a recorded match, none after somebody has left, so that seat 1 is to move."""
    match, best = Match.start(shown.game, shown.options.record(), shown.seats), 0
    moves = [*takewhile(lambda one: isinstance(one, Move), shown.record)]
    for at, move in enumerate(moves):
        if 1 in match.turn and at <= len(moves) // 2:
            best = at
        match = match.enter(*move)
    return [one for one in moves[:best] if isinstance(one, Move)]


def act(house: House) -> InteractionId:
    house.acts += 1
    return InteractionId(house.acts)


async def full(house: House) -> dict[str, Json]:
    """A server in which there is something to suggest for every option: where each game's match is played."""
    places = {key: (await played(house, key)).place for key in offered()}
    for _ in range(2):
        await house.ann.command("league create", channel="games", game="plexus")
    for number in range(2):
        await house.match(legs=1 + number)
    await house.settled()
    return places


async def suggestions(house: House, path: str, option: str, place: Json, given: Given) -> list[tuple[str, Any]]:
    unhurried(house)
    return await house.ann.suggest(path.split(), option, place, {**given, option: given.get(option, "")})


async def needed(house: House, path: str, options: list[Json], option: str, place: Json) -> Given | None:
    """Values for the options that a command must have beside this one, or that stand before it; None without any."""
    given: Given = {}
    for one in options:
        if one["name"] == option or not (one.get("required") or path == "match replace"):
            continue
        if one.get("autocomplete"):
            found = await suggestions(house, path, one["name"], place, given)
            if not found:
                return None
            given[one["name"]] = found[0][1]
        elif choices := one.get("choices"):
            given[one["name"]] = choices[0]["value"]
        else:
            given[one["name"]] = {WHOLE: 1, SWITCH: True, SOMEBODY: house.bea}.get(one["type"], "1")
    return given


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[Given]:
    """What reaches the callbacks, which are not run."""
    got: list[Given] = []

    async def called(_: object, interaction: Interaction, given: Given) -> None:
        got.append(given)
        await interaction.response.send_message("Read.", ephemeral=True)

    monkeypatch.setattr(app_commands.Command, "_do_call", called)
    return got


NOWHERE_NOW = {"match publish": "match"}
"""Nothing has been played alone here."""


async def test_every_suggestion_can_be_sent_by_what_it_showed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each option of each command; and no two suggestions of one option look alike."""
    house.clock.at = house.clock()
    places = await full(house)
    got: list[Given] = []
    options_seen = suggestions_seen = 0

    async def called(_: object, interaction: Interaction, given: Given) -> None:
        got.append(given)
        await interaction.response.send_message("Read.", ephemeral=True)

    monkeypatch.setattr(app_commands.Command, "_do_call", called)
    silent: list[str] = []
    for path, options in commands_of(house):
        key = path.split()[0]
        place = places.get(key, places["within-the-curve" if path == "move" else "plexus"])
        for one in options:
            option = one["name"]
            if not one.get("autocomplete"):
                continue
            given = await needed(house, path, options, option, place)
            found = await suggestions(house, path, option, place, given) if given is not None else []
            if not found:
                silent.append(f"/{path} {option}")
                continue
            options_seen, suggestions_seen = options_seen + 1, suggestions_seen + len(found)
            names = [name for name, _ in found]
            assert len(set(names)) == len(names) <= 25, (path, option, names)
            for name, value in found[:EACH]:
                sent = [await sent_to(house, got, path, place, {**(given or {}), option: text}) for text in (value, name)]
                assert sent[0] == sent[1], (path, option, name, value)
    print(options_seen, suggestions_seen, silent)
    assert silent == []


async def sent_to(house: House, got: list[Given], path: str, place: Json, given: Given) -> Given:
    """What reaches a command's callback."""
    unhurried(house)
    got.clear()
    reply = await house.ann.run(path.split(), place, given)
    assert len(got) == 1, (path, given, reply.text)
    return got[0]
