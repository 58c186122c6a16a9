"""What the orders of the numbers do in Sum Kind Of Game, apart from the last move.

In the game seat 1 counts up, seat 2 counts down, and seat 2 fills the last square. Here both orders are exchanged, or
are the same, while seat 2 still moves last. If the orders make the bias, it changes sides with them; if the last move
does, it stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine.exact import compute_margins, compute_results
from bot.engine.search import think
from bot.games.catalogue import load_games
from bot.games.mind import Budget
from cogs.sum_kind_of_game.rules import SumKindOfGame
from tests.arena.duels import interval

KEY, SIZE = "sum-kind-of-game", 6
THOUGHT = Budget(playouts=64, nodes=300)
ORDERS: dict[str, tuple[int, int]] = {
    "up and down (the game)": (1, -1),
    "down and up": (-1, 1),
    "both up": (1, 1),
    "both down": (-1, -1),
}
"""Which way each seat counts."""


@dataclass(frozen=True, slots=True)
class Ordered(SumKindOfGame):
    """The game with other orders of the numbers."""

    ways: tuple[int, int] = (1, -1)

    def numbers(self) -> Sequence[int]:
        up = range(1, self.size**2 // 2 + 1)
        each = [up if way > 0 else up[::-1] for way in self.ways]
        return [number for pair in zip(*each, strict=True) for number in pair]


def ahead(ways: tuple[int, int], seed: str, size: int = SIZE, budget: Budget = THOUGHT) -> float:
    """By how much seat 1 is ahead at the end of a match of the computer against itself."""
    position, mind, ply = Ordered(size, ways=ways), load_games()[KEY].mind, 0
    while position.turn:
        position = position.play(
            position.turn[0], think(position, position.turn[0], mind, budget, f"{seed}:{ply}").move
        )
        ply += 1
    return compute_margins(compute_results(position, mind))[0]


def lines(matches: int) -> Iterator[str]:
    """For each pair of orders what share of so many matches seat 1 has, and by how much it is ahead in the mean."""
    for name, ways in ORDERS.items():
        found = [ahead(ways, f"{name}:{number}") for number in range(matches)]
        share = sum(0.5 + 0.5 * ((one > 0) - (one < 0)) for one in found) / matches
        low, high = interval(share, matches)
        mean = sum(found) / matches
        yield f"{name:<24}{matches} matches, seat 1's share {share:.2f} [{low:.2f}, {high:.2f}], ahead by {mean:+.2f}"
