"""Finds a move for a seat: exactly where little is left of a match, else by search. Equal questions have equal answers.

>>> from bot.core.library.catalogue import games
>>> game = games()["plexus"]
>>> start = game.start(game.configure({"size": 3}, 2), 2)
>>> thought = think(start, 1, game.mind, Budget(playouts=64, nodes=20_000), "12:0:1:6")
>>> thought.exact, thought.value, thought == think(start, 1, game.mind, Budget(64, 20_000), "12:0:1:6")
(True, -1, True)
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from bot.core.game.legs import Leg, LegMove, Legs, seat_in
from bot.core.game.mind import Budget, Lots, Mind
from bot.core.game.position import Position
from bot.core.library.catalogue import games
from bot.core.values.seats import Seat
from bot.search.exact import NODES_A_PLAYOUT, Solver, last_mover_wins, solvable, solved
from bot.search.thoughts import Line, Question, Thought
from bot.search.uct import Search
from bot.search.values import margins, results

GLIMPSED = 100
"""Of a match that is so nearly over the end is seen in a glance too, at levels that solve anything."""


def answer(question: Question) -> Thought:
    """What a seat is to play; where two legs wait for it, in the leg with fewer moves."""
    mind, position = games()[question.game].mind, question.position
    if not isinstance(position, Legs):
        return think(position, question.seat, mind, question.budget, question.seed)
    leg = min(position.waiting(question.seat), key=lambda leg: position.made[leg - 1])
    thought = think(position.leg(leg), seat_in(leg, question.seat), mind, question.budget, question.seed)
    return _of_leg(position, leg, thought, mind)


def _of_leg(position: Legs, leg: Leg, thought: Thought, mind: Mind) -> Thought:
    """A thought about a leg as one about the match: moves name the leg, and shares are means of both legs, of which the
    other counts as it stands."""
    table = tuple(line._replace(move=str(LegMove(leg, line.move))) for line in thought.table)
    stands = (0.5 + 0.5 * ((ahead > 0) - (ahead < 0)) for ahead in margins(results(position.leg(3 - leg), mind)))
    # Each leg has its own order of seats.
    both = zip(thought.shares, reversed([*stands]), strict=True)
    shares = tuple((found + stood) / 2 for found, stood in both)
    shares = shares if leg == 1 else shares[::-1]
    return replace(thought, move=str(LegMove(leg, thought.move)), table=table, shares=shares)


def drawn_from(seed: str) -> Lots:
    """The lots of a question by its seed."""
    return Random(seed)


def think(position: Position, seat: Seat, mind: Mind, budget: Budget, seed: str) -> Thought:
    """The move of a seat that is to move, from what it may see of a position."""
    lots = drawn_from(seed)
    if mind.ponder:
        move = mind.ponder(position, seat, budget, lots)
        return Thought(move, 0, 0.5, False, (Line(move, 0, 1),))
    if budget.haste and lots.random() < budget.haste:
        budget = Budget(budget.glance, min(budget.nodes, GLIMPSED))
        mind = replace(mind, candidates=mind.glimpsed or mind.candidates)
    solver = Solver(mind, budget.nodes, lots)
    found = _solved(position, seat, solver, budget.others)
    nodes = budget.nodes - max(0, solver.left)
    if not found:
        # What a failed solution took is taken from the playouts, but no more than half of them.
        spent = min(budget.playouts // 2, nodes // NODES_A_PLAYOUT)
        found = _searched(position, seat, mind, budget.playouts - spent, lots)
    return replace(found, nodes=nodes)


def _solved(position: Position, seat: Seat, solver: Solver, others: bool) -> Thought | None:
    """The best move for certain, or None where that takes more nodes. Of equals the first counts.

    Where only moves that are worth a thought are looked at, a win is likely, and certain where it comes with the move.
    A loss among them is None: the opponent may overlook something, and the search says where.
    """
    certain = solvable(position, solver.mind)
    if not solver.left or not (certain or last_mover_wins(position, solver.mind)):
        return None
    found = solved(solver, position, others=others)
    if not found or not (certain or found[0].margins[seat - 1] > 0):
        return None
    table = tuple(Line(one.move, one.margins[seat - 1], 1) for one in found)
    shares = tuple(0.5 + 0.5 * ((margin > 0) - (margin < 0)) for margin in found[0].margins)
    certain = certain or not position.play(seat, table[0].move).turn
    return Thought(table[0].move, table[0].value, shares[seat - 1], certain, table, shares)


def _searched(position: Position, seat: Seat, mind: Mind, playouts: int, lots: Lots) -> Thought:
    search = Search(position, mind, lots)
    search.run(playouts)
    at, tried = seat - 1, search.best()
    table = tuple(Line(node.move, node.margins[at] / node.visits, node.visits) for node in tried)
    shares = tuple(won / tried[0].visits for won in tried[0].wins)
    # Without scores nothing is better than to end the match as its winner.
    last = tried[0].position
    ends = not last.turn and not any(last.scores()) and table[0].value > 0
    return Thought(table[0].move, table[0].value, shares[at], ends, table, shares)
