"""The search: UCT, and the choice between it and the exact solver."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

from bot.engine.exact import (
    NODES_A_PLAYOUT,
    ExactSolver,
    can_be_solved,
    clamp_margin,
    compute_margins,
    compute_results,
    compute_share,
    last_mover_wins,
    put_withdrawn_last,
    solve_moves,
)
from bot.engine.levels import MoveLine, SearchQuestion, Thought
from bot.games.catalogue import load_games
from bot.games.legs import Leg, LegMove, Legs, seat_in
from bot.games.mind import Budget, Mind, RandomSource
from bot.games.position import Position, Seat

# UCT: a tree that grows where moves do well, with a value for each seat.


CURIOSITY = 0.5
"""The exploration constant: the preference for rarely tried moves."""
WEIGHT = 0.8
"""The weight of the margin in a value, against that of winning."""
WIDTH, GROWTH = 2.0, 0.6
"""Progressive widening: a node with v visits has at most WIDTH × v ** GROWTH children."""
FORCED = 16
"""The playouts after which an only move's value is known well enough."""
GLIMPSED = 100
"""The number of untried moves of which the most promising is tried next, for games with a `wide` mind."""
UNTRIED = (0.0, 0.0)
LONGEST = 400
"""The most moves of a playout; then the running result counts."""


class Node:
    """A position in the tree, and sums over the playouts below it."""

    __slots__ = ("children", "margins", "move", "position", "seat", "shares", "untried", "visits", "wins")

    def __init__(self, move: str, position: Position, seats: int) -> None:
        self.move, self.position = move, position
        self.seat: Seat = position.turn[0] if position.turn else 0
        self.untried: list[str] | None = None
        self.children: list[Node] = []
        self.visits = 0
        self.wins = [0.0] * seats
        self.shares = [0.0] * seats
        self.margins = [0.0] * seats


