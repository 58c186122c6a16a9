"""The gate's parts: how fast one person may act, and which texts and match an interaction brings."""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeGuard

import discord
import pytest
from discord import app_commands
from discord.ext import commands
from hypothesis import given
from hypothesis import strategies as st

from bot.app.game_commands import make_command_class
from bot.games.catalogue import list_cog_modules, load_games
from bot.platform.checks import (
    ACTS_IN_A_ROW,
    ACTS_PER_SECOND,
    ASKERS,
    USUAL,
    Price,
    TokenBuckets,
    command_price,
    costs,
    iterate_named_matches,
    iterate_texts,
    typing_price,
)
from bot.platform.interactions import NO_NUMBER, parse_match_id
from bot.play.loaded_match import Refusal
from tests.support.routes import ROUTES, pressed_price, prices

Command = app_commands.Command[Any, ..., Any]
NONE: Any = None


def all_commands() -> dict[str, Command]:
    """Every command of the harness and of one game, by its whole name."""
    found: dict[str, Command] = {}
    for module in map(import_module, list_cog_modules()):
        for cog in vars(module).values():
            if isinstance(cog, type) and issubclass(cog, commands.Cog) and cog.__module__ == module.__name__:
                group = f"{cog.__cog_group_name__} " if issubclass(cog, commands.GroupCog) else ""
                listed: Any = cog.__cog_app_commands__
                found |= {f"{group}{command.name}": command for command in listed}
    group = make_command_class(load_games()["plexus"])(NONE, NONE, NONE, NONE)
    return found | {command.qualified_name: command for command in group.walk_commands() if is_command(command)}


def is_command(command: object) -> TypeGuard[Command]:
    return isinstance(command, app_commands.Command)


COMMANDS = all_commands()


def price(name: str, *options: str) -> Price:
    """The price of a command with some options."""
    return command_price(COMMANDS[name], [{"name": option} for option in options])


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def rate(clock: Clock) -> TokenBuckets:
    return TokenBuckets(ACTS_IN_A_ROW, ACTS_PER_SECOND, clock)


def test_a_burst_then_a_pace() -> None:
    clock = Clock()
    acts = rate(clock)
    assert [acts.take(1) for _ in range(22)] == [True] * 20 + [False] * 2
    clock.now += 0.49
    assert not acts.take(1)
    clock.now += 0.02
    assert [acts.take(1), acts.take(1)] == [True, False]
    clock.now += 3600
    assert [acts.take(1) for _ in range(21)] == [True] * 20 + [False]


def test_asking_in_vain_does_not_make_it_longer() -> None:
    clock = Clock()
    acts = rate(clock)
    for _ in range(20):
        acts.take(1)
    for _ in range(9):
        clock.now += 0.05
        assert not acts.take(1)
    clock.now += 0.06
    assert acts.take(1)


def test_everybody_has_a_bucket_of_their_own() -> None:
    acts = rate(Clock())
    while acts.take(1):
        pass
    assert acts.take(2)


def test_a_clock_that_goes_back_gives_nothing_away() -> None:
    clock = Clock()
    acts = rate(clock)
    for _ in range(20):
        acts.take(1)
    clock.now -= 50
    assert not acts.take(1)


def test_who_asked_longest_ago_is_forgotten() -> None:
    acts = rate(Clock())
    for _ in range(20):
        acts.take(1)
    for asker in range(2, ASKERS + 2):
        acts.take(asker)
    assert len(acts.buckets) == ASKERS
    assert 1 not in acts.buckets and 2 in acts.buckets


COMMAND: dict[str, Any] = {
    "name": "match",
    "options": [
        {
            "name": "resign",
            "type": 1,
            "options": [{"name": "reason", "type": 3, "value": "tired"}, {"name": "match", "type": 4, "value": 7}],
        }
    ],
}
FORM: dict[str, Any] = {
    "custom_id": "f:8:0:move:1",
    "components": [
        {"type": 18, "component": {"type": 3, "custom_id": "square:0", "values": ["c"]}},
        {"type": 18, "component": {"type": 4, "custom_id": "number:0", "value": "42"}},
        {"type": 10},
    ],
}


