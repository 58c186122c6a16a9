"""Describes a game: its rules page, how its moves are entered, its entry in the list. Pure text, no Discord."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from bot.core.game.game import Game
from bot.core.library.catalogue import example
from bot.core.values.plural import together

DIFFICULTIES = ("easy to begin with", "takes some thought", "takes some study")
TO_MOVE = "**To move** Press {buttons} under the board, or use {commands} or `/move`."
TO_MOVE_IN_SECRET = (
    "**To move** Press {buttons} under your own board, which *My board* opens, or use {commands} or `/move`."
)
IN_A_LINE = "`/move` takes a line like `{move}`."
SQUARES = "`c4` is column c, row 4 from the top."
SHORTLY = ("easy", "some thought", "some study")
"""The difficulties where there is little room."""


def rules(game: Game) -> str:
    """The rules page: what a newcomer needs for a first match, up to the end of the example."""
    return "\n\n".join(_parts(game)[0])


def further(game: Game) -> str:
    """What stands behind the rules page: sizes, variants, rulings, and how a move is entered."""
    title, *_ = _parts(game)[0][0].split("\n")
    return "\n".join([title, "\n\n".join([*_parts(game)[1], entering(game)])])


def _parts(game: Game) -> tuple[list[str], list[str]]:
    """The docstring of the rules without the doctest, unwrapped: its paragraphs with the example, and the rest."""
    title, _, body = (game.rules or "").partition(">>>")[0].strip().partition("\n")
    paragraphs = [re.sub(r"\n(?!- ) *", " ", paragraph) for paragraph in re.split(r"\n\s*\n", body.strip())]
    titled = [at for at, paragraph in enumerate(paragraphs) if paragraph.startswith("**")]
    example = next((at for at in titled if paragraphs[at].startswith("**Example**")), len(paragraphs))
    end = next((at for at in titled if at > example), len(paragraphs))
    return [f"### {title}\n{paragraphs[0]}", *paragraphs[1:end]], paragraphs[end:]


def entering(game: Game) -> str:
    """Which buttons and commands enter a move, and how squares are named."""
    buttons = together((f"*{kind.name.capitalize()}*" for kind in game.moves), " or ")
    commands = together((f"`/{game.key} {kind.name}`" for kind in game.moves), " or ")
    said = [(TO_MOVE_IN_SECRET if game.secret else TO_MOVE).format(buttons=buttons, commands=commands)]
    if match := example(game):
        said.append(IN_A_LINE.format(move=match.record[0].text))
    if any(part.kind == "square" for kind in game.moves for part in kind.parts):
        said.append(SQUARES)
    return " ".join(said)


def ease(game: Game) -> tuple[int, int, str]:
    """Sorting key: the easiest and shortest games first."""
    return game.difficulty, game.minutes, game.title


def by_difficulty(games: Iterable[Game]) -> list[str]:
    """The games in a paragraph for each difficulty, the easiest first."""
    paragraphs = groupby(sorted(games, key=ease), key=lambda game: game.difficulty)
    return [
        f"**{DIFFICULTIES[difficulty - 1].capitalize()}**: {' · '.join(game.title for game in these)}"
        for difficulty, these in paragraphs
    ]


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