class TreeSearch:
    """A search from one position."""

    def __init__(self, position: Position, mind: Mind, rng: RandomSource) -> None:
        self.mind, self.rng = mind, rng
        self.seats = len(position.scores())
        self.withdrawn = position.withdrawn
        self.root = Node("", position, self.seats)
        self.squares = [0.0] * self.seats
        self.elsewhere: dict[tuple[Seat, str], list[float]] = {}

    def run(self, playouts: int) -> Node:
        """Run `playouts` playouts, and return the root."""
        for done in range(playouts):
            if done == FORCED and len(self.root.children) == 1 and not self.root.untried:
                break
            self._run_playout()
        return self.root

    def list_best(self) -> list[Node]:
        """The children of the root, the most visited first."""
        at = self.root.seat - 1
        win, much, _ = self._find_scales(at)
        return sorted(
            self.root.children,
            key=lambda one: (-one.visits, -(win * one.wins[at] + much * one.shares[at]) / one.visits),
        )

    def _run_playout(self) -> None:
        node, path = self.root, [self.root]
        scales = [self._find_scales(at) for at in range(self.seats)]
        while node.seat:
            if node.untried is None:
                node.untried = self._list_moves(node.position, node.seat)
            if node.untried and len(node.children) < WIDTH * (node.visits + 1) ** GROWTH:
                node = self._add_child(node)
                path.append(node)
                break
            node = _choose_child(node, *scales[node.seat - 1])
            path.append(node)
        self._note_result(path, self._evaluate(node.position))

    def _find_scales(self, at: int) -> tuple[float, float, float]:
        """The weights of winning and of the margin for a seat, and its exploration constant, scaled by their
        spreads."""
        root = self.root
        visits = root.visits
        if not visits:
            return 1.0, 1.0, CURIOSITY
        mean = root.shares[at] / visits
        spread = math.sqrt(max(0.0, self.squares[at] / visits - mean * mean))
        chance = root.wins[at] / visits
        won = math.sqrt(chance * (1 - chance))
        much = 0.5 * WEIGHT / spread if spread > 1e-9 else 0.0
        return 1 - WEIGHT, much, 2 * CURIOSITY * ((1 - WEIGHT) * won + 0.5 * WEIGHT)

    def _note_result(self, path: list[Node], found: Sequence[float]) -> None:
        total = sum(map(abs, found))
        for at, margin in enumerate(compute_margins(found)):
            won, part, ahead = (
                0.5 + 0.5 * ((margin > 0) - (margin < 0)),
                compute_share(margin, total),
                clamp_margin(margin),
            )
            self.squares[at] += part * part
            for node in path:
                node.wins[at] += won
                node.shares[at] += part
                node.margins[at] += ahead
        for node in path:
            node.visits += 1
        if self.mind.wide:
            self._remember_moves(path, total, found)

    def _remember_moves(self, path: list[Node], total: float, found: Sequence[float]) -> None:
        ahead = compute_margins(found)
        for before, node in pairwise(path):
            known = self.elsewhere.setdefault((before.seat, node.move), [0.0, 0.0])
            known[0] += 1
            known[1] += compute_share(ahead[before.seat - 1], total)

    def _list_moves(self, position: Position, seat: Seat) -> list[str]:
        if self.mind.candidates:
            moves = list(self.mind.candidates(position, seat, self.rng))
        else:
            moves = list(position.moves(seat))
        if not moves:
            raise LookupError(f"Nothing is known to play in a {type(position).__name__}: its mind needs candidates.")
        self.rng.shuffle(moves)
        return moves

    def _add_child(self, node: Node) -> Node:
        assert node.untried
        move = node.untried.pop(self._choose_promising(node.seat, node.untried) if self.mind.wide else -1)
        child = Node(move, node.position.play(node.seat, move), self.seats)
        node.children.append(child)
        return child

    def _choose_promising(self, seat: Seat, untried: list[str]) -> int:
        """The index of the untried move that has done best elsewhere in the tree; moves never tried rank high."""
        _, much, curious = self._find_scales(seat - 1)
        root = self.root
        usual = root.shares[seat - 1] / root.visits if root.visits else 0.0
        best, chosen = -math.inf, -1
        for at in range(-min(GLIMPSED, len(untried)), 0):
            visits, shares = self.elsewhere.get((seat, untried[at]), UNTRIED)
            worth = much * (shares + usual) / (visits + 1) + curious / math.sqrt(visits + 1)
            if worth > best:
                best, chosen = worth, at
        return chosen

    def _evaluate(self, position: Position) -> Sequence[float]:
        trust = self.mind.trust if position.turn else 1.0
        running = compute_results(position, self.mind) if trust else ()
        if trust == 1.0:
            return running
        final = self._play_out(position)
        if not trust:
            return final
        return [
            trust * clamp_margin(now) + (1 - trust) * clamp_margin(then)
            for now, then in zip(running, final, strict=True)
        ]

    def _play_out(self, position: Position) -> Sequence[int]:
        """The results of a random end of the match, the higher the better."""
        if self.mind.rollout:
            found = self.mind.rollout(position, self.rng)
            return put_withdrawn_last([-one for one in found] if self.mind.lowest_wins else found, self.withdrawn)
        for _ in range(LONGEST):
            if not position.turn:
                break
            seat = position.turn[0]
            moves = self._list_moves(position, seat) if self.mind.candidates else list(position.moves(seat))
            position = position.play(seat, self.rng.choice(moves))
        return compute_results(position, self.mind)


def _choose_child(node: Node, win: float, much: float, curious: float) -> Node:
    at = node.seat - 1
    curious *= math.sqrt(math.log(node.visits))
    best, chosen = -math.inf, node
    for child in node.children:
        visits = child.visits
        worth = (win * child.wins[at] + much * child.shares[at]) / visits + curious / math.sqrt(visits)
        if worth > best:
            best, chosen = worth, child
    return chosen


# Finds a move: exactly near the end of a match, else by search. Equal questions have equal answers.


GLIMPSED_NODES = 100
"""The nodes within which the solver is tried even in haste, at levels that solve anything."""