@pytest.mark.parametrize(
    ("data", "match", "written"),
    [
        (COMMAND, 7, ["tired"]),
        (FORM, 8, ["42"]),
        ({"custom_id": "m:9:3s:move", "component_type": 2}, 9, []),
        ({"custom_id": "m:x:3:move", "component_type": 2}, None, []),
        ({"custom_id": "r:10:3:next", "component_type": 2}, 10, []),
        ({"name": "matches"}, None, []),
        ({"name": "play", "options": [{"name": "game", "type": 3, "value": "m:1:0:move"}]}, None, ["m:1:0:move"]),
        # While it is typed, the value of the option is a text.
        ({"name": "x", "options": [{"name": "match", "type": 4, "value": "12", "focused": True}]}, None, ["12"]),
    ],
)
def test_what_an_interaction_brings(data: dict[str, Any], match: int | None, written: list[str]) -> None:
    used = getattr(ROUTES.parse(data.get("custom_id", "")), "match", None)
    assert [*iterate_named_matches(data, typing=True), *([used] if used else [])] == ([match] if match else [])
    assert list(iterate_texts(data)) == written


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.integers(0, 10**16).map(str),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=3,
)


@given(JUNK | st.integers(0, 10**16) | st.integers(0, 10**16).map(float))
def test_a_number_of_a_match_is_read_in_one_way(value: Any) -> None:
    """What the gate has let through as a match is that match to every command; anything else is refused by both."""

    def read(value: Any) -> int | None:
        try:
            return parse_match_id(value)
        except Refusal as refusal:
            assert str(refusal) == NO_NUMBER
            return -1

    command = {
        "name": "match",
        "options": [{"name": "board", "type": 1, "options": [{"name": "match", "value": value}]}],
    }
    try:
        found = [*iterate_named_matches(command)]
    except Refusal:
        found = [-1]
    number = read(value)
    assert found == ([] if number is None else [number])
    assert number in (None, -1) or (0 <= number < 10**15 and number == float(value))


LOOK: dict[str, Any] = {"looks": True}
COSTLY: list[tuple[Price, Price]] = [
    (price("games"), Price(2, **LOOK)),
    (price("help"), Price(1, **LOOK)),
    (price("play"), Price(2, **LOOK)),
    (pressed_price("p:pick:"), Price(2, **LOOK)),
    (pressed_price("p:challenge:plexus"), Price(2)),
    (pressed_price("p:table:plexus"), Price(2)),
    (price("play", "game"), Price(2)),
    (price("match board"), Price(2, **LOOK)),
    (price("match record"), Price(2, **LOOK)),
    (price("match replay"), Price(2, **LOOK)),
    (price("match resign"), Price(1)),
    (price("match hint"), Price(3)),
    (price("match review"), Price(8)),
    (price("match replace"), Price(2)),
    (price("plexus rules"), Price(2, **LOOK)),
    (price("plexus challenge"), Price(2)),
    (price("plexus move"), Price(1)),
    (price("move", "line"), Price(1)),
    (price("matches"), Price(2, **LOOK)),
    (price("tables"), Price(2, **LOOK)),
    (price("leaderboard"), Price(3, **LOOK)),
    (price("profile"), Price(4, **LOOK)),
    (price("records"), Price(2, **LOOK)),
    (price("learn"), Price(1, **LOOK)),
    (price("away until"), Price(3)),
    (price("away back"), Price(3)),
    (price("away show"), Price(1, **LOOK)),
    (price("preferences"), Price(2)),
    (price("privacy export"), Price(5, **LOOK)),
    (price("privacy forget"), Price(5)),
    (price("settings pace"), Price(1)),
    (pressed_price("m:1:0:rules"), Price(2, **LOOK)),
    (pressed_price("m:1:0:which"), Price(2)),
    (pressed_price("r:1:5:next"), Price(0.5, **LOOK)),
    (pressed_price("r:1:5:film"), Price(8)),
    (pressed_price("r:1:5:show"), Price(4)),
    (pressed_price("k:1:5:move:0:pick:a1"), Price(0.5)),
    (pressed_price("k:1:5:move:0:play:"), Price(1)),
    (pressed_price("t:plexus:move:0:pick:a1"), Price(0.5, **LOOK)),
    (pressed_price("m:1:0:move"), Price(1)),
    (pressed_price("p:leaderboard:"), Price(3, **LOOK)),
    (pressed_price("f:1:0:move:1"), Price(1)),
    (pressed_price("nonsense"), Price(1)),
    (command_price(None, ()), Price(1)),
]


