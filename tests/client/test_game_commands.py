"""A game's commands are made from its table: what Discord is told of them is what the table says, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.app.game_commands import LEG_HELP, MATCH_HELP, make_command_class, option_help
from bot.features.challenges.service import HELP, OPPONENTS
from bot.games.catalogue import load_offered_games
from bot.games.game import Game
from bot.games.legs import has_legs
from bot.games.moves import MoveKind, Part
from bot.games.options import Bounds
from bot.play.clocks import PACES, Pace
from bot.play.ids import describe_level
from tests.support.command_tree import commands

TEXT, WHOLE, SWITCH, PERSON = 3, 4, 5, 6
"""Discord's kinds of options."""

NONE: Any = None
EVERY_GAME = pytest.mark.parametrize("game", load_offered_games().values(), ids=lambda game: game.key)


def payload(game: Game) -> dict[str, Any]:
    """What Discord is told of a game's commands."""
    tree = app_commands.CommandTree[Any](discord.Client(intents=discord.Intents.none()))
    return make_command_class(game)(NONE, NONE, NONE, NONE).to_dict(tree)


def option(name: str, type: int, help: str, *, required: bool = False, **further: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "description": help, "required": required, **further}


def words(*values: object) -> dict[str, Any]:
    return {"choices": [{"name": str(value), "value": value} for value in values]}


def of_part(part: Part) -> dict[str, Any]:
    named = [{"name": part.name_word(word), "value": word} for word in part.words]
    offers: dict[str, Any] = {"choices": named} if named else {"autocomplete": True}
    return option(part.name, TEXT, part.help, required=not part.optional, **offers)


def of_bounds(name: str, bounds: Bounds) -> dict[str, Any]:
    help = option_help(bounds)
    if bounds.words:
        return option(name, TEXT, help, **words(*bounds.words))
    if bounds.step > 1:
        return option(name, WHOLE, help, **words(*bounds.values))
    return option(name, WHOLE, help, min_value=bounds.low, max_value=bounds.high)


def of_kind(kind: MoveKind, legged: bool) -> list[dict[str, Any]]:
    legs = [option("leg", WHOLE, LEG_HELP, **words(1, 2))] if legged else []
    return [*map(of_part, kind.parts), *legs, option("match", TEXT, MATCH_HELP, autocomplete=True)]


LEVELS: dict[str, Any] = {"choices": [{"name": describe_level(level), "value": level} for level in range(1, 7)]}
PACED: dict[str, Any] = {"choices": [{"name": str(Pace.parse(pace)), "value": pace} for pace in PACES]}


def of_challenge(game: Game) -> list[dict[str, Any]]:
    low, high = game.seats[0], game.seats[-1]
    seats = [option("seats", WHOLE, HELP["seats"], min_value=low, max_value=high)] if low < high else []
    return [
        *(option(name, PERSON, HELP[name]) for name in OPPONENTS[: max(1, high - 1)]),
        *([option("level", WHOLE, HELP["level"], **LEVELS)] if high > 1 else []),
        *(of_bounds(name, bounds) for name, bounds in game.Options.bounds().items()),
        option("seat", TEXT, HELP["seat"], **words("me", "opponent", "lot")),
        *seats,
        *([option("fewer", SWITCH, HELP["fewer"])] if high > 2 else []),
        *([option("legs", WHOLE, HELP["legs"][:100], **words(1, 2))] if has_legs(game) else []),
        option("rated", SWITCH, HELP["rated"]),
        *([option("pace", TEXT, HELP["pace"], **PACED)] if high > 1 else []),
    ]


@EVERY_GAME
def test_discord_is_told_what_the_table_says(game: Game) -> None:
    told = payload(game)
    assert (told["name"], told["description"]) == (game.key, game.goal[:100])
    assert [(one["name"], one["description"]) for one in told["options"]] == [
        ("rules", "See how the game is played."),
        *((kind.name, kind.help) for kind in game.moves),
        ("challenge", "Challenge somebody, or open a table that anybody can join."),
    ]
    expected = [[], *(of_kind(kind, has_legs(game)) for kind in game.moves), of_challenge(game)]
    assert [plain(one["options"]) for one in told["options"]] == expected


def plain(options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Options without what is as good as left out: nothing offered, no bounds."""
    kept = {"name", "type", "description", "required", "autocomplete", "choices", "min_value", "max_value"}
    return [{key: value for key, value in one.items() if key in kept and value not in (None, [])} for one in options]


def suggesting(path: str, options: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every option with suggestions, of all commands."""
    for one in options:
        yield from suggesting(f"{path} {one['name']}", one.get("options", []))
        if one.get("autocomplete"):
            yield path, one


def test_every_option_with_suggestions_is_a_text() -> None:
    """Android checks what a suggestion shows against a number, so nobody there could choose one."""
    found = [*suggesting("", commands())]
    assert len(found) > 90
    assert [f"{path} {one['name']}" for path, one in found if one["type"] != TEXT] == []


def test_a_part_may_be_called_as_python_calls_something_else() -> None:
    (move,) = [one for one in payload(load_offered_games()["plexus"])["options"] if one["name"] == "move"]
    assert [one["name"] for one in move["options"]] == ["from", "to", "leg", "match"]
