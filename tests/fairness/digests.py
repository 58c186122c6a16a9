"""Digests of what makes a cell: what the rules, the mind and the search do at some moments of its board.

They are taken of what the code does and not of its text, so that a comment or a name changes none. What is legal and
scored, what a mind draws and how a search weighs things do.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from random import Random

from bot.engine.exact import compute_results
from bot.engine.levels import make_thorough_budget
from bot.engine.search import think
from bot.games.catalogue import load_games
from bot.games.game import Game
from bot.games.mind import Budget
from bot.games.position import Position
from tests.fairness.cells import Cell, Chosen

GLANCE = Budget(playouts=40, nodes=300)
"""What is looked at for a digest."""
WALK = 60
"""How far a match is played by lot for it."""
BACK = (6, 3)
"""So many moves before the end of that it is looked at too, beside its beginning and its middle."""


def begun(cell: Cell) -> tuple[Game, Position]:
    """The game of a cell, and the board."""
    game = load_games()[cell.game]
    return game, game.start(game.configure(dict(cell.options), cell.seats), cell.seats)


@cache
def digest(cell: Cell) -> str:
    """Twelve hexadecimal digits; those of a solved board depend on nothing but the rules and the solving."""
    game, position = begun(cell)
    spent = make_thorough_budget(game, position, cell.level or 1)
    allowed = (spent.playouts, spent.nodes) if cell.level else ()
    made = allowed, board(cell.game, cell.options, cell.seats, bool(cell.level))
    return sha256(repr(made).encode()).hexdigest()[:12]


@cache
def board(key: str, options: Chosen, seats: int, searched: bool) -> str:
    """What the code does on a board, the same for all levels."""
    game, position = begun(Cell(key, options, "play", seats=seats))
    return repr([glance(game, each, searched) for each in moments(game, position)])


def forget() -> None:
    """Look anew, for tests that change the code."""
    digest.cache_clear()
    board.cache_clear()


def moments(game: Game, position: Position) -> list[Position]:
    """Some moments of a match that is played by lot."""
    rng, walked = Random(game.key), list[Position]()
    while position.turn and len(walked) < WALK:
        walked.append(position)
        position = position.play(position.turn[0], rng.choice(able(game, position, rng)))
    last = len(walked) - 1
    return [walked[at] for at in sorted({0, last // 2, *(max(0, last - back) for back in BACK)})]


def able(game: Game, position: Position, rng: Random) -> list[str]:
    """The moves of the seat to move, or those that its mind thinks of."""
    seat, mind = position.turn[0], game.mind
    return list(mind.candidates(position, seat, rng) if mind.candidates else position.moves(seat))


def glance(game: Game, position: Position, searched: bool) -> tuple[object, ...]:
    """What is possible, what stands, and what a short search finds; of the search only what is certain, if need be."""
    seat = position.turn[0]
    found = think(position.seen_by(seat), seat, game.mind, GLANCE, game.key)
    table = [(move, f"{value:.6g}", visits) for move, value, visits in found.table if searched or found.exact]
    return len(able(game, position, Random(0))), [*compute_results(position, game.mind)], table
