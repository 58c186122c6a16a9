"""Describes a game: its rules page, how its moves are entered, its entry in the list. Pure text, no Discord."""

from __future__ import annotations

import re

from bot.core.game.game import Game
from bot.core.library.catalogue import rules_example

DIFFICULTIES = ("easy to begin with", "takes some thought", "takes some study")
SHORTLY = ("easy", "some thought", "some study")
"""The difficulties where there is little room."""


def rules(game: Game) -> str:
    """The rules page: the docstring of the rules without the doctest, unwrapped, and how a move is entered."""
    text = (game.rules or "").partition(">>>")[0].strip()
    title, _, body = text.partition("\n")
    paragraphs = [re.sub(r"\n(?!- ) *", " ", paragraph) for paragraph in re.split(r"\n\s*\n", body.strip())]
    return f"### {title}\n" + "\n\n".join([*paragraphs, entering(game)])


def entering(game: Game) -> str:
    """Which buttons and commands enter a move, and how squares are named."""
    buttons = " or ".join(f"*{kind.name.capitalize()}*" for kind in game.moves)
    commands = " or ".join(f"`/{game.key} {kind.name}`" for kind in game.moves)
    where = "under your own board (*My board* opens it)" if game.secret else "under the board"
    text = f"**To move** Press {buttons} {where}, or use {commands}, or `/move` with the move in a line"
    match = rules_example(game)
    text += f", like `{match.record[0].text}`." if match else "."
    squares = any(part.kind == "square" for kind in game.moves for part in kind.parts)
    return text + (" `c4` is column c, row 4 from the top." if squares else "")


def entry(game: Game) -> str:
    """A game in the list of games: its name and command, its goal, its facts."""
    return f"**{game.title}** ({game.year}) · /{game.key}\n{game.goal}\n-# {facts(game)}"


def card(game: Game) -> str:
    """The card of a game: its name, its goal, its facts."""
    return f"### {game.title} ({game.year})\n{game.goal}\n-# {facts(game)}"


def facts(game: Game) -> str:
    """How many play a game, how long a match takes, and how hard it is."""
    return f"{players(game)} · about {game.plies} moves, {game.minutes} minutes · {DIFFICULTIES[game.difficulty - 1]}"


def brief(game: Game) -> str:
    """The facts in fewer words, the most important first: a phone cuts off the lines of a list."""
    return f"{players(game)} · {game.minutes} min, {game.plies} moves · {SHORTLY[game.difficulty - 1]}"


def players(game: Game) -> str:
    """How many play a game."""
    low, high = game.seats[0], game.seats[-1]
    return f"{low} players" if low == high else f"{low} to {high} players"
