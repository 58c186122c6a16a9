"""From a position to a move: exact where little is left, by search elsewhere; the same for equal questions.

>>> from bot.core.catalogue import games
>>> game = games()["plexus"]
>>> start = game.start(game.configure({"size": 3}, 2), 2)
>>> thought = think(start, 1, game.mind, Budget(playouts=64, nodes=20_000), "12:0:1:6")
>>> thought.exact, thought.value, thought == think(start, 1, game.mind, Budget(64, 20_000), "12:0:1:6")
(True, -1, True)
"""

from __future__ import annotations

from random import Random

from bot.core.catalogue import games
from bot.core.game import Position
from bot.core.mind import Budget, Lots, Mind
from bot.core.seats import Seat
from bot.search.exact import Solver, TooMany, solvable
from bot.search.thoughts import Line, Question, Thought
from bot.search.uct import Search


def answer(question: Question) -> Thought:
    """What a seat is to play."""
    mind = games()[question.game].mind
    return think(question.position, question.seat, mind, question.budget, question.seed)


def think(position: Position, seat: Seat, mind: Mind, budget: Budget, seed: str) -> Thought:
    """The move of a seat that is to move, from what it may see of a position."""
    lots = Random(seed)
    if mind.ponder:
        move = mind.ponder(position, seat, budget, lots)
        return Thought(move, 0, 0.5, False, (Line(move, 0, 1),))
    return _solved(position, seat, mind, budget.nodes) or _searched(position, seat, mind, budget.playouts, lots)


def _solved(position: Position, seat: Seat, mind: Mind, nodes: int) -> Thought | None:
    """The best move for certain, or None where that takes more nodes. Of equals the first counts."""
    if not nodes or not solvable(position):
        return None
    try:
        found = sorted(Solver(mind, nodes).moves(position, seat), key=lambda one: -one[1])
    except TooMany:
        return None
    move, value = found[0]
    chance = 0.5 + 0.5 * ((value > 0) - (value < 0))
    shares = (chance, 1 - chance) if seat == 1 else (1 - chance, chance)
    return Thought(move, value, chance, True, tuple(Line(each, worth, 1) for each, worth in found), shares)


def _searched(position: Position, seat: Seat, mind: Mind, playouts: int, lots: Lots) -> Thought:
    root = Search(position, mind, lots).run(playouts)
    at = seat - 1
    tried = sorted(root.children, key=lambda one: (-one[1].visits, -one[1].value[at]))
    table = tuple(Line(move, node.margin[at] / node.visits, node.visits) for move, node in tried)
    best = tried[0][1]
    shares = tuple(value / best.visits for value in best.value)
    return Thought(tried[0][0], table[0].value, shares[at], False, table, shares)
