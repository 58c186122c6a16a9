"""Searches positions that cannot be solved: UCT, a tree that grows where moves do well, with a value for each seat.

A result is worth something for winning and something for the margin, each scaled by how much it has varied in this
search. So a seat that is bound to lose still plays for every point. A node tries more moves the more often it is
visited, and not all at once: so few playouts still look at the best moves again. Where a mind is `wide`, moves that did
well elsewhere in the tree are tried first.

Sources: Kocsis and Szepesvári, Bandit based Monte-Carlo planning, 2006; Coulom, Computing Elo ratings of move patterns
in the game of Go, 2007 (widening).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from bot.core.game.mind import Lots, Mind
from bot.core.game.position import Position
from bot.core.values.seats import Seat
from bot.search.values import held, margins, ranked, results, share

CURIOSITY = 0.5
"""How much a move that was tried seldom is preferred."""
WEIGHT = 0.8
"""How much of a value is by how much one wins, and not whether."""
WIDTH, GROWTH = 2.0, 0.6
"""A node that was visited v times has at most WIDTH × v to the power of GROWTH moves that were tried."""
FORCED = 16
"""The playouts after which the value of an only move is known well enough."""
GLIMPSED = 100
"""The window of untried moves of which the most promising one is tried next, where a game asks for it."""
UNTRIED = (0.0, 0.0)
LONGEST = 400
"""The most moves of a playout; then the running result counts."""


class Node:
    """A position in the tree, and sums over all that was tried below it."""

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


class Search:
    """A search from one position."""

    def __init__(self, position: Position, mind: Mind, lots: Lots) -> None:
        self.mind, self.lots = mind, lots
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
            self._once()
        return self.root

    def best(self) -> list[Node]:
        """The moves that were tried, the most often tried first."""
        at = self.root.seat - 1
        win, much, _ = self._scales(at)
        return sorted(
            self.root.children,
            key=lambda one: (-one.visits, -(win * one.wins[at] + much * one.shares[at]) / one.visits),
        )

    def _once(self) -> None:
        node, path = self.root, [self.root]
        scales = [self._scales(at) for at in range(self.seats)]
        while node.seat:
            if node.untried is None:
                node.untried = self._moves(node.position, node.seat)
            if node.untried and len(node.children) < WIDTH * (node.visits + 1) ** GROWTH:
                node = self._grown(node)
                path.append(node)
                break
            node = _chosen(node, *scales[node.seat - 1])
            path.append(node)
        self._noted(path, self._evaluated(node.position))

    def _scales(self, at: int) -> tuple[float, float, float]:
        """What winning and being ahead count for a seat, and its curiosity; both beside how much they differ."""
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

    def _noted(self, path: list[Node], found: Sequence[float]) -> None:
        total = sum(map(abs, found))
        for at, margin in enumerate(margins(found)):
            won, part, ahead = 0.5 + 0.5 * ((margin > 0) - (margin < 0)), share(margin, total), held(margin)
            self.squares[at] += part * part
            for node in path:
                node.wins[at] += won
                node.shares[at] += part
                node.margins[at] += ahead
        for node in path:
            node.visits += 1
        if self.mind.wide:
            self._remembered(path, total, found)

    def _remembered(self, path: list[Node], total: float, found: Sequence[float]) -> None:
        ahead = margins(found)
        for before, node in pairwise(path):
            known = self.elsewhere.setdefault((before.seat, node.move), [0.0, 0.0])
            known[0] += 1
            known[1] += share(ahead[before.seat - 1], total)

    def _moves(self, position: Position, seat: Seat) -> list[str]:
        if self.mind.candidates:
            moves = list(self.mind.candidates(position, seat, self.lots))
        else:
            moves = list(position.moves(seat))
        if not moves:
            raise LookupError(f"Nothing is known to play in a {type(position).__name__}: its mind needs candidates.")
        self.lots.shuffle(moves)
        return moves

    def _grown(self, node: Node) -> Node:
        assert node.untried
        move = node.untried.pop(self._promising(node.seat, node.untried) if self.mind.wide else -1)
        child = Node(move, node.position.play(node.seat, move), self.seats)
        node.children.append(child)
        return child

    def _promising(self, seat: Seat, untried: list[str]) -> int:
        """Which of the next moves to try has done best elsewhere in the tree; one that was never tried may be good."""
        _, much, curious = self._scales(seat - 1)
        root = self.root
        usual = root.shares[seat - 1] / root.visits if root.visits else 0.0
        best, chosen = -math.inf, -1
        for at in range(-min(GLIMPSED, len(untried)), 0):
            visits, shares = self.elsewhere.get((seat, untried[at]), UNTRIED)
            worth = much * (shares + usual) / (visits + 1) + curious / math.sqrt(visits + 1)
            if worth > best:
                best, chosen = worth, at
        return chosen

    def _evaluated(self, position: Position) -> Sequence[float]:
        trust = self.mind.trust if position.turn else 1.0
        running = results(position, self.mind) if trust else ()
        if trust == 1.0:
            return running
        final = self._played_out(position)
        if not trust:
            return final
        return [trust * held(now) + (1 - trust) * held(then) for now, then in zip(running, final, strict=True)]

    def _played_out(self, position: Position) -> Sequence[int]:
        """The results of a random end of the match, the higher the better."""
        if self.mind.rollout:
            found = self.mind.rollout(position, self.lots)
            return ranked([-one for one in found] if self.mind.lowest_wins else found, self.withdrawn)
        for _ in range(LONGEST):
            if not position.turn:
                break
            seat = position.turn[0]
            moves = self._moves(position, seat) if self.mind.candidates else list(position.moves(seat))
            position = position.play(seat, self.lots.choice(moves))
        return results(position, self.mind)


def _chosen(node: Node, win: float, much: float, curious: float) -> Node:
    at = node.seat - 1
    curious *= math.sqrt(math.log(node.visits))
    best, chosen = -math.inf, node
    for child in node.children:
        visits = child.visits
        worth = (win * child.wins[at] + much * child.shares[at]) / visits + curious / math.sqrt(visits)
        if worth > best:
            best, chosen = worth, child
    return chosen
