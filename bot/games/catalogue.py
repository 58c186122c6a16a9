"""Finds the games: every folder of ``cogs/`` whose package has a GAME. No other module of ``bot`` imports from there.

A game is offered only when its folder has a ``cog.py`` too; until then its rules can be replayed and tested.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType, ModuleType
from typing import Any

import cogs as _cogs
from bot.games.game import Game

"""The least number of moves of a recorded match that serves as an example."""


def make_title_key(game: Game) -> str:
    """Sorting key: the letters of a game's title alone."""
    return "".join(letter for letter in game.title.lower() if letter.isalpha())


@cache
def load_games() -> MappingProxyType[str, Game]:
    """All games by key, ordered by title. A folder's name is its game's key with _ for -."""
    folders = [name for _, name, folder in pkgutil.iter_modules(_cogs.__path__) if folder]
    tables = [game for name in folders if (game := _load_game(name))]
    return MappingProxyType({game.key: game for game in sorted(tables, key=make_title_key)})


@cache
def load_offered_games() -> MappingProxyType[str, Game]:
    """The games that can be played: those whose folder has a cog."""
    return MappingProxyType({key: game for key, game in load_games().items() if _has_cog(key)})


def read_recorded_matches(game: Game) -> list[dict[str, Any]]:
    """The recorded matches in a game's folder."""
    return read_lines(game, "played.jsonl")


def read_puzzle_lines(game: Game) -> list[dict[str, Any]]:
    """The puzzles in a game's folder, a line each, in the format of `bot.play.puzzles`."""
    return read_lines(game, "puzzles.jsonl")


@cache
def load_games_with_lesson() -> MappingProxyType[str, Game]:
    """The games that can be played and have a lesson."""
    return MappingProxyType(
        {key: game for key, game in load_offered_games().items() if _locate_file(game, "lesson.jsonl").is_file()}
    )


def is_usual(game: Game, row: dict[str, Any]) -> bool:
    """Whether a recorded match has the usual options, and more than one seat."""
    usual, given = game.Options.read({}, row["seats"]), game.Options.complete_record(row.get("options", {}))
    return row["seats"] > 1 and game.Options.read(given, row["seats"]) == usual


@cache
def list_cog_modules() -> tuple[str, ...]:
    """The dotted names of all modules with commands: the general cogs first, then those of the games."""
    general = [f"cogs.{name}" for _, name, folder in pkgutil.iter_modules(_cogs.__path__) if not folder]
    return (*general, *(f"cogs.{_name_folder(key)}.cog" for key in load_offered_games()))


def _load_game(name: str) -> Game | None:
    game: Game | None = getattr(_import_module(name), "GAME", None)
    if game and _name_folder(game.key) != name:
        asked = f"name the folder {_name_folder(game.key)}, or the key {name.replace('_', '-')}"
        raise ImportError(f"cogs/{name} holds the game {game.key}: {asked}.")
    return game


def read_lines(game: Game, name: str) -> list[dict[str, Any]]:
    file = _locate_file(game, name)
    return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []


def _locate_file(game: Game, name: str) -> Traversable:
    return files(_import_module(_name_folder(game.key))) / name


def _has_cog(key: str) -> bool:
    return any(name == "cog" for _, name, _ in pkgutil.iter_modules(_import_module(_name_folder(key)).__path__))


def _name_folder(key: str) -> str:
    return key.replace("-", "_")


def _import_module(name: str) -> ModuleType:
    return importlib.import_module(f"cogs.{name}")
