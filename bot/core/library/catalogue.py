"""Finds the games: every folder of ``cogs/`` whose package has a GAME. Only this module of ``bot`` looks there.

A game is offered to people only when its folder has a ``cog.py`` too; until then its rules can be replayed and tested.
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

import cogs
from bot.core.game.game import Game
from bot.core.game.position import Position
from bot.core.library import lesson as lessons
from bot.core.library.lesson import Lesson
from bot.core.match.match import Match

TELLING = 6
"""A match of fewer moves does not show what a game looks like."""


def by_name(game: Game) -> str:
    """Sorting key: the letters of a game's title alone."""
    return "".join(letter for letter in game.title.lower() if letter.isalpha())


@cache
def games() -> MappingProxyType[str, Game]:
    """All games by key, in alphabetical order of their titles. A folder's name is its game's key with _ for -."""
    folders = [name for _, name, folder in pkgutil.iter_modules(cogs.__path__) if folder]
    tables = [game for name in folders if (game := _table(name))]
    return MappingProxyType({game.key: game for game in sorted(tables, key=by_name)})


@cache
def offered() -> MappingProxyType[str, Game]:
    """The games that people can play: those whose folder has commands."""
    return MappingProxyType({key: game for key, game in games().items() if _has_cog(key)})


@cache
def example(game: Game) -> Match | None:
    """The longest of a game's recorded matches with the usual options, folded: what the game looks like."""
    rows = recorded(game)
    if not rows:
        return None
    longest = max(rows, key=lambda row: (is_usual(game, row) and len(row["moves"]) >= TELLING, len(row["moves"])))
    return folded(game, longest)


@cache
def rules_example(game: Game) -> Position | None:
    """The position that the example of a game's rules page describes: that of the recorded match that is marked so."""
    if game.example:
        return game.example()
    return next((folded(game, row).position for row in recorded(game) if row.get("example")), None)


def recorded(game: Game) -> list[dict[str, Any]]:
    """The recorded matches in a game's folder."""
    return _lines(game, "played.jsonl")


def puzzle_lines(game: Game) -> list[dict[str, Any]]:
    """The puzzles in a game's folder, a line each; `bot.core.puzzle.puzzles` says what they are."""
    return _lines(game, "puzzles.jsonl")


@cache
def lesson(game: Game) -> Lesson | None:
    """The lesson in a game's folder."""
    rows = _lines(game, "lesson.jsonl")
    return lessons.read(game, rows) if rows else None


@cache
def taught() -> MappingProxyType[str, Game]:
    """The games that people can play and of which there is a lesson."""
    return MappingProxyType({key: game for key, game in offered().items() if _file(game, "lesson.jsonl").is_file()})


def folded(game: Game, row: dict[str, Any]) -> Match:
    """A recorded match at its end."""
    match = Match.start(game, row.get("options", {}), row["seats"])
    for seat, text in row["moves"]:
        match = match.enter(seat, text)
    return match


def is_usual(game: Game, row: dict[str, Any]) -> bool:
    """Whether a recorded match was played with the usual options, by more than one."""
    usual = game.Options.read({}, row["seats"])
    return row["seats"] > 1 and game.Options.read(row.get("options", {}), row["seats"]) == usual


@cache
def cog_modules() -> tuple[str, ...]:
    """The dotted names of all modules with commands: the general cogs first, then those of the games."""
    house = [f"cogs.{name}" for _, name, folder in pkgutil.iter_modules(cogs.__path__) if not folder]
    return (*house, *(f"cogs.{_folder(key)}.cog" for key in offered()))


def _table(name: str) -> Game | None:
    game: Game | None = getattr(_module(name), "GAME", None)
    if game and _folder(game.key) != name:
        asked = f"name the folder {_folder(game.key)}, or the key {name.replace('_', '-')}"
        raise ImportError(f"cogs/{name} holds the game {game.key}: {asked}.")
    return game


def _lines(game: Game, name: str) -> list[dict[str, Any]]:
    file = _file(game, name)
    return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []


def _file(game: Game, name: str) -> Traversable:
    return files(_module(_folder(game.key))) / name


def _has_cog(key: str) -> bool:
    return any(name == "cog" for _, name, _ in pkgutil.iter_modules(_module(_folder(key)).__path__))


def _folder(key: str) -> str:
    return key.replace("-", "_")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"cogs.{name}")
