"""The search for everything that cannot be looked at to its end: UCT, a tree that grows where it pays, with a value for
each seat.

Source: Kocsis and Szepesvári, Bandit based Monte-Carlo planning, 2006.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bot.core.game import Position
from bot.core.mind import Lots, Mind
from bot.core.seats import Seat
from bot.search.values import margins, results, rewards

CURIOSITY = 0.7
"""How much a move that was tried seldom is preferred."""
LONGEST = 400
"""So many moves a playout takes at most; then the running result counts."""


class Node:
    """A position in the tree; values are sums over all that was tried below it."""

    __slots__ = ("children", "margin", "position", "seat", "untried", "value", "visits")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.seat: Seat = position.turn[0] if position.turn else 0
        self.untried: list[str] | None = None
        self.children: list[tuple[str, Node]] = []
        self.visits = 0
        self.value: list[float] = [0.0] * len(position.scores())
        self.margin: list[float] = [0.0] * len(self.value)


class Search:
    """A search from one position."""

    def __init__(self, position: Position, mind: Mind, lots: Lots) -> None:
        self.mind, self.lots = mind, lots
        self.root = Node(position)

    def run(self, playouts: int) -> Node:
        """Try so many continuations, and return the root."""
        for _ in range(playouts):
            self._once()
        return self.root

    def _once(self) -> None:
        node, path = self.root, [self.root]
        while node.position.turn:
            if node.untried is None:
                node.untried = self._moves(node.position, node.seat)
            if node.untried:
                node = self._grown(node)
                path.append(node)
                break
            node = self._chosen(node)
            path.append(node)
        found = self._evaluated(node.position)
        value, ahead = rewards(found), margins(found)
        for passed in path:
            passed.visits += 1
            for at, (reward, margin) in enumerate(zip(value, ahead, strict=True)):
                passed.value[at] += reward
                passed.margin[at] += margin

    def _moves(self, position: Position, seat: Seat) -> list[str]:
        if self.mind.candidates:
            moves = list(self.mind.candidates(position, seat, self.lots))
        else:
            moves = list(position.moves(seat))
        self.lots.shuffle(moves)
        return moves

    def _grown(self, node: Node) -> Node:
        assert node.untried
        move = node.untried.pop()
        child = Node(node.position.play(node.seat, move))
        node.children.append((move, child))
        return child

    def _chosen(self, node: Node) -> Node:
        at, curious = node.seat - 1, CURIOSITY * math.sqrt(math.log(node.visits))
        return max(
            (child for _, child in node.children),
            key=lambda child: child.value[at] / child.visits + curious / math.sqrt(child.visits),
        )

    def _evaluated(self, position: Position) -> Sequence[float]:
        trust = self.mind.trust if position.turn else 1.0
        running = results(position, self.mind) if trust else ()
        if trust == 1.0:
            return running
        final = self._played_out(position)
        return [trust * now + (1 - trust) * then for now, then in zip(running, final, strict=True)] if trust else final

    def _played_out(self, position: Position) -> Sequence[int]:
        """The results of a random end of the match, the higher the better."""
        if self.mind.rollout:
            found = self.mind.rollout(position, self.lots)
            return [-one for one in found] if self.mind.lowest_wins else found
        for _ in range(LONGEST):
            if not position.turn:
                break
            seat = position.turn[0]
            moves = self._moves(position, seat) if self.mind.candidates else list(position.moves(seat))
            position = position.play(seat, self.lots.choice(moves))
        return results(position, self.mind)