def answer_question(question: SearchQuestion) -> Thought:
    """The move for a seat; if two legs wait for it, in the leg with fewer moves."""
    mind, position = load_games()[question.game].mind, question.position
    if not isinstance(position, Legs):
        return think(position, question.seat, mind, question.budget, question.seed)
    leg = min(position.list_waiting_legs(question.seat), key=lambda leg: position.made[leg - 1])
    thought = think(position.get_position(leg), seat_in(leg, question.seat), mind, question.budget, question.seed)
    return _adapt_to_legs(position, leg, thought, mind)


def _adapt_to_legs(position: Legs, leg: Leg, thought: Thought, mind: Mind) -> Thought:
    """A thought about a leg as one about the match: moves name the leg, and shares are means of both legs, the other as
    it stands."""
    table = tuple(line._replace(move=str(LegMove(leg, line.move))) for line in thought.table)
    stands = (
        0.5 + 0.5 * ((ahead > 0) - (ahead < 0))
        for ahead in compute_margins(compute_results(position.get_position(3 - leg), mind))
    )
    # Each leg has its own order of seats.
    both = zip(thought.shares, reversed([*stands]), strict=True)
    shares = tuple((found + stood) / 2 for found, stood in both)
    shares = shares if leg == 1 else shares[::-1]
    return replace(thought, move=str(LegMove(leg, thought.move)), table=table, shares=shares)


def seed_random(seed: str) -> RandomSource:
    return Random(seed)


def think(position: Position, seat: Seat, mind: Mind, budget: Budget, seed: str) -> Thought:
    """The best move found for a seat that is to move, from its view of a position."""
    rng = seed_random(seed)
    if mind.ponder:
        move = mind.ponder(position, seat, budget, rng)
        return Thought(move, 0, 0.5, False, (MoveLine(move, 0, 1),))
    if budget.haste and rng.random() < budget.haste:
        budget = Budget(budget.glance, min(budget.nodes, GLIMPSED_NODES))
        mind = replace(mind, candidates=mind.glimpsed or mind.candidates)
    solver = ExactSolver(mind, budget.nodes, rng)
    found = _solve_exactly(position, seat, solver, budget.others)
    nodes = budget.nodes - max(0, solver.left)
    if not found:
        # A failed solution costs playouts, but no more than half of them.
        spent = min(budget.playouts // 2, nodes // NODES_A_PLAYOUT)
        found = _search_tree(position, seat, mind, budget.playouts - spent, rng)
    return replace(found, nodes=nodes)


def _solve_exactly(position: Position, seat: Seat, solver: ExactSolver, others: bool) -> Thought | None:
    """The best move for certain, the first of equals; None if that takes more nodes.

    If only candidate moves are searched, a win is likely, and certain if the move itself wins. A loss gives None: the
    opponent may overlook something, which the tree search can exploit.
    """
    certain = can_be_solved(position, solver.mind)
    if not solver.left or not (certain or last_mover_wins(position, solver.mind)):
        return None
    found = solve_moves(solver, position, others=others)
    if not found or not (certain or found[0].margins[seat - 1] > 0):
        return None
    table = tuple(MoveLine(one.move, one.margins[seat - 1], 1) for one in found)
    shares = tuple(0.5 + 0.5 * ((margin > 0) - (margin < 0)) for margin in found[0].margins)
    certain = certain or not position.play(seat, table[0].move).turn
    return Thought(table[0].move, table[0].value, shares[seat - 1], certain, table, shares)


def _search_tree(position: Position, seat: Seat, mind: Mind, playouts: int, rng: RandomSource) -> Thought:
    search = TreeSearch(position, mind, rng)
    search.run(playouts)
    at, tried = seat - 1, search.list_best()
    table = tuple(MoveLine(node.move, node.margins[at] / node.visits, node.visits) for node in tried)
    shares = tuple(won / tried[0].visits for won in tried[0].wins)
    # Without scores, a move that wins at once is best.
    last = tried[0].position
    ends = not last.turn and not any(last.scores()) and table[0].value > 0
    return Thought(table[0].move, table[0].value, shares[at], ends, table, shares)