@pytest.mark.parametrize(("costly", "expected"), COSTLY)
def test_what_costs_the_bot_more_costs_more(costly: Price, expected: Price) -> None:
    assert costly == expected


def test_a_command_declares_its_own_price() -> None:
    async def shown(interaction: discord.Interaction) -> None:
        """Do nothing."""

    command: Command = app_commands.Command(name="shown", description="Show.", callback=shown)
    assert command_price(command, ()) == USUAL
    costs(5, looks_bare=True)(command)
    assert command_price(command, ()) == Price(5, looks=True)
    assert command_price(command, ({"name": "game"},)) == Price(5)


def test_nothing_is_so_costly_that_it_is_refused_when_discord_delivers_it_twice() -> None:
    declared = [command_price(command, ()) for command in COMMANDS.values()]
    for costly in (*declared, *prices().values()):
        assert 2 * costly.moves <= ACTS_IN_A_ROW


def test_typing_costs_by_what_is_typed() -> None:
    for name, costly in (("game", 1), ("match", 1), ("line", 2), ("square", 2)):
        options = [{"name": "x", "type": 1, "options": [{"name": name, "focused": True}, {"name": "game"}]}]
        assert typing_price({"name": "x", "options": options}) == Price(costly, looks=True)
    assert typing_price({}) == Price(2, looks=True)


def test_costly_requests_are_allowed_less_often() -> None:
    clock = Clock()
    acts = rate(clock)
    costly = price("match review").moves
    assert [acts.take(1, costly) for _ in range(5)] == [True] * 2 + [False] * 3
    # What is left is enough for what is cheap.
    assert acts.take(1, 1)
    clock.now += costly / ACTS_PER_SECOND
    assert acts.take(1, costly)


def test_nobody_is_remembered_whose_bucket_is_full() -> None:
    clock = Clock()
    acts = rate(clock)
    for asker in range(1000):
        acts.take(asker)
    clock.now += ACTS_IN_A_ROW / ACTS_PER_SECOND + 1
    acts.take(5000)
    assert [*acts.buckets] == [5000]


def test_who_may_change_something_is_not_in_line_with_those_who_look() -> None:
    acting = {name for name, command in COMMANDS.items() if not command_price(command, [{}]).looks}
    assert acting >= {
        "play",
        "move",
        "plexus challenge",
        "plexus move",
        "match resign",
        "match abort",
        "privacy forget",
    }
    assert acting >= {"away until", "away back", "preferences", "match hint", "match review", "match publish"}
    for verb in ("film", "show", "tell", "review", "again"):
        assert not pressed_price(f"r:1:5:{verb}").looks, "others would wait for a film"
    assert not any(pressed_price(one).looks for one in ("m:1:0:accept", "f:1:0:move:1", "k:1:5:move:0:play:"))
    begins = {"quick", "challenge", "computer", "table", "alone", "weekend", "settings", "preferences"}
    begins |= {"leaguejoin", "leagueleave", "leaguestart", "leaguenext"}
    begins |= {"leaguequit", "leagueremove", "leaguecancel", "leaguestay"}
    assert {text.split(":")[1] for text, costly in prices().items() if text[0] == "p" and not costly.looks} == begins
